/** A match host for tests: one player alone on a plain, the inputs' queue as webapp/host/inputs.py keeps it. */
import { act } from "../../static/js/games/arena/hands.js";
import { NO_BASIC } from "../../static/js/games/arena/move.js";
import * as r from "../../static/js/games/arena/rules.js";
import { INPUT_BYTES, OWN_FIELDS } from "../../static/js/games/arena/protocol.js";

/** A plain with a border, a wall across it at y = 60 and some low walls. */
export function plain() {
  const map = new Int8Array(r.WORLD_SIZE);
  for (let cell = 0; cell < r.CELLS; cell += 1) {
    const [x, y] = [cell % r.SIDE, Math.floor(cell / r.SIDE)];
    const edge = Math.min(x, y, r.SIDE - 1 - x, r.SIDE - 1 - y) < r.BORDER;
    map[cell] = edge ? 100 : y === 60 ? 34 : (x * 7 + y * 13) % 29 === 0 ? 18 : 10;
  }
  return map;
}

/** The record of somebody who stands at a point of the plain. */
export function standing(x = 64 * 256, y = 80 * 256) {
  const own = new Int16Array(OWN_FIELDS);
  own.set([x, y, 10 * r.STEP_HEIGHT]);
  own[r.LIFE] = r.UP;
  own[r.HP] = 100;
  own[r.STAMINA] = r.STAMINA_MAX;
  own[r.WEAPON] = r.RIFLE;
  own[r.MAGAZINE] = 30;
  own[r.AMMO] = 90;
  return own;
}

/** The bytes of a snapshot. @param {object} what fields that aren't as usual */
export function snapshotBytes({
  tick, ack = 0, seat = 0, flags = 0, own = standing(), players = [], monsters = [], events = [], doors = 0,
  waiting = 0, version = 1,
}) {
  const bytes = new Uint8Array(120 + 14 * players.length + 10 * monsters.length + 20 + 14 * events.length);
  const view = new DataView(bytes.buffer);
  bytes.set([2, version]);
  view.setUint16(2, tick, true);
  view.setUint32(4, ack, true);
  bytes.set([seat, flags, 2, 8], 8);
  bytes[18] = waiting;
  own.forEach((value, field) => view.setInt16(20 + 2 * field, value, true));
  let at = 116;
  bytes[at] = players.length;
  at += 1;
  for (const one of players) {
    bytes.set([one.seat, (one.life ?? r.UP) | ((one.stance ?? 0) << 2)], at);
    [one.x, one.y, one.z ?? 320, one.yaw ?? 0].forEach((value, i) => view.setInt16(at + 2 + 2 * i, value, true));
    bytes.set([0, 1, 255, one.mate ? 2 : 0], at + 10);
    at += 14;
  }
  bytes[at] = monsters.length;
  at += 1;
  for (const one of monsters) {
    bytes[at] = one.number;
    [one.x, one.y, one.z ?? 320].forEach((value, i) => view.setInt16(at + 1 + 2 * i, value, true));
    bytes[at + 8] = 70;
    at += 10;
  }
  view.setUint32(at + 16, doors, true);
  bytes[at + 21] = events.length;
  at += 22;
  for (const one of events) {
    bytes.set([one.kind, one.seat ?? 0], at);
    view.setUint16(at + 12, one.tick, true);
    at += 14;
  }
  return bytes.buffer;
}

/** The inputs of a message. */
export function readInputs(bytes) {
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes[2] }, (_, i) => {
    const at = 3 + INPUT_BYTES * i;
    return {
      seq: view.getUint32(at, true), move: bytes[at + 4], body: bytes[at + 5], basic: bytes[at + 6],
      switch: bytes[at + 7],
      yaw: view.getUint16(at + 8, true), pitch: view.getInt16(at + 10, true), seen: view.getUint16(at + 12, true),
    };
  });
}

const IDLE = { move: 0, body: r.B_STOP, basic: NO_BASIC, switch: r.KEEP };

export class Server {
  own = standing();
  doors = 0;
  tick = 1;
  used = 0;
  starved = 0;
  #newest = 0;
  #waiting = [];
  #missed = 0;
  #last = null;
  #out = { doors: 0, shot: 0 };

  constructor(map) { this.map = map; }

  take(bytes) {
    for (const one of readInputs(bytes)) if (one.seq > this.#newest) {
      this.#newest = one.seq;
      this.#waiting.push(one);
    }
    while (this.#waiting.length > 4) this.#waiting.shift();
  }

  /** One tick; returns the bytes of its snapshot. */
  step(more = {}) {
    let input = this.#waiting.shift();
    if (input) {
      this.used = input.seq;
      this.#last = input;
      this.#missed = 0;
    } else {
      this.#missed += 1;
      if (this.#last) this.starved += 1;
      const looks = { yaw: this.own[r.YAW] & 0xffff, pitch: this.own[r.PITCH] };
      input = this.#last && this.#missed <= 5
        ? { ...this.#last, ...again(this.#last, this.own) }
        : { ...IDLE, ...looks };
    }
    act(this.own, this.map, this.doors, input, this.#out);
    this.doors = this.#out.doors;
    this.tick += 1;
    return snapshotBytes({ tick: this.tick, ack: this.used, own: this.own, doors: this.doors,
      waiting: this.#waiting.length, ...more });
  }
}

function again({ body }, own) {
  const goesOn = [r.B_STOP, r.B_RUN, r.B_RESCUE, r.B_NONE].includes(body);
  return { body: goesOn ? body : own[r.MOVING] ? r.B_NONE : r.B_STOP, basic: NO_BASIC, switch: r.KEEP };
}
