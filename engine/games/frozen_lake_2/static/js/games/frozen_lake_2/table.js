/**
 * The table of Frozen Lake: a board of cells, players that step with arrow keys, the pad or a tap beside them. Not
 * for: what is said of a state (state.js), the line, words and the end (table-side.js).
 */
import { closest, el, find, findAll, pageData } from "../../lib/dom.js";
import { registerKeys } from "../../lib/keys.js";
import { announce } from "../../lib/live.js";
import { TableSide } from "../../table-side.js";
import { ownSeat, steers } from "../../table-state.js";
import { Waits } from "../../waits.js";
import { DOWN, ending, inWords, lastStep, LEFT, RIGHT, rule, sentence, STAY, stepTo, told, turn, UP } from "./state.js";

const FLAG = "M3 1v18M4 2l12 4-12 4z";
const page = pageData("page");
const board = find("[data-board]"), lake = find("[data-lake]");
/** @type {Record<string, any>} `sent`: what was chosen for this step; `moved`: who has chosen */
const state = { view: null, history: [], sent: null, moved: [] };

/** @type {TableSide} */
const side = new TableSide(page, { receive, draw, moves, endWords: () => ending(state.view, called()) });
const waits = new Waits(() => side.draw());
const own = () => ownSeat(side.state) ?? null;
/** Whether this page's keys move a player now. */
const mine = () => Boolean(state.view) && !state.view.over && steers(side.state);
/** What the players are called to whoever reads. */
/** @returns {string[]} */
const called = () => side.seats.map((/** @type {{name: string}} */ { name }, /** @type {number} */ seat) =>
  (seat === page.seat ? "You" : name));

// --- What the host says ---

/** @param {any} frame @param {any} answered */
function receive(frame, answered) {
  waits.receive(frame);
  if (frame.type === "joined") state.history = told(frame.history ?? []);
  else if (frame.type === "state") newState(frame);
  else if (frame.type === "error") {
    if (answered && answered.seq === state.sent?.seq) state.sent = null;
    side.tellError(frame, "stale", "over");
  }
}

/** @param {{view: import("./state.js").View, moved?: number[]}} frame */
function newState({ view, moved }) {
  const before = state.view;
  state.view = view;
  state.moved = moved ?? [];
  if (before && view.tick > before.tick) {
    waits.over();
    if (state.sent && state.sent.tick < view.tick) state.sent = null;
    state.history.push(...told(view.last?.events ?? []));
    announce(`${lastStep(view, called())} ${ending(view, called())}`.trim());
  }
  document.title = mine() && !state.sent ? "● Your step · Coplay" : "Frozen Lake · Coplay";
}

/** What stands out so far, for the log. */
function moves() {
  /** @type {import("./state.js").Happened[]} */
  const events = state.history;
  return events.map((event) => ({ tick: event.tick, kind: "move", seat: event.seat,
    text: sentence(state.view, event, side.calledAt(event.tick - 1)) }));
}

// --- Drawing ---

/** @param {string} selector @param {string} value */
function text(selector, value) {
  const node = find(selector);
  if (node && node.textContent !== value) node.textContent = value;
}

function draw() {
  const { view } = state;
  if (!view) return;
  board.removeAttribute("aria-busy");
  /** @type {string[]} */
  const controls = side.state.controls ?? [];
  const people = controls.flatMap((control, seat) => (control === "agent" ? [] : [seat]));
  const now = turn(view, { steers: mine(), sent: Boolean(state.sent), end: side.end, names: called(),
    waiting: people.filter((seat) => !state.moved.includes(seat)) });
  text("[data-turn]", waits.text || now.text);
  find("[data-turn]").classList.toggle("mine", now.mine && !waits.text);
  text("[data-score]", String(view.score));
  text("[data-left]", `· ${view.left} steps left`);
  text("[data-rule]", rule(view));
  drawLake(view);
  for (const button of findAll("[data-step]")) {
    button.disabled = !mine();
    button.setAttribute("aria-pressed", String(state.sent?.action === Number(button.dataset.step)));
  }
  const words = find("[data-words]"), lines = inWords(view, called());
  if (words.dataset.made !== lines.join()) {
    words.dataset.made = lines.join();
    words.replaceChildren(...lines.map((line) => el("li", { text: line })));
  }
  const pilot = find("[data-copilot]");
  if (pilot) pilot.textContent = mine() ? "Hand back" : "Take over";
}

