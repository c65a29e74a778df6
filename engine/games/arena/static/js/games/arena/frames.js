/**
 * A recorded match of Arena at any tick: chunks of columns as engine/games/arena/frames.py writes them, turned into
 * what a live page gets as a snapshot (protocol.js), of everything or of what one seat could see. Pure, but for the
 * fetching in `FrameStore`. Not for: drawing (arena/replay.js).
 */
import { NOBODY, OWN_FIELDS, UNKNOWN_HP } from "./protocol.js";
import {
  DOWNED, EYES, HELPED_BY, HP, LIFE, MAX_TEAMS, OUT, PITCH, RELOAD, SHOT_TICK, SIGHT, SIGHT_2, SLOT, STANCE, RESCUE,
  TREAT, UP, VX, VY, WEAPON, X, Y, YAW, Z,
} from "./rules.js";
import { clear } from "./world.js";

const VERSION = 1;
const HEAD = 16; // bytes
const EVENT = 8; // numbers
/** Columns of a player after one's own record. */
export const [KILLS, KNOCKS, DEALT, SHOTS, HITS, , HEALS, RESCUES, , , , PLACE] = Array.from({ length: 13 },
  (_, i) => OWN_FIELDS + i);
/** Columns of the match. */
const [OVER, LEFT, , STAGE, SHRINKING, PHASE_LEFT, , BLUE_X, BLUE_Y, BLUE_R, WHITE_X, WHITE_Y,
  WHITE_R] = Array.from({ length: 13 }, (_, i) => i);
const MONSTER_FIELDS = 5;
const STILL_SEEN = 3; // ticks for which an enemy out of sight is still shown, as in live play
const [MONSTERS_SEEN, SUPPLIES_SEEN] = [40 * 256, 25 * 256]; // units
const MONSTER_EYES = 150; // units above its feet
const RUNNING = 62; // units a tick from which on somebody runs

/** The ticks of one chunk. */
export class Chunk {
  /** @param {ArrayBuffer} bytes */
  constructor(bytes) {
    const view = new DataView(bytes);
    if (view.getUint8(0) !== VERSION)
      throw new Error(
        `The server sent frames of version ${view.getUint8(0)}, this page reads ${VERSION}. Reload the page.`);
    this.rows = view.getUint16(2, true);
    this.first = view.getUint32(4, true);
    const [columns, varying, events] = [view.getUint16(8, true), view.getUint16(10, true), view.getUint32(12, true)];
    this.start = new Int16Array(bytes, HEAD, columns);
    const numbers = new Uint16Array(bytes, HEAD + 2 * columns, varying);
    const changes = new Int16Array(bytes, HEAD + 2 * (columns + varying), varying * (this.rows - 1));
    this.events = new Int16Array(bytes, HEAD + 2 * (columns + varying + changes.length), events * EVENT);
    /** Where a column's values begin, -1 for one that never changes. */
    this.where = new Int32Array(columns).fill(-1);
    this.values = new Int16Array(varying * this.rows);
    let from = 0;
    for (let i = 0; i < varying; i += 1) {
      const at = i * this.rows;
      this.where[numbers[i]] = at;
      this.values[at] = this.start[numbers[i]];
      for (let row = 1; row < this.rows; row += 1) this.values[at + row] = this.values[at + row - 1] + changes[from++];
    }
  }

  /** A column's value at a tick of this chunk. */
  get(column, tick) {
    const at = this.where[column];
    return at < 0 ? this.start[column] : this.values[at + tick - this.first];
  }

  /** The events that led to a tick: [{kind, seat, other, x, y, z, value, tick}]. */
  eventsAt(tick) {
    const found = [];
    for (let at = 0; at < this.events.length; at += EVENT) {
      if (this.events[at + 1] !== tick) continue;
      const [kind, , seat, other, x, y, z, value] = this.events.subarray(at, at + EVENT);
      found.push({ kind, seat, other, x, y, z, value, tick });
    }
    return found;
  }
}

