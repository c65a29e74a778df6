/**
 * How hard a match of Arena is: the grades of the squads that one meets. Pure. Not for: who sits where (lobby.js).
 */

/**
 * The grade of each of `rivals` squads. A level names three: where fewer are met, the stronger ones come, so that
 * levels differ against one squad as well; where more are, the three come again.
 * @param {string[]} sides a level's grades, from the weakest on @param {number} rivals
 */
export function gradesOf(sides, rivals) {
  return Array.from({ length: rivals }, (_, i) => sides[(i + Math.max(0, sides.length - rivals)) % sides.length]);
}

/** Whether a person sits there, whose seat no level takes. */
export const isPerson = (wish) => wish === "me" || wish === "friend";

/**
 * The level that the agents of the other squads are of, "" for none.
 * @param {Map<string, string[]>} levels by name
 * @param {string[][]} squads wishes of each
 * @param {(wish: string) => string} known who plays for a wish
 */
export function levelOf(levels, squads, known) {
  const fits = (grades) =>
    squads.every((squad, i) => squad.every((wish) => isPerson(wish) || wish === known(grades[i])));
  return [...levels].find(([, sides]) => !squads.flat().every(isPerson) && fits(gradesOf(sides, squads.length)))?.[0]
    ?? "";
}
