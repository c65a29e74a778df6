/**
 * The states of an instruction and which may follow which, as in engine/simulation/life.py. What stands in a frame, on
 * a chip, in a panel and beside a replay is one of these; "" is one that was never said or was never for anybody.
 */
const OVER = ["done", "out", "replaced", "aside"];
export const TAKEN_BACK = ["withdrawn", "rewritten"];
const IN_FORCE = ["confirmed", "waiting", "obeying", "unable"];

/** @type {Record<string, string[]>} */
export const FOLLOWS = Object.fromEntries([
  ["unread", ["read", ...TAKEN_BACK]],
  ["read", ["confirmed", ...TAKEN_BACK]],
  ...IN_FORCE.map((state) => [state, [...IN_FORCE.filter((one) => one !== state), ...OVER, ...TAKEN_BACK]]),
  ...[...OVER, ...TAKEN_BACK].map((state) => [state, []]),
]);

/** Whether what is in the state `after` may come to be in `state`. @param {string} state @param {string} after */
export const mayFollow = (state, after) => FOLLOWS[after].includes(state);

/** Whether a seat does it no more, though its player hasn't taken it back. @param {string} state */
export const isOver = (state) => OVER.includes(state);
