/**
 * How a kitchen shows a plan: a cook's badge, and in small pictures what a step is about. Not for: the plan itself
 * (plan-cards.js), the rings on the board (overcooked.js).
 */
import { context2d, el } from "../../lib/dom.js";
import { badge } from "./hud.js";
import { drawItem, sprite } from "./sprites.js";

const SIZE = 44; // device pixels of a picture
/** @type {Record<string, string>} */
const THINGS = { fetch: "", take: "", lay: "", fill: "onion", plate: "dish", serve: "soup", start: "" };
/** Where a thing goes in an act, as a sprite. @type {Record<string, string>} */
const GOES_TO = { fill: "pot", plate: "pot", serve: "serving", start: "pot" };

/**
 * What a step is about: a thing, where it goes, how many. Pure.
 * @param {string} means the notation of the step's first clause, such as "fill what=onion times=2"
 * @returns {{thing: string, where: string, times: number}}
 */
export function pictured(means) {
  const [act, ...slots] = means.split(/[;|]/)[0].trim().split(/\s+/);
  const said = Object.fromEntries(slots.map((slot) => slot.split("=")));
  const thing = ["onion", "tomato", "dish", "soup"].includes(said.what) ? said.what : THINGS[act] ?? "";
  return { thing, where: GOES_TO[act] ?? "", times: Number(said.times ?? 1) || 1 };
}

/** @param {CanvasRenderingContext2D} context @param {string} name @param {number} x */
function draw(context, name, x) {
  const middle = x + SIZE / 2;
  if (name === "pot" || name === "serving") {
    const picture = name === "pot" ? sprite("pot", SIZE, "") : sprite("serving", SIZE, true);
    context.drawImage(picture, x, SIZE - picture.height);
  } else drawItem(context, name === "soup" ? { kind: name, onions: 3, tomatoes: 0 } : { kind: name }, middle, SIZE / 2,
    SIZE * 0.8);
}

/** @type {import("../../plan-cards.js").Look} */
export const planLook = {
  badge,
  picture({ means }) {
    const { thing, where, times } = pictured(means);
    const names = [thing, where].filter(Boolean);
    if (!names.length) return null;
    const canvas = el("canvas", { width: SIZE * names.length, height: SIZE });
    names.forEach((name, index) => draw(context2d(canvas), name, SIZE * index));
    return el("span", {}, canvas, times > 1 && el("b", { text: `×${times}` }));
  },
};
