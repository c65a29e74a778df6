/**
 * The strip under a replay: thumbnails, score, events, what was said, and marks as triangles that one can click and
 * drag. Pointing at it shows that tick at once; a click stays there. Seeking moves one line and redraws nothing
 * else, so the number of marks doesn't matter. Not for: what a mark is (marks.js), where ticks lie (strip-state.js).
 */
import { controlTrack } from "./control-track.js";
import { context2d, el, find } from "./lib/dom.js";
import { onDevice } from "./lib/kept.js";
import { drawLanes, laneLegend } from "./lanes.js";
import { ToldRow } from "./told-row.js";
import {
  center, column, drag, drop, eventShapes, fresh, grab, markAt, markClass, otherRows, pictures, tickAt,
} from "./strip-state.js";
import { HEIGHT as UTILITY_HEIGHT, drawUtility } from "./utility-lane.js";

const THUMB = { width: 44, height: 34 };
const EVENTS = 18; // CSS pixels of the row of events
const WHOLE = "coplay-strip-whole";

export class Timeline {
  /**
   * @param {HTMLElement} root
   * @param {{last: number, drawThumbnail?: (context: CanvasRenderingContext2D, tick: number, box: object) => void,
   *   events: {tick: number, tone?: string}[], words: (import("./told.js").Told & {kind: string})[],
   *   controls?: any[], late?: any[], names?: string[], perSecond?: number, lanes?: import("./lanes.js").Lane[],
   *   onHover: (tick: number|null) => void, onSeek: (tick: number) => void,
   *   onMark: (id: string, tick: number) => void, onMove: (id: string, tick: number) => void}} options
   *   `controls`, `late`: see control-track.js; `lanes`: what a game shows besides
   */
  constructor(root, options) {
    this.root = root;
    this.options = options;
    /** @type {import("./strip-state.js").Strip} */
    this.strip = fresh(options.last);
    /** @type {any[]} */
    this.others = [];
    /** @type {any} */
    this.utility = null;
    this.onLayout = () => {};
    this.nodes = new Map();
    this.canvas = el("canvas.strip-thumbs", { "aria-hidden": "true" });
    this.eventRow = el("canvas.strip-events", { "aria-hidden": "true" });
    this.told = new ToldRow(options);
    this.laneRow = el("canvas.strip-lanes", { "aria-hidden": "true", hidden: !options.lanes?.length });
    this.utilityRow = el("canvas.strip-utility", { "aria-hidden": "true", hidden: true });
    this.markRow = el("div.strip-marks", { role: "group", "aria-label": "Marks" });
    this.otherRow = el("canvas.strip-others", { "aria-hidden": "true", hidden: true });
    this.line = el("div.strip-line", { "aria-hidden": "true" });
    const { last, controls = [], late = [], names = [], perSecond = 0 } = options;
    const track = controlTrack(controls, late, { names, last, perSecond });
    this.controls = track?.rows;
    // The rows may be scrolled where the page has little room; the marks are always there.
    const rows = el("div.strip-rows", { role: "group", "aria-label": "Rows of the strip", tabindex: "0" }, this.canvas,
      this.eventRow, this.told.root, this.laneRow, track?.rows);
    this.area = el("div.strip-area", {}, rows, this.utilityRow, this.markRow, this.otherRow, this.line);
    root.replaceChildren(this.area, this.#legend(track));
    this.unfold(onDevice.getItem(WHOLE) === "true");
    this.#listen();
    new ResizeObserver(() => this.layout()).observe(this.area);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.layout(true));
    this.layout();
  }

  /** Show where the replay stands. */
  show(tick) {
    this.line.style.transform = `translateX(${center(this.strip, tick)}px)`;
  }

