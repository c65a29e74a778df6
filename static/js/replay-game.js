/**
 * What a replay needs of a game: a module that the page names, the game's own (games/<game>/replay.js) or the one that
 * shows its pictures (general-replay.js).
 *
 * @typedef {object} States the states of an episode
 * @property {(name: string, tick: number) => object|null} at the state of a view ("open", or a seat) at a tick; null:
 *   not here yet
 * @property {(tick: number, name: string) => Promise<void>} load fetches what `at` needs for a tick of a view
 * @property {(tick: () => number) => Promise<void>} [loadAll] fetches everything, what is near the tick that is shown
 *   first
 *
 * @typedef {object} ReplayGame
 * @property {(stream: object, page: object) => Promise<States>} [states] for games whose stream doesn't hold every
 *   state
 * @property {string} [openLabel] what the button of the open view says, for games without hands
 * @property {string} [openTitle] explains it
 * @property {boolean} [fits] whether `render` keeps to `maxHeight` by itself; otherwise the page makes it smaller
 * @property {(root: HTMLElement, view: object, options: object) => void} render draws one state; `options.duration` is
 *   the time in ms that a step takes while the replay plays, 0 while one looks for a tick; `options.maxHeight` CSS
 *   pixels, `options.open` whether the state is of the open view, `options.targets` where the steps of a plan are done
 * @property {import("./plan-cards.js").Look} [planLook] how the game shows a plan
 * @property {(context: CanvasRenderingContext2D, view: object, box: object) => void} thumbnail
 * @property {(view: object, event: object, names: string[]) => string} [sentence] an event in words, for games whose
 *   events don't carry their text
 * @property {(views: object[]) => object[]} [moments] events that nobody did, read off the states: {tick, kind, text,
 *   tone}
 * @property {(event: object) => boolean} [stands] whether the keys jump to this event (default: what went badly)
 * @property {{action: number, label: string, keys: string[]}[]} [moves] how one plays on with keys and buttons, for
 *   games whose states are not played by clicking what is drawn
 */

/** @param {{module: string}} page @returns {Promise<ReplayGame>} */
export const gameOf = (page) => import(page.module);

const SMALLEST = 0.6; // share of its size that a state may shrink to; what is larger still is scrolled

/**
 * Make a state whose game doesn't keep to a height by itself small enough for it.
 * @param {HTMLElement} stage
 * @param {number} room the height that there is, in CSS pixels
 */
export function shrink(stage, room) {
  let zoom = 1;
  stage.style.zoom = String(zoom);
  // Smaller, it is wider for its own taste, and so lower: the second look finds that.
  for (let look = 0; look < 2; look += 1) {
    zoom = Math.max(SMALLEST, Math.min(1, (zoom * room) / stage.getBoundingClientRect().height));
    stage.style.zoom = String(zoom);
  }
}
