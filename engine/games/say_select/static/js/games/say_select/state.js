/**
 * What the table of Say-Select says of a state. Pure; not for: drawing and sending (table.js).
 *
 * @typedef {{seat: number, kind: "say"|"pick"|"quit", number: number, gained: number, text: string}} Move
 * @typedef {{balls: (number|null)[], said: number[], picked: number, turn: number, score: number, moves_left: number,
 *   over: boolean, last?: Move}} View as engine/games/say_select/view.py tells it
 */

import { many } from "../../lib/many.js";

export const ALICE = 0, BOB = 1, QUIT = 5;

/** A worth as it is written. @param {number} worth */
export const signed = (worth) => (worth > 0 ? `+${worth}` : worth < 0 ? `−${-worth}` : "0");

/**
 * What was said and picked up, round by round.
 * @param {Move[]} history
 * @returns {{said: number, picked: number|null, gained: number, quit: boolean}[]}
 */
export function rounds(history) {
  const found = [];
  for (const { kind, number, gained } of history) {
    if (kind === "say") found.push({ said: number, picked: null, gained: 0, quit: false });
    else Object.assign(found[found.length - 1], kind === "quit" ? { quit: true } : { picked: number, gained });
  }
  return found;
}

/**
 * The five balls as a seat sees them: [{number, worth (null: unknown), said, picked, gained}]; who doesn't see them
 * knows of one that was picked up what it is worth now. @param {View} view @param {Move[]} history
 */
export function balls(view, history) {
  const now = rounds(history).at(-1);
  const taken = new Set(history.filter(({ kind }) => kind === "pick").map(({ number }) => number));
  return view.balls.map((worth, index) => {
    const number = index + 1, picked = now?.picked === number;
    return { number, worth: worth ?? (taken.has(number) ? -1 : null), said: now?.said === number, picked,
      gained: picked ? now.gained : 0 };
  });
}

/** The rule in two sentences, to whoever sits in a seat. @param {number|null} seat @param {string[]} names */
export function rule(seat, names) {
  const [alice, bob] = names;
  const worth = "A ball that was picked up is worth −1 from then on.";
  if (seat === ALICE)
    return `You see which balls are worth a point, ${bob} doesn't: say a number, and ${bob} picks up a ball or quits. `
      + worth;
  if (seat === BOB)
    return `${alice} sees which balls are worth a point, you don't: ${alice} says a number, `
      + `and you pick up a ball or quit. ${worth}`;
  return `${alice} sees which balls are worth a point, ${bob} doesn't: ${alice} says a number, `
    + `and ${bob} picks up a ball or quits. ${worth}`;
}

/** Who is who in the paper and in its figure of what Bob does. @param {number|null} seat @param {string[]} names */
export const roles = (seat, names) =>
  names.map((name, index) => `${["Alice", "Bob"][index]} is ${index === seat ? "you" : name}`).join(", ");

/**
 * Whose turn it is and what to do, and whether it is one's own: {text, mine}.
 * @param {View} view @param {number|null} seat @param {string[]} names
 */
export function turn(view, seat, names, { end = null, sending = false } = {}) {
  if (view.over && view.last?.kind === "quit")
    return { text: `${seat === BOB ? "You" : names[BOB]} quit: the game is over.`, mine: false };
  if (view.over || end) return { text: "The game is over.", mine: false };
  if (view.turn !== seat)
    return { text: view.turn === ALICE ? `${names[ALICE]} says a number …` : `${names[BOB]} picks up a ball or quits …`,
    mine: false };
  if (sending) return { text: "Your move is on its way.", mine: false };
  return seat === ALICE
    ? { text: "Your turn: say a number.", mine: true }
    : { text: "Your turn: pick up a ball, or quit.", mine: true };
}

/** How it ends, in a sentence. @param {View} view */
export function howItEnds(view, seat, names) {
  const who = seat === BOB ? "you quit" : `${names[BOB]} quits`;
  const paper = `In the paper ${roles(seat, names)}.`;
  return view.over ? paper : `It ends when ${who}, or after ${many(view.moves_left, "more move")}. ${paper}`;
}

/** What is read out of a ball. */
export function spokenBall({ number, worth, said, picked, gained }) {
  const known = worth === null ? "worth unknown" : `worth ${signed(worth)}`;
  return [`Ball ${number}`, known, said && "said last", picked && `picked up for ${signed(gained)}`].filter(Boolean)
    .join(", ");
}
