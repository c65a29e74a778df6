/**
 * How one's own player moves in a tick: the twin of engine/games/arena/move.py, bit for bit, so that the page needn't
 * wait for the server. `own` is the record's first 48 fields (Int16Array, rules.js), which are changed in place.
 * Tested against what the Python rules did. Not for: hands and weapons (hands.js), other players.
 */
import { cosine, sine } from "./angles.js";
import {
  ADJUST_FIRE, AIRBORNE, B_CROUCH, B_JUMP, B_NONE, B_PRONE, B_RUN, B_SLIDE, B_STOP, CLIMB, CROUCH, DOWN, FALL_FROM,
  GRAVITY, HARMLESS_FALL, JUMP, JUMP_COST, LIFE, MOVING, PRONE, RADIUS, REST, RUN_COST, RUNNING, SIDE, SLIDE,
  SLIDE_COST, SLIDE_TICKS, SLIDE_YAW, SLIDING, SLOW, SPEEDS, STAMINA, STAMINA_MAX, STANCE, STANCE_TICKS, STANCE_WAIT,
  STAND, STOP_FIRE, UP, VX, VY, VZ, WATER, X, Y, YAW, Z,
} from "./rules.js";
import { kindAt, top } from "./world.js";

/**
 * @typedef {{move: number, body: number, basic: number, switch: number, yaw: number, pitch: number}} Input what a
 *   person does in a tick, as it is sent; `basic` 7 for none, `switch` 0 or 1 for a slot, 2 for none
 */
export const NO_BASIC = 7;

/** The top of a cell under a corner (0 … 3) of a body at x, y. */
function corner(map, doors, x, y, number) {
  const cx = number & 1 ? x - RADIUS : x + RADIUS;
  const cy = number & 2 ? y - RADIUS : y + RADIUS;
  return top(map, doors, (cy >> 8) * SIDE + (cx >> 8));
}

/** Whether a body at x, y with its feet at z would stand in something too high to step on. */
export function blocked(map, doors, x, y, z) {
  for (let number = 0; number < 4; number += 1) if (corner(map, doors, x, y, number) > z + CLIMB) return true;
  return false;
}

/** The height on which a body at x, y rests when its feet are at z. */
export function floorUnder(map, doors, x, y, z) {
  let best = 0;
  for (let number = 0; number < 4; number += 1) {
    const height = corner(map, doors, x, y, number);
    if (height <= z + CLIMB && height > best) best = height;
  }
  return best;
}

function chooseStance(own, body) {
  if (own[LIFE] !== UP || own[STANCE_WAIT] > 0 || own[AIRBORNE] !== 0) return;
  const stance = own[STANCE];
  const take = (next) => { own[STANCE] = next; own[STANCE_WAIT] = STANCE_TICKS; };
  if (body === B_CROUCH) take(stance === CROUCH ? STAND : CROUCH);
  else if (body === B_PRONE) take(stance === PRONE ? STAND : PRONE);
  else if (body === B_SLIDE) {
    if (stance !== STAND || own[STAMINA] < SLIDE_COST || own[MOVING] === 0) return;
    take(SLIDING);
    own[SLIDE] = SLIDE_TICKS;
    own[STAMINA] -= SLIDE_COST;
  } else if (body === B_JUMP) {
    if (stance !== STAND) take(STAND);
    else if (own[STAMINA] >= JUMP_COST) {
      own[VZ] = JUMP;
      own[AIRBORNE] = 1;
      own[FALL_FROM] = own[Z];
      own[STAMINA] -= JUMP_COST;
      own[STANCE_WAIT] = STANCE_TICKS;
    }
  } else if (body === B_RUN && (stance === CROUCH || stance === PRONE)) take(STAND);
}

/** Whether the feet move: none and run walk on, stop stands, and the others leave it as it was. */
export function wantsToMove(own, input) {
  if (input.basic === STOP_FIRE || input.basic === ADJUST_FIRE) return 0;
  if (input.body === B_STOP) return 0;
  if (input.body === B_NONE || input.body === B_RUN) return 1;
  return own[MOVING];
}

/**
 * Move by an input (`own[YAW]` is already the new one). Returns the points that the fall that ended here costs.
 * @param {Int16Array} own @param {Int8Array} map @param {number} doors @param {Input} input
 */
export function move(own, map, doors, input) {
  if (own[STANCE_WAIT] > 0) own[STANCE_WAIT] -= 1;
  const { body } = input;
  let moving = wantsToMove(own, input);
  own[MOVING] = moving;
  chooseStance(own, body);
  const stance = own[STANCE];
  let stamina = own[STAMINA];

  let speed = SPEEDS[stance];
  let yaw = own[YAW] + input.move * 4096;
  if (stance === SLIDING) {
    const left = own[SLIDE];
    if (left === SLIDE_TICKS) own[SLIDE_YAW] = yaw; // the field keeps 16 bits, as the rules wrap it
    yaw = own[SLIDE_YAW];
    speed -= 4 * (SLIDE_TICKS - left);
    own[SLIDE] = left - 1;
    moving = 1;
    if (left <= 1) own[STANCE] = CROUCH;
  } else if (body === B_RUN && stance === STAND && moving !== 0 && stamina >= RUN_COST) {
    speed = RUNNING;
    stamina -= RUN_COST;
  } else if (stamina < STAMINA_MAX) stamina = Math.min(STAMINA_MAX, stamina + REST);
  own[STAMINA] = stamina;

  const [x, y, z] = [own[X], own[Y], own[Z]];
  if (kindAt(map, x, y) === WATER && stance !== DOWN) speed = Math.floor((speed * 3) / 5);
  if (own[SLOW] !== 0) speed = Math.floor((speed * 2) / 5);
  let [newX, newY] = [x, y];
  if (moving !== 0) {
    newX = x + ((speed * sine(yaw) + 8192) >> 14);
    newY = y - ((speed * cosine(yaw) + 8192) >> 14);
    if (blocked(map, doors, newX, y, z)) newX = x;
    if (blocked(map, doors, newX, newY, z)) newY = y;
  }
  own[VX] = newX - x;
  own[VY] = newY - y;
  own[X] = newX;
  own[Y] = newY;
  return fall(own, floorUnder(map, doors, newX, newY, z));
}

/** Stand, rise or fall, with the ground at this height. Returns the points that the end of a fall costs. */
function fall(own, ground) {
  let z = own[Z];
  if (own[AIRBORNE] === 0) {
    if (z - ground <= CLIMB) {
      own[Z] = ground;
      own[VZ] = 0;
      return 0;
    }
    own[AIRBORNE] = 1;
    own[FALL_FROM] = z;
    own[VZ] = 0;
  }
  const up = own[VZ] - GRAVITY;
  z += up;
  if (z > own[FALL_FROM]) own[FALL_FROM] = z;
  if (z > ground) {
    own[VZ] = up;
    own[Z] = z;
    return 0;
  }
  const fallen = own[FALL_FROM] - ground;
  own[Z] = ground;
  own[VZ] = 0;
  own[AIRBORNE] = 0;
  return fallen <= HARMLESS_FALL ? 0 : Math.floor((fallen - HARMLESS_FALL) / 16);
}
