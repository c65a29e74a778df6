/**
 * Arena's part of the lobby: ready matches, one choice for all squad mates and one for all others, squads as groups of
 * seats. Tells lobby.js how many seats there are. Not for: single seats, instructions (lobby.js).
 */
import { el, find, findAll, pageData } from "../../lib/dom.js";
import { emblemOf } from "./emblem.js";

const form = find("[data-lobby]");
const presets = new Map(pageData("presets", []).map((preset) => [preset.name, preset]));
const rows = findAll("[data-seat-row]", form);
const mates = find("[data-mates]", form), others = find("[data-others]", form), watch = find("[data-arena-watch]", form);
const option = (name) => form.elements[`option_${name}`];
const agents = [...find("[data-seat]", rows[0]).options].filter((one) => one.value.startsWith("agent:") || one.value === "surprise");
/** Who plays when a match asks for somebody who isn't known here: the strongest there is. */
const INSTEAD = ["agent:champion", "agent:strong", "agent:middle", "agent:weak"];
const MOST = 20;

const known = (wish) => agents.some((one) => one.value === wish);
const someone = (wish) => [wish, ...INSTEAD].find(known) ?? agents[0]?.value ?? "friend";

for (const select of [mates, others]) select.append(...agents.map((one) => el("option", { value: one.value, text: one.textContent })), el("option", { value: "", text: "mixed, as below", disabled: true }));

const number = (name) => Number(option(name).value);

/** A preset: options, then seats. */
function choose(preset) {
  for (const [name, value] of Object.entries({ monsters: 4, pace: "normal", ...preset.options })) option(name).value = String(value);
  watch.checked = false;
  seats();
  preset.wishes.forEach((wish, i) => { find("[data-seat]", rows[i]).value = wish.startsWith("agent:") ? someone(wish) : wish; });
  tell();
}

/** As many rows as the options have players, in squads. */
function seats() {
  const size = number("team_size");
  if (number("teams") * size > MOST) option("teams").value = String(Math.floor(MOST / size));
  const count = number("teams") * size;
  rows.forEach((row, i) => {
    const on = i < count, select = find("[data-seat]", row);
    if (on && row.hidden && select.value !== "me") select.value = i < size ? mates.value || someone("") : others.value || someone("agent:middle");
    row.hidden = !on;
    select.disabled = !on;
    const label = find("label", row);
    label.replaceChildren(emblemOf(Math.floor(i / size)), ` ${size > 1 ? `${i % size + 1}` : ""}`, el("span.visually-hidden", { text: `Squad ${Math.floor(i / size) + 1}` }));
    row.classList.toggle("squad-first", i % size === 0);
    row.style.setProperty("--squad", String(Math.floor(i / size)));
  });
}

/** What the two selects and the sentence say follows from the seats. */
function tell() {
  const size = number("team_size"), count = number("teams") * size;
  form.dispatchEvent(new CustomEvent("place", { detail: { seats: count } }));
  const values = rows.slice(0, count).map((row) => find("[data-seat]", row).value);
  const mine = Math.max(0, values.indexOf("me")), first = Math.floor(mine / size) * size;
  const squad = values.filter((value, i) => i >= first && i < first + size && value !== "me"), rest = values.filter((value, i) => i < first || i >= first + size);
  const one = (list) => (new Set(list).size === 1 ? list[0] : "");
  mates.value = known(one(squad)) ? one(squad) : "";
  others.value = known(one(rest)) ? one(rest) : "";
  mates.disabled = squad.length === 0;
  watch.checked = !values.includes("me");
  const label = (value, list) => (value ? agents.find((agent) => agent.value === value).textContent : list.length ? "mixed" : "nobody");
  find("[data-arena-summary]", form).textContent = `${values.includes("me") ? "You" : "Agents only: squad 1"}${squad.length ? ` with ${squad.length} × ${label(mates.value, squad)}` : ""}, against ${rest.length} × ${label(others.value, rest)} in ${number("teams") - 1} ${number("teams") === 2 ? "squad" : "squads"}.`;
}

form.addEventListener("change", (event) => {
  const size = number("team_size"), count = number("teams") * size;
  if (event.target.matches("[data-preset]")) { choose(presets.get(event.target.value)); return; }
  if (event.target === mates || event.target === others) {
    rows.slice(0, count).forEach((row, i) => { const select = find("[data-seat]", row); if (select.value !== "me" && (i < size) === (event.target === mates)) select.value = event.target.value; });
  } else if (event.target === watch) {
    find("[data-seat]", rows[0]).value = watch.checked ? someone(mates.value) : "me";
  } else if (event.target.name?.startsWith("option_team")) seats();
  tell();
});

for (const label of findAll(".arena-choice", form)) {
  const { options } = presets.get(find("input", label).value);
  find("[data-preset-squads]", label).append(...Array.from({ length: options.teams }, (_, team) => el("span", {}, Array.from({ length: options.team_size }, () => emblemOf(team)))));
}
// A refused form brings its seats back; a new one begins with the first match.
if (pageData("typed", {}).seat) { seats(); tell(); } else if (presets.size) choose([...presets.values()][0]);
