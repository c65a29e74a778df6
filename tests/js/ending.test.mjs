/** What the page after a game counts up, calls moments, and says of a clip. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { COUNT, clipWords, counted, numberIn, sentenceOf, whenOf } from "../../static/js/ending-state.js";
import { EndingMarks } from "../../static/js/ending-marks.js";

test("a score is counted up in less than a second, never beyond it, and ends exactly there", () => {
  assert.ok(COUNT < 1000);
  for (const score of [21, 240, -3]) {
    let before = 0;
    for (let passed = 0; passed <= COUNT; passed += 16) {
      const now = counted(score, passed);
      assert.ok(Math.abs(now) <= Math.abs(score) && Math.abs(now) >= Math.abs(before) && Number.isInteger(now));
      before = now;
    }
    assert.equal(counted(score, COUNT), score);
    assert.equal(counted(score, COUNT + 500), score);
    assert.equal(counted(score, -5) + 0, 0);
  }
});

test("what is no number is left as it is", () => {
  assert.equal(numberIn("Draw"), null);
  assert.equal(numberIn("–"), null);
  assert.deepEqual(numberIn(" 2nd "), { before: "", score: 2, after: "nd" });
  assert.deepEqual(numberIn("-3"), { before: "", score: -3, after: "" });
});

test("moments are told by move, or by the clock where there is one", () => {
  assert.equal(whenOf(31, 0), "Move 31");
  assert.equal(whenOf(390, 6), "1:05");
});

test("a moment calls the reader you and everybody else by name", () => {
  const moment = { text: "Player 1 played R1 (their 4th card).", effect: "1 point now." };
  assert.equal(sentenceOf(moment, ["You", "Ada"]), "You played R1 (your 4th card). 1 point now.");
  assert.equal(sentenceOf({ text: "", effect: "Player 2 had brought no soup closer for 60 steps." }, ["You", "Ada"]),
    "Ada had brought no soup closer for 60 steps.");
});

test("a clip says whether it is the whole game", () => {
  assert.equal(clipWords({ first: 0, last: 64, format: "gif" }, 64, 0), "The whole game, everything open, as GIF.");
  assert.equal(clipWords({ first: 100, last: 340, format: "mp4" }, 6000, 20),
    "From 0:05 to 0:17, everything open, as MP4.");
});

test("a mark made before the outbox is open is kept and sent, and undone again", async () => {
  const sent = [];
  globalThis.document = { cookie: "", body: { dataset: { csrf: "token" } } };
  globalThis.addEventListener = () => {};
  globalThis.fetch = async (url, { body }) => {
    const { marks } = JSON.parse(body);
    sent.push(...marks);
    const results = marks.map(({ id, revision }) => ({ id, revision, status: "saved" }));
    return { status: 200, ok: true, headers: new Map([["content-type", "application/json"]]),
      json: async () => ({ results }) };
  };
  const told = { episode: "e", last: 60, marks: [], person: "7", urls: { marks: "/marks/" } };
  const marks = new EndingMarks(told, () => {});
  marks.toggle({ seat: 1, tick: 31 }, -1, "key");
  assert.equal(marks.signOf({ seat: 1, tick: 31 }), -1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(sent.map(({ seat, tick, sign, context }) => [seat, tick, sign, context.tool]),
    [[1, 31, -1, "ending-1"]]);
  assert.equal(marks.state, "Saved ✓");
  marks.undo();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(sent.at(-1).deleted, true);
  assert.equal(marks.signOf({ seat: 1, tick: 31 }), 0);
});
