/**
 * What one's own hands do in a tick, as far as it can be known without the server: waits, shots that leave the barrel,
 * reloading, treating, changing weapons, doors. The same numbers as engine/games/arena/{rules,hands,combat}.py for a
 * player on whom nobody else acts. Not for: what is hit, supplies, mates (the server says), moving (move.js).
 */
import { boundedPitch, length, wrap } from "./angles.js";
import { move } from "./move.js";
import {
  AMMO, B_DOOR, B_RESCUE, BLOOM, DOOR_ARM, DOOR_COUNT, DOOR_SPOTS, DROP, FIRE, FIRE_WAIT, FULL_HP, HAND_TICKS,
  HAND_WAIT, HP, INTERVALS, KEEP, LIFE, MAGAZINE, MAGAZINES, MEDKITS, OUT, PITCH, RECOIL, RECOILS, RELOAD, RELOADING,
  RELOADS, RESCUE, RESCUED, SLOT, SLOW, STOP_FIRE, SWITCH_TICKS, TREAT, TREAT_POINTS, TREAT_TICKS, TREATING, UP, WEAPON,
  X, Y, YAW,
} from "./rules.js";
import { isOpen } from "./world.js";

/** Units from a door's middle within which somebody stands in it. */
const IN_DOOR = 210;

/** The number of the nearest door within reach of a point (units), -1 for none. */
export function nearestDoor(map, x, y, reach = DOOR_ARM) {
  let [found, best] = [-1, reach + 1];
  for (let door = 0; door < map[DOOR_COUNT]; door += 1) {
    const dx = map[DOOR_SPOTS + 2 * door] * 256 + 128 - x;
    const dy = map[DOOR_SPOTS + 2 * door + 1] * 256 + 128 - y;
    if (Math.abs(dx) >= best || Math.abs(dy) >= best) continue;
    const far = length(dx, dy);
    if (far < best) [found, best] = [door, far];
  }
  return found;
}

function turn(own, input) {
  own[YAW] = wrap(input.yaw);
  own[PITCH] = boundedPitch(input.pitch);
  if (own[FIRE_WAIT] > 0) own[FIRE_WAIT] -= 1;
  if (own[HAND_WAIT] > 0) own[HAND_WAIT] -= 1;
  own[RECOIL] = own[RECOIL] > 45 ? own[RECOIL] - 45 : 0;
  own[BLOOM] = own[BLOOM] > 18 ? own[BLOOM] - 18 : 0;
}

/**
 * Open or close the nearest door in reach. That somebody else stands in it only the server knows. Returns the doors.
 */
function useDoor(own, map, doors) {
  const door = own[HAND_WAIT] > 0 ? -1 : nearestDoor(map, own[X], own[Y]);
  if (door < 0) return doors;
  const aside = (axis, at) => Math.abs(map[DOOR_SPOTS + 2 * door + axis] * 256 + 128 - at);
  if (isOpen(doors, door) && aside(0, own[X]) < IN_DOOR && aside(1, own[Y]) < IN_DOOR) return doors;
  own[HAND_WAIT] = HAND_TICKS;
  return (doors ^ (1 << door)) >>> 0;
}

function changeWeapon(own, wanted) {
  if (wanted === KEEP || wanted === own[SLOT] || own[WEAPON + wanted] === 0) return false;
  own[SLOT] = wanted;
  own[RELOAD] = 0;
  own[FIRE_WAIT] = SWITCH_TICKS;
  return true;
}

function treat(own, wanted) {
  if (!wanted || own[MEDKITS] <= 0 || own[HP] >= FULL_HP) { own[TREAT] = 0; return false; }
  own[RELOAD] = 0;
  own[TREAT] += 1;
  if (own[TREAT] >= TREAT_TICKS) {
    own[HP] = Math.min(FULL_HP, own[HP] + TREAT_POINTS);
    own[MEDKITS] -= 1;
    own[TREAT] = 0;
  }
  return true;
}

function drop(own) {
  const slot = own[SLOT];
  if (own[WEAPON + slot] === 0 || own[HAND_WAIT] > 0) return;
  own[WEAPON + slot] = 0;
  own[MAGAZINE + slot] = 0;
  own[RELOAD] = 0;
  own[HAND_WAIT] = HAND_TICKS;
  if (own[WEAPON + 1 - slot] !== 0) own[SLOT] = 1 - slot;
}

function startReload(own) {
  const weapon = own[WEAPON + own[SLOT]];
  if (weapon !== 0 && own[MAGAZINE + own[SLOT]] < MAGAZINES[weapon] && own[RELOAD] === 0 && own[AMMO] > 0)
    own[RELOAD] = RELOADS[weapon];
}

function reloadOn(own) {
  if (own[RELOAD] === 0) return;
  own[RELOAD] -= 1;
  if (own[RELOAD] > 0) return;
  const at = MAGAZINE + own[SLOT];
  const filled = Math.min(MAGAZINES[own[WEAPON + own[SLOT]]] - own[at], own[AMMO]);
  own[at] += filled;
  own[AMMO] -= filled;
}

/** Whether the weapon in hand would shoot now. */
export const ready = (own) => own[LIFE] === UP && own[WEAPON + own[SLOT]] !== 0
  && own[FIRE_WAIT] === 0 && own[RELOAD] === 0
  && own[MAGAZINE + own[SLOT]] > 0;

function fire(own) {
  if (own[WEAPON + own[SLOT]] === 0 || own[FIRE_WAIT] > 0 || own[RELOAD] > 0) return 0;
  const weapon = own[WEAPON + own[SLOT]];
  if (own[MAGAZINE + own[SLOT]] === 0) { startReload(own); return 0; }
  own[MAGAZINE + own[SLOT]] -= 1;
  own[FIRE_WAIT] = INTERVALS[weapon];
  own[RECOIL] = Math.min(1500, own[RECOIL] + RECOILS[weapon]);
  own[BLOOM] = Math.min(900, own[BLOOM] + Math.floor(RECOILS[weapon] / 2));
  return weapon;
}

/**
 * One tick of one's own player: turn, move, hands. `own` is changed in place.
 * @param {Int16Array} own @param {Int8Array} map @param {number} doors @param {import("./move.js").Input} input
 * @param {{doors: number, shot: number}} out the doors afterwards, and the weapon that shot (0: none)
 */
export function act(own, map, doors, input, out) {
  out.doors = doors;
  out.shot = 0;
  if (own[LIFE] === OUT) return;
  turn(own, input);
  move(own, map, doors, input);
  if (own[LIFE] !== UP) return;

  const { body, basic } = input;
  // Whether a mate is in reach only the server knows; whoever helped in the tick before goes on.
  const helping = body === B_RESCUE && own[RESCUED] !== 0;
  if (body === B_DOOR) out.doors = useDoor(own, map, doors);
  const switched = changeWeapon(own, input.switch);
  const treating = treat(own, basic === TREATING && !helping);
  own[SLOW] = treating || helping ? 1 : 0;
  own[RESCUE] = helping ? own[RESCUE] + 1 : 0;
  if (helping) own[RELOAD] = 0;
  else own[RESCUED] = 0;
  if (!helping && basic === RELOADING) startReload(own);
  if (!helping && basic === DROP) drop(own);
  reloadOn(own);
  // "Stop, adjust and fire" shoots when the server finds the target in line.
  if (!helping && (basic === FIRE || basic === STOP_FIRE) && !switched) out.shot = fire(own);
}