/** The chunks of a match, fetched as they are needed: what is looked at first, then everything else. */
export class FrameStore {
  /**
   * @param {object} layout what the stream says of its frames @param {Int8Array} map
   * @param {(number: number) => Promise<ArrayBuffer>} fetchChunk
   */
  constructor(layout, map, fetchChunk) {
    this.layout = layout;
    this.map = map;
    this.fetchChunk = fetchChunk;
    this.count = Math.ceil((layout.ticks + 1) / layout.chunk);
    /** @type {(Chunk|undefined)[]} */
    this.chunks = new Array(this.count);
    this.asked = new Map();
    /** @type {(number: number) => void} */
    this.onMore = () => {};
    /** @type {any} the first frame */
    this.beginning = null;
  }

  numberOf(tick) {
    return Math.floor(tick / this.layout.chunk);
  }

  has(tick) {
    return this.chunks[this.numberOf(tick)] !== undefined;
  }

  get complete() {
    return this.chunks.every((chunk) => chunk !== undefined) && this.chunks.length === this.count;
  }

  /** Fetch the chunk of a tick, once. @returns {Promise<void>} */
  load(tick) {
    const number = this.numberOf(tick);
    if (!this.asked.has(number)) {
      const wait = this.fetchChunk(number).then((bytes) => {
        this.chunks[number] = new Chunk(bytes);
        this.onMore(number);
      }).catch((error) => { this.asked.delete(number); throw error; });
      this.asked.set(number, wait);
    }
    return this.asked.get(number);
  }

  /** Fetch all chunks, those nearest to `tick()` first. Stops at the first that can't be had. */
  async loadAll(tick) {
    for (;;) {
      const here = this.numberOf(tick());
      const missing = [...this.chunks.keys()].filter((number) => !this.chunks[number]);
      if (!missing.length) return;
      const nearest = missing.sort((a, b) => Math.abs(a - here) - Math.abs(b - here)).slice(0, 2);
      await Promise.all(nearest.map((number) => this.load(number * this.layout.chunk)));
    }
  }

