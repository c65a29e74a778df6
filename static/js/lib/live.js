/**
 * What every live page has around its board: the line's dot and bar, and what a screen reader is told.
 * Not for: the line itself (match-socket.js), a game's words (table-side.js, games/<game>/table.js).
 */
import { find } from "./dom.js";

const TITLES = { open: "Connected to the match host", connecting: "Connecting", lost: "Connection lost",
  closed: "Not connected" };

/** Say a sentence to those who don't see the page. @param {string} text */
export function announce(text) {
  const region = find("[data-announce]");
  const line = document.createElement("p");
  line.textContent = text;
  region.append(line);
  while (region.children.length > 5) region.firstChild.remove();
}

/** The dot with the line's milliseconds, and the bar that counts while the line is broken and says what will happen. */
export class ConnectionSigns {
  /** @param {() => string} meanwhile what happens until the line is back, as the end of a sentence */
  constructor(meanwhile) {
    this.meanwhile = meanwhile;
    /** @type {import("./match-socket.js").Status|null} */
    this.status = null;
    setInterval(() => this.#bar(), 500);
  }

  /** @param {import("./match-socket.js").Status} status */
  show(status) {
    this.status = status;
    const dot = find("[data-connection]");
    dot.dataset.state = status.state;
    dot.title = TITLES[status.state];
    if (status.state !== "open") find("[data-latency]").textContent = status.state === "connecting"
      ? "connecting"
      : "no connection";
    this.#bar();
  }

  /** @param {number} milliseconds */
  latency(milliseconds) { find("[data-latency]").textContent = `${milliseconds} ms`; }

  get open() { return this.status?.state === "open"; }

  #bar() {
    const bar = find("[data-connection-bar]");
    const { state: now = "", since = 0, text = "", attempt = 0 } = this.status ?? {};
    const broken = now === "lost" || (now === "connecting" && attempt > 0);
    bar.hidden = !(broken || now === "closed");
    bar.classList.toggle("final", now === "closed");
    if (now === "closed") bar.textContent = text;
    else if (broken)
      bar.textContent =
        `Connection lost ${Math.round((Date.now() - since) / 1000)} s ago. Coming back by itself; ${this.meanwhile()}.`;
  }
}
