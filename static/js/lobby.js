/** The lobby: seats that appear and go, what an agent's card says, the reading of an instruction while one types. */
import { el, find, findAll, pageData } from "./lib/dom.js";
import { postJSON } from "./lib/http.js";

const form = find("[data-lobby]");
const partners = new Map(pageData("partners", []).map((partner) => [partner.value, partner]));
const rows = findAll("[data-seat-row]", form);
const READ_AFTER = 350;

const shown = () => rows.filter((row) => !row.hidden);

function show(row, on) {
  row.hidden = !on;
  find("[data-seat]", row).disabled = !on;
}

/** What an agent is: one line, how it was made, its scores. */
function cardOf(partner) {
  const score = partner.mean === undefined || partner.mean === null ? null
    : `${partner.mean.toFixed(2)}${partner.stderr ? ` ± ${(1.96 * partner.stderr).toFixed(2)}` : ""} in self-play${partner.episodes ? `, ${partner.episodes.toLocaleString("en-GB")} games` : ""}`;
  return el("div", {}, el("p", { text: partner.text || "No description." }),
    [partner.explanation || []].flat().length > 0 && el("ul.small", {}, [partner.explanation].flat().map((text) => el("li", { text }))),
    el("dl.definition.small", {}, score && [el("dt", { text: "Score" }), el("dd", { text: score })],
      partner.trained && [el("dt", { text: "Made by" }), el("dd", { text: partner.trained })],
      [el("dt", { text: "Players" }), el("dd", { text: partner.players.join(", ") })],
      [el("dt", { text: "Listens to" }), el("dd", { text: "confirmed instructions, from its next move on" })]),
    partner.url && el("a.small", { href: partner.url, text: "Everything about it" }));
}

function refresh() {
  const count = shown().length;
  for (const [index, row] of rows.entries()) {
    const select = find("[data-seat]", row);
    for (const option of select.options) {
      const fits = !option.dataset.players || option.dataset.players.split(" ").includes(String(count));
      option.disabled = !fits;
      option.title = fits ? "" : `plays with ${option.dataset.players.replaceAll(" ", " or ")} players`;
    }
    if (select.selectedOptions[0]?.disabled) select.value = [...select.options].find((option) => option.value.startsWith("agent:") && !option.disabled)?.value || "friend";
    const partner = partners.get(select.value);
    const chip = find("[data-agent-chip]", row);
    chip.hidden = !partner || row.hidden;
    if (partner) { find("[data-agent-name]", row).textContent = partner.name; find("[data-agent-card]", row).replaceChildren(cardOf(partner)); }
    find("[data-remove-seat]", row).hidden = row.hidden || count <= 2 || index < 2;
  }
  find("[data-add-seat]", form).disabled = count >= rows.length;
  const friends = shown().filter((row) => find("[data-seat]", row).value === "friend").length;
  find("[data-start-note]", form).textContent = friends ? "It starts when your friend has taken the link's seat." : "";
}

form.addEventListener("change", (event) => {
  const select = event.target.closest("[data-seat]");
  if (select?.value === "me") {
    // There is one of you: whoever sat as "You" gives the seat to the first agent that fits.
    for (const row of shown()) {
      const other = find("[data-seat]", row);
      if (other !== select && other.value === "me") other.value = [...other.options].find((option) => option.value.startsWith("agent:") && !option.disabled)?.value || "friend";
    }
  }
  refresh();
});
find("[data-add-seat]", form).addEventListener("click", () => { const row = rows.find((one) => one.hidden); if (row) show(row, true); refresh(); find("[data-seat]", row)?.focus(); });
for (const row of rows) find("[data-remove-seat]", row).addEventListener("click", () => { show(row, false); refresh(); find("[data-add-seat]", form).focus(); });

// --- The instruction and its reading ---

const box = find("[data-instruction]", form);
const reading = find("[data-reading]", form);
const confirmed = find("[data-confirmed]", form);
let timer = null;
let asked = 0;

function showReading(result) {
  reading.hidden = false;
  reading.className = `reading ${result.refused ? "unread" : "read"}`;
  if (result.refused) {
    reading.replaceChildren(el("p", {}, el("b", { text: "Not read. " }), result.sentence), el("p.small.muted", { text: "It is stored anyway, but not obeyed." }));
    return;
  }
  const unread = result.unread?.length ? el("p.small.muted", { text: `Not read: ${result.unread.join(", ")}` }) : null;
  const right = el("button.button.small", { type: "button", onClick: () => { confirmed.value = "yes"; showConfirmed(result); } }, "Right");
  const wrong = el("button.button.small", { type: "button", onClick: () => showAlternatives(result) }, "Not quite");
  reading.replaceChildren(el("p", {}, el("span.muted", { text: "I read: " }), result.sentence), ...[unread].filter(Boolean), el("div.row", {}, right, wrong));
}

function showConfirmed(result) {
  reading.className = "reading confirmed";
  reading.replaceChildren(el("p", {}, el("b", { text: "✓ I will play like this: " }), result.sentence));
}

function showAlternatives(result) {
  const others = (result.alternatives || []).map((other) => el("button.button.small", { type: "button", onClick: () => { box.value = other.sentence; read(); } }, other.sentence));
  reading.replaceChildren(el("p", { text: others.length ? "Did you mean one of these? Or say it in other words." : "Say it in other words." }), el("div.row", {}, others));
  box.focus();
}

async function read() {
  confirmed.value = "";
  const text = box.value.trim();
  if (!text) { reading.hidden = true; return; }
  const mine = ++asked;
  try {
    const result = await postJSON(box.dataset.read, { game: form.elements.game.value, text });
    if (mine === asked) showReading(result);
  } catch (error) {
    if (mine !== asked) return;
    reading.hidden = false;
    reading.className = "reading unread";
    reading.replaceChildren(el("p", { text: error.message }));
  }
}

box.addEventListener("input", () => { confirmed.value = ""; clearTimeout(timer); timer = setTimeout(read, READ_AFTER); });
refresh();
if (box.value.trim()) read();
