/**
 * The sprites of Overcooked: paths in code, drawn once a size and theme onto canvases of their own and then copied.
 * Every sprite is drawn in a box of one cell (0 … 1); what stands taller than its cell has room above it.
 * Not for: where things stand (overcooked.js).
 */
import { context2d } from "../../lib/dom.js";
import { PATTERNS } from "./model.js";

const TAU = Math.PI * 2;
/** Room above a cell for what is taller than it, in cells. */
export const HEADROOM = 0.5;

const cache = new Map();
let colors = null;
if (typeof matchMedia === "function") matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  /** @type {any} */
  colors = null;
  cache.clear();
});

/** The kitchen's colours, from the custom properties --k-… of the stylesheet. */
export function palette() {
  if (colors) return colors;
  const style = getComputedStyle(document.documentElement);
  colors = new Proxy({},
    { get: (known, /** @type {string} */ name) =>
      (known[name] ??= style.getPropertyValue(`--k-${name}`).trim() || "#888") });
  return colors;
}

/** A number that changes when the theme does: whoever keeps pictures of sprites compares it. */
export const theme = () => palette();

// --- Small shapes ----------------------------------------------------------------------------------------

function circle(c, x, y, r, fill, line, width = 0.02) {
  c.beginPath();
  c.arc(x, y, r, 0, TAU);
  paint(c, fill, line, width);
}

function oval(c, x, y, rx, ry, fill, line, width = 0.02) {
  c.beginPath();
  c.ellipse(x, y, rx, ry, 0, 0, TAU);
  paint(c, fill, line, width);
}

function box(c, x, y, w, h, r, fill, line, width = 0.02) {
  c.beginPath();
  c.roundRect(x, y, w, h, r);
  paint(c, fill, line, width);
}

function paint(c, fill, line, width) {
  if (fill) { c.fillStyle = fill; c.fill(); }
  if (line) { c.strokeStyle = line; c.lineWidth = width; c.stroke(); }
}

/** Text in the middle of a point; `size` is the height of the letters in cells. */
function label(c, text, x, y, size, fill) {
  c.save();
  // Fonts below one pixel are drawn badly, so text is set at 100 and scaled.
  c.translate(x, y);
  c.scale(size / 100, size / 100);
  c.font = "800 138px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
  c.textAlign = "center";
  c.textBaseline = "alphabetic";
  c.fillStyle = fill;
  c.fillText(text, 0, 50);
  c.restore();
}

// --- Floor, counters, stations -----------------------------------------------------------------------------

const DEPTH = 0.2; // of a counter's front, in cells

function floor(c, p, odd) {
  c.fillStyle = odd ? p["floor-alt"] : p.floor;
  c.fillRect(0, 0, 1, 1);
  c.strokeStyle = p.grout;
  c.lineWidth = 0.015;
  c.strokeRect(0, 0, 1, 1);
}

function counter(c, p, front) {
  c.fillStyle = p.top;
  c.fillRect(0, 0, 1, 1);
  const top = front ? 1 - DEPTH : 1;
  c.fillStyle = p["top-light"];
  c.fillRect(0.03, 0.03, 0.94, top - 0.06);
  c.strokeStyle = p.top;
  c.lineWidth = 0.012;
  c.beginPath();
  for (const y of [0.27, 0.53]) { c.moveTo(0.03, y); c.lineTo(0.97, y); }
  c.stroke();
  if (!front) return;
  c.fillStyle = p.side;
  c.fillRect(0, top, 1, DEPTH);
  c.fillStyle = p.edge;
  c.fillRect(0, top, 1, 0.025);
  c.fillRect(0, 0.975, 1, 0.025);
  c.fillRect(0.49, top, 0.02, DEPTH);
}

