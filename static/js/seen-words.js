/**
 * A folded panel that says what a seat sees and may do, in the words of the game: asked of the host while it is open.
 * Not for: what the words are (engine/games/<game>/words.py), who may read them (messages/see.py), replays
 * (replay-words.js).
 */
import { el, find, findAll } from "./lib/dom.js";
import { withNames } from "./names.js";

const AT_MOST_EVERY = 1000; // ms

/**
 * What a seat sees, as nodes. @param {string} name whose words they are @param {string[]} names by seat
 * @param {{tick: number, sees: string, details?: [string, string][], moves?: string[]}} words
 * @returns {HTMLElement[]}
 */
export function spoken(name, names, { tick, sees, details = [], moves = [] }) {
  return [
    el("p", {}, el("b", { text: `${name}, at ${tick}: ` }), withNames(sees, names)),
    details.length && el("dl.seen-details.small", {},
    details.map(([what, value]) => el("div", {}, el("dt", { text: what }), el("dd", { text: value })))),
    moves.length && el("p.small.muted", { text: "Its moves, as it calls them:" }),
    moves.length && el("ul.small", {}, moves.map((text) => el("li", { text: withNames(text, names) }))),
  ].filter(Boolean);
}

export class SeenWords {
  #asked = -Infinity;
  /** @type {any} */
  #timer = null;
  /** @type {number} none: -1 */
  #chosen = -1;
  #buttons = "";

  /**
   * @param {HTMLDetailsElement} panel
   * @param {(seat: number) => void} ask @param {() => {name: string, kind: string}[]} seats
   * @param {(() => number[])|null} [choices] the seats that one may choose from with buttons; null: there is no choice
   */
  constructor(panel, ask, seats, choices = null) {
    this.panel = panel;
    this.ask = ask;
    this.seats = seats;
    this.choices = choices;
    panel.addEventListener("toggle", () => this.changed());
    // A click must not leave the focus there: Space acts in the game.
    find("summary", panel).addEventListener("click",
      (/** @type {any} */ event) => { if (event.detail > 0) event.currentTarget.blur(); });
  }

  /** The seat whose words are shown: the chosen one, else the first agent's, else the first. */
  get seat() {
    const seats = this.seats(), among = this.choices?.() ?? [...seats.keys()];
    if (among.includes(this.#chosen)) return this.#chosen;
    return among.find((seat) => seats[seat]?.kind === "agent") ?? among[0] ?? 0;
  }

  /** Another seat, at once. @param {number} seat */
  choose(seat) {
    this.#chosen = seat;
    this.#asked = -Infinity;
    this.changed();
  }

  /** The state has changed: ask again if somebody reads, not too often. */
  changed() {
    if (!this.panel.open || !this.seats().length) return;
    if (this.choices) this.#offer();
    clearTimeout(this.#timer);
    const wait = this.#asked + AT_MOST_EVERY - performance.now();
    if (wait > 0) { this.#timer = setTimeout(() => this.changed(), wait); return; }
    this.#asked = performance.now();
    this.ask(this.seat);
  }

  /** A button a seat that may be chosen; they stay while nothing changes, so that they keep the focus. */
  #offer() {
    const seats = this.seats(),
      rows = (this.choices?.() ?? []).map((seat) => ({ seat, text: `${seat + 1} · ${seats[seat]?.name ?? ""}` }));
    const box = find("[data-seen-seats]", this.panel), made = JSON.stringify(rows);
    if (made !== this.#buttons) {
      this.#buttons = made;
      box.replaceChildren(
        ...rows.map(({ seat, text }) => el("button.button.small",
        { type: "button", text, dataset: { seenSeat: seat }, onClick: () => this.choose(seat) })));
    }
    for (const button of findAll("button", box)) button.setAttribute("aria-pressed",
      String(Number(button.dataset.seenSeat) === this.seat));
  }

  /** @param {{seat: number, tick: number, sees: string, details: [string, string][], moves: string[]}} frame */
  show(frame) {
    if (this.choices && frame.seat !== this.seat) return;
    find("[data-seen-text]", this.panel).replaceChildren(...spoken(this.seats()[frame.seat].name,
      this.seats().map((seat) => seat.name), frame));
  }
}
