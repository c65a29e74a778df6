/**
 * Draws Overcooked views on a canvas: chefs walk from cell to cell within a tick, or stand where they are. What is
 * drawn follows from the views that were shown, and time. Not for: sockets, keys, what stands around the canvas
 * (table.js, overcooked/replay.js); facts about a view (model.js).
 */
import { context2d } from "../../lib/dom.js";
import { cellAt, collisions, emptyKitchen, facedBy, INTERACT, pieces, potTime } from "./model.js";
import { drawItem, palette, sprite, theme } from "./sprites.js";

export * from "./model.js";
export { thumbnail } from "./thumbnail.js";

const TILES = { X: "counter", P: "stove", O: "onions", T: "tomatoes", D: "dishes", S: "serving" };
const BUMP = 190; // ms that a chef leans towards what it works at
const FLOAT = 1100; // ms that "+20" rises
const CLASH = 450; // ms of the mark over chefs that were in each other's way
/** Where an item is held, from the upper left of the chef's cell, in cells. */
const HAND = { north: [0.5, -0.27], south: [0.5, 0.8], east: [0.87, 0.68], west: [0.13, 0.68] };
const HELD = 0.44;
const LARGEST = 132; // CSS pixels of a cell

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const ease = (t) => 1 - (1 - t) ** 1.6;

