/**
 * What counts as a press of a key: it acts once, however long it is held, where it began; what an input method hears is
 * the input method's. keys.js asks here before any listener of a page hears of a key. No page is needed. Not for: which
 * key does what (keys.js), pointers.
 */
import { isTyping } from "./dom.js";
import { codeOf } from "./codes.js";

/**
 * The event of a press → what is done at each of its repeats.
 * @type {WeakMap<Event, (event: KeyboardEvent) => void>}
 */
const again = new WeakMap();

/**
 * Let what this press does be done again while the key is held: walking, scrubbing. `run` says by preventDefault
 * whether the browser does its own, too.
 * @param {Event} event
 * @param {(event: KeyboardEvent) => void} run
 */
export const repeats = (event, run) => void again.set(event, run);

/**
 * Whether a key chooses among an input method's candidates, or composes what is typed.
 * @param {KeyboardEvent} event
 */
export const composes = (event) => Boolean(event.isComposing) || event.keyCode === 229;

/** Held, they would press button after button, or send line after line. */
const ONCE = ["Enter", "NumpadEnter", "Escape"];
/** @param {any} target */
const takesKeys = (target) => isTyping(target) || Boolean(target?.closest?.("button, a[href], summary, input, select"));

export class Presses {
  /**
   * Place of each key that is down → the event and the element with which it went down.
   * @type {Map<string, {event: KeyboardEvent, target: EventTarget}>}
   */
  #down = new Map();

  /**
   * What becomes of a key that goes down. @param {KeyboardEvent} event
   * @returns {"press"|"native"|"nothing"|((event: KeyboardEvent) => void)} "press": everybody hears of it; "native":
   *   only the browser, which writes and scrolls on; "nothing"; or what is done again
   */
  down(event) {
    if (composes(event)) return "native";
    const place = codeOf(event);
    if (!event.repeat) {
      this.#down.set(place, { event, target: /** @type {EventTarget} */ (event.target) });
      return "press";
    }
    // A key that nobody saw go down was down before the page was there.
    const first = this.#down.get(place);
    if (!first) return "nothing";
    const repeats = again.get(first.event);
    if (repeats) return repeats;
    if (first.event.defaultPrevented || ONCE.includes(place)) return "nothing";
    return first.target !== event.target && takesKeys(event.target) && place !== "Tab" ? "nothing" : "native";
  }

  /**
   * Whether what a key writes or presses goes where the key went down.
   * @param {KeyboardEvent} event "keypress" or "keyup"
   */
  stays(event) {
    const first = this.#down.get(codeOf(event));
    return !first || first.target === event.target || !takesKeys(event.target);
  }

  /** @param {KeyboardEvent} event */
  up(event) { this.#down.delete(codeOf(event)); }

  /** Nothing is known to be down any more. */
  clear() { this.#down.clear(); }
}
