/** What the table of Frozen Lake says of a state. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ending, goalName, inWords, lastStep, rule, STAY, stepTo, told, turn }
  from "../../static/js/games/frozen_lake_2/state.js";

const NAMES = ["You", "Walker"];
const event = (seat, kind, action, x = 0, y = 0, tick = 1) => ({ tick, seat, kind, action, x, y });
const view = (more) => ({ tick: 1, left: 99, over: "", score: 0, size: 4, holes: [[1, 1]], targets: [[3, 3], [1, 3]],
  players: [{ x: 0, y: 1 }, { x: 2, y: 0 }], last: null, ...more });
const table = (more) => ({ steers: true, sent: false, end: null, names: NAMES, waiting: [0], ...more });

test("a tap beside a player is a step, one on it stays, others are none", () => {
  const at = { x: 2, y: 1 };
  assert.deepEqual([[1, 1], [2, 2], [3, 1], [2, 0], [2, 1], [3, 2], [0, 1]].map(([x, y]) => stepTo(at, x, y)),
    [0, 1, 2, 3, STAY, null, null]);
});

test("goals are called by the side on which they are of each other", () => {
  assert.equal(goalName([[3, 3], [1, 3]], 0), "right goal");
  assert.equal(goalName([[3, 3], [1, 3]], 1), "left goal");
  assert.equal(goalName([[2, 0], [2, 3]], 1), "lower goal");
});

test("what the last step did is told to whoever reads", () => {
  const events = [event(0, "step", 1), event(1, "target", 0, 1, 3)];
  assert.equal(lastStep(view({ last: { actions: [1, 0], events } }), NAMES),
    "You stepped down. Walker stepped onto the left goal.");
  const held = [event(0, "stay", 4), event(1, "held up", 2)];
  assert.equal(lastStep(view({ last: { actions: [4, 2], events: held } }), NAMES), "Walker couldn't step right.");
  assert.equal(lastStep(view({ targets: null, last: { actions: [4, 0], events: [events[1]] } }), NAMES),
    "Walker stepped onto a goal.");
});

test("the log has goals, holes and who was held up, and no other steps", () => {
  const all = ["stay", "step", "held up", "hole", "target"].map((kind) => event(0, kind, 0));
  assert.deepEqual(told(all).map(({ kind }) => kind), ["held up", "hole", "target"]);
});

test("whose step it is, and whom one waits for", () => {
  assert.deepEqual(turn(view(), table()), { text: "Your step.", mine: true });
  assert.deepEqual(turn(view(), table({ sent: true, waiting: [1] })), { text: "Waiting for Walker.", mine: false });
  assert.deepEqual(turn(view(), table({ sent: true, waiting: [] })), { text: "Stepping …", mine: false });
  assert.deepEqual(turn(view(), table({ steers: false, waiting: [] })), { text: "Both step at once.", mine: false });
  assert.equal(turn(view({ over: "solved" }), table()).text, "Both goals are reached.");
  assert.equal(turn(view(), table({ end: {} })).text, "The game is over.");
});

test("how it ended", () => {
  const last = { actions: [0, 0], events: [event(0, "step", 0), event(1, "hole", 0)] };
  assert.equal(ending(view({ over: "fell", last }), NAMES), "Walker fell into a hole: the game is over.");
  assert.equal(ending(view({ over: "time" }), NAMES), "The steps are used up.");
  assert.equal(ending(view(), NAMES), "");
});

test("who sees coordinates alone is told of no hole", () => {
  const hidden = view({ holes: null, targets: null });
  assert.deepEqual(inWords(hidden, NAMES),
    ["You: column 1, row 2.", "Walker: column 3, row 1.", "The lake has 4 columns and 4 rows."]);
  assert.ok(inWords(view(), NAMES).includes("Holes: column 2, row 2."));
  assert.notEqual(rule(hidden), rule(view()));
});

test("a replay says what both did, and of an event whose picture isn't there yet what is known", async () => {
  globalThis.document ??= { querySelector: () => null };
  const { sentence, render, states } = await import("../../static/js/games/frozen_lake_2/replay.js");
  const event = { tick: 4, seat: 1, kind: "target", action: 1, x: 1, y: 3 };
  assert.equal(sentence(null, event, ["Pia", "Bo"]), "Bo stepped onto a goal.");
  assert.equal(sentence(null, { ...event, kind: "stay", action: 4 }, ["Pia", "Bo"]), "Bo stayed.");
  assert.equal(typeof render, "function");
  assert.equal(typeof states, "function");
});
