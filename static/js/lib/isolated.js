/**
 * What people typed, so that it turns nothing that stands round it: a text with letters written from right to left
 * stands between isolates, and characters that turn others are taken out. Other texts are as they were. Pure. The
 * templates' filter of the same name: webapp/common/templatetags/typed.py.
 */

const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const FROM_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** @param {string} text */
export function isolated(text) {
  const plain = text.replace(TURNING, "");
  return FROM_RIGHT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/**
 * A frame of a match with the names and words of people isolated, in all that it tells of.
 * @param {Record<string, any>} frame
 */
export function isolatedFrame(frame) {
  /** @param {any} one */
  const named = (one) => (typeof one?.name === "string" ? { ...one, name: isolated(one.name) } : one);
  const found = { ...frame };
  if (Array.isArray(frame.seats)) found.seats = frame.seats.map(named);
  if (Array.isArray(frame.names)) found.names = frame.names.map(isolated);
  if (Array.isArray(frame.dialogue)) found.dialogue = frame.dialogue.map(isolatedFrame);
  if (typeof frame.text === "string") found.text = isolated(frame.text);
  return found;
}
