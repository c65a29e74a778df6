/** A short message at the top of the page, with at most one action (such as Undo). */
import { el, find } from "./dom.js";

/**
 * @param {string} text
 * @param {{bad?: boolean, action?: string, onAction?: () => void, milliseconds?: number}} [options]
 */
export function toast(text, { bad = false, action, onAction, milliseconds = 5000 } = {}) {
  const node = el("div", { class: bad ? "toast bad" : "toast" }, text);
  if (action) node.append(el("button", { type: "button", onClick: () => { node.remove(); onAction?.(); } }, action));
  find("#toasts").append(node);
  setTimeout(() => node.remove(), milliseconds);
  return node;
}
