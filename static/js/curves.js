/**
 * Line charts in SVG: axes with units, a read-out that follows the mouse or the arrow keys, a smoothed line over its
 * points, a control, a target, other runs and the band of those that differ by their seed alone. Not for: laying out
 * (curve-shapes.js), fetching (rounds.js).
 */
import {
  HEIGHT, PAD, WIDTH, area, at, band, nearest, path, place, ranges, round, short, smooth, thin, ticks, unitOf,
} from "./curve-shapes.js";
import { el } from "./lib/dom.js";
import { repeats } from "./lib/presses.js";

const SVG = "http://www.w3.org/2000/svg";

const svg = (tag, attributes = {}, text = "") => {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.textContent = text;
  return node;
};

/** "A", "B", …: what names a run on its line, so that no colour has to. */
const letter = (index) => String.fromCharCode(65 + index);

/** A slider from no smoothing to a fifth of all points; `onChange` gets the share. */
export function smoothingControl(onChange) {
  const input = el("input", { type: "range", min: "0", max: "20", step: "2", value: "0", "aria-valuetext": "off" });
  input.addEventListener("input", () => {
    input.setAttribute("aria-valuetext", input.value === "0" ? "off" : `over ${input.value} % of the points`);
    onChange(Number(input.value) / 100);
  });
  return el("label.curve-smoothing", {}, "Smoothing", input);
}

