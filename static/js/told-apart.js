/** One deal, three instructions: each box shows its reading while one types; ready words fill the first empty box. */
import { el, find, findAll, pageData } from "./lib/dom.js";
import { ReadingBox } from "./reading-box.js";

const form = find("#apart-form");

function begin() {
  const boxes = findAll("[data-box]", form).map((field) => {
    const box = find("[data-instruction]", field), choice = find('[name="choice"]', field);
    const before = choice.value;
    // The games are played by Coplay's own reading, without the site's language model.
    const reading = new ReadingBox({
      box, panel: find("[data-reading]", field), url: box.dataset.read, askUrl: "", game: form.dataset.game,
      refusedNote: "No game can be played with it.",
      onInput: () => { choice.value = reading.choice ?? ""; },
    });
    if (box.value.trim()) reading.read().then(() => {
      const index = reading.result?.readings.findIndex((/** @type {any} */ one) => String(one.choice) === before) ?? -1;
      if (index >= 0) reading.choose(index);
    });
    return reading;
  });
  const put = (/** @type {string} */ text) =>
    (boxes.find(({ box }) => !box.value.trim()) ?? boxes[boxes.length - 1]).set(text);
  find("[data-offers]", form).replaceChildren(...pageData("ready", []).map((/** @type {string} */ text) =>
    el("button.button.small", { type: "button", onClick: () => put(text) }, text)));
}

if (form) begin();
