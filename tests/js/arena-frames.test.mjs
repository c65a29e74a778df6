import assert from "node:assert/strict";
import { test } from "node:test";

import { Chunk, FrameStore } from "../../static/js/games/arena/frames.js";
import { HP, LIFE, SIGHT, UP, WORLD_SIZE, X, Y } from "../../static/js/games/arena/rules.js";

const PLAYER = 61;
const WHERE = { match: 0, teams: 13, doors: 33, players: 65, monsters: 65 + 2 * PLAYER,
  supplies: 65 + 2 * PLAYER + 40 };
const COLUMNS = WHERE.supplies + 256;
const layout = { chunk: 2, ticks: 3, where: WHERE, player_fields: PLAYER, seats: 2, teams: 2,
  team_size: 1, monsters: 0 };

/** A chunk as engine/games/arena/frames.py packs it. @param {Int16Array[]} rows @param {number[][]} events */
function packed(first, rows, events = []) {
  const varying = [...rows[0].keys()].filter((i) => rows.some((row) => row[i] !== rows[0][i]));
  const changes = varying.flatMap((i) => rows.slice(1).map((row, r) => row[i] - rows[r][i]));
  const bytes = new ArrayBuffer(16 + 2 * (COLUMNS + varying.length + changes.length + 8 * events.length));
  const view = new DataView(bytes);
  view.setUint8(0, 1);
  view.setUint16(2, rows.length, true);
  view.setUint32(4, first, true);
  view.setUint16(8, COLUMNS, true);
  view.setUint16(10, varying.length, true);
  view.setUint32(12, events.length, true);
  new Int16Array(bytes, 16).set([...rows[0], ...varying, ...changes, ...events.flat()]);
  return bytes;
}

function row(set = {}) {
  const found = new Int16Array(COLUMNS);
  for (const seat of [0, 1]) {
    found[WHERE.players + PLAYER * seat + LIFE] = UP;
    found[WHERE.players + PLAYER * seat + HP] = 100;
  }
  for (const [column, value] of Object.entries(set)) found[column] = value;
  return found;
}

const at = (seat, field) => WHERE.players + PLAYER * seat + field;
const store = () => {
  const chunks = [
    packed(0, [row({ [at(0, X)]: 32000 }), row({ [at(0, X)]: -32000 })], [[1, 1, 0, -1, 5, 6, 7, 2]]),
    packed(2, [row({ [at(0, X)]: 9 }), row({ [at(0, X)]: 9, [at(0, SIGHT)]: 2, [at(1, SIGHT)]: 1, [at(1, Y)]: 300 })]),
  ];
  const found = new FrameStore(layout, new Int8Array(WORLD_SIZE), async (number) => chunks[number]);
  found.fetched = chunks;
  return found;
};

test("columns are added up, around the ends of 16 bits too", () => {
  const chunk = new Chunk(packed(4, [row({ 3: 32767 }), row({ 3: -32768 }), row({ 3: 5 })]));
  assert.deepEqual([4, 5, 6].map((tick) => chunk.get(3, tick)), [32767, -32768, 5]);
  assert.equal(chunk.get(at(0, HP), 6), 100);
});

test("a frame is there once its chunk is", async () => {
  const frames = store();
  assert.equal(frames.frame(0), null);
  await frames.load(1);
  assert.equal(frames.frame(0).players[0].x, 32000);
  assert.equal(frames.frame(1).players[0].x, -32000);
  assert.deepEqual(frames.frame(1).events, [{ kind: 1, seat: 0, other: -1, x: 5, y: 6, z: 7, value: 2, tick: 1 }]);
  assert.equal(frames.frame(2), null);
  await frames.loadAll(() => 3);
  assert.ok(frames.complete);
  assert.equal(frames.frame(3).playersLeft, 2);
});

test("a chunk is fetched once, and again when it could not be had", async () => {
  const frames = store();
  let asked = 0;
  frames.fetchChunk = async () => { asked += 1; if (asked === 1) throw new Error("no"); return frames.fetched[0]; };
  await assert.rejects(frames.load(0), /no/);
  await Promise.all([frames.load(0), frames.load(1)]);
  assert.equal(asked, 2);
});

test("a seat's frame has no enemy that it could not see, and not their health", async () => {
  const frames = store();
  await frames.loadAll(() => 0);
  assert.deepEqual(frames.frame(2, 0).players.map((one) => one.seat), [0]);
  const seen = frames.frame(3, 0).players;
  assert.deepEqual(seen.map(({ seat, hp, y }) => [seat, hp, y]), [[0, 100, 0], [1, 255, 300]]);
  assert.deepEqual(frames.frame(2).players.map(({ hp }) => hp), [100, 100]);
});

test("frames of another version are refused", () => {
  const bytes = packed(0, [row()]);
  new DataView(bytes).setUint8(0, 9);
  assert.throws(() => new Chunk(bytes), /version 9/);
});
