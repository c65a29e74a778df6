/** What keys and buttons do to marks, and what is said to it. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { controls, explained, moved, nudged, removed, toggled, travelled } from "../../static/js/marking.js";
import { MarkBook } from "../../static/js/marks.js";

const OPEN = { may_mark: true };
const FINAL = { may_mark: false, why_not: "Its marks are final." };
const at = (tick, { seat = 0, playing = false } = {}) => ({ tick, seat, playing, speed: 2 });
const book = () => {
  let count = 0;
  const marks = new MarkBook({ episode: "e", last: 9, makeId: () => `m${(count += 1)}` });
  toggled(marks, OPEN, at(5), 0, 1, "key");
  return marks;
};

test("a sign marks what is shown, and while the replay plays what was shown a little before", () => {
  const marks = book();
  assert.deepEqual(marks.at(0, 5).context, { input: "key", playing: false, speed: 2, offset: 0, tool: "replay-1" });
  assert.equal(toggled(marks, OPEN, at(9, { playing: true }), 3, -1, "mouse").mark.tick, 6);
  assert.equal(marks.at(0, 6).context.offset, 3);
  assert.equal(toggled(marks, OPEN, at(9), 3, -1, "mouse").mark.tick, 9, "nothing moves on while it stands");
  assert.match(toggled(marks, OPEN, at(0), 0, 1, "key").say, /^There is no move to mark/);
});

test("a mark goes on with the replay, but not onto another one", () => {
  const marks = book();
  assert.deepEqual([nudged(marks, OPEN, at(5), 1).tick, marks.at(0, 6).id], [6, "m1"]);
  toggled(marks, OPEN, at(7), 0, 1, "key");
  const stuck = nudged(marks, OPEN, at(6), 1);
  assert.match(stuck.say, /^A mark can't go there/);
  assert.equal(stuck.tick, undefined, "the replay stays, too");
  assert.match(moved(marks, OPEN, "m1", 0).say, /^A mark can't go there/);
  assert.equal(moved(marks, OPEN, "m1", 6).say, undefined, "it is there");
  assert.equal(nudged(marks, OPEN, at(1), 1).say, "No mark of this seat at this tick.");
  assert.equal(nudged(marks, OPEN, at(6, { seat: 1 }), 1).say, "No mark of this seat at this tick.");
});

test("a reason belongs to a mark", () => {
  const marks = book();
  assert.equal(explained(marks, OPEN, at(5), "score").mark.context.reason, "score");
  assert.match(explained(marks, OPEN, at(4), "score").say, /^A reason belongs to a mark/);
  assert.deepEqual([removed(marks, OPEN, at(5)).mark.deleted, removed(marks, OPEN, at(5))], [true, {}]);
});

test("undo goes to where something was undone, and says when there is nothing left", () => {
  const marks = book();
  assert.equal(travelled(marks, "undo").tick, 5);
  assert.deepEqual(travelled(marks, "undo"), { say: "Nothing to undo.", brief: true });
  assert.equal(travelled(marks, "redo").mark.deleted, false);
});

test("final marks stay as they are, and a sentence says why", () => {
  const marks = book();
  const says = { say: "Its marks are final.", bad: true };
  assert.deepEqual(toggled(marks, FINAL, at(5), 0, 1, "key"), says);
  assert.deepEqual(moved(marks, FINAL, "m1", 7), says);
  assert.deepEqual(nudged(marks, FINAL, at(5), 1), says);
  assert.deepEqual([removed(marks, FINAL, at(5)), explained(marks, FINAL, at(5), "score")], [{}, {}]);
  assert.deepEqual([marks.at(0, 5).tick, marks.at(0, 5).revision], [5, 1]);
});

test("buttons stand as the mark that is shown, and can be pressed where there is something to mark", () => {
  const marks = book();
  explained(marks, OPEN, at(5), "score");
  const { mark, ...stands } = controls(marks, OPEN, 0, 5);
  assert.deepEqual([mark.id, stands], ["m1", { sign: 1, reason: "score", canMark: true, canExplain: true }]);
  const none = { mark: null, sign: 0, reason: "", canMark: false, canExplain: false };
  assert.deepEqual(controls(marks, OPEN, 0, 0), none);
  assert.deepEqual(controls(marks, OPEN, 1, 5), { ...none, canMark: true });
  assert.equal(controls(marks, FINAL, 0, 5).canExplain, false);
});
