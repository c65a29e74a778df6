/**
 * What stands beside every table: the line to the host, who is there, what was said and what was read of it as a panel
 * with a log or as chips, whichever the page has, stand-ins, leaving, the end. Not for: the game itself, which a table
 * draws (games/<game>/table.js, general.js) and about which it is handed every frame; what is known (table-state.js).
 */
import { drawChips } from "./chips.js";
import { coach } from "./coach.js";
import { el, find } from "./lib/dom.js";
import { keepDraft } from "./lib/draft.js";
import { leadOn, registerKeys } from "./lib/keys.js";
import { listenForLeaving, seenOut, whatLeavingDoes } from "./lib/leave.js";
import { announce, ConnectionSigns } from "./lib/live.js";
import { MatchSocket, uuid } from "./lib/match-socket.js";
import { many } from "./lib/many.js";
import { toast } from "./lib/toast.js";
import { withNames } from "./names.js";
import { PlanStrip } from "./plan.js";
import { asking, judging, listenForAnswers, spoken } from "./reading-ask.js";
import { ReadingBox } from "./reading-box.js";
import { company } from "./readings.js";
import { SeenWords } from "./seen-words.js";
import { standInOffer } from "./stand-in.js";
import { driver, fresh, goalOf, namesOf, next, readings } from "./table-state.js";
import { drawInstructions, drawLog, standInAt } from "./table-words.js";
import { news } from "./told.js";

/** What nobody needs to be told: a message that came twice, another window's, and what the page says otherwise. */
const QUIET = ["duplicate", "elsewhere", "signed_out"];
const LIVE = "you miss nothing but these seconds";

/**
 * @typedef {{send: (message: object) => void}} Line to the host: a MatchSocket, or a game's own around one
 * @typedef {object} Table what the game's own module does; all but the first two have a default
 * @property {(frame: any, answered: any, before: any) => void} receive a frame, after the state has taken it; `before`:
 *   the state before it
 * @property {(now: number) => void} draw
 * @property {() => {tick: number, kind: string, seat: number|null, text: string}[]} [moves] for the log, in their order
 * @property {{fresh: (page: any) => any, next: (state: any, frame: any, now: number) => any}} [state] what is known
 * @property {(handlers: {onFrame: (frame: any, answered: any) => void,
 *   onStatus: (status: any) => void, onLatency: (milliseconds: number) => void}) => any} [connect] makes the line
 * @property {(status: import("./lib/match-socket.js").Status, opens: boolean) => void} [status] the line's, after its
 *   signs are drawn; `opens`: it is open again
 * @property {() => string} [meanwhile] what happens until a broken line is back, as the end of a sentence
 * @property {(state: any, now: number) => any[]} [chips]
 * @property {(state: any, frame: any) => string} [news] what a frame about an instruction's standing says
 * @property {(state: any) => boolean} [listens] whether an agent hears what is told
 * @property {(text: string, point: any) => object} [about] what goes with an instruction besides its words
 * @property {{seats?: () => any[], choices?: () => number[]}} [seen] whose eyes there are, and who may be chosen
 * @property {Partial<import("./plan.js").Table>} [plan] how it shows a plan of its side (`look`, `onTargets`, `key`)
 * @property {() => void} [opens] before one types
 * @property {() => void} [closed] after one has typed
 * @property {(frame: any) => void} [ended] draws the end in place of the bar
 * @property {(frame: any) => string} [endWords]
 */

export class TableSide {
  /** @type {import("./lib/match-socket.js").Status|null} */
  status = null;
  /** @type {any} */
  #refusal = null;
  #awaited = 0;
  /** The instruction that is being said again, in other words. @type {string|null} */
  #rewriting = null;

