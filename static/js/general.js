/**
 * The table of a game that brings none of its own: the state as its picture, what one sees in words, legal moves as
 * buttons with the number keys, whoever may move and whether one at a time or all at once. At every new state the host
 * is asked for a look, once at a time. Not for: what is said of a state (general-state.js), line, words and end
 * (table-side.js).
 */
import { el, find, findAll, pageData } from "./lib/dom.js";
import { registerKeys } from "./lib/keys.js";
import { announce } from "./lib/live.js";
import { attributed, turnOf, walked, withLast } from "./general-state.js";
import { TableSide } from "./table-side.js";
import { withNames } from "./names.js";
import { Waits } from "./waits.js";

const page = pageData("page");
const own = page.seat ?? page.copilot;
const board = find("[data-board]");
/** @type {Record<string, any>} */
const state = { looked: null, tick: null, asked: null, stale: false, history: [], sent: null, controls: [] };
const waits = new Waits(() => side.draw());

const turns = page.pace === null; // one seat moves at a time
const byClock = Boolean(page.pace);
/** Whether this page moves its seat now: a player's own, or a co-pilot's whose agent it has replaced. */
const steers = () =>
  own !== null && (page.copilot === null ? !side.seats[own]?.stand_in : state.controls[own] === "copilot");
const table = () => ({ seat: own, names: side.names(), end: side.end, waits: !turns && !byClock,
  sent: state.sent !== null });
const ready = () => steers() && side.open && turnOf(state.looked, table()).mine;

const side = new TableSide(page, { receive, draw, moves: () => state.history.map((move) => {
  const text = attributed(move.text, move.seat, side.calledAt(move.tick - 1, own));
  return { ...move, text: withNames(text, side.names()) };
}) });

// --- What the host says ---

function receive(frame, answered) {
  waits.receive(frame);
  if (frame.type === "joined") {
    state.controls = frame.controls;
    state.asked = null;
    state.history = turns
      ? frame.history.map(({ seat, text = "" }, index) => ({ tick: index + 1, kind: "move", seat, text }))
      .filter(({ text }) => text)
      : [];
  } else if (frame.type === "state") newState(frame);
  else if (frame.type === "looked") newLook(frame);
  else if (frame.type === "control") state.controls = frame.controls;
  else if (frame.type === "error") {
    if (frame.seq !== undefined && frame.seq === state.asked) { state.asked = null; return; }
    if (answered && answered.seq === state.sent?.seq) state.sent = null;
    if (frame.code !== "stale") side.tellError(frame);
    look();
  }
}

function newState(frame) {
  if (frame.controls) state.controls = frame.controls;
  if (frame.tick !== state.tick && frame.tick > 0) {
    waits.over();
    if (state.sent && state.sent.tick < frame.tick) state.sent = null;
  }
  state.tick = frame.tick;
  look();
}

/** Ask for the present state, once at a time. */
function look() {
  if (state.asked !== null) { state.stale = true; return; }
  state.stale = false;
  state.asked = side.line.sendOnce({ type: "look" });
}

function newLook(looked) {
  const before = state.looked;
  state.looked = looked;
  state.asked = null;
  const told = withLast(state.history, looked, turns ? before?.current : null);
  if (told !== state.history && before)
    announce(withNames(`${looked.last} ${turns ? turnOf(looked, table()).text : ""}`, side.names()));
  state.history = told;
  document.title = turnOf(looked, table()).mine && !byClock ? "● Your turn · Coplay" : `${page.title} · Coplay`;
  if (state.stale) look();
}

// --- Drawing ---

