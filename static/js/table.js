/**
 * The table of one game: takes frames from the match host, draws them, sends what the player does.
 * Drawing of the game is in games/hanabi.js, the line in lib/match-socket.js, log and instructions in table-words.js.
 */
import { find, findAll, pageData } from "./lib/dom.js";
import { isTyping, registerKeys } from "./lib/keys.js";
import { announce, ConnectionSigns } from "./lib/live.js";
import { MatchSocket, uuid } from "./lib/match-socket.js";
import { toast } from "./lib/toast.js";
import { findMove, lastSentence, render, seating, SUITS, turnSentence } from "./games/hanabi.js";
import { ReadingBox } from "./reading-box.js";
import { answer } from "./readings.js";
import { SeenWords } from "./seen-words.js";
import { drawInstructions, drawLog, withNames } from "./table-words.js";

const page = pageData("page");
const board = find("[data-board]");
const state = { view: null, seats: [], history: [], dialogue: [], instructions: new Map(), selected: null, sending: null, end: null, status: null };

const names = () => state.seats.map((seat) => seat.name);
const myTurn = () => state.view && !state.view.over && !state.end && state.view.current === page.seat && page.seat !== null;
const ready = () => myTurn() && !state.sending && state.status?.state === "open" && !state.seats[page.seat]?.stand_in;

const signs = new ConnectionSigns(() => (socket.outbox.waiting.length ? "your last move is sent then" : "the game waits for you"));
const socket = new MatchSocket(page.ticket, receive, showStatus, (milliseconds) => signs.latency(milliseconds));

const seen = new SeenWords(find("[data-seen-words]"), (seat) => socket.send({ type: "see", seat }), () => state.seats);

// --- What the host says ---

function receive(frame, answered) {
  if (answered && answered === state.sending) state.sending = null;
  if (frame.type === "joined") {
    Object.assign(state, { seats: frame.seats, history: frame.history, dialogue: [], instructions: new Map() });
    for (const event of frame.dialogue) note(event);
  } else if (frame.type === "state") newState(frame.view);
  else if (frame.type === "presence") { state.seats = frame.seats; showPresence(frame); }
  else if (["instruction", "utterance", "control", "notice"].includes(frame.type)) {
    note(frame);
    if (frame.type === "notice" || frame.type === "control") { toast(frame.text); announce(frame.text); }
    if (frame.type === "utterance" && frame.seat !== page.seat) announce(`${names()[frame.seat]} says: ${frame.text}`);
    if (frame.type === "instruction" && frame.seat === page.seat) announce(`${frame.status === "unread" ? "Not read" : frame.status}: ${frame.sentence}`);
  } else if (frame.type === "end") showEnd(frame);
  else if (frame.type === "seen") seen.show(frame);
  else if (frame.type === "error") refused(frame, answered);
  draw();
}

function newState(view) {
  const before = state.view;
  state.view = view;
  seen.changed();
  if (before && view.tick > before.tick && view.last) {
    if (view.tick === state.history.length + 1) state.history.push(view.last);
    announce(`${lastSentence(view, names())} ${turnSentence(view, names())}`);
  }
  const alive = view.hands.flatMap((hand) => hand.cards.map((card) => card.key));
  if (!alive.includes(state.selected)) state.selected = null;
  if (before?.tick !== view.tick && state.sending?.type === "move") state.sending = null;
  document.title = myTurn() ? "● Your turn · Coplay" : "Hanabi · Coplay";
}

function note(event) {
  if (event.type === "instruction") {
    const known = state.instructions.get(event.id);
    state.instructions.set(event.id, known ? { ...event, tick: known.tick } : event);
    const answered = answer(known, event, targets());
    if (!known) state.dialogue.push(event);
    if (answered) state.dialogue.push({ type: "answer", tick: event.tick, ...answered });
    return;
  }
  state.dialogue.push(event);
}

function refused(frame, answered) {
  // The host had taken the message before the line broke: nothing is lost.
  if (frame.code === "duplicate") return;
  if (frame.code === "stale" && answered?.type === "move" && state.view?.last?.seat === page.seat) return;
  if (frame.code === "elsewhere" || frame.code === "signed_out") return;
  toast(withNames(frame.text, names()), { bad: true });
  announce(withNames(frame.text, names()));
}

function showPresence(frame) {
  const watching = frame.spectators;
  find("[data-spectators]").textContent = watching ? `${watching} watching` : "";
}

function showStatus(status) {
  state.status = status;
  signs.show(status);
  draw();
}

