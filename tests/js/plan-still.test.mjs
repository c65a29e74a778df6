/** When the cards of a plan stay where they are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { LONGEST, STILL, Still } from "../../static/js/plan-still.js";

/** @param {any} t a test, whose clock stands from now on */
function make(t) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const moves = [], still = new Still(() => moves.push(still.holds()));
  return { still, moves, wait: (ms) => t.mock.timers.tick(ms) };
}

test("cards wait for a hand, then move", (t) => {
  const { still, moves, wait } = make(t);
  assert.equal(still.holds(), false);
  still.touched();
  wait(STILL - 1);
  assert.deepEqual([still.holds(), moves], [true, []]);
  still.touched();
  wait(STILL - 1);
  assert.deepEqual([still.holds(), moves], [true, []]);
  wait(1);
  assert.deepEqual([still.holds(), moves], [false, [false]]);
});

test("what was changed is seen at once, whatever the hand does until the answer", (t) => {
  const { still } = make(t);
  still.touched();
  still.sent();
  still.sent();
  still.touched();
  assert.equal(still.holds(), false);
  assert.equal(still.answered(), false);
  assert.equal(still.holds(), false);
  assert.equal(still.answered(), true);
  assert.equal(still.holds(), true);
});

test("a hand that never rests keeps nothing still for more than six seconds", (t) => {
  const { still, moves, wait } = make(t);
  for (let ms = 0; ms < 2 * LONGEST && !moves.length; ms += 100) {
    still.touched();
    still.holds();
    wait(100);
    assert.ok(ms < LONGEST + STILL);
  }
  assert.deepEqual(moves, [false]);
  still.touched();
  assert.equal(still.holds(), true);
});

test("whoever joins anew waits for no answer to what was sent before", (t) => {
  const { still } = make(t);
  still.sent();
  still.joined();
  still.touched();
  assert.equal(still.holds(), true);
});
