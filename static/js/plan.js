/**
 * The plan strip of a live table: what a side's seats do next, changed by dragging, by keys on a card and by typing.
 * Everything that changes a plan goes to the host, which says what came of it. Not for: what is known (plan-state.js),
 * cards (plan-cards.js).
 */
import { closest, el, find, findAll, pageData } from "./lib/dom.js";
import { registerKeys } from "./lib/keys.js";
import { announce } from "./lib/live.js";
import { drawCards } from "./plan-cards.js";
import { agentsFirst, changes, faded, fresh, moved, named, noted, rows, slot, targets } from "./plan-state.js";
import { Still } from "./plan-still.js";
import { ReadingBox } from "./reading-box.js";
import { company } from "./readings.js";

/** @type {Record<string, "up"|"down"|"left"|"right">} */
const WAYS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
const DRAGGED = 6; // CSS pixels after which a press is a drag
const SILENT = 10_000; // ms in which those who don't see the page hear of people's changes only
const AGAIN = ["unsure", "unread", "no_step", "not_offered"]; // refusals after which one says a step differently

/**
 * @typedef {object} Table what the strip needs of its page
 * @property {any} page
 * @property {(message: object) => void} send
 * @property {() => string[]} names
 * @property {() => any[]} seats
 * @property {(text: string) => object} about what goes with words besides them
 * @property {() => string|null} goal the id of one's own instruction that the plan is for
 * @property {import("./plan-cards.js").Look} [look]
 * @property {(targets: import("./plan-state.js").Target[]) => void} [onTargets] the board shows where steps are done
 * @property {string} [key] of the page's own for `toggle`; "" where there are none
 */

export class PlanStrip {
  /** Whether this page shows the plan. */
  #shown = true;
  /** @type {any} of the drag */
  #drag = null;
  /** Where the focus goes once a card has been moved. @type {{seat: number, says: string, known: string[]}|null} */
  #follow = null;
  /** Keys pressed before the host has answered the last one. @type {("up"|"down"|"left"|"right")[]} */
  #ways = [];
  #still = new Still(() => this.draw());
  #drawing = false;
  #told = "";
  #toldAt = -Infinity;

