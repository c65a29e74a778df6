/** New round: the size buttons fill in lengths. The live count is htmx's (see the template). */
import { find, findAll, pageData } from "./lib/dom.js";

const presets = pageData("presets", {});

for (const button of findAll("[data-preset]")) {
  button.addEventListener("click", () => {
    const preset = presets[button.dataset.preset];
    for (const [name, value] of Object.entries(preset.values)) {
      const input = document.getElementsByName(name)[0];
      if (!input) continue;
      if (input.type === "checkbox") input.checked = Boolean(value);
      else input.value = String(value);
    }
    for (const other of findAll("[data-preset]")) other.setAttribute("aria-pressed", String(other === button));
    find("#preset-help").textContent = preset.help;
    find("#round-form").dispatchEvent(new Event("change", { bubbles: true }));
  });
}
