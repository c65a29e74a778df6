/** What the New round form offers, as pure functions. Not for the page itself (round-form.js). */

/**
 * The agents that a round of a variant ("hanabi", "overcooked/cramped_room") can go on from.
 * @param {Record<string, string>} variants variant by agent
 * @param {string} variant
 * @returns {string[]}
 */
export function basesOf(variants, variant) {
  return Object.keys(variants).filter((ref) => variants[ref] === variant);
}

/** The agent that stays chosen: the one that is, if it can be, else the first one; "" if there is none. */
export function stillChosen(refs, ref) {
  return refs.includes(ref) ? ref : refs[0] || "";
}

/** The values that a size sets in a variant's game. */
export function valuesOf(preset, variant) {
  return preset.values[variant.split("/")[0]] || {};
}