  layout(force = false) {
    const width = this.area.clientWidth;
    if (!width || (width === this.strip.width && !force)) return;
    this.strip = { ...this.strip, width };
    this.#measure();
    this.#drawThumbs();
    this.#drawEvents();
    const { lanes, last } = this.options;
    if (lanes?.length) drawLanes(this.laneRow, lanes, width, last, property);
    this.setOthers(this.others);
    this.setUtility(this.utility);
    for (const [, node] of this.nodes) this.#place(node);
    this.line.style.width = `${Math.max(2, Math.min(column(this.strip), 6))}px`;
    this.onLayout();
  }

  /** Stress what was told this seat, or with `open` everybody, and show who was in control of it. */
  choose(seat, open) {
    this.told.stress(open ? null : seat);
    for (const row of this.controls?.children ?? []) row.classList.toggle("chosen",
      row.dataset.seats.split(" ").includes(String(seat)));
  }

  /** Show every row and what it means, or what fits; remembered on this device. */
  unfold(whole = !this.root.classList.contains("whole")) {
    this.root.classList.toggle("whole", whole);
    onDevice.setItem(WHOLE, String(whole));
    find("#rows-open")?.setAttribute("aria-expanded", String(whole));
  }

  /** What each row shows: [name, words or nodes]. */
  #legend(track) {
    const rows = [
      this.options.drawThumbnail && ["Pictures", "the game at that tick, small"],
      ["Events", "a green bar went well, a vermilion cross badly, a grey dash neither; a dot below: somebody spoke"],
      this.told.legend,
      ...laneLegend(this.options.lanes ?? []),
      track && ["In control", track.legend],
      find("#utility-open") && ["U", "with a reward model's U: its curve, and under it what each decision added"],
      ["Marks", "▲ progress, ▼ regression; pale: another seat's; … on its way, ! refused. Drag one to move it"],
      find("#show-others") && ["Others", "everybody else's marks, a row for each, with the name at its left"],
    ];
    return el("dl.strip-legend", { tabindex: "0" },
      rows.filter(Boolean).map(([name, says]) => el("div", {}, el("dt", { text: name }), el("dd", {}, says))));
  }

  /** Own marks, each {id, seat, tick, sign, status, label}; only what changed is touched. */
  setMarks(marks, selected) {
    const gone = new Set(this.nodes.keys());
    for (const mark of marks) {
      gone.delete(mark.id);
      let node = this.nodes.get(mark.id);
      if (!node) {
        node = el("button", { type: "button", dataset: { id: mark.id }, tabindex: "-1" });
        this.nodes.set(mark.id, node);
        this.markRow.append(node);
      }
      const name = markClass(mark, selected);
      if (node.className !== name) node.className = name;
      if (node.title !== mark.label) { node.title = mark.label; node.setAttribute("aria-label", mark.label); }
      if (node.tick !== mark.tick || node.seat !== mark.seat) Object.assign(node, { tick: mark.tick, seat: mark.seat }),
        this.#place(node);
    }
    for (const id of gone) { this.nodes.get(id).remove(); this.nodes.delete(id); }
  }

  /** Other people's marks, each {who, seat, tick, sign}: a row a person, drawn and not clickable. */
  setOthers(others) {
    this.others = others;
    this.otherRow.hidden = !others.length;
    if (!others.length || !this.strip.width) return;
    const { height, rows, marks } = otherRows(this.strip, others);
    const context = prepare(this.otherRow, this.strip.width, height);
    for (const { x, y, sign } of marks) {
      context.fillStyle = property(sign > 0 ? "--progress" : "--regression");
      triangle(context, x, y, 5, sign);
    }
    context.font = "9px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.fillStyle = property("--muted");
    for (const { who, y } of rows) context.fillText(who, 3, y);
  }

  /** A reward model's U over the episode, {recorded, told} (utility-lane.js); null: none. */
  setUtility(curves) {
    this.utility = curves;
    this.utilityRow.hidden = !curves;
    this.utilityRow.classList.remove("waiting");
    const { width, last } = this.strip;
    if (!curves || !width) return;
    drawUtility(prepare(this.utilityRow, width, UTILITY_HEIGHT), curves, { width, last, property });
  }

  /** Another curve is being drawn: the last one is dim until then. */
  waitForUtility() {
    this.utilityRow.classList.add("waiting");
  }

  #place(node, tick = node.tick) {
    node.style.left = `${markAt(this.strip, tick)}px`;
  }

  #drawThumbs() {
    const context = prepare(this.canvas, this.strip.width, THUMB.height), draw = this.options.drawThumbnail;
    if (draw) for (const { tick, box } of pictures(this.strip, THUMB)) draw(context, tick, box);
  }

  #drawEvents() {
    const context = prepare(this.eventRow, this.strip.width, EVENTS);
    const color = { good: "--progress", bad: "--regression", plain: "--line-strong", word: "--ink" };
    for (const { shape, tone, x, y, width, height } of eventShapes(this.strip, this.options.events,
      this.options.words)) {
      context.fillStyle = property(color[tone]);
      if (shape === "bar") context.fillRect(x, y, width, height);
      else if (shape === "cross") cross(context, x, y, width / 2);
      else dot(context, x, y, width / 2);
    }
  }

  #listen() {
    const area = this.area;
    // Measured when the pointer comes, not at every move: that would lay the page out at every move.
    for (const kind of ["pointerenter", "pointerdown"]) area.addEventListener(kind, () => this.#measure(),
      { capture: true });
    const { onHover, onSeek } = this.options;
    area.addEventListener("pointermove", (event) => {
      if (this.strip.drag) { this.#drag(event.clientX); return; }
      const tick = tickAt(this.strip, event.clientX);
      if (event.pointerType === "mouse") onHover(tick);
      else if (event.buttons) onSeek(tick);
    });
    area.addEventListener("pointerleave", () => { if (!this.strip.drag) onHover(null); });
    area.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      const node = event.target.closest(".strip-mark");
      if (!node) { onSeek(tickAt(this.strip, event.clientX)); return; }
      this.strip = grab(this.strip, { id: node.dataset.id, tick: node.tick });
      area.setPointerCapture(event.pointerId);
    });
    area.addEventListener("pointerup", (event) => this.#drop(event.clientX));
    area.addEventListener("pointercancel", () => this.#drop(null));
  }

  #measure() {
    this.strip = { ...this.strip, left: this.area.getBoundingClientRect().left };
  }

  #drag(clientX) {
    const before = this.strip;
    this.strip = drag(before, clientX);
    if (this.strip === before || !this.strip.drag) return;
    const { id, tick } = this.strip.drag;
    this.#place(this.nodes.get(id), tick);
    this.options.onHover(tick);
  }

  /** The mark goes back to where it was; its new tick comes from whoever keeps marks. */
  #drop(clientX) {
    if (!this.strip.drag) return;
    const node = this.nodes.get(this.strip.drag.id);
    const { strip, does, id, tick } = drop(this.strip, clientX);
    this.strip = strip;
    if (node) this.#place(node);
    this.options.onHover(null);
    if (does === "open") this.options.onMark(id, tick);
    if (does === "move") this.options.onMove(id, tick);
  }
}

/** A canvas of this size in CSS pixels, sharp on every screen; returns its context. */
function prepare(canvas, width, height) {
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = context2d(canvas);
  context.scale(ratio, ratio);
  return context;
}

const property = (name) => getComputedStyle(find("main")).getPropertyValue(name).trim();

function triangle(context, x, y, size, sign) {
  context.beginPath();
  context.moveTo(x - size, y + size * sign * 0.8);
  context.lineTo(x + size, y + size * sign * 0.8);
  context.lineTo(x, y - size * sign * 0.8);
  context.fill();
}

function cross(context, x, y, size) {
  context.save();
  context.translate(x, y);
  context.rotate(Math.PI / 4);
  context.fillRect(-size, -1, size * 2, 2);
  context.fillRect(-1, -size, 2, size * 2);
  context.restore();
}

function dot(context, x, y, radius) {
  context.beginPath();
  context.arc(x, y, radius, 0, 7);
  context.fill();
}
