/** Sub-goals as chips: what is asked for with how far each mate is, what is left when one goes, what is judged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { judging } from "../../static/js/reading-ask.js";
import { fresh, next, readings } from "../../static/js/table-state.js";
import { instead, wants } from "../../static/js/wants.js";

const LIE = { name: "Whether prone position", value: "True", label: "prone position", says: "yes",
  sentence: "I lie prone.", clause: 1, values: [["True", "yes"], ["False", "no"]] };
const NEAR = { name: "Distance with teammate 1", value: "Nearby", label: "distance with Player 1", says: "nearby",
  sentence: "I stay 2 to 10 metres from Player 1.", clause: 0 };
const SEATS = ["Pia", "Bo", "Cy"].map((name, i) => ({ name, kind: i ? "agent" : "person", present: true }));
const TOLD = { type: "instruction", id: "a", tick: 1, seat: 0, target_seat: null, text: "lie down near me",
  status: "confirmed", sentence: "I lie down.", unread: [], options: [], subgoals: [NEAR, LIE] };

const joined = () => next(fresh({ seat: 0 }), { type: "joined", seats: SEATS, role: "player", dialogue: [], goals: {} },
  0);
const goals = (seats) => ({ type: "goals", goals: { a: { state: "obeying", text: "coming", seats } } });
const far = (share, now, subgoals = [NEAR]) => ({ state: "obeying", text: "coming", far: [[share, now]],
  ...(subgoals ? { subgoals } : {}) });
const chip = (state, now = 0) => readings(state, now)[0];

test("each sub-goal stands in its order, with what is now for one and how many have it for several", () => {
  const one = wants([NEAR, LIE], [{ seat: 1, far: far(0.6, "12 m") }], ["You", "Bo", "Cy"]);
  assert.deepEqual(one.map(({ label, says, share, met, now }) => [label, says, share, met, now]),
    [["distance with you", "nearby", 0.6, false, "12 m"], ["prone position", "yes", null, false, ""]]);
  const other = { ...NEAR, name: "Distance with teammate 3" }; // each counts their mates anew
  const two = wants([NEAR], [{ seat: 1, far: far(1, "5 m") },
    { seat: 2, far: { subgoals: [other], far: [[0.5, "40 m"]] } }], ["You", "Bo", "Cy"]);
  assert.deepEqual(two.map(({ share, met, now, each }) => [share, met, now, each]),
    [[0.75, false, "1 of 2", ["Bo: 5 m", "Cy: 40 m"]]]);
});

test("what came up meanwhile is added behind, once", () => {
  const up = { ...LIE, name: "Whether rescued teammate", clause: undefined };
  const rows = wants([NEAR], [1, 2].map((seat) => ({ seat, far: far(0, "no", [up]) })), []);
  assert.deepEqual(rows.map(({ name, now }) => [name, now]), [[NEAR.name, ""], [up.name, "0 of 2"]]);
});

test("sub-goals that are told once are kept while only how far they are changes", () => {
  let state = next(joined(), TOLD, 0);
  state = next(state, goals({ 1: far(0.2, "40 m"), 2: far(0.2, "41 m") }), 0);
  state = next(state, goals({ 1: far(1, "8 m", null), 2: far(0.4, "30 m", null) }), 0);
  assert.deepEqual(chip(state).wants.map(({ now }) => now), ["1 of 2", ""]);
  state = next(state, goals({ 1: { ...far(0, "no", [LIE]) }, 2: far(1, "9 m", null) }), 0);
  assert.deepEqual(chip(state).wants.map(({ now }) => now), ["9 m", "no"]);
});

test("what waits for a yes has its chips, and what is over has none", () => {
  const asked = next(joined(), { ...TOLD, status: "read" }, 0);
  assert.deepEqual(chip(asked).wants.map(({ name, share }) => [name, share]), [[NEAR.name, null], [LIE.name, null]]);
  const done = next(next(joined(), TOLD, 0), { type: "standing", id: "a", tick: 9, state: "done", seats: [1, 2] }, 5);
  assert.deepEqual([chip(done, 5).phase, chip(done, 5).wants], ["done", []]);
});

test("a sub-goal that is left out or changed leaves the others as they were", () => {
  const rest = { clause: 0, name: NEAR.name, value: "Nearby" };
  assert.deepEqual(instead([NEAR, LIE], LIE, null), [rest]);
  assert.deepEqual(instead([NEAR, LIE], LIE, "False"), [rest, { clause: 1, name: LIE.name, value: "False" }]);
  assert.deepEqual(instead([LIE], LIE, null), []);
});

test("a yes or no is about what is over last, else about what is being done, and is kept", () => {
  const also = { ...TOLD, id: "b", text: "hold", tick: 2 };
  let state = next(next(joined(), TOLD, 0), also, 0);
  assert.equal(judging(readings(state, 0)).id, "b");
  state = next(state, { type: "standing", id: "a", tick: 9, state: "done", seats: [1, 2] }, 5);
  assert.equal(judging(readings(state, 5)).id, "a");
  state = next(state, { type: "judged", id: "a", seat: 0, tick: 9, sign: 1 }, 5);
  assert.equal(judging(readings(state, 5)).id, "b");
  assert.equal(readings(state, 5).find(({ id }) => id === "a").judged, 1);
  state = next(state, { type: "judged", id: "b", seat: 0, tick: 9, sign: 1 }, 5);
  assert.equal(judging(readings(state, 5)).id, "b", "one can think better of it");
  const theirs = next(joined(), { ...TOLD, seat: 1 }, 0);
  assert.equal(judging(readings(theirs, 0)), undefined);
});

test("who joins later knows what was judged", () => {
  const state = next(fresh({ seat: 0 }), { type: "joined", seats: SEATS, role: "player", goals: {},
    dialogue: [TOLD, { type: "judged", id: "a", seat: 0, tick: 3, sign: -1 }] }, 0);
  assert.equal(chip(state).judged, -1);
});