function draw() {
  const { looked } = state;
  const turn = turnOf(looked, table());
  const line = find("[data-turn]");
  const text = waits.text || turn.text;
  if (line.textContent !== text) line.textContent = text;
  line.classList.toggle("mine", turn.mine && steers());
  if (!looked) return;
  board.removeAttribute("aria-busy");
  find("[data-score]").textContent = looked.score;
  find("[data-points]").textContent = looked.score === 1 ? "point" : "points";
  const image = find("[data-picture]");
  if (image.src !== looked.picture) image.src = looked.picture;
  image.hidden = false;
  image.alt = withNames(looked.sees || looked.last || `${page.title}, step ${looked.tick}`, side.names());
  find("[data-last]").textContent = withNames(looked.last, side.names());
  drawMoves(looked);
  drawSees(looked);
  const pilot = find("[data-copilot]");
  if (pilot) pilot.textContent = steers() ? "Hand back" : "Take over";
}

/** A button a move; they stay while the moves do, so that they keep the focus. */
function drawMoves({ moves }) {
  const root = find("[data-moves]");
  const shown = steers() && !side.end ? moves : [];
  const made = JSON.stringify(shown);
  if (root.dataset.made !== made) {
    root.dataset.made = made;
    const had = root.contains(document.activeElement);
    root.replaceChildren(
      ...shown.map((move, index) => el("button.general-move",
      { type: "button", dataset: { action: move.action }, onClick: () => make(move) },
      index < 9 && el("kbd", { text: index + 1 }), el("span", { text: withNames(move.text, side.names()) }))));
    if (had) find("button", root)?.focus();
  }
  for (const button of findAll("button", root)) {
    button.disabled = turns && !ready();
    if (!turns && !byClock)
      button.setAttribute("aria-pressed", String(state.sent?.action === Number(button.dataset.action)));
  }
}

function drawSees({ sees, details }) {
  const root = find("[data-sees]");
  const made = JSON.stringify([sees, details, side.names()]);
  if (root.dataset.made === made) return;
  root.dataset.made = made;
  root.replaceChildren(...[
    sees && el("p", { text: withNames(sees, side.names()) }),
    details.length && el("dl.seen-details.small", {},
    details.map(([what, value]) => el("div", {}, el("dt", { text: what }), el("dd", { text: value })))),
  ].filter(Boolean));
}

// --- What the player does ---

function whyNot() {
  if (page.seat === null && page.copilot === null) return "You are watching.";
  if (state.looked?.over || side.end) return "The game is over.";
  if (!side.open) return "The connection is lost; it comes back by itself.";
  if (!steers()) return "An agent is playing this seat now.";
  return state.looked ? turnOf(state.looked, table()).text : "One moment …";
}

function make(move) {
  const again = !turns && !byClock && state.sent; // the last choice counts
  if (!move || !(ready() || (again && steers() && side.open))) {
    side.refuse(move || !ready() ? whyNot() : "There is no such move now.");
    return;
  }
  if (byClock) {
    // A tap: what is pressed once is done once.
    side.line.sendOnce({ type: "press", action: move.action });
    side.line.sendOnce({ type: "release", action: move.action });
    return;
  }
  state.sent = { action: move.action, tick: state.looked.tick,
    seq: side.line.send({ type: "move", tick: state.looked.tick, action: move.action }) };
  side.draw();
}

function walk(step) {
  const buttons = findAll("[data-moves] button:not(:disabled)");
  buttons[walked(buttons.length, buttons.indexOf(document.activeElement), step)]?.focus();
}

const pilot = () => side.line.send({ type: steers() ? "hand_back" : "take_control" });
find("[data-copilot]")?.addEventListener("click", pilot);

registerKeys([
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ({ name: `general.move${n}`, keys: [String(n)], label: `Make move ${n}`,
    run: () => make(state.looked?.moves[n - 1]) })),
  { name: "general.next", keys: ["ArrowDown", "ArrowRight"], label: "Next move", run: () => walk(1) },
  { name: "general.previous", keys: ["ArrowUp", "ArrowLeft"], label: "Move before", run: () => walk(-1) },
  ...(page.copilot === null
    ? []
    : [{ name: "general.copilot", keys: ["c"], label: "Co-pilot: take over, hand back", run: pilot }]),
  ...(side.box
    ? [{ name: "general.instruct", keys: ["t"], label: "Tell your partner something", run: () => side.box.focus() }]
    : []),
]);
