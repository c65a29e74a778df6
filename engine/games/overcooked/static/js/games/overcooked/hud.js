/**
 * Everything around the canvas of a kitchen: score, time, who is who, orders, readings, bubbles, banners. Each function
 * draws one part from the state and touches the page only when that part changed. Not for: what the state is
 * (state.js), the kitchen itself (overcooked.js).
 */
import { el, find, touchOnly } from "../../lib/dom.js";
import { places } from "./bubbles.js";
import { clock, pieces, soupName, stateLines } from "./model.js";
import { banner, bubbles, perSecond, turnLine, whoDrives } from "./state.js";
import { driver, ownSeat } from "../../table-state.js";

/** What each part shows, so that it is touched only when that changes. */
const shown = new WeakMap();

function changed(node, value) {
  const signature = JSON.stringify(value);
  if (shown.get(node) === signature) return false;
  shown.set(node, signature);
  return true;
}

function text(selector, value) {
  const node = find(selector);
  if (node && node.textContent !== value) node.textContent = value;
}

/** A chef's badge: number, colour and pattern as on the canvas. */
export const badge = (seat) => el(`span.chef-badge.chef-${seat}`, { "aria-hidden": "true" }, String(seat + 1));

/** Score, time left, and who is who. */
export function drawBar(state) {
  const { view } = state;
  text("[data-score]", String(view.score));
  text("[data-points]", view.score === 1 ? "point" : "points");
  const left = view.horizon - view.tick;
  text("[data-time]", clock(left, perSecond(state)));
  find("[data-time]").closest(".clock").classList.toggle("late", left <= 10 * (perSecond(state) || 4) && !view.over);
  const who = find("[data-who]");
  const rows = state.seats.map((seat, index) => ({
    name: seat.name, own: index === state.page.seat, note: noteOf(state, seat, index),
    moved: state.pace.mode === "turns" && state.moved.includes(index),
  }));
  if (!changed(who, rows)) return;
  who.replaceChildren(...rows.map((row, seat) => el("li.who", { class: row.own ? "own" : null }, badge(seat),
    el("span.who-name", { text: row.own ? `${row.name} (you)` : row.name }),
    row.note && el("span.who-note", { text: row.note }),
    row.moved && el("span.who-moved", { title: "has moved", text: "✓" }))));
}

function noteOf(state, seat, index) {
  const now = driver(state, index);
  if (now === "copilot") return "co-pilot drives";
  if (seat.kind === "person" && seat.stand_in) return `${seat.stand_in} plays`;
  if (seat.kind === "person" && !seat.present) return "away";
  return "";
}

/** What is ordered, as tickets with pieces that can be counted, value and a star for a bonus. */
export function drawOrders(view) {
  const list = find("[data-orders]");
  if (!changed(list, view.orders)) return;
  list.replaceChildren(...view.orders.map((order) => el("li.order", { class: order.bonus ? "bonus" : null },
    el("span.order-soup", { role: "img", "aria-label": soupName(order) },
      pieces(order).map((kind) => el(`i.piece.${kind}`))),
    el("b", { text: order.value }),
    order.bonus && el("span.star", { title: "A bonus order: twice the points", text: "★" }))));
}

/** Ready-made sentences with their number keys. @param {(sentence: string) => void} tell */
export function drawReady(sentences, tell) {
  const list = find("[data-ready-sentences]");
  if (!list || !changed(list, sentences)) return;
  list.replaceChildren(
    ...sentences.map((sentence, i) => el("li", {}, el("button.ready", { type: "button", onClick: () => tell(sentence) },
    el("kbd", { text: i + 1 }), sentence))));
}

/** Countdown and pauses across the kitchen, and the line that says who drives. @param {string|null} copilotKey */
export function drawBanners(state, now, copilotKey) {
  const across = find("[data-banner]");
  const what = banner(state, now);
  if (changed(across, what)) {
    across.hidden = !what;
    across.dataset.kind = what?.kind || "";
    across.textContent = what?.text || "";
  }
  const line = find("[data-drives]");
  const words = whoDrives(state, copilotKey);
  if (line && changed(line, words)) {
    line.hidden = !words && state.role !== "copilot";
    line.firstElementChild.textContent = words;
    line.classList.toggle("mine", state.role === "copilot" && driver(state, ownSeat(state)) === "copilot");
  }
  text("[data-turn]", turnLine(state, touchOnly()));
}

/** Words over the heads of those who said them. @param {import("./overcooked.js").Kitchen} kitchen */
export function drawBubbles(state, kitchen, now) {
  const layer = find("[data-bubbles]");
  const words = bubbles(state, now);
  if (changed(layer, words))
    layer.replaceChildren(...words.map((word) => el("p.bubble", { text: word.text, dataset: { seat: word.seat } })));
  const { canvas, cell, view } = kitchen;
  const nodes = [...layer.children];
  const said = nodes.map((node) => {
    const [x, y] = kitchen.head(Number(node.dataset.seat));
    return { x, y, width: node.offsetWidth, height: node.offsetHeight };
  });
  const pots = view.pots.map(({ x, y }) => ({ x: x * cell, y: y * cell, width: cell, height: cell }));
  // As wide as the kitchen: beside it stand the orders.
  const room = { x: 0, y: -canvas.offsetTop, width: canvas.clientWidth, height: layer.clientHeight };
  for (const [index, { x, y, below }] of places(said, pots, room, cell).entries()) {
    nodes[index].style.transform = `translate(${canvas.offsetLeft + x}px, ${canvas.offsetTop + y}px)`;
    nodes[index].classList.toggle("below", below);
  }
}

/** The kitchen in sentences, for screen readers: read when asked for, so at most once a second. */
export function drawStateList(state, names) {
  const list = find("[data-state-list]");
  const lines = stateLines(state.view, names, perSecond(state));
  if (changed(list, lines)) list.replaceChildren(...lines.map((line) => el("li", { text: line })));
}
