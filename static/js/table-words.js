/** Log and instructions beside the table, drawn from what the host has sent. Not for: sending (table-side.js). */
import { el, find, findAll } from "./lib/dom.js";
import { withNames } from "./names.js";
import { leftOut, wouldDo } from "./readings.js";
import { isOver, mayFollow } from "./lib/life.js";
import { changes, listed, news, standing } from "./told.js";

/**
 * Who stood in for the person of a seat in the step that began at a tick, null: nobody.
 * @param {object[]} dialogue in its order
 */
export const standInAt = (dialogue, seat, tick) =>
  dialogue.findLast((event) => event.type === "control" && event.seat === seat && event.tick <= tick)?.stand_in ?? null;

/** Frames about how instructions stand, which may come seat by seat, as one line each: [{tick, type, text}]. */
function standings(dialogue, instructions, names) {
  const lines = new Map();
  for (const { type, tick, id, state, by, seats } of dialogue) {
    if (type !== "standing") continue;
    const key = [tick, id, state, by].join();
    lines.set(key, { type, tick, id, state, by, seats: [...(lines.get(key)?.seats ?? []), ...seats] });
  }
  return [...lines.values()].map((line) => ({ ...line, text: news(line, instructions, names) }))
    .filter(({ text }) => text);
}

/**
 * Moves and words in the order in which they happened, the oldest first. Pure.
 * @param {{moves: {tick: number, kind: string, seat: number|null, text: string}[], dialogue: object[], instructions?:
 *   Map<string, object>}} state
 * @returns {{tick: number, kind: string, seat: number|null, text: string, index: number}[]}
 */
export function entries({ moves, dialogue, instructions = new Map() }, names, seat) {
  const who = (index) => (index === seat ? "You" : names[index]);
  const called = names.map((name, index) => who(index) ?? name);
  const lines = [...dialogue.filter((event) => event.type !== "standing"), ...standings(dialogue, instructions, names)];
  const words = lines.map((event) => ({
    tick: event.tick, kind: event.type, seat: event.seat,
    text: ["utterance", "instruction", "answer"].includes(event.type) ? `${who(event.seat)}: “${event.text}”`
      : event.type === "reason" ? `${who(event.seat)}: ${withNames(event.text, called)}` : event.text,
  }));
  // Something said at tick t was said after the t-th move.
  return [...moves, ...words].filter(({ text }) => text).map((entry, index) => ({ ...entry, index }))
    .sort((a, b) => a.tick - b.tick || (a.index - b.index));
}

/** @param {HTMLElement} root */
export function drawLog(root, state, names, seat) {
  const list = entries(state, names, seat);
  const signature = `${list.length}|${names.join()}|${list.at(-1)?.text}`;
  if (root.dataset.signature === signature) return;
  root.dataset.signature = signature;
  root.replaceChildren(...list.reverse()
    .map((entry, index) => el(`li.log-entry.is-${entry.kind}`, { class: index === 0 ? "latest" : null },
    el("span.log-tick", { text: entry.tick }), el("span", { text: entry.text }))));
}

const STATUS = { read: "waits for your answer", unread: "stored, but not read" };
const OBEYED = "✓ obeyed from the next move on";
const SHOWN_OVER = 3; // instructions that are done or replaced

/**
 * What the panel shows, the newest first: what waits for this player, what is in force for anybody, whoever said it,
 * and the last of one's own that are done or replaced. Pure.
 * @returns {{word: object, state: string, mine: boolean}[]} state: its `standing`
 */
export function panel(instructions, seat) {
  const rows = [...instructions.values()].map((word) => ({ word, state: standing(word).state,
    mine: word.seat === seat })).reverse();
  const waiting = rows.filter(({ word, mine }) => mine && STATUS[word.status]);
  const over = rows.filter(({ state, mine }) => mine && isOver(state)).slice(0, SHOWN_OVER);
  return [...waiting, ...rows.filter(({ state }) => state === "confirmed"), ...over];
}

/**
 * The panel of instructions, each with its reading and what one may do about it.
 * @param {{confirm: Function, rewrite: Function, withdraw: Function}} actions @param {string[]} names by seat
 */
export function drawInstructions(root, state, seat, actions, names) {
  const rows = panel(state.instructions, seat);
  const signature = JSON.stringify([rows.map((row) => [row, notObeyed(row.word, state.dialogue)]), names, state.goals,
    state.controls, Boolean(state.end)]);
  if (root.dataset.signature === signature) return;
  root.dataset.signature = signature;
  const typed = new Map(findAll("form.rewrite textarea", root)
    .map((box) => [box.closest("[data-id]").dataset.id, { text: box.value, focused: box === document.activeElement }]));
  const called = names.map((name, index) => (index === seat ? "You" : name));
  root.replaceChildren(...rows.map((row) => instruction(row, state, actions, called)));
  // News about one instruction doesn't take away what is half typed about another.
  for (const { word } of rows) {
    const item = typed.has(word.id) && !state.end && find(`[data-id="${CSS.escape(word.id)}"]`, root);
    if (item && word.status !== "confirmed") rewriteForm(item, word, actions, typed.get(word.id));
  }
}

