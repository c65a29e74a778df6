/**
 * Choosing a kitchen in the lobby: pictures drawn by the game's own module, and one's own kitchen as a text that the
 * server checks while one writes. Tells lobby.js what the kitchen has room for. Not for: seats (lobby.js).
 */
import { find, findAll, pageData } from "../../lib/dom.js";
import { postJSON } from "../../lib/http.js";
import { drawLayout } from "./overcooked.js";

const CHECK_AFTER = 300; // ms
const MOST_DRAWN = 12;
const form = find("[data-lobby]");
const layouts = new Map(pageData("layouts", []).map((/** @type {any} */ layout) => [layout.value, layout]));
const text = find("[data-layout-text]", form);
const verdict = find("[data-layout-verdict]", form);
/** @type {any} */
let timer = null;
let asked = 0;

const chosen = () => find("[data-layout]:checked", form).value;

function tellRoom() {
  const layout = layouts.get(chosen());
  const dynamics = form.elements.option_dynamics?.value || "old";
  form.dispatchEvent(new CustomEvent("place",
    { detail: { layout: layout.value, dynamics, seats: Math.max(2, layout.players), fills: true } }));
}

function draw() {
  for (const canvas of findAll("[data-layout-picture]", form)) drawLayout(canvas,
    layouts.get(canvas.dataset.layoutPicture).rows, canvas.parentElement.clientWidth - 20, 92);
  const own = find("[data-own-picture]", form);
  if (own.parentElement.clientWidth) drawLayout(own, layouts.get("custom").rows, own.parentElement.clientWidth, 220);
}

function show() {
  find("[data-own-kitchen]", form).hidden = chosen() !== "custom";
  tellRoom();
  draw();
}

async function check() {
  const mine = ++asked;
  try {
    const options = Object.fromEntries(
      ["dynamics", "start", "horizon"].map((name) => [name, form.elements[`option_${name}`]?.value]));
    const found = await postJSON(text.dataset.check, { game: form.elements.game.value, text: text.value, options });
    if (mine !== asked) return null;
    text.setAttribute("aria-invalid", String(Boolean(found.error)));
    verdict.className = found.error ? "kitchen-verdict errors" : "kitchen-verdict good";
    verdict.textContent = found.error || `✓ A kitchen for ${found.players} cooks.${found.note ? ` ${found.note}` : ""}`;
    if (found.error) return null;
    layouts.set("custom", { ...layouts.get("custom"), ...found });
    show();
    return found;
  } catch (error) {
    if (mine === asked) { verdict.className = "kitchen-verdict errors"; verdict.textContent = error.message; }
    return null;
  }
}

find("[data-new-kitchen]", form).addEventListener("click", async () => {
  // Two in three leave each cook room to walk about.
  for (let left = MOST_DRAWN, found = null; left > 0 && !found?.roomy; left -= 1) {
    text.value = `new ${Math.floor(Math.random() * layouts.get("custom").new)}`;
    found = await check();
    if (!found) return;
  }
});
text.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(check, CHECK_AFTER); });
form.addEventListener("change", (/** @type {any} */ event) => {
  if (event.target.matches("[data-layout], [name=option_dynamics]")) show();
  if (event.target.matches("[data-layout][value=custom]")
    || (chosen() === "custom" && event.target.name?.startsWith("option_"))) check();
});
addEventListener("resize", draw);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
show();
if (chosen() === "custom") check();
