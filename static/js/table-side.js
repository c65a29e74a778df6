/**
 * What stands beside a table at which one takes one's time: the line to the host, who is there, what was said and what
 * was read of it, the log, stand-ins, leaving, the end. Not for: the game itself, which a table draws
 * (games/<game>/table.js, general.js) and about which it is handed every frame.
 */
import { coach } from "./coach.js";
import { el, find } from "./lib/dom.js";
import { keepDraft } from "./lib/draft.js";
import { leadOn } from "./lib/keys.js";
import { listenForLeaving, seenOut, whatLeavingDoes } from "./lib/leave.js";
import { announce, ConnectionSigns } from "./lib/live.js";
import { MatchSocket, uuid } from "./lib/match-socket.js";
import { many } from "./lib/many.js";
import { toast } from "./lib/toast.js";
import { namedFrame, withNames } from "./names.js";
import { spoken } from "./reading-ask.js";
import { ReadingBox } from "./reading-box.js";
import { company } from "./readings.js";
import { SeenWords } from "./seen-words.js";
import { clocked, standInOffer } from "./stand-in.js";
import { drawInstructions, drawLog, heard } from "./table-words.js";
import { news } from "./told.js";

const TOLD = ["instruction", "standing", "reason", "utterance", "control", "notice"];

/**
 * @typedef {object} Table what the game's own module does
 * @property {(frame: object, answered: object|null) => void} receive a frame, after the side has taken what it needs
 * @property {() => void} draw
 * @property {() => {tick: number, kind: string, seat: number|null, text: string}[]} moves for the log, in their order
 */

export class TableSide {
  seats = [];
  dialogue = [];
  instructions = new Map();
  goals = {};
  end = null;
  /** @type {import("./lib/match-socket.js").Status|null} */
  status = null;
  #refusal = null;

