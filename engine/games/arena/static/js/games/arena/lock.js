/**
 * The mouse pointer, held by the page so that it can turn without end. Browsers let go of it at Esc, at a change of
 * window and whenever they like, and refuse to take it again for a moment: the page must say what is to be done. Not
 * for: what the mouse's movement means (input.js).
 */

/** Milliseconds for which browsers refuse the pointer after Esc. */
const REFUSED_FOR = 1400;

/** @typedef {"locked"|"paused"|"waiting"|"unsupported"} LockState
 *   paused: a click goes on; waiting: it will be tried again in a moment; unsupported: play by keyboard */

export class PointerLock {
  #lostAt = -Infinity;
  /** @type {any} */
  #timer = null;
  /** Whether the page wants it: browsers answer later, when a menu may be open again. */
  #wanted = false;
  #letting = false; // the page let go of it, and the browser hasn't yet
  #asking = false; // it was asked for, and the browser hasn't answered
  /** @type {LockState} */
  state = "paused";

  /**
   * @param {HTMLElement} element @param {(state: LockState) => void} onState
   * @param {{document?: Document, now?: () => number, wait?: (run: () => void, ms: number) => any}} [world] for tests
   */
  constructor(element, onState, { document = globalThis.document, now = () => performance.now(),
    wait = (run, ms) => setTimeout(run, ms) } = {}) {
    this.element = element;
    this.onState = onState;
    this.document = document;
    this.now = now;
    this.wait = wait;
    document.addEventListener("pointerlockchange", () => this.#changed());
    document.addEventListener("pointerlockerror", () => this.#refused());
    if (!element.requestPointerLock) this.state = "unsupported";
  }

  get locked() { return this.document.pointerLockElement === this.element; }

  /** Ask for the pointer; call it from a click or a key. */
  async request() {
    this.#wanted = true;
    if (this.locked || this.state === "unsupported" || this.#asking || this.#timer !== null) return;
    await this.#ask();
  }

  /** Let go of it, and of any attempt to get it. */
  release() {
    this.#timer = null;
    this.#wanted = false;
    if (this.locked) this.#letGo();
    else if (this.state === "waiting") this.#tell("paused");
  }

  async #ask() {
    this.#asking = true;
    try {
      // Without the system's acceleration, where that can be had; older browsers return no promise.
      await this.element.requestPointerLock({ unadjustedMovement: true });
    } catch (error) {
      if (error?.name !== "NotSupportedError" || !this.#wanted) { this.#refused(); return; }
      try { await this.element.requestPointerLock(); } catch { this.#refused(); }
    } finally {
      this.#asking = false;
    }
  }

  #changed() {
    const had = this.state === "locked", letting = this.#letting;
    this.#letting = false;
    if (this.locked && !this.#wanted) { this.#letGo(); return; }
    if (this.locked) { this.#timer = null; this.#tell("locked"); return; }
    // Asked for again before the browser had let go of it.
    if (letting && this.#wanted) { this.#tell("paused"); this.request(); return; }
    if (had) { this.#lostAt = this.now(); this.#tell("paused"); }
  }

  #letGo() {
    this.#letting = true;
    this.document.exitPointerLock();
  }

  #refused() {
    if (this.locked) return;
    const left = this.#lostAt + REFUSED_FOR - this.now();
    if (left <= 0 || this.#timer !== null || !this.#wanted) { this.#timer = null; this.#tell("paused"); return; }
    this.#tell("waiting");
    const timer = {};
    this.#timer = timer;
    this.wait(() => {
      if (this.#timer !== timer) return;
      this.#ask().finally(() => { if (this.#timer === timer) this.#timer = null; });
    }, left);
  }

  #tell(state) {
    if (this.state === state) return;
    this.state = state;
    this.onState(state);
  }
}