function crate(c, p, front, item) {
  counter(c, p, front);
  const y = front ? 0.08 : 0.14;
  box(c, 0.1, y, 0.8, 0.68, 0.06, p.edge, p.line, 0.025);
  box(c, 0.16, y + 0.06, 0.68, 0.56, 0.04, p.side);
  const spots = [[0.33, 0.2], [0.67, 0.2], [0.5, 0.32], [0.32, 0.46], [0.68, 0.46]];
  for (const [x, at] of spots) {
    c.save();
    c.translate(x - 0.2, y + at - 0.2);
    c.scale(0.4, 0.4);
    ITEMS[item](c, p);
    c.restore();
  }
}

function rack(c, p, front) {
  counter(c, p, front);
  const y = front ? 0.62 : 0.7;
  for (let i = 0; i < 4; i += 1) {
    oval(c, 0.5, y - i * 0.085, 0.35, 0.17, p.plate, p["plate-line"], 0.022);
  }
  oval(c, 0.5, y - 0.255, 0.22, 0.095, null, p["plate-line"], 0.018);
}

/** The serving window: an awning over a hatch, with an arrow that leads out. */
function serving(c, p, front) {
  counter(c, p, front);
  box(c, 0.04, 0.04, 0.92, front ? 0.72 : 0.92, 0.06, p["window-dark"], p.line, 0.025);
  const wide = 0.92 / 6;
  for (let i = 0; i < 6; i += 1) {
    c.beginPath();
    c.moveTo(0.04 + i * wide, 0.04);
    c.lineTo(0.04 + (i + 1) * wide, 0.04);
    c.lineTo(0.04 + (i + 1) * wide, 0.22);
    c.arc(0.04 + (i + 0.5) * wide, 0.22, wide / 2, 0, Math.PI);
    c.closePath();
    paint(c, i % 2 ? p["window-light"] : p.window, p["window-dark"], 0.012);
  }
  const y = front ? 0.54 : 0.62;
  oval(c, 0.5, y + 0.1, 0.26, 0.08, p.plate, p["plate-line"], 0.02);
  c.beginPath(); // a bell on the plate
  c.arc(0.5, y + 0.06, 0.17, Math.PI, 0);
  c.closePath();
  paint(c, p["metal-light"], p.line, 0.022);
  circle(c, 0.5, y - 0.13, 0.03, p["metal-light"], p.line, 0.018);
}

function stove(c, p, front) {
  counter(c, p, front);
  box(c, 0.04, 0.04, 0.92, front ? 0.92 : 0.92, 0.06, p.hob, p.line, 0.02);
  if (front) {
    c.fillStyle = p.inside;
    c.fillRect(0.04, 0.84, 0.92, 0.02);
    for (const x of [0.24, 0.5, 0.76]) circle(c, x, 0.905, 0.032, p["metal-light"]);
  }
}

// --- Things ----------------------------------------------------------------------------------------------

function onion(c, p) {
  c.beginPath();
  c.moveTo(0.5, 0.14);
  c.bezierCurveTo(0.56, 0.32, 0.88, 0.34, 0.86, 0.62);
  c.bezierCurveTo(0.85, 0.82, 0.66, 0.9, 0.5, 0.9);
  c.bezierCurveTo(0.34, 0.9, 0.15, 0.82, 0.14, 0.62);
  c.bezierCurveTo(0.12, 0.34, 0.44, 0.32, 0.5, 0.14);
  paint(c, p.onion, p["onion-dark"], 0.055);
  c.beginPath();
  c.moveTo(0.5, 0.3); c.bezierCurveTo(0.3, 0.48, 0.3, 0.74, 0.4, 0.86);
  c.moveTo(0.5, 0.3); c.bezierCurveTo(0.7, 0.48, 0.7, 0.74, 0.6, 0.86);
  c.moveTo(0.5, 0.16); c.lineTo(0.45, 0.04); c.moveTo(0.5, 0.16); c.lineTo(0.57, 0.05);
  paint(c, null, p["onion-dark"], 0.042);
}