  /** Of a tick that is there. @returns {Chunk} */
  #chunkOf(tick) {
    return /** @type {Chunk} */ (this.chunks[this.numberOf(tick)]);
  }

  player(seat) {
    return this.layout.where.players + this.layout.player_fields * seat;
  }

  /** A field of a player at a tick. */
  of(seat, field, tick) {
    return this.#chunkOf(tick).get(this.player(seat) + field, tick);
  }

  /** Whether two seats had each other in line of sight at a tick, or up to three before. */
  inSight(seat, other, tick) {
    const field = other < 10 ? SIGHT : SIGHT_2;
    for (let t = tick; t >= Math.max(0, tick - STILL_SEEN); t -= 1) {
      if (this.has(t) && (this.of(seat, field, t) >> (other % 10)) & 1) return true;
    }
    return false;
  }

  /** Whose eyes a seat watches through: its own, or once it is out those of a mate who isn't. */
  eyesOf(seat, tick) {
    if (this.of(seat, LIFE, tick) !== OUT) return seat;
    const size = this.layout.team_size;
    const first = seat - (seat % size);
    for (let mate = first; mate < first + size; mate += 1) if (this.of(mate, LIFE, tick) !== OUT) return mate;
    return seat;
  }

  /**
   * The match at a tick; null while its chunk isn't there. `seat` null: everything; else what that seat could see.
   * @param {number} tick @param {number|null} [seat]
   * @returns {any} as import("./protocol.js").Snapshot, with `seat`
   */
  frame(tick, seat = null) {
    const chunk = this.chunks[this.numberOf(tick)];
    if (!chunk) return null;
    const { where, seats, team_size: size } = this.layout;
    const match = (field) => chunk.get(where.match + field, tick);
    const eyes = seat === null ? null : this.eyesOf(seat, tick);
    const team = eyes === null ? -1 : Math.floor(eyes / size);
    const own = new Int16Array(OWN_FIELDS);
    if (eyes !== null) for (let field = 0; field < OWN_FIELDS; field += 1) own[field] = this.of(eyes, field, tick);
    const doors = this.#doors(chunk, tick);
    const players = [];
    let up = 0;
    for (let other = 0; other < seats; other += 1) {
      const life = this.of(other, LIFE, tick);
      if (life === UP) up += 1;
      if (life === OUT) continue;
      const mate = Math.floor(other / size) === team;
      if (eyes === null || mate || this.inSight(eyes, other, tick))
        players.push(this.#player(other, tick, mate, eyes === null || mate));
    }
    const near = (x, y, reach) => eyes === null || Math.hypot(x - own[X], y - own[Y]) <= reach;
    const monsters = this.#monsters(chunk, tick)
      .filter((one) => near(one.x, one.y, MONSTERS_SEEN) && (eyes === null || this.#seesPoint(own, one, doors)));
    const supplies = this.#supplies(chunk, tick).filter((supply) => near(supply.x, supply.y, SUPPLIES_SEEN));
    const shown = new Set(players.map((player) => player.seat));
    const events = chunk.eventsAt(tick)
      .filter((event) => eyes === null || shown.has(event.seat) || event.other === eyes);
    return {
      tick, ack: 0, seat: eyes ?? NOBODY, over: match(OVER) !== 0, watching: eyes !== null && eyes !== seat,
      teamsLeft: match(LEFT),
      playersLeft: up, own, playerCount: players.length, players, monsterCount: monsters.length, monsters,
      zone: {
        stage: match(STAGE), shrinking: match(SHRINKING) !== 0, left: match(PHASE_LEFT), blueX: match(BLUE_X),
        blueY: match(BLUE_Y),
        blueR: match(BLUE_R), whiteX: match(WHITE_X), whiteY: match(WHITE_Y), whiteR: match(WHITE_R),
      },
      doors, supplyCount: supplies.length, supplies, eventCount: events.length, events,
    };
  }

  #player(seat, tick, mate, told) {
    const of = (field) => this.of(seat, field, tick);
    const speed = of(VX) ** 2 + of(VY) ** 2;
    return {
      seat, life: of(LIFE), stance: of(STANCE), fired: tick > 0 && of(SHOT_TICK) === tick - 1,
      running: speed > RUNNING ** 2,
      busy: of(TREAT) > 0 || of(RELOAD) > 0 || of(RESCUE) > 0, x: of(X), y: of(Y), z: of(Z), yaw: of(YAW),
      pitch: of(PITCH),
      weapon: of(WEAPON + of(SLOT)), hp: told ? of(HP) : UNKNOWN_HP, helped: of(LIFE) === DOWNED && of(HELPED_BY) > 0,
      mate,
    };
  }

  #doors(chunk, tick) {
    let mask = 0;
    for (let door = 0; door < 32; door += 1) if (chunk.get(this.layout.where.doors + door, tick)) mask |= 1 << door;
    return mask >>> 0;
  }

  #monsters(chunk, tick) {
    const found = [];
    for (let number = 0; number < this.layout.monsters; number += 1) {
      const at = this.layout.where.monsters + MONSTER_FIELDS * number;
      const [x, y, z, yaw, hp] = [0, 1, 2, 3, 4].map((field) => chunk.get(at + field, tick));
      if (hp > 0) found.push({ number, x, y, z, yaw: yaw & 0xFFFF, hp });
    }
    return found;
  }

  #supplies(chunk, tick) {
    const found = [];
    for (let number = 0; number < 64; number += 1) {
      const at = this.layout.where.supplies + 4 * number;
      const kind = chunk.get(at, tick);
      if (kind)
        found.push({ number, kind, amount: chunk.get(at + 1, tick), x: chunk.get(at + 2, tick),
        y: chunk.get(at + 3, tick) });
    }
    return found;
  }

  #seesPoint(own, { x, y, z }, doors) {
    return clear(this.map, doors, own[X], own[Y], own[Z] + EYES[own[STANCE]], x, y, z + MONSTER_EYES);
  }

  /** What a table of results tells of a player at a tick. */
  record(seat, tick) {
    const of = (field) => this.of(seat, field, tick);
    return { kills: of(KILLS), knocks: of(KNOCKS), dealt: of(DEALT), shots: of(SHOTS), hits: of(HITS), heals: of(HEALS),
      rescues: of(RESCUES), place: of(PLACE) };
  }

  /** A team's place so far; 0 while it is in. */
  placeOf(team, tick) {
    return team < MAX_TEAMS ? this.#chunkOf(tick).get(this.layout.where.teams + team, tick) : 0;
  }
}