function showEnd(frame) {
  state.end = frame;
  for (const [index, name] of frame.names.entries()) state.seats[index] = { ...state.seats[index], name };
  const bar = find("[data-over-bar]");
  const words = frame.reason === "finished" ? `The game is over: ${frame.score} points.` : "This game was left before its end.";
  bar.replaceChildren(words);
  if (page.seat !== null) {
    find("[data-leave]").hidden = true;
    const link = Object.assign(document.createElement("a"), { href: frame.after, textContent: "See how it went", className: "button primary" });
    bar.append(link);
    if (!isTyping(document.activeElement)) link.focus({ preventScroll: true });
  }
  bar.hidden = false;
  announce(words);
}

// --- Drawing ---

function draw() {
  if (!state.view) return;
  board.removeAttribute("aria-busy");
  board.classList.remove("board-loading");
  const shown = state.seats.map((seat) => seat.name + (seat.stand_in ? ` · ${seat.stand_in} plays` : seat.present ? "" : " · away"));
  render(board, { ...state.view, moves: state.view.moves.map((move) => ({ ...move, why: move.why && withNames(move.why, names()) })) }, {
    seat: page.seat ?? 0, names: shown, interactive: ready(), selected: state.selected, onCard, onAction: page.seat === null ? undefined : act,
    onRefused: refuse,
  });
  drawLog(find("[data-log]"), state, names(), page.seat);
  if (page.seat !== null) drawInstructions(find("[data-instructions]"), state, page.seat, { confirm, rewrite, withdraw });
  const absent = state.seats.findIndex((seat, index) => index !== page.seat && !seat.present && !seat.stand_in);
  find("[data-takeover]")?.remove();
  if (absent >= 0 && page.seat !== null && !state.end) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: `Let an agent play for ${names()[absent]}` });
    button.dataset.takeover = "";
    button.addEventListener("click", () => socket.send({ type: "takeover", seat: absent }));
    find(".side-head").after(button);
  }
}

// --- What the player does ---

function onCard(card, seat, slot, event) {
  const keyboard = event.detail === 0;
  if (keyboard && state.selected === card.key) { actOnSelected(); return; }
  state.selected = state.selected === card.key && !keyboard ? null : card.key;
  draw();
}

function act(action) {
  const move = state.view.moves.find((one) => one.action === action);
  if (!ready() || !move?.legal) { refuse(whyNot(move)); return; }
  const seq = socket.send({ type: "move", tick: state.view.tick, action });
  state.sending = socket.outbox.waiting.find((message) => message.seq === seq) || null;
  state.selected = null;
  draw();
}

function whyNot(move) {
  if (page.seat === null) return "You are watching.";
  if (state.end || state.view.over) return "The game is over.";
  if (state.status?.state !== "open") return "The connection is lost; it comes back by itself.";
  if (state.sending) return "Your move is on its way.";
  if (!myTurn()) return `It is ${names()[state.view.current]}'s turn.`;
  return move?.why ? withNames(move.why, names()) : "That isn't possible here.";
}

/** Say why something can't be done; the sentence before it goes. */
function refuse(text) {
  state.refusal?.remove();
  state.refusal = toast(text, { milliseconds: 3500 });
}

const tryMove = (move) => (move?.legal && ready() ? act(move.action) : refuse(whyNot(move)));

/** The selected card: {seat, slot, card}, or null. */
function selection() {
  for (const hand of state.view?.hands || []) {
    const slot = hand.cards.findIndex((card) => card.key === state.selected);
    if (slot >= 0) return { seat: hand.seat, slot, card: hand.cards[slot] };
  }
  return null;
}

/** Whom a hint key speaks to: the holder of the selected card, else the next player. */
function hintTarget() {
  const chosen = selection();
  return chosen && chosen.seat !== page.seat ? chosen.seat : seating(state.view, page.seat)[0];
}

const hint = (kind, value) => { if (state.view && page.seat !== null) tryMove(findMove(state.view, kind, { target: hintTarget(), value })); };

function own(kind) {
  const chosen = selection();
  if (!chosen || chosen.seat !== page.seat) { refuse("Choose one of your cards first: ← and →."); return; }
  tryMove(findMove(state.view, kind, { slot: chosen.slot }));
}

function actOnSelected(byRank = false) {
  const chosen = selection();
  if (!chosen) { refuse("Choose a card first: arrow keys, or a click."); return; }
  if (chosen.seat === page.seat) own("play");
  else hint(byRank ? "hint_rank" : "hint_color", byRank ? chosen.card.card % 5 : Math.floor(chosen.card.card / 5));
}

function choose(step) {
  if (!state.view) return;
  const chosen = selection() || { seat: page.seat ?? 0, slot: step > 0 ? -1 : state.view.hands[page.seat ?? 0].cards.length };
  const cards = state.view.hands.find((hand) => hand.seat === chosen.seat).cards;
  if (cards.length) focusCard(cards[(chosen.slot + step + cards.length) % cards.length]);
}

