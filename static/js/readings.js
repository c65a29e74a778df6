/**
 * What the page knows of an instruction while it is typed: its readings, the words that were not understood, and what
 * was said before. Pure. Not for: drawing and keys (reading-box.js), reading itself (the server).
 *
 * @typedef {{choice: number, sentence: string, chips: string[], followed?: boolean,
 *   subgoals?: import("./wants.js").Subgoal[]}} Option
 * @typedef {{refused: boolean, sentence: string, unread: string[], unsure: boolean, readings: Option[],
 *   text?: string, ask?: boolean, seal?: string|null}} Result, `seal`: the same, to be sent with the instruction
 */
import { codeOf } from "./lib/codes.js";
import { many } from "./lib/many.js";
import { withNames } from "./names.js";

const folded = (/** @type {string} */ word) => word.normalize("NFKC").toLowerCase().replace(/[’‘]/g, "'");

/**
 * The typed text cut up so that joined again it is the text: [{text, unread}]. Words that the reader corrected before
 * it gave up on them are not found again, and stay unmarked.
 * @param {string} text @param {string[]} unread words that were not understood, in their order
 */
export function marked(text, unread) {
  const typed = [...text.matchAll(/[\p{L}\p{N}'’‘]+/gu)];
  const words = typed.map((match) => folded(match[0]));
  const entryOf = words.map(() => -1); // the entry that a word was marked for
  /** @param {string[]} wanted @param {number} number */
  const mark = (wanted, number) => {
    const at = words.findIndex((_, i) => wanted.every((word, k) => words[i + k] === word && entryOf[i + k] < 0));
    if (at >= 0) entryOf.fill(number, at, at + wanted.length);
    return at >= 0;
  };
  unread.forEach((entry, number) => {
    const wanted = folded(entry).match(/[\p{L}\p{N}']+/gu) ?? [];
    // What was left out in one piece stands so in the text; else its words are looked for one by one.
    if (wanted.length && !mark(wanted, number)) for (const word of wanted) mark([word], number);
  });
  /** @type {{text: string, unread: boolean}[]} */
  const parts = [];
  /** @param {string} piece @param {boolean} unread */
  const add = (piece, unread) => {
    if (!piece) return;
    const last = parts.at(-1);
    if (last && last.unread === unread) last.text += piece;
    else parts.push({ text: piece, unread });
  };
  let from = 0;
  typed.forEach((match, i) => {
    add(text.slice(from, match.index), i > 0 && entryOf[i] >= 0 && entryOf[i] === entryOf[i - 1]);
    add(match[0], entryOf[i] >= 0);
    from = match.index + match[0].length;
  });
  add(text.slice(from), false);
  return parts;
}

/**
 * Who is at a table, as a reader is told: the seats' names, the speaker's seat, the seats of people.
 * @param {{name: string, kind: string}[]} seats
 * @param {number|null} seat
 */
export const company = (seats, seat) => ({ names: seats.map(({ name }) => name), seat,
  people: seats.flatMap(({ kind }, index) => (kind === "person" ? [index] : [])) });

/**
 * The same of a table that is being laid: `wishes` by seat, "me" oneself; who an agent is, by its wish. Twins have the
 * numbers that they will have there.
 * @param {string[]} wishes
 * @param {(wish: string) => string|undefined} agent
 */
export function companyOf(wishes, agent) {
  const plain = wishes.map((wish) => agent(wish) ?? "");
  const twins = plain.map((name, at) => (name && plain.filter((one) => one === name).length > 1
    ? `${name} ${plain.slice(0, at + 1).filter((one) => one === name).length}`
    : name));
  const own = wishes.indexOf("me");
  return company(
    wishes.map((wish, at) => ({ name: twins[at], kind: ["me", "friend"].includes(wish) ? "person" : "agent" })),
    own < 0 ? null : own);
}

/**
 * A result as the speaker reads it: players are called by name.
 * @param {Result} result
 * @param {{names?: string[], seat?: number|null}} company
 */
export function resultFor(result, { names = [], seat = null }) {
  const called = names.map((name, at) => (at === seat ? "You" : name)),
    own = (/** @type {string} */ text) => withNames(text, called);
  const readings = result.readings.map((one) => ({ ...one, sentence: own(one.sentence), chips: one.chips?.map(own) }));
  return { ...result, sentence: own(result.sentence), readings };
}

/** What a reading leaves out, in a sentence; "" where it is all that was said. @param {string[]} unread */
export const leftOut = (unread) => (unread.length ? `I left out: “${unread.join("”, “")}”.` : "");

/**
 * Whether a yes can be asked for: what was meant is no contradiction, and something that agents can do.
 * @param {Result} result
 * @param {Option|null} meant
 */
export const canBeRight = ({ refused }, meant) => !refused && meant?.followed !== false;

/** How firmly an instruction is told, in words. */
export const FIRM = { strict: "To the letter", sensible: "With sense" };

/** What it costs, in a few words. @param {number|undefined} points */
export function inPoints(points) {
  if (points === undefined) return "not measured";
  const whole = Math.round(Math.abs(points));
  if (whole === 0) return "costs about nothing";
  return `${points > 0 ? "costs" : "brings"} about ${many(whole, "point")}`;
}

/**
 * What stands above the readings: what they leave out, then which is done or the question.
 * @param {Result} result with one reading or more
 */
export const headline = (result) => [leftOut(result.unread ?? []), asked(result)].filter(Boolean).join(" ");

/** What can't be done, with so many others to choose from. @param {string} sentence @param {number} count */
export const wouldDo = (sentence, count) => `${sentence} Would ${count > 1 ? "one of these" : "this"} do?`;

/** @param {Result} result */
function asked({ refused, sentence, unsure, readings }) {
  const many = readings.length > 1;
  if (refused) return wouldDo(sentence, readings.length);
  const which = many ? "Do you mean one of these?" : "Do you mean this?";
  if (unsure) return `I'm not sure, and do nothing before you say yes. ${which}`;
  return many ? "I read the first, unless you choose another:" : "I read:";
}

/**
 * The number that Alt and a digit key choose among so many readings, from 0; -1 for other keys.
 * @param {KeyboardEvent} event @param {number} count
 */
export function digitOf(event, count) {
  const digit = event.altKey && !event.ctrlKey && !event.metaKey
    ? /^(?:Digit|Numpad)([1-9])$/.exec(codeOf(event))
    : null;
  return digit && Number(digit[1]) <= count ? Number(digit[1]) - 1 : -1;
}

/**
 * What an agent answers when it begins to obey: {seat, text}, or null; nobody answers for somebody else.
 * @param {{status?: string}|undefined} known the instruction as it was
 * @param {any} told as the host tells it now
 * @param {number[]} agents the seats of those who may be meant
 */
export function answer(known, told, agents) {
  if (told.status !== "confirmed" || known?.status === "confirmed" || !told.sentence) return null;
  const target = told.target_seat ?? null;
  const seat = agents.find((agent) => agent !== told.seat && (target === null || agent === target));
  return seat === undefined ? null : { seat, text: told.sentence };
}

/** What was said before, the latest first, each text once; walked through with the arrow keys like a shell's. */
export class Said {
  /** @param {string[]} texts the latest first */
  constructor(texts = []) {
    this.texts = [...new Set(texts)];
    this.at = -1;
  }

  /** Something was said now. @param {string} text */
  add(text) {
    this.texts = [text, ...this.texts.filter((one) => one !== text)];
    this.at = -1;
  }

  /** Whether the box shows what was said before, or nothing: then the arrows walk. @param {string} value */
  walks(value) { return value === "" || (this.at >= 0 && value === this.texts[this.at]); }

  /**
   * The text one step further back (1) or forth (-1); "" after the latest, null where there is nothing more.
   * @param {1|-1} by @param {string} value
   */
  step(by, value) {
    if (value === "") this.at = -1;
    const at = this.at + by;
    if (at < -1 || at >= this.texts.length) return null;
    this.at = at;
    return at < 0 ? "" : this.texts[at];
  }
}
