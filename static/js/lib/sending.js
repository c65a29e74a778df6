/** A form that was sent isn't sent again while its answer is on the way: two presses of a button are one. */

const PATIENCE = 5000; // ms, after which somebody who stayed on the page may try again

/** @param {EventTarget} [world] where a form's "submit" arrives last */
export function sendOnce(world = window) {
  const sent = new WeakSet();
  world.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== "post" || form.target) return;
    if (sent.has(form)) event.preventDefault();
    sent.add(form);
    setTimeout(() => sent.delete(form), PATIENCE);
  });
}
