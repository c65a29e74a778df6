/**
 * One keyboard for the whole site. A page registers named actions with default keys; a person's own bindings
 * (account page, `user.key_bindings`) override them by name; `?` shows what the page listens to. Off while typing.
 * A key that is held (a walk) hears of its release too, whatever happens: key up, another window, a hidden page, a
 * field that takes the focus.
 *
 * Key names: `KeyboardEvent.key` with modifiers in front, e.g. "ArrowLeft", "Shift+ArrowLeft", "Alt+ArrowRight",
 * "Space", "Backspace", "z", "Shift+z", "?".
 */
import { el, find, isTyping, pageData } from "./dom.js";

export { isTyping };

/**
 * @typedef {{name: string, keys: string[], label: string, run: (event: KeyboardEvent) => void, release?: () => void}} Action
 *   with `release` a key that is held runs once, and is released once
 */

/** @type {Map<string, Action>} */
const actions = new Map();
/** What is held down now: code of the key → its action. @type {Map<string, Action>} */
const held = new Map();
const own = () => pageData("key-bindings", {});

/** The name of the key of an event, as in the list above. */
export function keyName(event) {
  let key = event.key === " " ? "Space" : event.key;
  const letter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  if (letter) key = key.toLowerCase();
  const modifiers = [event.ctrlKey && "Ctrl", event.metaKey && "Meta", event.altKey && "Alt"];
  if (event.shiftKey && (letter || key.length > 1)) modifiers.push("Shift");
  return [...modifiers.filter(Boolean), key].join("+");
}

/** @param {Action[]} list */
export function registerKeys(list) {
  const bindings = own();
  for (const action of list) {
    const keys = bindings[action.name] ? [].concat(bindings[action.name]) : action.keys;
    actions.set(action.name, { ...action, keys });
  }
}

/** Which actions share a key: [[key, [names…]], …]. Pure; used by the account page to warn. */
export function conflicts(list) {
  const byKey = new Map();
  for (const { name, keys } of list) for (const key of keys) byKey.set(key, [...(byKey.get(key) || []), name]);
  return [...byKey].filter(([, names]) => names.length > 1);
}

/** Let go of every key that is held, as when it was released. */
export function releaseHeld() {
  const released = new Set(held.values());
  held.clear();
  for (const action of released) action.release();
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
        el("dt", {}, action.keys.flatMap((key, i) => [i ? " " : "", el("kbd", { text: shortName(key) })])),
        el("dd", { text: action.label }),
      ]))
      : el("p", { text: "This page has no keys of its own: Tab and Enter do." }),
    el("p.small.muted", {}, "Rebind keys on the ", el("a", { href: "/accounts/keys/" }, "keys page"), "."),
    el("form", { method: "dialog" }, el("button.button.primary", { autofocus: true }, "Close")));
  document.body.append(dialog);
  dialog.showModal();
}

const shortName = (key) => key.replace("ArrowLeft", "←").replace("ArrowRight", "→").replace("ArrowUp", "↑").replace("ArrowDown", "↓");

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || isTyping(event.target)) return;
  const name = keyName(event);
  if (name === "?") { event.preventDefault(); showHelp(); return; }
  if (find("dialog[open]")) return;
  // Space and Enter belong to the focused button or link.
  if ((name === "Space" || name === "Enter") && event.target instanceof HTMLElement && event.target.closest("button, a[href], summary")) return;
  for (const action of actions.values()) {
    if (!action.keys.includes(name)) continue;
    event.preventDefault();
    if (action.release && event.repeat) return;
    if (action.release) held.set(event.code, action);
    action.run(event);
    return;
  }
});

// By code: with Shift pressed in between, the same key has another name when it comes up.
document.addEventListener("keyup", (event) => {
  const action = held.get(event.code);
  held.delete(event.code);
  if (action && ![...held.values()].includes(action)) action.release();
});
window.addEventListener("blur", releaseHeld);
document.addEventListener("visibilitychange", () => { if (document.hidden) releaseHeld(); });
document.addEventListener("focusin", (event) => { if (isTyping(event.target)) releaseHeld(); });
