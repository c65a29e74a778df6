import assert from "node:assert/strict";
import test from "node:test";
import { gains, jumps, range, signed, valueAt } from "../../static/js/utility-lane.js";

const curve = { ticks: [0, 1, 2, 3, 4], mean: [0, 0.5, -0.5, -0.5, 2], spread: null, members: 1 };

test("what each decision added", () => {
  assert.deepEqual(gains(curve).map(({ gain }) => gain), [0, 0.5, -1, 0, 2.5]);
});

test("the biggest changes come first, and none beside another one", () => {
  assert.deepEqual(jumps(curve, 2).map(({ tick }) => tick), [4, 2]);
  const long = { ticks: Array.from({ length: 501 }, (_, i) => i), mean: Array.from({ length: 501 }, (_, i) => i * i) };
  assert.deepEqual(jumps(long, 3).map(({ tick }) => tick), [500, 486, 472]);
  assert.deepEqual(jumps({ ticks: [0, 1], mean: [0, 0] }), []);
});

test("between two decisions the last one counts", () => {
  const slow = { ticks: [0, 3, 6], mean: [0, 1, 3], spread: [0, 0.1, 0.2], members: 4 };
  assert.deepEqual(valueAt(slow, 5), { value: 1, gain: 1, spread: 0.1 });
  assert.deepEqual(valueAt(slow, 6), { value: 3, gain: 2, spread: 0.2 });
  assert.deepEqual(valueAt(curve, 0), { value: 0, gain: 0, spread: null });
});

test("the range holds the band and is never empty", () => {
  assert.deepEqual(range([{ mean: [0, 1], spread: [0, 2] }]), [-1, 3]);
  assert.deepEqual(range([{ mean: [0, 0], spread: null }]), [-1, 1]);
});

test("a change has its sign", () => {
  assert.equal(signed(0.256), "+0.26");
  assert.equal(signed(-1), "−1.00");
});
