/**
 * What a person holds and has pressed, made into the input of each tick. Pure: actions go in by name, inputs come out,
 * and the present record decides what makes sense. Not for: keys and the mouse (controls.js), sending (net.js).
 */
import { NO_BASIC } from "./move.js";
import { boundedPitch, wrap } from "./angles.js";
import {
  ADJUST_FIRE, AIM_STEP, AIRBORNE, B_CROUCH, B_DOOR, B_JUMP, B_NONE, B_PRONE, B_RESCUE, B_RUN, B_SLIDE, B_STOP, CROUCH,
  DROP, FIRE, FIRE_WAIT, FULL_HP, HAND_WAIT, HP, KEEP, LIFE, MEDKITS, MOVING, PICK, PRONE, RELOAD, RELOADING, RESCUED,
  SLIDE_COST, SLIDING, SLOT, STAMINA, STANCE, STANCE_WAIT, STAND, TREATING, UP, WEAPON,
} from "./rules.js";

/** Ticks for which something that was pressed waits until it can be done. */
const PATIENCE = 10;
/** Turn units a pixel of the mouse at sensitivity 1: 0.126 degrees. */
const A_PIXEL = 23;
/** Turn units a second of the arrow keys: at first, at last, and the ms in between. */
const [SLOW_TURN, FAST_TURN, SPEEDING_UP] = [7000, 32000, 600];
const DIRECTIONS = ["forward", "back", "left", "right"];
const TURNS = ["turnLeft", "turnRight", "lookUp", "lookDown"];
const LATCHED = ["jump", "slide", "reload", "interact", "pick", "drop", "fire"];
/** Off this far upwards or downwards aim help doesn't fire yet, turn units. */
const PITCH_ERROR = 350;

/** The direction of movement (0 … 15, clockwise from ahead) of what is held, or -1. */
export function directionOf(forward, back, left, right) {
  const ahead = forward - back;
  const aside = right - left;
  if (!ahead && !aside) return -1;
  return (Math.round(Math.atan2(aside, ahead) / (Math.PI / 8)) + 16) % 16;
}

export class InputState {
  #held = new Set();
  /** Pressed and not yet done: name → ticks it has waited. @type {Map<string, number>} */
  #latched = new Map();
  #runOn = false;
  #zoomOn = false;
  /** @type {any} */
  #wish = null; // the stance that was asked for
  /** @type {any} */
  #slot = null; // the slot that was asked for
  /** @type {any} */
  #treat = null; // kits when treating began, while it goes on
  #rescuing = false;
  #lastDirection = 0;
  #turningFor = 0;
  /** @type {any} */
  #turnedAt = null;
  #input = { move: 0, body: B_STOP, basic: NO_BASIC, switch: KEEP, yaw: 0, pitch: 0 };
  yaw = 0;
  pitch = 0;

  /** @param {import("./settings.js").Settings} settings */
  constructor(settings) { this.settings = settings; }

