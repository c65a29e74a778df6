/** The cards of a game of Hanabi that is over: every hand with its faces, as it was held, and the fireworks. */
import { el } from "../../lib/dom.js";
import { cardName, face } from "./hanabi.js";

export const title = "The cards, at last";

/**
 * A hand, its cards in the order in which they were held, with those that fitted or could not be had again.
 * @param {any} view
 * @param {{seat: number, cards: any[]}} held
 * @param {string} name
 * @param {boolean} own
 */
function hand(view, { seat, cards }, name, own) {
  return el("div.ending-hand", {},
    el("h3", { text: own ? "You held" : `${name} held` }),
    cards.length
      ? el("ul.ending-cards", {}, cards.map(({ card, playable, critical }) => el("li.card", { dataset: { seat } },
        face(view, card), el("span.visually-hidden", { text: cardName(view, card) }),
        (playable || critical) && el("span.ending-note", { text: playable ? "fits" : "last" }))))
      : el("p.muted.small", { text: "no card" }));
}

/** @param {HTMLElement} root @param {{view: any, names: string[], seat: number|null}} told */
export function draw(root, { view, names, seat }) {
  const hands = view.hands.map((/** @type {any} */ one) => hand(view, one, names[one.seat], one.seat === seat));
  const built = view.fireworks.map((/** @type {number} */ height, /** @type {number} */ color) => (height
    ? el("span.ending-firework", {}, face(view, color * 5 + height - 1),
      el("span.visually-hidden", { text: cardName(view, color * 5 + height - 1) })) : null));
  const some = built.some(Boolean);
  root.replaceChildren(el("div.hanabi.ending-table", {},
    ...hands,
    el("div.ending-hand", {}, el("h3", { text: "On the fireworks" }),
      some ? el("div.ending-cards", {}, built) : el("p.muted.small", { text: "no card" })),
    el("p.muted.small", { text: "“Fits”: it could have been played then. “Last”: no other copy was left." })));
}
