/**
 * What this browser keeps: choices on this device, half-typed text in this window. Where it is denied or full, things
 * hold as long as the page does, and one sentence says so. Not for: marks (outbox.js).
 */
import { toast } from "./toast.js";

const SENTENCE =
  "This browser keeps nothing for this site: what you choose here and half type is lost when the page closes.";

export class Kept {
  /** What holds for this page alone. @type {Map<string, string>} */
  #here = new Map();
  #told = false;

  /** @param {"localStorage"|"sessionStorage"} area @param {(sentence: string) => void} [tell] */
  constructor(area, tell = (sentence) => toast(sentence, { bad: true })) {
    this.area = area;
    this.tell = tell;
  }

  /** @template T @param {(storage: Storage) => T} run @returns {T|undefined} undefined where it is denied */
  #attempt(run) { try { return run(globalThis[this.area]); } catch { return undefined; } }

  /** @param {string} name @returns {string|null} */
  getItem(name) { return this.#here.get(name) ?? this.#attempt((storage) => storage.getItem(name)) ?? null; }

  /** @param {string} name @param {any} text */
  setItem(name, text) {
    const denied = this.#attempt((storage) => { storage.setItem(name, text); return true; }) !== true;
    if (denied) this.#here.set(name, String(text));
    else this.#here.delete(name);
    if (denied && !this.#told) this.tell(SENTENCE);
    this.#told ||= denied;
  }

  /** @param {string} name */
  removeItem(name) {
    this.#here.delete(name);
    this.#attempt((storage) => storage.removeItem(name));
  }

  keys() { return [...new Set([...this.#here.keys(), ...(this.#attempt((storage) => Object.keys(storage)) ?? [])])]; }
}

export const onDevice = new Kept("localStorage");
export const inWindow = new Kept("sessionStorage");
