/**
 * The lobby: seats that appear and go, what an agent's card says, the reading of an instruction while one types.
 * Not for: what a game offers besides (games/<game>/lobby.js, which says here what the chosen place has room for).
 */
import { el, find, findAll, pageData } from "./lib/dom.js";
import { ReadingBox } from "./reading-box.js";

const form = find("[data-lobby]");
const partners = new Map(pageData("partners", []).map((partner) => [partner.value, partner]));
const rows = findAll("[data-seat-row]", form);
const startLabel = find("[data-start]", form).textContent;
/** What the chosen place (a layout) allows; a game without layouts allows every seat and agent. */
let place = { layout: null, dynamics: null, seats: rows.length };

/** What a refused form held, so that nothing must be chosen again. @param {Record<string, string[]>} typed */
function restore(typed) {
  (typed.seat || []).forEach((wish, i) => { if (rows[i]) { show(rows[i], true); find("[data-seat]", rows[i]).value = wish; } });
  for (const [name, values] of Object.entries(typed)) {
    if (name === "seat") continue;
    for (const field of form.querySelectorAll(`[name="${CSS.escape(name)}"]`)) {
      if (field.type === "radio" || field.type === "checkbox") field.checked = values.includes(field.value);
      else if (field.type !== "hidden") [field.value] = values;
    }
  }
  if (typed.seat) for (const field of form.querySelectorAll('[type="checkbox"]')) field.checked = field.name in typed;
}

const shown = () => rows.filter((row) => !row.hidden);

function show(row, on) {
  row.hidden = !on;
  find("[data-seat]", row).disabled = !on;
}

const LISTENS = { once: "instructions, at once", turns: "confirmed instructions, from its next move on", no: "nothing yet: it can't be told things" };

/** What an agent is: one line, how it was made, its scores. */
function cardOf(partner) {
  const score = partner.mean === undefined || partner.mean === null ? null
    : `${partner.mean.toFixed(2)}${Number.isFinite(partner.stderr) ? ` ± ${(1.96 * partner.stderr).toFixed(2)}` : ""} in self-play${partner.episodes ? `, ${partner.episodes.toLocaleString("en-GB")} games` : ""}`;
  return el("div", {}, el("p", { text: partner.text || "No description." }),
    [partner.explanation || []].flat().length > 0 && el("ul.small", {}, [partner.explanation].flat().map((text) => el("li", { text }))),
    el("dl.definition.small", {}, score && [el("dt", { text: "Score" }), el("dd", { text: score })],
      partner.trained && [el("dt", { text: "Made by" }), el("dd", { text: partner.trained })],
      partner.players.length > 0 && [el("dt", { text: "Players" }), el("dd", { text: partner.players.join(", ") })],
      partner.layout && [el("dt", { text: "Made for" }), el("dd", { text: `${placeName(partner.layout)} only` })],
      [el("dt", { text: "Listens to" }), el("dd", { text: LISTENS[form.dataset.listens] })]),
    partner.url && el("a.small", { href: partner.url, text: "Everything about it" }));
}

const placeName = (layout) => pageData("layouts", []).find((one) => one.value === layout)?.label || layout;

/** Why an agent can't sit here, "" if it can. */
function misfit(option, count) {
  const { players, layout, dynamics } = option.dataset;
  if (players && !players.split(" ").includes(String(count))) return `plays with ${players.replaceAll(" ", " or ")} players`;
  if (layout && layout !== place.layout) return `was trained for ${placeName(layout)}`;
  if (dynamics && dynamics !== place.dynamics) return `was trained for the ${dynamics} dynamics`;
  return "";
}

/** Who "champion" is in the chosen place. */
function nameChampions() {
  for (const partner of partners.values()) {
    if (!partner.by_layout) continue;
    const name = partner.by_layout[place.layout] || partner.by_layout[""];
    partner.name = name ? `Champion · ${name}` : "Champion";
    for (const option of form.querySelectorAll(`option[value="${CSS.escape(partner.value)}"]`)) option.textContent = partner.name;
  }
}

