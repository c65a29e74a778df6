/**
 * One's own player ahead of the server: each input is played at once with the rules' own arithmetic, what the server
 * then says is taken, and the inputs that it hasn't used are played again on top. Pure but for what is remembered. Not
 * for:
 * when inputs are due (clock.js), bytes and sockets (net.js).
 */
import { act } from "./hands.js";
import { EYES, STANCE, X, Y, Z } from "./rules.js";
import { OWN_FIELDS } from "./protocol.js";

/** Units within which an error is smoothed, and the ms that this takes; what is further off is put right at once. */
export const SMOOTHED = 128;
export const SMOOTHING = 100;
/** Inputs that can be unanswered: four seconds, then the line is as good as broken. */
const MOST_PENDING = 80;
const EYES_TURN = 90; // ms in which eyes get two thirds of the way to another height

/** @typedef {{seq: number, ack: number, dx: number, dy: number, dz: number, distance: number}} Correction in units */

export class Prediction {
  /** Inputs that the server hasn't used, with where each brought us. */
  #pending = [];
  /** @type {any} */
  #map = null;
  #peeked = new Int16Array(OWN_FIELDS);
  #out = { doors: 0, shot: 0 };
  /** @type {any} */
  #confirmed = null; // where the last used input should have brought us
  #offset = { x: 0, y: 0, z: 0, at: 0 };
  /** @type {any} */
  #last = null; // what was shown last
  #lastKey = "";
  /** @type {any} */
  #eyes = null;
  /** The record as it is after the newest input. */
  own = new Int16Array(OWN_FIELDS);
  doors = 0;
  started = false;
  corrections = 0;
  largest = 0;

  /** @param {Int8Array} map */
  constructor(map) { this.#map = map; }

  get pending() { return this.#pending.length; }

  /** Forget the inputs that are under way: another line, or somebody else moves the player now. */
  forget() {
    this.#pending = [];
    this.#confirmed = null;
    this.started = false;
  }

  /**
   * Play an input of ours. @param {import("./protocol.js").SentInput} input
   * @returns {number} the weapon that shot, 0 for none
   */
  play(input) {
    if (!this.started) return 0;
    const shot = this.#step(this.own, input);
    this.#pending.push({ input, x: this.own[X], y: this.own[Y], z: this.own[Z] });
    if (this.#pending.length > MOST_PENDING) this.#pending.shift();
    return shot;
  }

  #step(own, input) {
    act(own, this.#map, this.doors, input, this.#out);
    this.doors = this.#out.doors;
    return this.#out.shot;
  }

  /**
   * Take what the server says. @param {import("./protocol.js").Snapshot} snapshot @param {number} now
   * @returns {Correction|null} null when it is what was expected
   */
  reconcile(snapshot, now) {
    const { ack, own } = snapshot;
    const expected = this.#expected(ack);
    this.#pending = this.#pending.filter((one) => one.input.seq > ack);
    this.#confirmed = { ack, x: own[X], y: own[Y], z: own[Z] };
    const [x, y, z] = [this.own[X], this.own[Y], this.own[Z]];
    this.own.set(own);
    this.doors = snapshot.doors;
    for (const one of this.#pending) {
      this.#step(this.own, one.input);
      one.x = this.own[X];
      one.y = this.own[Y];
      one.z = this.own[Z];
    }
    if (!this.started) { this.started = true; this.#stand(); return null; }
    if (!expected) { this.#stand(); return null; }
    const [dx, dy, dz] = [own[X] - expected.x, own[Y] - expected.y, own[Z] - expected.z];
    if (!dx && !dy && !dz) return null;
    const distance = Math.hypot(dx, dy, dz);
    this.corrections += 1;
    this.largest = Math.max(this.largest, distance);
    this.#shift(x - this.own[X], y - this.own[Y], z - this.own[Z], now);
    return { seq: this.#pending.at(-1)?.input.seq ?? ack, ack, dx, dy, dz, distance };
  }

  /** Where we thought to be after the input that the server used last, or null if that isn't known. */
  #expected(ack) {
    if (this.#confirmed?.ack === ack) return this.#confirmed;
    return this.#pending.find((one) => one.input.seq === ack) ?? null;
  }

  /** What is shown stays where it is and comes over in a moment. */
  #shift(x, y, z, now) {
    const left = this.#rest(now);
    const offset = this.#offset;
    offset.x = offset.x * left + x;
    offset.y = offset.y * left + y;
    offset.z = offset.z * left + z;
    offset.at = now;
    if (Math.hypot(offset.x, offset.y, offset.z) > SMOOTHED) this.#stand();
  }

  #stand() { Object.assign(this.#offset, { x: 0, y: 0, z: 0 }); this.#last = null; }

  #rest(now) { return Math.max(0, Math.min(1, 1 - (now - this.#offset.at) / SMOOTHING)); }

  /**
   * Where the own eyes are drawn: between the newest input and the one that would be made now, so that a key moves the
   * picture in the next frame. @param {import("./move.js").Input} input what would be sent now
   * @param {number} part of the tick that has passed @param {{x: number, y: number, z: number, eyes: number}} into
   */
  place(input, part, now, into) {
    this.#peeked.set(this.own);
    const doors = this.doors;
    this.#step(this.#peeked, input);
    this.doors = doors;
    const between = (field) => this.own[field] + (this.#peeked[field] - this.own[field]) * part;
    const [x, y, z] = [between(X), between(Y), between(Z)];
    // A key that went down or up in the middle of a tick mustn't make the picture jump.
    const key = `${input.move} ${input.body} ${input.basic}`;
    if (this.#last && key !== this.#lastKey) {
      const left = this.#rest(now);
      const { x: ox, y: oy, z: oz } = this.#offset;
      this.#shift(this.#last.x - x - ox * left, this.#last.y - y - oy * left, this.#last.z - z - oz * left, now);
    }
    this.#lastKey = key;
    const left = this.#rest(now);
    into.x = x + this.#offset.x * left;
    into.y = y + this.#offset.y * left;
    into.z = z + this.#offset.z * left;
    const eyes = EYES[this.own[STANCE]];
    const passed = this.#last ? Math.max(0, now - this.#last.now) : Infinity;
    this.#eyes = this.#eyes === null ? eyes : eyes + (this.#eyes - eyes) * Math.exp(-passed / EYES_TURN);
    into.eyes = this.#eyes;
    this.#last ??= { x: 0, y: 0, z: 0, now };
    Object.assign(this.#last, { x: into.x, y: into.y, z: into.z, now });
  }
}
