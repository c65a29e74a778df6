/**
 * The track beside a replay: moves, instructions with their readings, and what was said, in step with the tick;
 * a click on a line goes there. Not for: the strip (timeline.js).
 */
import { el } from "./lib/dom.js";
import { lastAt } from "./playhead.js";

const STATUS = { read: "read", unread: "not understood", confirmed: "confirmed", rewritten: "rewritten", withdrawn: "withdrawn" };

/** Events and words as one list by tick, what was said at a tick after the move that led to it. */
export function merge(events, words) {
  const rank = (item) => (item.kind === "instruction" || item.kind === "utterance" || item.kind === "control" ? 1 : 0);
  return [...events, ...words].sort((a, b) => a.tick - b.tick || rank(a) - rank(b));
}

export class Track {
  /**
   * @param {HTMLElement} root
   * @param {{items: object[], names: string[], onSeek: (tick: number) => void, tell?: (event: object) => string,
   *   time?: (tick: number) => string}} options `tell`: an event in words, where it doesn't carry its text
   */
  constructor(root, { items, names, onSeek, tell = (item) => sentence(item, names), time = () => "" }) {
    this.root = root;
    this.items = items;
    this.tell = tell;
    this.time = time;
    this.current = -1;
    this.rows = items.map((item) => this.#row(item, names, onSeek));
    root.replaceChildren(...this.rows);
  }

  /** Light the line of this tick. */
  show(tick) {
    const index = lastAt(this.items, tick);
    if (index === this.current) return;
    this.rows[this.current]?.removeAttribute("aria-current");
    this.current = index;
    this.rows[index]?.setAttribute("aria-current", "true");
    // Where the line stands is asked once a frame: asking at every tick would lay the page out at every tick.
    this.frame ??= requestAnimationFrame(() => { this.frame = null; this.#center(this.rows[this.current]); });
  }

  #center(row) {
    this.root.scrollTop = row ? row.offsetTop - this.root.clientHeight / 2 + row.offsetHeight / 2 : 0;
  }

  #row(item, names, onSeek) {
    const word = ["instruction", "utterance", "control"].includes(item.kind);
    const text = item.kind === "control" ? `${names[item.seat]}: ${item.text}`
      : word ? `${names[item.seat]}: “${item.text}”` : this.tell(item);
    return el("li", { class: `track-row ${word ? "said" : item.tone}` },
      el("button", { type: "button", onClick: () => onSeek(item.tick) },
        el("span.track-tick", { text: item.tick, title: this.time(item.tick) || null }),
        el("span.track-text", {}, text,
          item.kind === "instruction" && el("span.track-reading", {},
            el("span.badge", { text: STATUS[item.status] || item.status }), item.reading && ` ${item.reading}`,
            item.done && el("span.muted", { text: ` Done at ${item.done}.` })))));
  }
}

/** The sentence of a move, with names in place of seats where the game says "Player 2". */
export function sentence(item, names) {
  return item.text.replace(/\bplayer (\d+)('s)?/gi, (found, number, of) => {
    const name = names[Number(number) - 1] ?? found;
    if (name === "You") return of ? "your" : "You";
    return name + (of ?? "");
  });
}
