/**
 * A folded panel that says what an agent sees and may do, in the words of the game: asked of the host while it is open.
 * Not for: what the words are (engine/games/<game>/words.py), who may read them (messages/see.py).
 */
import { el, find } from "./lib/dom.js";

const AT_MOST_EVERY = 1000; // ms

export class SeenWords {
  #asked = -Infinity;
  #timer = null;

  /**
   * @param {HTMLDetailsElement} panel
   * @param {(seat: number) => void} ask @param {() => {name: string, kind: string}[]} seats
   */
  constructor(panel, ask, seats) {
    Object.assign(this, { panel, ask, seats });
    panel.addEventListener("toggle", () => this.changed());
    // A click must not leave the focus there: Space acts in the game.
    find("summary", panel).addEventListener("click", (event) => { if (event.detail > 0) event.currentTarget.blur(); });
  }

  /** The seat whose words are shown: the first agent's, else the first. */
  get seat() { return Math.max(0, this.seats().findIndex((one) => one.kind === "agent")); }

  /** The state has changed: ask again if somebody reads, not too often. */
  changed() {
    if (!this.panel.open || !this.seats().length) return;
    clearTimeout(this.#timer);
    const wait = this.#asked + AT_MOST_EVERY - performance.now();
    if (wait > 0) { this.#timer = setTimeout(() => this.changed(), wait); return; }
    this.#asked = performance.now();
    this.ask(this.seat);
  }

  /** @param {{seat: number, tick: number, sees: string, moves: string[]}} frame */
  show({ seat, tick, sees, moves }) {
    find("[data-seen-text]", this.panel).replaceChildren(
      el("p", {}, el("b", { text: `${this.seats()[seat].name}, at ${tick}: ` }), sees),
      el("p.small.muted", { text: "Its moves, as it calls them:" }), el("ul.small", {}, moves.map((text) => el("li", { text }))),
    );
  }
}
