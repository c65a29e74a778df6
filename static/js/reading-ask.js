/**
 * A reading that isn't sure enough to be obeyed, in a running game: the question on its chip, and the keys that answer
 * it. Y or Alt+1 is yes, Alt+2 and Alt+3 are the other readings. And the other question, once something is done: was
 * that what was meant? Not for: readings while one types (reading-box.js),
 * what a chip is (table-state.js), sending (each page's own business).
 *
 * @typedef {{confirm: (id: string) => void, choose: (id: string, choice: number) => void}} Answers
 */
import { el, isTyping } from "./lib/dom.js";
import { isOver } from "./lib/life.js";
import { digitOf, leftOut, wouldDo } from "./readings.js";

const OTHERS = 2;
/** What a chip's phase says. @type {Record<string, string>} */
export const PHASES = { read: "read, not obeyed yet", unread: "not read", waiting: "will do", obeying: "doing it",
  unable: "can't be done now", done: "done", out: "over", replaced: "replaced" };
/** Its sign. @type {Record<string, string>} */
export const CHIP_SIGNS = { read: "?", unread: "✗", waiting: "…", obeying: "▶", unable: "–", done: "✓",
  out: "–", replaced: "↷" };

/**
 * What stands on a chip. What was understood and can't be done has others to choose from.
 * @param {{phase: string, mine: boolean, text: string, sentence: string, unread?: string[], options?: object[]}} chip
 */
export function chipText(chip) {
  if (chip.phase === "unread" && chip.options?.length)
    return chip.mine ? wouldDo(chip.sentence, chip.options.length) : chip.sentence;
  if (chip.phase === "unread") return `Not read: “${chip.text}”`;
  const said = chip.sentence || chip.text,
    asked = chip.mine ? `I'm not sure: do you mean “${said}”` : `“${chip.text}” may mean: ${said}`;
  return [chip.phase === "read" ? asked : said, leftOut(chip.unread ?? [])].filter(Boolean).join(" ");
}

/**
 * The chip that waits for this player's answer, the latest first; undefined: none does.
 * @param {any[]} chips
 */
export const asking = (chips) => chips.findLast((chip) => chip.phase === "read" && chip.mine);

/**
 * The chip about which a player's yes or no is now: the latest of their own that is over, else that is being obeyed,
 * and of which they haven't said it yet, else the last of which they have; undefined: there is none.
 * @param {any[]} chips
 */
export function judging(chips) {
  const own = chips.filter((chip) => chip.mine && mayBeJudged(chip.phase)), open = own.filter((chip) => !chip.judged);
  return open.findLast(({ phase }) => isOver(phase)) ?? open.at(-1) ?? own.at(-1);
}

/** Whether there is something to say of what was done. @param {string} phase */
export const mayBeJudged = (phase) => isOver(phase) || ["waiting", "obeying", "unable"].includes(phase);

/** @type {[1|-1, string, string, string][]} */
const JUDGED = [[1, "+", "Yes, that", "Yes, that is what I meant"], [-1, "−", "No", "No, that isn't what I meant"]];

/**
 * The buttons that say whether what was done is what was meant; pressed again they take it back.
 * @param {{id: string, text: string}} chip @param {(id: string, sign: 1|-1|0) => void} judge
 */
export const judgeButtons = ({ id, text }, judge) => JUDGED.map(([sign, mark, short, long]) => el("button.chip-judge",
  { type: "button", "aria-pressed": "false", "aria-label": `${long}: ${text}`, title: `${long} (${mark})`,
    dataset: { sign }, onClick: (/** @type {any} */ { currentTarget }) =>
      judge(id, currentTarget.getAttribute("aria-pressed") === "true" ? 0 : sign) },
  el("kbd", { text: mark }), el("span", { text: ` ${short}` })));

/**
 * The buttons that answer a chip's question; keys answer whether a guess is right.
 * @param {{id: string, phase: string, options: {choice: number, sentence: string}[]}} chip
 * @param {Answers} answers
 */
export function answerButtons(chip, { confirm, choose }) {
  const guess = chip.phase === "read";
  const yes = () =>
    el("button.chip-yes", { type: "button", onClick: () => confirm(chip.id) }, el("kbd", { text: "Y" }), " Yes");
  return [...(guess ? [yes()] : []), ...chip.options.slice(0, OTHERS)
    .map((one, index) => el("button.chip-other", { type: "button", onClick: () => choose(chip.id, one.choice) },
    guess && el("kbd", { text: `Alt+${index + 2}` }), ` ${one.sentence}`))];
}

/**
 * Alt and a digit answer the latest question before anything else hears of them.
 * @param {() => object[]} chips
 * @param {Answers} answers
 */
export function listenForAnswers(chips, answers) {
  window.addEventListener("keydown", (event) => {
    if (isTyping(event.target)) return;
    const chip = asking(chips());
    const index = chip ? digitOf(event, 1 + Math.min(OTHERS, chip.options.length)) : -1;
    if (index < 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (index === 0) answers.confirm(chip.id); else answers.choose(chip.id, chip.options[index - 1].choice);
  }, { capture: true });
}

/** What a screen reader is told of an instruction of one's own. @param {any} frame */
export function spoken(frame) {
  const words = [frame.sentence, leftOut(frame.unread ?? [])].filter(Boolean).join(" ");
  if (frame.status === "unread" && frame.options?.length) return wouldDo(frame.sentence, frame.options.length);
  if (frame.status === "unread") return `Not read: ${frame.sentence}`;
  if (frame.status === "withdrawn") return "Taken back.";
  if (frame.status === "read") return `I'm not sure. Do you mean: ${words} Y for yes; nothing is done before.`;
  return `Read: ${words}`;
}
