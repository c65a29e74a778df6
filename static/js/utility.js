/**
 * The panel "A reward model's U" on a replay page: chooses a round's reward model and, if one likes, another
 * instruction;
 * a worker draws the curve, which lies on the strip. Off until it is opened. Whatever one turns away from (another
 * seat, model or instruction, the panel closed) is cancelled. Not for: drawing (utility-lane.js), who may see it (the
 * server).
 */
import { context2d, el, find, findAll } from "./lib/dom.js";
import { getJSON, postJSON } from "./lib/http.js";
import { leftOut } from "./readings.js";
import { jumps, signed, valueAt } from "./utility-lane.js";

const THUMB = 34; // CSS pixels of a thumbnail's height on the strip
const POLL = 500; // ms between two looks while a curve is being drawn
/** @type {Record<string, string>} */
const SAYS = { queued: "Waiting for a worker", running: "Working", cancelling: "Stopping" };
const ALONE = "This model is one network, which can't say how sure it is: no band is drawn.";

export class Utility {
  #asked = 0; // each question's number: answers to older ones are dropped
  /** @type {any} */
  #job = null; // what is being drawn
  /** @type {any} */
  #timer = null;

  /**
   * @param {HTMLDetailsElement} panel
   * @param {{url: string, names: string[], seat: () => number, tick: () => number, describe: (tick: number) => string,
   *   draw: (context: CanvasRenderingContext2D, tick: number, box: object) => void,
   *   onCurves: (curves: object|null) => void, onWaiting: () => void, onHover: (tick: number|null) => void,
   *   onSeek: (tick: number) => void}} options
   *   `describe`: what happened at a tick, in words; `draw`: a small picture of it
   */
  constructor(panel, { url, names, seat, tick, describe, draw, onCurves, onWaiting, onHover, onSeek }) {
    this.panel = panel;
    this.url = url;
    this.names = names;
    this.seat = seat;
    this.tick = tick;
    this.describe = describe;
    this.draw = draw;
    this.onCurves = onCurves;
    this.onWaiting = onWaiting;
    this.onHover = onHover;
    this.onSeek = onSeek;
    /** @type {any} */
    this.curves = null;
    this.instruction = ""; // under which it is drawn
    this.form = find("form[data-ask]", panel);
    panel.addEventListener("toggle", () => find("#utility-open")?.setAttribute("aria-expanded", String(panel.open)));
    if (!this.form) return;
    panel.addEventListener("toggle", () => (panel.open ? this.#open() : this.#close()));
    this.form.addEventListener("submit", (/** @type {Event} */ event) => { event.preventDefault(); this.ask(); });
    this.form.elements.round.addEventListener("change", () => this.ask());
    find("[data-clear]", panel).addEventListener("click", () => {
      this.form.elements.instruction.value = "";
      this.ask();
    });
  }

  /** Open or close it. */
  toggle() {
    this.panel.open = !this.panel.open;
    if (this.panel.open) this.panel.scrollIntoView({ block: "nearest" });
  }

  /** Another seat is looked at. */
  follow() {
    if (this.form && this.panel.open && this.known) this.ask();
  }

  /** Say what U is at the tick that is shown. @param {number} tick */
  show(tick) {
    const curve = this.curves && (this.curves.told || this.curves.recorded);
    const line = this.form && find("[data-now]", this.panel);
    if (!line) return;
    const { value, gain, spread = null } = curve ? valueAt(curve, tick) : { value: 0, gain: 0 };
    const range = spread !== null ? ` ± ${spread.toFixed(2)}` : "";
    const text = curve ? `Tick ${tick}: U ${signed(value)}${range}, the last decision ${signed(gain)}` : "";
    if (line.textContent !== text) line.textContent = text;
    if (curve) this.#picture(tick);
  }

  /** The moment, small: the large picture may be out of sight here. @param {number} tick */
  #picture(tick) {
    const canvas = find("[data-moment]", this.panel), context = context2d(canvas);
    const scale = canvas.height / THUMB; // games draw as for the strip
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    this.draw(context, tick, { x: 0, y: 0, width: canvas.width / scale, height: THUMB });
  }

  async #open() {
    if (this.known) { this.ask(); return; }
    try {
      const { models, none } = await getJSON(this.url);
      this.known = models;
      this.form.hidden = !models.length;
      find("[data-none]", this.panel).hidden = models.length > 0;
      find("[data-none-text]", this.panel).textContent = none;
      this.form.elements.round.replaceChildren(
        ...models.map((/** @type {any} */ one) =>
          el("option", { value: one.round, text: one.why_not ? `${one.title} (not for this episode)` : one.title })));
      if (models.length) this.ask();
    } catch (error) {
      this.#say(error.message, "bad");
    }
  }

