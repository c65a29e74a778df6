/**
 * The line to a match: asks where the host is, opens the socket, comes back by itself when it breaks, sends again what
 * was not acknowledged. Nothing here knows a game. Not for: drawing, HTTP posts (http.js).
 */
import { isolatedFrame } from "./isolated.js";
import { getJSON } from "./http.js";

// Another host may take a game over four seconds after its own was last heard of: tries lie close until then.
const DELAYS = [300, 700, 1000, 1000, 1000, 1000, 2000, 3000, 5000];
/** Milliseconds after which a line counts as well: one that breaks sooner makes the next try no quicker. */
const STEADY = 5000;
/** Milliseconds that a host has for taking a line up. */
const OPENS_WITHIN = 4000;
const PING_EVERY = 1000;
/** Pings in a row that nothing follows, after which a host is taken for dead: its games may go elsewhere by then. */
const SILENT_PINGS = 4;
/** Close codes after which coming back is of no use, and what to tell. @type {Record<number, string>} */
const FINAL = {
  4001: "You have signed out. Sign in to go on; the game waits for you.",
  4003: "Your account may no longer play here.",
  4004: "This game isn't being played any more.",
  4029: "There are too many games open.",
};

/** A random UUID, also on pages without a secure context. */
export function uuid() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Milliseconds to wait before the n-th try (from 0). @param {number} attempt */
export const delayOf = (attempt) => DELAYS[Math.min(attempt, DELAYS.length - 1)];

/**
 * The socket's address from what the server answered: a path on this site or a whole address.
 * @param {{url: string, ticket: string}} answer
 * @param {{protocol: string, host: string}} location
 */
export function socketAddress({ url, ticket }, location) {
  const base = url.startsWith("/") ? `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${url}` : url;
  return `${base}?ticket=${encodeURIComponent(ticket)}`;
}

/**
 * What was sent and not yet answered, in order. Pure bookkeeping: a message leaves when its number is acknowledged or
 * refused; what is left is sent again, under the same number, on the next line.
 */
export class Outbox {
  #next = 1;
  #waiting = new Map();