/** A canvas with a kitchen on it. */
export class Kitchen {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.context = context2d(canvas);
    /** @type {any} */
    this.view = null;
    this.cell = this.pixels = 0;
    this.motions = [];
    this.floats = [];
    this.bumps = [];
    /** @type {any} */
    this.turned = null;
    /** Where the steps of a plan are done. @type {{seat: number, number: number, place: number[], doing: boolean}[]} */
    this.targets = [];
  }

  /** Ring the places where steps of a plan are done, each with its number, in its cook's colour. */
  setTargets(targets) { this.targets = targets; }

  /**
   * Take the next state. Chefs walk there from where they are drawn now, unless they would have to jump.
   * @param {import("./model.js").View} view
   * @param {{seat?: number|null, perSecond?: number, duration?: number, now?: number}} [options] `seat` is ringed;
   *   `perSecond` ticks a second (0: none); `duration` ms of a step, 0: at once
   */
  show(view, { seat = null, perSecond = 0, duration = 0, now = performance.now() } = {}) {
    const before = this.view;
    const moves = duration > 0 && !still() && before?.players === view.players;
    this.motions = view.cooks.map((cook, index) => {
      const [x, y] = moves ? this.position(index, now) : [cook.x, cook.y];
      const far = Math.abs(x - cook.x) + Math.abs(y - cook.y) > 1.5;
      return { from: far ? [cook.x, cook.y] : [x, y], to: [cook.x, cook.y], start: now,
        duration: moves ? duration : 0 };
    });
    if (before && view.tick === before.tick + 1 && duration > 0) this.#happen(before, view, now);
    this.view = view;
    this.seat = seat;
    this.perSecond = perSecond;
  }

  #happen(before, view, now) {
    for (const event of view.last?.events || []) {
      if (event.kind === "deliver")
        this.floats.push({ x: event.x, y: event.y, text: `+${event.points || 0}`, start: now });
    }
    view.last?.actions.forEach((action, seat) => { if (action === INTERACT) this.bumps[seat] = now; });
    for (const seat of collisions(before, view)) this.floats.push({ seat, clash: true, start: now });
  }

  /** Let a chef look there at once, ahead of the host; `null` for both lets it look where the state says. */
  turn(seat, facing) { this.turned = seat === null ? null : { seat, facing }; }

  /** Where a chef is drawn now, in cells. */
  position(seat, now = performance.now()) {
    const motion = this.motions[seat];
    if (!motion) return [this.view.cooks[seat].x, this.view.cooks[seat].y];
    const t = motion.duration ? Math.min(1, Math.max(0, (now - motion.start) / motion.duration)) : 1;
    const part = ease(t);
    return [motion.from[0] + (motion.to[0] - motion.from[0]) * part,
      motion.from[1] + (motion.to[1] - motion.from[1]) * part];
  }

  /** The middle of a chef's hat in CSS pixels of the canvas: where its words come from. */
  head(seat) {
    const [x, y] = this.position(seat);
    return [(x + 0.5) * this.cell, (y - 0.2) * this.cell];
  }

  /** Make the canvas as large as fits into these CSS pixels; whole device pixels a cell keep edges sharp. */
  fit(width, height, largest = LARGEST) {
    if (!this.view || width <= 0) return;
    const ratio = window.devicePixelRatio || 1;
    const cell = Math.max(8, Math.floor(Math.min(width / this.view.width, height / this.view.height, largest) * ratio));
    const [wide, high] = [cell * this.view.width, cell * this.view.height];
    if (this.canvas.width !== wide || this.canvas.height !== high)
      Object.assign(this.canvas, { width: wide, height: high });
    this.canvas.style.width = `${wide / ratio}px`;
    this.canvas.style.height = `${high / ratio}px`;
    this.pixels = cell;
    this.cell = cell / ratio;
  }

  /** Draw what is to be seen at this moment. */
  draw(now = performance.now()) {
    const { view, context: c, pixels: s } = this;
    if (!view || !s) return;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.drawImage(this.#ground(), 0, 0);
    const step = still() ? 0 : Math.floor(now / 130) % 6;
    for (const { x, y, held } of view.counters) drawItem(c, held, (x + 0.5) * s, (y + 0.4) * s, s * 0.52);
    for (const pot of view.pots) this.#pot(pot, step);
    if (this.seat !== null && !view.over) this.#aim(this.seat, now);
    const order = view.cooks.map((_, seat) => seat).sort((a, b) => this.position(a, now)[1] - this.position(b, now)[1]);
    for (const seat of order) this.#chef(seat, now);
    for (const pot of view.pots) this.#ring(pot);
    this.#rings();
    this.#floating(now);
  }

  /** Floor, counters and stations never change: drawn once. */
  #ground() {
    const { view, pixels: s } = this;
    const key = `${view.grid.join("/")}|${s}`;
    if (this.ground?.key === key && this.ground.theme === theme()) return this.ground.canvas;
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: s * view.width, height: s * view.height });
    const c = context2d(canvas);
    for (let y = 0; y < view.height; y += 1) {
      for (let x = 0; x < view.width; x += 1) {
        const name = TILES[cellAt(view, x, y)];
        const front = cellAt(view, x, y + 1) === " " || y === view.height - 1;
        const picture = name ? sprite(name, s, front) : sprite("floor", s, (x + y) % 2 === 1);
        c.drawImage(picture, x * s, (y + 1) * s - picture.height);
        if (!name && cellAt(view, x, y - 1) !== " ") {
          c.fillStyle = palette().shadow;
          c.fillRect(x * s, y * s, s, s * 0.07);
        }
      }
    }
    this.ground = { key, theme: theme(), canvas };
    return canvas;
  }

  #stamp(picture, x, y) {
    const { context, pixels: s } = this;
    context.drawImage(picture, Math.round(x * s), Math.round((y + 1) * s) - picture.height);
  }

  #pot(pot, step) {
    const s = this.pixels;
    const content = pot.state === "empty" ? "" : pot.tomatoes > pot.onions ? "tomato" : "onion";
    this.#stamp(sprite("pot", s, content), pot.x, pot.y);
    this.#stamp(sprite("slots", s, pieces(pot).join("+")), pot.x, pot.y);
    if (pot.state === "cooking") this.#stamp(sprite("flame", s, step % 3), pot.x, pot.y);
    if (pot.state === "cooking" || pot.state === "ready") this.#stamp(sprite("steam", s, step), pot.x, pot.y);
  }

  /** The ring over a pot: how much of the time has passed, what is left; a tick when it is ready. */
  #ring(pot) {
    if (pot.state !== "cooking" && pot.state !== "ready") return;
    const { context: c, pixels: s } = this;
    const p = palette();
    const ready = pot.state === "ready";
    const [x, y, r] = [(pot.x + 0.5) * s, (pot.y + 0.27) * s, s * 0.235];
    c.beginPath();
    c.arc(x, y, r, 0, Math.PI * 2);
    c.fillStyle = ready ? p.ready : p.paper;
    c.fill();
    c.lineWidth = s * 0.07;
    c.strokeStyle = "rgb(0 0 0 / 0.28)";
    c.stroke();
    c.beginPath();
    c.arc(x, y, r, -Math.PI / 2, -Math.PI / 2 + Math.PI * 2 * (ready ? 1 : 1 - pot.left / pot.time));
    c.strokeStyle = ready ? p.paper : p.time;
    c.stroke();
    if (ready) {
      c.beginPath();
      c.moveTo(x - r * 0.45, y + r * 0.02);
      c.lineTo(x - r * 0.1, y + r * 0.38);
      c.lineTo(x + r * 0.5, y - r * 0.36);
      c.lineWidth = s * 0.065;
      c.lineCap = "round";
      c.stroke();
    } else this.#text(potTime(pot.left, this.perSecond), x, y, s * 0.19, p.line);
  }

  /** Numbers of a plan's steps, side by side where several are done in one cell. */
  #rings() {
    const { context: c, pixels: s } = this, p = palette(), beside = new Map();
    for (const { seat, number, place: [column, row], doing } of this.targets) {
      const at = beside.get(`${column},${row}`) ?? 0;
      beside.set(`${column},${row}`, at + 1);
      const [x, y, r] = [(column + 0.19 + 0.31 * (at % 3)) * s, (row + 0.83 - 0.3 * Math.floor(at / 3)) * s, s * 0.145];
      c.beginPath();
      c.arc(x, y, r, 0, Math.PI * 2);
      c.fillStyle = doing ? p[`chef-${seat % 4}`] : p.paper;
      c.fill();
      c.lineWidth = s * 0.05;
      c.strokeStyle = doing ? p.paper : p[`chef-${seat % 4}`];
      c.stroke();
      this.#text(String(number), x, y + s * 0.01, s * 0.19, doing ? p.paper : p.line);
    }
  }

  #text(text, x, y, size, fill, halo) {
    const c = this.context;
    c.font = `800 ${Math.round(size)}px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    if (halo) { c.lineJoin = "round"; c.lineWidth = size * 0.28; c.strokeStyle = halo; c.strokeText(text, x, y); }
    c.fillStyle = fill;
    c.fillText(text, x, y);
  }

  #facing(seat) { return this.turned?.seat === seat ? this.turned.facing : this.view.cooks[seat].facing; }

  /** A frame around what one's own chef would work at. */
  #aim(seat, now) {
    const { view, context: c, pixels: s } = this;
    const [x, y] = facedBy({ ...view.cooks[seat], facing: this.#facing(seat) });
    const motion = this.motions[seat];
    const walking = motion?.duration && now - motion.start < motion.duration
      && (motion.from[0] !== motion.to[0] || motion.from[1] !== motion.to[1]);
    if (walking || cellAt(view, x, y) === " ") return;
    const p = palette();
    c.beginPath();
    c.roundRect((x + 0.05) * s, (y + 0.05) * s, s * 0.9, s * 0.9, s * 0.12);
    c.lineWidth = s * 0.075;
    c.strokeStyle = p.line;
    c.stroke();
    c.lineWidth = s * 0.04;
    c.strokeStyle = p.paper;
    c.stroke();
  }

  #chef(seat, now) {
    const { view, context: c, pixels: s } = this;
    const p = palette();
    const cook = view.cooks[seat];
    const facing = this.#facing(seat);
    let [x, y] = this.position(seat, now);
    const own = seat === this.seat;
    c.beginPath();
    c.ellipse((x + 0.5) * s, (y + 0.91) * s, s * 0.34, s * 0.11, 0, 0, Math.PI * 2);
    c.fillStyle = p.shadow;
    c.fill();
    if (own) {
      c.beginPath();
      c.ellipse((x + 0.5) * s, (y + 0.88) * s, s * 0.41, s * 0.16, 0, 0, Math.PI * 2);
      for (const [width, color] of [[0.085, p.line], [0.05, p.paper]]) {
        c.lineWidth = s * width;
        c.strokeStyle = color;
        c.stroke();
      }
    }
    const since = now - (this.bumps[seat] ?? -Infinity);
    if (since < BUMP && !still()) {
      const lean = Math.sin((since / BUMP) * Math.PI) * 0.13;
      const [fx, fy] = facedBy({ x: 0, y: 0, facing });
      x += fx * lean;
      y += fy * lean;
    }
    const hold = () => {
      if (!cook.held) return;
      const [hx, hy] = HAND[facing];
      drawItem(c, cook.held, (x + hx) * s, (y + hy) * s, s * HELD);
    };
    if (facing === "north") hold();
    this.#stamp(sprite("chef", s, seat, facing), x, y);
    if (facing !== "north") hold();
  }

  #floating(now) {
    const { context: c, pixels: s, view } = this;
    const p = palette();
    this.floats = this.floats.filter((float) => now - float.start < (float.clash ? CLASH : FLOAT));
    for (const float of this.floats) {
      if (float.clash) {
        const [x, y] = this.position(float.seat, now);
        this.#text("!", (x + 0.86) * s, Math.max(0.2, y - 0.05) * s, s * 0.36, p.time, p.paper);
        continue;
      }
      const part = (now - float.start) / FLOAT;
      c.globalAlpha = Math.min(1, (1 - part) * 2.5);
      const rise = still() ? 0 : ease(part) * 0.75;
      this.#text(float.text, Math.min(view.width - 0.5, Math.max(0.5, float.x + 0.5)) * s,
        Math.max(0.3, float.y + 0.4 - rise) * s, s * 0.4, p.ready, p.paper);
      c.globalAlpha = 1;
    }
  }
}

/** Draw a kitchen's plan on a canvas, as wide and high as allowed: for choosing a layout. @param {string[]} rows */
export function drawLayout(canvas, rows, width, height) {
  const kitchen = new Kitchen(canvas);
  kitchen.show(emptyKitchen(rows));
  kitchen.fit(width, height);
  kitchen.draw();
}

