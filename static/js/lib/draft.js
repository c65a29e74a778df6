/** What was half typed is there again when the page is loaded anew, in this window. Not for: what was sent. */

/**
 * @param {HTMLInputElement|HTMLTextAreaElement|null} box @param {string} name of the words, one for each place where one types
 * @param {(text: string) => void} [restore]
 */
export function keepDraft(box, name, restore = (text) => { box.value = text; }) {
  if (!box) return;
  const key = `coplay-draft-${name}`;
  try {
    const kept = sessionStorage.getItem(key);
    if (kept && !box.value) restore(kept);
  } catch { return; /* a browser that keeps nothing */ }
  let sent = false; // with a form that leads to another page
  const keep = () => { if (box.value.trim() && !sent) sessionStorage.setItem(key, box.value); else sessionStorage.removeItem(key); };
  // On phones a page that is hidden may end without another word.
  for (const [target, event] of [[window, "pagehide"], [document, "visibilitychange"]]) target.addEventListener(event, keep);
  box.form?.addEventListener("submit", () => { sent = box.form.method === "post"; });
}
