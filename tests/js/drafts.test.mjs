/** Half-typed text outlives the page that it was typed on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { draftsOf } from "../../static/js/lib/drafts.js";

/** As a browser's storage: its keys are its own properties. */
function storage() {
  const store = {};
  for (const [name, value] of Object.entries({
    getItem: (key) => store[key] ?? null,
    setItem: (key, text) => { store[key] = String(text); },
    removeItem: (key) => { delete store[key]; },
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

test("without a storage nothing is kept and nothing fails", () => {
  const drafts = draftsOf("note ", null);
  drafts.keep("m1", "text");
  drafts.drop("m1");
  assert.deepEqual(drafts.all(), []);
});