function tomato(c, p) {
  oval(c, 0.5, 0.56, 0.39, 0.35, p.tomato, p["tomato-dark"], 0.055);
  oval(c, 0.36, 0.46, 0.09, 0.06, "rgb(255 255 255 / 0.45)");
  c.beginPath();
  for (let i = 0; i < 5; i += 1) {
    const angle = -Math.PI / 2 + (i - 2) * 0.72;
    c.moveTo(0.5, 0.27);
    c.quadraticCurveTo(0.5 + Math.cos(angle) * 0.14, 0.22 + Math.sin(angle) * 0.02, 0.5 + Math.cos(angle) * 0.3,
      0.3 - Math.sin(angle) * 0.02 + 0.04);
    c.lineTo(0.5 + Math.cos(angle) * 0.1, 0.34);
  }
  c.closePath();
  paint(c, p.leaf);
  c.beginPath();
  c.moveTo(0.5, 0.28); c.lineTo(0.53, 0.1);
  paint(c, null, p.leaf, 0.07);
}

function dish(c, p) {
  oval(c, 0.5, 0.54, 0.43, 0.34, p.plate, p["plate-line"], 0.045);
  oval(c, 0.5, 0.54, 0.27, 0.2, null, p["plate-line"], 0.035);
}

function soup(c, p, { onions, tomatoes }) {
  oval(c, 0.5, 0.64, 0.46, 0.28, p.plate, p["plate-line"], 0.04);
  c.beginPath();
  c.moveTo(0.14, 0.42);
  c.bezierCurveTo(0.16, 0.82, 0.84, 0.82, 0.86, 0.42);
  c.closePath();
  paint(c, p.plate, p["plate-line"], 0.04);
  oval(c, 0.5, 0.42, 0.36, 0.19, tomatoes > onions ? p["soup-tomato"] : p["soup-onion"], p["plate-line"], 0.04);
  const inside = [...Array(onions).fill(onion), ...Array(tomatoes).fill(tomato)];
  inside.forEach((draw, i) => {
    const x = 0.5 + (i - (inside.length - 1) / 2) * 0.24;
    c.save(); c.translate(x - 0.15, 0.22 + (i % 2 ? -0.03 : 0.03)); c.scale(0.3, 0.3); draw(c, p); c.restore();
  });
}

const ITEMS = { onion, tomato, dish };

/** The pot without what changes: body, rim, handles. `soup` is "", "onion" or "tomato". */
function pot(c, p, content) {
  oval(c, 0.5, 0.85, 0.36, 0.08, "rgb(0 0 0 / 0.4)");
  for (const x of [0.1, 0.9]) box(c, x - 0.08, 0.4, 0.16, 0.1, 0.05, p["metal-dark"], p.line, 0.02);
  c.beginPath();
  c.moveTo(0.13, 0.33);
  c.lineTo(0.16, 0.76);
  c.bezierCurveTo(0.2, 0.92, 0.8, 0.92, 0.84, 0.76);
  c.lineTo(0.87, 0.33);
  c.closePath();
  const shade = c.createLinearGradient(0.13, 0, 0.87, 0);
  shade.addColorStop(0, p["metal-dark"]);
  shade.addColorStop(0.35, p["metal-light"]);
  shade.addColorStop(1, p["metal-dark"]);
  paint(c, shade, p.line, 0.025);
  oval(c, 0.5, 0.33, 0.37, 0.17, p["metal-light"], p.line, 0.025);
  oval(c, 0.5, 0.34, 0.31, 0.125, content ? p[`soup-${content}`] : p.inside, p.line, 0.015);
}

/** Three places for ingredients on the pot's front; those that are in it are filled. */
function slots(c, p, ingredients) {
  for (let i = 0; i < 3; i += 1) {
    const x = 0.5 + (i - 1) * 0.225;
    const name = ingredients[i];
    circle(c, x, 0.66, 0.105, name ? p.paper : "rgb(0 0 0 / 0.18)", name ? p.line : "rgb(0 0 0 / 0.3)", 0.015);
    if (name) { c.save(); c.translate(x - 0.09, 0.57); c.scale(0.18, 0.18); ITEMS[name](c, p); c.restore(); }
  }
}

