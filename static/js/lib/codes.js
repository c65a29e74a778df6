/** What people call a key that is named by where it lies (`KeyboardEvent.code`), or a button of the mouse. Pure. */

const NAMES = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Space: "Space", Escape: "Esc", Backquote: "`", Minus: "-", Equal: "=",
  BracketLeft: "[", BracketRight: "]", Semicolon: ";", Quote: "'", Comma: ",", Period: ".", Slash: "/", Backslash: "\\",
  Mouse0: "Left button", Mouse1: "Middle button", Mouse2: "Right button", Mouse3: "Side button", Mouse4: "Other side button",
  WheelUp: "Wheel up", WheelDown: "Wheel down",
};
const SIDES = { Control: "Ctrl", Shift: "Shift", Alt: "Alt", Meta: "Meta" };

/** What people call a key. @param {string} code "KeyW", "ShiftLeft", "Mouse0", … */
export function codeName(code) {
  if (NAMES[code]) return NAMES[code];
  const side = code.match(/^(Control|Shift|Alt|Meta)(Left|Right)$/);
  if (side) return `${side[2]} ${SIDES[side[1]]}`;
  return code.replace(/^Key(?=[A-Z]$)/, "").replace(/^Digit(?=\d$)/, "").replace(/^Numpad/, "Keypad ");
}
