/** What every page does: keyboard help, menus that close, copy buttons. */
import { closest, find } from "./dom.js";
import { showHelp } from "./keys.js";
import { openMenus } from "./menus.js";
import { sendOnce } from "./sending.js";
import { localTimes } from "./times.js";
import { toast } from "./toast.js";

find("[data-show-keys]")?.addEventListener("click", showHelp);

document.addEventListener("click", (event) => {
  for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
  const copy = closest(event, "[data-copy]");
  if (copy) navigator.clipboard.writeText(copy.dataset.copy).then(() => toast("Copied."),
    () => toast("The browser refused to copy.", { bad: true }));
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") for (const menu of openMenus()) menu.open = false;
});

sendOnce();
localTimes();
document.addEventListener("htmx:load", (/** @type {any} */ event) => localTimes(event.detail.elt));
document.addEventListener("htmx:responseError", (/** @type {any} */ event) => {
  const { xhr } = event.detail; // one too many comes with a sentence, everything else with a page
  toast(xhr.status === 429 ? xhr.responseText : "The server refused that. Nothing was changed.", { bad: true });
});
document.addEventListener("htmx:sendError", () => toast("The server can't be reached just now.", { bad: true }));
