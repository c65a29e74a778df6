/** How any game stood at its end: its picture. Not for: games that draw it themselves (games/<game>/ending.js). */
import { el } from "./lib/dom.js";

/** @param {HTMLElement} root @param {{picture: string}} told */
export function draw(root, told) {
  root.replaceChildren(el("img.last-picture", { src: told.picture, alt: "The last state of the game", width: 480 }));
}
