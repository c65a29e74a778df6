/**
 * Where a replay stands: the tick that stays, the tick the mouse points at, speed and playing. Pure state.
 * Not for: drawing, keys, the URL (replay.js).
 */

export const SPEEDS = [0.25, 0.5, 1, 2, 4];

export class Playhead {
  /** @param {{last: number, tick?: number, ticksPerSecond?: number}} options `last`: the last tick */
  constructor({ last, tick = 0, ticksPerSecond = 1 }) {
    this.last = last;
    this.tick = this.clamp(tick);
    /** @type {number|null} */
    this.hovered = null;
    this.speed = 1;
    this.playing = false;
    this.origin = { tick: 0, now: 0 };
    this.ticksPerSecond = ticksPerSecond;
  }

  clamp(tick) {
    return Math.max(0, Math.min(this.last, Math.round(Number(tick) || 0)));
  }

  /** The tick on the screen: what the mouse points at, else the tick that stays. */
  get shown() {
    return this.hovered ?? this.tick;
  }

  /** Stay at a tick. */
  seek(tick) {
    this.tick = this.clamp(tick);
    this.hovered = null;
    return this.tick;
  }

  /** Go `by` ticks from what is shown. */
  step(by) {
    return this.seek(this.shown + by);
  }

  /** Show a tick while the mouse is over it; null when it leaves. */
  hover(tick) {
    this.hovered = tick === null ? null : this.clamp(tick);
    return this.shown;
  }

  /** Begin to play from here; `now` in ms. */
  start(now) {
    this.playing = true;
    this.origin = { tick: this.tick, now };
  }

  /** The tick that playing has reached: counted from the start, so that it never lags behind the clock. */
  due(now) {
    return this.clamp(this.origin.tick + Math.floor((now - this.origin.now) / this.interval));
  }

  /** Milliseconds from one tick to the next at this speed. */
  get interval() {
    return 1000 / (this.ticksPerSecond * this.speed);
  }
}

/** A tick as time since the start, m:ss; "" without a clock. @param {number} perSecond ticks a second, 0: no clock */
export function timeOf(tick, perSecond) {
  if (!perSecond) return "";
  const seconds = Math.floor(tick / perSecond);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The nearest of the sorted ticks after (direction 1) or before (-1) `tick`; null when there is none. */
export function nextEvent(ticks, tick, direction) {
  const ahead = direction > 0 ? ticks.filter((t) => t > tick) : ticks.filter((t) => t < tick);
  if (!ahead.length) return null;
  return direction > 0 ? Math.min(...ahead) : Math.max(...ahead);
}

/** Index of the last of the items (sorted by tick) at or before `tick`, or -1. */
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