  #close() {
    this.#stop();
    this.#set(null);
    this.#say("");
  }

  /** Nobody waits any more for what is being drawn. */
  #stop() {
    this.#asked += 1;
    clearTimeout(this.#timer);
    if (this.#job)
      postJSON(`${this.url}${this.#job}/cancel/`, {}).catch(() => { /* it is over, or the next question stops it */ });
    this.#job = null;
  }

  /** Ask for the curve of the chosen model, seat and instruction. */
  async ask() {
    this.#stop();
    const mine = this.#asked, seat = this.seat();
    const { round, instruction } = this.form.elements;
    // The last curve stays, dim, until the next one is there: the page would jump.
    this.panel.dataset.drawn = "false";
    find("[data-reading]", this.panel).hidden = true;
    this.onWaiting();
    this.#say(`Working on ${this.names[seat]}'s seat …`);
    try {
      const asked = { round: Number(round.value), seat, instruction: instruction.value };
      const job = await postJSON(this.url, asked);
      if (mine === this.#asked) this.#read(job);
      this.#take(mine, job);
    } catch (error) {
      if (mine === this.#asked) this.#fail(error.message);
    }
  }

  /** How the instruction was read. @param {any} words */
  #read({ instruction, reading, unsure, unread }) {
    const line = find("[data-reading]", this.panel);
    this.instruction = instruction;
    line.hidden = !instruction;
    const how = unsure ? "I'm not sure. This is drawn for: " : "Read as: ";
    line.textContent = instruction ? `${how}${reading} ${leftOut(unread)}`.trim() : "";
  }

  /** Why there is no curve. @param {string} text */
  #fail(text) {
    this.#set(null);
    this.#say(text, "bad");
  }

  /** What the server says of the job. @param {number} mine @param {any} job */
  #take(mine, job) {
    if (mine !== this.#asked) return;
    if (SAYS[job.state]) {
      this.#job = job.id;
      const lacking = job.no_worker ? " No worker is running, so nothing is drawn; an admin starts one." : "";
      this.#say(`${SAYS[job.state]}: ${this.names[job.seat]}'s seat …${lacking}`, job.no_worker ? "warn" : "busy");
      this.#timer = setTimeout(() => this.#look(mine), POLL);
      return;
    }
    this.#job = null;
    if (job.state !== "completed") {
      this.#fail(job.error || "This was cancelled; press “Show” to ask again.");
      return;
    }
    this.#say("");
    this.#set({ recorded: job.recorded, told: job.told, seat: job.seat, instruction: this.instruction });
  }

  /** @param {number} mine */
  async #look(mine) {
    try {
      this.#take(mine, await getJSON(`${this.url}${this.#job}/`));
    } catch (error) {
      if (mine === this.#asked) this.#fail(error.message);
    }
  }

  /** @param {string} text */
  #say(text, kind = "busy") {
    const line = find("[data-status]", this.panel);
    line.textContent = text;
    line.className = kind === "busy" ? "muted" : `notice ${kind}`;
    line.hidden = !text;
  }

  /** @param {any} curves */
  #set(curves) {
    this.curves = curves;
    const found = find("[data-found]", this.panel), curve = curves && (curves.told || curves.recorded);
    found.hidden = !curves;
    this.panel.dataset.drawn = curves ? "true" : "false";
    if (curves) this.#tell(curves, curve, found);
    this.onCurves(curves);
  }

  /** @param {any} curves @param {any} curve @param {HTMLElement} found */
  #tell(curves, curve, found) {
    find("[data-key-told]", found).hidden = !curves.told;
    find("[data-told-text]", found).textContent = curves.instruction;
    find("[data-key-recorded]", found).classList.toggle("dim", Boolean(curves.told));
    find("[data-key-band]", found).hidden = !curve.spread;
    find("[data-alone]", found).textContent = curve.spread
      ? `${curve.members} networks; the band is how far they are apart.`
      : ALONE;
    find("[data-jumps]", found).replaceChildren(...jumps(curve).sort((a, b) => a.tick - b.tick)
      .map((one) => this.#jump(one)));
    find("[data-no-jumps]", found).hidden = findAll("[data-jumps] li", found).length > 0;
    this.show(this.tick());
  }

  /**
   * A moment at which U jumps: pointing at it or reaching it by Tab shows it, a click stays there.
   * @param {{tick: number, gain: number}} jump
   */
  #jump({ tick, gain }) {
    const shows = () => this.onHover(tick), leaves = () => this.onHover(null);
    return el("li", {}, el("button.utility-jump", {
      type: "button", title: this.describe(tick) || null, onPointerenter: shows, onFocus: shows,
      onPointerleave: leaves, onBlur: leaves,
      onClick: (/** @type {any} */ event) => { this.onSeek(tick); if (event.detail > 0) event.currentTarget.blur(); },
    }, el("b", { class: gain > 0 ? "up" : "down", text: signed(gain) }), el("span", { text: `tick ${tick}` }),
      el("span.muted", { text: this.describe(tick) })));
  }
}
