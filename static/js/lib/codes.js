/**
 * Keys by where they lie (`KeyboardEvent.code`), and buttons of the mouse: where an event's key lies, what people call
 * it, what stands there on a Latin keyboard. Pure.
 */

/** @type {Record<string, string>} */
const WRITTEN = {
  Backquote: "`", Minus: "-", Equal: "=", BracketLeft: "[", BracketRight: "]", Semicolon: ";", Quote: "'", Comma: ",",
  Period: ".", Slash: "/", Backslash: "\\",
};
/** @type {Record<string, string>} */
const NAMES = {
  ...WRITTEN,
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Space: "Space", Escape: "Esc",
  Mouse0: "Left button", Mouse1: "Middle button", Mouse2: "Right button", Mouse3: "Side button",
  Mouse4: "Other side button",
  WheelUp: "Wheel up", WheelDown: "Wheel down",
};
/** @type {Record<string, string>} */
const SIDES = { Control: "Ctrl", Shift: "Shift", Alt: "Alt", Meta: "Meta" };
/** @type {Record<string, string>} */
const PLACES = { " ": "Space", Shift: "ShiftLeft", Control: "ControlLeft", Alt: "AltLeft", Meta: "MetaLeft",
  ...Object.fromEntries(Object.entries(WRITTEN).map(([code, sign]) => [sign, code])) };

/** What people call a key. @param {string} code "KeyW", "ShiftLeft", "Mouse0", … */
export function codeName(code) {
  if (NAMES[code]) return NAMES[code];
  const side = code.match(/^(Control|Shift|Alt|Meta)(Left|Right)$/);
  if (side) return `${side[2]} ${SIDES[side[1]]}`;
  return writtenAt(code).replace(/^[a-z]$/, (letter) => letter.toUpperCase()).replace(/^Numpad/, "Keypad ");
}

/** Where a key lies that writes this on a Latin keyboard: "w" → "KeyW". @param {string} key */
export function codeOfKey(key) {
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  return /^\d$/.test(key) ? `Digit${key}` : PLACES[key] ?? key;
}

/**
 * Where the key of an event lies; by what it writes where the browser doesn't say (remote desktops, keyboards on
 * screens).
 * @param {{code?: string, key?: string}} event
 */
export const codeOf = ({ code, key = "" }) => (code && code !== "Unidentified" ? code : codeOfKey(key));

/**
 * What the key at a place writes on a Latin keyboard: "KeyW" → "w"; the place itself where that is nothing.
 * @param {string} code
 */
export const writtenAt = (code) =>
  WRITTEN[code] ?? code.replace(/^Key([A-Z])$/, (_, letter) => letter.toLowerCase()).replace(/^Digit(?=\d$)/, "");
