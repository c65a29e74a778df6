/** Log and instructions beside the table, drawn from what the host has sent. Not for: sending (table.js). */
import { el } from "./lib/dom.js";
import { lastSentence } from "./games/hanabi.js";

/** Sentences of the rules say "Player 2"; people have names. @param {string[]} names by seat */
export const withNames = (text, names) => text.replace(/\bPlayer (\d)\b/g, (whole, number) => names[Number(number) - 1] || whole);

/** Moves and words in the order in which they happened: [{tick, kind, seat, text}], the oldest first. Pure. */
export function entries({ view, history, dialogue }, names, seat) {
  if (!view) return [];
  const moves = history.map((last, index) => ({
    tick: index + 1, kind: last.kind === "play" && !last.success ? "misplay" : last.kind, seat: last.seat, text: lastSentence({ ...view, seat, last }, names),
  }));
  const who = (index) => (index === seat ? "You" : names[index]);
  const words = dialogue.map((event) => ({
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

const STATUS = { confirmed: "✓ obeyed from the next move on", read: "waits for your answer", unread: "stored, but not read" };

/**
 * One's own instructions that still hold, each with its reading and what one may do about it.
 * @param {{confirm: Function, rewrite: Function, withdraw: Function}} actions
 */
export function drawInstructions(root, state, seat, actions) {
  const mine = [...state.instructions.values()].filter((one) => one.seat === seat && STATUS[one.status]);
  const signature = mine.map((one) => one.id + one.status).join() + Boolean(state.end);
  if (root.dataset.signature === signature) return;
  root.dataset.signature = signature;
  root.replaceChildren(...mine.reverse().map((one) => instruction(one, state, actions)));
}

function instruction(one, state, actions) {
  const item = el(`li.instruction.${one.status}`, {}, el("p.said", { text: `“${one.text}”` }));
  if (one.status === "unread") item.append(el("p", {}, el("b", { text: "Not read. " }), one.sentence));
  else item.append(el("p", {}, el("span.muted", { text: one.status === "confirmed" ? "I play like this: " : "I read: " }), one.sentence));
  if (one.unread.length && one.status === "read") item.append(el("p.small.muted", { text: `Not read: ${one.unread.join(", ")}` }));
  item.append(el("p.small.status", { text: STATUS[one.status] }));
  if (state.end) return item;
  const row = el("div.row");
  const button = (label, run, kind = "") => row.append(el(`button.button.small${kind}`, { type: "button", onClick: run }, label));
  if (one.status === "read") button("Right", () => actions.confirm(one.id), ".primary");
  if (one.status !== "confirmed") button(one.status === "read" ? "Not quite" : "Say it differently", () => rewriteForm(item, one, actions));
  button(one.status === "confirmed" ? "Take it back" : "Drop it", () => actions.withdraw(one.id), ".quiet");
  item.append(row);
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
