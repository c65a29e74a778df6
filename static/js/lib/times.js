/** Times in the reader's own zone: the pages say them in universal time, which stays as their title. */
import { findAll } from "./dom.js";

/** @param {ParentNode} [root] */
export function localTimes(root = document) {
  for (const node of findAll("time[data-local]", root)) {
    if (node.title) continue;
    const at = new Date(node.dateTime);
    /** @type {Intl.DateTimeFormatOptions} */
    const day = /\d{4}/.test(node.textContent) ? { dateStyle: "medium" } : {};
    const timeStyle = /\d:\d\d:\d/.test(node.textContent) ? "medium" : "short"; // with seconds or without
    node.title = node.textContent;
    node.textContent = at.toLocaleString("en-GB", { ...day, timeStyle });
  }
}