function flame(c, p, step) {
  for (let i = 0; i < 4; i += 1) {
    const x = 0.24 + i * 0.173;
    const high = 0.13 + 0.05 * (((i + step) % 3) / 2);
    for (const [color, k] of [[p.flame, 1], [p["flame-core"], 0.5]]) {
      c.beginPath();
      c.moveTo(x - 0.07 * k, 0.96);
      c.quadraticCurveTo(x - 0.06 * k, 0.96 - high * 0.6 * k, x, 0.96 - high * k);
      c.quadraticCurveTo(x + 0.06 * k, 0.96 - high * 0.6 * k, x + 0.07 * k, 0.96);
      c.closePath();
      paint(c, color);
    }
  }
}

function steam(c, p, step) {
  c.lineCap = "round";
  c.globalAlpha = 0.75;
  for (let i = 0; i < 3; i += 1) {
    const x = 0.3 + i * 0.2;
    const lift = ((step + i * 2) % 6) / 6;
    c.beginPath();
    c.moveTo(x, 0.26 - lift * 0.1);
    c.bezierCurveTo(x - 0.08, 0.18 - lift * 0.1, x + 0.08, 0.1 - lift * 0.1, x, 0.02 - lift * 0.1);
    c.strokeStyle = p.steam;
    c.lineWidth = 0.055;
    c.stroke();
  }
}

// --- Chefs -----------------------------------------------------------------------------------------------

function bodyPath(c) {
  c.beginPath();
  c.moveTo(0.3, 0.54);
  c.bezierCurveTo(0.22, 0.66, 0.21, 0.8, 0.24, 0.88);
  c.bezierCurveTo(0.36, 0.95, 0.64, 0.95, 0.76, 0.88);
  c.bezierCurveTo(0.79, 0.8, 0.78, 0.66, 0.7, 0.54);
  c.closePath();
}

function patterned(c, p, seat) {
  const light = p[`chef-light-${seat}`];
  const pattern = PATTERNS[seat];
  c.save();
  bodyPath(c);
  c.clip();
  c.fillStyle = light;
  c.strokeStyle = light;
  if (pattern === "stripes") {
    c.lineWidth = 0.055;
    c.beginPath();
    for (let x = 0.22; x < 0.8; x += 0.135) { c.moveTo(x, 0.5); c.lineTo(x, 1); }
    c.stroke();
  } else if (pattern === "dots") {
    for (let row = 0; row < 4; row += 1) for (let i = 0; i < 5; i += 1) circle(c, 0.24 + i * 0.14 + (row % 2) * 0.07,
      0.6 + row * 0.1, 0.034, light);
  } else if (pattern === "checks") {
    for (let row = 0; row < 5; row += 1) for (let i = 0; i < 7; i += 1) if ((row + i) % 2)
      c.fillRect(0.2 + i * 0.1, 0.52 + row * 0.1, 0.1, 0.1);
  }
  c.restore();
}

