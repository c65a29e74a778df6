/**
 * Half-typed text that survives a refresh of the page, in this tab alone. Not for: what was sent or saved (outbox.js).
 */
import { findAll } from "./dom.js";
import { inWindow } from "./kept.js";

const STORE = "coplay-draft ";

/** The drafts whose names begin with `prefix`. @param {string} prefix */
export function draftsOf(prefix, storage = inWindow) {
  const start = STORE + prefix;
  return {
    /** @param {string} name @param {string} text empty text is no draft */
    keep: (name, text) => (text ? storage.setItem(start + name, text) : storage.removeItem(start + name)),
    /** @param {string} name */
    drop: (name) => storage.removeItem(start + name),
    /** @returns {[string, string][]} name and text of each */
    all: () => storage.keys().filter((key) => key.startsWith(start))
      .map((key) => [key.slice(start.length), storage.getItem(key) ?? ""]),
  };
}

/** Keep what is typed into the fields that are marked with `data-draft`, by page and id, until their form is sent. */
export function keepDrafts(page = location.pathname) {
  const drafts = draftsOf(`${page} `), kept = new Map(drafts.all());
  for (const field of findAll("[data-draft]")) {
    if (kept.has(field.id)) field.value = kept.get(field.id);
    field.addEventListener("input", () => drafts.keep(field.id, field.value));
    field.form.addEventListener("submit", () => drafts.drop(field.id));
  }
}
