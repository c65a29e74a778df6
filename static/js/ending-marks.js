/**
 * Marks on the moments of a game that is over, from the page after it: the marks of a replay (marks.js), by way of the
 * same outbox (lib/outbox.js). Not for: the page (ending.js), all that a replay can do with a mark (marker.js).
 *
 * @typedef {{seat: number, tick: number}} Moment
 */
import { Outbox, indexedStore, jsonSender } from "./lib/outbox.js";
import { MarkBook } from "./marks.js";

const TOOL = "ending-1";
const cookie = (/** @type {string} */ name) => document.cookie.split("; ").find((part) => part.startsWith(`${name}=`))
  ?.slice(name.length + 1);

export class EndingMarks {
  /** @param {any} told what the server says of the ending @param {() => void} onChange */
  constructor(told, onChange) {
    this.onChange = onChange;
    this.book = new MarkBook({ episode: told.episode, last: told.last });
    this.book.load(told.marks);
    this.told = told;
    /** @type {any} */
    this.outbox = null;
    /** @type {Set<string>|undefined} ids of marks made before the outbox was open */
    this.early = undefined;
    this.start();
  }

  async start() {
    const { person, urls } = this.told;
    const store = await indexedStore(`coplay-outbox-${person}`);
    const outbox = new Outbox({
      store,
      send: jsonSender(urls.marks, person, () => cookie("csrftoken") || document.body.dataset.csrf),
      onChange: () => this.onChange(),
      onStale: (mark) => { this.book.load([mark]); this.onChange(); },
    });
    this.book.load(await outbox.open());
    this.outbox = outbox;
    for (const mark of this.book.list()) if (this.early?.has(mark.id)) outbox.put({ ...mark });
    addEventListener("online", () => outbox.flush());
    this.onChange();
  }

  /** The sign that the mark of a moment has; 0 without one. @param {Moment} moment */
  signOf({ seat, tick }) {
    return this.book.at(seat, tick)?.sign ?? 0;
  }

  /** @param {Moment} moment @param {1|-1} sign @param {string} input "key" or "mouse" */
  toggle({ seat, tick }, sign, input) {
    return this.#keep(this.book.toggle(seat, tick, sign, { input, tool: TOOL }));
  }

  /** Take back the last change; the changed mark, or null. */
  undo() {
    return this.#keep(this.book.undo());
  }

  /** "" or what is to be said of what was marked here. */
  get state() {
    const { outbox, book } = this;
    if (!outbox) return "";
    const [refused] = outbox.refused;
    if (refused) return `Not saved: ${refused.sentence}`;
    if (outbox.pending)
      return outbox.trouble ? `${outbox.sentence} Your mark is kept here and sent again.` : "Saving …";
    return book.done.length ? "Saved ✓" : "";
  }

  /** @param {any} mark */
  #keep(mark) {
    if (!mark) return null;
    if (this.outbox) this.outbox.put({ ...mark });
    else (this.early ??= new Set()).add(mark.id);
    this.onChange();
    return mark;
  }
}
