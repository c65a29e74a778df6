/**
 * "Make a clip" on a replay page: asks for a part of the episode, and shows how far one's clips are. Not for: drawing
 * them (a worker does).
 */
import { el, find, findAll } from "./lib/dom.js";
import { getJSON, postJSON } from "./lib/http.js";

const POLL = 1000; // ms between two looks while a clip is being made
const AT_WORK = ["queued", "running", "cancelling"];
/** @type {Record<string, string>} */
const STATES = { queued: "waits for a worker", running: "is drawn", cancelling: "is being cancelled",
  cancelled: "cancelled", failed: "failed", refused: "failed", completed: "ready" };

/** A file's size in words. @param {number} bytes */
export const sizeOf = (bytes) => (bytes < 1e6
  ? `${Math.max(1, Math.round(bytes / 1e3))} kB`
  : `${(bytes / 1e6).toFixed(1)} MB`);

class Clips {
  /** @param {any} panel */
  constructor(panel) {
    this.panel = panel;
    this.form = find("#clip-form");
    /** @type {any} */
    this.timer = null;
    panel.addEventListener("toggle", () => { if (panel.open) this.look(); });
    this.form.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.send(panel.dataset.url, Object.fromEntries(new FormData(this.form)));
    });
    for (const button of findAll("[data-here]", panel)) {
      button.addEventListener("click", () => {
        this.form.elements[button.dataset.here].value = find("#tick-now").textContent;
      });
    }
  }

  /** Ask how far the clips are. */
  look() {
    return this.#answer(getJSON(this.panel.dataset.url));
  }

  /** @param {string} url */
  send(url, body = {}) {
    return this.#answer(postJSON(url, body));
  }

  /** @param {Promise<any>} request */
  async #answer(request) {
    const trouble = find("#clip-trouble");
    clearTimeout(this.timer);
    let told = null;
    try {
      told = await request;
    } catch (error) {
      trouble.textContent = error.message;
      trouble.hidden = false;
    }
    if (told) {
      trouble.textContent = told.no_worker ? "No worker is running, so nothing is drawn. An admin starts one." : "";
      trouble.hidden = !told.no_worker;
      find("#clip-list").replaceChildren(...told.clips.map((/** @type {any} */ clip) => this.#row(clip)));
    }
    const working = told ? told.clips.some((/** @type {any} */ clip) => AT_WORK.includes(clip.state)) : true;
    if (working && this.panel.open) this.timer = setTimeout(() => this.look(), POLL);
  }

  /** @param {any} clip */
  #row(clip) {
    const what = `Ticks ${clip.first} to ${clip.last}, ${clip.view}, ${clip.format.toUpperCase()}`;
    /** @param {string} text @param {string} name */
    const button = (text, name) => el("button.button.small",
      { type: "button", text, onClick: () => this.send(clip.urls[name]) });
    const over = !AT_WORK.includes(clip.state);
    return el("li", { dataset: { state: clip.state } }, el("span", { text: `${what}:` }),
      el("span.badge", { text: STATES[clip.state] || clip.state }),
      clip.state === "running"
        && el("progress", { max: clip.total || 1, value: clip.done, "aria-label": "How far it is" }),
      clip.error && el("span.muted", { text: clip.error }),
      clip.state === "completed" && el("a.button.small.primary",
        { href: clip.urls.file, text: `Download (${sizeOf(clip.bytes)}, ${clip.seconds} s)` }),
      !over && clip.state !== "cancelling" && button("Cancel", "cancel"),
      clip.can_retry && button("Try again", "retry"),
      over && button("Remove", "remove"));
  }
}

const panel = globalThis.document && find("#clips");
if (panel) new Clips(panel);
