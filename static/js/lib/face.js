/** The face of an agent, drawn from its ref: always the same, and different from others'. Not for: people. */

const NS = "http://www.w3.org/2000/svg";
const SKINS = ["#f2c14e", "#7fb685", "#6ea4bf", "#d98c5f", "#b39ddb", "#e28ea0", "#8fbcbb", "#c9b458"];
const HEADS = ["M8 26a16 16 0 0 1 32 0v8a8 8 0 0 1-8 8H16a8 8 0 0 1-8-8z",
  "M24 8c11 0 17 8 17 18s-7 17-17 17S7 36 7 26 13 8 24 8z",
  "M10 12h28a4 4 0 0 1 4 4v20a6 6 0 0 1-6 6H12a6 6 0 0 1-6-6V16a4 4 0 0 1 4-4z", "M24 7l17 12-5 23H12L7 19z"];
const EYES = ["M16 22h3v6h-3zM29 22h3v6h-3z", "M17.500 22a3 3 0 1 0 .01 0zM30.500 22a3 3 0 1 0 .01 0z",
  "M13 23h9v4h-9zM26 23h9v4h-9z", "M14 27l4-5 4 5zM26 27l4-5 4 5z"];
const MOUTHS = ["M17 34q7 6 14 0", "M18 35h12", "M17 33l3 3 4-3 4 3 3-3", "M20 33a4 4 0 1 0 8 0z"];
const TOPS = ["M24 8V3M21 3h6", "M12 13L8 4M36 13l4-9", "M14 10q10-9 20 0", "M24 9l-4-6M24 9l4-6M24 9V2"];
const ANYONE = "?";

/**
 * Numbers that follow from a text.
 * @param {string} text
 * @returns {(most: number) => number} the next one, from 0 to below `most`
 */
export function drawnBy(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619);
  return (most) => {
    hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
    hash ^= hash >>> 13;
    return (hash >>> 0) % most;
  };
}

/** What a face is made of: {skin, head, eyes, mouth, top}. Pure. @param {string} ref */
export function featuresOf(ref) {
  const next = drawnBy(ref);
  return { skin: SKINS[next(SKINS.length)], head: HEADS[next(HEADS.length)], eyes: EYES[next(EYES.length)],
    mouth: MOUTHS[next(MOUTHS.length)], top: TOPS[next(TOPS.length)] };
}

/** @param {string|null|undefined} ref null: nobody knows who it will be */
export function faceOf(ref) {
  const svg = document.createElementNS(NS, "svg");
  /** @param {string} name @param {Record<string, any>} attributes */
  const add = (name, attributes) => {
    const node = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    svg.append(node);
    return node;
  };
  for (const [key, value] of Object.entries({ viewBox: "0 0 48 48", class: "face",
    "aria-hidden": "true" })) svg.setAttribute(key, value);
  const line = { fill: "none", stroke: "#1c2326", "stroke-width": 2.5, "stroke-linecap": "round",
    "stroke-linejoin": "round" };
  if (!ref) {
    add("circle", { cx: 24, cy: 25, r: 17, fill: "none", stroke: "currentColor", "stroke-width": 2.5,
      "stroke-dasharray": "5 4" });
    add("text", { x: 24, y: 33, "text-anchor": "middle", "font-size": 22, "font-weight": 700, fill: "currentColor" })
      .textContent = ANYONE;
    return svg;
  }
  const { skin, head, eyes, mouth, top } = featuresOf(ref);
  add("path", { d: top, ...line, stroke: "currentColor" });
  add("path", { d: head, ...line, fill: skin });
  add("path", { d: eyes, fill: "#1c2326" });
  add("path", { d: mouth, ...line });
  return svg;
}