/** @param {import("./state.js").View} view */
function drawLake(view) {
  const made = JSON.stringify([view.size, view.holes, view.targets, view.players, mine(), view.over, own()]);
  if (lake.dataset.made === made) return;
  lake.dataset.made = made;
  lake.style.setProperty("--size", String(view.size));
  const at = (/** @type {number[][]|null} */ cells, /** @type {number} */ x, /** @type {number} */ y) =>
    (cells ?? []).some((cell) => cell[0] === x && cell[1] === y);
  const numbers = Array.from({ length: view.size }, (_, index) => index);
  const player = own() === null ? null : view.players[own()];
  const cells = numbers.flatMap((y) => numbers.map((x) => {
    const cell = laid(el("div.lake-cell", { dataset: { x, y } }), x, y);
    cell.classList.toggle("unknown", !view.holes);
    cell.classList.toggle("hole", at(view.holes, x, y));
    cell.classList.toggle("near", player !== null && mine() && stepTo(player, x, y) !== null);
    if (at(view.targets, x, y)) { cell.classList.add("target"); cell.append(flag()); }
    return cell;
  }));
  lake.replaceChildren(
    ...numbers.map((x) => laid(el("span.lake-number", { text: x + 1 }), x, -1)),
    ...numbers.map((y) => laid(el("span.lake-number", { text: y + 1 }), -1, y)),
    ...cells,
    ...view.players.map(({ x, y }, seat) => laid(el("span.lake-player", { text: seat + 1, dataset: { seat },
      class: [seat === own() && "own", at(view.holes, x, y) && "fallen"].filter(Boolean).join(" ") }), x, y)),
  );
}

/** In a cell; -1 is where the numbers are. @param {any} node @param {number} x @param {number} y */
function laid(node, x, y) {
  node.style.gridArea = `${y + 2} / ${x + 2}`;
  return node;
}

function flag() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "lake-flag");
  svg.setAttribute("viewBox", "0 0 18 20");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  for (const [name, value] of Object.entries({ d: FLAG, fill: "currentColor", stroke: "currentColor",
    "stroke-width": "1.6" })) path.setAttribute(name, value);
  svg.append(path);
  return svg;
}

// --- What the player does ---

/** @param {number} action */
function step(action) {
  if (!mine()) {
    side.refuse(page.seat === null && page.copilot === null ? "You are watching."
      : state.view?.over || side.end ? "The game is over." : "An agent is playing this seat now.");
    return;
  }
  if (!side.open) { side.refuse("The connection is lost; it comes back by itself."); return; }
  const { tick } = state.view;
  state.sent = { action, tick, seq: side.send({ type: "move", tick, action }) };
  side.draw();
}

for (const button of findAll("[data-step]")) button.addEventListener("click", () => step(Number(button.dataset.step)));
lake.addEventListener("click", (/** @type {Event} */ event) => {
  const cell = closest(event, ".lake-cell.near");
  if (!cell || !mine()) return;
  const action = stepTo(state.view.players[own()], Number(cell.dataset.x), Number(cell.dataset.y));
  if (action !== null) step(action);
});
const pilot = () => side.send({ type: mine() ? "hand_back" : "take_control" });
find("[data-copilot]")?.addEventListener("click", pilot);

/** @param {string} name @param {string[]} keys @param {string} label @param {number} action */
const placed = (name, keys, label, action) => ({ name, keys, label, places: true, run: () => step(action) });
registerKeys([
  placed("lake.up", ["ArrowUp", "KeyW"], "Step up", UP),
  placed("lake.down", ["ArrowDown", "KeyS"], "Step down", DOWN),
  placed("lake.left", ["ArrowLeft", "KeyA"], "Step left", LEFT),
  placed("lake.right", ["ArrowRight", "KeyD"], "Step right", RIGHT),
  placed("lake.stay", ["Space", "KeyX"], "Stay for this step", STAY),
  ...(page.copilot === null || page.copilot === undefined
    ? []
    : [{ name: "lake.copilot", keys: ["c"], label: "Co-pilot: take over, hand back", run: pilot }]),
  ...(side.box
    ? [{ name: "lake.tell", keys: ["t"], label: "Tell your partner something", run: () => side.box.focus() }]
    : []),
]);
// A click on the pad must not leave the focus there: Space stays, and arrows step.
document.addEventListener("click", (event) => { if (event.detail > 0) closest(event, "[data-step]")?.blur(); });
