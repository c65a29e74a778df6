/**
 * The page after a game: counts the score up, then fetches how it ended (webapp/lobby/ending.py) and shows the last
 * state and the moments that decided it, to look at again and to mark with a key, and makes a clip to keep. What is
 * drawn of the last state is the game's own (games/<game>/ending.js). Not for: what was rated before (after.js).
 */
import { sizeOf } from "./clips.js";
import { EndingMarks } from "./ending-marks.js";
import { COUNT, clipWords, counted, numberIn, sentenceOf, whenOf } from "./ending-state.js";
import { el, find, findAll, pageData, shown } from "./lib/dom.js";
import { getJSON, postJSON } from "./lib/http.js";
import { isolatedFrame } from "./lib/isolated.js";
import { registerKeys } from "./lib/keys.js";
import { toast } from "./lib/toast.js";

const POLL = 1000; // ms between two looks while a clip is made
const AT_WORK = ["queued", "running", "cancelling"];
/** @type {Record<number, [string, string]>} */
const SIGNS = { 1: ["▲", "Progress"], [-1]: ["▼", "Regression"] };
const page = pageData("page");

/** @param {HTMLElement} node */
function countUp(node) {
  const number = numberIn(node.textContent);
  if (!number || number.score === 0 || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const began = performance.now(), whole = node.textContent;
  const tick = (/** @type {number} */ now) => {
    const passed = now - began;
    node.textContent = passed < COUNT ? `${number.before}${counted(number.score, passed)}${number.after}` : whole;
    if (passed < COUNT) requestAnimationFrame(tick);
    else node.dataset.counted = "true";
  };
  requestAnimationFrame(tick);
}

// --- The moments -------------------------------------------------------------------------------------------

class Moments {
  /** @param {any} told what the server says of the ending */
  constructor(told) {
    this.told = told;
    this.at = 0;
    this.list = find("[data-moments-list]");
    this.marks = told.may_mark ? new EndingMarks(told, () => this.show()) : null;
    this.rows = told.moments.map((/** @type {any} */ moment, /** @type {number} */ index) => this.#row(moment, index));
    this.list.replaceChildren(...this.rows);
    this.list.hidden = !this.rows.length;
    const keys = told.may_mark ? " + and − mark the framed one, Z takes it back." : "";
    const note = find("[data-moments-note]");
    note.replaceChildren(this.rows.length
      ? "Where the game changed most. Open one to see it again."
      : "No single moment stands out: nothing changed that counts.");
    if (this.rows.length && keys) note.append(el("span.for-keys", { text: keys }));
    find("[data-moments]").removeAttribute("aria-busy");
    this.show();
  }

  /** @param {any} moment @param {number} index */
  #row(moment, index) {
    const { told } = this, when = whenOf(moment.tick, told.per_second);
    const address = `${told.urls.replay}?tick=${moment.tick}&seat=${moment.seat}`;
    const words = sentenceOf(moment, told.names) || `Something changed for ${told.names[moment.seat]}.`;
    /** @type {(1|-1)[]} */
    const signs = [1, -1];
    const buttons = this.marks && el("div.moment-marks", { role: "group", "aria-label": `Mark ${when}` },
      signs.map((sign) => el(`button.button.small.${sign > 0 ? "progress" : "regression"}`, {
      type: "button", "aria-pressed": "false", dataset: { sign }, title: `${SIGNS[sign][1]} (${sign > 0 ? "+" : "−"})`,
      onClick: () => { this.choose(index); this.mark(sign, "mouse"); },
    }, el("span", { "aria-hidden": "true", text: `${SIGNS[sign][0]} ` }), SIGNS[sign][1].toLowerCase())));
    return el("li.moment", { dataset: { tick: moment.tick, seat: moment.seat, sign: moment.sign },
      onFocusin: () => this.choose(index) },
      el("a.moment-picture", { href: address },
        el("img", { src: moment.picture, alt: `The game at ${when.toLowerCase()}: see it in the replay` })),
      el("p.moment-when", {}, el("a", { href: address, text: when }),
        el("span.muted.small",
        { text: ` · about ${told.names[moment.seat] === "You" ? "you" : told.names[moment.seat]}` })),
      el("p.moment-words", { text: words }), buttons);
  }

  /** @param {number} index */
  choose(index) {
    this.at = Math.max(0, Math.min(this.rows.length - 1, index));
    this.show();
  }

  /** @param {1|-1} by */
  step(by) {
    this.choose(this.at + by);
    find("a", this.rows[this.at])?.focus();
  }

  /** @param {1|-1} sign @param {string} input */
  mark(sign, input) {
    if (!this.rows.length) return;
    if (!this.marks) return void toast(this.told.why_not);
    this.marks.toggle(this.told.moments[this.at], sign, input);
  }

  undo() {
    if (!this.marks?.undo()) toast("Nothing to undo.", { milliseconds: 1500 });
  }

  show() {
    if (!this.rows) return; // a mark that was kept arrives before there is a list
    for (const [index, row] of this.rows.entries()) {
      row.classList.toggle("framed", Boolean(this.marks) && index === this.at);
      const sign = this.marks?.signOf(this.told.moments[index]) ?? 0;
      for (const button of findAll("[data-sign]", row)) if (button !== row)
        button.setAttribute("aria-pressed", String(Number(button.dataset.sign) === sign));
    }
    if (this.marks) find("[data-marks-state]").textContent = this.marks.state;
  }
}

// --- A clip --------------------------------------------------------------------------------------------------

class Clip {
  /** @param {any} told what the server says of the ending */
  constructor({ clip, urls, last, per_second: perSecond }) {
    this.clip = clip;
    this.url = urls.clips;
    /** @type {any} */
    this.timer = null;
    this.now = find("[data-clip-now]");
    find("[data-clip-what]").textContent = clipWords(clip, last, perSecond);
    find("[data-clip-make]").addEventListener("click", () => this.make());
    find("[data-clip]").hidden = false;
    this.ask(getJSON(this.url), true); // one that was made before is still there
  }

  /** @param {Promise<any>} request */
  async ask(request, quietly = false) {
    clearTimeout(this.timer);
    try {
      const told = await request;
      const { first, last, format } = this.clip;
      const own = told.clips.find((/** @type {any} */ clip) => clip.first === first && clip.last === last
        && clip.format === format && clip.state !== "cancelled");
      if (own) this.show(own, told.no_worker);
    } catch (error) {
      if (!quietly) this.now.replaceChildren(el("p.notice.bad", { role: "alert", text: error.message }),
        this.#button("Try again"));
    }
  }

  /** @param {string} text */
  #button(text) {
    return el("button.button", { type: "button", text, onClick: () => this.make() });
  }

  /** A slow server is no reason to press again. */
  make() {
    this.now.replaceChildren(el("p.muted", { text: "Asking for the clip …" }));
    return this.ask(postJSON(this.url, this.clip));
  }

  /** @param {any} clip @param {boolean} noWorker */
  show(clip, noWorker) {
    /** @param {string} text @param {string} name */
    const button = (text, name) => el("button.button.small",
      { type: "button", text, onClick: () => this.ask(postJSON(clip.urls[name], {})) });
    if (clip.state === "completed") {
      this.now.replaceChildren(el("a.button.primary",
        { href: clip.urls.file, text: `Download (${sizeOf(clip.bytes)}, ${clip.seconds} s)` }));
    } else if (AT_WORK.includes(clip.state)) {
      const drawn = clip.total ? `${Math.round((100 * clip.done) / clip.total)} %`
        : clip.state === "running" ? "begins" : "waits for a worker";
      this.now.replaceChildren(...shown([el("p.row.between", {}, el("span", { text: `Your clip: ${drawn}` }),
        clip.state !== "cancelling" && button("Cancel", "cancel")),
        el("progress",
          { max: clip.total || 1, value: clip.total ? clip.done : null, "aria-label": "How far the clip is" }),
        noWorker && el("p.small.muted", { text: "No worker is running, so nothing is drawn. An admin starts one." })]));
      this.timer = setTimeout(() => this.ask(getJSON(this.url), true), POLL);
    } else this.now.replaceChildren(
      ...shown([el("p.notice.bad", { role: "alert", text: clip.error || "The clip failed." }),
      clip.can_retry && button("Try again", "retry")]));
  }
}

// --- The page ------------------------------------------------------------------------------------------------

/** @param {any} told */
async function drawLast(told) {
  const [panel, root] = [find("[data-last]"), find("[data-last-state]")];
  const game = await import(told.module);
  if (game.title) find("#last-title").textContent = game.title;
  game.draw(root, told);
  panel.removeAttribute("aria-busy");
}

async function start() {
  for (const node of findAll("[data-count]")) countUp(node);
  /** @type {any} */
  let moments = null;
  registerKeys([
    { name: "after-replay", keys: ["w"], label: "Watch the replay", run: () => find("[data-replay]")?.click() },
    ...(find("[data-again]")
      ? [{ name: "after-again", keys: ["Enter"], label: "Play again", run: () => find("[data-again]").click() }]
      : []),
    { name: "ending-next", keys: ["ArrowRight"], label: "Next moment", run: () => moments?.step(1) },
    { name: "ending-previous", keys: ["ArrowLeft"], label: "Moment before", run: () => moments?.step(-1) },
    { name: "ending-progress", keys: ["+"], label: "Mark progress at this moment (again: remove)",
      run: () => moments?.mark(1, "key") },
    { name: "ending-regression", keys: ["-"], label: "Mark regression at this moment",
      run: () => moments?.mark(-1, "key") },
    { name: "ending-undo", keys: ["z"], label: "Undo the last mark", run: () => moments?.undo() },
  ]);
  if (page.ending) {
    try {
      const told = isolatedFrame(await getJSON(page.ending));
      moments = new Moments(told);
      if (told.clip) new Clip(told);
      await drawLast(told);
    } catch (error) {
      find("[data-moments-note]").textContent = `The moments can't be shown: ${error.message}`;
      find("[data-moments-list]").hidden = true;
      find("[data-last]").hidden = true;
      find("[data-moments]").removeAttribute("aria-busy");
    }
  }
  document.body.dataset.ready = "true";
}

start();
