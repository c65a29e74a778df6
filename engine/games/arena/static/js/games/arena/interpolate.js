/**
 * Where the others are at a moment between two snapshots. Keeps the last snapshots and writes what is to be drawn into
 * one scene that is used again and again. Not for: when that moment is (clock.js), one's own player (predict.js).
 */
import { wrap } from "./angles.js";
import { MAX_SEATS, MONSTERS, PITCH, X, Y, YAW, Z } from "./rules.js";
import { newSnapshot } from "./protocol.js";

const KEPT = 32;
/** Ticks past the newest snapshot for which somebody goes on as they went. */
const AHEAD = 2;
/** Units a tick that nobody moves: whoever does was put there. */
const JUMP = 160;

/**
 * @typedef {import("./protocol.js").Player & {shown: boolean}} ShownPlayer x, y, z in units with fractions
 * @typedef {import("./protocol.js").Monster & {shown: boolean}} ShownMonster
 */

/** The last snapshots, oldest first. */
export class Snapshots {
  #ring = Array.from({ length: KEPT }, newSnapshot);
  #count = 0;
  #players = Array.from({ length: 2 }, () => new Int8Array(MAX_SEATS)); // by seat: where it is in each of two lists, -1
  #monsters = Array.from({ length: 2 }, () => new Int8Array(MONSTERS));
  /** By seat, and by number. @type {ShownPlayer[]} */
  players = Array.from({ length: MAX_SEATS }, (_, seat) => ({ ...newSnapshot().players[0], seat, shown: false }));
  /** @type {ShownMonster[]} */
  monsters = Array.from({ length: MONSTERS }, (_, number) => ({ ...newSnapshot().monsters[0], number, shown: false }));
  /** The watched player's own record, when somebody else moves it. */
  own = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0 };

  /** A snapshot to decode into; it counts once it is `keep`t. */
  get spare() { return this.#ring[this.#count % KEPT]; }

  /** Take `spare` as the newest; in the place of one of the same tick, which other eyes saw. */
  keep() {
    if (this.#count && this.#at(1).tick === this.spare.tick) {
      const [now, before] = [this.#count % KEPT, (this.#count - 1) % KEPT];
      [this.#ring[now], this.#ring[before]] = [this.#ring[before], this.#ring[now]];
    } else this.#count += 1;
  }

  /** Forget those that are kept; the spare stays as it is. */
  forget() {
    const { spare } = this;
    this.#count = 0;
    this.#ring[this.#ring.indexOf(spare)] = this.#ring[0];
    this.#ring[0] = spare;
    for (const one of this.players) one.shown = false;
    for (const one of this.monsters) one.shown = false;
  }

  /** @returns {import("./protocol.js").Snapshot|null} */
  get newest() { return this.#count ? this.#at(1) : null; }

  /** The n-th last one. */
  #at(n) { return this.#ring[(this.#count - n + KEPT) % KEPT]; }

  /** Bring players, monsters and the own record to this tick (a fraction). */
  show(tick) {
    // One slot of the ring is the spare.
    const kept = Math.min(this.#count, KEPT - 1);
    if (!kept) return;
    let n = 1;
    while (n < kept && this.#at(n).tick > tick) n += 1;
    const from = this.#at(n);
    const to = n > 1 ? this.#at(n - 1) : null;
    const before = n < kept ? this.#at(n + 1) : null;
    if (to) this.#between(from, to, Math.max(0, (tick - from.tick) / (to.tick - from.tick)), to.tick - from.tick);
    // Past the newest: as between the last two, and on.
    else if (before)
      this.#between(before, from, 1 + Math.min(AHEAD, Math.max(0, tick - from.tick)) / (from.tick - before.tick),
      from.tick - before.tick);
    else this.#between(from, from, 0, 1);
  }

  #between(from, to, part, ticks) {
    // Past the newest, those who are in it are shown; between two, those of the earlier.
    const held = part > 1 ? to : from;
    index(this.#players[0], from.players, from.playerCount, "seat");
    index(this.#players[1], to.players, to.playerCount, "seat");
    index(this.#monsters[0], from.monsters, from.monsterCount, "number");
    index(this.#monsters[1], to.monsters, to.monsterCount, "number");
    for (const into of this.players) {
      const [a, b] = [from.players[this.#players[0][into.seat]], to.players[this.#players[1][into.seat]]];
      const base = held === to ? b : a;
      into.shown = base !== undefined;
      if (!into.shown) continue;
      copy(into, base);
      if (a && b) { blend(into, a, b, part, ticks); into.pitch = a.pitch + (b.pitch - a.pitch) * Math.min(1, part); }
    }
    for (const into of this.monsters) {
      const [a, b] = [from.monsters[this.#monsters[0][into.number]], to.monsters[this.#monsters[1][into.number]]];
      const base = held === to ? b : a;
      into.shown = base !== undefined;
      if (!into.shown) continue;
      copy(into, base);
      if (a && b) blend(into, a, b, part, ticks);
    }
    this.#own(from, to, part, ticks);
  }

  #own(from, to, part, ticks) {
    const [a, b] = [from.own, to.own];
    const same = from.seat === to.seat && Math.hypot(b[X] - a[X], b[Y] - a[Y]) <= JUMP * ticks;
    const t = same ? Math.min(1, part) : 1;
    this.own.x = a[X] + (b[X] - a[X]) * t;
    this.own.y = a[Y] + (b[Y] - a[Y]) * t;
    this.own.z = a[Z] + (b[Z] - a[Z]) * t;
    this.own.yaw = a[YAW] + wrap(b[YAW] - a[YAW]) * t;
    this.own.pitch = a[PITCH] + (b[PITCH] - a[PITCH]) * t;
  }
}

function index(into, list, count, key) {
  into.fill(-1);
  for (let i = 0; i < count; i += 1) into[list[i][key]] = i;
}

function copy(into, from) {
  for (const key in from) into[key] = from[key];
}

/** Between two places, or past the second; whoever was put elsewhere is there at once when the second is due. */
function blend(into, a, b, part, ticks) {
  const put = Math.hypot(b.x - a.x, b.y - a.y) > JUMP * ticks;
  if (put) { if (part >= 1) copy(into, b); return; }
  into.x = a.x + (b.x - a.x) * part;
  into.y = a.y + (b.y - a.y) * part;
  into.z = a.z + (b.z - a.z) * Math.min(1, part);
  into.yaw = a.yaw + wrap(b.yaw - a.yaw) * Math.min(1, part);
}
