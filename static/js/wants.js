/**
 * The sub-goals that an instruction asks for, as small chips: what each is, how much of it is met, and what its player
 * may take away or change. A chip keeps its node and its size while what it tells changes. Not for: which value comes
 * of which words (the game), the instruction around them (chips.js, reading-box.js).
 */
import { el } from "./lib/dom.js";
import { withNames } from "./names.js";

/**
 * @typedef {{name: string, value: string, label: string, says: string, sentence: string, clause?: number,
 *   values?: string[][]}} Subgoal `clause`, `values`: where it can be changed, and to what: [value, in plain words]
 * @typedef {{clause: number, name: string, value: string}} Asked
 * @typedef {{subgoals?: Subgoal[], far?: [number, string][]}} Far how far a seat is: of each [share met, what is now]
 * @typedef {Subgoal & {share: number|null, met: boolean, now: string, each: string[]}} Want `share`: null where nobody
 *   is at it; `each`: what is now for each of several seats
 */

const MATE = /teammate \d/; // whose number is another one for each who hears it
/** @param {Subgoal} one @param {Subgoal} other */
const alike = (one, other) => one.value === other.value && one.name.replace(MATE, "") === other.name.replace(MATE, "");

/**
 * All that is asked for in the order in which it was said, then what came up meanwhile. Pure.
 * @param {Subgoal[]} asked
 * @param {{seat: number, far: Far|undefined}[]} seats who is at it
 * @param {string[]} names by seat
 * @returns {Want[]}
 */
export function wants(asked, seats, names) {
  const found = seats.flatMap(({ seat, far }) => (far?.subgoals ?? [])
    .map((one, i) => ({ ...one, seat, share: far?.far?.[i]?.[0] ?? 0, now: far?.far?.[i]?.[1] ?? "" })));
  const others = found.filter((one, i) => !asked.some((known) => alike(known, one))
    && found.findIndex((first) => alike(first, one)) === i);
  return [...asked, ...others].map((one) => {
    const of = found.filter((other) => alike(one, other)), met = of.filter(({ share }) => share === 1).length;
    const first = of.length === 1 ? of[0] : null;
    return { name: one.name, value: one.value, says: one.says, clause: one.clause, values: one.values,
      label: withNames(first?.label ?? one.label, names), sentence: withNames(first?.sentence ?? one.sentence, names),
      share: of.length ? of.reduce((sum, { share }) => sum + share, 0) / of.length : null,
      met: of.length > 0 && met === of.length, now: first ? first.now : of.length ? `${met} of ${of.length}` : "",
      each: first ? [] : of.map(({ seat, now }) => `${names[seat] ?? `Player ${seat + 1}`}: ${now}`) };
  });
}

/**
 * What is asked for once a sub-goal is taken away, or has another value.
 * @param {Subgoal[]} asked @param {{name: string, clause?: number}} which @param {string|null} value null: taken away
 * @returns {Asked[]}
 */
export const instead = (asked, which, value) => asked
  .map(({ clause = 0, name, value: old }) => ({ clause, name,
    value: name === which.name && clause === which.clause ? value ?? "" : old }))
  .filter((one) => one.value !== "");

/** @param {Want} want */
const spoken = ({ sentence, share, met, now, each }) => [sentence, share === null
  ? ""
  : met ? "Met." : `${Math.round(100 * share)} % met${now ? `, now ${now}` : ""}.`, ...each].filter(Boolean).join(" ");

/**
 * @param {HTMLElement} list
 * @param {Want[]} rows
 * @param {((which: Want, value: string|null) => void)|null} change null: nothing can be changed
 * @param {string} [keys] what with a sub-goal's number leaves it out
 */
export function drawWants(list, rows, change, keys = "") {
  list.hidden = !rows.length;
  const known = new Map([.../** @type {any} */ (list.children)].map((node) => [node.dataset.id, node]));
  const ids = rows.map((row) => `${row.clause ?? "-"} ${row.name} ${row.value} ${Boolean(change)}`);
  for (const [id, node] of known) if (!ids.includes(id)) node.remove();
  rows.forEach((row, i) => {
    const node = known.get(ids[i]) ?? newWant(row, ids[i], change, keys && ` (${keys}${i + 1})`);
    fillWant(node, row);
    if (list.children[i] !== node) list.insertBefore(node, list.children[i] ?? null);
  });
}

/**
 * @param {Want} row @param {string} id @param {((which: Want, value: string|null) => void)|null} change
 * @param {string} key that leaves it out
 */
function newWant(row, id, change, key) {
  const editable = change && row.clause !== undefined;
  const value = editable && row.values
    ? el("select.want-value", { "aria-label": row.label, onChange: (/** @type {any} */ event) => {
      change(row, event.target.value);
    } }, row.values.map(([name, word]) => el("option", { value: name, selected: name === row.value, text: word })))
    : el("b.want-value", { text: row.says });
  return el("li.want", { dataset: { id } }, el("span.want-label"), value,
    el("span.want-part", { "aria-hidden": "true" }, el("i")), el("span.want-now", { "aria-hidden": "true" }),
    el("span.visually-hidden"), editable && el("button.want-off", { type: "button", title: `Leave this out${key}`,
      "aria-label": `Leave out: ${row.label}: ${row.says}`, onClick: () => change(row, null) }, "×"));
}

/** @param {any} node @param {Want} row */
function fillWant(node, row) {
  const [label, , part, now, words] = node.children;
  const told = spoken(row);
  if (node.title === told && label.textContent) return;
  node.title = told;
  node.classList.toggle("met", row.met);
  node.classList.toggle("idle", row.share === null);
  label.textContent = `${row.label}: `;
  part.firstChild.style.width = `${Math.round(100 * (row.share ?? 0))}%`;
  now.textContent = row.met ? "✓" : row.now;
  words.textContent = ` (${told})`;
}
