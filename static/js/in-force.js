/**
 * The bar above the board of a replay: which instructions were in force for the move that led to the tick shown, for
 * the chosen seat or, with everything open, for whom each was. It keeps its height, and is touched only where it says
 * something else. Not for: what was in force when (told.js).
 */
import { el } from "./lib/dom.js";
import { lastAt } from "./playhead.js";
import { forMove, listed, quoted, turns } from "./told.js";

/**
 * @typedef {import("./told.js").Told} Told
 * @typedef {{word: Told, seats: number[], parted: boolean}} Row what was in force, and for whom
 */

const wide = globalThis.matchMedia?.("(min-width: 901px)");
const REST = 600; // ms that a tick rests before it is read out
const TITLE = "In force for the move that led to the tick shown: a mark here is about that move. "
  + "At tick 0: what was in force at the start.";

export class InForce {
  #shown = "";
  #told = ""; // what was read out last
  #due = ""; // what is, or will be, once the tick has rested
  /** @type {any} */
  #timer = null;
  /** By seat: what is in force from which tick on. @type {Map<number|null, {tick: number, rows: Row[]}[]>} */
  #parts = new Map();

  /** @param {HTMLElement} root @param {{words: Told[], names: string[]}} options `names` by seat */
  constructor(root, { words, names }) {
    this.root = root;
    this.words = words;
    this.names = names;
    this.ticks = turns(words);
    this.list = el("ul.in-force-list", { id: "in-force-list" });
    this.more = el("button.button.small.in-force-more", { type: "button", "aria-expanded": "false",
      "aria-controls": "in-force-list", hidden: true, onClick: () => this.#open(!root.classList.contains("open")) });
    this.said = el("p.visually-hidden", { role: "status" });
    root.replaceChildren(el("h2.in-force-label", { title: TITLE, text: "In force" }),
      el("div.in-force-room", {}, this.list), this.more, this.said);
    root.onkeydown = (event) => { if (event.key === "Escape") this.#open(false); };
    root.hidden = false;
  }

  /**
   * Show a tick. @param {number|null} seat null: everybody @param {number} tick
   * @param {boolean} passing whether the tick only passes by, and needn't be read out
   */
  show(seat, tick, passing) {
    const parts = this.#of(seat);
    const index = lastAt(parts, tick);
    const key = `${seat} ${index}`;
    if (this.#shown !== key) {
      this.#shown = key;
      this.#draw(seat, parts[index].rows);
    }
    if (!passing && this.#due === key) return;
    clearTimeout(this.#timer);
    this.#due = passing ? this.#told : key;
    if (this.#due === this.#told) return;
    this.#timer = setTimeout(() => {
      this.#told = key;
      this.said.textContent = this.#sentence(seat, parts[index].rows);
    }, REST);
  }

  /** @param {number|null} seat */
  #of(seat) {
    if (!this.#parts.has(seat))
      this.#parts.set(seat, this.ticks.map((tick) => ({ tick, rows: forMove(this.words, seat, tick) })));
    return this.#parts.get(seat) ?? [];
  }

  /** @param {number|null} seat @param {Row[]} rows */
  #draw(seat, rows) {
    const hidden = rows.length - (wide.matches ? 2 : 1);
    this.root.dataset.count = String(rows.length);
    this.more.hidden = hidden <= 0;
    this.more.dataset.hidden = hidden;
    if (hidden <= 0) this.#open(false);
    else this.more.textContent = this.root.classList.contains("open") ? "Less" : `+${hidden} more`;
    this.list.replaceChildren(...(rows.length
      ? rows.map((row) => this.#row(row, seat))
      : [el("li.muted", { text: this.#nothing(seat) })]));
  }

  /** @param {Row} row @param {number|null} seat */
  #row(row, seat) {
    const { word, parted } = row;
    return el("li", { title: this.#words(row, seat), dataset: { id: word.id } },
      el("span.in-force-said", {}, el("span.in-force-who", { text: this.#who(row, seat) }),
        el("q", { text: word.text }), parted && el("span.badge", { text: "partly replaced" }),
        word.judged && el("span.badge", { text: word.judged > 0 ? "judged: yes, that" : "judged: no" })),
      word.reading && el("span.in-force-reading", { text: word.reading }));
  }

  /** @param {Row} row @param {number|null} seat */
  #who({ word, seats }, seat) {
    return seat === null ? `${this.names[word.seat]} to ${listed(seats, this.names, 2)}` : this.names[word.seat];
  }

  /** @param {Row} row @param {number|null} seat */
  #words(row, seat) {
    const parted = row.parted ? ", partly replaced" : "", reading = row.word.reading;
    const judged = row.word.judged ? `. Its player: ${row.word.judged > 0 ? "yes, that" : "no"}` : "";
    const read = reading ? `. Read as: ${reading}` : "";
    return `${this.#who(row, seat)}: ${quoted(row.word.text, 500)}${parted}${judged}${read}`;
  }

  /** @param {number|null} seat */
  #nothing(seat) {
    return `Nothing was asked of ${seat === null ? "anybody" : listed([seat], this.names)} at this tick.`;
  }

  /** @param {number|null} seat @param {Row[]} rows */
  #sentence(seat, rows) {
    return rows.length ? `In force: ${rows.map((row) => this.#words(row, seat)).join(" ")}` : this.#nothing(seat);
  }

  /** Show all of them over the board, or as many as there is room for. @param {boolean} open */
  #open(open) {
    if (this.root.classList.toggle("open", open)) this.more.textContent = "Less";
    else this.more.textContent = `+${this.more.dataset.hidden} more`;
    this.more.setAttribute("aria-expanded", String(open));
  }
}
