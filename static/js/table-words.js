/** Log and instructions beside the table, drawn from what the host has sent. Not for: sending (table-side.js). */
import { el } from "./lib/dom.js";
import { answer } from "./readings.js";
import { changes, listed, news, noted, standing } from "./told.js";

/** Sentences of the rules say "Player 2"; people have names. @param {string[]} names by seat */
export const withNames = (text, names) => text.replace(/\bPlayer (\d)\b/g, (whole, number) => names[Number(number) - 1] || whole);

/**
 * The dialogue and the instructions by id after a frame that tells of words. Pure.
 * @param {{dialogue: object[], instructions: Map<string, object>, seats: {kind: string}[]}} state
 * @returns {{dialogue: object[], instructions: Map<string, object>}}
 */
export function heard({ dialogue, instructions, seats }, event) {
  const known = instructions.get(event.id);
  const others = (speaker, target) => [...seats.keys()].filter((seat) => seat !== speaker && (target === null || seat === target));
  const after = noted(instructions, event, others);
  if (event.type !== "instruction") return { dialogue: [...dialogue, event], instructions: after };
  const answered = answer(known, event, seats.flatMap((seat, index) => (seat.kind === "agent" ? [index] : [])));
  const lines = [known ? [] : event, answered ? { type: "answer", tick: event.tick, ...answered } : []].flat();
  return { dialogue: [...dialogue, ...lines], instructions: after };
}

/** Frames about how instructions stand, which may come seat by seat, as one line each: [{tick, type, text}]. */
function standings(dialogue, instructions, names) {
  const lines = new Map();
  for (const { type, tick, id, state, by, seats } of dialogue) {
    if (type !== "standing") continue;
    const key = [tick, id, state, by].join();
    lines.set(key, { type, tick, id, state, by, seats: [...(lines.get(key)?.seats ?? []), ...seats] });
  }
  return [...lines.values()].map((line) => ({ ...line, text: news(line, instructions, names) })).filter(({ text }) => text);
}

/**
 * Moves and words in the order in which they happened, the oldest first. Pure.
 * @param {{moves: {tick: number, kind: string, seat: number|null, text: string}[], dialogue: object[], instructions?: Map<string, object>}} state
 * @returns {{tick: number, kind: string, seat: number|null, text: string, index: number}[]}
 */
export function entries({ moves, dialogue, instructions = new Map() }, names, seat) {
  const who = (index) => (index === seat ? "You" : names[index]);
  const lines = [...dialogue.filter((event) => event.type !== "standing"), ...standings(dialogue, instructions, names)];
  const words = lines.map((event) => ({
    tick: event.tick, kind: event.type, seat: event.seat,
    text: ["utterance", "instruction", "answer"].includes(event.type) ? `${who(event.seat)}: “${event.text}”` : event.text,
  }));
  // Something said at tick t was said after the t-th move.
  return [...moves, ...words].map((entry, index) => ({ ...entry, index }))
    .sort((a, b) => a.tick - b.tick || (a.index - b.index));
}

/** @param {HTMLElement} root */
export function drawLog(root, state, names, seat) {
  const list = entries(state, names, seat);
  const signature = `${list.length}|${names.join()}|${list.at(-1)?.text}`;
  if (root.dataset.signature === signature) return;
  root.dataset.signature = signature;
  root.replaceChildren(...list.reverse().map((entry, index) => el(`li.log-entry.is-${entry.kind}`, { class: index === 0 ? "latest" : null },
    el("span.log-tick", { text: entry.tick }), el("span", { text: entry.text }))));
}

const STATUS = { read: "waits for your answer", unread: "stored, but not read" };
const OBEYED = "✓ obeyed from the next move on";
const SHOWN_OVER = 3; // instructions that are done or replaced

/**
 * What the panel shows, the newest first: what waits for this player, what is in force for anybody, whoever said it, and
 * the last of one's own that are done or replaced. Pure.
 * @returns {{word: object, state: string, mine: boolean}[]} state: "" (not in force yet), "in force", "done" or "replaced"
 */