function chef(c, p, seat, facing) {
  const main = p[`chef-${seat}`];
  const side = facing === "east" ? 1 : facing === "west" ? -1 : 0;
  for (const x of [0.4, 0.6]) oval(c, x + side * 0.03, 0.925, 0.09, 0.05, p.line);
  bodyPath(c);
  paint(c, main, p.line, 0.028);
  patterned(c, p, seat);
  bodyPath(c);
  paint(c, null, p.line, 0.028);
  // Hands stand where the chef looks.
  const hands = { south: [[0.27, 0.72], [0.73, 0.72]], north: [[0.24, 0.6], [0.76, 0.6]], east: [[0.7, 0.72]],
    west: [[0.3, 0.72]] }[facing];
  for (const [x, y] of hands) circle(c, x, y, 0.068, p.skin, p.line, 0.022);
  circle(c, 0.5, 0.38, 0.215, p.skin, p.line, 0.026);
  if (facing === "north") {
    for (const x of [0.29, 0.71]) circle(c, x, 0.41, 0.04, p.skin, p.line, 0.022);
    c.beginPath(); // hair, with a little of the neck under it
    c.arc(0.5, 0.38, 0.205, Math.PI * 0.86, Math.PI * 0.14);
    c.quadraticCurveTo(0.5, 0.56, 0.318, 0.468);
    c.closePath();
    paint(c, p.edge);
  } else {
    const shift = side * 0.085;
    for (const x of side ? [0.5 + shift + side * 0.06, 0.5 + shift - side * 0.06] : [0.42, 0.58]) oval(c, x, 0.39,
      0.026, 0.036, p.line);
    c.beginPath();
    c.arc(0.5 + shift * 1.1, 0.45, 0.07, 0.15 * Math.PI, 0.85 * Math.PI);
    paint(c, null, p.line, 0.022);
    if (side) oval(c, 0.5 + side * 0.215, 0.42, 0.035, 0.03, p.skin, p.line, 0.02);
  }
  // The hat: a band of the chef's colour, a white top with its number.
  for (const [x, y, r] of [[0.33, 0.06, 0.13], [0.67, 0.06, 0.13], [0.5, 0, 0.17]]) circle(c, x, y, r,
    p.hat, p.line, 0.026);
  box(c, 0.31, 0.0, 0.38, 0.2, 0.04, p.hat);
  box(c, 0.29, 0.15, 0.42, 0.11, 0.04, main, p.line, 0.024);
  label(c, String(seat + 1), 0.5, 0.01, 0.22, p.line);
}

// --- Sprites, kept by size ---------------------------------------------------------------------------------

const DRAW = {
  floor: (c, p, odd) => floor(c, p, odd), counter: (c, p, front) => counter(c, p, front),
  stove: (c, p, front) => stove(c, p, front),
  onions: (c, p, front) => crate(c, p, front, "onion"), tomatoes: (c, p, front) => crate(c, p, front, "tomato"),
  dishes: (c, p, front) => rack(c, p, front), serving: (c, p, front) => serving(c, p, front),
  onion: (c, p) => onion(c, p), tomato: (c, p) => tomato(c, p), dish: (c, p) => dish(c, p),
  soup: (c, p, onions, tomatoes) => soup(c, p, { onions, tomatoes }),
  pot: (c, p, content) => pot(c, p, content), slots: (c, p, list) => slots(c, p, list ? list.split("+") : []),
  flame: (c, p, step) => flame(c, p, step), steam: (c, p, step) => steam(c, p, step),
  chef: (c, p, seat, facing) => chef(c, p, seat, facing),
};

/**
 * A sprite as a canvas of `size` × `size * (1 + HEADROOM)` pixels; its cell is the lower part.
 * @param {keyof DRAW} name @param {number} size pixels of a cell @param {...(string|number|boolean)} details
 */
export function sprite(name, size, ...details) {
  const p = palette();
  const key = `${name}|${size}|${details.join()}`;
  let canvas = cache.get(key);
  if (canvas) return canvas;
  if (cache.size > 600) cache.clear(); // windows that are dragged from size to size
  canvas = document.createElement("canvas");
  canvas.width = size;
  canvas.height = Math.ceil(size * (1 + HEADROOM));
  const c = context2d(canvas);
  c.translate(0, canvas.height - size);
  c.scale(size, size);
  c.lineJoin = "round";
  DRAW[name](c, p, ...details);
  cache.set(key, canvas);
  return canvas;
}

/** Draw an item of a view with its middle at (x, y), `size` pixels wide. */
export function drawItem(context, item, x, y, size) {
  const box = Math.max(4, Math.round(size));
  const picture = item.kind === "soup" ? sprite("soup", box, item.onions, item.tomatoes) : sprite(item.kind, box);
  context.drawImage(picture, Math.round(x - box / 2), Math.round(y - box / 2 - (picture.height - box)));
}
