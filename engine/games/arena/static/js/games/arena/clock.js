/**
 * Time on a line that jitters: when the next input is due, and which tick of the others is on the screen. Pure but for
 * what is remembered; all times in milliseconds of one clock. Not for: sockets, what happens in a tick.
 */

import { MOST_INPUTS } from "./protocol.js";

export const TICK = 50;
/** Most inputs that are caught up after the page stood still: what one message holds. */
const MOST_BEHIND = MOST_INPUTS;
const WINDOW = 40; // snapshots, 2 s
/** From so many inputs that always wait at the host, the clock runs a little slower until they are used. */
const TOO_MANY = 2;
const SLOWER = 1.03;

/** The clock of one's own inputs: 20 a second on the time that has passed, whoever asks how often. */
export class InputClock {
  /** @type {any} */
  #last = null;
  #left = 0;
  #waiting = [];
  #period = TICK;

  /** Forget the time that has passed: nothing is due. */
  reset() { this.#last = null; this.#left = 0; }

  /** How many inputs are due now (0 to 3). What was missed beyond that is left out. */
  due(now) {
    if (this.#last === null) { this.#last = now; return 0; }
    this.#left += Math.max(0, now - this.#last);
    this.#last = Math.max(this.#last, now);
    let ticks = Math.floor(this.#left / this.#period);
    this.#left -= ticks * this.#period;
    if (ticks > MOST_BEHIND) ticks = MOST_BEHIND;
    return ticks;
  }

  /**
   * The part of the tick that has passed since the last input, at most 1. Below 0 when a frame is drawn for a moment
   * before that input, as animation frames are.
   */
  part(now) {
    return this.#last === null ? 0 : Math.max(-0.5, Math.min(1, (this.#left + now - this.#last) / this.#period));
  }

  /** The host says how many of our inputs wait. Those that always do are nothing but delay. */
  waiting(count) {
    this.#waiting.push(count);
    if (this.#waiting.length > WINDOW) this.#waiting.shift();
    this.#period = this.#waiting.length === WINDOW && Math.min(...this.#waiting) >= TOO_MANY ? TICK * SLOWER : TICK;
  }

  get period() { return this.#period; }
}

/** The value below which a part (0 to 1) of the numbers lies. */
export function quantile(numbers, part) {
  if (!numbers.length) return 0;
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)];
}

/**
 * The clock of the others: they are drawn two snapshots and the line's jitter late, so that the next snapshot is there
 * before it is needed. It runs evenly: never jumps by less than a quarter of a second, never runs back.
 */
export class RenderClock {
  #offsets = []; // arrival less the tick's time: delay, up to a constant
  #late = 0; // arrivals in a row that came far later than the window says
  #latest = -1;
  /** @type {any} */
  #tick = null;
  #asked = 0;
  jitter = 0;

  /** A snapshot came. */
  arrived(tick, now) {
    if (tick <= this.#latest) return;
    this.#latest = tick;
    const offset = now - tick * TICK;
    this.#late = this.#offsets.length && offset - Math.min(...this.#offsets) > 150 ? this.#late + 1 : 0;
    // After a pause of the match, or on another line, all come later than before.
    if (this.#late >= 10) this.#offsets = this.#offsets.slice(-9);
    this.#offsets.push(offset);
    if (this.#offsets.length > WINDOW) this.#offsets.shift();
    const least = Math.min(...this.#offsets);
    this.jitter = quantile(this.#offsets.map((offset) => offset - least), 0.95);
  }

  /** Forget everything: another line, another match. */
  reset() {
    this.#offsets = [];
    this.#late = 0;
    this.#latest = -1;
    this.#tick = null;
    this.jitter = 0;
  }

  /** Milliseconds by which the others are drawn late. */
  get delay() { return Math.min(250, Math.max(100, 2 * TICK + this.jitter)); }

  /** The tick (a fraction) to draw now: at most 100 ms past the newest snapshot; null before the first. */
  at(now) {
    if (this.#latest < 0) return null;
    // An animation frame is drawn for a moment that may lie before what a timer asked for.
    if (this.#tick !== null && now < this.#asked) return this.#tick - Math.min(1, (this.#asked - now) / TICK);
    const wanted = (now - this.delay - Math.min(...this.#offsets)) / TICK;
    const passed = this.#tick === null ? 0 : (now - this.#asked) / TICK;
    this.#asked = now;
    if (this.#tick === null || Math.abs(wanted - this.#tick - passed) > 5) this.#tick = wanted;
    else {
      const off = wanted - this.#tick - passed;
      this.#tick += passed + Math.max(-0.1 * passed, Math.min(0.1 * passed, off));
    }
    this.#tick = Math.min(this.#tick, this.#latest + 2);
    return this.#tick;
  }
}
