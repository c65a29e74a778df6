import assert from "node:assert/strict";
import { test } from "node:test";

import { MarkBook, newId } from "../../static/js/marks.js";

const book = () => {
  let count = 0;
  return new MarkBook({ episode: "e", last: 40, makeId: () => `m${(count += 1)}` });
};
const shown = (marks) => marks.list().map(({ seat, tick, sign }) => [seat, tick, sign]);

test("one key makes a mark, the same key removes it, the other flips it", () => {
  const marks = book();
  assert.equal(marks.toggle(0, 5, 1).revision, 1);
  assert.deepEqual(shown(marks), [[0, 5, 1]]);
  const flipped = marks.toggle(0, 5, -1);
  assert.deepEqual([flipped.id, flipped.revision], ["m1", 2]);
  assert.deepEqual(shown(marks), [[0, 5, -1]]);
  assert.equal(marks.toggle(0, 5, -1).deleted, true);
  assert.deepEqual(shown(marks), []);
  assert.equal(marks.at(0, 5), null);
});

test("a flipped mark keeps its reason and its note, and so does one that is removed and made again", () => {
  const marks = book();
  const { id } = marks.toggle(0, 5, 1, { input: "key" });
  marks.explain(id, "score");
  marks.annotate(id, "too early");
  const flipped = marks.toggle(0, 5, -1, { input: "mouse" });
  assert.deepEqual([flipped.sign, flipped.note, flipped.context],
    [-1, "too early", { input: "mouse", reason: "score" }]);
  marks.toggle(0, 5, -1);
  const again = marks.toggle(0, 5, 1, { input: "key" });
  assert.deepEqual([again.id, again.sign, again.note, again.context.reason], [id, 1, "too early", "score"]);
  marks.undo();
  assert.equal(marks.undo().context.reason, "score");
});

test("seats have marks of their own at one tick", () => {
  const marks = book();
  marks.toggle(0, 5, 1);
  marks.toggle(1, 5, -1);
  assert.deepEqual(shown(marks), [[0, 5, 1], [1, 5, -1]]);
});

test("the deal and ticks beyond the end can't be marked", () => {
  const marks = book();
  assert.equal(marks.toggle(0, 0, 1), null);
  assert.equal(marks.toggle(0, 41, 1), null);
  assert.equal(marks.toggle(0, 1.5, 1), null);
  assert.equal(marks.toggle(0, 40, 1).tick, 40);
});

test("a mark moves to a free tick and not onto another of its seat", () => {
  const marks = book();
  const { id } = marks.toggle(0, 5, 1);
  marks.toggle(0, 7, 1);
  assert.equal(marks.move(id, 6).tick, 6);
  assert.equal(marks.at(0, 5), null);
  assert.equal(marks.move(id, 7), null);
  assert.equal(marks.move(id, 0), null);
});

test("undo and redo travel through every kind of change, raising the revision each time", () => {
  const marks = book();
  const { id } = marks.toggle(0, 5, 1);
  marks.move(id, 6);
  marks.annotate(id, "why");
  marks.toggle(0, 6, -1);
  marks.remove(id);
  for (const expected of [[[0, 6, -1]], [[0, 6, 1]], [[0, 6, 1]], [[0, 5, 1]], []]) {
    assert.ok(marks.undo());
    assert.deepEqual(shown(marks), expected);
  }
  assert.equal(marks.undo(), null);
  for (let i = 0; i < 4; i += 1) marks.redo();
  assert.deepEqual(shown(marks), [[0, 6, -1]]);
  assert.equal(marks.at(0, 6).note, "why");
  assert.equal(marks.byId.get(id).revision, 14);
});

test("a new change forgets what was undone", () => {
  const marks = book();
  marks.toggle(0, 5, 1);
  marks.undo();
  marks.toggle(0, 9, 1);
  assert.equal(marks.redo(), null);
});

test("of two versions that are loaded the higher revision stays", () => {
  const marks = book();
  const version = (revision, sign) => ({ id: "x", episode: "e", seat: 0, tick: 3, sign, revision,
    deleted: false, note: "" });
  marks.load([version(4, -1)]);
  marks.load([version(2, 1), { ...version(9, 1), id: "y", episode: "other" }]);
  assert.deepEqual(shown(marks), [[0, 3, -1]]);
});

test("undo leaves alone what another window has put in its place", () => {
  const marks = book();
  const { id } = marks.toggle(0, 5, 1);
  marks.remove(id);
  marks.load([{ id: "z", episode: "e", seat: 0, tick: 5, sign: -1, revision: 1, deleted: false, note: "" }]);
  marks.undo();
  assert.deepEqual(shown(marks), [[0, 5, -1]]);
});

test("of two marks at one place, of two windows, the other is there when the first is gone", () => {
  const version = (id, fields = {}) => ({ id, episode: "e", seat: 0, tick: 5, sign: 1, revision: 1, deleted: false,
    note: "", ...fields });
  const removed = version("a", { deleted: true, revision: 9 });
  const ways = [(marks) => marks.remove("a"), (marks) => marks.move("a", 6), (marks) => marks.reset("a", null),
    (marks) => marks.load([removed])];
  for (const go of ways) {
    const marks = book();
    marks.load([version("a"), version("b", { sign: -1 })]);
    assert.equal(marks.toggle(0, 5, -1).id, "a", "a flip keeps the place");
    marks.undo();
    go(marks);
    assert.equal(marks.at(0, 5).id, "b");
    assert.equal(marks.remove("b").deleted, true);
    assert.equal(marks.at(0, 5), null);
  }
});

test("ids are UUIDs, also without crypto.randomUUID", () => {
  const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  assert.match(newId(), pattern);
  const original = crypto.randomUUID;
  Object.defineProperty(crypto, "randomUUID", { value: undefined, configurable: true });
  assert.match(newId(), pattern);
  Object.defineProperty(crypto, "randomUUID", { value: original, configurable: true });
});

test("a mark is put back to what the server has, or taken out, and no undo leads before that", () => {
  const marks = book();
  const first = marks.toggle(0, 5, 1);
  marks.annotate(first.id, "half");
  marks.toggle(1, 7, -1);
  marks.reset(first.id, first);
  assert.deepEqual([marks.at(0, 5).note, marks.at(0, 5).revision], ["", 1]);
  assert.equal(marks.annotate(first.id, "whole").revision, 2);
  marks.reset(first.id, null);
  assert.deepEqual(shown(marks), [[1, 7, -1]]);
  assert.equal(marks.undo().id, "m2");
  assert.equal(marks.undo(), null);
  assert.equal(marks.toggle(0, 5, 1).id, "m3");
});

test("a mark says why in one word; the same word again takes it back, undo too, and how it was made stays", () => {
  const marks = new MarkBook({ episode: "e", last: 9, makeId: () => "a" });
  assert.equal(marks.explain("a", "mixed"), null, "there is no mark yet");
  marks.toggle(1, 5, 1, { input: "key" });
  assert.deepEqual(marks.explain("a", "mixed").context, { input: "key", reason: "mixed" });
  assert.deepEqual(marks.explain("a", "score").context, { input: "key", reason: "score" });
  assert.deepEqual(marks.undo().context, { input: "key", reason: "mixed" });
  const last = marks.explain("a", "mixed");
  assert.deepEqual(last.context, { input: "key" });
  assert.equal(last.revision, 5, "each is a change of its own");
});
