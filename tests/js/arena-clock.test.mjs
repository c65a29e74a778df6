/** Time in Arena's netcode: inputs 20 a second whatever asks, others drawn late enough and evenly. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { InputClock, quantile, RenderClock, TICK } from "../../static/js/games/arena/clock.js";

const counted = (clock, times) => times.map((now) => clock.due(now));
const evenly = (from, to, step) => Array.from({ length: Math.floor((to - from) / step) + 1 },
  (_, i) => from + i * step);
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

test("twenty inputs a second, however often and unevenly one asks", () => {
  for (const step of [3, 7, 16.667, 41]) {
    const clock = new InputClock();
    const due = counted(clock, evenly(1000, 11000 + step, step));
    assert.ok(Math.abs(sum(due) - 200) <= 1, String(step));
  }
});

test("a late timer delays nothing in the long run", () => {
  const clock = new InputClock();
  assert.deepEqual(counted(clock, [0, 49, 51, 140, 151, 200]), [0, 0, 1, 1, 1, 1]);
});

test("after a standstill at most three inputs are caught up", () => {
  const clock = new InputClock();
  assert.deepEqual(counted(clock, [0, 10000, 10049, 10050]), [0, 3, 0, 1]);
  clock.reset();
  assert.deepEqual(counted(clock, [99999, 100040]), [0, 0]);
});

test("the part of a tick that has passed goes from 0 to 1", () => {
  const clock = new InputClock();
  assert.equal(clock.part(5), 0);
  clock.due(0);
  assert.equal(clock.part(25), 0.5);
  clock.due(60);
  assert.equal(clock.part(60), 0.2);
  assert.equal(clock.part(999), 1);
});

test("a frame for a moment before the last question counts no time twice", () => {
  const clock = new InputClock();
  assert.deepEqual(counted(clock, [0, 51, 45, 99, 95, 101]), [0, 1, 0, 0, 0, 1]);
  assert.equal(clock.part(96), -0.08);
  const render = heard(40);
  const now = 1000 + 39 * TICK;
  assert.deepEqual([render.at(now), render.at(now - 10), render.at(now)], [37, 36.8, 37]);
});

test("inputs that always wait at the host slow the clock until they are used", () => {
  const clock = new InputClock();
  for (let i = 0; i < 39; i += 1) clock.waiting(3);
  assert.equal(clock.period, TICK);
  clock.waiting(2);
  assert.ok(clock.period > TICK && clock.period < TICK * 1.05);
  clock.waiting(1);
  assert.equal(clock.period, TICK);
});

test("quantiles", () => {
  assert.equal(quantile([], 0.95), 0);
  assert.equal(quantile([5, 1, 3], 0.5), 3);
  assert.equal(quantile(evenly(1, 100, 1), 0.95), 95);
});

/** A clock that heard of ticks 0 … n - 1, each `late(tick)` ms after its time. */
function heard(n, late = () => 0) {
  const clock = new RenderClock();
  for (let tick = 0; tick < n; tick += 1) clock.arrived(tick, 1000 + tick * TICK + late(tick));
  return clock;
}

test("others are drawn two snapshots late on an even line, and later by the jitter on another", () => {
  assert.equal(heard(40).delay, 100);
  const shaky = heard(40, (tick) => (tick * 7) % 40);
  assert.ok(shaky.jitter >= 35 && shaky.jitter < 40);
  assert.equal(shaky.delay, 100 + shaky.jitter);
  assert.equal(heard(40, (tick) => (tick % 3) * 140).delay, 250);
});

test("the tick on the screen is where it should be, and runs evenly", () => {
  const clock = heard(40);
  const now = 1000 + 39 * TICK;
  assert.equal(clock.at(now), 37);
  assert.ok(Math.abs(clock.at(now + 25) - 37.5) < 1e-9);
  // A slower line: the tick on the screen never stops and never runs back.
  let before = clock.at(now + 25);
  for (let tick = 40; tick < 120; tick += 1) {
    const at = 1000 + tick * TICK + (tick % 2) * 45;
    clock.arrived(tick, at);
    const shown = clock.at(at);
    assert.ok(shown > before, `${tick}: ${before} ${shown}`);
    assert.ok(shown <= tick);
    before = shown;
  }
  assert.ok(clock.delay >= 140);
});

test("without snapshots it goes on for two ticks and no further", () => {
  const clock = heard(20);
  const now = 1000 + 19 * TICK;
  clock.at(now);
  assert.equal(clock.at(now + 5000), 21);
});

test("after a pause of the match the others aren't ahead of the snapshots for long", () => {
  const clock = heard(40);
  clock.at(1000 + 39 * TICK);
  // The match stood still for 3 s.
  for (let tick = 40; tick < 55; tick += 1) clock.arrived(tick, 4000 + tick * TICK);
  const now = 4000 + 54 * TICK;
  assert.ok(Math.abs(clock.at(now) - 52) < 0.01);
});

test("before the first snapshot there is nothing to draw; an old one changes nothing", () => {
  const clock = new RenderClock();
  assert.equal(clock.at(5), null);
  clock.arrived(10, 1000);
  clock.arrived(9, 1500);
  clock.arrived(10, 1500);
  assert.equal(clock.jitter, 0);
  clock.reset();
  assert.equal(clock.at(2000), null);
});
