/**
 * An Overcooked view as a thumbnail: the kitchen's plan, pots by state, cooks as dots. Not for: the table
 * (overcooked.js).
 */
import { palette } from "./sprites.js";

/** @type {Record<string, string>} */
const STATIONS = { X: "top", P: "hob", O: "onion", T: "tomato", D: "plate", S: "window" };
/** @type {Record<string, string>} */
const POTS = { empty: "inside", filling: "soup-onion", full: "soup-onion", cooking: "flame", ready: "ready" };

/**
 * @param {CanvasRenderingContext2D} context
 * @param {any} view
 * @param {{x: number, y: number, width: number, height: number}} box
 */
export function thumbnail(context, view, { x, y, width, height }) {
  const p = palette();
  const cell = Math.min((width - 2) / view.width, (height - 2) / view.height);
  const [left, top] = [x + (width - cell * view.width) / 2, y + (height - cell * view.height) / 2];
  /** @param {string} color @param {number} cx @param {number} cy */
  const fill = (color, cx, cy, part = 1) => {
    context.fillStyle = color;
    const gap = (1 - part) / 2;
    context.fillRect(left + (cx + gap) * cell, top + (cy + gap) * cell, cell * part + 0.3, cell * part + 0.3);
  };
  context.save();
  view.grid.forEach((/** @type {string} */ row, /** @type {number} */ cy) => [...row].forEach(
    (letter, cx) => fill(letter === " " ? p.floor : p[STATIONS[letter]], cx, cy)));
  for (const pot of view.pots) fill(p[POTS[pot.state]], pot.x, pot.y, 0.6);
  for (const { x: cx, y: cy, held } of view.counters) fill(held.kind === "soup"
    ? p["soup-onion"]
    : p[held.kind === "dish" ? "plate" : held.kind], cx, cy, 0.5);
  view.cooks.forEach((/** @type {any} */ cook, /** @type {number} */ seat) => {
    context.beginPath();
    context.arc(left + (cook.x + 0.5) * cell, top + (cook.y + 0.5) * cell, Math.max(1.2, cell * 0.42), 0, Math.PI * 2);
    context.fillStyle = p[`chef-${seat}`];
    context.fill();
    if (cook.held && cell > 5)
      fill(cook.held.kind === "soup" ? p["soup-onion"] : p[cook.held.kind === "dish" ? "plate" : cook.held.kind],
      cook.x, cook.y, 0.4);
  });
  context.restore();
}