const firstAgent = (select) => [...select.options].find((option) => option.value.startsWith("agent:") && !option.disabled)?.value || "friend";

function refresh() {
  for (const row of shown().slice(place.seats)) show(row, false);
  const count = shown().length;
  nameChampions();
  for (const [index, row] of rows.entries()) {
    const select = find("[data-seat]", row);
    for (const option of select.options) {
      option.title = misfit(option, count);
      option.disabled = option.title !== "";
      // Of thirty agents that were trained for other layouts, nobody wants to read.
      option.hidden = Boolean(option.dataset.layout) && option.disabled;
    }
    if (select.selectedOptions[0]?.disabled) select.value = firstAgent(select);
    const partner = partners.get(select.value);
    const chip = find("[data-agent-chip]", row);
    chip.hidden = !partner || row.hidden;
    if (partner) { find("[data-agent-name]", row).textContent = partner.name; find("[data-agent-card]", row).replaceChildren(cardOf(partner)); }
    find("[data-remove-seat]", row).hidden = row.hidden || count <= 2 || index < 2;
  }
  find("[data-add-seat]", form).disabled = count >= Math.min(rows.length, place.seats);
  const watching = shown().every((row) => find("[data-seat]", row).value !== "me");
  const field = find("[data-instruction-field]", form);
  if (field) { field.hidden = watching; find("[data-instruction]", form).disabled = watching; }
  find("[data-start]", form).textContent = watching ? "Watch them" : startLabel;
  const friends = shown().filter((row) => find("[data-seat]", row).value === "friend").length;
  find("[data-start-note]", form).textContent = friends ? "It starts when your friend has taken the link's seat." : "";
}

form.addEventListener("change", (event) => {
  const select = event.target.closest("[data-seat]");
  if (select?.value === "me") {
    // There is one of you: whoever sat as "You" gives the seat to the first agent that fits.
    for (const row of shown()) {
      const other = find("[data-seat]", row);
      if (other !== select && other.value === "me") other.value = firstAgent(other);
    }
  }
  refresh();
});
form.addEventListener("place", (event) => { place = { ...place, ...event.detail }; refresh(); });
find("[data-watch]", form)?.addEventListener("click", () => {
  for (const row of shown()) { const select = find("[data-seat]", row); if (select.value === "me" || select.value === "friend") select.value = firstAgent(select); }
  refresh();
});
find("[data-add-seat]", form).addEventListener("click", () => { const row = rows.find((one) => one.hidden); if (row) show(row, true); refresh(); find("[data-seat]", row)?.focus(); });
for (const row of rows) find("[data-remove-seat]", row).addEventListener("click", () => { show(row, false); refresh(); find("[data-add-seat]", form).focus(); });

// --- The instruction and its reading ---

const box = find("[data-instruction]", form);
const panel = find("[data-reading]", form);
const { confirmed, choice, opinion, first_said: firstSaid } = form.elements;

/** To choose a reading is to confirm it; to change the text is neither. */
function noteChoice() {
  choice.value = reading.choice ?? "";
  opinion.value = reading.opinion ?? "";
  confirmed.value = reading.choice === null ? "" : "yes";
}

const reading = box && new ReadingBox({
  box, panel, url: box.dataset.read, askUrl: box.dataset.ask, game: form.elements.game.value, said: pageData("said-before", []), onInput: noteChoice,
  answers: ({ refused }) => [!refused && el("div.row", {}, el("button.button.small", { type: "button", onClick: confirm }, "Right"), el("button.button.small", { type: "button", onClick: rephrase }, "Not quite"))],
});

function confirm() {
  reading.accept();
  if (reading.accepted) confirmed.value = "yes";
}

/** What the first wording was is kept beside the one that replaces it. */
function rephrase() {
  firstSaid.value ||= box.value.trim();
  confirmed.value = "";
  panel.prepend(el("p", { role: "status" }, el("b", { text: reading.result.readings.length > 1 ? "Choose another reading, or say it in other words." : "Say it in other words." })));
  box.focus();
  box.select();
}

restore(pageData("typed", {}));
refresh();
if (box?.value.trim()) reading.read();
