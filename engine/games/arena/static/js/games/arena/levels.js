/**
 * How hard a match of Arena is: the grades of the squads that one meets. Pure. Not for: who sits where (lobby.js).
 */

/**
 * The grade of each of `rivals` squads. Where a level names more, the stronger ones come; where it names fewer, they
 * come again. A squad's grade is who sits in it: its seats take that one after the other.
 * @param {string[][]} sides a level's grades, from the weakest on @param {number} rivals
 */
export function gradesOf(sides, rivals) {
  return Array.from({ length: rivals }, (_, i) => sides[(i + Math.max(0, sides.length - rivals)) % sides.length]);
}

/** Whether a person sits there, whose seat no level takes. */
export const isPerson = (wish) => wish === "me" || wish === "friend";

/**
 * The level that the agents of the other squads are of, "" for none.
 * @param {[string, string[][]][]} levels names and sides
 * @param {string[][]} squads wishes of each
 * @param {(wish: string) => string} known who plays for a wish
 */
export function levelOf(levels, squads, known) {
  const fits = (grades) =>
    squads.every((squad, i) =>
      squad.every((wish, k) => isPerson(wish) || wish === known(grades[i][k % grades[i].length])));
  return levels.find(([, sides]) => !squads.flat().every(isPerson) && fits(gradesOf(sides, squads.length)))?.[0]
    ?? "";
}
