/**
 * How a figure of Arena holds itself: a few numbers by stance, blended over time, and swinging legs. Pure numbers, no
 * three.js. Not for: drawing (scene-people.js), how tall the rules say a body is (move.js).
 *
 * Angles are radians: leaning forward is negative, a leg swung forward positive; lengths are metres.
 */

export const STAND = 0, CROUCH = 1, PRONE = 2, SLIDING = 3, DOWN = 4;
/** Fields of a pose. */
export const HIP = 0, PITCH = 1, LEAN = 2, LEFT = 3, LEFT_KNEE = 4, RIGHT = 5, RIGHT_KNEE = 6, GRIP_Y = 7, GRIP_Z = 8,
  SHIFT = 9, FIELDS = 10;

/**
 * By stance: hip height, pitch of the whole body, lean of the chest, legs, where the weapon's grip is, shift to the
 * back.
 */
const POSES = [
  [0.85, 0, -0.06, 0.05, -0.06, -0.05, -0.06, 0.33, -0.32, 0],
  [0.45, 0, -0.28, 1.3, -1.85, 0.45, -1.9, 0.32, -0.3, 0],
  [0.17, -1.5, 0.1, 0.06, -0.02, -0.04, -0.06, 0.6, -0.1, 0.35],
  [0.28, 0.5, -0.1, 1.25, -0.25, 0.95, -1.2, 0.3, -0.3, 0.1],
  [0.15, 1.42, 0, 0.35, -0.75, 0.1, -0.2, 0.1, -0.2, -0.4],
].map((row) => Float32Array.from(row));

/** What is kept of a figure between frames. */
export const newMotion = () => ({ pose: Float32Array.from(POSES[STAND]), phase: 0, stride: 0, x: NaN, z: NaN, speed: 0,
  kick: 0, fired: false });

/**
 * Move a figure's pose on by one frame: towards its stance, and along its way.
 * @param {ReturnType<typeof newMotion>} motion changed in place
 * @param {number} seconds since the last frame @param {boolean} stillness no blending: poses change at once
 */
export function advance(motion, stance, x, z, fired, seconds, stillness) {
  const target = POSES[stance] ?? POSES[STAND], part = stillness ? 1 : 1 - Math.exp(-seconds * 14);
  for (let i = 0; i < FIELDS; i += 1) motion.pose[i] += (target[i] - motion.pose[i]) * part;
  const way = Number.isNaN(motion.x) ? 0 : Math.hypot(x - motion.x, z - motion.z);
  motion.x = x;
  motion.z = z;
  // Who appears anew or jumps across the map doesn't run there.
  const speed = seconds > 0 && way < 2 ? way / seconds : 0;
  motion.speed += (Math.min(speed, 8) - motion.speed) * (1 - Math.exp(-seconds * 10));
  if (way < 2) motion.phase += way * (stance === STAND ? 2.1 : 3.2);
  motion.stride = stance === STAND ? Math.min(0.85, motion.speed * 0.16)
    : stance === CROUCH ? Math.min(0.4, motion.speed * 0.2) : stance === PRONE ? Math.min(0.25, motion.speed * 0.3) : 0;
  if (fired && !motion.fired) motion.kick = 1;
  motion.fired = fired;
  motion.kick *= Math.exp(-seconds * 12);
}

/** Angles of a leg now: side -1 left, 1 right; writes [thigh, knee] into `out`. */
export function leg(motion, side, out) {
  const swing = Math.sin(motion.phase + (side > 0 ? Math.PI : 0));
  const lift = Math.max(0, Math.cos(motion.phase + (side > 0 ? Math.PI : 0)));
  out[0] = motion.pose[side < 0 ? LEFT : RIGHT] + swing * motion.stride;
  out[1] = motion.pose[side < 0 ? LEFT_KNEE : RIGHT_KNEE] - lift * motion.stride * 1.15;
  return out;
}

/** How far the hips go up and down while walking. */
export const bounce = (motion) => Math.abs(Math.cos(motion.phase)) * motion.stride * 0.07 - motion.stride * 0.05;
