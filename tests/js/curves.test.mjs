import assert from "node:assert/strict";
import { test } from "node:test";

import { HEIGHT, WIDTH, controlOf, nearest, path, place, ranges, short, thin } from "../../static/js/curves.js";

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
