/** Small helpers for building and finding elements. Not for: state, requests (see http.js), keys (keys.js). */

/** First element that matches, or null. */
export const find = (selector, root = document) => root.querySelector(selector);

/** All elements that match, as an array. */
export const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

/** The children that there are: null, undefined and false are none. */
export const shown = (children) =>
  children.flat().filter((child) => child !== null && child !== undefined && child !== false);

/**
 * Make an element.
 * @param {string} tag "div", or "div.panel.small" for classes
 * @param {Record<string, any>} [attributes] `on…` functions become listeners, `text` the text, booleans toggles
 * @param {...(Node|string|null|undefined|false)} children
 */
export function el(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") node.addEventListener(key.slice(2).toLowerCase(), value);
    else if (key === "text") node.textContent = value;
    else if (key === "class") node.className = [node.className, value].filter(Boolean).join(" ");
    else if (key === "dataset") Object.assign(node.dataset, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...shown(children));
  return node;
}

/** The data of `{{ value|json_script:id }}`, or `fallback` when the page has none. */
export function pageData(id, fallback = null) {
  const node = document.getElementById(id);
  return node ? JSON.parse(node.textContent) : fallback;
}

/** Whether fingers are all there is: no key can be pressed, nothing pointed at. */
export const touchOnly = () => globalThis.matchMedia?.("(hover: none) and (pointer: coarse)").matches ?? false;

const NOT_TYPED_INTO = ["checkbox", "radio", "range", "button", "submit"];

/** True while the person is typing into a field. */
export const isTyping = (target) => Boolean(target?.isContentEditable)
  || (/^(INPUT|TEXTAREA|SELECT)$/.test(target?.tagName ?? "") && !NOT_TYPED_INTO.includes(target.type));
