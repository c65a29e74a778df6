/** What the table of a game without one of its own says of a state. Pure; not for: drawing, sending (general.js). */

/**
 * @typedef {{tick: number, over: boolean, current: number|null, score: number, last: string, sees: string,
 *   details: [string, string][], moves: {action: number, text: string}[], picture: string}} Looked
 *   the host's answer to "look" (webapp/host/messages/look.py)
 */

/**
 * Whose turn it is, in a sentence, and whether it is one's own.
 * @param {Looked|null} looked
 * @param {{seat: number|null, names: string[], end: object|null, waits?: boolean, sent?: boolean}} table
 *   `waits`: the game waits for everybody (turn by turn), `sent`: this player's move is under way, or chosen
 */
export function turnOf(looked, { seat, names, end, waits = false, sent = false }) {
  if (!looked) return { text: "Setting the table …", mine: false };
  if (looked.over || end) return { text: "The game is over.", mine: false };
  if (looked.current === null) {
    if (seat === null) return { text: "Everybody moves at once.", mine: false };
    if (waits && sent) return { text: "Waiting for the others.", mine: false };
    return { text: waits ? "Choose your move." : "Everybody moves at once.", mine: true };
  }
  if (looked.current !== seat) return { text: `It is ${names[looked.current] ?? "another"}'s turn.`, mine: false };
  return sent ? { text: "Your move is on its way.", mine: false } : { text: "It is your turn.", mine: true };
}

/**
 * The moves so far with the one that this look tells of; the same list where it tells of none that is new.
 * @param {{tick: number, kind: string, seat: number|null, text: string}[]} moves by tick @param {Looked} looked
 */
export function withLast(moves, looked, seat = null) {
  const known = moves.at(-1);
  if (!looked.last || looked.tick === 0 || (known && known.tick >= looked.tick)) return moves;
  // Where all move at once, most ticks tell the same again.
  if (looked.current === null && known?.text === looked.last && !looked.over) return moves;
  return [...moves, { tick: looked.tick, kind: "move", seat, text: looked.last }];
}

/**
 * The place of the button that an arrow key leads to.
 * @param {number} count
 * @param {number} now -1: none has the focus
 * @param {number} step 1 or -1
 */
export const walked = (count, now, step) =>
  (count === 0 ? -1 : now < 0 ? (step > 0 ? 0 : count - 1) : (now + step + count) % count);

/**
 * A move in words that say who made it: the rules' own, else after a name.
 * @param {string} text
 * @param {number|null|undefined} seat
 * @param {string[]} names of the seats
 */
export const attributed = (text, seat, names) =>
  (seat === null || seat === undefined || !text || /\b(Player \d|You|you)\b/.test(text)
  ? text
  : `${names[seat]}: ${text}`);
