/**
 * The table of Say-Select: five large balls that are said or picked up. Not for: what is said of a state (state.js),
 * the line, words and the end (table-side.js).
 */
import { el, find, pageData } from "../../lib/dom.js";
import { registerKeys } from "../../lib/keys.js";
import { announce } from "../../lib/live.js";
import { withNames } from "../../names.js";
import { TableSide } from "../../table-side.js";
import { ALICE, BOB, balls, howItEnds, QUIT, rounds, rule, signed, spokenBall, turn } from "./state.js";

const page = pageData("page");
const board = find("[data-board]");
/** @type {Record<string, any>} */
const state = { view: null, tick: 0, history: [], sending: null };

const { seat } = page;
const side = new TableSide(page, { receive, draw, moves });
const now = () => turn(state.view, seat, side.names(), { end: side.end, sending: Boolean(state.sending) });
const ready = () => Boolean(state.view) && now().mine && side.open && !side.seats[seat]?.stand_in;

function receive(frame, answered) {
  if (answered && answered === state.sending) state.sending = null;
  if (frame.type === "joined") state.history = frame.history;
  else if (frame.type === "state") newState(frame);
  // The host had taken the move before the line broke: nothing is lost.
  else if (frame.type === "error"
    && !(frame.code === "stale" && answered?.type === "move" && state.view?.last?.seat === seat)) side.tellError(frame);
}

function newState({ tick, view }) {
  const before = state.view && state.tick;
  Object.assign(state, { view, tick });
  if (view.last && tick === state.history.length + 1) state.history.push(view.last);
  if (before !== null && tick > before) {
    state.sending = null;
    const told = turn(view, seat, side.names(), { end: side.end }).text;
    announce(view.last.kind === "quit" ? told : `${withNames(view.last.text, side.calledAt(tick - 1))} ${told}`);
  }
  document.title = now().mine ? "● Your turn · Coplay" : "Say-Select · Coplay";
}

/** The moves so far, for the log. */
function moves() {
  return state.history.map((move, index) => ({ tick: index + 1, kind: "move", seat: move.seat,
    text: withNames(move.text, side.calledAt(index)) }));
}

// --- Drawing ---

function text(selector, value) {
  const node = find(selector);
  if (node.textContent !== value) node.textContent = value;
}

function draw() {
  const { view, history } = state;
  if (!view) return;
  board.removeAttribute("aria-busy");
  const names = side.names(), told = now();
  text("[data-rule]", rule(seat, names));
  text("[data-turn]", told.text);
  find("[data-turn]").classList.toggle("mine", told.mine);
  text("[data-score]", signed(view.score));
  text("[data-points]", Math.abs(view.score) === 1 ? "point" : "points");
  text("[data-end]", howItEnds(view, seat, names));
  drawBalls(balls(view, history));
  const quit = find("[data-quit]");
  quit.hidden = seat !== BOB || view.over || Boolean(side.end);
  quit.disabled = !ready();
  drawRounds(rounds(history));
}

/** Each ball keeps its node, and with it the focus. */
function drawBalls(shown) {
  const list = find("[data-balls]");
  if (!list.children.length)
    list.replaceChildren(...shown.map(({ number }) => el("li", {}, el("p.ball-note", { "aria-hidden": "true" }),
    el("button.ball", { type: "button", onClick: () => act(number - 1) }, el("b", { text: number }),
      el("span.ball-worth")), el("p.ball-note", { "aria-hidden": "true" }))));
  for (const [index, ball] of shown.entries()) {
    const [above, button, below] = list.children[index].children;
    button.dataset.worth = ball.worth ?? "unknown";
    button.classList.toggle("said", ball.said);
    button.setAttribute("aria-label",
      `${spokenBall(ball)}${seat === ALICE ? `. Say ${ball.number}` : seat === BOB ? ". Pick it up" : ""}`);
    button.disabled = !ready();
    button.lastElementChild.textContent = ball.worth === null ? "?" : signed(ball.worth);
    above.textContent = ball.said ? "said" : "";
    below.textContent = ball.picked ? `picked ${signed(ball.gained)}` : "";
    below.dataset.gained = Math.sign(ball.gained);
  }
}

function drawRounds(list) {
  const table = find("[data-rounds]");
  table.hidden = !list.length;
  const made = JSON.stringify(list);
  if (table.dataset.made === made) return;
  table.dataset.made = made;
  find("tbody", table)
    .replaceChildren(...list.map(({ said, picked, gained, quit }) => el("tr", {}, el("td", { text: said }),
    el("td", { text: quit ? "quit" : picked ?? "…" }),
    el("td.num", { text: picked === null ? "" : signed(gained), dataset: { gained: Math.sign(gained) } }))));
}

// --- What the player does ---

function whyNot() {
  if (seat === null) return "You are watching.";
  if (!side.open) return "The connection is lost; it comes back by itself.";
  if (side.seats[seat]?.stand_in) return "An agent is playing this seat now.";
  return state.view ? now().text : "One moment …";
}

function act(action) {
  if (!ready()) { side.refuse(whyNot()); return; }
  if (action === QUIT && seat !== BOB) { side.refuse(`Only ${side.names()[BOB]} can quit.`); return; }
  const seq = side.line.send({ type: "move", tick: state.tick, action });
  state.sending = side.line.outbox.waiting.find((message) => message.seq === seq) || null;
  side.draw();
}

find("[data-quit]").addEventListener("click", () => act(QUIT));

registerKeys([
  ...[1, 2, 3, 4, 5].map((ball) => ({ name: `balls-${ball}`, keys: [String(ball)],
    label: `Say ${ball}, or pick up ball ${ball}`, run: () => act(ball - 1) })),
  { name: "balls-quit", keys: ["q", "0"], label: "Quit, where you pick", run: () => act(QUIT) },
  ...(side.box
    ? [{ name: "balls-tell", keys: ["t"], label: "Say something to the others", run: () => side.box.focus() }]
    : []),
]);
