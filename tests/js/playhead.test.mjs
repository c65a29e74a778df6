import assert from "node:assert/strict";
import { test } from "node:test";

import { Playhead, lastAt, nextEvent } from "../../static/js/playhead.js";

test("hovering shows a tick without leaving the one that stays", () => {
  const head = new Playhead({ last: 60, tick: 31 });
  assert.equal(head.hover(12), 12);
  assert.equal(head.tick, 31);
  assert.equal(head.hover(null), 31);
});

test("a step goes on from what is shown", () => {
  const head = new Playhead({ last: 60, tick: 31 });
  head.hover(12);
  assert.equal(head.step(1), 13);
  assert.equal(head.shown, 13);
});

test("ticks stay inside the episode, whatever the address says", () => {
  const head = new Playhead({ last: 60, tick: "nonsense" });
  assert.equal(head.tick, 0);
  assert.equal(head.seek(1e9), 60);
  assert.equal(head.step(-100), 0);
});

test("the interval follows the speed", () => {
  const head = new Playhead({ last: 60, ticksPerSecond: 2 });
  head.speed = 4;
  assert.equal(head.interval, 125);
});

test("event keys find the nearest event on either side", () => {
  const ticks = [0, 4, 9, 20];
  assert.deepEqual([nextEvent(ticks, 4, 1), nextEvent(ticks, 4, -1), nextEvent(ticks, 5, -1)], [9, 0, 4]);
  assert.deepEqual([nextEvent(ticks, 20, 1), nextEvent(ticks, 0, -1)], [null, null]);
});

test("the current item is the last one at or before the tick", () => {
  const items = [{ tick: 0 }, { tick: 4 }, { tick: 4 }, { tick: 9 }];
  assert.deepEqual([-1, 0, 3, 4, 8, 9, 99].map((tick) => lastAt(items, tick)), [-1, 0, 0, 2, 2, 3, 3]);
});