  /** The message with its number, not kept. @param {Record<string, any>} message */
  number(message) {
    const numbered = { ...message, seq: this.#next };
    this.#next += 1;
    return numbered;
  }

  /** The message with its number, kept until it is answered. @param {Record<string, any>} message */
  add(message) {
    const numbered = this.number(message);
    this.#waiting.set(numbered.seq, numbered);
    return numbered;
  }

  /** Take the message out that this frame answers; null for none. @param {{type: string, seq?: number}} frame */
  settle(frame) {
    if (!["ack", "error"].includes(frame.type) || frame.seq === undefined) return null;
    const message = this.#waiting.get(frame.seq) || null;
    this.#waiting.delete(frame.seq);
    return message;
  }

  get waiting() { return [...this.#waiting.values()]; }
}

/**
 * @typedef {{state: "connecting"|"open"|"lost"|"closed", since: number, attempt: number, retryAt?: number, text?:
 *   string}} Status
 */
export class MatchSocket {
  /**
   * @param {string} ticketUrl
   * @param {(frame: object, answered: object|null) => void} onFrame `answered`: the message of ours that it answers
   * @param {(status: Status) => void} onStatus
   * @param {(milliseconds: number) => void} onLatency
   * @param {(message: ArrayBuffer) => void} [onBinary] for games that also speak in bytes
   */
  constructor(ticketUrl, onFrame, onStatus, onLatency, onBinary = () => {}) {
    this.ticketUrl = ticketUrl;
    this.onFrame = onFrame;
    this.onStatus = onStatus;
    this.onLatency = onLatency;
    this.onBinary = onBinary;
    this.client = uuid();
    /** @type {any} */
    this.socket = null;
    this.silent = 0;
    /** What a page says as it joins, besides who it is. */
    this.joins = () => ({});
    this.outbox = new Outbox();
    this.attempt = 0;
    this.since = Date.now();
    window.addEventListener("online", () => this.#hurry());
    window.addEventListener("pageshow", (event) => { if (event.persisted) this.#hurry(); });
    setInterval(() => this.#beat(), PING_EVERY);
    this.#open();
  }

  /** Send a message that must arrive, again until it is answered: its number. @param {Record<string, any>} message */
  send(message) {
    const numbered = this.outbox.add(message);
    if (this.joined) this.socket.send(JSON.stringify(numbered));
    return numbered.seq;
  }

  /**
   * Send a message that is of no use later (a key): never sent again.
   * @param {Record<string, any>} message
   * @returns {number|null} null: the line is broken
   */
  sendOnce(message) {
    if (!this.joined) return null;
    const numbered = this.outbox.number(message);
    this.socket.send(JSON.stringify(numbered));
    return numbered.seq;
  }

  /** Send bytes that are of no use later. @param {Uint8Array} bytes @returns {boolean} false: the line is broken */
  sendBinary(bytes) {
    if (!this.joined) return false;
    this.socket.send(bytes);
    return true;
  }

  async #open() {
    this.timer = null;
    this.#tell("connecting");
    let answer;
    try {
      const failed = this.failed ? `?failed=${encodeURIComponent(this.failed)}` : "";
      answer = await getJSON(this.ticketUrl + failed);
      if (!answer) { this.#stop(FINAL[4001]); return; }
    } catch (error) {
      if (error.status === 409) { window.location.reload(); return; }
      if ([401, 403, 404].includes(error.status)) this.#stop(error.message);
      else this.#retry();
      return;
    }
    const socket = new WebSocket(socketAddress(answer, window.location));
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    // Until it is open, the address may be one at which nobody is any more.
    this.failed = this.url = answer.url;
    this.opening = setTimeout(() => this.#giveUp(), OPENS_WITHIN);
    socket.addEventListener("open", () => {
      this.failed = "";
      clearTimeout(this.opening);
      this.silent = 0;
      socket.send(JSON.stringify({ ...this.joins(), type: "join", client: this.client }));
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      this.silent = 0;
      if (typeof event.data === "string") this.#receive(isolatedFrame(JSON.parse(event.data)));
      else this.onBinary(event.data);
    });
    socket.addEventListener("close", (event) => {
      if (socket !== this.socket) return;
      this.joined = false;
      if (FINAL[event.code]) this.#stop(event.code === 4029 && this.said ? this.said : FINAL[event.code]);
      else this.#retry();
    });
  }

  /** @param {any} frame */
  #receive(frame) {
    if (frame.type === "pong") { this.onLatency(Math.round(performance.now() - frame.at)); return; }
    if (frame.type === "joined") {
      this.joined = true;
      this.joinedAt = Date.now();
      this.#tell("open");
      for (const message of this.outbox.waiting) this.socket.send(JSON.stringify(message));
      this.#ping();
    }
    if (frame.type === "error") this.said = frame.text;
    // After the end nothing more comes: a line that breaks then stays broken, and the page keeps showing the end.
    if (frame.type === "end") this.ended = true;
    this.onFrame(frame, this.outbox.settle(frame));
  }

  #ping() { this.socket.send(JSON.stringify({ type: "ping", at: performance.now() })); }

  #beat() {
    if (!this.joined) return;
    // Counted in pings, not in time: a page that stood still itself has sent none.
    this.silent += 1;
    if (this.silent > SILENT_PINGS) this.#giveUp();
    else this.#ping();
  }

  /** The other end says nothing: try anew without waiting for the browser to find that out. */
  #giveUp() {
    const dead = this.socket;
    this.socket = null;
    this.joined = false;
    this.failed = this.url;
    dead.close();
    this.#retry();
  }

  #retry() {
    if (this.timer || this.over || this.ended) return;
    clearTimeout(this.opening);
    if (this.joinedAt && Date.now() - this.joinedAt > STEADY) this.attempt = 0;
    if (this.attempt === 0 || this.joinedAt) this.since = Date.now();
    this.joinedAt = null;
    const delay = delayOf(this.attempt);
    this.attempt += 1;
    this.retryAt = Date.now() + delay;
    this.timer = setTimeout(() => this.#open(), delay);
    this.#tell("lost");
  }

  #hurry() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.#open();
  }

  /** @param {string} text */
  #stop(text) {
    this.over = true;
    this.#tell("closed", text);
  }

  /** @param {Status["state"]} state @param {string} [text] */
  #tell(state, text) {
    this.onStatus({ state, since: this.since, attempt: this.attempt, retryAt: this.retryAt, text });
  }
}
