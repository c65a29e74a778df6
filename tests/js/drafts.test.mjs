/** Half-typed text outlives the page that it was typed on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { draftsOf } from "../../static/js/lib/drafts.js";
import { Kept } from "../../static/js/lib/kept.js";

function storage() {
  const store = {};
  for (const [name, value] of Object.entries({
    getItem: (key) => store[key] ?? null,
    setItem: (key, text) => { store[key] = String(text); },
    removeItem: (key) => { delete store[key]; },
    keys: () => Object.keys(store),
  })) Object.defineProperty(store, name, { value });
  return store;
}

test("a draft is there for the next page of its prefix until it is dropped or emptied", () => {
  const store = storage();
  draftsOf("note e1 ", store).keep("m1", "half a sen");
  draftsOf("note e1 ", store).keep("m2", "x");
  draftsOf("note e2 ", store).keep("m3", "of another episode");
  assert.deepEqual(draftsOf("note e1 ", store).all(), [["m1", "half a sen"], ["m2", "x"]]);
  draftsOf("note e1 ", store).drop("m1");
  draftsOf("note e1 ", store).keep("m2", "");
  assert.deepEqual(draftsOf("note e1 ", store).all(), []);
});

test("where a storage is denied things hold for the page, and a sentence says so", () => {
  const told = [], drafts = draftsOf("note ", new Kept("denied", (sentence) => told.push(sentence)));
  assert.deepEqual([drafts.all(), told], [[], []]);
  drafts.keep("m1", "text");
  drafts.keep("m2", "more");
  assert.deepEqual(drafts.all(), [["m1", "text"], ["m2", "more"]]);
  for (const name of ["m1", "m2"]) drafts.drop(name);
  assert.deepEqual(drafts.all(), []);
  assert.match(told.join(), /^This browser keeps nothing[^.]*\.$/); // said once
});

test("what was chosen while a storage was full does not hide what is kept once it isn't", (context) => {
  const kept = new Kept("oneStorage", () => {});
  kept.setItem("speed", "1");
  globalThis.oneStorage = storage();
  context.after(() => { delete globalThis.oneStorage; });
  kept.setItem("speed", "2");
  globalThis.oneStorage.setItem("speed", "4"); // another window
  assert.equal(kept.getItem("speed"), "4");
});