  /** @param {object} page what the view put into the page @param {Table} table */
  constructor(page, table) {
    Object.assign(this, { page, table });
    this.signs = new ConnectionSigns(() => (this.socket.outbox.waiting.length
      ? "your last move is sent then"
      : "the game waits for you"));
    this.socket = new MatchSocket(page.ticket, (frame, answered) => this.#receive(frame, answered),
      (status) => this.#status(status), (milliseconds) => this.signs.latency(milliseconds));
    const words = find("[data-seen-words]");
    this.seen = words && new SeenWords(words, (seat) => this.socket.send({ type: "see", seat }), () => this.seats);
    this.box = find("[data-instruct-text]");
    this.coach = coach({ tell: (text, meant) => this.#instruct(text, meant),
      send: (message) => this.socket.send(message) });
    this.#listen();
  }

  get open() { return this.status?.state === "open"; }

  names() { return this.seats.map((seat) => seat.name); }

  /** As sentences call them: oneself "You". */
  #called() { return this.names().map((name, seat) => (seat === this.page.seat ? "You" : name)); }

  /** Names with what is to be known of who is there. */
  shownNames() {
    return this.seats.map(
      (seat) => seat.name + (seat.stand_in ? ` · ${seat.stand_in} plays` : seat.present ? "" : " · away"));
  }

  /** Say why something can't be done; the sentence before it goes. */
  refuse(text) {
    this.#refusal?.remove();
    this.#refusal = toast(text, { milliseconds: 3500 });
  }

  draw() {
    const { page } = this;
    if (!this.seats.length) return; // nobody has joined yet
    this.table.draw();
    const state = { moves: this.table.moves(), dialogue: this.dialogue, instructions: this.instructions,
      goals: this.goals, end: this.end };
    drawLog(find("[data-log]"), state, this.names(), page.seat);
    const list = find("[data-instructions]");
    if (list) drawInstructions(list, state, page.seat, this.#answers, this.names());
    find("[data-told]")?.toggleAttribute("hidden", !this.instructions.size);
    this.#offerStandIn();
  }

  // --- What the host says ---

  #receive(frame, answered) {
    if (seenOut(frame, answered)) return;
    this.coach(frame);
    if (frame.type === "joined") {
      Object.assign(this, { seats: clocked(frame.seats, performance.now()), standIn: frame.stand_in, dialogue: [],
        instructions: new Map(), goals: frame.goals ?? {} });
      for (const event of frame.dialogue) Object.assign(this, heard(this, namedFrame(event, this.#called())));
    } else if (frame.type === "presence") {
      this.seats = clocked(frame.seats, performance.now());
      find("[data-spectators]").textContent = frame.spectators ? `${frame.spectators} watching` : "";
    } else if (TOLD.includes(frame.type)) this.#tell(frame);
    else if (frame.type === "goals") Object.assign(this, { goals: { ...this.goals, ...frame.goals } });
    else if (frame.type === "end") this.#showEnd(frame);
    else if (frame.type === "seen") this.seen?.show(frame);
    this.table.receive(frame, answered);
    this.draw();
  }

  #tell(told) {
    const frame = namedFrame(told, this.#called());
    Object.assign(this, heard(this, frame));
    const stands = news(frame, this.instructions, this.names());
    if (stands) announce(stands);
    if (frame.type === "reason") announce(`${this.names()[frame.seat]}: ${this.#reason(frame)}`);
    if (["notice", "control"].includes(frame.type) && frame.text) { toast(frame.text); announce(frame.text); }
    if (frame.type === "utterance" && frame.seat !== this.page.seat)
      announce(`${this.names()[frame.seat]} says: ${frame.text}`);
    if (frame.type === "instruction" && frame.seat === this.page.seat) announce(spoken(frame));
  }

  /** Why an agent made the move that led to a tick, in sentences; "" for nothing to say. */
  because(tick) {
    return this.dialogue.filter((one) => one.type === "reason" && one.tick === tick)
      .map((one) => this.#reason(one)).join(" ");
  }

  #reason(frame) {
    return withNames(frame.text, this.#called());
  }

  /** A refusal that isn't the table's own business. */
  tellError(frame) {
    if (["duplicate", "elsewhere", "signed_out"].includes(frame.code)) return;
    const text = withNames(frame.text, this.names());
    toast(text, { bad: true });
    announce(text);
  }

  #status(status) {
    this.status = status;
    this.signs.show(status);
    this.draw();
  }

  #showEnd(frame) {
    const { page } = this;
    this.end = frame;
    for (const [index, name] of frame.names.entries()) this.seats[index] = { ...this.seats[index], name };
    const bar = find("[data-over-bar]");
    const detail = frame.told?.[page.seat ?? 0]?.detail ?? "";
    const words = frame.reason === "finished"
      ? `The game is over: ${many(frame.score, "point")}. ${detail}`.trim()
      : "This game was left before its end.";
    bar.replaceChildren(words);
    if (page.seat !== null) {
      // Nobody listens any more.
      for (const part of ["[data-leave]", "[data-instruct-form]"]) find(part)?.setAttribute("hidden", "");
      const title = find("#instruct-title");
      if (title) title.textContent = this.instructions.size ? "What you said" : "";
    }
    const link = Object.assign(document.createElement("a"),
      { href: frame.after, textContent: "See how it went", className: "button primary" });
    bar.append(link);
    if (page.seat !== null) leadOn(link);
    bar.hidden = false;
    announce(words);
  }

  // --- What the player does ---

  #offerStandIn() {
    const offer = this.end ? null : standInOffer(this.seats, this.page.seat, this.names(), performance.now());
    clearTimeout(this.awaited);
    if (offer?.waits) this.awaited = setTimeout(() => this.#offerStandIn(), 1000);
    let button = find("[data-takeover]");
    if (!offer) return void button?.remove();
    if (!button) {
      button = el("button.button.small", { type: "button", dataset: { takeover: "" },
        onClick: () => this.socket.send({ type: "takeover", seat: Number(button.dataset.seat) }) });
      find(".side-head").after(button);
    }
    Object.assign(button, { textContent: offer.text, disabled: offer.waits });
    button.dataset.seat = offer.seat;
  }

  #answers = {
    confirm: (id) => this.socket.send({ type: "confirm_reading", id }),
    withdraw: (id) => this.socket.send({ type: "withdraw", id }),
    /** @param {string} id @param {{text: string} | {choice: number}} meant */
    rewrite: (id, meant) => this.socket.send({ type: "rewrite", id, new_id: uuid(), ...meant }),
  };

  #instruct(text, chosen = {}) { this.socket.send({ type: "instruct", id: uuid(), text, target: null, ...chosen }); }

  #agents() { return this.seats.some((seat) => seat.kind === "agent"); }

  #listen() {
    const { page, box, socket } = this;
    if (page.seat === null) return;
    listenForLeaving(() => whatLeavingDoes(this.seats, page.seat, this.standIn), () => socket.send({ type: "leave" }));
    if (!box) return;
    const reading = page.tellable && new ReadingBox({
      box, panel: find("[data-reading]"), url: page.read, askUrl: page.ask, game: page.game,
      said: page.said_before, dial: true,
      company: () => company(this.seats, page.seat), listens: () => this.#agents(),
    });
    keepDraft(box, page.match, reading ? (text) => reading.set(text) : undefined);
    const sent = (text) => { if (reading) reading.sent(text); else box.value = ""; };
    const say = () => { const text = box.value.trim(); if (text) { socket.send({ type: "say", text }); sent(text); } };
    const tell = (event) => {
      event?.preventDefault();
      const text = box.value.trim();
      if (!text) return;
      if (reading && this.#agents()) { this.#instruct(text, reading.chosen); sent(text); } else say();
      box.blur();
    };
    find("[data-instruct-form]").addEventListener("submit", tell);
    box.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey) tell(event);
      if (event.key === "Escape") box.blur();
    });
    const button = find("[data-say]");
    if (button) { button.hidden = page.people < 2; button.addEventListener("click", say); }
  }
}
