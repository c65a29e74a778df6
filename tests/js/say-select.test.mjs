/** What the table of Say-Select says of a state. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { balls, howItEnds, rounds, rule, spokenBall, turn } from "../../static/js/games/say_select/state.js";

const NAMES = ["Pia", "Pupil"];
const move = (seat, kind, number, gained = 0) => ({ seat, kind, number, gained, text: "" });
const HISTORY = [move(0, "say", 2), move(1, "pick", 2, 1), move(0, "say", 4)];
const view = (more) => ({ balls: [1, -1, -1, 1, -1], said: [4, 2], picked: 2, turn: 1, score: 1, moves_left: 7,
  over: false, ...more });

test("rounds hold what was said, what was picked up then and what it was worth", () => {
  assert.deepEqual(rounds(HISTORY),
    [{ said: 2, picked: 2, gained: 1, quit: false }, { said: 4, picked: null, gained: 0, quit: false }]);
  assert.equal(rounds([...HISTORY, move(1, "quit", 0)]).at(-1).quit, true);
});

test("who doesn't see the balls knows of those that were picked up what they are worth now", () => {
  const seen = balls(view({ balls: [null, null, null, null, null] }), HISTORY);
  assert.deepEqual(seen.map(({ worth }) => worth), [null, -1, null, null, null]);
  assert.deepEqual(seen.map(({ said }) => said), [false, false, false, true, false]);
  assert.equal(spokenBall(balls(view(), HISTORY.slice(0, 2))[1]), "Ball 2, worth −1, said last, picked up for +1");
});

test("the rule, the turn and the end are told to whoever sits there", () => {
  assert.match(rule(0, NAMES), /^You see which balls are worth a point, Pupil doesn't: say a number/);
  assert.match(rule(1, ["Copycat", "Pia"]), /^Copycat sees which balls are worth a point, you don't: Copycat says/);
  assert.deepEqual(turn(view(), 1, NAMES), { text: "Your turn: pick up a ball, or quit.", mine: true });
  assert.deepEqual(turn(view({ turn: 0 }), 1, NAMES), { text: "Pia says a number …", mine: false });
  assert.equal(howItEnds(view({ moves_left: 1 }), 0, NAMES),
    "It ends when Pupil quits, or after 1 more move. In the paper Alice is you, Bob is Pupil.");
  assert.equal(turn(view({ over: true }), 0, NAMES).text, "The game is over.");
  assert.equal(turn(view({ over: true, last: move(1, "quit", 0) }), 0, NAMES).text, "Pupil quit: the game is over.");
});
