/**
 * What an annotator does to the marks of an episode, by keys and buttons, and what the page says to it. Pure: a book of
 * marks (marks.js) changes, nothing else. Not for: the page, the outbox (marker.js), words on marks (mark-state.js).
 *
 * @typedef {import("./marks.js").Mark} Mark
 * @typedef {import("./marks.js").MarkBook} MarkBook
 * @typedef {{may_mark: boolean, why_not?: string}} Page
 * @typedef {{tick: number, seat: number, playing: boolean, speed: number}} Position where the replay stands
 * @typedef {{mark?: Mark|null, say?: string, bad?: boolean, brief?: boolean, tick?: number}} Done `mark`: the changed
 *   one, to be kept; `say`: a message (`bad`: something is wrong; `brief`: it passes soon); `tick`: where to go then
 */
import { markedTick } from "./mark-state.js";

const TOOL = "replay-1";

/** @param {Page} page @returns {Done} */
const refused = (page) => ({ say: page.why_not, bad: true });

/**
 * A sign at what is shown; while the replay plays, `offset` ticks before it.
 * @param {MarkBook} book @param {Page} page @param {Position} position @param {number} offset
 * @param {1|-1} sign @param {string} input "key" or "mouse"
 * @returns {Done}
 */
export function toggled(book, page, position, offset, sign, input) {
  if (!page.may_mark) return refused(page);
  const { seat, playing, speed } = position, back = playing ? offset : 0;
  const mark = book.toggle(seat, markedTick(position, back), sign,
    { input, playing, speed, offset: back, tool: TOOL });
  return mark ? { mark } : { say: "There is no move to mark at the start. Go one tick on." };
}

/** @param {MarkBook} book @param {Page} page @param {string} id @param {number} tick @returns {Done} */
export function moved(book, page, id, tick) {
  if (!page.may_mark) return refused(page);
  const before = book.byId.get(id), mark = book.move(id, tick);
  if (mark || !before || before.tick === tick) return { mark };
  return { say: "A mark can't go there: the seat has one at that tick already, or it is no move." };
}

/**
 * The mark that is shown goes some ticks on, and the replay with it.
 * @param {MarkBook} book @param {Page} page @param {Position} position @param {number} by
 * @returns {Done}
 */
export function nudged(book, page, { seat, tick }, by) {
  const mark = book.at(seat, tick);
  if (!mark) return { say: "No mark of this seat at this tick." };
  const done = moved(book, page, mark.id, tick + by);
  return done.mark ? { ...done, tick: tick + by } : done;
}

/** @param {MarkBook} book @param {Page} page @param {Position} position @returns {Done} */
export function removed(book, page, { seat, tick }) {
  const mark = book.at(seat, tick);
  return mark && page.may_mark ? { mark: book.remove(mark.id) } : {};
}

/**
 * Why the mark that is shown was made.
 * @param {MarkBook} book @param {Page} page @param {Position} position @param {string} reason
 * @returns {Done}
 */
export function explained(book, page, { seat, tick }, reason) {
  const mark = book.at(seat, tick);
  if (!mark) return { say: "A reason belongs to a mark: mark this tick first." };
  return page.may_mark ? { mark: book.explain(mark.id, reason) } : {};
}

/** @param {MarkBook} book @param {"undo"|"redo"} direction @returns {Done} */
export function travelled(book, direction) {
  const mark = book[direction]();
  return mark ? { mark, tick: mark.tick } : { say: `Nothing to ${direction}.`, brief: true };
}

/**
 * How the buttons stand at a tick of a seat.
 * @param {MarkBook} book @param {Page} page @param {number} seat @param {number} tick
 * @returns {{mark: Mark|null, sign: number, reason: string, canMark: boolean, canExplain: boolean}}
 *   `sign`: 0 without a mark
 */
export function controls(book, page, seat, tick) {
  const mark = book.at(seat, tick);
  return { mark, sign: mark?.sign ?? 0, reason: mark?.context?.reason ?? "",
    canMark: page.may_mark && book.isMarkable(tick), canExplain: Boolean(mark) && page.may_mark };
}
