/**
 * Keyboard and mouse of a live Arena match, given to the netcode as the input of each tick. Not for: what an input is
 * (input.js), which keys there are (keys.js).
 *
 *     const controls = new ArenaControls({ element: stage, bindings: pageData("key-bindings", {}), settings:
 *     loadSettings(), onKey: (name, down) => …,   // "scoreboard" (down and up), "instruct", "sentences" (down and up),
 *     "map", "watch", // "copilot", "yes", "sound", "menu"
 *       onState: (state) => … });   // "locked", "paused" (a click goes on), "waiting", "unsupported", "keyboard",
 *       "touch", "menu" controls.setMenu(true);       // a menu or a box is open: nothing moves, the pointer is free;
 *       false: go on controls.setSettings(settings);
 *     controls.zoomed               // whether the view is along the sights
 *
 * `state` "locked", "keyboard" or "touch" means that what is pressed moves the player. The match goes on whatever the
 * state is.
 */
import { bindingsOf } from "./keys.js";
import { InputState } from "./input.js";
import { PointerLock } from "./lock.js";
import { codeOf } from "../../lib/codes.js";
import { isTyping } from "../../lib/dom.js";
import { repeats } from "../../lib/presses.js";

/** What isn't the player's body: told to the page. */
const PAGE_KEYS = ["scoreboard", "instruct", "sentences", "map", "watch", "copilot", "yes", "plan", "sound", "menu"];
/** Of them, those that tell when they come up, too. */
const HELD_PAGE_KEYS = ["scoreboard", "sentences"];
/** Pixels in one event that no hand makes: some browsers report such a leap when the held pointer is put back. */
const LEAP = 800;

export class ArenaControls {
  #menu = false;
  #touch = false;
  #down = new Map(); // key → action that it began
  #bindings;

