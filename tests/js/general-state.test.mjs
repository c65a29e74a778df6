/** The table of a game without one of its own: whose turn it is, what happened, where the arrow keys lead. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { attributed, turnOf, walked, withLast } from "../../static/js/general-state.js";

const look = (more = {}) => ({ tick: 3, over: false, current: 0, score: 1, last: "2 were taken.", sees: "", details: [],
  moves: [], picture: "", ...more });
const at = (seat, more = {}) => ({ seat, names: ["Pia", "Otto"], end: null, ...more });

test("whose turn it is", () => {
  assert.deepEqual(turnOf(look(), at(0)), { text: "It is your turn.", mine: true });
  assert.deepEqual(turnOf(look(), at(1)), { text: "It is Pia's turn.", mine: false });
  assert.equal(turnOf(look(), at(null)).text, "It is Pia's turn.");
  assert.equal(turnOf(look(), at(0, { sent: true })).mine, false);
  assert.equal(turnOf(look({ over: true }), at(0)).text, "The game is over.");
  assert.equal(turnOf(look(), at(0, { end: {} })).mine, false, "it was left");
  assert.equal(turnOf(null, at(0)).mine, false);
});

test("where all move at once one may move at any time, and turn by turn until one has", () => {
  const all = look({ current: null });
  assert.equal(turnOf(all, at(1)).mine, true);
  assert.equal(turnOf(all, at(null)).mine, false);
  assert.deepEqual(turnOf(all, at(1, { waits: true })), { text: "Choose your move.", mine: true });
  assert.deepEqual(turnOf(all, at(1, { waits: true, sent: true })), { text: "Waiting for the others.", mine: false });
});

test("every move is told once, in its order", () => {
  const first = withLast([], look({ tick: 1 }), 0);
  assert.deepEqual(first, [{ tick: 1, kind: "move", seat: 0, text: "2 were taken." }]);
  assert.equal(withLast(first, look({ tick: 1 }), 0), first, "the same look again");
  assert.equal(withLast(first, look({ tick: 2 }), 1).length, 2, "the same move by another");
  assert.deepEqual(withLast([], look({ tick: 0, last: "" })), []);
});

test("where all move at once what goes on is told when it changes", () => {
  const first = withLast([], look({ tick: 1, current: null }));
  assert.equal(withLast(first, look({ tick: 2, current: null })), first);
  assert.equal(withLast(first, look({ tick: 3, current: null, last: "A soup is ready." })).length, 2);
});

test("a move says who made it", () => {
  assert.equal(attributed("2 were taken.", 1, ["You", "Otto"]), "Otto: 2 were taken.");
  assert.equal(attributed("Player 2 took 2.", 1, ["You", "Otto"]), "Player 2 took 2.");
  assert.equal(attributed("A soup is ready.", null, ["You", "Otto"]), "A soup is ready.");
});

test("the arrow keys go round the moves", () => {
  assert.deepEqual([walked(3, -1, 1), walked(3, -1, -1), walked(3, 2, 1), walked(3, 0, -1), walked(0, -1, 1)],
    [0, 2, 0, 2, -1]);
});