/** Why the last move that an instruction had to do with was against it (kinds of engine/agents/reasons.py). */
const AGAINST = { only: "no other legal move was left", other: "another instruction was against it",
  own: "by its own numbers that was far worse" };

/** "… not at 12: no other legal move was left"; "" where the last that was said of it is that it was obeyed. */
function notObeyed({ id }, dialogue) {
  const last = dialogue.findLast((event) => event.type === "reason" && event.id === id);
  return AGAINST[last?.kind] ? `… not at ${last.tick}: ${AGAINST[last.kind]}` : "";
}

/** Whether only people are told it, whom nobody makes obey. @param {any} word @param {string[]} controls by seat */
const isForPeople = ({ spans }, controls) =>
  spans.length > 0 && spans.every((/** @type {any} */ { seat }) => controls[seat] === "person");

/** Why an instruction isn't in force, of several who may hear it for whom it is; undefined where it is confirmed. */
export function waitingText({ status, target_seat: target = null }, names) {
  const whom = status === "read" && target !== null && names.length > 2 ? ` · for ${listed([target], names)}` : "";
  return STATUS[status] && STATUS[status] + whom;
}

/** How an instruction that was confirmed stands, in lines: "Replaced by “…” at 4". */
export function standingText({ word, state }, { instructions, goals = {}, dialogue = [], controls = [] }, names) {
  const came = changes(word, (id) => instructions.get(id)?.text ?? "another one", names)
    .filter(({ kind }) => kind !== "confirmed");
  const told = new Set(word.spans.map((span) => span.seat));
  const whom = told.size && word.target_seat !== null && names.length > 2 ? ` by ${listed([...told], names)}` : "";
  const lines = came.map(({ text }) => text[0].toUpperCase() + text.slice(1));
  if (state !== "confirmed") return lines;
  if (isForPeople(word, controls)) return [`It is up to ${listed([...told], names)}.`, ...lines];
  const goal = goals[word.id];
  return [goal?.state === "waiting" && goal.text
    ? `… not now: ${goal.text}`
    : notObeyed(word, dialogue) || OBEYED.replace("obeyed", `obeyed${whom}`), ...lines];
}

function instruction(row, state, actions, names) {
  const { word: one, mine } = row, over = isOver(row.state);
  const item = el(`li.instruction.${one.status}`,
    { class: over ? "over" : null, dataset: { id: one.id, state: row.state } },
    el("p.said", { text: `${mine ? "" : `${names[one.seat]}: `}“${one.text}”` }));
  const instead = one.status === "unread" && mine && !state.end ? one.options ?? [] : [];
  if (instead.length) item.append(el("p", { text: wouldDo(one.sentence, instead.length) }), others(one, actions));
  else if (one.status === "unread") item.append(el("p", {}, el("b", { text: "Not read. " }), one.sentence));
  else if (!over)
    item.append(el("p", {},
    el("span.muted",
    { text: one.status === "confirmed" ? (isForPeople(one, state.controls) ? "Asked: " : "I play like this: ")
    : one.unsure ? "I'm not sure. Do you mean: " : "I read: " }), one.sentence));
  if (one.status !== "unread" && !over && one.unread.length)
    item.append(el("p.small.left-out", { text: leftOut(one.unread) }));
  const known = waitingText(instead.length ? { ...one, status: "read" } : one, names);
  const [status, ...more] = known ? [known] : standingText(row, state, names);
  item.append(el("p.small.status", { text: status }), ...more.map((text) => el("p.small.muted", { text })));
  if (state.end || !mine || over) return item;
  const buttons = el("div.row");
  const button = (label, run, kind = "") =>
    buttons.append(el(`button.button.small${kind}`, { type: "button", onClick: run }, label));
  if (mayFollow("confirmed", one.status)) button("Right", () => actions.confirm(one.id), ".primary");
  if (one.status !== "confirmed") button(one.status === "read" ? "Not quite" : "Say it differently",
    () => rewriteForm(item, one, actions));
  button(one.status === "confirmed" ? "Take it back" : "Drop it", () => actions.withdraw(one.id), ".quiet");
  item.append(buttons);
  return item;
}

/** The other readings, to choose from. @param {any} one @param {any} actions */
const others = (one, actions) => el("div.reading-options", {}, one.options.map((/** @type {any} */ other) =>
  el("button.reading-option", { type: "button", onClick: () => actions.rewrite(one.id, { choice: other.choice }) },
    other.sentence)));

function rewriteForm(item, one, actions, { text = one.text, focused = true } = {}) {
  if (item.querySelector("form")) return;
  const box = el("textarea", { rows: "2", maxlength: "500", "aria-label": "Say it in other words" });
  box.value = text;
  const send = (event) => {
    event.preventDefault();
    const text = box.value.trim();
    if (text) actions.rewrite(one.id, { text });
  };
  box.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey) send(event); });
  if (one.options?.length && one.status !== "unread") {
    item.append(el("p.small.muted", { text: "Did you mean one of these? Or say it in other words." }),
      others(one, actions));
  }
  item.append(el("form.rewrite", { onSubmit: send }, box,
    el("button.button.small.primary", { type: "submit" }, "Say it like this")));
  if (focused) box.focus();
  if (text === one.text) box.select();
}
