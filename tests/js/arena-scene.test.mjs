/** The numbers behind Arena's scene: ground that is true to the cells, shadows, poses, teams that differ. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as ground from "../../static/js/games/arena/scene-ground.js";
import * as pose from "../../static/js/games/arena/scene-pose.js";
import { shapePath, teamColour, teamName, teamShape } from "../../static/js/games/arena/teams.js";

const { SIDE } = ground;
const CELLS = SIDE * SIDE;
/** A flat map, two metres high, with what `change(kinds, heights)` puts on it. */
function map(change = () => {}) {
  const bytes = new Int8Array(CELLS * 2 + 1 + 64 + 1 + 360 + 32);
  bytes.fill(16, 0, CELLS);
  for (let cell = 0; cell < CELLS; cell += 1) {
    const x = cell % SIDE, z = Math.floor(cell / SIDE);
    if (x < 2 || z < 2 || x >= SIDE - 2 || z >= SIDE - 2) { bytes[cell] = 112; bytes[CELLS + cell] = ground.ROCK; }
  }
  const put = (x, z, kind, eighths) => { bytes[z * SIDE + x] = 16 + eighths; bytes[CELLS + z * SIDE + x] = kind; };
  change(put, bytes);
  return bytes;
}

test("what stands on a cell doesn't raise the ground under it", () => {
  const read = ground.readGround(map((put) => {
    put(20, 20, ground.WALL, 24);
    put(22, 20, ground.COVER, 8);
    put(24, 20, ground.ROCK, 20);
  }));
  for (const x of [20, 22, 24, 26]) assert.equal(read.level[20 * SIDE + x], 2);
  assert.equal(read.tops[20 * SIDE + 20], 5);
  assert.equal(read.level[0], 2, "nor does the cliff at the edge");
  assert.equal(ground.heightAt(read, 20.3, 20.7), 2);
});

test("a door knows how its wall runs, and closes it", () => {
  const read = ground.readGround(map((put, bytes) => {
    put(30, 40, ground.WALL, 24); put(31, 40, ground.DOOR, 0); put(32, 40, ground.WALL, 24);
    put(50, 40, ground.WALL, 24); put(50, 41, ground.DOOR + 1, 0); put(50, 42, ground.WALL, 24);
    bytes.set([2, 31, 40, 50, 41], 2 * CELLS);
  }));
  assert.deepEqual(read.doors, [{ x: 31, z: 40, across: true }, { x: 50, z: 41, across: false }]);
  assert.equal(read.tops[40 * SIDE + 31], 5);
});

test("a wall keeps the sun off the side that looks away from it", () => {
  const read = ground.readGround(map((put) => { for (let z = 55; z < 70; z += 1) put(60, z, ground.WALL, 24); }));
  const light = ground.shadows(read);
  const towards = Math.sign(ground.SUN[0]);
  assert.ok(ground.lightAt(light, 60.5 - 2 * towards, 62) < 0.4);
  assert.ok(ground.lightAt(light, 60.5 + 3 * towards, 62) > 0.9);
});

test("the bed of a lake lies lower than its shore", () => {
  const read = ground.readGround(map((put) => {
    for (let x = 40; x < 46; x += 1) for (let z = 40; z < 46; z += 1) put(x, z, ground.WATER, 0);
  }));
  assert.equal(read.water, 2);
  assert.ok(ground.heightAt(read, 43, 43) < 1.8);
});

test("a figure takes a stance within a moment, and at once where nothing may move", () => {
  const motion = pose.newMotion();
  for (let i = 0; i < 60; i += 1) pose.advance(motion, pose.PRONE, 10, 10, false, 1 / 60, false);
  assert.ok(motion.pose[pose.HIP] < 0.2 && motion.pose[pose.PITCH] < -1.4);
  pose.advance(motion, pose.STAND, 10, 10, false, 1 / 60, true);
  assert.ok(Math.abs(motion.pose[pose.HIP] - 0.85) < 1e-6);
});

test("legs swing with the way that was walked, against each other, and rest when it ends", () => {
  const motion = pose.newMotion();
  let widest = 0;
  for (let i = 0; i < 60; i += 1) {
    pose.advance(motion, pose.STAND, 10 + i * 0.08, 10, false, 1 / 60, false);
    const [left] = pose.leg(motion, -1, [0, 0]), [right] = pose.leg(motion, 1, [0, 0]);
    widest = Math.max(widest, Math.abs(left - right));
  }
  assert.ok(widest > 0.6);
  for (let i = 0; i < 60; i += 1) pose.advance(motion, pose.STAND, 14.72, 10, false, 1 / 60, false);
  assert.ok(motion.stride < 0.01);
});

test("who appears at another place doesn't run there", () => {
  const motion = pose.newMotion();
  pose.advance(motion, pose.STAND, 10, 10, false, 1 / 60, false);
  pose.advance(motion, pose.STAND, 60, 60, false, 1 / 60, false);
  assert.equal(motion.speed, 0);
});

test("twenty teams have twenty names, and neighbours differ in colour and in shape", () => {
  const teams = Array.from({ length: 20 }, (_, team) => team);
  assert.equal(new Set(teams.map(teamName)).size, 20);
  for (const team of teams.slice(1)) {
    assert.notEqual(teamColour(team), teamColour(team - 1));
    assert.notEqual(teamShape(team), teamShape(team - 1));
    assert.match(shapePath(team), /^M.*Z$/);
  }
});
