/** What was in force when and for whom, and what came of it: of replays' spans and of live frames. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bars, fate, forMove, listed, noted, seatsNow, standing, statusAt, turns } from "../../static/js/told.js";

const NAMES = ["Ana", "Bo", "Cy", "Di"];
const word = (id, spans, more = {}) => ({ kind: "instruction", id, tick: spans[0]?.start ?? 0, seat: 0,
  text: `say ${id}`, statuses: [[spans[0]?.start ?? 0, "confirmed"]], spans, ...more });
const HOLD = word("hold", [{ seat: 1, start: 4, end: 20, why: "replaced", by: "go" },
  { seat: 2, start: 4, end: 30, why: "done", by: "" }, { seat: 3, start: 4, end: null, cuts: [[9, "go"]] }]);
const GO = word("go", [{ seat: 1, start: 20, end: 25, why: "withdrawn", by: "" }]);
const ASKED = word("asked", [], { tick: 6, statuses: [[6, "read"], [8, "withdrawn"]] });
const WORDS = [{ kind: "utterance", tick: 3, text: "hi" }, HOLD, ASKED, GO];
const at = (seat, tick) => forMove(WORDS, seat, tick).map(({ word: { id }, seats }) => `${id} ${seats}`);

test("in force for the move that led to a tick is what was in force one tick before", () => {
  assert.deepEqual([4, 5, 20, 21, 25, 26].map((tick) => at(1, tick)),
    [[], ["hold 1"], ["hold 1"], ["go 1"], ["go 1"], []]);
  assert.deepEqual(at(3, 1000), ["hold 3"]);
  assert.deepEqual(at(0, 10), []);
  assert.deepEqual(at(null, 22), ["hold 2,3", "go 1"]);
  assert.deepEqual(forMove([word("first", [{ seat: 1, start: 0, end: null }])], 1, 0).length, 1,
    "at tick 0: at the start");
  assert.deepEqual([9, 10].map((tick) => forMove(WORDS, 3, tick)[0].parted), [false, true]);
});

test("nothing that is not in a list of turns changes what is in force", () => {
  const listedTurns = turns(WORDS);
  for (let tick = 1; tick < 40; tick += 1) {
    if (!listedTurns.includes(tick)) assert.deepEqual(at(null, tick), at(null, tick - 1));
  }
  assert.deepEqual(turns([]), [0]);
});

test("seats of one instruction share a bar while they begin and end together; what overlaps has lanes of its own",
  () => {
  const shared = word("all", [1, 2, 3].map((seat) => ({ seat, start: 0, end: 4, why: "done", by: "" })));
  const found = bars([shared, ...WORDS]);
  assert.deepEqual(found.map(({ word: { id }, seats, lane }) => [id, seats, lane]),
    [["all", [1, 2, 3], 0], ["hold", [1], 0], ["hold", [2], 1], ["hold", [3], 2], ["go", [1], 0]]);
  assert.deepEqual(bars([ASKED]), [], "what nobody confirmed has no bar");
  const long = Array.from({ length: 6 }, (_, i) => word(`w${i}`, [{ seat: 1, start: i, end: null }]));
  assert.equal(new Set(bars(long).map(({ lane }) => lane)).size, 6);
});

test("what came of an instruction names the seats where they differ", () => {
  const textOf = (id) => WORDS.find((one) => one.id === id).text;
  assert.deepEqual(fate(HOLD, textOf, NAMES), ["confirmed at 4", "partly replaced by “say go” at 9 for Di",
    "replaced by “say go” at 20 for Bo", "done at 30 for Cy"]);
  assert.deepEqual(fate(GO, textOf, NAMES), ["confirmed at 20", "taken back at 25"]);
  assert.deepEqual(fate(ASKED, textOf, NAMES), ["never confirmed", "taken back at 8"]);
  assert.deepEqual(fate(word("x", [], { statuses: [[1, "unread"]] }), textOf, NAMES), ["not understood"]);
});

test("how an instruction stands depends on the tick", () => {
  assert.deepEqual([3, 4, 20, 29, 30].map((tick) => statusAt(HOLD, tick).seats), [[], [1, 2, 3], [2, 3], [2, 3], [3]]);
  assert.deepEqual([19, 20, 24, 25].map((tick) => statusAt(GO, tick).state), ["", "confirmed", "confirmed",
    "withdrawn"]);
  assert.deepEqual([5, 6, 8].map((tick) => statusAt(ASKED, tick).state), ["", "read", "withdrawn"]);
});

test("names are listed, oneself in the second person", () => {
  assert.equal(listed([1], NAMES), "Bo");
  assert.equal(listed([0, 1, 2], ["You", "Bo", "Cy"]), "you, Bo and Cy");
  assert.equal(listed([0, 1, 2, 3], NAMES, 2), "Ana, Bo and 2 more");
});

// --- Live ---

const audience = (speaker, target) =>
  [0, 1, 2, 3].filter((seat) => seat !== speaker && (target === null || seat === target));
const said = (id, status, tick, target = null) => ({ type: "instruction", id, tick, seat: 0, target_seat: target,
  text: `say ${id}`, status, sentence: "I do." });
const stands = (id, state, tick, seats, by = null) => ({ type: "standing", id, state, tick, by, seats });
const after = (frames) => frames.reduce((told, frame) => noted(told, frame, audience), new Map());

test("an instruction is in force from its confirmation until it is done, replaced or taken back, seat by seat", () => {
  const frames = [said("a", "read", 1), said("a", "confirmed", 2)];
  assert.deepEqual(seatsNow(after(frames.slice(0, 1)).get("a")), []);
  assert.deepEqual(after(frames).get("a").spans, [1, 2, 3].map((seat) => ({ seat, start: 2, end: null })));
  frames.push(stands("a", "aside", 2, [3]), stands("a", "confirmed", 3, [1], "b"), stands("a", "replaced", 5, [1],
    "c"));
  assert.deepEqual(standing(after(frames).get("a")), { state: "confirmed", seats: [2], by: ["c"] });
  frames.push(stands("a", "done", 7, [2]));
  assert.deepEqual(standing(after(frames).get("a")), { state: "done", seats: [], by: ["c"] });
  assert.deepEqual(standing(after([...frames, said("a", "withdrawn", 9)]).get("a")).state, "");
});

test("a part that others are meant for is no replacement, and frames about the unknown change nothing", () => {
  const told = after([said("a", "confirmed", 2), stands("a", "confirmed", 2, [1, 2])]);
  assert.deepEqual(standing(told.get("a")).by, []);
  assert.equal(noted(told, stands("z", "done", 3, [1]), audience), told);
  assert.equal(noted(told, { type: "utterance" }, audience), told);
});

test("taking back that could not be kept puts it in force again", () => {
  const told = after([said("a", "confirmed", 2, 1), said("a", "withdrawn", 4, 1), said("a", "confirmed", 4, 1)]);
  assert.deepEqual(seatsNow(told.get("a")), [1]);
});

test("what was said to all is nobody's own while the plan is on, and each one's again once it is off", () => {
  const on = { ...said("a", "confirmed", 5), for_plan: true };
  const told = after([said("a", "confirmed", 2), on]);
  assert.deepEqual(seatsNow(told.get("a")), []);
  assert.deepEqual(told.get("a").spans.map(({ end, why }) => [end, why]), Array(3).fill([5, "planned"]));
  assert.equal(standing(told.get("a")).state, "");
  const off = after([said("a", "confirmed", 2), on, said("a", "confirmed", 8)]).get("a");
  assert.deepEqual(seatsNow(off), [1, 2, 3]);
  assert.deepEqual(off.spans.filter(({ end }) => end === null).map(({ start }) => start), [8, 8, 8]);
});

test("who joins late is told seat by seat what others were told at once, and knows the same", () => {
  const live = [said("a", "confirmed", 0), said("b", "confirmed", 4, 2), stands("a", "replaced", 4, [2], "b"),
    stands("a", "done", 6, [1, 3])];
  const again =
    live.flatMap((frame) => (frame.seats ? frame.seats.map((seat) => ({ ...frame, seats: [seat] })) : [frame]));
  assert.deepEqual(after(again), after(live));
  assert.deepEqual(standing(after(live).get("a")), { state: "done", seats: [], by: ["b"] });
});
