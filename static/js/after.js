/** After a game: ratings by click or by the keys 1 to 7, saved at once; then on to how it went (ending.js). */
import { find, findAll, pageData, unfocus } from "./lib/dom.js";
import { postJSON } from "./lib/http.js";
import { registerKeys } from "./lib/keys.js";

const page = pageData("page");
const questions = findAll("[data-question]");
const saved = find("[data-saved]");
const leaving = find("[data-leave]");
const pending = new Set();
let current = questions.find((question) => !find("input:checked", question)) || questions[0];

/** @param {HTMLElement} question */
function frame(question) {
  current = question;
  for (const one of questions) one.classList.toggle("framed", one === question);
}

/** @param {HTMLElement} partner @param {string} question @param {number|string} value */
async function save(partner, question, value) {
  saved.textContent = "Saving …";
  const sent = postJSON(page.rate, { seat: Number(partner.dataset.partner), question, value });
  pending.add(sent);
  try {
    await sent;
    saved.textContent = "Saved. Thank you.";
  } catch (error) {
    saved.textContent = `Not saved: ${error.message} Answer again in a moment.`;
  } finally {
    pending.delete(sent);
  }
}

// What was answered has to arrive before the answers are closed; a comment that is being typed counts, too.
leaving.addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  unfocus();
  const all = await Promise.allSettled([...pending]);
  if (all.every((one) => one.status === "fulfilled")) leaving.submit();
});

for (const question of questions) {
  question.addEventListener("change", (/** @type {any} */ event) => {
    save(question.closest("[data-partner]"), question.dataset.question, Number(event.target.value));
    frame(questions.find((question) => !find("input:checked", question)) || question);
  });
  question.addEventListener("pointerdown", () => frame(question));
  question.addEventListener("focusin", () => frame(question));
}
for (const box of findAll("[data-comment]")) {
  box.addEventListener("change", () => save(box.closest("[data-partner]"), "comment", box.value));
}

// Who answers while this script is on its way would be thanked for nothing: what differs from the page is saved now.
for (const input of findAll("[data-question] input:checked")) {
  if (!input.defaultChecked) input.dispatchEvent(new Event("change", { bubbles: true }));
}
for (const box of findAll("[data-comment]")) {
  if (box.value !== box.defaultValue && box !== document.activeElement) box.dispatchEvent(new Event("change"));
}

/** @param {number} value */
function answer(value) {
  if (!current) return;
  const input = find(`input[value="${value}"]`, current);
  input.checked = true;
  input.dispatchEvent(new Event("change", { bubbles: true }));
}

if (current) frame(current);
registerKeys([
  ...[1, 2, 3, 4, 5, 6, 7].map((value) => ({ name: `rate-${value}`, keys: [String(value)],
    label: `Answer ${value} of 7`, run: () => answer(value) })),
  { name: "rate-next", keys: ["ArrowDown"], label: "Next question",
    run: () => frame(questions[Math.min(questions.length - 1, questions.indexOf(current) + 1)]) },
  { name: "rate-previous", keys: ["ArrowUp"], label: "Question before",
    run: () => frame(questions[Math.max(0, questions.indexOf(current) - 1)]) },
  { name: "after-again", keys: ["Enter"], label: "See how it went", run: () => find("[data-reveal]").click() },
]);
