/** Where words stand over a kitchen. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { places } from "../../static/js/games/overcooked/bubbles.js";

const room = { x: 0, y: -40, width: 300, height: 320 }, size = { width: 120, height: 30 };
const meet = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const boxes = (words, pots = []) => places(words, pots, room, 60).map((at, i) => ({ ...words[i], ...at }));

test("words stand over the head, under the feet where the edge is near", () => {
  assert.deepEqual(places([{ x: 150, y: 100, ...size }], [], room, 60), [{ x: 90, y: 64, below: false }]);
  assert.deepEqual(places([{ x: 150, y: -20, ...size }], [], room, 60), [{ x: 90, y: 52, below: true }]);
  assert.equal(places([{ x: 10, y: 100, ...size }], [], room, 60)[0].x, 0, "inside the kitchen");
});

test("no words hide others or a pot, four cooks in a corner", () => {
  const words = [0, 20, 40, 60].map((x) => ({ x: 100 + x, y: 100, ...size }));
  const pots = [{ x: 120, y: 60, width: 60, height: 60 }];
  const found = boxes(words, pots);
  for (const [i, box] of found.entries()) {
    for (const other of [...pots, ...found.slice(i + 1)]) assert.ok(!meet(box, other), JSON.stringify([box, other]));
    assert.ok(box.x >= room.x && box.x + box.width <= room.x + room.width && box.y >= room.y
      && box.y + box.height <= room.y + room.height);
  }
});

test("words that are higher than the room still stand in it", () => {
  const [{ x, y }] = places([{ x: 150, y: 100, width: 200, height: 400 }], [], room, 60);
  assert.ok(x >= 0 && Number.isFinite(y));
});
