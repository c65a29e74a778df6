/**
 * The replay of Frozen Lake: its pictures, with what both players did in the sentences of its table. Not for: how
 * pictures are fetched and drawn (general-replay.js).
 */
import { render as draw } from "../../general-replay.js";
import { DOWN, lastStep, LEFT, RIGHT, sentence as inWords, STAY, UP } from "./state.js";

export * from "../../general-replay.js";

/** How one plays a position on: the arrow keys go through what happened. */
export const moves = [
  { action: UP, label: "↑ up", keys: ["w"] }, { action: DOWN, label: "↓ down", keys: ["s"] },
  { action: LEFT, label: "← left", keys: ["a"] }, { action: RIGHT, label: "→ right", keys: ["d"] },
  { action: STAY, label: "stay", keys: ["q"] },
];

/** @param {any} view null: not fetched yet @param {any} event @param {string[]} names */
export const sentence = (view, event, names) =>
  inWords(view ?? { targets: null }, event, names) || `${names[event.seat]} stayed.`;

/** @param {HTMLElement} root @param {any} view @param {any} [options] see replay-game.js */
export function render(root, view, options = {}) {
  draw(root, { ...view, told: { seat: null, text: lastStep(view, options.names ?? []) } }, options);
}
