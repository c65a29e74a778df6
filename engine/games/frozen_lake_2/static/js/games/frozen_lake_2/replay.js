/**
 * The replay of Frozen Lake: its pictures, with what both players did in the sentences of its table. Not for: how
 * pictures are fetched and drawn (general-replay.js).
 */
import { render as draw } from "../../general-replay.js";
import { lastStep, sentence as inWords } from "./state.js";

export * from "../../general-replay.js";

/** @param {any} view null: not fetched yet @param {any} event @param {string[]} names */
export const sentence = (view, event, names) =>
  inWords(view ?? { targets: null }, event, names) || `${names[event.seat]} stayed.`;

/** @param {HTMLElement} root @param {any} view @param {any} [options] see replay-game.js */
export function render(root, view, options = {}) {
  draw(root, { ...view, told: { seat: null, text: lastStep(view, options.names ?? []) } }, options);
}
