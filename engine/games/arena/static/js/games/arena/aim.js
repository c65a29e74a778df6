/**
 * Aim help for those who play without a mouse: whom the crosshair is nearest to, and where to look to hit them. The
 * same choice as "stop, adjust and fire" makes for agents (engine/games/arena/aim.py), from what this page may see. Not
 * for:
 * turning the view (input.js).
 */
import { bearing, elevation, length, wrap } from "./angles.js";
import { AIM_RANGE, DOWNED, EYES, HEIGHTS, RECOIL, STANCE, X, Y, Z } from "./rules.js";

const MONSTERS_TO = 15 * 256; // units
const DOWNED_LAST = 6000; // turn units: those on their feet first

/**
 * Where to look: {yaw, pitch} in turn units, or null when nobody is near enough to the crosshair.
 * @param {Int16Array} own @param {number} yaw where one looks
 * @param {import("./interpolate.js").ShownPlayer[]} players @param {import("./interpolate.js").ShownMonster[]} monsters
 */
export function aimHelp(own, yaw, players, monsters) {
  /** @type {any} */
  let found = null;
  let best = AIM_RANGE, height = 0;
  const offTo = (one) =>
    Math.abs(wrap(bearing(Math.round(one.x) - own[X], Math.round(one.y) - own[Y]) - Math.round(yaw)));
  for (const one of players) {
    if (!one.shown || one.mate) continue;
    const off = offTo(one) + (one.life === DOWNED ? DOWNED_LAST : 0);
    if (off < best) [found, best, height] = [one, off, (HEIGHTS[one.stance] * 5) >> 3];
  }
  if (!found) {
    for (const one of monsters) {
      if (!one.shown || Math.hypot(one.x - own[X], one.y - own[Y]) > MONSTERS_TO) continue;
      const off = offTo(one);
      if (off < best) [found, best, height] = [one, off, 150];
    }
  }
  if (!found) return null;
  const [dx, dy] = [Math.round(found.x) - own[X], Math.round(found.y) - own[Y]];
  const rise = Math.round(found.z) + height - own[Z] - EYES[own[STANCE]];
  return { yaw: bearing(dx, dy), pitch: elevation(length(dx, dy), rise) - own[RECOIL] };
}
