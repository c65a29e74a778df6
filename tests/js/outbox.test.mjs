import assert from "node:assert/strict";
import { test } from "node:test";

import { Outbox, memoryStore } from "../../static/js/lib/outbox.js";

const mark = (id, revision = 1) => ({ id, revision, tick: 3 });
const saved = (marks) => ({ status: 200, data: { results: marks.map((m) => ({ id: m.id, status: "saved", revision: m.revision })) } });

/** An outbox whose server answers with what `answer` returns, and the timers it set. */
function make(answer, store = memoryStore()) {
  const posts = [];
  const timers = [];
  const stale = [];
  const outbox = new Outbox({
    store,
    send: async (marks) => { posts.push(marks); return answer(marks, posts.length); },
    wait: (run, ms) => timers.push({ run, ms }),
    onStale: (kept) => stale.push(kept),
  });
  return { outbox, posts, timers, stale, store };
}

test("an acknowledged mark leaves the outbox", async () => {
  const { outbox, store } = make(saved);
  await outbox.put(mark("a"));
  await outbox.flush();
  assert.equal(outbox.status("a"), "saved");
  assert.deepEqual(await store.all(), []);
});

test("what is offline stays, and is sent when the network is back", async () => {
  let online = false;
  const { outbox, timers, store } = make((marks) => (online ? saved(marks) : { status: 0, data: null }));
  await outbox.put(mark("a"));
  await outbox.running;
  assert.deepEqual([outbox.status("a"), outbox.trouble, outbox.pending], ["pending", "offline", 1]);
  assert.equal((await store.all()).length, 1);
  online = true;
  await timers.at(-1).run();
  await outbox.running;
  assert.deepEqual([outbox.status("a"), outbox.trouble], ["saved", ""]);
});

test("waits grow from one second to thirty", async () => {
  const { outbox, timers } = make(() => ({ status: 503, data: null }));
  await outbox.put(mark("a"));
  for (let i = 0; i < 8; i += 1) { await outbox.running; timers.at(-1).run(); }
  await outbox.running;
  assert.deepEqual(timers.slice(0, 7).map((t) => t.ms), [1000, 2000, 4000, 8000, 16000, 30000, 30000]);
});

for (const status of [401, 403, 419]) {
  test(`an answer of ${status} leaves marks pending and says so`, async () => {
    const { outbox, store } = make(() => ({ status, data: { error: "Sign in again." } }));
    await outbox.put(mark("a"));
    await outbox.running;
    assert.deepEqual([outbox.status("a"), outbox.trouble, outbox.sentence], ["pending", "signed-out", "Sign in again."]);
    assert.equal((await store.all()).length, 1);
  });
}

test("a refused mark is failed with its sentence, the others of the batch are saved", async () => {
  const { outbox, posts } = make((marks) => ({ status: 200, data: { results: marks.map((m) => (m.id === "bad"
    ? { id: m.id, status: "refused", sentence: "Tick 99 can't be marked." } : { id: m.id, status: "saved" })) } }));
  outbox.put(mark("good"));
  outbox.put(mark("bad"));
  await outbox.flush();
  await outbox.flush();
  assert.deepEqual([outbox.status("good"), outbox.status("bad")], ["saved", "failed"]);
  assert.equal(outbox.reason("bad"), "Tick 99 can't be marked.");
  const before = posts.length;
  await outbox.flush();
  assert.equal(posts.length, before, "a refused mark is not sent again by itself");
  await outbox.retry();
  assert.equal(posts.length, before + 1);
});

test("a crash loses nothing: the next visit sends what was left", async () => {
  const first = make(() => ({ status: 0, data: null }));
  await first.outbox.put(mark("a"));
  await first.outbox.put(mark("b"));
  const second = make(saved, first.store);
  const left = await second.outbox.open();
  assert.deepEqual(left.map((m) => m.id).sort(), ["a", "b"]);
  await second.outbox.flush();
  assert.equal(second.outbox.pending, 0);
  assert.deepEqual(await first.store.all(), []);
});

test("a change made while its older version is on the way is sent too", async () => {
  let release;
  const gate = new Promise((resolve) => { release = resolve; });
  const { outbox, posts } = make(async (marks, n) => { if (n === 1) await gate; return saved(marks); });
  await outbox.put(mark("a", 1));
  await outbox.put(mark("a", 2));
  release();
  await outbox.running;
  assert.deepEqual(posts.map((p) => p[0].revision), [1, 2]);
  assert.equal(outbox.status("a"), "saved");
});

test("a newer version on the server is handed back", async () => {
  const kept = { id: "a", revision: 7 };
  const { outbox, stale } = make(() => ({ status: 200, data: { results: [{ id: "a", status: "stale", revision: 7, mark: kept }] } }));
  await outbox.put(mark("a", 2));
  await outbox.flush();
  assert.deepEqual(stale, [kept]);
  assert.equal(outbox.status("a"), "saved");
});

test("batches hold at most a hundred marks", async () => {
  const { outbox, posts, store } = make(saved);
  for (let i = 0; i < 230; i += 1) await store.put({ id: `m${i}`, mark: mark(`m${i}`), failed: null });
  await outbox.open();
  await outbox.flush();
  assert.deepEqual(posts.map((p) => p.length), [100, 100, 30]);
});
