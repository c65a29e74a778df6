/**
 * What seats are called in sentences. Rules and readings say "Player 3", since they know no names; pages put the name in
 * its place that the seat has everywhere else. Pure. Not for: the names themselves (webapp/replays/people.py).
 */

/** @param {string} text @param {string[]} names by seat, "You" for the reader's own */
export function withNames(text, names) {
  const told = text.replace(/\bplayer (\d{1,2})\b('s)?/gi, (whole, number, of, at) => {
    const name = names[Number(number) - 1];
    if (!name) return whole;
    const begins = at === 0 || /[.!?]\s$/.test(text.slice(0, at));
    if (name === "You") return of ? (begins ? "Your" : "your") : begins ? "You" : "you";
    return name + (of ?? "");
  });
  return told.startsWith("You ") ? told.replace("(their ", "(your ") : told;
}

/** A frame that tells of an instruction, with names in its readings; other frames as they are. @param {object} frame */
export function namedFrame(frame, names) {
  if (frame.type !== "instruction") return frame;
  const options = (frame.options ?? []).map((one) => ({ ...one, sentence: withNames(one.sentence, names) }));
  return { ...frame, options, sentence: withNames(frame.sentence ?? "", names) };
}

/** What a seat says by a frame, of its own accord or about why it moved so: {seat, text}; null for other frames. */
export function wordOf({ type, seat, text }, names) {
  if (type === "utterance") return { seat, text };
  return type === "reason" ? { seat, text: withNames(text, names) } : null;
}
