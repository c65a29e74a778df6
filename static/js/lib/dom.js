/** Small helpers for building and finding elements. Not for: state, requests (see http.js), keys (keys.js). */

/**
 * First element that matches, or null. What kind it is, the page's template says: no type holds it to that.
 * @param {string} selector
 * @param {any} [root]
 * @returns {any}
 */
export const find = (selector, root = document) => root.querySelector(selector);

/**
 * All elements that match, as an array.
 * @param {string} selector
 * @param {any} [root]
 * @returns {any[]}
 */
export const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

/** The children that there are: null, undefined and false are none. @param {any[]} children */
export const shown = (children) =>
  children.flat().filter((child) => child !== null && child !== undefined && child !== false);

/**
 * Make an element.
 * @param {string} tag "div", or "div.panel.small" for classes
 * @param {Record<string, any>} [attributes] `on…` functions become listeners, `text` the text, booleans toggles
 * @param {...any} children nodes and strings, also in arrays; null, undefined and false are none
 * @returns {any} of the kind that the tag says
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

/**
 * The data of `{{ value|json_script:id }}`, or `fallback` when the page has none.
 * @param {string} id
 * @param {any} [fallback]
 * @returns {any}
 */
export function pageData(id, fallback = null) {
  const node = document.getElementById(id);
  return node ? JSON.parse(node.textContent) : fallback;
}

/** Whatever has the focus loses it. */
export const unfocus = () => /** @type {any} */ (document.activeElement)?.blur?.();

/**
 * The element that an event is about, or its nearest ancestor, that matches.
 * @param {Event} event
 * @param {string} selector
 * @returns {any}
 */
export const closest = (event, selector) => /** @type {any} */ (event.target).closest?.(selector);

/** @param {HTMLCanvasElement} canvas */
export const context2d = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/** Whether fingers are all there is: no key can be pressed, nothing pointed at. */
export const touchOnly = () => globalThis.matchMedia?.("(hover: none) and (pointer: coarse)").matches ?? false;

const NOT_TYPED_INTO = ["checkbox", "radio", "range", "button", "submit"];

/** True while the person is typing into a field. @param {any} target */
export const isTyping = (target) => Boolean(target?.isContentEditable)
  || (/^(INPUT|TEXTAREA|SELECT)$/.test(target?.tagName ?? "") && !NOT_TYPED_INTO.includes(target.type));
