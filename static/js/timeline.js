/**
 * The strip under a replay: thumbnails, score, events, what was said, and marks as triangles that one can click and
 * drag. Pointing at it shows that tick at once; a click stays there. Seeking moves one line and redraws nothing
 * else, so the number of marks doesn't matter. Not for: what a mark is (marks.js).
 */
import { controlTrack } from "./control-track.js";
import { el, find } from "./lib/dom.js";
import { onDevice } from "./lib/kept.js";
import { drawLanes, laneLegend } from "./lanes.js";
import { ToldRow } from "./told-row.js";
import { HEIGHT as UTILITY_HEIGHT, drawUtility } from "./utility-lane.js";

const THUMB = { width: 44, height: 34 };
const EVENTS = 18; // CSS pixels of the row of events
const OTHER = 13; // CSS pixels of another person's row
const EDGE = 9; // CSS pixels from a mark's middle to its side
const WHOLE = "coplay-strip-whole";

export class Timeline {
  /**
   * @param {HTMLElement} root
   * @param {{last: number, drawThumbnail?: (context: CanvasRenderingContext2D, tick: number, box: object) => void,
   *   events: {tick: number, tone: string}[], words: {tick: number, kind: string}[],
   *   controls?: object[], late?: object[], names?: string[], perSecond?: number (see control-track.js),
   *   lanes?: import("./lanes.js").Lane[] what a game shows besides,
   *   onHover: (tick: number|null) => void, onSeek: (tick: number) => void,
   *   onMark: (id: string) => void, onMove: (id: string, tick: number) => void}} options
   */
  constructor(root, options) {
    Object.assign(this, { root, ...options });
    this.width = 0;
    this.left = 0;
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

  /** Width of one tick in CSS pixels. */
  get column() {
    return this.width / (this.last + 1);
  }

  tickAt(clientX) {
    const x = clientX - this.left;
    return Math.max(0, Math.min(this.last, Math.floor(x / this.column)));
  }

  center(tick) {
    return (tick + 0.5) * this.column;
  }

  /** Show where the replay stands. */
  show(tick) {
    this.line.style.transform = `translateX(${this.center(tick)}px)`;
  }

  layout(force = false) {
    const width = this.area.clientWidth;
    if (!width || (width === this.width && !force)) return;
    this.width = width;
    this.#measure();
    this.#drawThumbs();
    this.#drawEvents();
    if (this.lanes?.length) drawLanes(this.laneRow, this.lanes, this.width, this.last, property);
    this.setOthers(this.others || []);
    this.setUtility(this.utility || null);
    for (const [, node] of this.nodes) this.#place(node);
    this.line.style.width = `${Math.max(2, Math.min(this.column, 6))}px`;
    this.onLayout?.();
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
      this.drawThumbnail && ["Pictures", "the game at that tick, small"],
      ["Events", "a green bar went well, a vermilion cross badly, a grey dash neither; a dot below: somebody spoke"],
      this.told.legend,
      ...laneLegend(this.lanes ?? []),
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
      const name = ["strip-mark", mark.sign > 0 ? "progress" : "regression", mark.status,
        mark.id === selected && "selected", mark.other && "other-seat"].filter(Boolean).join(" ");
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
    if (!others.length || !this.width) return;
    const people = [...new Set(others.map((mark) => mark.who))];
    const context = prepare(this.otherRow, this.width, OTHER * people.length + 2);
    const middle = (who) => OTHER * (people.indexOf(who) + 0.5) + 1;
    for (const mark of others) {
      context.fillStyle = property(mark.sign > 0 ? "--progress" : "--regression");
      triangle(context, this.center(mark.tick), middle(mark.who), 5, mark.sign);
    }
    context.font = "9px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.fillStyle = property("--muted");
    for (const who of people) context.fillText(who, 3, middle(who));
  }

  /** A reward model's U over the episode, {recorded, told} (utility-lane.js); null: none. */
  setUtility(curves) {
    this.utility = curves;
    this.utilityRow.hidden = !curves;
    this.utilityRow.classList.remove("waiting");
    if (!curves || !this.width) return;
    drawUtility(prepare(this.utilityRow, this.width, UTILITY_HEIGHT), curves,
      { width: this.width, last: this.last, property });
  }

  /** Another curve is being drawn: the last one is dim until then. */
  waitForUtility() {
    this.utilityRow.classList.add("waiting");
  }

  #place(node) {
    // Whole at the first and the last tick, too.
    node.style.left = `${Math.max(EDGE, Math.min(this.width - EDGE, this.center(node.tick)))}px`;
  }

