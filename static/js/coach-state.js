/** What the coach of a guided first game offers and says, from a frame of the host. Not for: the panel (coach.js). */

/**
 * What the panel's buttons are, the one that the key presses first: [{does, text, value}].
 * @param {{tell: string[], asks: string, shown: boolean, step: number, steps: number}} told a frame "coach"
 */
export function buttonsOf({ tell, asks, shown, step, steps }) {
  const said = tell.map((value) => ({ does: "tell", text: `“${value}”`, value }));
  const asked = asks ? [{ does: "wake", text: asks, value: "" }] : [];
  const stop = shown ? [{ does: "leave", text: step === steps ? "Mark the move" : "Stop here and mark the move", value: "" }] : [];
  return [...said, ...asked, ...stop];
}

/** What is read out when somebody has come on. */
export const spokenOf = ({ noticed, say, step, steps }) => `${noticed} ${step < steps ? `Step ${step + 1} of ${steps}: ` : ""}${say}`.trim();