  /** @param {any} page what the view put into the page @param {Table} table */
  constructor(page, table) {
    this.page = page;
    this.table = table;
    this.state = (table.state?.fresh ?? fresh)(page);
    this.signs = new ConnectionSigns(() => (page.seat === null ? LIVE : this.#meanwhile()));
    const handlers = {
      onFrame: (frame, answered) => this.#receive(frame, answered),
      onStatus: (status) => this.#status(status),
      onLatency: (milliseconds) => this.signs.latency(milliseconds),
    };
    this.line = table.connect?.(handlers)
      ?? new MatchSocket(page.ticket, handlers.onFrame, handlers.onStatus, handlers.onLatency);
    const words = find("[data-seen-words]"), { seats = () => this.seats, choices = null } = table.seen ?? {};
    this.seen = words && new SeenWords(words, (seat) => this.send({ type: "see", seat }), seats, choices);
    this.box = find("[data-instruct-text]");
    this.chipList = find("[data-readings]");
    this.coach = coach({ tell: (text, meant) => this.tell(text, meant), send: (message) => this.send(message) });
    const strip = find("[data-plan]");
    this.plan = strip && new PlanStrip(strip, { page, send: (message) => this.send(message), names: () => this.names(),
      seats: () => this.seats, about: (text) => table.about?.(text, null) ?? {}, goal: () => goalOf(this.state),
      ...table.plan });
    if (page.seat !== null) this.#listen();
    if (this.chipList) {
      listenForAnswers(() => this.chips(), this.answers);
      setInterval(() => this.drawChips(), 1000); // those that are over go by themselves
      if (page.seat !== null) registerKeys([
        { name: "told.right", keys: ["+", "="], label: "Yes, what was done is what I meant", run: () => this.judge(1) },
        { name: "told.wrong", keys: ["-"], label: "No, that isn't what I meant", run: () => this.judge(-1) },
      ]);
    }
  }

  get seats() { return this.state.seats; }
  get dialogue() { return this.state.dialogue; }
  get end() { return this.state.end; }
  get open() { return this.status?.state === "open"; }

  send(message) { return this.line.send(message); }

  names() { return this.seats.map((seat) => seat.name); }

  /**
   * What the players are called in the step that began at a tick: whoever stood in goes by their own name.
   * @param {number} tick
   * @param {number|null} [own] who is "You"
   */
  calledAt(tick, own = this.page.seat) {
    return this.names().map((name, seat) => standInAt(this.dialogue, seat, tick) ?? (seat === own ? "You" : name));
  }

  /** Names with what is to be known of who is there. */
  shownNames() {
    return this.seats.map(
      (seat) => seat.name + (seat.stand_in ? ` · ${seat.stand_in} plays` : seat.present ? "" : " · away"));
  }

  /**
   * Say why something can't be done; the sentence before it goes. At the end the bar says it, over which this would
   * lie.
   */
  refuse(text) {
    this.#refusal?.remove();
    if (this.end) return;
    this.#refusal = toast(text, { milliseconds: 3500 });
  }

  // --- Drawing ---

  draw() {
    if (!this.seats.length) return; // nobody has joined yet
    const { page, state } = this;
    this.table.draw(performance.now());
    const spectators = find("[data-spectators]"), watching = state.spectators ? `${state.spectators} watching` : "";
    if (spectators.textContent !== watching) spectators.textContent = watching;
    const log = find("[data-log]"), list = find("[data-instructions]");
    if (log) drawLog(log, { ...state, moves: this.table.moves?.() ?? [] }, this.names(), page.seat);
    if (list) drawInstructions(list, state, page.seat, this.answers, this.names());
    find("[data-told]")?.toggleAttribute("hidden", !state.instructions.size);
    this.drawChips();
    this.#offerStandIn();
  }

  /** The chips that are to be seen now. */
  chips() {
    return this.end ? [] : (this.table.chips ?? readings)(this.state, performance.now());
  }

  drawChips() {
    if (!this.chipList || !this.seats.length) return;
    const chips = (this.table.chips ?? readings)(this.state, performance.now());
    drawChips(this.chipList, chips, Boolean(this.end), this.answers);
  }

  /** Why an agent made the move that led to a tick, in sentences; "" for nothing to say. */
  because(tick) {
    return this.dialogue.filter((line) => line.type === "reason" && line.tick === tick)
      .map((line) => withNames(line.text, namesOf(this.state))).join(" ");
  }

  #offerStandIn() {
    const button = find("[data-takeover]");
    if (!button) return;
    const offer = this.end ? null : standInOffer(this.seats, this.page.seat, this.names(), performance.now());
    clearTimeout(this.#awaited);
    button.hidden = !offer;
    if (!offer) return;
    if (offer.waits) this.#awaited = window.setTimeout(() => this.#offerStandIn(), 1000);
    Object.assign(button, { textContent: offer.text, disabled: offer.waits });
    button.dataset.seat = String(offer.seat);
  }

  // --- What the host says ---

  #receive(frame, answered) {
    if (seenOut(frame, answered)) return;
    this.coach(frame);
    const before = this.state;
    this.state = (this.table.state?.next ?? next)(before, frame, performance.now());
    this.#tell(frame);
    if (frame.type === "seen") this.seen?.show(frame);
    if (frame.type === "end") (this.table.ended ?? ((end) => this.#showEnd(end)))(frame);
    this.plan?.receive(frame, answered);
    this.table.receive(frame, answered, before);
    this.draw();
  }

  /** What a frame has to say is told as well to those who don't see the page. */
  #tell(frame) {
    const { page, state } = this, name = this.names()[frame.seat];
    switch (frame.type) {
      case "notice": case "control":
        if (frame.text) { toast(frame.text); announce(frame.text); }
        break;
      case "utterance":
        if (frame.seat !== page.seat) announce(`${name} says: ${frame.text}`);
        break;
      case "judged":
        if (frame.seat === page.seat)
          announce(frame.sign ? `Noted: ${frame.sign > 0 ? "yes, that" : "no, not that"}.` : "Taken back.");
        break;
      case "reason": announce(`${name}: ${withNames(frame.text, namesOf(state))}`); break;
      case "instruction":
        // A chip goes by itself: what of one's own words wasn't understood is said where one looks.
        if (this.chipList && frame.status === "unread" && frame.seat === page.seat)
          toast(state.instructions.get(frame.id).sentence || `“${frame.text}” wasn't understood.`, { bad: true });
        if (frame.seat === page.seat) announce(spoken(state.instructions.get(frame.id)));
        break;
      case "standing": {
        const stands = (this.table.news ?? (() => news(frame, state.instructions, this.names())))(state, frame);
        if (stands) announce(stands);
      }
    }
  }

  /** A refusal that isn't the table's own business. @param {string[]} quiet codes of which the table says enough */
  tellError(frame, ...quiet) {
    if ([...QUIET, ...quiet].includes(frame.code)) return;
    const text = withNames(frame.text, this.names());
    toast(text, { bad: true });
    announce(text);
  }

  #meanwhile() {
    if (this.table.meanwhile) return this.table.meanwhile();
    return this.line.outbox?.waiting.length ? "your last move is sent then" : "the game waits for you";
  }

  #status(status) {
    const opens = !this.open && status.state === "open";
    this.status = status;
    this.signs.show(status);
    this.table.status?.(status, opens);
    this.draw();
  }

