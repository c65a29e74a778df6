/**
 * What the page after a game shows while it counts, marks and waits, as pure functions. Not for: the page (ending.js).
 */
import { withNames } from "./names.js";

export const COUNT = 800; // ms in which a score is counted up

/**
 * The number shown `passed` ms after a count began, slower towards its end.
 * @param {number} score
 * @param {number} passed
 */
export function counted(score, passed) {
  const part = Math.min(1, Math.max(0, passed / COUNT));
  const now = score * (1 - (1 - part) ** 3);
  return part === 1 ? score : Math.trunc(now);
}

/**
 * The number that a result begins with, and what stands around it; null for one that has none ("Draw").
 * @param {string} text
 */
export function numberIn(text) {
  const found = /^([^\d-]*)(-?\d+)(.*)$/.exec(text.trim());
  return found && { before: found[1], score: Number(found[2]), after: found[3] };
}

/** When a moment was: "Move 31", "1:05". @param {number} tick @param {number} perSecond 0 without a clock */
export function whenOf(tick, perSecond) {
  if (!perSecond) return `Move ${tick}`;
  const seconds = Math.floor(tick / perSecond);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A moment in words. @param {{text: string, effect: string}} moment @param {string[]} names by seat */
export const sentenceOf = (moment, names) => [moment.text, moment.effect].filter(Boolean)
  .map((text) => withNames(text, names)).join(" ");

/**
 * What a clip shows.
 * @param {{first: number, last: number, format: string}} clip
 * @param {number} last tick
 * @param {number} perSecond
 */
export function clipWords(clip, last, perSecond) {
  const whole = clip.first === 0 && clip.last === last;
  const part = whole
    ? "The whole game"
    : `From ${whenOf(clip.first, perSecond).toLowerCase()} to ${whenOf(clip.last, perSecond).toLowerCase()}`;
  return `${part}, everything open, as ${clip.format.toUpperCase()}.`;
}
