/**
 * Half-typed text that survives a refresh of the page, in this tab alone. Not for: what was sent or saved (outbox.js).
 */
import { findAll } from "./dom.js";

const STORE = "coplay-draft ";
/** Without a store, as in some private windows, nothing is kept. */
const attempt = (run) => { try { return run(); } catch { return null; } };

/** The drafts whose names begin with `prefix`. @param {string} prefix @param {Storage} [storage] */
export function draftsOf(prefix, storage = attempt(() => globalThis.sessionStorage)) {
  const start = STORE + prefix;
  return {
    /** @param {string} name @param {string} text empty text is no draft */
    keep: (name, text) => attempt(() => (text ? storage.setItem(start + name, text) : storage.removeItem(start + name))),
    drop: (name) => attempt(() => storage.removeItem(start + name)),
    /** @returns {[string, string][]} name and text of each */
    all: () => attempt(() => Object.keys(storage).filter((key) => key.startsWith(start)).map((key) => [key.slice(start.length), storage.getItem(key)])) ?? [],
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
