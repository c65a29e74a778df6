/**
 * A folded panel on a replay page: what the chosen seat saw at the shown tick, in the words of the game. Asked of the
 * server while it is open, once at a time, when the tick has rested for a moment; whether it is open is remembered on
 * this device. Not for: what the words are (engine/games/<game>/words.py), live matches (seen-words.js).
 */
import { el, find } from "./lib/dom.js";
import { getJSON } from "./lib/http.js";
import { onDevice } from "./lib/kept.js";
import { spoken } from "./seen-words.js";

const KEPT = "coplay-replay-words";
const REST = 150; // ms

export class ReplayWords {
  /** @type {any} */
  #wanted = null; // {seat, tick} of what is on the stage
  #shown = "";
  /** @type {any} */
  #timer = null;
  #busy = false;

  /** @param {HTMLDetailsElement} panel @param {string} url with seat and tick 0 @param {string[]} names of the seats */
  constructor(panel, url, names) {
    this.panel = panel;
    this.url = url;
    this.names = names;
    panel.open = onDevice.getItem(KEPT) === "open";
    panel.addEventListener("toggle", () => { onDevice.setItem(KEPT, panel.open ? "open" : "closed"); this.#later(); });
  }

  /** Open or close it. */
  toggle() { this.panel.open = !this.panel.open; }

  /** The page shows this now. @param {number} seat @param {number} tick */
  at(seat, tick) {
    if (this.#wanted?.seat === seat && this.#wanted.tick === tick) return;
    this.#wanted = { seat, tick };
    this.#later();
  }

  /** While a replay plays, the tick never rests: whatever is shown when the time is up is asked for. */
  #later() {
    if (!this.panel.open || !this.#wanted || this.#busy) return;
    if (this.#timer === null) this.#timer = setTimeout(() => { this.#timer = null; this.#ask(); }, REST);
  }

  async #ask() {
    const { seat, tick } = this.#wanted, key = `${seat}/${tick}`;
    if (!this.panel.open || key === this.#shown) return;
    this.#busy = true;
    const text = find("[data-words-text]", this.panel);
    try {
      text.replaceChildren(...spoken(this.names[seat], this.names,
        await getJSON(this.url.replace(/0\/0\/$/, `${key}/`))));
    } catch (error) {
      text.replaceChildren(el("p", { text: `There are no words for this tick: ${error.message}` }));
    }
    Object.assign(this.panel.dataset, { seat, tick });
    this.#shown = key;
    this.#busy = false;
    if (this.#wanted.seat !== seat || this.#wanted.tick !== tick) this.#later();
  }
}
