/**
 * One keyboard for the whole site: every key of every page comes through here. A press acts once, however long it is
 * held (presses.js), before any listener of a page hears of it. A page registers named actions with default keys; a
 * person's own bindings (account page, `user.key_bindings`) override them by name; `?` shows what the page listens to.
 * Off while typing.
 * A key that is held (a walk) hears of its release too, whatever happens: key up, another window, a hidden page, a
 * field that takes the focus.
 *
 * Key names: `KeyboardEvent.key` with modifiers in front, e.g. "ArrowLeft", "Shift+ArrowLeft", "Alt+ArrowRight",
 * "Space", "Backspace", "z", "Shift+z", "?"; of actions with `places`, where the key lies: "KeyW".
 */
import { codeName, codeOf, writtenAt } from "./codes.js";
import { el, find, isTyping, pageData } from "./dom.js";
import { Presses, repeats } from "./presses.js";

export { isTyping };

/**
 * @typedef {{name: string, keys: string[], label: string, run: (event: KeyboardEvent) => void, release?: () => void,
 *   repeats?: boolean, places?: boolean}} Action with `release` it is told when the key comes up, with `repeats` it
 *   runs again and again while the key is held
 */

/** @type {Map<string, Action>} */
const actions = new Map();
/** What is held down now: place of the key → its action. @type {Map<string, Action>} */
const held = new Map();
const own = () => pageData("key-bindings", {});

/** @param {KeyboardEvent} event @param {string} key */
function named(event, key) {
  const letter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  if (letter) key = key.toLowerCase();
  const modifiers = [event.ctrlKey && "Ctrl", event.metaKey && "Meta", event.altKey && "Alt"];
  if (event.shiftKey && (letter || key.length > 1)) modifiers.push("Shift");
  return [...modifiers.filter(Boolean), key].join("+");
}

/** The name of the key of an event, as in the list above. @param {KeyboardEvent} event */
export const keyName = (event) => named(event, event.key === " " ? "Space" : event.key);

/**
 * What the key would write on a Latin keyboard, where it writes a letter of another script, or none on a row of digits;
 * else null.
 * @param {KeyboardEvent} event
 */
function latinName(event) {
  const foreign = event.key.length === 1 && event.key.charCodeAt(0) > 0x7f,
    sign = /^Digit/.test(event.code ?? "") && /^\D$/.test(event.key);
  return foreign || (sign && !event.shiftKey) ? named(event, writtenAt(codeOf(event))) : null;
}

/**
 * The action of a key: where it lies before what it writes.
 * @param {KeyboardEvent} event
 * @param {Iterable<Action>} list
 */
export function actionOf(event, list) {
  const all = [...list], plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  /** @param {boolean} places @param {string|null} key */
  const by = (places, key) =>
    key !== null && all.find((action) => Boolean(action.places) === places && action.keys.includes(key));
  return (plain && by(true, codeOf(event))) || by(false, keyName(event)) || by(false, latinName(event)) || null;
}

/** @param {Action[]} list */
export function registerKeys(list) {
  const bindings = own();
  for (const action of list) {
    const keys = bindings[action.name] ? [].concat(bindings[action.name]) : action.keys;
    actions.set(action.name, { ...action, keys });
  }
}

const LONE = ["Shift", "Control", "Alt", "AltGraph", "Meta"];

/**
 * The key to which an event binds an action, null where it can't: a key that goes down; where the action has `mouse`,
 * also a button of the mouse, its wheel, and Shift or Ctrl alone.
 * @param {any} event
 * @param {{places?: boolean, mouse?: boolean}} action
 */
export function keyToBind(event, { places, mouse }) {
  if (event.type === "mousedown") return mouse ? `Mouse${event.button}` : null;
  if (event.type === "wheel") return mouse ? (event.deltaY < 0 ? "WheelUp" : "WheelDown") : null;
  if (LONE.includes(event.key) && !mouse) return null;
  return places ? codeOf(event) : keyName(event);
}

/**
 * Which actions share a key: [[key, [names…]], …]. Pure; used by the account page to warn.
 * @param {{name: string, keys: string[]}[]} list
 * @returns {[string, string[]][]}
 */
export function conflicts(list) {
  const byKey = new Map();
  for (const { name, keys } of list) for (const key of keys) byKey.set(key, [...(byKey.get(key) || []), name]);
  return [...byKey].filter(([, names]) => names.length > 1);
}

