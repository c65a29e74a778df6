/** A form that was sent isn't sent again while its answer is on the way: two presses of a button are one. */

const PATIENCE = 5000; // ms, after which somebody who stayed on the page may try again

/** @param {EventTarget} [world] where a form's "submit" arrives last */
export function sendOnce(world = window) {
  let sent = new WeakSet();
  // A page that comes back by the back button has all its variables still; whatever it sent is answered.
  world.addEventListener("pageshow", (/** @type {any} */ event) => { if (event.persisted) sent = new WeakSet(); });
  world.addEventListener("submit", (/** @type {any} */ event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.target) return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
    setTimeout((/** @type {WeakSet<object>} */ those) => those.delete(form), PATIENCE, sent);
  });
}
