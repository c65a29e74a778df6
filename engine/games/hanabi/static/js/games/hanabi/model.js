/**
 * What can be read off a Hanabi view (the JSON that the server sends, see `engine/games/hanabi/view.py`): pure
 * functions without a document. Not for: drawing (hanabi.js), rules (the server alone decides what a move does).
 *
 * @typedef {{key: number, card: number|null, plausible: boolean[], color: number|null, rank: number|null,
 *   touched: boolean, newest: boolean, hinted_now: boolean, playable: boolean|null, critical: boolean|null}} Card
 * @typedef {{seat: number, cards: Card[]}} Hand
 * @typedef {{action: number, kind: string, slot?: number, target?: number, value?: number, slots: number[],
 *   legal: boolean, why: string|null}} Move
 * @typedef {{tick: number, seat: number|null, players: number, current: number|null, over: boolean, score: number,
 *   max_score: number, information: number, information_max: number, may_discard: boolean, lives: number, lives_max:
 *   number, deck: number, turns_left: number|null, colors: string[], ranks: number, fireworks: number[], discards:
 *   number[], hands: Hand[], last: object|null, moves: Move[]}} View
 */

/** Letter → name of the suit; the letter and a shape of its own stand on everything that has the colour. */
export const SUITS = { R: "red", Y: "yellow", G: "green", W: "white", B: "blue" };

/** Card ids are colour * 5 + rank, whatever the number of ranks in the game. */
export const colorOf = (id) => Math.floor(id / 5);
export const rankOf = (id) => id % 5;
export const suitName = (view, color) => SUITS[view.colors[color]];
export const cardName = (view, id) => `${suitName(view, colorOf(id))} ${rankOf(id) + 1}`;

/** How many copies of a rank (from 0) each colour has. */
export function copies(rank, ranks) {
  if (rank === 0) return 3;
  return rank === ranks - 1 ? 1 : 2;
}

/** Which colours and which ranks the hints leave open for a card. @param {View} view @param {Card} card */
export function possible(view, card) {
  const stride = card.plausible.length / view.colors.length;
  const at = (color, rank) => card.plausible[color * stride + rank];
  const ranks = [...Array(view.ranks).keys()];
  return {
    colors: view.colors.map((_, color) => ranks.some((rank) => at(color, rank))),
    ranks: ranks.map((rank) => view.colors.some((_, color) => at(color, rank))),
  };
}

/** Copies of each card that this view doesn't show anywhere: counts[colour][rank]. @param {View} view */
export function unseen(view) {
  const counts = view.colors.map((_, color) =>
    Array.from({ length: view.ranks }, (_, rank) => copies(rank, view.ranks) - (view.fireworks[color] > rank ? 1 : 0)));
  const seen = [...view.discards, ...view.hands.flatMap((hand) => hand.cards.map((card) => card.card))];
  for (const id of seen) if (id !== null && id !== undefined) counts[colorOf(id)][rankOf(id)] -= 1;
  return counts;
}

/**
 * All that a card can be, for its holder: "open", "hinted" (a hint rules it out) or "counted" (all copies are in
 * sight) by [colour][rank]. @param {View} view @param {Card} card
 */
export function candidates(view, card) {
  const left = unseen(view);
  const stride = card.plausible.length / view.colors.length;
  return view.colors.map((_, color) => Array.from({ length: view.ranks }, (_, rank) => {
    if (!card.plausible[color * stride + rank]) return "hinted";
    return card.card === null && left[color][rank] === 0 ? "counted" : "open";
  }));
}

const listing = (words) => words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;

/** What its holder knows about a card, in words. @param {View} view @param {Card} card */
export function knowledgeSentence(view, card) {
  const open = possible(view, card);
  const colors = view.colors.map((_, i) => i).filter((i) => open.colors[i]).map((i) => suitName(view, i));
  const ranks = open.ranks.map((ok, i) => (ok ? String(i + 1) : null)).filter(Boolean);
  const parts = [];
  if (colors.length < view.colors.length) parts.push(listing(colors));
  if (ranks.length < view.ranks) parts.push(listing(ranks));
  return parts.length ? parts.join(", ") : "nothing known";
}

/** Everything that is to be said about a card to someone who doesn't see it drawn. */
export function cardSentence(view, card, { own, slot, holder }) {
  const place = `${own ? "Your" : `${holder}'s`} ${ordinal(slot + 1)} card`;
  const what = card.card === null ? knowledgeSentence(view, card)
    : `${cardName(view, card.card)}; ${own ? "you know" : "knows"}: ${knowledgeSentence(view, card)}`;
  const flags = [card.hinted_now && "hinted just now", card.touched && !card.hinted_now && "hinted before",
    card.newest && "newest", card.critical && "the last copy", card.playable && !own && "playable now"];
  return [`${place}: ${what}`, ...flags.filter(Boolean)].join("; ");
}

