/**
 * What the strip under a replay knows: how wide it is, which tick lies where, and the mark that is being dragged. Pure.
 * Not for: drawing and listening (timeline.js), what a mark is (marks.js).
 *
 * @typedef {{id: string, from: number, tick: number, moved: boolean}} Drag of a mark, from a tick to the one it is over
 * @typedef {{last: number, width: number, left: number, drag: Drag|null}} Strip `last`: the last tick; `width` and
 *   `left` in CSS pixels
 */

const EDGE = 9; // CSS pixels from a mark's middle to its side

/** @param {number} last @returns {Strip} */
export const fresh = (last) => ({ last, width: 0, left: 0, drag: null });

/** Width of one tick in CSS pixels. @param {Strip} strip */
export const column = ({ width, last }) => width / (last + 1);

/** The middle of a tick. @param {Strip} strip @param {number} tick */
export const center = (strip, tick) => (tick + 0.5) * column(strip);

/** The tick under the pointer, the nearest where it is outside. @param {Strip} strip @param {number} clientX */
export const tickAt = (strip, clientX) =>
  Math.max(0, Math.min(strip.last, Math.floor((clientX - strip.left) / column(strip))));

/** Where a mark stands: whole at the first and the last tick, too. @param {Strip} strip @param {number} tick */
export const markAt = (strip, tick) => Math.max(EDGE, Math.min(strip.width - EDGE, center(strip, tick)));

/**
 * Which ticks are drawn small, and in which box.
 * @param {Strip} strip
 * @param {{width: number, height: number}} size of a picture
 */
export function pictures(strip, { width, height }) {
  const each = Math.max(1, Math.ceil((width * (strip.last + 1)) / strip.width));
  return Array.from({ length: Math.ceil((strip.last + 1) / each) }, (_, i) => {
    const x = i * each * column(strip);
    return { tick: Math.min(strip.last, i * each + (each >> 1)),
      box: { x, y: 0, width: Math.min(each * column(strip), strip.width - x), height } };
  });
}

/**
 * The classes of a mark's triangle.
 * @param {{id: string, sign: number, status: string, other?: boolean}} mark
 * @param {string|null} selected
 */
export const markClass = (mark, selected) => ["strip-mark", mark.sign > 0 ? "progress" : "regression", mark.status,
  mark.id === selected && "selected", mark.other && "other-seat"].filter(Boolean).join(" ");

const OTHER = 13; // CSS pixels of another person's row

/**
 * Other people's marks: a row a person, in the order in which they come.
 * @param {Strip} strip
 * @param {{who: string, tick: number, sign: number}[]} others
 * @returns {{height: number, rows: {who: string, y: number}[], marks: {x: number, y: number, sign: number}[]}}
 */
export function otherRows(strip, others) {
  const people = [...new Set(others.map(({ who }) => who))];
  const middle = (/** @type {string} */ who) => OTHER * (people.indexOf(who) + 0.5) + 1;
  return { height: OTHER * people.length + 2, rows: people.map((who) => ({ who, y: middle(who) })),
    marks: others.map(({ who, tick, sign }) => ({ x: center(strip, tick), y: middle(who), sign })) };
}

/**
 * What stands in the row of events: a high bar went well, a cross badly, a flat one neither; a dot: somebody spoke.
 * @param {Strip} strip
 * @param {{tick: number, tone?: string}[]} events
 * @param {{tick: number, kind: string}[]} words
 * @returns {{shape: string, tone: string, x: number, y: number, width: number, height: number}[]} `shape`: "cross" or
 *   "dot", at its middle, or "bar", at its corner; `tone`: "good", "bad", "plain" or "word"
 */
export function eventShapes(strip, events, words) {
  const size = Math.max(2, Math.min(column(strip) - 1, 8));
  const bar = { good: { y: 2, height: 8 }, plain: { y: 5, height: 3 } };
  const shapes = events.map(({ tick, tone: named }) => {
    const x = center(strip, tick), tone = named === "good" || named === "bad" ? named : "plain";
    return tone === "bad"
      ? { shape: "cross", tone, x, y: 6, width: size + 2, height: size + 2 }
      : { shape: "bar", tone, x: x - size / 2, width: size, ...bar[tone] };
  });
  const spoken = words.filter(({ kind }) => kind !== "instruction" && kind !== "reason");
  return [...shapes, ...spoken.map(({ tick }) =>
    ({ shape: "dot", tone: "word", x: center(strip, tick), y: 14, width: 5, height: 5 }))];
}

/** A mark is taken up. @param {Strip} strip @param {{id: string, tick: number}} mark @returns {Strip} */
export const grab = (strip, { id, tick }) => ({ ...strip, drag: { id, from: tick, tick, moved: false } });

/**
 * The pointer moves a mark; the strip itself while it stays over the same tick.
 * @param {Strip} strip
 * @param {number} clientX
 * @returns {Strip}
 */
export function drag(strip, clientX) {
  const tick = tickAt(strip, clientX);
  return !strip.drag || strip.drag.tick === tick ? strip : { ...strip, drag: { ...strip.drag, tick, moved: true } };
}

/**
 * The mark is let go: one that never moved was clicked.
 * @param {Strip} strip
 * @param {number|null} clientX null: given up
 * @returns {{strip: Strip, does: "open"|"move"|"", id: string, tick: number}} `tick`: where it was, or where it goes
 */
export function drop(strip, clientX) {
  const after = { ...strip, drag: null };
  if (!strip.drag || clientX === null) return { strip: after, does: "", id: "", tick: 0 };
  const { id, moved, from } = strip.drag;
  return { strip: after, does: moved ? "move" : "open", id, tick: moved ? tickAt(strip, clientX) : from };
}