  get zoomed() { return this.settings.zoomToggle ? this.#zoomOn : this.#held.has("zoom"); }
  get aiming() { return this.#held.has("aimHelp"); }
  get turning() { return TURNS.some((name) => this.#held.has(name)); }
  get #crouchHeld() { return !this.settings.crouchToggle && this.#held.has("crouch"); }
  get #running() { return (this.settings.runToggle ? this.#runOn : this.#held.has("run")) && !this.zoomed; }
  get #direction() { return directionOf(...DIRECTIONS.map((name) => Number(this.#held.has(name)))); }

  /** An action's key went down. @param {string} name */
  press(name) {
    this.#held.add(name);
    if (LATCHED.includes(name)) this.#latched.set(name, 0);
    if (["fire", "aimHelp", "reload", "pick", "drop", "interact"].includes(name)) this.#treat = null;
    if (name === "run" && this.settings.runToggle) this.#runOn = !this.#runOn;
    else if (name === "zoom") this.#zoomOn = !this.#zoomOn;
    else if (name === "crouch" && this.#running && this.#direction >= 0) this.#latched.set("slide", 0);
    else if (name === "crouch" && this.settings.crouchToggle) this.#wish = "crouch";
    else if (name === "prone") this.#wish = "prone";
    else if (name === "jump") this.#wish = null;
    else if (name === "slot1" || name === "slot2" || name === "other") {
      this.#slot = { slot1: 0, slot2: 1, other: "other" }[name];
      this.#treat = null;
    }
    else if (name === "treat") this.#treat = this.#treat === null ? Infinity : null;
  }

  /** It came up. */
  release(name) {
    this.#held.delete(name);
    if (DIRECTIONS.includes(name) && this.#direction < 0) this.#runOn = false;
    if (!this.turning) this.#turningFor = 0;
  }

  /** Nothing is held or waits any more; the view stays. */
  clear() {
    this.#held.clear();
    this.#latched.clear();
    this.#runOn = false;
    this.#zoomOn = false;
    this.#wish = null;
    this.#slot = null;
    this.#treat = null;
    this.#rescuing = false;
    this.#turningFor = 0;
  }

  /** The mouse moved by so many pixels. */
  turn(dx, dy) {
    const { sensitivity, zoomSensitivity, invertY } = this.settings;
    const units = A_PIXEL * sensitivity * (this.zoomed ? zoomSensitivity : 1);
    this.look(this.yaw + dx * units, this.pitch + (invertY ? dy : -dy) * units);
  }

  /** Look there (turn units). */
  look(yaw, pitch) {
    this.yaw = ((yaw % 65536) + 65536) % 65536;
    this.pitch = boundedPitch(pitch);
  }

  /**
   * Time passes: keys that turn go on, faster after a moment; aim help turns to its target.
   * @param {{yaw: number, pitch: number}|null} aim
   */
  advance(now, aim) {
    const passed = this.#turnedAt === null ? 0 : Math.min(100, Math.max(0, now - this.#turnedAt));
    this.#turnedAt = Math.max(this.#turnedAt ?? now, now);
    const has = (name) => Number(this.#held.has(name));
    if (this.turning) {
      this.#turningFor += passed;
      const part = Math.min(1, this.#turningFor / SPEEDING_UP);
      const step = ((SLOW_TURN + (FAST_TURN - SLOW_TURN) * part * part) * this.settings.turnSpeed * (this.zoomed
        ? 0.4
        : 1) * passed) / 1000;
      this.look(this.yaw + (has("turnRight") - has("turnLeft")) * step,
        this.pitch + (has("lookUp") - has("lookDown")) * step * 0.5);
    }
    if (this.aiming && aim) {
      const most = (AIM_STEP * passed) / 50;
      const towards = (off) => Math.max(-most, Math.min(most, off));
      this.look(this.yaw + towards(wrap(Math.round(aim.yaw - this.yaw))), this.pitch + towards(aim.pitch - this.pitch));
    }
  }

  /** The input of this tick; what was pressed once is used up. @param {import("./net.js").Context} context */
  take(context) {
    this.#settle(context);
    const input = this.#decide(context, true);
    for (const [name, age] of this.#latched) {
      if (age >= PATIENCE) this.#latched.delete(name);
      else this.#latched.set(name, age + 1);
    }
    return { ...input };
  }

  /** The input as it would be now; nothing is used up. The same object each time. */
  peek(context) { return this.#decide(context, false); }

  /** What follows from the record before anything is decided. */
  #settle({ own, mateDown }) {
    if (this.#latched.has("interact")) {
      this.#latched.delete("interact");
      if (mateDown) this.#rescuing = true;
      else this.#latched.set("door", 0);
    }
    if (this.#rescuing && (!this.#held.has("interact") || (!mateDown && own[RESCUED] === 0))) this.#rescuing = false;
    if (this.#wish === "crouch") this.#wish = own[STANCE] === CROUCH ? STAND : CROUCH;
    if (this.#wish === "prone") this.#wish = own[STANCE] === PRONE ? STAND : PRONE;
    if (this.#wish === own[STANCE] || own[LIFE] !== UP) this.#wish = null;
    if (this.#slot === "other") this.#slot = 1 - own[SLOT];
    if (this.#slot !== null && (this.#slot === own[SLOT] || own[WEAPON + this.#slot] === 0)) this.#slot = null;
    if (this.#treat === Infinity) this.#treat = own[MEDKITS];
    if (this.#treat !== null && own[MEDKITS] < this.#treat) this.#treat = this.#held.has("treat") ? own[MEDKITS] : null;
    if (this.#treat !== null && (own[MEDKITS] === 0 || own[HP] >= FULL_HP)) this.#treat = null;
  }

  #decide(context, taking) {
    const input = this.#input;
    const { own } = context;
    const direction = this.#direction;
    // What is done once leaves the feet as they were: who lets go in that tick takes the last step the old way.
    input.move = direction >= 0 ? direction : own[MOVING] !== 0 ? this.#lastDirection : 0;
    if (taking && direction >= 0) this.#lastDirection = direction;
    input.body = direction < 0 ? B_STOP : B_NONE;
    input.basic = NO_BASIC;
    input.switch = KEEP;
    input.yaw = Math.round(this.yaw) & 0xffff;
    input.pitch = Math.round(this.pitch);
    if (own[LIFE] !== UP) return input;
    this.#body(input, own, direction, taking);
    if (input.body !== B_RESCUE) this.#hands(input, context, taking);
    return input;
  }

  /** Use up something that was pressed. @returns {boolean} whether it was */
  #used(name, taking) {
    if (!this.#latched.has(name)) return false;
    if (taking) this.#latched.delete(name);
    return true;
  }

  #body(input, own, direction, taking) {
    const steady = own[STANCE_WAIT] <= 1 && own[AIRBORNE] === 0;
    const stance = own[STANCE];
    if (this.#rescuing) {
      // Helping leaves the feet as they were: they stop first.
      input.body = own[MOVING] === 0 ? B_RESCUE : B_STOP;
      return;
    }
    if (own[HAND_WAIT] <= 1 && this.#used("door", taking)) { input.body = B_DOOR; return; }
    if (steady && this.#used("jump", taking)) { input.body = B_JUMP; return; }
    if (steady && stance === STAND && own[MOVING] !== 0 && own[STAMINA] >= SLIDE_COST && this.#used("slide", taking)) {
      input.body = B_SLIDE;
      return;
    }
    const wish = this.#wishedStance(stance);
    if (steady && wish !== stance) { input.body = stanceAction(stance, wish); return; }
    if (direction >= 0 && this.#running && (stance === STAND || !this.#crouchHeld)) input.body = B_RUN;
  }

  #wishedStance(stance) {
    if (typeof this.#wish === "number") return this.#wish;
    if (this.settings.crouchToggle || stance === SLIDING) return stance;
    if (this.#crouchHeld) return CROUCH;
    return stance === CROUCH ? STAND : stance;
  }

  #hands(input, { own, aim }, taking) {
    if (typeof this.#slot === "number" && this.#slot !== own[SLOT]) {
      input.switch = this.#slot;
      if (taking) this.#slot = null;
      return;
    }
    const free = own[HAND_WAIT] <= 1;
    if (free && this.#used("pick", taking)) input.basic = PICK;
    else if (free && this.#used("drop", taking)) input.basic = DROP;
    else if (this.#used("reload", taking)) input.basic = RELOADING;
    else if (this.aiming && aim) {
      // Standing still while it turns up or down: the server looks at the yaw alone before it fires.
      input.body = B_STOP;
      if (Math.abs(aim.pitch - this.pitch) <= PITCH_ERROR) input.basic = ADJUST_FIRE;
    } else if (this.#fires(own, taking)) input.basic = FIRE;
    else if (this.#treat !== null) input.basic = TREATING;
  }

  /** A short click fires too, as soon as the weapon is ready again. */
  #fires(own, taking) {
    const ready = own[FIRE_WAIT] <= 1 && own[RELOAD] === 0;
    if (this.#held.has("fire")) { if (ready) this.#used("fire", taking); return true; }
    return ready && this.#used("fire", taking);
  }
}

/** The body action that leads from one stance to another. */
function stanceAction(from, to) {
  if (to === CROUCH) return B_CROUCH;
  if (to === PRONE) return B_PRONE;
  return from === PRONE ? B_PRONE : B_CROUCH;
}
