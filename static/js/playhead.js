/**
 * Where a replay stands: the tick that stays, the tick the mouse points at, speed and playing. Pure: each function
 * takes a head and returns the next one. Not for: drawing, keys, the URL (replay.js).
 *
 * @typedef {object} Head
 * @property {number} last the last tick
 * @property {number} tick the tick that stays
 * @property {number|null} hovered the tick that the mouse points at
 * @property {number} speed
 * @property {boolean} playing
 * @property {{tick: number, now: number}} origin from which tick it plays, and since when (ms)
 * @property {number} ticksPerSecond at speed 1
 */

export const SPEEDS = [0.25, 0.5, 1, 2, 4];

/** @param {number} last @param {any} tick */
const clamp = (last, tick) => Math.max(0, Math.min(last, Math.round(Number(tick) || 0)));

/** @param {{last: number, tick?: number, ticksPerSecond?: number}} episode @returns {Head} */
export const fresh = ({ last, tick = 0, ticksPerSecond = 1 }) => ({ last, tick: clamp(last, tick), hovered: null,
  speed: 1, playing: false, origin: { tick: 0, now: 0 }, ticksPerSecond });

/** The tick on the screen: what the mouse points at, else the tick that stays. @param {Head} head */
export const shown = (head) => head.hovered ?? head.tick;

/** Milliseconds from one tick to the next. @param {Head} head */
export const interval = (head) => 1000 / (head.ticksPerSecond * head.speed);

/**
 * Show a tick while the mouse is over it; null when it leaves.
 * @param {Head} head @param {number|null} tick
 * @returns {Head}
 */
export const hover = (head, tick) => ({ ...head, hovered: tick === null ? null : clamp(head.last, tick) });

/**
 * Stay at a tick, or play on from there.
 * @param {Head} head @param {number} tick @param {number} now ms
 * @returns {Head}
 */
export function seek(head, tick, now) {
  const there = clamp(head.last, tick);
  return { ...head, tick: there, hovered: null, origin: { tick: there, now } };
}

/**
 * Begin to play, at the end from the start, or stop.
 * @param {Head} head @param {boolean} on @param {number} now ms
 * @returns {Head}
 */
export function play(head, on, now) {
  const from = on && shown(head) >= head.last ? seek(head, 0, now) : head;
  return { ...from, playing: on, origin: { tick: from.tick, now } };
}

/**
 * Another speed, from here on.
 * @param {Head} head @param {number} speed @param {number} now ms
 * @returns {Head}
 */
export const atSpeed = (head, speed, now) => play({ ...head, speed }, head.playing, now);

/**
 * What playing has reached: counted from where it began, so that it never lags behind the clock. It stops at the last
 * tick; the head itself while the same tick is due.
 * @param {Head} head @param {number} now ms
 * @returns {Head}
 */
export function reached(head, now) {
  const due = clamp(head.last, head.origin.tick + Math.floor((now - head.origin.now) / interval(head)));
  const there = due > head.tick ? { ...head, tick: due, hovered: null } : head;
  return there.tick >= there.last ? { ...there, playing: false } : there;
}

/**
 * The game has gone on to another last tick: who stood at the end still does.
 * @param {Head} head @param {number} last
 * @returns {Head}
 */
export const extend = (head, last) =>
  ({ ...head, last, ...(head.tick === head.last && { tick: last, hovered: null }) });

/**
 * A tick as time since the start, m:ss; "" without a clock.
 * @param {number} tick @param {number} perSecond ticks a second, 0: no clock
 */
export function timeOf(tick, perSecond) {
  if (!perSecond) return "";
  const seconds = Math.floor(tick / perSecond);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * The nearest of the sorted ticks after (direction 1) or before (-1) `tick`; null when there is none.
 * @param {number[]} ticks @param {number} tick @param {number} direction
 */
export function nextEvent(ticks, tick, direction) {
  const ahead = direction > 0 ? ticks.filter((t) => t > tick) : ticks.filter((t) => t < tick);
  if (!ahead.length) return null;
  return direction > 0 ? Math.min(...ahead) : Math.max(...ahead);
}

/**
 * Index of the last of the items (sorted by tick) at or before `tick`, or -1.
 * @param {{tick: number}[]} items @param {number} tick
 */
export function lastAt(items, tick) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (items[middle].tick <= tick) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