/** One metric's chart: a figure with its name, its value, its lines and what they mean. */
export class Curve {
  /**
   * @param {string} name
   * @param {{unit?: {x: string, y: string}}} [options] what is counted across and up
   */
  constructor(name, { unit = { x: "steps", y: unitOf(name) } } = {}) {
    this.name = name;
    this.unit = unit;
    this.points = [];
    this.control = [];
    this.others = [];
    this.targets = [];
    this.share = 0;
    /** @type {any} the ranges and what is drawn in them */
    this.range = this.band = this.drawn = null;
    /** @type {any} the ranges that are drawn */
    this.box = null;
    this.value = el("span.curve-value");
    this.svg = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", tabindex: "0", "aria-label": this.name });
    this.axes = svg("g", { class: "curve-axes" });
    this.lines = svg("g");
    this.dot = svg("circle", { class: "curve-dot", r: 3 });
    this.cursor = svg("line", { class: "curve-cursor", y1: PAD.top, y2: HEIGHT - PAD.bottom, visibility: "hidden" });
    this.svg.append(this.axes, this.cursor, this.lines, this.dot);
    this.legend = el("ul.curve-legend.plain-list.small.muted");
    const caption = el("figcaption", {}, el("span", { text: name.replaceAll("_", " ") }), this.value);
    this.figure = el("figure.curve", {}, caption, this.svg, this.legend);
    this.svg.addEventListener("pointermove", (event) => this.#point(event));
    this.svg.addEventListener("pointerleave", () => this.#rest());
    // What the arrow keys come to is said; what a poll brings is not.
    this.svg.addEventListener("focus", () => this.value.setAttribute("aria-live", "polite"));
    this.svg.addEventListener("blur", () => { this.value.removeAttribute("aria-live"); this.#rest(); });
    this.svg.addEventListener("keydown", (event) => this.#step(event));
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

  /** The same metric of other runs; those `alike` differ by their seed alone and make a band with this one.
   * @param {{label: string, points: [number, number][], alike?: boolean}[]} others */
  setOthers(others) {
    this.others = others.filter((other) => other.points.length).map((one) => ({ ...one, points: thin(one.points) }));
    this.draw();
  }

  /** Values to come to. @param {{label: string, value: number}[]} targets */
  setTargets(targets) {
    this.targets = targets;
    this.draw();
  }

  /** How much of the line each of its points is the mean of, 0 to 1. */
  setSmoothing(share) {
    this.share = share;
    this.draw();
  }

  draw() {
    if (!this.points.length) return;
    // One point is a number, not a curve.
    const single = this.points.length < 2;
    this.svg.toggleAttribute("hidden", single);
    this.legend.hidden = single;
    this.line = smooth(this.points, this.share);
    this.drawn = this.others.map((other) => ({ ...other, line: smooth(other.points, this.share) }));
    const seeds = this.drawn.filter((one) => one.alike);
    this.band = seeds.length ? band([this.line, ...seeds.map((seed) => seed.line)]) : [];
    const { x } = ranges([...this.points, ...this.control, ...this.drawn.flatMap((one) => one.points)]);
    const aims = this.targets.map(({ value }) => [x[0], value]);
    this.range = ranges([...this.points, ...this.control, ...this.drawn.flatMap((one) => one.points), ...aims]);
    this.#drawAxes();
    this.#drawLines(seeds.length + 1);
    this.#rest();
  }

  #drawAxes() {
    const { x, y } = this.range;
    const [left, bottom] = place([x[0], y[0]], this.range), [right] = place([x[1], y[1]], this.range);
    const marks = [svg("path", { class: "curve-axis", d: `M${left} ${PAD.top}V${bottom}H${right}` })];
    for (const value of ticks(y)) {
      const [, at] = place([x[0], value], this.range);
      marks.push(svg("path", { class: "curve-grid", d: `M${left} ${at.toFixed(1)}H${right}` }));
      marks.push(svg("text", { x: left - 4, y: at + 3, "text-anchor": "end" }, round(value)));
    }
    for (const value of ticks(x, 5)) {
      const [at] = place([value, y[0]], this.range);
      marks.push(svg("text", { x: at.toFixed(1), y: bottom + 12, "text-anchor": "middle" }, round(value)));
    }
    marks.push(svg("text", { x: (left + right) / 2, y: HEIGHT - 5, "text-anchor": "middle" }, this.unit.x));
    const middle = (PAD.top + bottom) / 2;
    if (this.unit.y)
      marks.push(svg("text", { transform: `translate(10 ${middle}) rotate(-90)`, "text-anchor": "middle" },
      this.unit.y));
    this.axes.replaceChildren(...marks);
  }

  #drawLines(runs) {
    const { x } = this.range;
    const nodes = [];
    const said = [];
    if (this.band.length) {
      nodes.push(svg("path", { class: "curve-band", d: area(this.band, this.range) }));
      said.push(`Band: lowest to highest of ${runs} seeds`);
    }
    for (const { label, value } of this.targets) {
      const [left, up] = place([x[0], value], this.range), [right] = place([x[1], value], this.range);
      nodes.push(svg("path", { class: "curve-target", d: `M${left} ${up.toFixed(1)}H${right}` }));
      nodes.push(svg("text", { class: "curve-target-name", x: left + 3, y: (up - 3).toFixed(1) }, label));
      said.push(`Long dashes: ${label}, ${short(value)}`);
    }
    if (this.control.length) {
      nodes.push(svg("path", { class: "curve-control", d: path(this.control, this.range) }));
      said.push("Dashed: the control with shuffled signs");
    }
    this.drawn.forEach((one, i) => {
      nodes.push(svg("path", { class: `curve-other other-${i % 4}`, d: path(one.line, this.range) }));
      const [end, up] = place(one.line.at(-1), this.range);
      nodes.push(svg("text", { class: "curve-letter", x: end + 3, y: up + 3 }, letter(i)));
      said.push(`${letter(i)}: ${one.label}`);
    });
    if (this.share) nodes.push(svg("path", { class: "curve-raw", d: path(this.points, this.range) }));
    nodes.push(svg("path", { class: "curve-line", d: path(this.line, this.range) }));
    this.lines.replaceChildren(...nodes);
    this.legend.replaceChildren(...said.map((text) => el("li", { text })));
    const { y } = this.range;
    const unit = this.unit.y && ` ${this.unit.y}`;
    const axes = `${short(y[0])} to ${short(y[1])}${unit}, ${this.unit.x} ${short(x[0])} to ${short(x[1])}`;
    this.svg.setAttribute("aria-label",
      [`${this.name}: last value ${short(this.points.at(-1)[1])}, ${axes}`, ...said].join("; "));
  }

  /** Put the dot on a point and say its value, that of the control and those of other runs there. */
  show(index) {
    this.index = index;
    const point = this.line[index];
    const [x, y] = place(point, this.range);
    this.dot.setAttribute("cx", x);
    this.dot.setAttribute("cy", y);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    const control = this.control.length ? ` (control ${short(this.control[nearest(this.control, point[0])][1])})` : "";
    const others = this.drawn.map((one, i) => [letter(i), at(one.line, point[0])])
      .filter(([, value]) => value !== null);
    this.value.textContent =
      `${short(point[1])}${control}${others.map(([name, value]) => ` · ${name} ${short(value)}`).join("")}`;
  }

  #read(index) {
    this.show(index);
    this.cursor.setAttribute("visibility", "visible");
    this.value.textContent += ` at ${short(this.line[index][0])}`;
  }

  #rest() {
    if (!this.points.length) return;
    this.cursor.setAttribute("visibility", "hidden");
    this.show(this.line.length - 1);
  }

  #point(event) {
    if (!this.points.length) return;
    const box = this.svg.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDTH;
    const { x } = this.range;
    this.#read(nearest(this.line, x[0] + ((share - PAD.left) / (WIDTH - PAD.left - PAD.right)) * (x[1] - x[0])));
  }

  #step(event) {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!by || !this.points.length) return;
    event.preventDefault();
    repeats(event, (later) => this.#step(later));
    this.#read(Math.max(0, Math.min(this.line.length - 1, this.index + by)));
  }
}