  #showEnd(frame) {
    const { page } = this, bar = find("[data-over-bar]");
    const detail = frame.told?.[page.seat ?? 0]?.detail ?? "";
    const over = this.table.endWords?.(frame) ?? `The game is over: ${many(frame.score, "point")}. ${detail}`.trim();
    const words = frame.reason === "finished" ? over : "This game was left before its end.";
    const link = el("a.button.primary", { href: frame.after || page.after, text: "See how it went" });
    bar.replaceChildren(el("span", { text: words }), link);
    if (page.seat !== null) {
      // Nobody listens any more.
      for (const part of ["[data-leave]", "[data-instruct-form]"]) find(part)?.setAttribute("hidden", "");
      const title = find("#instruct-title");
      if (title) title.textContent = this.state.instructions.size ? "What you said" : "";
    }
    leadOn(link);
    bar.hidden = false;
    announce(words);
  }

  // --- What the player says ---

  /** What one may say to a reading. */
  answers = {
    confirm: (id) => this.send({ type: "confirm_reading", id }),
    withdraw: (id) => this.send({ type: "withdraw", id }),
    choose: (id, choice) => this.answers.rewrite(id, { choice }),
    /** @param {string} id @param {{text: string} | {choice: number}} meant */
    rewrite: (id, meant) => this.send({ type: "rewrite", id, new_id: uuid(), ...meant }),
    /** Ask for these sub-goals instead. @param {string} id @param {import("./wants.js").Asked[]} subgoals */
    want: (id, subgoals) => subgoals.length
      ? this.send({ type: "rewrite", id, new_id: uuid(), subgoals })
      : this.answers.withdraw(id),
    /** Whether what was done is what was meant. @param {string} id @param {1|-1|0} sign */
    judge: (id, sign) => this.send({ type: "judge", id, sign }),
    /** Back into the box, to say it in other words. */
    reword: (id, text) => {
      this.openBox();
      this.#rewriting = id;
      this.reading.set(text);
      this.box.select();
    },
  };

  /** Yes to the latest question: what was meant, or whether that was it. */
  yes() {
    const chip = asking(this.chips());
    if (chip) this.answers.confirm(chip.id); else this.judge(1);
  }

  /** Whether what was done last is what was meant. @param {1|-1} sign */
  judge(sign) {
    const chip = judging(this.chips());
    if (chip) this.answers.judge(chip.id, sign);
  }

  /**
   * @param {string} text
   * @param {{choice?: number|null, seal?: string|null, firm?: string, replaces?: string|null}} [meant] the reading
   *   that was chosen, the readings as the page got them, how firmly it is told, the instruction that is said again
   * @param {any} [point] what it is about, where the table knows of places
   */
  tell(text, { replaces = null, ...meant } = {}, point = null) {
    if (this.page.seat === null || this.end) return;
    const about = this.table.about?.(text, point) ?? {};
    if (!this.#listens()) this.send({ type: "say", text });
    else if (replaces) this.answers.rewrite(replaces, { text, ...meant, ...about });
    else this.send({ type: "instruct", id: uuid(), text, target: null, ...meant, ...about });
  }

  /** Whether there is an agent that reads. */
  #listens() {
    if (!this.page.tellable) return false;
    if (this.table.listens) return this.table.listens(this.state);
    return this.seats.some((seat, index) => index !== this.page.seat
      && (seat.kind === "agent" || driver(this.state, index) === "agent"));
  }

  openBox() {
    if (!this.box) return;
    document.body.classList.add("talking");
    this.table.opens?.();
    this.box.focus();
  }

  closeBox() {
    this.box?.blur();
  }

  #listen() {
    const { page, box } = this;
    listenForLeaving(() => whatLeavingDoes(this.seats, page.seat, this.state.standIn),
      () => this.send({ type: "leave" }));
    find("[data-takeover]")?.addEventListener("click",
      (event) => this.send({ type: "takeover", seat: Number(event.currentTarget.dataset.seat) }));
    if (!box) return;
    this.reading = page.tellable && new ReadingBox({
      box, panel: find("[data-reading]"), url: page.read, askUrl: page.ask, game: page.game,
      said: page.said_before, dial: !this.chipList,
      company: () => company(this.seats, page.seat), setting: () => ({ match: page.match }),
      listens: () => this.#listens(),
    });
    keepDraft(box, page.match, this.reading ? (text) => this.reading.set(text) : undefined);
    const send = (run) => {
      const text = box.value.trim();
      if (!text) return;
      run(text);
      if (this.reading) this.reading.sent(text); else box.value = "";
    };
    const tell = (event) => {
      event.preventDefault();
      send((text) => this.tell(text, this.reading ? { ...this.reading.chosen, replaces: this.#rewriting } : {}));
      this.closeBox();
    };
    find("[data-instruct-form]").addEventListener("submit", tell);
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) tell(event);
      if (event.key !== "Escape") return;
      event.stopPropagation();
      this.closeBox();
    });
    box.addEventListener("blur", () => {
      this.#rewriting = null;
      document.body.classList.remove("talking");
      this.table.closed?.();
    });
    const button = find("[data-say]");
    if (!button) return;
    button.hidden = page.people < 2;
    button.addEventListener("click", () => send((text) => this.send({ type: "say", text })));
  }
}
