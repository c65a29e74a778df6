/**
 * What the marking side of a replay page says: of the move that is shown, of each mark, of what is saved. Pure. Not
 * for: what marks are (marks.js), keys, buttons and the outbox (marker.js).
 *
 * @typedef {{id: string, episode: string, seat: number, tick: number, sign: number, note?: string,
 *   context?: {reason?: string}}} Mark
 */
import { isolated } from "./lib/isolated.js";

/** What a sign is called. @type {Record<number, string>} */
export const WORD = { 1: "Progress", [-1]: "Regression" };

/**
 * The tick that a key marks: while the replay plays, as far back as the annotator has chosen, but not before the first
 * move; 0 where nothing has happened yet.
 * @param {{tick: number, playing: boolean}} position
 * @param {number} offset in ticks
 */
export const markedTick = ({ tick, playing }, offset) => (tick === 0 ? 0 : Math.max(1, tick - (playing ? offset : 0)));

/**
 * What a mark here is about, in a sentence or two.
 * @param {{names: string[], turn_based?: boolean}} page
 * @param {number} seat that is marked
 * @param {{seat: number}|undefined} event the one move that led here, where seats take turns
 * @param {boolean} markable whether something has happened
 * @param {string} asked the instructions in force for it, "" for none
 */
export function about(page, seat, event, markable, asked) {
  const name = page.names[seat];
  const move = !markable ? "Nothing has happened yet."
    : !page.turn_based ? `About what ${name} did up to this tick.`
    : event && event.seat !== seat ? `This move was made by ${page.names[event.seat]}; the mark is about ${name}.`
    : `About the move of ${name} that led here.`;
  return asked ? `${move} In force then: ${asked}.` : move;
}

/** @param {Mark} mark @param {string[]} names */
const ofWhom = (mark, names) => `${WORD[mark.sign] ?? "Mark"} of ${names[mark.seat] ?? `seat ${mark.seat}`}`;

/**
 * A mark in words: what it is, whether it is saved, what was in force, why it was made.
 * @param {Mark} mark
 * @param {{names: string[], status: string, asked: string, reasons: Record<string, string>}} page
 */
export function label(mark, { names, status, asked, reasons }) {
  return [`${ofWhom(mark, names)} at tick ${mark.tick}: ${status}`, asked && `told ${asked}`,
    reasons[mark.context?.reason ?? ""], isolated(mark.note ?? "")].filter(Boolean).join(" · ");
}

/**
 * How the marks stand: a line, its state, and what there is to do about it ("" for nothing).
 * @param {{pending: number, failed: number, trouble: string, sentence: string}} outbox
 * @param {number} saved how many are
 * @returns {{line: string, state: "saved"|"pending"|"failed", trouble: string}}
 */
export function saving({ pending, failed, trouble, sentence }, saved) {
  const line = [pending && `${pending} pending`, failed && `${failed} failed`, `saved ✓ ${saved}`];
  const marks = `${pending} mark${pending === 1 ? " is" : "s are"}`;
  const refused = `The server refused ${failed === 1 ? "a mark, which is" : `${failed} marks, which are`} not saved:`;
  return {
    line: line.filter(Boolean).join(" · "),
    state: failed ? "failed" : pending ? "pending" : "saved",
    trouble: trouble ? `${sentence} ${marks} kept in this browser and will be sent again.` : failed ? refused : "",
  };
}

/**
 * A mark that the server refused, in words, and the page on which it can be put right; null: this one.
 * @param {{mark: Mark, sentence: string}} refused
 * @param {{episode: string, names: string[]}} page
 */
export function refusal({ mark, sentence }, page) {
  const here = mark.episode === page.episode;
  const whose = here ? ofWhom(mark, page.names) : `${WORD[mark.sign] ?? "Mark"} of another episode`;
  return { text: `${whose} at tick ${mark.tick}: ${sentence}`,
    address: here ? null : `../${mark.episode}/?tick=${mark.tick}&seat=${mark.seat}` };
}
