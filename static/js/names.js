/**
 * What seats are called in sentences. Rules and readings say "Player 3", since they know no names; pages put the name
 * in its place that the seat has everywhere else. Pure. Not for: the names themselves (webapp/episodes/people.py).
 */

/**
 * What stands in quotes is as it was typed.
 * @param {string} text
 * @param {string[]} names by seat, "You" for the reader's own
 */
export function withNames(text, names) {
  const told = text.replace(/“[^”]*”|\bplayer (\d{1,2})\b('s)?/gi, (whole, number, of, at) => {
    const name = number && names[Number(number) - 1];
    if (!name) return whole;
    const begins = at === 0 || /[.!?]\s$/.test(text.slice(0, at));
    if (name === "You") return of ? (begins ? "Your" : "your") : begins ? "You" : "you";
    return name + (of ?? "");
  });
  return told.startsWith("You ") ? told.replace("(their ", "(your ") : told;
}

const ALIKE = ["can", "could", "will", "would", "shall", "should", "may", "might", "must", "told", "gave", "had",
  "did", "can't", "won't"];
/** @type {Record<string, string>} */
const THIRD = { are: "is", "aren't": "isn't", have: "has", do: "does", "don't": "doesn't", go: "goes", were: "was" };
const SHORT = /** @type {Record<string, string>} */ ({ re: "is", ve: "has", ll: "will", d: "would" });
const third = (/** @type {string} */ verb) => THIRD[verb] ?? (ALIKE.includes(verb) || /ed$/.test(verb)
  ? verb
  : `${verb}${/(?:s|x|ch|sh)$/.test(verb) ? "es" : "s"}`);
// What stands before a "you" that does something: "when you hint", "the point that you look at"; else something is done
// to it.
const BEFORE = "and|but|or|when|whenever|if|once|while|until|unless|before|after|that|what|whatever|which|where|as"
  + "|because|then|whoever";
const DOES = new RegExp(`(?:^|[.;:,!?(“]\\s*|\\b(?:${BEFORE})\\s+)$`, "i");
// "When you hint red and touch one card": what else you do, up to where somebody else may do something.
const AND_DOES = new RegExp(
  "\\b((?:when|whenever|if|once|while|unless) you (?!(?:can|do|don't|could|will|would|may|might|must|should)\\b)"
  + "[^.,;:!?]*? (?:and|or)) (touch|hint|play|discard|have|give|put|take|bring|serve|wait|stay|go|fire)\\b", "gi");

/**
 * What an agent answers whoever told it something ("I follow you"), as others are told it: "I follow Bea".
 * @param {string} text @param {string} name of who said it
 */
export const toldTo = (text, name) => text
  .replace(AND_DOES, (_, before, verb) => `${before} ${third(verb)}`)
  .replace(/\b(you)(?:( do not)|'(re|ve|ll|d))?\b(?!')(?: ([a-z]+(?:'t)?)\b)?/gi,
    (whole, you, not, short, verb, at, all) => {
    const rest = verb ? ` ${verb}` : "";
    if (not) return `${name} does not${rest}`;
    if (short) return `${name} ${SHORT[short]}${rest}`;
    return verb && DOES.test(all.slice(0, at)) ? `${name} ${third(verb)}` : `${name}${rest}`;
  })
  .replace(/\byour\b/gi, `${name}'s`);

/**
 * A reading with names, as whoever looks is told it.
 * @param {string} sentence
 * @param {number} speaker
 * @param {string[]} names by seat, "You" for the reader's own
 */
export function readingFor(sentence, speaker, names) {
  const name = names[speaker];
  return withNames(name && name !== "You" ? toldTo(sentence, `Player ${speaker + 1}`) : sentence, names);
}

/**
 * A frame that tells of an instruction, with names in its readings; other frames as they are.
 * @param {any} frame @param {string[]} names
 */
export function namedFrame(frame, names) {
  if (frame.type !== "instruction") return frame;
  const own = (/** @type {string} */ sentence) => (frame.status === "unread"
    ? withNames(sentence, names)
    : readingFor(sentence, frame.seat, names));
  const options = (frame.options ?? []).map((/** @type {any} */ one) => ({ ...one, sentence: own(one.sentence) }));
  return { ...frame, options, sentence: own(frame.sentence ?? "") };
}

/**
 * What a seat says by a line of the log: {seat, text}; null for other lines.
 * @param {any} line @param {string[]} names
 */
export function wordOf({ type, seat, text }, names) {
  if (type === "reason") return { seat, text: withNames(text, names) };
  return ["utterance", "instruction", "answer"].includes(type) ? { seat, text } : null;
}