/** The discard pile by colour: [{color, ranks: [{rank, gone, copies}]}] of ranks of which something is gone. */
export function discardGroups(view) {
  return view.colors.map((_, color) => {
    const ranks = Array.from({ length: view.ranks }, (_, rank) => ({
      rank, gone: view.discards.filter((id) => colorOf(id) === color && rankOf(id) === rank).length,
      copies: copies(rank, view.ranks),
    }));
    return { color, ranks: ranks.filter(({ gone }) => gone) };
  });
}

/** The highest score that is still possible: fireworks up to the first rank whose copies are all discarded. */
export function reachable(view) {
  return view.colors.reduce((sum, _, color) => {
    let top = view.fireworks[color];
    while (top < view.ranks) {
      const gone = view.discards.filter((id) => colorOf(id) === color && rankOf(id) === top).length;
      if (gone === copies(top, view.ranks)) break;
      top += 1;
    }
    return sum + top;
  }, 0);
}

/**
 * The move of a kind on a slot ("play", "discard") or on a seat with a value ("hint_color", "hint_rank"), or null.
 * @param {any} view
 * @param {string} kind
 * @param {{slot?: number, target?: number, value?: number}} where
 */
export function findMove(view, kind, { slot, target, value }) {
  return (view.moves || []).find((move) => move.kind === kind
    && (kind.startsWith("hint") ? move.target === target && move.value === value : move.slot === slot)) || null;
}

/** Seats in the order in which they are drawn: the others as they follow `bottom`, then `bottom`. */
export function seating(view, bottom) {
  const order = Array.from({ length: view.players - 1 }, (_, i) => (bottom + 1 + i) % view.players);
  return [...order, bottom];
}

const counted = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/** "1st", "2nd", "3rd": hands have at most five cards. */
const ordinal = (n) => `${n}${["", "st", "nd", "rd"][n] ?? "th"}`;

/**
 * Cards of a hand by their places: "your 1st card", "their 2nd and 3rd cards".
 * @param {string} whose
 * @param {number[]} slots
 */
function cardsOf(whose, slots) {
  const places = slots.map((slot) => ordinal(slot + 1));
  const listed = places.length > 1 ? `${places.slice(0, -1).join(", ")} and ${places.at(-1)}` : places.join("");
  return slots.length ? `${whose} ${listed} card${slots.length === 1 ? "" : "s"}` : "no card";
}

/**
 * The last action as one sentence with people's names, or "" before the first. Where an agent stood in for the person
 * of the seat (`last.by`), it is the agent's. @param {string[]} names by seat
 */
export function lastSentence(view, names) {
  const last = view.last;
  if (!last) return "";
  const you = (seat) => seat === view.seat;
  const acts = you(last.seat) && !last.by;
  const who = last.by ? `${last.by} (for ${you(last.seat) ? "you" : names[last.seat]})`
    : acts ? "You" : names[last.seat];
  const verb = (plain) => (acts ? plain : `${plain}s`);
  const whose = (seat) => (you(seat) ? "your" : "their");
  const slots = last.slots ?? [];
  if (last.kind === "play" && !last.success)
    return `${who} ${verb("misplay")} ${cardsOf(whose(last.seat), slots)}, ${cardName(view,
    last.card)}, and ${verb("lose")} a life.`;
  if (last.kind === "play" || last.kind === "discard")
    return `${who} ${verb(last.kind)} ${cardsOf(whose(last.seat), slots)}: ${cardName(view, last.card)}.`;
  const whom = you(last.target) ? "you" : names[last.target];
  const what = last.kind === "hint_color" ? suitName(view, last.value) : `${last.value + 1}`;
  return `${who} ${verb("hint")} ${what} to ${whom}: ${cardsOf(whose(last.target), slots)}.`;
}

/** How the game stands, for the announcement after a move. */
export function turnSentence(view, names) {
  if (view.over) return `The game is over with ${view.score} of ${view.max_score} points.`;
  const turn = view.current === view.seat ? "Your turn." : `${names[view.current]} moves next.`;
  return view.turns_left !== null && view.deck === 0 ? `${turn} ${counted(view.turns_left, "turn")} left.` : turn;
}
