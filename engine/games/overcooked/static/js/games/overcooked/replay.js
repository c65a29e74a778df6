/**
 * Overcooked on a replay page: points, time and who is who above the kitchen, which stands still while one looks for a
 * tick and moves while the replay plays. Not for: the kitchen itself (overcooked.js), the game that is played
 * (table.js).
 */
import { context2d, el } from "../../lib/dom.js";
import {
  clock, eventSentence, itemName, Kitchen, lastSentence, potSentence, soupName, stateLines,
} from "./overcooked.js";
import { sprite } from "./sprites.js";

export { planLook } from "./plan-look.js";
export { thumbnail } from "./overcooked.js";

const AFTER = 1200; // ms that what rises from the kitchen goes on after a step
const ICON = 44; // device pixels of a chef beside its name
const LOWEST = 120; // CSS pixels below which a kitchen is no use

/** What each root shows. */
const drawn = new WeakMap();

function build(root) {
  const canvas = el("canvas", { role: "img", "aria-label": "The kitchen at this tick" });
  const parts = {
    canvas, kitchen: new Kitchen(canvas), bar: el("div.kitchen-facts"), sentence: el("p.kitchen-sentence"),
    until: 0, frame: null, key: "",
  };
  root.classList.add("kitchen", "kitchen-replay");
  root.replaceChildren(parts.bar, canvas, parts.sentence);
  drawn.set(root, parts);
  return parts;
}

/** @param {HTMLElement} root @param {import("./model.js").View} view @param {object} [options] see replay-game.js */
export function render(root, view, options = {}) {
  const state = drawn.get(root) || build(root);
  const { perSecond = 0, duration = 0, names } = options;
  const { kitchen } = state;
  drawFacts(state, view, options);
  state.canvas.setAttribute("aria-label", stateLines(view, names, perSecond).join(" "));
  const told = lastSentence(view, names);
  if (state.sentence.textContent !== told) state.sentence.textContent = told;
  if (!duration) Object.assign(kitchen, { floats: [], bumps: [] });
  kitchen.show(view, { seat: options.seat ?? view.seat, perSecond, duration });
  kitchen.setTargets(options.targets ?? []);
  fit(root, state, view, options);
  kitchen.draw();
  state.until = duration ? performance.now() + duration + AFTER : 0;
  if (duration && state.frame === null) animate(state);
}

/** Make the kitchen as large as there is room: measured when the room may have changed, not at every tick. */
function fit(root, state, view, { maxHeight, names }) {
  const key = [innerWidth, innerHeight, maxHeight, view.width, view.height, devicePixelRatio, names].join();
  if (state.room === key) return;
  const around = state.bar.offsetHeight + state.sentence.offsetHeight;
  state.kitchen.fit(root.clientWidth - 16, Math.max(LOWEST, (maxHeight || innerHeight * 0.5) - around));
  state.room = root.clientWidth ? key : "";
}

function animate(state) {
  state.frame = requestAnimationFrame((now) => {
    state.frame = null;
    state.kitchen.draw(now);
    if (now < state.until) animate(state);
  });
}

/** Points, time, orders, and every chef with what it holds. Built once a kitchen, then only the words change. */
function drawFacts(state, view, { names, perSecond = 0, seat }) {
  const key = JSON.stringify([names, view.orders]);
  if (state.key !== key) {
    state.key = key;
    state.points = el("b.kitchen-points");
    state.unit = el("span");
    state.time = el("span.kitchen-time");
    state.held = view.cooks.map(() => el("span.muted"));
    state.chefs = view.cooks.map((_, index) => el("li", {}, icon(index), el("b", { text: names[index] }), " ",
      state.held[index]));
    const orders = view.orders.map(({ bonus, value, ...soup }) =>
      `${soupName(soup)}: ${value}${bonus ? " with bonus" : ""}`);
    state.bar.replaceChildren(
      el("p", {}, state.points, " ", state.unit, " · ", state.time,
        el("span.muted", { text: ` · orders: ${orders.join(", ")}` })),
      el("ul.kitchen-chefs", {}, state.chefs));
  }
  state.points.textContent = view.score;
  state.unit.textContent = view.score === 1 ? "point" : "points";
  state.time.textContent = `${clock(view.horizon - view.tick, perSecond)} left`;
  view.cooks.forEach((cook, index) => {
    state.held[index].textContent = cook.held ? `holds ${itemName(cook.held)}` : "has free hands";
    state.chefs[index].classList.toggle("chosen", index === seat);
  });
}

function icon(index) {
  const canvas = el("canvas.chef-icon", { width: ICON, height: ICON * 1.25, "aria-hidden": "true" });
  const picture = sprite("chef", ICON, index, "south");
  context2d(canvas).drawImage(picture, 0, canvas.height - picture.height);
  return canvas;
}

/** An event in words. @param {object} view the state that it led to @param {object} event @param {string[]} names */
export function sentence(view, event, names) {
  const own = names.indexOf("You");
  return event.text || eventSentence({ ...view, seat: own < 0 ? null : own }, event, names);
}

/** Soups that became ready: nobody's doing, so the rules don't tell them as events. @param {object[]} views by tick */
export function moments(views) {
  return views.flatMap((view, tick) => (tick === 0 ? [] : view.pots.flatMap((pot, index) => {
    if (pot.state !== "ready" || views[tick - 1].pots[index].state === "ready") return [];
    return [{ tick, seat: null, kind: "ready", tone: "plain", text: potSentence(view, pot, 0) }];
  })));
}

/** Deliveries and soups that are ready stand out. */
export const stands = (event) => event.kind === "deliver" || event.kind === "ready";

export const moves = [
  { action: 0, label: "↑ north", keys: ["w"] }, { action: 1, label: "↓ south", keys: ["s"] },
  { action: 3, label: "← west", keys: ["a"] }, { action: 2, label: "→ east", keys: ["d"] },
  { action: 5, label: "work", keys: ["e", "Space"] }, { action: 4, label: "wait", keys: ["q"] },
];
