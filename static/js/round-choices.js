/** What the New round form offers, as pure functions. Not for the page itself (round-form.js). */

/**
 * The agents that a round of a variant ("game", "game/layout") can go on from.
 * @param {Record<string, string>} variants variant by agent
 * @param {string} variant
 * @returns {string[]}
 */
export function basesOf(variants, variant) {
  return Object.keys(variants).filter((ref) => variants[ref] === variant);
}

/**
 * The agent that stays chosen: the one that is, if it can be, else the first one; "" if there is none.
 * @param {string[]} refs
 * @param {string} ref
 */
export function stillChosen(refs, ref) {
  return refs.includes(ref) ? ref : refs[0] || "";
}

/** The game of a variant. @param {string} variant */
export const gameOf = (variant) => variant.split("/")[0];

/**
 * Whether the parts of the form must be asked for anew: another game or another algorithm was chosen.
 * @param {string} name of the field that changed
 * @param {string} before the variant
 * @param {string} now
 */
export const isOther = (name, before, now) =>
  name.startsWith("algorithm-") || (name === "variant" && gameOf(before) !== gameOf(now));
