/**
 * The page after a guided first game: the player marks the move with which the agent did as it was told, and sees that
 * the mark is saved. Not for: the marks themselves (ending-marks.js).
 */
import { EndingMarks } from "./ending-marks.js";
import { find, findAll, pageData } from "./lib/dom.js";
import { registerKeys } from "./lib/keys.js";

const page = pageData("page");
const moment = { seat: page.seat, tick: page.tick };
/** @type {any} */
let marks = null;
marks = new EndingMarks(page, show);

function show() {
  if (!marks) return; // it tells of itself while it is made
  const sign = marks.signOf(moment), { state } = marks;
  for (const button of findAll("button[data-sign]")) button.setAttribute("aria-pressed",
    String(Number(button.dataset.sign) === sign));
  const saved = sign !== 0 && !marks.outbox?.pending && !marks.outbox?.refused.length;
  find("[data-marks-state]").textContent = saved ? "Saved ✓" : sign || state.startsWith("Not saved") ? state : "";
  find("[data-marked]").hidden = !saved;
}

/** @param {number} sign @param {string} input */
const mark = (sign, input) => marks.toggle(moment, sign, input);
for (const button of findAll("button[data-sign]")) button.addEventListener("click",
  () => mark(Number(button.dataset.sign), "mouse"));
registerKeys([
  { name: "ending-progress", keys: ["+"], label: "Mark progress at this moment (again: remove)",
    run: () => mark(1, "key") },
  { name: "ending-regression", keys: ["-"], label: "Mark regression at this moment", run: () => mark(-1, "key") },
  { name: "ending-undo", keys: ["z"], label: "Undo the last mark", run: () => marks.undo() },
]);
document.body.dataset.ready = "true";
