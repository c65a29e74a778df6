/**
 * Fingers instead of keys and a mouse: a stick under the left thumb, the view under the right one, buttons for what
 * hands and mouth do. They press the same actions as keys (controls.js), so nothing else knows of them. Not for: what
 * an action does (input.js), aim help (aim.js), which the fire button asks for.
 */
import { el, findAll } from "../../lib/dom.js";

const REACH = 56; // pixels from where the thumb came down to a full push
const IDLE = 0.28, RUNS = 0.96; // parts of it from which one walks and runs
const TURNS = 2.2; // a finger's pixels count as so many of a mouse

/**
 * The actions that a push of the stick holds.
 * @param {number} x to the right
 * @param {number} y downwards, in parts of a full push
 */
export function pushed(x, y) {
  const far = Math.hypot(x, y);
  if (far < IDLE) return [];
  const names = [], aside = Math.abs(x) / far > 0.38, ahead = Math.abs(y) / far > 0.38;
  if (ahead) names.push(y < 0 ? "forward" : "back");
  if (aside) names.push(x < 0 ? "left" : "right");
  if (far >= RUNS) names.push("run");
  return names;
}

export class TouchControls {
  /** @type {any} */
  #stick = null; // {id, x, y} of the finger that walks
  /** @type {any} */
  #look = null; // of the one that turns
  #held = [];

  /**
   * @param {HTMLElement} stage
   * @param {HTMLElement} pad with the stick and buttons
   * @param {import("./controls.js").ArenaControls} controls
   * @param {() => boolean} plays
   */
  constructor(stage, pad, controls, plays) {
    this.stage = stage;
    this.pad = pad;
    this.controls = controls;
    this.plays = plays;
    this.knob = el("i.knob", { "aria-hidden": "true", hidden: true });
    pad.prepend(this.knob);
    stage.addEventListener("pointerdown", (event) => this.#down(event));
    for (const name of ["pointermove"]) stage.addEventListener(name, (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) stage.addEventListener(name, (event) => this.#up(event));
    for (const button of findAll("[data-press]", pad)) {
      const names = button.dataset.press.split(" ");
      const all = (down) => { for (const name of names) controls.press(name, down); };
      button.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        button.setPointerCapture(event.pointerId);
        all(true);
      });
      for (const up of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(up,
        () => all(false));
    }
  }

  #down(event) {
    if (event.pointerType === "mouse" || !this.plays()) return;
    if (!this.controls.active) { this.controls.setTouch(); return; }
    const finger = { id: event.pointerId, x: event.clientX, y: event.clientY };
    this.stage.setPointerCapture(event.pointerId);
    if (event.clientX < this.stage.clientWidth * 0.42) {
      this.#stick ??= finger;
      this.#showKnob(0, 0);
    } else this.#look ??= finger;
  }

  #move(event) {
    if (this.#stick?.id === event.pointerId) {
      const x = (event.clientX - this.#stick.x) / REACH, y = (event.clientY - this.#stick.y) / REACH,
        far = Math.max(1, Math.hypot(x, y));
      this.#hold(pushed(x, y));
      this.#showKnob(x / far, y / far);
    } else if (this.#look?.id === event.pointerId) {
      this.controls.turn((event.clientX - this.#look.x) * TURNS, (event.clientY - this.#look.y) * TURNS);
      Object.assign(this.#look, { x: event.clientX, y: event.clientY });
    }
  }

  #up(event) {
    if (this.#stick?.id === event.pointerId) { this.#stick = null; this.#hold([]); this.knob.hidden = true; }
    if (this.#look?.id === event.pointerId) this.#look = null;
  }

  #hold(names) {
    for (const name of this.#held) if (!names.includes(name)) this.controls.press(name, false);
    for (const name of names) if (!this.#held.includes(name)) this.controls.press(name, true);
    this.#held = names;
  }

  #showKnob(x, y) {
    const box = this.pad.getBoundingClientRect();
    this.knob.hidden = false;
    this.knob.style.translate = `${this.#stick.x - box.left}px ${this.#stick.y - box.top}px`;
    this.knob.style.setProperty("--x", `${x * REACH * 0.6}px`);
    this.knob.style.setProperty("--y", `${y * REACH * 0.6}px`);
  }
}
