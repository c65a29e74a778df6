/**
 * The ground of an Arena map as numbers: heights that are smooth between cells, what stands on them, where the sun
 * doesn't reach. Pure functions on the map's bytes, no three.js. Not for: meshes (scene-world.js), walking
 * (move.js, which uses the cells as they are).
 *
 * Lengths are metres: x to the east, y upwards, z to the south (three.js), where the rules have x, z, y.
 */

export const SIDE = 128;
const CELLS = SIDE * SIDE;
const DOOR_COUNT = 2 * CELLS;
export const OPEN = 0, WATER = 1, BUSH = 2, COVER = 3, WALL = 4, ROCK = 5, FLOOR = 6, DOOR = 64;
/** Metres that stand on the ground, by kind. */
export const TALL = { [COVER]: 1, [WALL]: 3, [ROCK]: 2.5, [BUSH]: 1.375, [DOOR]: 3 };
export const CLIFF = 12;
const BORDER = 2;
/** Where the sun stands: a unit vector from the ground to it. */
export const SUN = normal([-0.62, 0.58, 0.53]);
const LIGHT_SIDE = 512;

function normal(vector) {
  const long = Math.hypot(...vector);
  return vector.map((part) => part / long);
}

/** A number in 0 … 1 that belongs to two whole numbers, always the same one. */
export function hash(x, y, salt = 0) {
  let h = Math.imul(x | 0, 374761393) + Math.imul(y | 0, 668265263) + Math.imul(salt | 0, 2246822519);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

const clampCell = (i) => Math.min(SIDE - 1 - BORDER, Math.max(BORDER, i));

/**
 * @typedef {object} Ground
 * @property {Int8Array} kinds by cell; from 64 on a door
 * @property {Float32Array} level height of the ground of each cell, without what stands on it
 * @property {Float32Array} corners heights at the corners of cells, (SIDE + 1)²
 * @property {Float32Array} tops height of what stands in each cell (doors closed)
 * @property {{x: number, z: number, across: boolean}[]} doors cell, and whether the wall runs from west to east
 * @property {number} water height of the water, NaN without
 */

/** The ground of a map. @param {Int8Array} bytes the map's row @returns {Ground} */
export function readGround(bytes) {
  const kinds = bytes.subarray(CELLS, 2 * CELLS);
  const level = new Float32Array(CELLS);
  const tops = new Float32Array(CELLS);
  let water = NaN;
  for (let cell = 0; cell < CELLS; cell += 1) {
    const x = cell % SIDE, z = (cell / SIDE) | 0, kind = kinds[cell];
    const edge = x < BORDER || z < BORDER || x >= SIDE - BORDER || z >= SIDE - BORDER;
    // The cliff around the map hides how high the ground under it is.
    const from = edge ? clampCell(z) * SIDE + clampCell(x) : cell;
    const on = kinds[from] >= DOOR || kinds[from] === BUSH ? 0 : TALL[kinds[from]] ?? 0;
    level[cell] = bytes[from] / 8 - on;
    tops[cell] = edge
      ? level[cell] + CLIFF
      : bytes[cell] / 8 + (kind >= DOOR ? TALL[DOOR] : kind === BUSH ? TALL[BUSH] : 0);
    if (kind === WATER) water = level[cell];
  }
  /** @type {any} */
  const ground = { kinds, level, tops, water, corners: cornersOf(kinds, level), doors: [] };
  for (let number = 0; number < bytes[DOOR_COUNT]; number += 1) {
    const x = bytes[DOOR_COUNT + 1 + 2 * number], z = bytes[DOOR_COUNT + 2 + 2 * number];
    const solid = (i, j) => [WALL, COVER].includes(kinds[j * SIDE + i]) || kinds[j * SIDE + i] >= DOOR;
    ground.doors.push({ x, z, across: solid(x - 1, z) && solid(x + 1, z) });
  }
  return ground;
}

/** The mean of the four cells around each corner; the bed of a lake lies lower than its shore. */
function cornersOf(kinds, level) {
  const corners = new Float32Array((SIDE + 1) * (SIDE + 1));
  for (let j = 0; j <= SIDE; j += 1) {
    for (let i = 0; i <= SIDE; i += 1) {
      let sum = 0, wet = 0, floor = NaN;
      for (let k = 0; k < 4; k += 1) {
        const x = Math.min(SIDE - 1, Math.max(0, i - (k & 1))), z = Math.min(SIDE - 1, Math.max(0, j - (k >> 1)));
        const cell = z * SIDE + x;
        sum += level[cell];
        if (kinds[cell] === WATER) wet += 1;
        if (kinds[cell] === FLOOR) floor = level[cell];
      }
      corners[j * (SIDE + 1) + i] = Number.isNaN(floor) ? sum / 4 - (wet === 4 ? 0.3 : wet * 0.03) : floor;
    }
  }
  return corners;
}

/** Height of the drawn ground at a point. @param {Ground} ground */
export function heightAt(ground, x, z) {
  const px = Math.min(SIDE - 0.001, Math.max(0, x)), pz = Math.min(SIDE - 0.001, Math.max(0, z));
  const i = px | 0, j = pz | 0, u = px - i, v = pz - j, at = j * (SIDE + 1) + i, c = ground.corners;
  return (c[at] * (1 - u) + c[at + 1] * u) * (1 - v) + (c[at + SIDE + 1] * (1 - u) + c[at + SIDE + 2] * u) * v;
}

/**
 * How much of the sun reaches the ground, 0 … 255, LIGHT_SIDE² points, and next to walls less of the sky.
 * Doors count as closed. @param {Ground} ground
 */
export function shadows(ground) {
  const side = LIGHT_SIDE, scale = SIDE / side, raw = new Float32Array(side * side);
  const flat = Math.hypot(SUN[0], SUN[2]), dx = SUN[0] / flat, dz = SUN[2] / flat, rise = SUN[1] / flat;
  for (let j = 0; j < side; j += 1) {
    for (let i = 0; i < side; i += 1) {
      const x = (i + 0.5) * scale, z = (j + 0.5) * scale, floor = heightAt(ground, x, z) + 0.05;
      let lit = 1;
      for (let far = 0.3; far < 18; far += far < 6 ? 0.3 : 0.8) {
        const cx = (x + dx * far) | 0, cz = (z + dz * far) | 0;
        if (cx < 0 || cz < 0 || cx >= SIDE || cz >= SIDE) break;
        const cell = cz * SIDE + cx;
        if (ground.tops[cell] > floor + rise * far) { lit = ground.kinds[cell] === BUSH ? 0.35 : 0; break; }
      }
      raw[j * side + i] = lit * 0.8 + 0.2 * openness(ground, x, z, floor);
    }
  }
  return blurred(raw, side);
}

/** 1 in the open, less where walls stand close by. */
function openness(ground, x, z, floor) {
  let open = 1;
  for (let k = 0; k < 8; k += 1) {
    const cx = (x + Math.cos(k * 0.7854) * 0.55) | 0, cz = (z + Math.sin(k * 0.7854) * 0.55) | 0;
    if (cx >= 0 && cz >= 0 && cx < SIDE && cz < SIDE && ground.tops[cz * SIDE + cx] > floor + 0.6) open -= 0.125;
  }
  return open;
}

function blurred(raw, side) {
  const out = new Uint8Array(side * side);
  for (let j = 0; j < side; j += 1) {
    for (let i = 0; i < side; i += 1) {
      let sum = 0, count = 0;
      for (let b = Math.max(0, j - 1); b <= Math.min(side - 1, j + 1); b += 1) {
        for (let a = Math.max(0, i - 1); a <= Math.min(side - 1, i + 1); a += 1) {
          sum += raw[b * side + a];
          count += 1;
        }
      }
      out[j * side + i] = Math.round((255 * sum) / count);
    }
  }
  return out;
}

/** The light (0 … 1) at a point, from `shadows`. */
export function lightAt(light, x, z) {
  const i = Math.min(LIGHT_SIDE - 1, Math.max(0, (x * LIGHT_SIDE / SIDE) | 0));
  const j = Math.min(LIGHT_SIDE - 1, Math.max(0, (z * LIGHT_SIDE / SIDE) | 0));
  return light[j * LIGHT_SIDE + i] / 255;
}

// Colours of the ground, in sRGB 0 … 255; [red, green, blue].
const GRASS = [[146, 160, 82], [126, 150, 76], [168, 166, 92]], DRY = [196, 176, 110], SAND = [222, 202, 150];
const EARTH = [172, 142, 100], PLANKS = [168, 124, 82], PLANKS_DARK = [152, 110, 72], BED = [120, 138, 120],
  STONE = [150, 140, 122];

/**
 * Which house each cell belongs to: 0 for none, from 1 on a number that a house has alone. Walls, doors, floors and
 * what stands in their line grow together. @param {Ground} ground @returns {Uint16Array}
 */
export function houses({ kinds }) {
  const built = (cell) => [WALL, FLOOR].includes(kinds[cell]) || kinds[cell] >= DOOR;
  const found = new Uint16Array(CELLS);
  let number = 0;
  for (let first = 0; first < CELLS; first += 1) {
    if (found[first] || !built(first)) continue;
    number += 1;
    found[first] = number;
    for (const queue = [first]; queue.length;) {
      const cell = queue.pop() ?? first, x = cell % SIDE;
      for (const next of [x > 0 ? cell - 1 : -1, x < SIDE - 1 ? cell + 1 : -1, cell - SIDE, cell + SIDE]) {
        // A window is a low wall: it belongs to the house, and nothing grows on from it.
        if (next < 0 || next >= CELLS || found[next] || !(built(next) || (kinds[next] === COVER && built(cell))))
          continue;
        found[next] = number;
        if (built(next)) queue.push(next);
      }
    }
  }
  return found;
}

/** Slow noise in 0 … 1. */
export function noise(x, z, size, salt) {
  const px = x / size, pz = z / size, i = Math.floor(px), j = Math.floor(pz);
  const soft = (t) => t * t * (3 - 2 * t), u = soft(px - i), v = soft(pz - j);
  return (hash(i, j, salt) * (1 - u) + hash(i + 1, j, salt) * u) * (1 - v)
    + (hash(i, j + 1, salt) * (1 - u) + hash(i + 1, j + 1, salt) * u) * v;
}

const mix = (a, b, part) => [0, 1, 2].map((k) => a[k] + (b[k] - a[k]) * part);

/** Whether a kind lies within `reach` cells. */
function near(ground, x, z, reach, test) {
  for (let j = Math.max(0, z - reach); j <= Math.min(SIDE - 1, z + reach); j += 1) {
    for (let i = Math.max(0, x - reach); i <= Math.min(SIDE - 1, x + reach); i += 1) if (test(
      ground.kinds[j * SIDE + i])) return true;
  }
  return false;
}

/** The colour of a cell's ground, [red, green, blue] 0 … 255. @param {Ground} ground */
export function groundColour(ground, x, z) {
  const kind = ground.kinds[z * SIDE + x];
  if (kind === FLOOR || kind >= DOOR) return (x + z) % 2 ? PLANKS : PLANKS_DARK;
  if (kind === WATER) return BED;
  if (kind === ROCK || kind === WALL) return STONE;
  const tone = noise(x, z, 14, 1);
  let colour = mix(tone < 0.5 ? GRASS[1] : GRASS[0], tone < 0.5 ? GRASS[0] : GRASS[2], (tone * 2) % 1);
  const dry = noise(x, z, 9, 2);
  if (dry > 0.62) colour = mix(colour, DRY, Math.min(1, (dry - 0.62) * 3.2));
  if (near(ground, x, z, 1, (one) => one === WATER)) return mix(colour, SAND, 0.9);
  if (near(ground, x, z, 2, (one) => one === WATER)) colour = mix(colour, SAND, 0.5);
  if (near(ground, x, z, 1, (one) => one === WALL || one >= DOOR)) colour = mix(colour, EARTH, 0.75);
  else if (near(ground, x, z, 2, (one) => one >= DOOR)) colour = mix(colour, EARTH, 0.45);
  return colour;
}
