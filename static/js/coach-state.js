/** What the coach of a guided first game offers and says, from a frame of the host. Not for: the panel (coach.js). */
import { codeName } from "./lib/codes.js";

/**
 * What the panel's buttons are, the one that the key presses first: [{does, text, value}].
 * @param {{tell: string[], asks: string, shown: boolean, step: number, steps: number}} told a frame "coach"
 */
export function buttonsOf({ tell, asks, shown, step, steps }) {
  const said = tell.map((value) => ({ does: "tell", text: `“${value}”`, value }));
  const asked = asks ? [{ does: "wake", text: asks, value: "" }] : [];
  const stop = shown
    ? [{ does: "leave", text: step === steps ? "Mark the move" : "Stop here and mark the move", value: "" }]
    : [];
  return [...said, ...asked, ...stop];
}

/**
 * What the coach says, with the keys of whoever plays in the places of the actions' names: "press [kitchen.act]".
 * @param {string} say @param {Record<string, string>} keys by action, as bindings name them
 */
export const withKeys = (say, keys) => say.replace(/\[([\w.-]+)\]/g, (whole, name) => {
  const key = keys[name];
  return !key ? whole : key.length === 1 ? key.toUpperCase() : codeName(key);
});

/**
 * What is read out when somebody has come on.
 * @param {{noticed: string, say: string, step: number, steps: number}} told a frame "coach"
 */
export const spokenOf = ({ noticed, say, step, steps }) =>
  `${noticed} ${step < steps ? `Step ${step + 1} of ${steps}: ` : ""}${say}`.trim();
