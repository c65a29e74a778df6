/**
 * The box in which one types an instruction, with its reading: what the agent would do, up to three readings to choose
 * from, the words that it did not understand underlined, and what was said before. Alt+1 to Alt+3 choose, with Shift
 * they leave out what stands there among the sub-goals; the arrow keys walk through what was said before while the box
 * is empty. Where the reading leaves something open, the site's language model is asked too (not without an `askUrl`),
 * once nobody has typed for a moment; then what it costs those who hear it (`costUrl`) is measured. Not for: sending
 * (each page's own business).
 */
import { el, find, findAll } from "./lib/dom.js";
import { postJSON } from "./lib/http.js";
import { digitOf, FIRM, headline, inPoints, marked, resultFor, Said } from "./readings.js";
import { drawWants, instead, wants } from "./wants.js";

const READ_AFTER = 250; // ms without a key
const ASK_AFTER = 700; // more of them before a language model is asked, which may cost something, or games are played
const SHOWN_BEFORE = 5;

const meanings = ({ sentence, readings }) => JSON.stringify([sentence, readings.map((reading) => reading.sentence)]);

export class ReadingBox {
  /** @type {any} */
  #timer = null;
  #asked = 0;
  #embedded = ""; // what Coplay's own reader made of the text

  /**
   * @param {{box: HTMLInputElement|HTMLTextAreaElement, panel: HTMLElement, url: string, askUrl: string,
   *   costUrl?: string, game: string, said?: string[],
   *   company?: () => {names: string[], seat: number|null, people: number[]}, agents?: () => string[],
   *   setting?: () => {match?: string, fields?: Record<string, string>},
   *   listens?: () => boolean, answers?: (result: import("./readings.js").Result) => Node[], refusedNote?: string,
   *   dial?: boolean, onInput?: () => void}} options
   *   `company`: who is at the table (readings.js); `setting`: the game that is played or asked for; `said`: what was
   *   said before, the latest first; `listens`: whether an agent is there to read; `answers`: what else stands under a
   *   reading; `refusedNote`: what becomes of words that aren't read; `dial`: whether it can be told more or less
   *   firmly; `onInput`: the text has changed, or another reading was chosen
   */
  constructor({ box, panel, url, askUrl, costUrl = "", game, said = [],
    company = () => ({ names: [], seat: null, people: [] }), agents = () => [], setting = () => ({}),
    listens = () => true, answers = () => [], refusedNote = "It is stored anyway, but not obeyed.", dial = false,
    onInput = () => {} }) {
    this.box = box;
    this.panel = panel;
    this.url = url;
    this.askUrl = askUrl;
    this.costUrl = costUrl;
    this.game = game;
    this.company = company;
    this.agents = agents;
    this.setting = setting;
    this.listens = listens;
    this.answers = answers;
    this.refusedNote = refusedNote;
    this.dial = dial;
    this.onInput = onInput;
    this.said = new Said(said);
    this.result = null;
    /** The number of the reading that was chosen; null: nobody chose. @type {number|null} */
    this.choice = null;
    /** How firmly it is told. */
    this.firm = dial ? "sensible" : "strict";
    this.accepted = false;
    box.addEventListener("input", () => this.#changed(READ_AFTER));
    box.addEventListener("keydown", (event) => this.#key(event));
    box.addEventListener("focus", () => this.draw());
    box.addEventListener("blur", () => this.#left());
    // A click here leaves the focus in the box: to leave it is to stop talking.
    panel.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** It was sent: into what was said, out of the box. @param {string} text */
  sent(text) {
    this.said.add(text);
    this.set("");
  }

  /** @param {string} text */
  set(text) {
    this.box.value = text;
    this.#changed(0);
  }

  /** The reading is right. */
  accept() {
    this.accepted = Boolean(this.result);
    this.draw();
  }

  /** What is sent with the text. */
  get chosen() { return { choice: this.choice, seal: this.result?.seal ?? null, firm: this.firm }; }

  /** The reading that is in force: the chosen one, else the first. */
  get meant() {
    const readings = this.result?.readings ?? [];
    return readings.find((reading) => reading.choice === this.choice) ?? readings[0] ?? null;
  }

  /** Choose a reading by its place in the list. */
  choose(index) {
    if (!this.result) return;
    this.choice = this.result.readings[index].choice;
    this.accepted = false;
    this.onInput();
    const focused = this.panel.contains(document.activeElement);
    this.draw();
    if (focused) findAll(".reading-option", this.panel)[index]?.focus();
  }

  /** Ask for the reading of what stands in the box. */
  async read() {
    const text = this.box.value.trim();
    this.#asked += 1;
    if (!text || !this.listens()) { this.draw(); return; }
    const mine = this.#asked;
    /** @type {import("./readings.js").Result} */
    let result;
    try {
      result = await this.#fetch(this.url, text);
    } catch (error) {
      result = { refused: true, sentence: error.message, unread: [], unsure: false, readings: [], text };
    }
    if (mine !== this.#asked) return;
    this.result = result;
    this.#embedded = meanings(result);
    this.draw();
    this.#timer = setTimeout(async () => {
      if (result.ask && this.askUrl) await this.#ask(text, mine);
      if (this.costUrl && mine === this.#asked) await this.#price(mine);
    }, ASK_AFTER);
  }

  /** Who is there has changed: what has another meaning now isn't what was chosen or accepted. */
  async again() {
    const text = this.box.value.trim();
    if (!text) return;
    const mine = this.#asked, now = this.result && await this.#fetch(this.url, text).catch(() => null);
    if (mine === this.#asked && (!now || meanings(now) !== this.#embedded)) this.#changed(0);
  }

  /**
   * A reading by one of the two readers.
   * @param {string} url
   * @param {string} text
   * @returns {Promise<import("./readings.js").Result>}
   */
  async #fetch(url, text, seal = null) {
    return { ...resultFor(await postJSON(url, this.#about(text, seal)), this.company()), text };
  }

  #about(text, seal) {
    return { game: this.game, text, ...this.company(), agents: this.agents(), ...this.setting(), seal };
  }

  /** What each reading costs those who hear it, in games that are played for this. */
  async #price(mine) {
    const { result } = this;
    if (!result?.seal || !result.readings.length) return;
    const found = await postJSON(this.costUrl, this.#about(result.text, result.seal)).catch(() => ({}));
    if (mine !== this.#asked || result !== this.result) return;
    (found.points ?? []).forEach((points, index) => {
      const reading = result.readings[index];
      if (points) reading.cost = { ...reading.cost, points, of: found.untold, games: found.episodes, same: true };
    });
    this.draw();
  }

  /** Ask the site's language model; a reading that was chosen or accepted meanwhile stays. */
  async #ask(text, mine) {
    const open = () => mine === this.#asked && this.choice === null && !this.accepted;
    if (!open()) return;
    this.result.asking = true;
    this.draw();
    let result;
    try {
      result = await this.#fetch(this.askUrl, text, this.result.seal);
    } catch (error) {
      result = { ...this.result, notice: error.message };
    }
    if (mine !== this.#asked) return;
    this.result.asking = false;
    if (open()) {
      this.result = result;
      this.onInput();
    }
    this.draw();
  }

  draw() {
    const typed = this.box.value.trim(), here = document.activeElement === this.box;
    const before = !typed && here && this.listens() ? this.said.texts.slice(0, SHOWN_BEFORE) : [];
    const shown = before.length > 0 || (Boolean(this.result) && (here || !this.#inGame));
    this.panel.hidden = !shown;
    this.panel.removeAttribute("aria-busy");
    this.panel.classList.toggle("confirmed", this.accepted);
    if (here && shown && this.result && !this.#inGame)
      requestAnimationFrame(() => this.panel.scrollIntoView({ block: "nearest" }));
    if (this.accepted)
      this.panel.replaceChildren(el("p", {}, el("b", { text: "✓ I will play like this: " }), this.meant.sentence));
    else if (before.length) this.panel.replaceChildren(this.#before(before));
    else if (shown) this.panel.replaceChildren(...this.#reading(this.result));
    this.panel.classList.toggle("unread",
      shown && !before.length && this.result.refused && !this.result.talk && !this.result.readings.length);
  }

  /** The line of a running game shows its reading only while one types. */
  get #inGame() { return this.box.tagName === "INPUT"; }

  #left() { if (this.#inGame || !this.box.value.trim()) this.panel.hidden = true; }

  #changed(after) {
    this.result = null;
    this.choice = null;
    this.accepted = false;
    this.onInput();
    clearTimeout(this.#timer);
    this.#asked += 1;
    if (!this.box.value.trim()) { this.draw(); return; }
    // The last reading stays until the next one is there, or the page would jump at every key.
    this.panel.setAttribute("aria-busy", "true");
    this.#timer = setTimeout(() => this.read(), after);
  }

  #key(event) {
    const many = this.result?.readings.length ?? 0;
    const asked = event.shiftKey ? this.meant?.subgoals ?? [] : [], left = digitOf(event, asked.length);
    if (left >= 0) { event.preventDefault(); this.#change(this.meant, asked[left], null); return; }
    const index = digitOf(event, many);
    if (index >= 0) { event.preventDefault(); this.choose(index); return; }
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (this.said.walks(this.box.value)) {
      const text = this.said.step(by, this.box.value);
      event.preventDefault();
      if (text !== null) { this.set(text); this.box.setSelectionRange(text.length, text.length); }
    } else if (this.#inGame && (many > 1 || this.result?.unsure)) {
      event.preventDefault();
      if (this.result.unsure && this.choice === null) { this.choose(0); return; }
      const now = Math.max(0, this.result.readings.findIndex((reading) => reading.choice === this.choice));
      this.choose((now - by + many) % many);
    }
  }

  #before(texts) {
    return el("div.said-before", {},
      el("p.small.muted", {}, "Said before", el("span.for-keys", {}, " (", el("kbd", { text: "↑" }), ")")),
      el("ul", {}, texts.map((text) => el("li", {}, el("button.said-again", { type: "button", onClick: () => {
        this.set(text);
        this.box.focus();
      } }, text)))));
  }

  #reading(result) {
    const { readings, unread } = result;
    const line = unread.length > 0
      && el("p.typed-line", {},
      marked(result.text, unread)
      .map((part) => (part.unread ? el("u.unread-word", { title: "not understood", text: part.text }) : part.text)),
      el("span.visually-hidden", { text: ` (not understood: ${unread.join(", ")})` }));
    const who = this.#who(result);
    if (result.talk) return [el("p", {}, result.does ? "" : el("b", { text: "Talk. " }), result.sentence)];
    if (!readings.length)
      return [line, el("p", {}, el("b", { text: "Not read. " }), result.sentence), el("p.small.muted",
      { text: this.refusedNote }), who].filter(Boolean);
    const head = el("p.small.muted", { text: headline(result) });
    // A guess waits for a yes, so even a single one can be chosen.
    const options = readings.flatMap((reading, index) => this.#option(reading, index,
      readings.length > 1 || result.unsure, result.refused || result.unsure));
    return [line, head, el("div.reading-options", {},
      options), this.#dial(result), this.#cost(), this.#changes(), who, this.answers(result)].flat().filter(Boolean);
  }

  /** How firmly it is told, with what that costs where it was measured. */
  #dial({ firmness = [] }) {
    if (!this.dial || firmness.length < 2) return false;
    const { cost } = this.meant,
      like = cost && !cost.same && el("span.muted.small", { text: ` measured for “${cost.like}”` });
    return el("fieldset.dial", {}, el("legend.visually-hidden", { text: "How firmly" }),
      firmness.map((name) => el("label.check", {},
      el("input", { type: "radio", name: "how-firmly", value: name, checked: name === this.firm, onChange: () => {
        this.firm = name;
        this.onInput();
        find(".reading-cost", this.panel)?.replaceWith(this.#cost() || "");
      } }),
      ` ${FIRM[name] ?? name}`, cost && el("span.muted.small", { text: ` · ${inPoints(cost.points[name])}` }))), like);
  }

  /** What it costs, told in this way, where that was measured for it. */
  #cost() {
    const { cost } = this.meant ?? {};
    const points = cost?.games ? cost.points[this.firm] ?? cost.points.strict : undefined;
    if (points === undefined) return false;
    const much = points > cost.of / 5;
    const text = `This ${inPoints(points)} (untold: ${Math.round(cost.of)}; ${cost.games} games, every seat told).`;
    return el("p.small.reading-cost", { class: much ? "notice" : "muted" },
      much && el("span", { "aria-hidden": "true", text: "⚠ " }), text);
  }

  /** What it changes, drawn on the board when that is opened. */
  #changes() {
    const { cost } = this.meant ?? {};
    if (!this.dial || !cost?.changes) return false;
    if (this.shown?.dataset.changes === cost.changes) return this.shown;
    const inside = el("div.told-changes", { "aria-live": "polite" }, el("p.small.muted", { text: "Drawing …" }));
    this.shown = el("details.told-fold", { dataset: { changes: cost.changes } },
      el("summary", { text: "What it changes" }), inside);
    this.shown.addEventListener("toggle", async () => {
      const response = await fetch(cost.changes).catch(() => null);
      if (response?.ok) inside.innerHTML = await response.text();
      else inside.textContent = "That can't be shown now.";
    }, { once: true });
    return this.shown;
  }

  /** Another goal than the one that was read: its sentence follows. */
  async #change(option, which, value) {
    const mine = this.#asked, { result } = this;
    const asked = { choice: option.choice, subgoals: instead(option.subgoals, which, value) };
    try {
      const answer = await postJSON(this.url, { ...this.#about(result.text, result.seal), ...asked });
      if (mine !== this.#asked || result !== this.result) return;
      this.result = { ...resultFor(answer, this.company()), text: result.text };
      this.choice = null;
    } catch (error) {
      if (mine === this.#asked) this.result = { ...result, notice: error.message };
    }
    this.onInput();
    this.draw();
  }

  /** Who read it, where that is not Coplay's own reader alone. */
  #who({ asking, by, notice }) {
    if (asking) return el("p.small.muted.reading-by", { text: "Asking the language model …" });
    if (by) return el("p.small.muted.reading-by", { text: `Read by ${by}.` });
    return Boolean(notice)
      && el("p.small.reading-by.notice", {}, el("span", { "aria-hidden": "true", text: "⚠ " }), notice);
  }

  #option(one, index, many, open) {
    const chosen = one.choice === this.choice, meant = chosen || (this.choice === null && index === 0 && !open);
    const chips = meant && one.chips.length > 1 && !one.subgoals?.length
      && el("span.rule-chips", {}, one.chips.map((text) => el("span.rule-chip", { text })));
    const list = meant && one.subgoals?.length > 0 && el("ul.wants", { "aria-label": "What it asks for" });
    const change = (which, value) => this.#change(one, which, value);
    if (list) drawWants(list, wants(one.subgoals, [], []), change, "Alt+Shift+");
    const inside = [el("span.option-line", {}, many && el("kbd", { text: `Alt+${index + 1}` }),
      el("span.option-text", { text: one.sentence }), chosen && el("b", { text: "✓" })), chips];
    const option = many
      ? el("button.reading-option", { type: "button", class: meant ? "meant" : null, "aria-pressed": String(chosen),
        onClick: () => this.choose(index) }, inside)
      : el("div.reading-option.meant", {}, inside);
    return list ? [option, list] : option;
  }
}
