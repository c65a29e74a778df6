/**
 * The lobby: seats that appear and go, what an agent's card says, the reading of an instruction while one types.
 * Not for: what a game offers besides (games/<game>/lobby.js, which says here what the chosen place has room for).
 */
import { el, find, findAll, pageData } from "./lib/dom.js";
import { keepDraft } from "./lib/draft.js";
import { seatsHere } from "./lobby-seats.js";
import { FRIEND, meant, PartnerCards, placeName } from "./partner-cards.js";
import { ReadingBox } from "./reading-box.js";
import { canBeRight, companyOf } from "./readings.js";

const form = find("[data-lobby]");
const partners = new Map(pageData("partners", []).map((/** @type {any} */ partner) => [partner.value, partner]));
const rows = findAll("[data-seat-row]", form);
const startLabel = find("[data-start]", form).textContent;
/**
 * What the chosen place (a layout) allows; a game without layouts allows every seat and agent.
 * @type {{layout: string|null, dynamics: string|null, seats: number, note: string, fills?: boolean}}
 */
let place = { layout: null, dynamics: null, seats: rows.length, note: "" };

/** What a refused form held, so that nothing must be chosen again. @param {Record<string, string[]>} typed */
function restore(typed) {
  (typed.seat || []).forEach((wish, i) => {
    if (rows[i]) { show(rows[i], true); find("[data-seat]", rows[i]).value = wish; }
  });
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

/** @param {HTMLElement} row @param {boolean} on */
function show(row, on) {
  row.hidden = !on;
  find("[data-seat]", row).disabled = !on;
}

/** Why an agent can't sit here, "" if it can. @param {HTMLOptionElement} option @param {number} count */
function misfit(option, count) {
  const { players, layout, dynamics } = option.dataset;
  if (players && !players.split(" ").includes(String(count)))
    return `plays with ${players.replaceAll(" ", " or ")} players`;
  if (layout && layout !== place.layout) return `was trained for ${placeName(layout)}`;
  if (dynamics && dynamics !== place.dynamics) return `was trained for the ${dynamics} dynamics`;
  return "";
}

/** Whom aliases mean in the chosen place. */
function nameAliases() {
  for (const partner of partners.values()) {
    if (!partner.means) continue;
    const { name } = whoIs(partner);
    const title = partner.alias[0].toUpperCase() + partner.alias.slice(1);
    for (const option of form.querySelectorAll(`option[value="${CSS.escape(partner.value)}"]`)) option.textContent =
      name === partner.name && place.layout ? title : `${title} · ${name}`;
  }
}

const whoIs = (/** @type {any} */ partner) => meant(partner, partners, place.layout);
const firstAgent = (/** @type {HTMLSelectElement} */ select) =>
  [...select.options].find((option) => option.value.startsWith("agent:") && !option.disabled)?.value || "friend";

/** One choice for all seats but one's own. */
const cards = find("[data-partner-cards]", form) && new PartnerCards(find("[data-partner-cards]", form),
  "partner", (value) => {
  for (const select of selects()) if (select.value !== "me") select.value = value;
  refresh();
});
const selects = () => shown().map((row) => find("[data-seat]", row));

function drawCards() {
  const company = selects().filter((select) => select.value !== "me");
  if (!cards || !company.length) return;
  const fitting = [...company[0].options].filter((option) => partners.has(option.value) && !option.disabled)
    .map((option) => whoIs(partners.get(option.value)));
  const values = new Set(company.map(({ value }) => value));
  // Watching, nobody waits for a friend.
  const others = selects().some(({ value }) => value === "me") ? [FRIEND] : [];
  cards.show(fitting, values.size === 1 ? company[0].value : "", others);
}

/** Whom one plays with, in a few words: "With 2 × Greedy cook and a friend." */
function companyInWords() {
  const watching = selects().every(({ value }) => value !== "me");
  const names = selects().filter(({ value }) => value !== "me")
    .map(({ value }) => (partners.has(value) ? whoIs(partners.get(value)).name : "a friend"));
  const listed = [...new Set(names)].map((name) => {
    const times = names.filter((one) => one === name).length;
    return times > 1 ? `${times} × ${name}` : name;
  });
  return listed.length ? `${watching ? "You watch" : "With"} ${listed.join(" and ")}.` : "";
}

/** Who will be there, as a reading is told. */
const company = () => companyOf(selects().map(({ value }) => value),
  (wish) => (wish.startsWith("agent:") ? whoIs(partners.get(wish)).name : undefined));
/** The game that is asked for. */
const setting = () => ({ fields: Object.fromEntries([...new FormData(form)].flatMap(([name, value]) =>
  (name.startsWith("option_") || name === "layout_text" ? [[name, String(value)]] : []))) });
const whom = { node: find("[data-whom]", form), one: find("[data-whom]", form)?.textContent };
let seated = ""; // the company and the game of the last reading

function refresh() {
  const here = seatsHere(shown().length, place);
  for (const row of shown().slice(here)) show(row, false);
  for (const row of rows) if (shown().length < here && row.hidden) show(row, true);
  const count = shown().length;
  nameAliases();
  for (const [index, row] of rows.entries()) {
    const select = find("[data-seat]", row);
    for (const option of select.options) {
      option.title = misfit(option, count);
      option.disabled = option.title !== "";
      // Of thirty agents that were trained for other layouts, nobody wants to read.
      option.hidden = Boolean(option.dataset.layout) && option.disabled;
    }
    if (select.selectedOptions[0]?.disabled) select.value = firstAgent(select);
    find("[data-remove-seat]", row).hidden = row.hidden || count <= 2 || index < 2 || Boolean(place.fills);
  }
  drawCards();
  const most = Math.min(rows.length, place.seats), add = find("[data-add-seat]", form);
  add.disabled = count >= most;
  add.textContent = add.disabled ? `At most ${most} seats here` : "Add a seat";
  const watching = selects().every(({ value }) => value !== "me");
  const field = find("[data-instruction-field]", form);
  if (field) {
    field.hidden = watching;
    find("[data-instruction]", form).disabled = watching;
    if (whom.one === "partner") whom.node.textContent = count > 2 ? "partners" : "partner";
  }
  find("[data-start]", form).textContent = watching ? "Watch them" : startLabel;
  const now = JSON.stringify([company(), setting()]);
  if (now !== seated) reading?.again();
  seated = now;
  const friends = selects().some(({ value }) => value === "friend");
  find("[data-start-note]", form).textContent = [place.note || companyInWords(), friends
    && "It starts when your friend has taken the link's seat."].filter(Boolean).join(" ");
}

form.addEventListener("change", (/** @type {any} */ event) => {
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
form.addEventListener("place", (/** @type {CustomEvent} */ event) => {
  place = { ...place, ...event.detail };
  refresh();
});
find("[data-watch]", form)?.addEventListener("click", () => {
  for (const row of shown()) {
    const select = find("[data-seat]", row);
    if (select.value === "me" || select.value === "friend") select.value = firstAgent(select);
  }
  refresh();
});
find("[data-add-seat]", form).addEventListener("click", () => {
  const row = rows.find((row) => row.hidden);
  if (row) show(row, true);
  refresh();
  find("[data-seat]", row)?.focus();
});
for (const row of rows) find("[data-remove-seat]", row).addEventListener("click", () => {
  show(row, false);
  refresh();
  find("[data-add-seat]", form).focus();
});

// --- The instruction and its reading ---

const box = find("[data-instruction]", form);
const panel = find("[data-reading]", form);
const { confirmed, choice, seal, firm, first_said: firstSaid } = form.elements;

/** To choose a reading is to confirm it; to change the text is neither. */
function noteChoice() {
  choice.value = reading.choice ?? "";
  seal.value = reading.chosen.seal ?? "";
  firm.value = reading.firm;
  confirmed.value = reading.choice === null ? "" : "yes";
}

/** @type {any} */
const reading = box && new ReadingBox({
  box, panel, url: box.dataset.read, askUrl: box.dataset.ask, costUrl: box.dataset.cost, game: form.elements.game.value,
  said: pageData("said-before", []), dial: true, onInput: noteChoice, agents: () => selects().map(({ value }) => value),
  company, setting,
  answers: (result) =>
    [!result.refused
    && el("div.row", {},
    canBeRight(result, reading.meant) && el("button.button.small", { type: "button", onClick: confirm }, "Right"),
    el("button.button.small", { type: "button", onClick: rephrase }, "Not quite"))],
});

function confirm() {
  reading.accept();
  if (reading.accepted) confirmed.value = "yes";
}

/** What the first wording was is kept beside the one that replaces it. */
function rephrase() {
  firstSaid.value ||= box.value.trim();
  confirmed.value = "";
  panel.prepend(el("p", { role: "status" },
    el("b", { text: reading.result.readings.length > 1
    ? "Choose another reading, or say it in other words."
    : "Say it in other words." })));
  box.focus();
  box.select();
}

restore(pageData("typed", {}));
refresh();
// Seats that the cards can't tell, and what a form was refused for, are in sight.
if (new Set(selects().map(({ value }) => value).filter((value) => value !== "me")).size > 1)
  find("[data-seats]", form).open = true;
keepDraft(box, `lobby-${form.elements.game.value}`);
if (box?.value.trim()) reading.read();
