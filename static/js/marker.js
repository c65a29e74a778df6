/**
 * The marking side of a replay page: keys and buttons change the marks (marks.js), every change goes to the outbox
 * (lib/outbox.js), and the page says of each mark whether it is saved. Not for: time, seats, drawing (replay.js).
 */
import { el, find, findAll } from "./lib/dom.js";
import { draftsOf } from "./lib/drafts.js";
import { onDevice } from "./lib/kept.js";
import { Outbox, indexedStore, jsonSender } from "./lib/outbox.js";
import { toast } from "./lib/toast.js";
import { about, label, refusal, saving } from "./mark-state.js";
import { controls, explained, moved, nudged, removed, toggled, travelled } from "./marking.js";
import { MarkBook } from "./marks.js";

const OFFSET = "coplay-mark-offset";
const cookie = (/** @type {string} */ name) => document.cookie.split("; ").find((part) => part.startsWith(`${name}=`))
  ?.slice(name.length + 1);

export class Marker {
  /**
   * @param {any} page the page's data
   * @param {{last: number, position: () => {tick: number, seat: number, playing: boolean, speed: number},
   *   asked: (seat: number, tick: number) => string, onSeek: (tick: number) => void, onChange: () => void,
   *   onShow: (mark: {seat: number, tick: number}) => void}} options
   *   `asked`: the instructions in force for the move of a seat that led to a tick
   */
  constructor(page, { last, position, asked, onSeek, onShow, onChange }) {
    this.page = page;
    this.position = position;
    this.asked = asked;
    this.onSeek = onSeek;
    this.onShow = onShow;
    this.onChange = onChange;
    this.book = new MarkBook({ episode: page.episode, last });
    this.book.load(page.marks);
    /** The newest version of each mark that the server is known to have. */
    this.saved = new Map(page.marks.map((/** @type {any} */ mark) => [mark.id, mark]));
    /** The words of each reason. */
    this.reasons = Object.fromEntries(findAll("[data-reason]")
      .map(({ dataset: { reason }, textContent }) => [reason, textContent]));
    /** @type {string|null} */
    this.selected = null;
    /** @type {any} */
    this.outbox = null;
    /** Marks made before the outbox was open, by id. @type {Map<string, object>} */
    this.early = new Map();
    /** Notes that were being typed when the page was left, by mark. */
    this.drafts = draftsOf(`note ${page.episode} `);
    this.offsetKey = page.per_second ? `${OFFSET}-clock` : OFFSET;
    this.offset = Number(onDevice.getItem(this.offsetKey)) || 0;
    this.#listen();
  }

