/**
 * Games of one deal, told and untold: a button plays the beginnings of all of them at once, side by side, and shows how
 * they ended again. Not for: the games (told_games.html), whole replays.
 */
import { findAll } from "./lib/dom.js";

/** @param {any} image */
const loaded = (image) => Object.assign(new Image(), { src: image.dataset.clip }).decode();

// The part of the page with the games is swapped, so the page listens.
document.addEventListener("click", async (/** @type {any} */ { target }) => {
  const button = target.closest?.("[data-play-clips]");
  if (!button) return;
  const images = findAll("[data-clip]", button.closest("section")), play = button.ariaPressed !== "true";
  button.ariaPressed = String(play);
  if (play) await Promise.allSettled(images.map(loaded)); // they start together
  for (const image of images) {
    image.dataset.still ??= image.getAttribute("src");
    image.src = button.ariaPressed === "true" ? image.dataset.clip : image.dataset.still;
  }
});