/** Let go of every key that is held, as when it was released. */
export function releaseHeld() {
  const released = new Set(held.values());
  held.clear();
  for (const action of released) action.release?.();
}

export function showHelp() {
  releaseHeld();
  const existing = find("#keys-dialog");
  if (existing) { existing.close(); return; }
  const shown = [...actions.values()];
  const dialog = el("dialog", { id: "keys-dialog", "aria-labelledby": "keys-title", onClose: () => dialog.remove() },
    el("h2", { id: "keys-title", text: "Keys on this page" }),
    shown.length
      ? el("dl.keys-help", {}, shown.flatMap((action) => [
        el("dt", {},
          action.keys.flatMap(
            (key, i) => [i ? " " : "", el("kbd", { text: action.places ? codeName(key) : shortName(key) })])),
        el("dd", { text: action.label }),
      ]))
      : el("p", { text: "This page has no keys of its own: Tab and Enter do." }),
    el("p.small.muted", {}, "Rebind keys on the ", el("a", { href: "/accounts/keys/" }, "keys page"), "."),
    el("form", { method: "dialog" }, el("button.button.primary", { autofocus: true }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} key */
const shortName = (key) => key.replace("ArrowLeft", "←").replace("ArrowRight", "→").replace("ArrowUp", "↑")
  .replace("ArrowDown", "↓");

const presses = new Presses();
let pressedAt = -Infinity; // ms, when a key or a pointer last went down
window.addEventListener("pointerdown", () => { pressedAt = performance.now(); }, { capture: true });

// Before any listener of a page: what is no press is heard by nobody.
window.addEventListener("keydown", (event) => {
  if (!event.repeat) pressedAt = performance.now();
  const fate = presses.down(event);
  if (fate === "press") return;
  event.stopImmediatePropagation();
  if (fate === "nothing") event.preventDefault();
  if (typeof fate === "function") fate(event);
}, { capture: true });
for (const kind of ["keypress", "keyup"]) {
  window.addEventListener(kind, (event) => {
    const key = /** @type {KeyboardEvent} */ (event);
    if (!presses.stays(key)) key.preventDefault();
    if (kind === "keyup") presses.up(key);
  }, { capture: true });
}

/**
 * Whether this key is the page's: not a field's, a dialog's, or that of the button or link in focus.
 * @param {KeyboardEvent} event
 */
function isOurs(event) {
  if (isTyping(event.target) || find("dialog[open]")) return false;
  return !["Space", "Enter"].includes(keyName(event))
    || !(event.target instanceof HTMLElement && event.target.closest("button, a[href], summary"));
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || isTyping(event.target)) return;
  if (keyName(event) === "?") { event.preventDefault(); showHelp(); return; }
  const action = isOurs(event) && actionOf(event, actions.values());
  if (!action) return;
  event.preventDefault();
  if (action.release) held.set(codeOf(event), action);
  if (action.repeats) {
    repeats(event, (later) => {
      later.preventDefault();
      if (isOurs(later)) action.run(later);
    });
  }
  action.run(event);
});

// By place: with Shift pressed in between, the same key has another name when it comes up.
document.addEventListener("keyup", (event) => {
  const action = held.get(codeOf(event));
  held.delete(codeOf(event));
  if (action && ![...held.values()].includes(action)) action.release?.();
});
window.addEventListener("blur", () => { presses.clear(); releaseHeld(); });
document.addEventListener("visibilitychange", () => { if (document.hidden) releaseHeld(); });
document.addEventListener("focusin", (event) => { if (isTyping(event.target)) releaseHeld(); });

// --- What was meant for something that is over ---

const MEANT = 1000; // ms without a press, after which keys are no longer meant for what was there before

/**
 * A game is over, and this link leads on. What is pressed in the next moment was meant for the game: the link gets the
 * focus once nobody has pressed anything for a moment, unless somebody types. @param {HTMLElement} link
 */
export function leadOn(link) {
  const began = performance.now();
  const look = () => {
    const quiet = performance.now() - Math.max(began, pressedAt);
    if (quiet < MEANT) { setTimeout(look, MEANT - quiet); return; }
    link.dataset.leads = "";
    if (!isTyping(document.activeElement)) link.focus({ preventScroll: true });
  };
  look();
}

/** Follow the link that leads on, where there is one by now. */
export const goOn = () => find("[data-leads]")?.click();
