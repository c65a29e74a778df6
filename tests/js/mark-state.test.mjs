/** What the marking side of a replay says of moves, marks and what is saved. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { about, label, markedTick, refusal, saving } from "../../static/js/mark-state.js";

const page = { episode: "e", names: ["Ada", "Bo"], turn_based: true };
const mark = { id: "a", episode: "e", seat: 1, tick: 5, sign: -1, note: "" };

test("a key marks the shown tick; while it plays, some ticks back, never before the first move", () => {
  assert.equal(markedTick({ tick: 7, playing: false }, 3), 7);
  assert.equal(markedTick({ tick: 7, playing: true }, 3), 4);
  assert.equal(markedTick({ tick: 2, playing: true }, 3), 1);
  assert.equal(markedTick({ tick: 0, playing: true }, 3), 0, "there is no move to mark");
});

test("what a mark here is about depends on whose move led here", () => {
  assert.equal(about(page, 0, undefined, false, ""), "Nothing has happened yet.");
  assert.equal(about(page, 0, { seat: 0 }, true, ""), "About the move of Ada that led here.");
  assert.equal(about(page, 0, { seat: 1 }, true, ""), "This move was made by Bo; the mark is about Ada.");
  assert.equal(about({ ...page, turn_based: false }, 1, undefined, true, "“go left”"),
    "About what Bo did up to this tick. In force then: “go left”.");
});

test("a mark in words says what it is, whether it is saved, and why it was made", () => {
  const context = { names: page.names, status: "pending", asked: "", reasons: { slow: "Too slow" } };
  assert.equal(label(mark, context), "Regression of Bo at tick 5: pending");
  assert.equal(label({ ...mark, sign: 1, note: "nice", context: { reason: "slow" } }, { ...context, asked: "“go”" }),
    "Progress of Bo at tick 5: pending · told “go” · Too slow · nice");
});

test("how marks stand: the worst is said first, and what will happen", () => {
  const outbox = { pending: 0, failed: 0, trouble: "", sentence: "" };
  assert.deepEqual(saving(outbox, 3), { line: "saved ✓ 3", state: "saved", trouble: "" });
  assert.deepEqual(saving({ ...outbox, pending: 1, trouble: "offline", sentence: "You are offline." }, 2), {
    line: "1 pending · saved ✓ 2", state: "pending",
    trouble: "You are offline. 1 mark is kept in this browser and will be sent again." });
  assert.deepEqual(saving({ ...outbox, pending: 2, failed: 2 }, 0), {
    line: "2 pending · 2 failed · saved ✓ 0", state: "failed",
    trouble: "The server refused 2 marks, which are not saved:" });
});

test("a refused mark is put right here, or on its own episode's page", () => {
  const sentence = "Its marks are final.";
  assert.deepEqual(refusal({ mark, sentence }, page),
    { text: "Regression of Bo at tick 5: Its marks are final.", address: null });
  assert.deepEqual(refusal({ mark: { ...mark, episode: "f", seat: 9 }, sentence }, page),
    { text: "Regression of another episode at tick 5: Its marks are final.", address: "../f/?tick=5&seat=9" });
});
