import assert from "node:assert/strict";
import { test } from "node:test";

import { Outbox, memoryStore } from "../../static/js/lib/outbox.js";

const mark = (id, revision = 1) => ({ id, revision, tick: 3 });
const saved = (marks) =>
  ({ status: 200, data: { results: marks.map((m) => ({ id: m.id, status: "saved", revision: m.revision })) } });

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

test("what lost its place to a mark that is saved is told, though it was not sent", async () => {
  const lost = { ...mark("b"), deleted: true };
  const { outbox,
    stale } =
      make(() => ({ status: 200, data: { results: [{ id: "a", status: "saved", revision: 1, displaced: [lost] }] } }));
  await outbox.put(mark("a"));
  await outbox.flush();
  assert.deepEqual([outbox.status("a"), stale], ["saved", [lost]]);
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
    assert.deepEqual([outbox.status("a"), outbox.trouble, outbox.sentence],
      ["pending", "signed-out", "Sign in again."]);
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
  const { outbox,
    stale } = make(() => ({ status: 200, data: { results: [{ id: "a", status: "stale", revision: 7, mark: kept }] } }));
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

/** A server that answers `status` to every batch with a bad mark in it, and takes all others. */
const breaksAt = (bad, status, data = null) =>
  (marks) => (marks.some((m) => bad.includes(m.id)) ? { status, data } : saved(marks));

/** Let every wait pass until nothing new is set. */
async function patient({ outbox, timers }) {
  await outbox.running;
  for (let seen = 0; seen < timers.length && seen < 20; seen += 1) { timers[seen].run(); await outbox.running; }
}

async function filled(answer, count, ...more) {
  const made = make(answer, ...more);
  for (let i = 0; i < count; i += 1) await made.store.put({ id: `m${i}`, mark: mark(`m${i}`), failed: null });
  await made.outbox.open();
  return made;
}

for (const status of [400, 413, 422, 500]) {
  for (const bad of [["m0"], ["m57"], ["m99"], ["m0", "m1", "m2"], ["m3", "m40", "m98"]]) {
    test(`an answer of ${status} to a batch is one of ${bad}: the others are saved, these are failed`, async () => {
      const made = await filled(breaksAt(bad, status, status === 400 ? { error: "The body has NaN." } : null), 100);
      await patient(made);
      const { outbox, posts, store } = made;
      assert.deepEqual(outbox.refused.map((one) => one.mark.id).sort(), bad);
      assert.equal(outbox.pending, 0);
      assert.equal(outbox.reason(bad[0]),
        status === 400 ? "The body has NaN." : `The server can't take this mark (it answered ${status}).`);
      assert.equal(outbox.trouble, "");
      assert.deepEqual((await store.all()).map((item) => item.id).sort(), bad, "kept, for its author to see");
      assert.ok(posts.length < 60, `${posts.length} requests`);
      await outbox.put(mark("new"));
      await outbox.flush();
      assert.equal(outbox.status("new"), "saved", "and it blocks nothing");
    });
  }
}

test("a server that breaks at everything blames no mark, is left alone between tries, and gets them in the end",
  async () => {
  let broken = true;
  const { outbox, posts, timers,
    store } = await filled((marks) => (broken ? { status: 500, data: null } : saved(marks)), 100);
  await outbox.running;
  for (let i = 0; i < 8; i += 1) { assert.equal(timers.length, i + 1); timers[i].run(); await outbox.running; }
  assert.deepEqual([outbox.failed, outbox.pending, outbox.trouble], [0, 100, "server"]);
  assert.deepEqual(timers.map((t) => t.ms).slice(0, 5), [1000, 2000, 4000, 8000, 16000]);
  assert.ok(posts.length <= 9 * 10, `${posts.length} requests in nine tries`);
  broken = false;
  timers.at(-1).run();
  await outbox.running;
  assert.deepEqual([outbox.failed, outbox.pending, outbox.trouble], [0, 0, ""]);
  assert.deepEqual(await store.all(), []);
});

test("a mark at which the server breaks once or twice is only late", async () => {
  let times = 0;
  const made = await filled((marks) => (marks.some((m) => m.id === "m1") && (times += 1) < 4
    ? { status: 500, data: null }
    : saved(marks)), 3);
  await patient(made);
  assert.deepEqual([made.outbox.failed, made.outbox.pending], [0, 0]);
});

test("one mark alone that the server breaks at stays, and is found out when another one is taken", async () => {
  const made = make(breaksAt(["bad"], 500));
  await made.outbox.put(mark("bad"));
  await patient(made);
  assert.deepEqual([made.outbox.status("bad"), made.outbox.trouble], ["pending", "server"]);
  await made.outbox.put(mark("good"));
  await patient(made);
  assert.deepEqual([made.outbox.status("bad"), made.outbox.status("good")], ["failed", "saved"]);
});

for (const status of [0, 401, 403, 419, 429, 503]) {
  test(`an answer of ${status} halves nothing and blames nobody`, async () => {
    const { outbox, posts } = await filled(() => ({ status, data: null }), 10);
    await outbox.running;
    assert.deepEqual(posts.map((p) => p.length), [10]);
    assert.deepEqual([outbox.failed, outbox.pending], [0, 10]);
  });
}

test("a page instead of an answer blames nobody", async () => {
  const { outbox, posts } = await filled(() => ({ status: 200, data: null }), 10);
  await outbox.running;
  assert.deepEqual([posts.length, outbox.failed, outbox.pending], [1, 0, 10]);
});

test("a refused mark can be discarded, or put right by another version of it", async () => {
  const refusing = (marks) => ({ status: 200, data: { results: marks.map((m) => (m.note === "bad"
    ? { id: m.id, status: "refused", sentence: "No." } : { id: m.id, status: "saved" })) } });
  const made = make(refusing);
  for (const id of ["a", "b"]) await made.outbox.put({ ...mark(id), note: "bad" });
  await made.outbox.flush();
  assert.deepEqual(made.outbox.refused.map((one) => [one.mark.id, one.sentence]), [["a", "No."], ["b", "No."]]);
  await made.outbox.discard("a");
  await made.outbox.put({ ...mark("b", 2), note: "good" });
  await made.outbox.flush();
  assert.deepEqual([made.outbox.refused, made.outbox.status("b"), await made.store.all()], [[], "saved", []]);
});

test("what was taken is told, in the version that was taken", async () => {
  const taken = [];
  const outbox = new Outbox({ store: memoryStore(), send: async (marks) => saved(marks),
    onSaved: (m) => taken.push([m.id, m.revision]) });
  await outbox.put(mark("a", 3));
  await outbox.flush();
  assert.deepEqual(taken, [["a", 3]]);
});