  /** @param {HTMLElement} root @param {Table} table */
  constructor(root, table) {
    this.root = root;
    this.table = table;
    this.state = fresh();
    /** What the cards show: while they stay still, an older state. */
    this.drawn = this.state;
    this.may = table.page.seat !== null;
    this.columns = find("[data-plan-columns]", root);
    find("[data-plan-on]", root)?.addEventListener("click", () => this.#send({ do: "on" }));
    find("[data-plan-off]", root)?.addEventListener("click", () => this.#send({ do: "off" }));
    find("[data-plan-hide]", root)?.addEventListener("click", () => this.toggle());
    find("[data-plan-goal-off]", root)?.addEventListener("click", () => {
      const id = table.goal();
      if (id) table.send({ type: "withdraw", id });
    });
    if (table.key === undefined) registerKeys([{ name: "plan.toggle", keys: ["p"],
      label: "Plan together; hide or show the plan", run: () => this.toggle() }]);
    const key = table.key ?? String([pageData("key-bindings", {})?.["plan.toggle"] ?? "p"].flat()[0]).toUpperCase();
    for (const node of findAll("[data-plan-key]", root)) node.textContent = key;
    if (!this.may) return;
    this.columns.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.#key(event));
    for (const kind of ["pointermove", "focusin", "keydown"]) {
      this.columns.addEventListener(kind, (/** @type {Event} */ event) => {
        if (!this.#drawing && closest(event, "[data-step]")) this.#still.touched();
      });
    }
    this.columns.addEventListener("focusout", (/** @type {any} */ { target }) => {
      if (target.matches(".plan-column")) target.removeAttribute("tabindex"); // a click never gives it the focus
      if (!this.#drawing) this.#follow = null;
    });
    this.columns.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.#press(event));
    this.columns.addEventListener("click", (/** @type {MouseEvent} */ event) => {
      const card = closest(event, ".plan-drop") && closest(event, "[data-step]");
      if (card) this.#drop(card.dataset.step);
    });
    this.#listenToAdding();
  }

  /** One key for the plan: on where it is off, else hidden on this page or shown again. */
  toggle() {
    if (!this.state.on) { if (this.may) this.#send({ do: "on" }); return; }
    this.#shown = !this.#shown;
    this.draw();
  }

  /** @param {any} frame of the host @param {any} answered the message that it answers */
  receive(frame, answered) {
    if (frame.type === "end") { this.root.hidden = true; this.table.onTargets?.([]); return; }
    const done = answered?.type === "plan" && this.#still.answered();
    if (done) this.#follow = null;
    if (frame.type === "error" && answered?.type === "plan") this.#refused(frame, answered);
    const joins = frame.type === "joined";
    if (joins) { this.#still.joined(); this.#ways = []; }
    if (joins || frame.type === "plan") this.#take(frame, joins);
    if (done) this.#goOn();
  }

  /** @param {any} frame @param {boolean} joins */
  #take(frame, joins) {
    const was = this.state.on;
    this.state = noted(this.state, joins ? frame.plan : frame, performance.now(), joins);
    if (!was && this.state.on) this.#shown = true;
    this.draw();
    if (!was && this.state.on) this.#toOwn();
    this.#announce(joins);
    setTimeout(() => { this.state = faded(this.state, performance.now()); this.draw(); }, 2600);
  }

  draw() {
    const { root, state, may } = this, names = this.table.names();
    root.hidden = !may && !state.on;
    root.classList.toggle("on", state.on);
    root.classList.toggle("shut", state.on && !this.#shown);
    const hide = find("[data-plan-hide]", root);
    hide.setAttribute("aria-expanded", String(this.#shown));
    hide.firstChild.textContent = this.#shown ? "Hide" : "Show the plan";
    const goal = state.plan?.goal ?? "", text = find("[data-plan-goal]", root);
    if (text.textContent !== goal) text.textContent = goal;
    find("[data-plan-goal-off]", root)?.toggleAttribute("hidden", !this.table.goal());
    const why = find("[data-plan-why]", root);
    const said = named(state.plan ? state.said : "The plan is being made …", names);
    if (why.textContent !== said) { why.textContent = said; why.title = said; }
    if (!this.#drag && !this.#still.holds()) this.#drawCards(names);
    this.#whose(names);
    this.table.onTargets?.(state.on && this.#shown ? targets(state) : []);
  }

  /**
   * The focus stays with a card that had it, or goes where that was moved; of one that goes the column gets it.
   * @param {string[]} names
   */
  #drawCards(names) {
    const { page, look } = this.table, had = this.columns.querySelector("[data-step]:focus-within");
    const column = had?.closest(".plan-column");
    this.#drawing = true;
    this.drawn = this.state;
    drawCards(this.columns, this.state, { names, own: page.seat ?? page.copilot, look, editable: this.may });
    if (had && document.activeElement !== had) {
      if (!had.isConnected) column.tabIndex = -1;
      (had.isConnected ? had : column).focus({ preventScroll: true });
    }
    this.#refocus();
    this.#drawing = false;
  }

  /** @param {boolean} joins */
  #announce(joins) {
    const said = named(this.state.said, this.table.names());
    const heard = performance.now() - this.#toldAt < SILENT && this.state.plan?.planner !== "person";
    if (joins || !said || said === this.#told || heard) return;
    announce(`Plan: ${said}`);
    this.#told = said;
    this.#toldAt = performance.now();
  }

  /** @param {object} change */
  #send(change) {
    this.#still.sent();
    this.table.send({ type: "plan", ...change });
  }

  /** @param {string} step */
  #drop(step) { this.#send({ do: "drop", step }); }

  // --- Keys on a card ---

  /** @param {KeyboardEvent} event */
  #key(event) {
    const way = WAYS[event.key], changesPlan = way || event.key === "Delete" || event.key === "Backspace";
    const card = closest(event, "[data-step]"), column = card ? null : closest(event, ".plan-column");
    const first = column && find("[data-step][tabindex='0']", column); // a card that had the focus went
    if (event.key === "Escape") (card ?? column)?.blur();
    else if (changesPlan && first) first.focus();
    else if (!card) return;
    else if (changesPlan && event.repeat) { /* one press, one change */ }
    else if (changesPlan && !way) {
      const next = card.nextElementSibling ?? card.previousElementSibling;
      this.#drop(card.dataset.step);
      next?.focus();
    } else if (way) { this.#ways.push(way); this.#goOn(); }
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The keys that wait move the card in focus, each once the last one is answered. */
  #goOn() {
    const { step } = /** @type {any} */ (this.columns.querySelector("[data-step]:focus"))?.dataset ?? {};
    if (!step) this.#ways = [];
    while (this.#ways.length && !this.#still.waits) {
      this.#move(step, moved(rows(this.drawn), step, /** @type {any} */ (this.#ways.shift())));
    }
  }

  /** @param {string} id @param {{to: number, before: string|null}|null} move */
  #move(id, move) {
    const step = this.drawn.plan?.steps.find((one) => one.id === id);
    if (!move || !step || !changes(rows(this.drawn), id, move)) {
      announce("It can't go further that way.");
      return;
    }
    const known = this.state.plan?.steps.map((one) => one.id).filter((one) => one !== id) ?? [];
    if (this.columns.contains(document.activeElement)) this.#follow = { seat: move.to, says: step.says, known };
    this.#send({ do: "move", step: id, ...move });
  }

  /** The focus stays with a card that was moved; with another seat it is another step. */
  #refocus() {
    if (!this.#follow) return;
    const { seat, says, known } = this.#follow;
    const step = this.state.plan?.steps.find((one) =>
      one.seat === seat && one.says === says && !known.includes(one.id));
    const card = step && find(`[data-step="${CSS.escape(step.id)}"]`, this.columns);
    if (!card) return;
    this.#follow = null;
    card.focus({ preventScroll: true });
  }

  // --- Dragging ---

  /** @param {PointerEvent} event */
  #press(event) {
    const card = closest(event, "[data-step]");
    if (!card) return;
    // A card in focus would have the keys that move the player.
    event.preventDefault();
    if (card.tabIndex < 0 || event.button || closest(event, "button")) return;
    const drag = this.#drag = { card, id: card.dataset.step, x: event.clientX, y: event.clientY, on: false,
      /** @type {any} */ at: null };
    card.setPointerCapture(event.pointerId);
    const stop = new AbortController();
    const ends = (/** @type {boolean} */ keep) => {
      stop.abort();
      this.#drag = null;
      card.classList.remove("dragged");
      card.removeAttribute("style");
      this.#mark(null);
      if (keep && drag.at) this.#move(drag.id, { to: drag.at.to, before: drag.at.before });
      this.draw();
    };
    const on = (/** @type {string} */ kind, /** @type {(event: any) => void} */ run) =>
      card.addEventListener(kind, run, { signal: stop.signal });
    on("pointermove", (/** @type {PointerEvent} */ moving) => {
      const dx = moving.clientX - drag.x, dy = moving.clientY - drag.y;
      drag.on ||= Math.hypot(dx, dy) > DRAGGED;
      if (!drag.on) return;
      if (!card.classList.contains("dragged")) {
        const { left, top, width } = card.getBoundingClientRect();
        Object.assign(card.style, { left: `${left}px`, top: `${top}px`, width: `${width}px` });
        card.classList.add("dragged");
      }
      card.style.translate = `${dx}px ${dy}px`;
      drag.at = this.#placeAt(moving.clientX, moving.clientY, drag.id);
      this.#mark(drag.at);
    });
    on("pointerup", () => ends(drag.on));
    on("pointercancel", () => ends(false));
    on("lostpointercapture", () => ends(false));
  }

  /** Where a card would go that is let go here: {to, before, node} or null. @param {number} x @param {number} y */
  #placeAt(x, y, /** @type {string} */ id) {
    const column = findAll(".plan-column", this.columns).find((node) => {
      const box = node.getBoundingClientRect();
      return x >= box.left && x <= box.right && y >= box.top - 8 && y <= box.bottom + 8;
    });
    if (!column) return null;
    const to = Number(column.dataset.seat), row = rows(this.drawn).find((one) => one.seat === to);
    if (!row) return null;
    const cards = findAll("[data-step]", column).filter((node) => node.tabIndex >= 0 && node.dataset.step !== id);
    const index = cards.findIndex((node) => {
      const box = node.getBoundingClientRect();
      return y < box.top + box.height / 2;
    });
    const others = { ...row, steps: row.steps.filter((step) => step.id !== id) };
    const before = index < 0 ? null : slot(others, index);
    const next = cards.find((node) => node.dataset.step === before) ?? null;
    return { to, before, column, next };
  }

  /** @param {{column: any, next: any}|null} at */
  #mark(at) {
    for (const node of findAll(".drop-here, .drop-last", this.columns)) node.classList.remove("drop-here", "drop-last");
    if (at?.next) at.next.classList.add("drop-here");
    else at?.column.classList.add("drop-last");
  }

  // --- Adding in words ---

  #listenToAdding() {
    const form = find("[data-plan-add]", this.root), { page } = this.table;
    if (!form) return;
    const box = find("input", form), whose = find("select", form);
    const reading = new ReadingBox({ box, panel: find("[data-plan-reading]", form), url: page.read, askUrl: page.ask,
      game: page.game, company: () => company(this.table.seats(), page.seat), setting: () => ({ match: page.match }),
      refusedNote: "It can't be a step of the plan." });
    this.reading = reading;
    form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = box.value.trim();
      if (!text) return;
      const { choice, seal, firm } = reading.chosen;
      this.#send({ do: "add", text, to: Number(whose.value), choice, seal, firm, ...this.table.about(text) });
      reading.sent(text);
    });
    box.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      box.blur();
    });
  }

  /** Words that couldn't be taken stand in the box again. @param {any} frame @param {any} message */
  #refused(frame, message) {
    if (message.do !== "add" || !AGAIN.includes(frame.code)) return;
    this.reading?.set(message.text);
    find("[data-plan-add] input", this.root)?.focus();
  }

  /** Whose a step is that is added. @param {string[]} names */
  #whose(names) {
    const select = find("[data-plan-add] select", this.root);
    if (!select) return;
    const own = this.table.page.seat, order = agentsFirst(this.state.seats, this.table.seats(), own);
    const made = JSON.stringify([order, names]);
    if (select.dataset.made === made) return;
    select.dataset.made = made;
    const { value } = select;
    select.replaceChildren(...order.map((seat) => el("option", { value: seat,
      text: seat === own ? "You" : names[seat] })));
    if (order.includes(Number(value)) && value) select.value = value;
  }

  /** Where not all columns have room, one's own is to be seen. */
  #toOwn() {
    const column = find(`[data-seat="${this.table.page.seat}"]`, this.columns);
    if (column) this.columns.scrollLeft = column.offsetLeft - this.columns.offsetLeft;
  }
}
