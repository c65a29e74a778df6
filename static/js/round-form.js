/**
 * New round: a game offers its own agents and sizes; the size buttons fill in lengths. The live count is htmx's (see
 * the template).
 */
import { find, findAll, pageData } from "./lib/dom.js";
import { basesOf, stillChosen, valuesOf } from "./round-choices.js";

const presets = pageData("presets", {});
const variants = pageData("variants", {});
const form = find("#round-form");
const game = form.elements.namedItem("variant");
const base = form.elements.namedItem("base");
let size = "usual";

function fill() {
  for (const [name, value] of Object.entries(valuesOf(presets[size], game.value))) {
    const input = document.getElementsByName(name)[0];
    if (!input) continue;
    if (input.type === "checkbox") input.checked = Boolean(value);
    else input.value = String(value);
  }
}

function offer() {
  const refs = basesOf(variants, game.value);
  for (const option of base.options) option.hidden = option.disabled = option.value !== "" && !refs.includes(option.value);
  base.value = stillChosen(refs, base.value);
}

for (const button of findAll("[data-preset]")) {
  button.addEventListener("click", () => {
    size = button.dataset.preset;
    fill();
    for (const other of findAll("[data-preset]")) other.setAttribute("aria-pressed", String(other === button));
    find("#preset-help").textContent = presets[size].help;
    form.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

let before = game.value.split("/")[0];
game.addEventListener("change", () => {
  offer();
  const now = game.value.split("/")[0];
  if (now !== before) fill();
  before = now;
});
offer();
