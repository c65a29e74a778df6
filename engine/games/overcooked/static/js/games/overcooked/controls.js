/**
 * Keys and fingers that steer a chef: which directions are held, and what the host must hear of it. Not for: which
 * key means what (table.js), sending (lib/match-socket.js).
 */
import { STAY } from "./model.js";

/** Directions that are held down, the last one first in line; actions that are pressed once. */
export class Held {
  /** @type {number[]} */
  #order = [];

  /** @param {(type: "press"|"release", action: number) => void} send */
  constructor(send) { this.send = send; }

  /** A key or finger went down. @param {number} action */
  press(action) {
    if (action < STAY) this.#order = [...this.#order.filter((one) => one !== action), action];
    this.send("press", action);
  }

  /** It came up: the direction that was held before it, if any, goes on. @param {number} action */
  release(action) {
    if (!this.#order.includes(action)) return;
    const top = this.direction;
    this.#order = this.#order.filter((one) => one !== action);
    this.send("release", action);
    if (action === top && this.direction !== null) this.send("press", this.direction);
  }

  /** Nothing is held any more. */
  clear() {
    for (const action of [...this.#order].reverse()) {
      this.#order = this.#order.filter((one) => one !== action);
      this.send("release", action);
    }
  }

  /** The line is back: the host has forgotten what is held. */
  again() { if (this.direction !== null) this.send("press", this.direction); }

  /** The direction that counts, or null. */
  get direction() { return this.#order.at(-1) ?? null; }
}

/**
 * The direction (0 … 3) from the middle of a pad to a point, or null close to the middle. `radius` in the same unit.
 * @param {number} x @param {number} y @param {number} radius
 */
export function direction(x, y, radius) {
  if (Math.hypot(x, y) < radius * 0.22) return null;
  if (Math.abs(x) > Math.abs(y)) return x > 0 ? 2 : 3;
  return y > 0 ? 1 : 0;
}

/**
 * Let a finger on `pad` steer: it may slide from one direction to another. @param {HTMLElement} pad @param {Held} held
 */
export function listenToPad(pad, held) {
  const fingers = new Map(); // pointer id → direction
  const read = (/** @type {PointerEvent} */ event) => {
    const { left, top, width, height } = pad.getBoundingClientRect();
    return direction(event.clientX - left - width / 2, event.clientY - top - height / 2, Math.min(width, height) / 2);
  };
  const change = (/** @type {number} */ id, /** @type {number|null} */ to) => {
    const from = fingers.get(id) ?? null;
    if (from === to) return;
    fingers.set(id, to);
    if (to !== null) held.press(to);
    if (from !== null) held.release(from);
    pad.dataset.direction = String(to ?? "");
  };
  pad.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    pad.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, null);
    change(event.pointerId, read(event));
  });
  pad.addEventListener("pointermove", (event) => {
    if (fingers.has(event.pointerId)) change(event.pointerId, read(event));
  });
  const up = (/** @type {any} */ event) => {
    if (!fingers.has(event.pointerId)) return;
    change(event.pointerId, null);
    fingers.delete(event.pointerId);
  };
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) pad.addEventListener(name, up);
}
