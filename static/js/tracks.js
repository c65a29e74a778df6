/**
 * The track beside a replay: moves, instructions with their readings, and what was said, in step with the tick;
 * a click on a line goes there. Not for: the strip (timeline.js).
 */
import { el } from "./lib/dom.js";
import { withNames } from "./names.js";
import { lastAt } from "./playhead.js";
import { fate, listed, statusAt } from "./told.js";

const STATUS = {
  "": "later", read: "read", unread: "not understood", confirmed: "in force", done: "done",
  out: "over: out", replaced: "replaced",
  rewritten: "said differently", withdrawn: "taken back",
};

const SAID = ["instruction", "reason", "utterance", "control"];

/** Events and words as one list by tick, what was said at a tick after the move that led to it. */
export function merge(events, words) {
  const rank = (item) => (SAID.includes(item.kind) ? 1 : 0);
  return [...events, ...words].sort((a, b) => a.tick - b.tick || rank(a) - rank(b));
}

export class Track {
  /**
   * @param {HTMLElement} root
   * @param {{items: object[], names: string[], onSeek: (tick: number) => void, tell: (event: object) => string,
   *   time?: (tick: number) => string}} options `tell`: an event in words
   */
  constructor(root, { items, names, onSeek, tell, time = () => "" }) {
    this.root = root;
    this.items = items;
    this.tell = tell;
    this.time = time;
    this.current = -1;
    const texts = new Map(items.map((item) => [item.id, item.text]));
    this.textOf = (id) => texts.get(id) ?? "another one";
    /** The badge of each instruction, and the ticks from which on one of them says something else. */
    this.badges = [];
    this.rows = items.map((item) => this.#row(item, names, onSeek));
    const ticks = this.badges.flatMap(({ item }) =>
      [item.statuses.map(([since]) => since), item.spans.flatMap(({ start, end }) => [start, end])].flat());
    this.turns = [...new Set(ticks)].filter((since) => since !== null).sort((a, b) => a - b)
      .map((since) => ({ tick: since }));
    this.turn = null;
    root.replaceChildren(...this.rows);
    root.style.setProperty("--digits", String(String(items.at(-1)?.tick ?? 0).length));
  }

  /** Light the line of this tick, and say how instructions stand at it. */
  show(tick) {
    this.#tellStatus(tick);
    const index = lastAt(this.items, tick);
    if (index === this.current) return;
    this.rows[this.current]?.removeAttribute("aria-current");
    this.current = index;
    this.rows[index]?.setAttribute("aria-current", "true");
    // Where the line stands is asked once a frame: asking at every tick would lay the page out at every tick.
    this.#centerSoon();
  }

  #centerSoon(looks = 4) {
    this.frame ??= requestAnimationFrame(() => { this.frame = null; this.#center(looks); });
  }

  #tellStatus(tick) {
    const turn = lastAt(this.turns, tick);
    if (turn === this.turn) return;
    this.turn = turn;
    for (const { item, node, names } of this.badges) {
      const { state, seats } = statusAt(item, tick);
      const whole = new Set(item.spans.map((span) => span.seat)).size === seats.length;
      const some = state === "confirmed" && seats.length > 0 && !whole;
      const text = some ? `in force for ${listed(seats, names)}` : STATUS[state] ?? state;
      if (node.textContent !== text) node.textContent = text;
      node.dataset.state = state;
    }
  }

  /**
   * Lines that were never in sight have a guessed height: as those around it get their own, the line moves, and is
   * looked for again.
   */
  #center(looks) {
    const row = this.rows[this.current], before = this.middle;
    this.middle = row ? row.offsetTop - this.root.clientHeight / 2 + row.offsetHeight / 2 : 0;
    this.root.scrollTop = this.middle;
    if (looks > 1 && this.middle !== before) this.#centerSoon(looks - 1);
  }

  #row(item, names, onSeek) {
    const word = SAID.includes(item.kind);
    const to = item.kind === "instruction" && item.target !== null && item.target !== undefined
      ? ` to ${listed([item.target], names)}`
      : "";
    const whose = names[item.seat] === "You" ? "Your seat" : names[item.seat];
    const text = item.kind === "control" ? `${whose}: ${withNames(item.text, names)}`
      : item.kind === "reason" ? `${names[item.seat]}: ${withNames(item.text, names)}`
      : word ? `${names[item.seat]}${to}: “${item.text}”` : this.tell(item);
    return el("li", { class: `track-row ${word ? "said" : item.tone}`, dataset: item.id ? { id: item.id } : {} },
      el("button", { type: "button", onClick: () => onSeek(item.tick) },
        el("span.track-tick", { text: item.tick, title: this.time(item.tick) || null }),
        el("span.track-text", {}, text, item.kind === "instruction" && this.#reading(item, names))));
  }

  /** How an instruction stands, what was read of it, and what came of it. */
  #reading(item, names) {
    const node = el("span.badge");
    this.badges.push({ item, node, names });
    return el("span.track-reading", {}, node, item.reading && ` ${item.reading}`,
      el("span.track-fate", { text: fate(item, this.textOf, names).join(" · ") }));
  }
}