function changeHand(step) {
  if (!state.view) return;
  const order = seating(state.view, page.seat ?? 0);
  const chosen = selection() || { seat: page.seat ?? 0, slot: 0 };
  const index = Math.min(order.length - 1, Math.max(0, order.indexOf(chosen.seat) + step));
  const cards = state.view.hands.find((hand) => hand.seat === order[index]).cards;
  if (cards.length) focusCard(cards[Math.min(chosen.slot, cards.length - 1)]);
}

function focusCard(card) {
  state.selected = card.key;
  draw();
  const node = find(`.card[data-key="${card.key}"]`, board);
  node?.blur(); // so that the focus event comes again, and with it all that the card can be
  node?.focus();
}

// --- Words ---

const box = find("[data-instruct-text]");
const targets = () => state.seats.flatMap((seat, index) => (seat.kind === "agent" ? [index] : []));

function tell(event) {
  event?.preventDefault();
  const text = box.value.trim();
  if (!text) return;
  const agents = targets().length > 0;
  socket.send(agents ? { type: "instruct", id: uuid(), text, target: null, ...reading.chosen } : { type: "say", text });
  reading.sent(text);
  box.blur();
}

const confirm = (id) => socket.send({ type: "confirm_reading", id });
const withdraw = (id) => socket.send({ type: "withdraw", id });
/** @param {string} id @param {{text: string} | {choice: number}} meant */
const rewrite = (id, meant) => socket.send({ type: "rewrite", id, new_id: uuid(), ...meant });
const reading = box && new ReadingBox({
  box, panel: find("[data-reading]"), url: page.read, askUrl: page.ask, game: page.game, said: page.said_before, names, listens: () => targets().length > 0,
});

if (page.seat !== null) {
  find("[data-instruct-form]").addEventListener("submit", tell);
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey) tell(event);
    if (event.key === "Escape") box.blur();
  });
  const say = find("[data-say]");
  say.hidden = page.people < 2;
  say.addEventListener("click", () => { const text = box.value.trim(); if (text) { socket.send({ type: "say", text }); reading.sent(text); } });
  find("[data-leave]").addEventListener("click", () => {
    const others = state.seats.some((seat, index) => index !== page.seat && seat.kind === "person" && !seat.stand_in);
    const words = others ? "Leave for good? An agent plays on in your seat." : "Leave for good? The game ends here, unfinished.";
    if (window.confirm(words)) socket.send({ type: "leave" });
  });
}

// Enter on a card opens the instruction, as everywhere on this page; Space acts.
board.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.closest(".card")) return;
  event.preventDefault();
  box?.focus();
});

registerKeys([
  { name: "table-previous", keys: ["ArrowLeft"], label: "Choose the card to the left", run: () => choose(-1) },
  { name: "table-next", keys: ["ArrowRight"], label: "Choose the card to the right", run: () => choose(1) },
  { name: "table-up", keys: ["ArrowUp"], label: "Choose in a partner's hand", run: () => changeHand(-1) },
  { name: "table-down", keys: ["ArrowDown"], label: "Choose in your own hand", run: () => changeHand(1) },
  { name: "table-act", keys: ["Space"], label: "Act: play your card, or hint the colour of your partner's", run: () => actOnSelected() },
  { name: "table-act-rank", keys: ["Shift+Space"], label: "Hint the rank of your partner's card", run: () => actOnSelected(true) },
  { name: "table-play", keys: ["p", "+"], label: "Play the chosen card", run: () => own("play") },
  { name: "table-discard", keys: ["d", "-"], label: "Discard the chosen card", run: () => own("discard") },
  ...[1, 2, 3, 4, 5].map((rank) => ({ name: `table-rank-${rank}`, keys: [String(rank)], label: `Hint rank ${rank}`, run: () => hint("hint_rank", rank - 1) })),
  ...Object.entries(SUITS).map(([letter, name]) => ({
    name: `table-${name}`, keys: [letter.toLowerCase()], label: `Hint ${name}`,
    run: () => hint("hint_color", state.view ? state.view.colors.indexOf(letter) : -1),
  })),
  { name: "table-instruct", keys: ["Enter", "t"], label: "Tell your partner something", run: () => (state.end && page.seat !== null ? window.location.assign(page.after) : box?.focus()) },
  { name: "table-close", keys: ["Escape"], label: "Let go of the chosen card", run: () => { state.selected = null; findAll(".card", board).forEach((card) => card.blur()); draw(); } },
]);
