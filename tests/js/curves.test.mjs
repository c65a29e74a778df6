import assert from "node:assert/strict";
import { test } from "node:test";

import {
  HEIGHT, WIDTH, area, at, band, controlOf, nearest, path, place, ranges, round, short, smooth, thin, ticks, unitOf,
} from "../../static/js/curve-shapes.js";

test("thinning keeps few points and the highest and lowest of all", () => {
  const points = Array.from({ length: 5000 }, (_, i) => [i, i === 1234 ? 99 : i === 4000 ? -99 : Math.sin(i)]);
  const kept = thin(points, 300);
  assert.ok(kept.length <= 300);
  assert.ok(kept.some(([x, y]) => x === 1234 && y === 99));
  assert.ok(kept.some(([x, y]) => x === 4000 && y === -99));
  assert.deepEqual(kept, [...kept].sort((a, b) => a[0] - b[0]));
});

test("a flat line and a single point have a range that can be drawn in", () => {
  assert.ok(ranges([[0, 5], [1, 5]]).y[0] < 5);
  const one = ranges([[3, 0]]);
  assert.ok(one.x[1] > one.x[0] && one.y[1] > one.y[0]);
});

test("corners of the range land inside the picture, up is up", () => {
  const range = { x: [0, 10], y: [-1, 1] };
  const [left, low] = place([0, -1], range);
  const [right, high] = place([10, 1], range);
  assert.ok(left > 0 && right < WIDTH && high > 0 && low < HEIGHT && high < low);
  assert.match(path([[0, -1], [10, 1]], range), /^M[\d.]+ [\d.]+L[\d.]+ [\d.]+$/);
});

test("the nearest point is found by its step", () => {
  const points = [[0, 1], [10, 2], [30, 3]];
  assert.deepEqual([-5, 4, 6, 19, 21, 99].map((x) => nearest(points, x)), [0, 0, 1, 1, 2, 2]);
});

test("a control lies under what it is the control of", () => {
  assert.equal(controlOf("control_grad_norm"), "grad_norm");
  assert.equal(controlOf("loss"), null);
});

test("numbers are short", () => {
  assert.deepEqual([0, 1234.567, 0.00001234, 1e9, 21.5].map(short), ["0", "1235", "1.23e-5", "1.00e+9", "21.5"]);
});

test("smoothing takes away noise up to the ends and leaves a straight line within them as it is", () => {
  const straight = Array.from({ length: 50 }, (_, i) => [i, 2 * i]);
  assert.deepEqual(smooth(straight, 0.2).slice(5, 45), straight.slice(5, 45));
  const noisy = straight.map(([x, y], i) => [x, y + (i % 2 ? 5 : -5)]);
  const found = smooth(noisy, 0.2);
  assert.equal(found.length, 50);
  for (const i of [0, 25, 49]) assert.ok(Math.abs(found[i][1] - 2 * i) < 6, `${found[i]}`);
  assert.equal(smooth(noisy, 0), noisy);
});

test("a line has values between its points and none beyond its ends", () => {
  const line = [[0, 0], [10, 100], [20, 50]];
  assert.deepEqual([-1, 0, 4, 15, 20, 21].map((x) => at(line, x)), [null, 0, 40, 75, 50, null]);
  assert.equal(at([], 3), null);
});

test("a band goes from the lowest to the highest run, where all of them are", () => {
  const runs = [[[0, 1], [10, 2], [20, 3]], [[0, 3], [10, 1]], [[0, 2], [20, 4]]];
  assert.deepEqual(band(runs), [[0, 1, 3], [10, 1, 3]]);
  assert.match(area(band(runs), { x: [0, 20], y: [0, 4] }), /^M[^MZ]+Z$/);
  assert.equal(area([[0, 1, 3]], { x: [0, 20], y: [0, 4] }), "");
});

test("an axis has round numbers within its ends", () => {
  assert.deepEqual(ticks([0, 21]), [0, 10, 20]);
  assert.deepEqual(ticks([-0.3, 0.31]), [-0.2, 0, 0.2]);
  assert.deepEqual(ticks([0, 3_000_000], 5).map(round), ["0", "1M", "2M", "3M"]);
  assert.deepEqual([1500, 20_000, 2.5, 0.004, -0.2].map(round), ["1.5k", "20k", "2.5", "0.004", "-0.2"]);
});

test("what a metric counts is said by its name", () => {
  assert.deepEqual(["training_score", "base_kl", "held_out_accuracy", "loss"].map(unitOf),
    ["points", "nats a move", "share", ""]);
});
