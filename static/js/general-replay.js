/**
 * The replay of a game that nothing draws in the browser: its pictures, fetched some ticks at a time, with what
 * happened in a sentence. Not for: how pictures are made (webapp/episodes/pictures.py), playing (general.js).
 */
import { context2d, el } from "./lib/dom.js";
import { getJSON } from "./lib/http.js";
import { attributed } from "./general-state.js";
import { withNames } from "./names.js";
import { statesOf } from "./streams.js";

const TICKS = 40; // of one answer, as webapp/episodes/pictures.py has it
export const openLabel = "Open view";
export const openTitle = "Everything, or what this seat sees (D)";

/** Decoded pictures by "view/tick"; they stay when a running episode grows. @type {Map<string, HTMLImageElement>} */
const pictures = new Map();
/** What is being fetched, by "view/number". @type {Map<string, Promise<void>>} */
const underWay = new Map();

async function fetchPictures(page, name, number) {
  const sent = await getJSON(page.urls.pictures.replace(/view\/0\/$/, `${name}/${number}/`));
  /** @type {any} */
  let image = null;
  for (const [index, source] of sent.pictures.entries()) {
    if (source) { image = new Image(); image.src = source; await image.decode(); }
    pictures.set(`${name}/${number * TICKS + index}`, image);
  }
}

/** One fetch at a time of the same ticks. */
function ticksOf(page, name, tick) {
  const number = Math.floor(tick / TICKS), key = `${name}/${number}`;
  if (!underWay.has(key)) underWay.set(key, fetchPictures(page, name, number).finally(() => underWay.delete(key)));
  return underWay.get(key);
}

/** @returns {Promise<import("./replay-game.js").States>} */
export async function states(stream, page) {
  const words = statesOf(stream, page.views[0]);
  const told = new Map(stream.events.map((event) => [event.tick, event]));
  const shown = (name) => (page.views.includes(name) ? name : page.views[0]);
  const load = async (tick, name) => {
    if (!pictures.has(`${shown(name)}/${tick}`)) await ticksOf(page, shown(name), tick);
  };
  const all = {
    at: (asked, tick) => {
      const name = shown(asked), view = words.at(name, tick), picture = pictures.get(`${name}/${tick}`);
      return view && picture ? { ...view, seat: name === "open" ? null : Number(name), picture,
        told: told.get(tick) ?? null } : null;
    },
    load,
    // The strip shows all of it; what one looks at comes first.
    loadAll: async (now) => {
      const name = shown("open"), last = Math.floor(stream.ticks / TICKS);
      const order = Array.from({ length: last + 1 }, (_, number) => number)
        .sort((a, b) => Math.abs(a - now() / TICKS) - Math.abs(b - now() / TICKS));
      for (const number of order) await load(Math.min(stream.ticks, number * TICKS), name);
    },
  };
  await all.load(0, page.views[0]);
  return all;
}

const drawn = new WeakMap();

function build(root) {
  const parts = { canvas: el("canvas.general-picture", { role: "img", "aria-label": "The game at this tick" }),
    last: el("p.general-last") };
  root.classList.add("general-replay");
  root.replaceChildren(parts.canvas, parts.last);
  drawn.set(root, parts);
  return parts;
}

/** A move in words. @param {object} view the state that it led to @param {{seat: number|null, text: string}} event */
export const sentence = (view, event, names) => withNames(attributed(event.text, event.seat, names), names);

/** @param {HTMLElement} root @param {object} view @param {object} [options] see replay-game.js */
export function render(root, view, { names = [], maxHeight = null } = {}) {
  const { canvas, last } = drawn.get(root) || build(root);
  const told = view.told ? sentence(view, view.told, names) : "";
  if (last.textContent !== told) last.textContent = told;
  canvas.setAttribute("aria-label", told || "The game at this tick");
  canvas.hidden = !view.picture;
  if (!view.picture) return;
  const { naturalWidth: width, naturalHeight: height } = view.picture;
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  canvas.style.maxHeight = maxHeight ? `${Math.max(120, maxHeight - last.offsetHeight - 40)}px` : "";
  context2d(canvas).drawImage(view.picture, 0, 0);
}

/** The picture, as large as it fits. @param {CanvasRenderingContext2D} context @param {any} view @param {any} box */
export function thumbnail(context, { picture }, { x, y, width, height }) {
  const scale = Math.min((width - 2) / picture.naturalWidth, (height - 2) / picture.naturalHeight);
  const [wide, high] = [picture.naturalWidth * scale, picture.naturalHeight * scale];
  context.drawImage(picture, x + (width - wide) / 2, y + (height - high) / 2, wide, high);
}
