/**
 * Reads a map of Arena: the bytes that engine/games/arena/world.py makes. `map` is that row (Int8Array), `doors` the
 * bit mask of open doors. Not for: making maps, drawing them (arena-scene).
 */
import {
  BUSH, BUSH_TOP, DOOR_CELL, DOOR_COUNT, DOOR_SPOTS, KINDS, SAMPLE, SIDE, STEP_HEIGHT, WALL_TOP, WORLD_SIZE,
} from "./rules.js";

/** The map in what the server sent: bytes, or base64 of them. @param {ArrayBuffer|ArrayBufferView|string} data */
export function readMap(data) {
  let map;
  if (typeof data === "string") map = Int8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  else map = data instanceof ArrayBuffer
    ? new Int8Array(data)
    : new Int8Array(data.buffer, data.byteOffset, data.byteLength);
  if (map.length !== WORLD_SIZE)
    throw new RangeError(`A map has ${WORLD_SIZE} bytes; the server sent ${map.length}. Reload the page.`);
  return map;
}

/** Whether a door stands open. */
export const isOpen = (doors, door) => (doors >>> door) & 1;

function closed(map, doors, cell) {
  const kind = map[KINDS + cell];
  return kind >= DOOR_CELL && !isOpen(doors, kind - DOOR_CELL);
}

/** The height (units) on which one could stand in a cell: ground, or what stands on it. */
export const top = (map, doors, cell) => (map[cell] + (closed(map, doors, cell) ? WALL_TOP : 0)) * STEP_HEIGHT;

/** The height (units) below which nobody sees through a cell: as `top`, and bushes. */
export const opaque = (map, doors, cell) =>
  (map[cell] + (map[KINDS + cell] === BUSH ? BUSH_TOP : closed(map, doors, cell) ? WALL_TOP : 0)) * STEP_HEIGHT;

/** The number of the cell under a point (units). */
export const cellOf = (x, y) => (y >> 8) * SIDE + (x >> 8);

/** What the cell under a point is. */
export const kindAt = (map, x, y) => map[KINDS + cellOf(x, y)];

/** The ground under any point, in units, for what is drawn there. */
export const groundAt = (map, doors, x, y) => {
  const limit = SIDE * 256 - 1;
  return top(map, doors, cellOf(Math.max(0, Math.min(limit, x)), Math.max(0, Math.min(limit, y))));
};

/** The doors: [{number, x, y}], the middle of each in units. */
export const doorsOf = (map) => Array.from({ length: map[DOOR_COUNT] }, (_, number) => ({
  number, x: map[DOOR_SPOTS + 2 * number] * 256 + 128, y: map[DOOR_SPOTS + 2 * number + 1] * 256 + 128,
}));

/**
 * How far (units of `distance`) a ray gets before the map stops it; `distance` if nothing does. `shot`: bushes don't
 * stop it. The same whole numbers as `ray` in engine/games/arena/sight.py.
 */
export function ray(map, doors, x, y, z, toX, toY, toZ, distance, shot = false) {
  const samples = Math.floor(distance / SAMPLE);
  if (samples === 0) return distance;
  const step = (from, to) => Math.floor(((to - from) * 256) / (samples + 1));
  const [stepX, stepY, stepZ] = [step(x, toX), step(y, toY), step(z, toZ)];
  let [atX, atY, atZ] = [x * 256, y * 256, z * 256];
  const first = cellOf(x, y);
  for (let sample = 0; sample < samples; sample += 1) {
    atX += stepX;
    atY += stepY;
    atZ += stepZ;
    const cell = (atY >> 16) * SIDE + (atX >> 16);
    const height = shot ? top(map, doors, cell) : opaque(map, doors, cell);
    if (atZ >> 8 < height && cell !== first) return Math.floor(((sample + 1) * distance) / (samples + 1));
  }
  return distance;
}

/** Whether nothing hides one point from another (whole units), as the rules see it. */
export function clear(map, doors, x, y, z, toX, toY, toZ) {
  const far = Math.max(Math.abs(toX - x), Math.abs(toY - y));
  return ray(map, doors, x, y, z, toX, toY, toZ, far) >= far;
}