export function panel(instructions, seat) {
  const rows = [...instructions.values()].map((word) => ({ word, state: standing(word).state, mine: word.seat === seat })).reverse();
  const waiting = rows.filter(({ word, mine }) => mine && STATUS[word.status]);
  const over = rows.filter(({ state, mine }) => mine && (state === "done" || state === "replaced")).slice(0, SHOWN_OVER);
  return [...waiting, ...rows.filter(({ state }) => state === "in force"), ...over];
}

/**
 * The panel of instructions, each with its reading and what one may do about it.
 * @param {{confirm: Function, rewrite: Function, withdraw: Function}} actions @param {string[]} names by seat
 */
export function drawInstructions(root, state, seat, actions, names) {
  const rows = panel(state.instructions, seat);
  const signature = JSON.stringify([rows, names, Boolean(state.end)]);
  if (root.dataset.signature === signature) return;
  root.dataset.signature = signature;
  root.replaceChildren(...rows.map((row) => instruction(row, state, actions, names)));
}

/** How an instruction that was confirmed stands, in lines: "Replaced by “…” at 4". */
function standingText({ word, state }, { instructions }, names) {
  const came = changes(word, (id) => instructions.get(id)?.text ?? "another one", names).filter(({ kind }) => kind !== "confirmed");
  const told = new Set(word.spans.map((span) => span.seat));
  const whom = told.size && word.target_seat !== null && names.length > 2 ? ` by ${listed([...told], names)}` : "";
  const lines = came.map(({ text }) => text[0].toUpperCase() + text.slice(1));
  return state === "in force" ? [OBEYED.replace("obeyed", `obeyed${whom}`), ...lines] : lines;
}

function instruction(row, state, actions, names) {
  const { word: one, mine } = row, over = row.state === "done" || row.state === "replaced";
  const item = el(`li.instruction.${one.status}`, { class: over ? "over" : null, dataset: { id: one.id, state: row.state } },
    el("p.said", { text: `${mine ? "" : `${names[one.seat]}: `}“${one.text}”` }));
  if (one.status === "unread") item.append(el("p", {}, el("b", { text: "Not read. " }), one.sentence));
  else if (!over) item.append(el("p", {}, el("span.muted", { text: one.status === "confirmed" ? "I play like this: " : one.unsure ? "I'm not sure. Do you mean: " : "I read: " }), one.sentence));
  if (one.unread.length && one.status === "read") item.append(el("p.small.muted", { text: `Not read: ${one.unread.join(", ")}` }));
  const [status, ...more] = STATUS[one.status] ? [STATUS[one.status]] : standingText(row, state, names);
  item.append(el("p.small.status", { text: status }), ...more.map((text) => el("p.small.muted", { text })));
  if (state.end || !mine || over) return item;
  const buttons = el("div.row");
  const button = (label, run, kind = "") => buttons.append(el(`button.button.small${kind}`, { type: "button", onClick: run }, label));
  if (one.status === "read") button("Right", () => actions.confirm(one.id), ".primary");
  if (one.status !== "confirmed") button(one.status === "read" ? "Not quite" : "Say it differently", () => rewriteForm(item, one, actions));
  button(one.status === "confirmed" ? "Take it back" : "Drop it", () => actions.withdraw(one.id), ".quiet");
  item.append(buttons);
  return item;
}

function rewriteForm(item, one, actions) {
  if (item.querySelector("form")) return;
  const box = el("textarea", { rows: "2", maxlength: "500", "aria-label": "Say it in other words" });
  box.value = one.text;
  const send = (event) => { event.preventDefault(); const text = box.value.trim(); if (text) actions.rewrite(one.id, { text }); };
  box.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.shiftKey) send(event); });
  if (one.options?.length) {
    item.append(el("p.small.muted", { text: "Did you mean one of these? Or say it in other words." }),
      el("div.reading-options", {}, one.options.map((other) => el("button.reading-option", { type: "button", onClick: () => actions.rewrite(one.id, { choice: other.choice }) }, other.sentence))));
  }
  item.append(el("form.rewrite", { onSubmit: send }, box, el("button.button.small.primary", { type: "submit" }, "Say it like this")));
  box.focus();
  box.select();
}
