/**
 * New round: a game offers its own agents, a part the settings of its algorithm (asked for by htmx, see the template);
 * the size buttons fill in lengths. The live count is htmx's, too.
 */
import { find, findAll, pageData } from "./lib/dom.js";
import { basesOf, isOther, stillChosen } from "./round-choices.js";

const variants = pageData("variants", {});
const form = find("#round-form");
const game = form.elements.namedItem("variant");
const base = form.elements.namedItem("base");
let size = "usual";

/** The values that the size sets; they come with the settings of the chosen algorithms. */
function fill() {
  const preset = pageData("presets", {})[size];
  find("#preset-help").textContent = preset.help;
  for (const [name, value] of Object.entries(preset.values)) {
    const input = /** @type {HTMLInputElement} */ (document.getElementsByName(name)[0]);
    if (!input) continue;
    if (input.type === "checkbox") input.checked = Boolean(value);
    else input.value = String(value);
  }
}

function offer() {
  const refs = basesOf(variants, game.value);
  for (const option of base.options) option.hidden = option.disabled = option.value !== ""
    && !refs.includes(option.value);
  base.value = stillChosen(refs, base.value);
}

for (const button of findAll("[data-preset]")) {
  button.addEventListener("click", () => {
    size = button.dataset.preset;
    fill();
    for (const other of findAll("[data-preset]")) other.setAttribute("aria-pressed", String(other === button));
    form.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

let before = game.value;
form.addEventListener("change", (/** @type {any} */ { target }) => {
  if (target === game) offer();
  if (isOther(target.name ?? "", before, game.value)) find("#parts").dispatchEvent(new Event("refresh"));
  before = game.value;
});
form.addEventListener("htmx:afterSettle", (/** @type {any} */ { detail }) => {
  if (detail.elt.id === "parts") fill();
});
offer();