  /** Open the outbox of this person; what an earlier visit left in it is shown and sent. */
  async start() {
    const store = await indexedStore(`coplay-outbox-${this.page.person}`);
    const token = () => cookie("csrftoken") || document.body.dataset.csrf;
    this.outbox = new Outbox({
      store,
      send: jsonSender(this.page.urls.marks, this.page.person, token),
      onChange: () => this.#drawState(),
      onStale: (mark) => { this.saved.set(mark.id, mark); this.book.load([mark]); this.onChange(); },
      onSaved: (mark) => this.saved.set(mark.id, mark),
    });
    this.book.load(await this.outbox.open());
    for (const mark of this.early.values()) this.outbox.put(mark);
    this.early.clear();
    if (this.page.may_mark) for (const [id, note] of this.drafts.all()) this.#note(id, note);
    if (!store.durable)
      toast("This browser keeps no outbox: marks are lost if it closes before they are saved.", { bad: true });
    addEventListener("online", () => this.outbox.flush());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.outbox.flush(); });
    addEventListener("beforeunload", (event) => { if (this.outbox.pending) event.preventDefault(); });
    this.onChange();
  }

  /** Own marks as the strip shows them. @param {number} seat */
  shownMarks(seat) {
    return this.book.list().map((mark) => ({
      ...mark,
      other: mark.seat !== seat,
      status: this.#status(mark.id),
      label: label(mark, { names: this.page.names, status: this.#status(mark.id),
        asked: this.asked(mark.seat, mark.tick), reasons: this.reasons }),
    }));
  }

  /**
   * The shown tick or seat changed, or a mark: update buttons, note and what is said about the move.
   * @param {number} tick @param {number} seat @param {{seat: number}|undefined} event
   */
  at(tick, seat, event) {
    const { mark, sign, reason, canMark, canExplain } = controls(this.book, this.page, seat, tick);
    this.selected = mark?.id ?? null;
    for (const button of findAll("[data-sign]")) {
      button.setAttribute("aria-pressed", String(sign === Number(button.dataset.sign)));
      button.disabled = !canMark;
    }
    const said = find("#mark-about");
    const text = about(this.page, seat, event, this.book.isMarkable(tick), this.asked(seat, tick));
    if (said && said.textContent !== text) { said.textContent = text; said.title = text; }
    for (const chip of findAll("[data-reason]")) {
      chip.setAttribute("aria-pressed", String(reason === chip.dataset.reason));
      chip.disabled = !canExplain;
    }
    this.#drawNote(mark);
  }

  /** @param {1|-1} sign @param {string} input */
  toggle(sign, input) {
    return this.#does(toggled(this.book, this.page, this.position(), this.offset, sign, input));
  }

  /** @param {string} id @param {number} tick */
  move(id, tick) { return this.#does(moved(this.book, this.page, id, tick)); }

  /** @param {number} by */
  nudge(by) { return this.#does(nudged(this.book, this.page, this.position(), by)); }

  remove() { return this.#does(removed(this.book, this.page, this.position())); }

  /** Why the mark here was made. @param {string} reason */
  explain(reason) { return this.#does(explained(this.book, this.page, this.position(), reason)); }

  /** @param {"undo"|"redo"} direction */
  travel(direction) { return this.#does(travelled(this.book, direction)); }

  /** Show what was done. @param {import("./marking.js").Done} done */
  #does({ mark, say, bad = false, brief = false, tick }) {
    if (say) toast(say, { bad, ...(brief && { milliseconds: 1500 }) });
    const kept = mark && this.#keep(mark);
    if (tick !== undefined) this.onSeek(tick);
    return kept;
  }

  /** @param {string} id @param {string} note */
  #note(id, note) {
    const changed = this.book.annotate(id, note.trim());
    if (changed) this.#keep(changed);
    this.drafts.drop(id);
  }

  /** Give up a change that the server refused: the mark is as the server has it, or gone. @param {any} mark */
  async discard(mark) {
    await this.outbox.discard(mark.id);
    if (mark.episode === this.page.episode) this.book.reset(mark.id, this.saved.get(mark.id) ?? null);
    this.onChange();
  }

  /** Go to a refused mark of this episode, to put it right. @param {any} mark */
  correct(mark) {
    this.onShow(mark);
    find("#mark-note:not(:disabled)")?.focus();
  }

  /** The keys of marking, for the page to register. */
  keys() {
    /** @param {string} name @param {string[]} keys @param {string} label @param {() => void} run */
    const key = (name, keys, label, run) => ({ name: `mark.${name}`, keys, label, run });
    return [
      key("progress", ["ArrowUp"], "Mark progress here (again: remove; other key: flip)", () => this.toggle(1, "key")),
      key("regression", ["ArrowDown"], "Mark regression here", () => this.toggle(-1, "key")),
      key("nudgeBack", [","], "Move the mark here one tick back", () => this.nudge(-1)),
      key("nudgeOn", ["."], "Move the mark here one tick on", () => this.nudge(1)),
      key("remove", ["Backspace", "Delete"], "Remove the mark here", () => this.remove()),
      key("undo", ["z"], "Undo", () => this.travel("undo")),
      key("redo", ["Shift+z"], "Redo", () => this.travel("redo")),
      key("note", ["n"], "Write a note on the mark here", () => find("#mark-note:not(:disabled)")?.focus()),
      ...findAll("[data-reason]").map(({ dataset: { reason }, textContent }, i) => key(`reason${i + 1}`,
        [String(i + 6)], `Reason of the mark here: ${textContent}`, () => this.explain(reason))),
    ];
  }

  /** @param {any} mark */
  #keep(mark) {
    this.onChange();
    const kept = this.outbox ? this.outbox.put({ ...mark }) : void this.early.set(mark.id, { ...mark });
    this.onChange();
    return kept;
  }

  /** @param {string} id */
  #status(id) {
    if (this.early.has(id)) return "pending";
    return this.outbox ? this.outbox.status(id) : "saved";
  }

  #drawState() {
    const state = find("#save-state");
    const { failed, trouble } = this.outbox;
    const count = this.book.list().filter((mark) => this.#status(mark.id) === "saved").length;
    const stands = saving(this.outbox, count);
    state.textContent = stands.line;
    state.dataset.state = stands.state;
    find("#trouble").hidden = !trouble && !failed;
    find("#trouble-text").textContent = stands.trouble;
    find("#refused").replaceChildren(...this.outbox.refused.map((/** @type {any} */ one) => this.#refusedRow(one)));
    find("#sign-in-again").hidden = trouble !== "signed-out";
    find("#retry-marks").hidden = false;
    this.onChange();
  }

  /** @param {{mark: any, sentence: string}} refused */
  #refusedRow(refused) {
    const { mark } = refused, { text, address } = refusal(refused, this.page);
    return el("li", { class: "row between" }, el("span", { text }),
      el("span", { class: "row tight" },
        address === null ? el("button", { class: "button small", type: "button", onClick: () => this.correct(mark) },
          "Put it right")
          : el("a", { class: "button small", href: address }, "Open it"),
        el("button", { class: "button small", type: "button", onClick: () => this.discard(mark) }, "Discard it")));
  }

  /** @param {any} mark */
  #drawNote(mark) {
    const field = find("#mark-note");
    if (!field || document.activeElement === field) return;
    if (field.dataset.mark === (mark?.id ?? "") && field.value === (mark?.note ?? "")) return;
    field.dataset.mark = mark?.id ?? "";
    field.value = mark?.note ?? "";
    field.disabled = !mark || !this.page.may_mark;
    const link = find("#mark-page");
    link.hidden = !mark;
    if (mark) link.href = this.page.urls.mark.replace("00000000-0000-0000-0000-000000000000", mark.id);
  }

  #listen() {
    for (const button of findAll("[data-sign]")) button.addEventListener("click",
      () => this.toggle(Number(button.dataset.sign) > 0 ? 1 : -1, "mouse"));
    const field = find("#mark-note");
    for (const chip of findAll("[data-reason]")) chip.addEventListener("click",
      () => this.explain(chip.dataset.reason));
    field?.addEventListener("input", () => this.drafts.keep(field.dataset.mark, field.value));
    field?.addEventListener("change", () => this.#note(field.dataset.mark, field.value));
    // Back to the game, so that the keys work on.
    field?.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (["Enter", "Escape"].includes(event.key)) find("#stage").focus();
    });
    find("#retry-marks")?.addEventListener("click", () => this.outbox?.retry());
    find("#undo")?.addEventListener("click", () => this.travel("undo"));
    find("#redo")?.addEventListener("click", () => this.travel("redo"));
    const offset = find("#mark-offset");
    if (offset) {
      offset.value = String(this.offset);
      if (!offset.value) [offset.value, this.offset] = ["0", 0]; // chosen at another speed
      offset.addEventListener("change", () => {
        this.offset = Number(offset.value);
        onDevice.setItem(this.offsetKey, offset.value);
      });
    }
  }
}
