/**
 * The spans of instructions on the strip of a replay: each from its confirmation to its end, those that overlap in
 * lanes of their own. Pointing at one, or coming to it by Tab, says all about it; Enter there goes to where it began.
 * Made once: nothing here is done at a tick. Not for: when something was in force (told.js), the rest of the strip
 * (timeline.js).
 */
import { el } from "./lib/dom.js";
import { bars, fate, listed, quoted } from "./told.js";

const LANE = 15, THIN = 7; // CSS pixels
const READABLE = 5, MOST = 10; // lanes with the text in them, lanes at all
/** @type {Record<string, string>} */
const SIGNS = { done: "✓", out: "–", replaced: "↷", withdrawn: "✕", rewritten: "↷" };

export class ToldRow {
  /**
   * @param {{last: number, words: import("./told.js").Told[], names?: string[],
   *   onSeek: (tick: number) => void}} options see timeline.js
   */
  constructor({ last, words, names = [], onSeek }) {
    this.names = names;
    this.onSeek = onSeek;
    const texts = new Map(words.map((word) => [word.id, word.text]));
    this.textOf = (/** @type {string} */ id) => texts.get(id) ?? "another one";
    const found = bars(words), lanes = Math.min(MOST, Math.max(0, ...found.map((bar) => bar.lane + 1)));
    const height = lanes > READABLE ? THIN : LANE;
    this.tip = el("p.told-tip", { "aria-hidden": "true", hidden: true });
    this.root = el("div.strip-told",
      { role: "group", "aria-label": "Instructions", class: lanes > READABLE ? "thin" : null, hidden: !found.length },
      found.map((bar) => this.#bar(bar, last, height)), this.tip);
    this.root.style.height = `${lanes * height + 5}px`;
    this.#listen();
  }

  /** What this row shows, for the legend. */
  get legend() {
    return this.root.hidden
      ? null
      : ["Told",
      "spans of time in which an instruction was in force; ✓ done, ↷ replaced, ✕ taken back; pale: another seat's"];
  }

  /** Stress what this seat was told. @param {number|null} seat null: everybody */
  stress(seat) {
    for (const node of this.root.querySelectorAll(".told-span")) node.classList.toggle("aside",
      seat !== null && !node.dataset.seats.split(" ").includes(String(seat)));
  }

  /** @param {any} bar of `bars` @param {number} last @param {number} height */
  #bar(bar, last, height) {
    const { word, seats, start, end, why, index } = bar;
    const some = seats.length < new Set(word.spans.map((/** @type {{seat: number}} */ span) => span.seat)).size
      || (Number.isInteger(word.target) && this.names.length > 2);
    const share = (/** @type {number} */ tick) => `${(100 * (tick + 0.5)) / (last + 1)}%`;
    const node = el("button.told-span", {
      type: "button", class: `${index % 2 ? "odd" : ""} ${end === null ? "open" : ""}`,
      "aria-label": this.#sentence(bar),
      dataset: { id: word.id, seats: seats.join(" "), start, end: end ?? "", why },
    }, el("span.told-text", {}, some && el("span.told-who", { text: `${listed(seats, this.names, 1)}: ` }), word.text),
      why && el("span.told-sign", { "aria-hidden": "true", text: SIGNS[why] ?? "" }));
    Object.assign(node.style, {
      left: share(start), top: `${Math.min(bar.lane, MOST - 1) * height + 3}px`, height: `${height - 2}px`,
      width: end === null ? `calc(100% - ${share(start)})` : `${(100 * (end - start)) / (last + 1)}%`,
    });
    return node;
  }

  /** @param {any} bar */
  #sentence({ word, seats }) {
    const about = `${this.names[word.seat] ?? "Somebody"} to ${listed(seats, this.names)}: ${quoted(word.text, 200)}`;
    const read = word.reading ? `, read as: ${word.reading}` : ".";
    return `${about}${read} ${fate(word, this.textOf, this.names).join("; ")}.`;
  }

  #listen() {
    const { root } = this, over = (/** @type {any} */ event) => event.target.closest?.(".told-span");
    // A click seeks, as everywhere on the strip.
    root.addEventListener("mousedown", (/** @type {Event} */ event) => this.#tell(over(event)));
    root.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const node = over(event);
      if (node && event.detail === 0) this.onSeek(Number(node.dataset.start));
    });
    for (const kind of ["pointerover", "focusin"]) root.addEventListener(kind,
      (/** @type {Event} */ event) => this.#tell(over(event)));
    for (const kind of ["pointerleave", "focusout"]) root.addEventListener(kind, () => this.#tell(null));
    root.addEventListener("keydown",
      (/** @type {KeyboardEvent} */ event) => { if (event.key === "Escape") this.#tell(null); });
  }

  /** @param {HTMLElement|null} node */
  #tell(node) {
    this.tip.hidden = !node;
    if (!node) return;
    this.tip.textContent = node.getAttribute("aria-label");
    const { left, width, top } = node.getBoundingClientRect();
    const half = this.tip.offsetWidth / 2 + 8;
    this.tip.style.left = `${Math.max(half, Math.min(innerWidth - half, left + Math.min(width, innerWidth) / 2))}px`;
    this.tip.style.bottom = `${innerHeight - top + 6}px`;
  }
}
