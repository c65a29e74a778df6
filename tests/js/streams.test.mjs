import assert from "node:assert/strict";
import { test } from "node:test";

import { expand } from "../../static/js/streams.js";

const rows = { first: { seat: 0, tick: 0, score: 0, grid: ["X"] }, changes: [{ tick: 1 }, { tick: 2, score: 20 }] };

test("what was sent once stands at every tick", () => {
  const { views } = expand({ ticks: 2, views: { 0: rows } });
  assert.deepEqual(views[0].map(({ tick, score }) => [tick, score]), [[0, 0], [1, 0], [2, 20]]);
  assert.equal(views[0][2].grid, views[0][0].grid);
});

test("a view that is like another differs from it in what is said, and nothing else", () => {
  const stream = expand({ ticks: 2, views: { 0: rows, 1: { like: "0", but: { seat: 1 } } } });
  assert.deepEqual(stream.views[1][2], { seat: 1, tick: 2, score: 20, grid: ["X"] });
  assert.equal(stream.views[0][2].seat, 0);
  assert.ok(stream.alike);
});

test("views that hide different things are not alike", () => {
  const hands = { first: { seat: 1, tick: 0 }, changes: [{ tick: 1 }, { tick: 2 }] };
  assert.equal(expand({ ticks: 2, views: { 0: rows, 1: hands } }).alike, false);
  assert.equal(expand({ ticks: 2, views: { 0: rows } }).alike, false);
});