  /**
   * @param {{element: HTMLElement, bindings?: Record<string, string[]>, settings: import("./settings.js").Settings,
   *   onKey?: (name: string, down: boolean, event: Event|null) => void, onState?: (state: string) => void, world?:
   *   object}} options
   *   `world`: document, window, now, wait; for tests
   */
  constructor({ element, bindings = {}, settings, onKey = () => {}, onState = () => {}, world = {} }) {
    const { document = globalThis.document, window = globalThis.window } = world;
    this.element = element;
    this.onKey = onKey;
    this.onState = onState;
    this.document = document;
    this.#bindings = bindingsOf(bindings);
    this.input = new InputState(settings);
    this.lock = new PointerLock(element, () => this.#changed(), world);
    this.state = this.#now();
    this.gone = new AbortController();
    const on = (target, name, run, options = {}) => target.addEventListener(name, run,
      { signal: this.gone.signal, ...options });
    on(document, "keydown", (event) => this.#keyDown(event), { capture: true });
    on(document, "keyup", (event) => this.#up(codeOf(event)), { capture: true });
    on(document, "mousedown", (event) => this.#mouseDown(event));
    on(document, "mouseup", (event) => this.#up(`Mouse${event.button}`));
    on(document, "mousemove", (event) => this.#mouseMove(event));
    on(element, "wheel", (event) => this.#wheel(event), { passive: false });
    on(element, "contextmenu", (event) => event.preventDefault());
    on(document, "focusin", (event) => { if (isTyping(event.target)) this.letGo(); });
    on(document, "visibilitychange", () => { if (document.hidden) this.letGo(); });
    on(window, "blur", () => this.letGo());
    // Ctrl, held to crouch, and W close a window in most browsers: ask first.
    on(window, "beforeunload", (event) => { if (this.active && this.#held("Control")) event.preventDefault(); });
  }

  /** Whether keys move the player now. */
  get active() { return ["locked", "keyboard", "touch"].includes(this.state); }
  get zoomed() { return this.input.zoomed; }
  get yaw() { return this.input.yaw; }
  get pitch() { return this.input.pitch; }
  get aiming() { return this.input.aiming; }

  take(context) { return this.input.take(context); }
  peek(context) { return this.input.peek(context); }
  look(yaw, pitch) { this.input.look(yaw, pitch); }
  advance(now, aim) { this.input.advance(now, aim); }

  /** Everything that is held comes up. */
  letGo() {
    for (const name of this.#down.values()) if (HELD_PAGE_KEYS.includes(name)) this.onKey(name, false, null);
    this.#down.clear();
    this.input.clear();
  }

  /** A menu or a box is open, or no longer. */
  setMenu(open) {
    if (open === this.#menu) return;
    this.#menu = open;
    if (open) this.lock.release();
    else if (!this.#touch && !this.input.settings.keyboardAim) this.lock.request();
    this.#changed();
  }

  /** Fingers play from now on (touch.js): nothing waits for a pointer. */
  setTouch() {
    this.#touch = true;
    this.#changed();
  }

  /** A button on the screen goes down or comes up: the same as a key of that action. */
  press(name, down) {
    if (!down) this.#up(`Touch ${name}`);
    else if (this.active || PAGE_KEYS.includes(name)) this.#press(`Touch ${name}`, name, null);
  }

  /** A finger turns the view by so many pixels. */
  turn(dx, dy) { if (this.active) this.input.turn(dx, dy); }

  /** @param {import("./settings.js").Settings} settings */
  setSettings(settings) {
    this.letGo();
    this.input.settings = settings;
    if (settings.keyboardAim) this.lock.release();
    this.#changed();
  }

  /** Listen to nothing any more. */
  stop() {
    this.letGo();
    this.lock.release();
    this.gone.abort();
  }

  #now() {
    if (this.#menu) return "menu";
    if (this.#touch) return "touch";
    return this.input?.settings.keyboardAim ? "keyboard" : this.lock.state;
  }

  #changed() {
    const state = this.#now();
    if (state === this.state) return;
    this.state = state;
    if (!this.active) this.letGo();
    this.onState(state);
  }

  #held(prefix) { return [...this.#down.keys()].some((key) => key.startsWith(prefix)); }

  #keyDown(event) {
    if (isTyping(event.target) || this.document.querySelector?.("dialog[open]")) return;
    const place = codeOf(event), name = this.#bindings.get(place);
    if (!name) return;
    const page = PAGE_KEYS.includes(name);
    // What moves the player counts, too, if it was held before keys did: a repeat is then the first that is heard.
    if (!page && !event.repeat) {
      repeats(event, (later) => {
        if (later.target !== event.target) later.preventDefault(); // a walk writes into no box
        this.#keyDown(later);
      });
    }
    // Keys of the browser and of focused buttons stay theirs while nobody plays.
    if (!this.active && (!page || event.ctrlKey || event.metaKey || event.altKey || this.#isButton(event))) return;
    event.preventDefault();
    if (page ? !event.repeat : !this.#down.has(place)) this.#press(place, name, event);
  }

  #isButton(event) {
    return ["Enter", "Space", "Tab"].includes(codeOf(event))
      && Boolean(event.target?.closest?.("button, a[href], summary"));
  }

  #mouseDown(event) {
    if (!this.element.contains(event.target)) return;
    if (!this.active && !this.#menu) { this.lock.request(); return; }
    if (this.state === "touch") return;
    const name = this.#bindings.get(`Mouse${event.button}`);
    if (!name || !this.active) return;
    event.preventDefault();
    this.#press(`Mouse${event.button}`, name, event);
  }

  #mouseMove({ movementX, movementY }) {
    if (this.state === "locked" && Math.max(Math.abs(movementX), Math.abs(movementY)) < LEAP)
      this.input.turn(movementX, movementY);
  }

  #wheel(event) {
    if (!this.active || !event.deltaY) return;
    event.preventDefault();
    const code = event.deltaY < 0 ? "WheelUp" : "WheelDown";
    const name = this.#bindings.get(code);
    if (!name) return;
    this.#press(code, name, event);
    this.#up(code);
  }

  #press(code, name, event) {
    this.#down.set(code, name);
    if (PAGE_KEYS.includes(name)) this.onKey(name, true, event);
    else this.input.press(name);
  }

  #up(code) {
    const name = this.#down.get(code);
    if (!name) return;
    this.#down.delete(code);
    // Another key of the same action may still be down.
    if ([...this.#down.values()].includes(name)) return;
    if (HELD_PAGE_KEYS.includes(name)) this.onKey(name, false, null);
    else if (!PAGE_KEYS.includes(name)) this.input.release(name);
  }
}
