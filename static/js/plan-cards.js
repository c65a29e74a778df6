/**
 * The steps of a plan as cards, a column a seat: the same on a table and in a replay. Cards keep their nodes and the
 * page its size, whatever the plan comes to. Not for: what is known of a plan (plan-state.js), moving cards (plan.js).
 */
import { el, findAll } from "./lib/dom.js";
import { withNames } from "./names.js";
import { isLeft, rows, seatColour, spoken, waitsFor } from "./plan-state.js";

/**
 * @typedef {import("./plan-state.js").Step} Step
 * @typedef {{badge?: (seat: number) => Node, picture?: (step: Step) => Node|null}} Look how a game draws a seat's sign
 *   and what a step is about
 */

const SIGNS = { ahead: "", doing: "▶", done: "✓", failed: "!", overtaken: "×", dropped: "×" };

/** A seat's number in its colour. @param {number} seat */
export function numbered(seat) {
  const badge = el("span.plan-badge", { "aria-hidden": "true" }, String(seat + 1));
  badge.style.background = seatColour(seat);
  return badge;
}

/** What each card shows, so that it is touched only when that changes. @type {WeakMap<Element, string>} */
const shown = new WeakMap();

/**
 * @param {HTMLElement} root the list of columns
 * @param {import("./plan-state.js").PlanState} state
 * @param {{names: string[], own?: number|null, look?: Look, editable?: boolean}} options `own`: the seat that is "you"
 */
export function drawCards(root, state, { names, own = null, look = {}, editable = false }) {
  const all = rows(state), badge = look.badge ?? numbered;
  const columns = new Map([.../** @type {any} */ (root.children)].map((node) => [Number(node.dataset.seat), node]));
  for (const [seat, node] of columns) if (!all.some((row) => row.seat === seat)) node.remove();
  /** @type {Map<string, any>} */
  const known = new Map(findAll("[data-step]", root).map((node) => [node.dataset.step, node]));
  for (const { seat, steps } of all) {
    const column = columns.get(seat) ?? newColumn(root, seat, badge(seat));
    const title = seat === own ? `${names[seat]} (you)` : names[seat] ?? `Player ${seat + 1}`;
    const name = column.firstChild.lastChild;
    if (name.textContent !== title) name.textContent = title;
    const list = column.lastChild;
    let number = 0;
    steps.forEach((step, index) => {
      const card = known.get(step.id) ?? el("li.plan-card", { dataset: { step: step.id } });
      known.delete(step.id);
      number += Number(isLeft(step));
      fill(card, step, isLeft(step) ? number : 0, { names, look, waits: number === 1 ? waitsFor(state, step) : [],
        editable });
      if (list.children[index] !== card) list.insertBefore(card, list.children[index] ?? null);
    });
    for (const extra of [...list.children].slice(steps.length)) if (extra.dataset.step === undefined) extra.remove();
    column.classList.toggle("idle", !steps.length);
  }
  for (const node of known.values()) node.remove();
}

/** @param {HTMLElement} root @param {number} seat @param {Node} badge */
function newColumn(root, seat, badge) {
  const column = el("li.plan-column", { dataset: { seat } },
    el("h3.plan-who", {}, badge, el("span.plan-name")), el("ol.plan-list"));
  root.append(column);
  return column;
}

/**
 * @param {any} card @param {Step} planned @param {number} number in its seat's row, 0: over
 * @param {{names: string[], look: Look, waits: number[], editable: boolean}} about
 */
function fill(card, planned, number, { names, look, waits, editable }) {
  const step = { ...planned, says: withNames(planned.says, names) };
  const name = names[step.seat] ?? `Player ${step.seat + 1}`;
  const after = step.state === "ahead" ? waits.map((seat) => names[seat]).join(", ") : "";
  const made = JSON.stringify([step.says, step.state, step.by, number, name, after, editable]);
  if (shown.get(card) === made) return;
  shown.set(card, made);
  card.className = `plan-card ${step.state}`;
  card.tabIndex = editable && number ? 0 : -1;
  card.title = after ? `${step.says} After ${after}.` : step.says;
  card.setAttribute("aria-label", `${spoken(step, Math.max(0, number - 1), name)}${after ? `, after ${after}` : ""}`);
  const picture = look.picture?.(step);
  card.replaceChildren(
    el("span.plan-number", { "aria-hidden": "true", text: SIGNS[step.state] || String(number || "") }),
    ...(picture ? [el("span.plan-picture", { "aria-hidden": "true" }, picture)] : []),
    el("span.plan-says", { text: after ? `${step.says} (after ${after})` : step.says }),
    ...(editable && number
      ? [el("button.plan-drop", { type: "button", tabindex: "-1", title: "Cross it out (Delete)",
        "aria-label": `Cross out: ${step.says}`, text: "×" })]
      : []));
}