  #drawThumbs() {
    const context = prepare(this.canvas, this.width, THUMB.height);
    if (!this.drawThumbnail) return;
    const each = Math.max(1, Math.ceil((THUMB.width * (this.last + 1)) / this.width));
    for (let tick = 0; tick <= this.last; tick += each) {
      const x = tick * this.column;
      const width = Math.min(each * this.column, this.width - x);
      this.drawThumbnail(context, Math.min(this.last, tick + (each >> 1)), { x, y: 0, width, height: THUMB.height });
    }
  }

  #drawEvents() {
    const context = prepare(this.eventRow, this.width, EVENTS);
    const size = Math.max(2, Math.min(this.column - 1, 8));
    const color = { good: "--progress", bad: "--regression", plain: "--line-strong" };
    for (const { tick, tone } of this.events) {
      const x = this.center(tick);
      context.fillStyle = property(color[tone] || color.plain);
      if (tone === "bad") cross(context, x, 6, size / 2 + 1);
      else context.fillRect(x - size / 2, tone === "good" ? 2 : 5, size, tone === "good" ? 8 : 3);
    }
    context.fillStyle = property("--ink");
    for (const { tick, kind } of this.words) {
      if (kind !== "instruction" && kind !== "reason") {
        context.beginPath();
        context.arc(this.center(tick), EVENTS - 4, 2.5, 0, 7);
        context.fill();
      }
    }
  }

  #listen() {
    const area = this.area;
    // Measured when the pointer comes, not at every move: that would lay the page out at every move.
    for (const kind of ["pointerenter", "pointerdown"]) area.addEventListener(kind, () => this.#measure(),
      { capture: true });
    area.addEventListener("pointermove", (event) => {
      if (this.dragged) return this.#drag(event);
      const tick = this.tickAt(event.clientX);
      if (event.pointerType === "mouse") this.onHover(tick);
      else if (event.buttons) this.onSeek(tick);
    });
    area.addEventListener("pointerleave", () => { if (!this.dragged) this.onHover(null); });
    area.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      const node = event.target.closest(".strip-mark");
      if (node) {
        this.dragged = { id: node.dataset.id, node, from: node.tick, moved: false };
        area.setPointerCapture(event.pointerId);
      } else {
        this.onSeek(this.tickAt(event.clientX));
      }
    });
    area.addEventListener("pointerup", (event) => this.#drop(event));
    area.addEventListener("pointercancel", () => this.#putBack());
  }

  #measure() {
    this.left = this.area.getBoundingClientRect().left;
  }

  #drag(event) {
    const tick = this.tickAt(event.clientX);
    const { node } = this.dragged;
    if (tick === node.tick) return;
    this.dragged.moved = true;
    node.tick = tick;
    this.#place(node);
    this.onHover(tick);
  }

  #drop(event) {
    if (!this.dragged) return;
    const { id, node, moved } = this.dragged;
    const tick = this.tickAt(event.clientX);
    this.#putBack();
    if (!moved) this.onMark(id, node.tick);
    else this.onMove(id, tick);
  }

  #putBack() {
    if (!this.dragged) return;
    const { node, from } = this.dragged;
    node.tick = from;
    this.#place(node);
    this.dragged = null;
    this.onHover(null);
  }
}

/** A canvas of this size in CSS pixels, sharp on every screen; returns its context. */
function prepare(canvas, width, height) {
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
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
