/**
 * One person's marks on one episode, with undo and redo: pure state, no page, no network.
 *
 * A mark says that the move which led to `tick` was progress (sign 1) or regression (-1) of a seat. Every change
 * raises the mark's revision by one; undo is a change too, so whatever order marks reach the server in, the newest
 * version wins. Not for: sending (lib/outbox.js), drawing (timeline.js).
 *
 * @typedef {{id: string, episode: string, seat: number, tick: number, sign: 1|-1, revision: number,
 *   deleted: boolean, note: string, context?: Record<string, any>, made_at?: string}} Mark
 * @typedef {{id: string, before: any, after: any}} Step what a change made of a mark
 */

/** A random UUID, also where the page is not served over https. */
export function newId() {
  if (globalThis.crypto.randomUUID) return globalThis.crypto.randomUUID();
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** @type {(keyof Mark)[]} */
const CONTENT = ["seat", "tick", "sign", "deleted", "note", "context"];
const slot = (/** @type {Mark} */ mark) => `${mark.seat}:${mark.tick}`;

export class MarkBook {
  /** @param {{episode: string, last: number, makeId?: () => string}} options `last`: the last tick of the episode */
  constructor({ episode, last, makeId = newId }) {
    this.episode = episode;
    this.last = last;
    this.makeId = makeId;
    /** @type {Map<string, Mark>} */
    this.byId = new Map();
    this.bySlot = new Map();
    /** @type {Step[]} */
    this.done = [];
    /** @type {Step[]} */
    this.undone = [];
  }

  /**
   * Take versions from the server or the outbox; of two versions of a mark the higher revision stays.
   * @param {Mark[]} marks
   */
  load(marks) {
    for (const mark of marks) {
      const known = this.byId.get(mark.id);
      if (mark.episode === this.episode && (!known || mark.revision >= known.revision)) this.#store(mark);
    }
  }

  /** Marks that are not removed, by tick, then seat. */
  list() {
    return [...this.byId.values()].filter((mark) => !mark.deleted).sort((a, b) => a.tick - b.tick || a.seat - b.seat);
  }

  /** The mark of a seat at a tick, or null. @param {number} seat @param {number} tick */
  at(seat, tick) {
    return this.byId.get(this.bySlot.get(`${seat}:${tick}`)) ?? null;
  }

  /** Whether a mark can be put at this tick: tick 0 is the deal, which no move led to. @param {number} tick */
  isMarkable(tick) {
    return Number.isInteger(tick) && tick >= 1 && tick <= this.last;
  }

  /**
   * One key, one click: a new mark, or the same sign removes, or the other sign flips; where one was removed on this
   * page it comes back. Its reason and its note stay: the reasons hold for both signs.
   * @param {number} seat @param {number} tick @param {1|-1} sign @param {Record<string, any>} [context]
   * @returns {Mark|null} the changed mark; null where no mark can be
   */
  toggle(seat, tick, sign, context = {}) {
    if (!this.isMarkable(tick)) return null;
    const mark = this.at(seat, tick) ?? this.#removedAt(seat, tick);
    if (!mark) {
      /** @type {Mark} */
      const fresh = { id: this.makeId(), episode: this.episode, seat, tick, sign, revision: 0,
        deleted: true, note: "" };
      return this.#change(fresh, { deleted: false, context, made_at: new Date().toISOString() });
    }
    if (!mark.deleted && mark.sign === sign) return this.#change(mark, { deleted: true });
    const { reason } = mark.context ?? {};
    return this.#change(mark, { deleted: false, sign, context: reason ? { ...context, reason } : context });
  }

  /** The mark of a seat that was removed at a tick on this page, or null. @param {number} seat @param {number} tick */
  #removedAt(seat, tick) {
    const step = this.done.findLast(({ after }) => after.deleted && after.seat === seat && after.tick === tick);
    const mark = step && this.byId.get(step.id);
    return mark?.deleted && mark.seat === seat && mark.tick === tick ? mark : null;
  }

  /** Remove a mark; null if it is gone already. @param {string} id */
  remove(id) {
    const mark = this.byId.get(id);
    return mark && !mark.deleted ? this.#change(mark, { deleted: true }) : null;
  }

  /**
   * Move a mark to another tick; null if that is no markable tick or the seat has a mark there.
   * @param {string} id @param {number} tick
   */
  move(id, tick) {
    const mark = this.byId.get(id);
    if (!mark || mark.deleted || mark.tick === tick || !this.isMarkable(tick) || this.at(mark.seat, tick)) return null;
    return this.#change(mark, { tick });
  }

  /** Set the private note of a mark; null if nothing changed. @param {string} id @param {string} note */
  annotate(id, note) {
    const mark = this.byId.get(id);
    return mark && !mark.deleted && mark.note !== note ? this.#change(mark, { note }) : null;
  }

  /**
   * Say why, with one of the site's reasons; the same one again takes it back; null if there is no mark.
   * @param {string} id @param {string} reason
   */
  explain(id, reason) {
    const mark = this.byId.get(id);
    if (!mark || mark.deleted) return null;
    const { reason: before, ...context } = mark.context ?? {};
    return this.#change(mark, { context: before === reason ? context : { ...context, reason } });
  }

  /**
   * Put a mark back to the version that the server has, or take it out (null). No undo leads before this.
   * @param {string} id @param {Mark|null} version
   */
  reset(id, version) {
    const mark = this.byId.get(id);
    this.byId.delete(id);
    if (mark) this.#free(mark);
    for (const steps of [this.done, this.undone]) steps.splice(0, steps.length,
      ...steps.filter((step) => step.id !== id));
    if (version) this.#store(version);
  }

  /** Take back the last change; the changed mark, or null when there is nothing to undo. */
  undo() {
    return this.#travel(this.done, this.undone, "before");
  }

  /** Make the last undone change again; the changed mark, or null. */
  redo() {
    return this.#travel(this.undone, this.done, "after");
  }

  /** @param {Mark} mark @param {Partial<Mark>} fields */
  #change(mark, fields) {
    const next = { ...mark, ...fields, revision: mark.revision + 1 };
    this.done.push({ id: mark.id, before: content(mark), after: content(next) });
    this.undone.length = 0;
    return this.#store(next);
  }

  /** @param {Step[]} from @param {Step[]} to @param {"before"|"after"} side */
  #travel(from, to, side) {
    for (let step = from.pop(); step; step = from.pop()) {
      const mark = this.byId.get(step.id);
      if (!mark) continue;
      const next = { ...mark, ...step[side], revision: mark.revision + 1 };
      const there = this.at(next.seat, next.tick);
      // Something else stands there by now (a version from another window): this step can't be travelled.
      if (!next.deleted && there && there.id !== next.id) continue;
      to.push(step);
      return this.#store(next);
    }
    return null;
  }

  /** @param {Mark} mark */
  #store(mark) {
    const known = this.byId.get(mark.id);
    this.byId.set(mark.id, mark);
    if (known && (mark.deleted || slot(known) !== slot(mark))) this.#free(known);
    if (!mark.deleted && !this.bySlot.has(slot(mark))) this.bySlot.set(slot(mark), mark.id);
    return mark;
  }

  /**
   * A mark is gone from where it stood. Another one (a version from another window) may stand there, too.
   * @param {Mark} mark
   */
  #free(mark) {
    const here = slot(mark);
    if (this.bySlot.get(here) !== mark.id) return;
    const other = this.list().find((one) => slot(one) === here);
    if (other) this.bySlot.set(here, other.id);
    else this.bySlot.delete(here);
  }
}

const content = (/** @type {Mark} */ mark) => Object.fromEntries(CONTENT.map((name) => [name, mark[name]]));
