/**
 * Angles and lengths in whole numbers, the same as the rules' (engine/games/arena/angles.py). A turn is 65,536 units,
 * yaw 0 looks north (towards smaller y), a quarter turn east. Not for: what is drawn, which turns in floats.
 */
import { ARCS, SINES, STEEPEST } from "./rules.js";

/** 16,384 times the sine of an angle. */
export function sine(angle) {
  const turned = angle & 0xffff;
  const low = SINES[turned >> 6];
  return low + (((SINES[(turned >> 6) + 1] - low) * (turned & 63)) >> 6);
}

/** 16,384 times the cosine of an angle. */
export const cosine = (angle) => sine(angle + 16384);

/** An angle in -32,768 … 32,767. */
export const wrap = (angle) => ((angle + 32768) & 0xffff) - 32768;

const arc = (small, large) => ARCS[Math.floor((small * 1024) / large)];

/** The yaw (0 … 65,535) in which a point dx to the east and dy to the south lies; 0 for no distance. */
export function bearing(dx, dy) {
  const east = Math.abs(dx);
  const north = Math.abs(dy);
  if (!east && !north) return 0;
  let angle = east <= north ? arc(east, north) : 16384 - arc(north, east);
  if (dy > 0) angle = 32768 - angle;
  if (dx < 0) angle = 65536 - angle;
  return angle & 0xffff;
}

/** A pitch in turn units, kept to what a player can look up and down. */
export const boundedPitch = (pitch) => Math.max(-STEEPEST, Math.min(STEEPEST, pitch));

/** The pitch of a point `distance` away and `rise` higher. */
export function elevation(distance, rise) {
  const up = Math.abs(rise);
  if (!up) return 0;
  const angle = up <= distance ? arc(up, distance) : 16384 - arc(distance, up);
  return rise > 0 ? angle : -angle;
}

/** The length of a vector, at most 0.2 % off. */
export function length(dx, dy) {
  const a = Math.max(Math.abs(dx), Math.abs(dy));
  const b = Math.min(Math.abs(dx), Math.abs(dy));
  if (!a) return 0;
  const guess = a + ((3 * b) >> 3);
  return (guess + Math.floor((a * a + b * b) / guess)) >> 1;
}
