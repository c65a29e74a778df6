/** What was half typed is there again when the page is loaded anew, in this window. Not for: what was sent. */
import { inWindow } from "./kept.js";

/**
 * @param {HTMLInputElement|HTMLTextAreaElement|null} box
 * @param {string} name of the words, one for each place where one types
 * @param {(text: string) => void} [restore]
 */
export function keepDraft(box, name, restore) {
  if (!box) return;
  const key = `coplay-draft-${name}`;
  const kept = inWindow.getItem(key);
  if (kept && !box.value) { if (restore) restore(kept); else box.value = kept; }
  let sent = false; // with a form that leads to another page
  const keep = () => {
    if (box.value.trim() && !sent) inWindow.setItem(key, box.value); else inWindow.removeItem(key);
  };
  // On phones a page that is hidden may end without another word.
  window.addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", keep);
  box.form?.addEventListener("submit", () => { sent = box.form?.method === "post"; });
}
