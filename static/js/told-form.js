/**
 * Train to an instruction: the reading of what one types, as in the lobby; another agent or algorithm brings its own
 * settings (asked for by htmx, see the template). Not for: what a reading is (reading-box.js).
 */
import { el, find, findAll, pageData } from "./lib/dom.js";
import { ReadingBox } from "./reading-box.js";

const form = find("#told-form");
const games = pageData("games", {});
const ready = pageData("ready", {});

function begin() {
  const box = find("[data-instruction]", form), panel = find("[data-reading]", form),
    note = find("[data-told-note]", form);
  const { base, confirmed, choice } = form.elements;
  let restored = !box.value.trim(); // what came back with a form that was refused
  const game = () => games[base.value] ?? "";

  /** To choose a reading is to confirm it; to change the text is neither. */
  function noteChoice() {
    choice.value = reading.choice ?? "";
    confirmed.value = reading.choice === null ? "" : "yes";
    note.textContent = "";
    settle();
  }

  /** What was wrong with other words, or before these were confirmed, is over. */
  function settle() {
    if (!restored) return;
    const field = box.closest(".field");
    field.classList.remove("invalid");
    for (const old of findAll(".errorlist", field)) old.remove();
  }

  // A training reads the words by itself, without the site's language model, so that isn't asked here.
  const reading = new ReadingBox({
    box, panel, url: box.dataset.read, askUrl: "", refusedNote: "Nothing can be trained to it.", game: game(),
    listens: () => game() !== "", onInput: noteChoice,
    answers: ({ refused }) =>
      [!refused && el("div.row", {}, el("button.button.small", { type: "button", onClick: confirm }, "Right"),
      el("button.button.small", { type: "button", onClick: rephrase }, "Not quite"))],
  });

  function confirm() {
    reading.accept();
    if (reading.accepted) { confirmed.value = "yes"; settle(); }
    note.textContent = "";
  }

  function rephrase() {
    confirmed.value = "";
    note.textContent = reading.result.readings.length > 1
      ? "Choose another reading, or say it in other words."
      : "Say it in other words.";
    box.focus();
    box.select();
  }

  function offer() {
    const texts = ready[game()] ?? [];
    const button = (/** @type {string} */ text) => el("button.button.small",
      { type: "button", onClick: () => { reading.set(text); box.focus(); } }, text);
    find("[data-offers]", form).replaceChildren(...texts.map(button));
  }

  base.addEventListener("change", () => {
    reading.game = game();
    reading.set(box.value);
    offer();
  });
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    if (confirmed.value === "yes" || !box.value.trim()) return;
    event.preventDefault();
    note.textContent = reading.result?.readings.length
      ? "Say first whether the reading is right."
      : "Nothing is trained to words that aren't read.";
    (panel.querySelector("button") ?? box).focus();
  });
  offer();
  // What came back with a form that was refused was confirmed before, or not.
  const before = { confirmed: confirmed.value === "yes", choice: choice.value };
  if (!restored) reading.read().then(() => restore(before)).finally(() => { restored = true; });

  /** @param {{confirmed: boolean, choice: string}} before */
  function restore({ confirmed: yes, choice: number }) {
    const index = reading.result?.readings.findIndex((/** @type {any} */ one) => String(one.choice) === number) ?? -1;
    if (yes && index >= 0) reading.choose(index);
    else if (yes) confirm();
  }
}

if (form) begin();
