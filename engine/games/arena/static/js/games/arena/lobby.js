/**
 * Arena's part of the lobby: ready matches, one choice for all squad mates and one for all others, squads as groups of
 * seats. Tells lobby.js how many seats there are. Not for: single seats, instructions (lobby.js).
 */
import { el, find, findAll, pageData } from "../../lib/dom.js";
import { FRIEND, PartnerCards } from "../../partner-cards.js";
import { emblemOf } from "./emblem.js";
import { gradesOf, isPerson, levelOf } from "./levels.js";

const form = find("[data-lobby]");
const presets = new Map(pageData("presets", []).map((preset) => [preset.name, preset]));
const rows = findAll("[data-seat-row]", form);
const watch = find("[data-arena-watch]", form);
const option = (name) => form.elements[`option_${name}`];
const agents = pageData("partners", []);
/** Who plays when a match asks for somebody who isn't known here: the strongest there is. */
const INSTEAD = ["agent:champion", "agent:strong", "agent:middle", "agent:weak"];
const MOST = 20;

const known = (wish) => agents.some((agent) => agent.value === wish);
const someone = (wish) => [wish, ...INSTEAD].find(known) ?? agents[0]?.value ?? "friend";

/** One choice for all squad mates, one for all others. */
const mates = new PartnerCards(find("[data-mates]", form), "mates",
  (value) => fill(value, (index) => index < number("team_size")));
const others = new PartnerCards(find("[data-others]", form), "others",
  (value) => fill(value, (index) => index >= number("team_size")));

function fill(value, belongs) {
  rows.slice(0, number("teams") * number("team_size")).forEach((row, i) => {
    const select = find("[data-seat]", row);
    if (select.value !== "me" && belongs(i)) select.value = value;
  });
  tell();
}

/** The mates that go with the chosen match. */
function advised() {
  const preset = chosen();
  return preset ? someone(preset.wishes[1]) : undefined;
}

const number = (name) => Number(option(name).value);

const chosen = () => presets.get(find("[data-preset]:checked", form)?.value);
const level = () => find("[data-level]:checked", form)?.value;

/** A preset: options, then seats. How hard it was stays. */
function choose(preset) {
  const hard = level();
  for (const [name, value] of Object.entries({ monsters: 4, pace: "normal", ...preset.options })) option(name)
    .value = String(value);
  watch.checked = false;
  seats();
  preset.wishes.forEach((wish, i) => {
    find("[data-seat]", rows[i]).value = wish.startsWith("agent:") ? someone(wish) : wish;
  });
  harden(hard);
}

/** How hard it is: each other squad is of its grade. @param {string|undefined} name of a level; else seats stay */
function harden(name) {
  const size = number("team_size"), grades = gradesOf(chosen()?.sides[name ?? ""] ?? [], number("teams") - 1);
  rows.forEach((row, i) => {
    const select = find("[data-seat]", row), grade = grades[Math.floor(i / size) - 1];
    if (grade && !row.hidden && !isPerson(select.value)) select.value = someone(grade[i % size % grade.length]);
  });
  tell();
}

/** As many rows as the options have players, in squads. */
function seats() {
  const size = number("team_size");
  if (number("teams") * size > MOST) option("teams").value = String(Math.floor(MOST / size));
  const count = number("teams") * size;
  rows.forEach((row, i) => {
    const on = i < count, select = find("[data-seat]", row);
    if (on && row.hidden && select.value !== "me")
      select.value = i < size ? mates.value || someone("") : others.value || someone("agent:middle");
    row.hidden = !on;
    select.disabled = !on;
    const label = find("label", row);
    label.replaceChildren(emblemOf(Math.floor(i / size)), ` ${size > 1 ? `${i % size + 1}` : ""}`,
      el("span.visually-hidden", { text: `Squad ${Math.floor(i / size) + 1}` }));
    row.classList.toggle("squad-first", i % size === 0);
    row.style.setProperty("--squad", String(Math.floor(i / size)));
  });
}

/** What the cards and the sentence say follows from the seats. */
function tell() {
  const size = number("team_size"), count = number("teams") * size;
  const values = rows.slice(0, count).map((row) => find("[data-seat]", row).value);
  const mine = Math.max(0, values.indexOf("me")), first = Math.floor(mine / size) * size;
  const squad = values.filter((value, i) => i >= first && i < first + size && value !== "me"),
    rest = values.filter((value, i) => i < first || i >= first + size);
  const one = (list) => (new Set(list).size === 1 ? list[0] : "");
  const friend = values.includes("me") ? [FRIEND] : [];
  mates.show(agents, one(squad) ?? "", friend, advised());
  others.show(agents, one(rest) ?? "", friend, "");
  mates.root.hidden = squad.length === 0;
  watch.checked = !values.includes("me");
  const squads = Array.from({ length: Math.max(0, number("teams") - 1) },
    (_, k) => values.slice((k + 1) * size, (k + 2) * size));
  const hard = first ? "" : levelOf(Object.entries(chosen()?.sides ?? {}), squads, someone);
  for (const input of findAll("[data-level]", form)) input.checked = input.value === hard;
  const name = (wish) => agents.find((agent) => agent.value === wish)?.name ?? "friend";
  const times = (list, wish) => `${list.filter((one) => one === wish).length} × ${name(wish)}`;
  const label = (list) => (new Set(list).size > 3
    ? `${list.length} players` : [...new Set(list)].map((wish) => times(list, wish)).join(", "));
  const kinds = new Map();
  for (const squad of squads) if (new Set(squad).size === 1) kinds.set(squad[0], (kinds.get(squad[0]) ?? 0) + 1);
  const mixed = first === 0 && kinds.size > 1
    && [...kinds.values()].reduce((sum, one) => sum + one, 0) === squads.length;
  const against = mixed
    ? [...kinds].map(([wish, times]) => `${times} × ${name(wish)}`).join(", ")
    : `${label(rest)} in ${number("teams") - 1} ${number("teams") === 2 ? "squad" : "squads"}`;
  const besides = squad.length ? ` with ${label(squad)}` : "";
  const note = `${values.includes("me") ? "You" : "Agents only: squad 1"}${besides}, against ${against}.`;
  form.dispatchEvent(new CustomEvent("place", { detail: { seats: count, note } }));
}

form.addEventListener("change", (event) => {
  if (event.target.matches("[data-preset]")) { choose(presets.get(event.target.value)); return; }
  if (event.target.matches("[data-level]")) { harden(event.target.value); return; }
  if (event.target === watch) {
    find("[data-seat]", rows[0]).value = watch.checked ? someone(mates.value) : "me";
  } else if (event.target.name?.startsWith("option_team")) {
    const hard = level();
    seats();
    harden(hard);
    return;
  }
  tell();
});

for (const label of findAll(".arena-choice", form)) {
  const { options } = presets.get(find("input", label).value);
  find("[data-preset-squads]", label).append(...Array.from({ length: options.teams },
    (_, team) => el("span", {}, Array.from({ length: options.team_size }, () => emblemOf(team)))));
}
// A refused form brings its options and seats back; a new one begins with the first match, in which an agent whose link
// was followed plays as all mates.
const typed = pageData("typed", {});
if (typed.option_teams) { seats(); tell(); } else {
  if (presets.size) choose(chosen() ?? [...presets.values()][0]);
  if (typed.seat) fill(typed.seat[1], (index) => index < number("team_size"));
}
