/**
 * The table of Hanabi: what is drawn of the game, and the moves that the player makes with cards and keys.
 * Drawing of the game is in ../hanabi.js; the line, log, words and the end are in table-side.js.
 */
import { find, findAll, pageData } from "../../lib/dom.js";
import { goOn, registerKeys } from "../../lib/keys.js";
import { announce } from "../../lib/live.js";
import { TableSide } from "../../table-side.js";
import { withNames } from "../../names.js";
import { standInAt } from "../../table-words.js";
import { findMove, lastSentence, render, seating, SUITS, turnSentence } from "./hanabi.js";

const page = pageData("page");
const board = find("[data-board]");
/** @type {Record<string, any>} */
const state = { view: null, history: [], selected: null, sending: null };

const names = () => side.names();
const refuse = (text) => side.refuse(text);
const myTurn = () => state.view && !state.view.over && !side.end && state.view.current === page.seat
  && page.seat !== null;
const ready = () => myTurn() && !state.sending && side.open && !side.seats[page.seat]?.stand_in;

const side = new TableSide(page, { receive, draw, moves });

// --- What the host says ---

function receive(frame, answered) {
  if (answered && answered === state.sending) state.sending = null;
  if (frame.type === "joined") state.history = frame.history;
  else if (frame.type === "state") newState(frame.view);
  // The host had taken the move before the line broke: nothing is lost.
  else if (frame.type === "error" && !(frame.code === "stale" && answered?.type === "move"
    && state.view?.last?.seat === page.seat)) side.tellError(frame);
}

function newState(view) {
  const before = state.view;
  state.view = { ...view, last: by(view.last, view.tick - 1) };
  side.seen.changed();
  if (before && view.tick > before.tick && view.last) {
    if (view.tick === state.history.length + 1) state.history.push(view.last);
    announce(`${lastSentence(state.view, names())} ${turnSentence(view, names())}`);
  }
  const alive = view.hands.flatMap((hand) => hand.cards.map((card) => card.key));
  if (!alive.includes(state.selected)) state.selected = null;
  if (before?.tick !== view.tick && state.sending?.type === "move") state.sending = null;
  document.title = myTurn() ? "● Your turn · Coplay" : "Hanabi · Coplay";
}

// --- Drawing ---

function draw() {
  if (!state.view) return;
  board.removeAttribute("aria-busy");
  board.classList.remove("board-loading");
  render(board, { ...state.view, current: side.end ? null : state.view.current,
    moves: state.view.moves.map((move) => ({ ...move, why: move.why && withNames(move.why, names()) })) }, {
    seat: page.seat ?? 0, names: side.shownNames(), interactive: ready(), selected: state.selected, onCard,
    because: side.because(state.view.tick), onAction: page.seat === null ? undefined : act,
    onRefused: refuse,
  });
}

/** A move with who made it in place of the seat's person. @param {number} tick at which it began */
const by = (last, tick) => last && { ...last, by: standInAt(side.dialogue, last.seat, tick) };

/** The moves so far, for the log. */
function moves() {
  return !state.view ? [] : state.history.map((last, index) => ({
    tick: index + 1, kind: last.kind === "play" && !last.success ? "misplay" : last.kind, seat: last.seat,
    text: lastSentence({ ...state.view, seat: page.seat, last: by(last, index) }, names()),
  }));
}

// --- What the player does ---

function onCard(card, seat, slot, event) {
  const keyboard = event.detail === 0;
  if (keyboard && state.selected === card.key) { actOnSelected(); return; }
  state.selected = state.selected === card.key && !keyboard ? null : card.key;
  side.draw();
}

function act(action) {
  const move = state.view.moves.find((move) => move.action === action);
  if (!ready() || !move?.legal) { refuse(whyNot(move)); return; }
  const seq = side.line.send({ type: "move", tick: state.view.tick, action });
  state.sending = side.line.outbox.waiting.find((message) => message.seq === seq) || null;
  state.selected = null;
  side.draw();
}

function whyNot(move) {
  if (page.seat === null) return "You are watching.";
  if (side.end || state.view.over) return "The game is over.";
  if (!side.open) return "The connection is lost; it comes back by itself.";
  if (state.sending) return "Your move is on its way.";
  if (!myTurn()) return `It is ${names()[state.view.current]}'s turn.`;
  return move?.why ? withNames(move.why, names()) : "That isn't possible here.";
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

const hint = (kind, value) => {
  if (state.view && page.seat !== null) tryMove(findMove(state.view, kind, { target: hintTarget(), value }));
};

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
  const chosen = selection()
    || { seat: page.seat ?? 0, slot: step > 0 ? -1 : state.view.hands[page.seat ?? 0].cards.length };
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
  side.draw();
  const node = find(`.card[data-key="${card.key}"]`, board);
  node?.blur(); // so that the focus event comes again, and with it all that the card can be
  node?.focus();
}

const { box } = side;

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
  { name: "table-act", keys: ["Space"], label: "Act: play your card, or hint the colour of your partner's",
    run: () => actOnSelected() },
  { name: "table-act-rank", keys: ["Shift+Space"], label: "Hint the rank of your partner's card",
    run: () => actOnSelected(true) },
  { name: "table-play", keys: ["p", "+"], label: "Play the chosen card", run: () => own("play") },
  { name: "table-discard", keys: ["d", "-"], label: "Discard the chosen card", run: () => own("discard") },
  ...[1, 2, 3, 4, 5].map((rank) => ({ name: `table-rank-${rank}`, keys: [String(rank)], label: `Hint rank ${rank}`,
    run: () => hint("hint_rank", rank - 1) })),
  ...Object.entries(SUITS).map(([letter, name]) => ({
    name: `table-${name}`, keys: [letter.toLowerCase()], label: `Hint ${name}`,
    run: () => hint("hint_color", state.view ? state.view.colors.indexOf(letter) : -1),
  })),
  { name: "table-instruct", keys: ["Enter", "t"], label: "Tell your partner something",
    run: () => (side.end && page.seat !== null ? goOn() : box?.focus()) },
  { name: "table-close", keys: ["Escape"], label: "Let go of the chosen card", run: () => {
    state.selected = null;
    findAll(".card", board).forEach((card) => card.blur());
    side.draw();
  } },
]);
