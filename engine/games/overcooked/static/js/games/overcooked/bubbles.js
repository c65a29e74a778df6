/**
 * Where words stand over a kitchen: near whoever said them, on no pot and on no other words. Pure; not for: which words
 * are shown (state.js), drawing them (hud.js).
 */

/** @typedef {{x: number, y: number, width: number, height: number}} Box CSS pixels from the kitchen's corner */

const GAP = 6;

/** The area that two boxes share. @param {Box} a @param {Box} b */
const shared = (a, b) => Math.max(0, Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x))
  * Math.max(0, Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y));

/**
 * A place for each of these words: the one that hides least, of those the nearest to over the head.
 * @param {{x: number, y: number, width: number, height: number}[]} words the point over the speaker's head, the size of
 *   the words @param {Box[]} pots @param {Box} room what they may stand in @param {number} cell of the kitchen
 * @returns {{x: number, y: number, below: boolean}[]}
 */
export function places(words, pots, room, cell) {
  const taken = [...pots];
  return words.map(({ x, y, width, height }) => {
    const columns = [-width / 2, -width - cell / 2, cell / 2].map(
      (dx) => Math.max(room.x, Math.min(room.x + room.width - width, x + dx)));
    const least = room.y, most = room.y + room.height - height;
    // Over the head, under the feet, then further and further away.
    const rows = [y - height - GAP, y + cell * 1.2];
    for (let far = 1; far * (height + GAP) < room.height; far += 1) rows.push(rows[0] - far * (height + GAP),
      rows[1] + far * (height + GAP));
    const inside = rows.filter((row) => row >= least && row <= most);
    const tries = (inside.length
      ? inside
      : [Math.max(least, Math.min(most, rows[0]))]).flatMap(
        (row) => columns.map((column) => ({ x: column, y: row, width, height })));
    const hidden = tries.map((box) => taken.reduce((sum, other) => sum + shared(box, other), 0));
    const best = tries[hidden.indexOf(Math.min(...hidden))];
    taken.push(best);
    return { x: best.x, y: best.y, below: best.y > y };
  });
}
