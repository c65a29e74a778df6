import assert from "node:assert/strict";
import { test } from "node:test";

import {
  atSpeed, extend, fresh, hover, interval, lastAt, nextEvent, play, reached, seek, shown,
} from "../../static/js/playhead.js";

test("hovering shows a tick without leaving the one that stays", () => {
  const head = hover(fresh({ last: 60, tick: 31 }), 12);
  assert.deepEqual([shown(head), head.tick], [12, 31]);
  assert.equal(shown(hover(head, null)), 31);
  assert.equal(shown(seek(head, 40, 0)), 40, "a seek stays, whatever the mouse points at");
});

test("ticks stay inside the episode, whatever the address says", () => {
  const head = fresh({ last: 60, tick: "nonsense" });
  assert.equal(head.tick, 0);
  assert.deepEqual([1e9, -100].map((tick) => seek(head, tick, 0).tick), [60, 0]);
  assert.equal(shown(hover(head, 99)), 60);
});

test("the interval follows the speed", () => {
  assert.equal(interval(atSpeed(fresh({ last: 60, ticksPerSecond: 2 }), 4, 0)), 125);
});

test("playing counts from where it began, and stops at the end", () => {
  const head = play(fresh({ last: 4, tick: 1, ticksPerSecond: 10 }), true, 1000);
  assert.equal(reached(head, 1099), head, "nothing new within a tick");
  assert.deepEqual([reached(head, 1100).tick, reached(head, 1250).tick], [2, 3]);
  const end = reached(head, 5000);
  assert.deepEqual([end.tick, end.playing], [4, false]);
  assert.deepEqual([play(end, true, 6000).tick, play(end, false, 6000).tick], [0, 4], "it plays again from the start");
});

test("who seeks or changes the speed while it plays plays on from there", () => {
  const playing = play(fresh({ last: 99, ticksPerSecond: 10 }), true, 0);
  assert.equal(reached(seek(playing, 50, 700), 900).tick, 52);
  assert.equal(reached(atSpeed(reached(playing, 500), 2, 500), 700).tick, 9);
  assert.equal(atSpeed(fresh({ last: 9 }), 2, 0).playing, false);
});

test("what the mouse points at gives way to the next tick that is played", () => {
  const head = hover(play(fresh({ last: 99 }), true, 0), 40);
  assert.deepEqual([shown(reached(head, 500)), shown(reached(head, 2000))], [40, 2]);
});

test("a running game takes along who stands at its end, and nobody else", () => {
  assert.deepEqual([9, 4].map((tick) => extend(fresh({ last: 9, tick }), 12).tick), [12, 4]);
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
