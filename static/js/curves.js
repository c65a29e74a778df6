/**
 * Line charts of a job's metrics in SVG: pure functions that lay out, and one class that draws and follows the mouse.
 * Not for: fetching (see rounds.js).
 */

export const WIDTH = 320;
export const HEIGHT = 120;
const PAD = { left: 8, right: 8, top: 10, bottom: 10 };
const SVG = "http://www.w3.org/2000/svg";

/**
 * At most `most` points, keeping each bucket's lowest and highest so that spikes stay visible.
 * @param {[number, number][]} points by rising x
 */
export function thin(points, most = 300) {
  if (points.length <= most) return points;
  const size = Math.ceil(points.length / (most / 2));
  const kept = [];
  for (let start = 0; start < points.length; start += size) {
    const bucket = points.slice(start, start + size);
    let low = 0, high = 0;
    for (let i = 1; i < bucket.length; i++) {
      if (bucket[i][1] < bucket[low][1]) low = i;
      if (bucket[i][1] > bucket[high][1]) high = i;
    }
    for (const i of low === high ? [low] : [low, high].sort((a, b) => a - b)) kept.push(bucket[i]);
  }
  return kept;
}

/** The ranges of x and y, never empty: {x: [low, high], y: [low, high]}. */
export function ranges(points) {
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  const x = [Math.min(...xs), Math.max(...xs)], y = [Math.min(...ys), Math.max(...ys)];
  if (x[0] === x[1]) x[1] = x[0] + 1;
  if (y[0] === y[1]) { const half = Math.abs(y[0]) * 0.1 || 1; y[0] -= half; y[1] += half; }
  return { x, y };
}

/** Where a point is drawn, in the chart's own units. */
export function place([x, y], range) {
  const across = (x - range.x[0]) / (range.x[1] - range.x[0]);
  const up = (y - range.y[0]) / (range.y[1] - range.y[0]);
  return [PAD.left + across * (WIDTH - PAD.left - PAD.right), HEIGHT - PAD.bottom - up * (HEIGHT - PAD.top - PAD.bottom)];
}

/** The `d` of a path through the points. */
export function path(points, range) {
  return points.map((point, i) => `${i ? "L" : "M"}${place(point, range).map((v) => v.toFixed(1)).join(" ")}`).join("");
}

/** Index of the point whose x is nearest; points rise in x. */
export function nearest(points, x) {
  let low = 0, high = points.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle][0] < x) low = middle; else high = middle;
  }
  return x - points[low][0] <= points[high][0] - x ? low : high;
}

/** A number with about four digits. */
export function short(value) {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 10000 || size < 0.001) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

const svg = (tag, attributes = {}) => {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};

/** What a metric is the control of, by their names: "control_loss" lies over "loss"; null for others. */
export const controlOf = (name) => (name.startsWith("control_") ? name.slice("control_".length) : null);

/** One metric's chart: a figure with its name, last value and line; with a control, that one's dashed under it. */
export class Curve {
  constructor(name) {
    this.name = name;
    this.points = [];
    this.control = [];
    this.figure = document.createElement("figure");
    this.figure.className = "curve";
    const caption = document.createElement("figcaption");
    const title = document.createElement("span");
    title.textContent = name.replaceAll("_", " ");
    this.value = document.createElement("span");
    this.value.className = "curve-value";
    caption.append(title, this.value);
    this.svg = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
    this.under = svg("path", { class: "curve-control" });
    this.line = svg("path", { class: "curve-line" });
    this.dot = svg("circle", { class: "curve-dot", r: 3 });
    this.cursor = svg("line", { class: "curve-cursor", y1: 0, y2: HEIGHT, visibility: "hidden" });
    this.svg.append(svg("line", { class: "curve-axis", x1: 0, x2: WIDTH, y1: HEIGHT - 1, y2: HEIGHT - 1 }), this.cursor, this.under, this.line, this.dot);
    this.scale = document.createElement("span");
    this.scale.className = "curve-scale small muted";
    this.figure.append(caption, this.svg, this.scale);
    this.svg.addEventListener("pointermove", (event) => this.hover(event));
    this.svg.addEventListener("pointerleave", () => this.draw());
  }

  /** @param {[number, number][]} points */
  set(points) {
    this.points = thin(points);
    this.draw();
  }

  /** The same metric of the control, over the same x. @param {[number, number][]} points */
  setControl(points) {
    this.control = thin(points);
    this.draw();
  }

  draw() {
    if (!this.points.length) return;
    // One point is a number, not a curve.
    this.svg.toggleAttribute("hidden", this.points.length < 2);
    this.scale.hidden = this.points.length < 2;
    this.range = ranges([...this.points, ...this.control]);
    this.line.setAttribute("d", path(this.points, this.range));
    this.under.setAttribute("d", path(this.control, this.range));
    this.cursor.setAttribute("visibility", "hidden");
    this.show(this.points.length - 1);
    const { x, y } = this.range;
    const beside = this.control.length ? "; dashed: the control with shuffled signs" : "";
    this.scale.textContent = `${short(y[0])} to ${short(y[1])}, steps ${short(x[0])} to ${short(x[1])}${beside}`;
    this.svg.setAttribute("aria-label", `${this.name}: last value ${short(this.points.at(-1)[1])}, ${this.scale.textContent}`);
  }

  show(index) {
    const [x, y] = place(this.points[index], this.range);
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", y);
    this.value.textContent = `${short(this.points[index][1])}${this.#beside(index)}`;
    return x;
  }

  hover(event) {
    if (!this.points.length) return;
    const box = this.svg.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDTH;
    const { x } = this.range;
    const at = x[0] + ((share - PAD.left) / (WIDTH - PAD.left - PAD.right)) * (x[1] - x[0]);
    const index = nearest(this.points, at);
    const shown = this.show(index);
    this.cursor.setAttribute("visibility", "visible");
    this.cursor.setAttribute("x1", shown);
    this.cursor.setAttribute("x2", shown);
    this.value.textContent = `${short(this.points[index][1])}${this.#beside(index)} at ${short(this.points[index][0])}`;
  }

  /** The control's value at the same x. */
  #beside(index) {
    if (!this.control.length) return "";
    return ` (control ${short(this.control[nearest(this.control, this.points[index][0])][1])})`;
  }
}
