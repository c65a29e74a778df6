/** Fingers in Arena: what a push of the stick holds, buttons that are keys, sentences that stand evenly, volumes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf } from "../../static/js/games/arena/hud-wheel.js";
import { SENTENCES, sector } from "../../static/js/games/arena/hud-state.js";
import { houses, COVER, DOOR, FLOOR, SIDE, WALL } from "../../static/js/games/arena/scene-ground.js";
import { sane } from "../../static/js/games/arena/settings.js";
import { pushed } from "../../static/js/games/arena/touch.js";

test("a push of the stick walks in eight directions, and runs at its end", () => {
  assert.deepEqual(pushed(0.1, 0.1), []);
  assert.deepEqual(pushed(0, -0.6), ["forward"]);
  assert.deepEqual(pushed(0.5, 0.5), ["back", "right"]);
  assert.deepEqual(pushed(-1, 0), ["left", "run"]);
  assert.deepEqual(pushed(-0.9, -0.9), ["forward", "left", "run"]);
});

test("every sentence of the wheel stands where the mouse chooses it, and none covers another", () => {
  const places = SENTENCES.map((_, i) => placeOf(i, SENTENCES.length));
  places.forEach(({ x, y }, i) => assert.equal(sector(x * 330, y * 330, SENTENCES.length, 34), i));
  // As arena.css has them: half-axes of 330 and 212 pixels, 152 by 48.
  for (const [i, one] of places.entries()) {
    for (const other of places.slice(i + 1)) {
      const apart = Math.abs(one.x - other.x) * 330 >= 152 || Math.abs(one.y - other.y) * 212 >= 48;
      assert.ok(apart, `${SENTENCES[i].text} lies on another`);
    }
  }
});

test("volumes are parts of the loudest, and anything else is the default", () => {
  assert.deepEqual(["volume", "shots", "steps"].map((name) => sane({ volume: 3, shots: "loud", steps: 0 })[name]),
    [1, 0.8, 0]);
});

test("walls, floor and doors that touch are one house, windows belong to it, and another house is another", () => {
  const kinds = new Int8Array(SIDE * SIDE);
  const put = (x, z, kind) => { kinds[z * SIDE + x] = kind; };
  for (let x = 10; x <= 14; x += 1) for (let z = 10; z <= 14; z += 1) put(x, z,
    x === 10 || x === 14 || z === 10 || z === 14 ? WALL : FLOOR);
  put(12, 10, COVER);
  put(14, 12, DOOR);
  put(40, 40, WALL);
  put(60, 60, COVER);
  const found = houses({ kinds });
  const at = (x, z) => found[z * SIDE + x];
  assert.ok(at(10, 10) > 0);
  for (const [x, z] of [[12, 12], [12, 10], [14, 12], [14, 14]]) assert.equal(at(x, z), at(10, 10));
  assert.ok(at(40, 40) > 0 && at(40, 40) !== at(10, 10));
  assert.equal(at(60, 60), 0, "a low wall by itself is no house");
});
