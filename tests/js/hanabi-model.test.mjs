/** What is read off a Hanabi view: `node --test tests/js`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  candidates, cardSentence, copies, discardGroups, findMove, knowledgeSentence, lastSentence, possible, reachable,
  seating, turnSentence, unseen,
} from "../../static/js/games/hanabi/model.js";

const all = () => Array(25).fill(true);
const card = (fields = {}) => ({ key: 0, card: null, plausible: all(), color: null, rank: null, touched: false,
  newest: false, hinted_now: false, playable: null, critical: null, ...fields });
const view = (fields = {}) => ({
  tick: 3, seat: 0, players: 2, current: 0, over: false, score: 0, max_score: 25, information: 8, information_max: 8,
  lives: 3, lives_max: 3,
  deck: 40, turns_left: null, colors: ["R", "Y", "G", "W", "B"], ranks: 5, fireworks: [0, 0, 0, 0, 0], discards: [],
  hands: [{ seat: 0, cards: [card()] }, { seat: 1, cards: [] }],
  last: null, moves: [], ...fields,
});
/** Plausible bits of a card that was hinted so: only `color`, only `rank`. */
const bits = (color, rank) =>
  all().map((_, i) => (color === null || Math.floor(i / 5) === color) && (rank === null || i % 5 === rank));

test("there are three ones, one of the highest, two of the rest", () => {
  assert.deepEqual([0, 1, 2, 3, 4].map((rank) => copies(rank, 5)), [3, 2, 2, 2, 1]);
  assert.deepEqual([0, 1, 2].map((rank) => copies(rank, 3)), [3, 2, 1]);
});

test("a hinted card can only be of that colour, of any rank", () => {
  const open = possible(view(), card({ plausible: bits(2, null), color: 2 }));
  assert.deepEqual(open.colors, [false, false, true, false, false]);
  assert.deepEqual(open.ranks, Array(5).fill(true));
});

test("with fewer ranks the bits of a colour lie closer together", () => {
  const small = view({ colors: ["R", "Y"], ranks: 3, fireworks: [0, 0] });
  assert.deepEqual(possible(small, card({ plausible: [false, false, false, true, false, true] })),
    { colors: [false, true], ranks: [true, false, true] });
});

test("what is on the table, discarded or in sight is not unseen", () => {
  const hands = [{ seat: 0, cards: [card()] },
    { seat: 1, cards: [card({ key: 9, card: 4 }), card({ key: 10, card: 0 })] }];
  const left = unseen(view({ fireworks: [1, 0, 0, 0, 0], discards: [0, 7], hands }));
  assert.deepEqual(left[0], [0, 2, 2, 2, 0]);
  assert.deepEqual(left[1], [3, 2, 1, 2, 1]);
});

test("cards of which all copies are in sight are counted out, hints rule out the rest", () => {
  const now = view({ discards: [4] });
  const grid = candidates(now, card({ plausible: bits(0, null) }));
  assert.deepEqual(grid[0], ["open", "open", "open", "open", "counted"]);
  assert.deepEqual(grid[1], Array(5).fill("hinted"));
});

test("knowledge is said in words", () => {
  assert.equal(knowledgeSentence(view(), card()), "nothing known");
  assert.equal(knowledgeSentence(view(), card({ plausible: bits(4, 1) })), "blue, 2");
  const notRed = all().map((_, i) => i >= 5);
  assert.equal(knowledgeSentence(view(), card({ plausible: notRed })), "yellow, green, white or blue");
});

test("a card's sentence tells place, knowledge and what is special", () => {
  assert.equal(cardSentence(view(), card({ newest: true }), { own: true, slot: 4, holder: "You" }),
    "Your 5th card: nothing known; newest");
  const partner = card({ card: 12, critical: true, touched: true, plausible: bits(2, null) });
  assert.equal(cardSentence(view(), partner, { own: false, slot: 0, holder: "Bot" }),
    "Bot's 1st card: green 3; knows: green; hinted before; the last copy");
});

test("discards are grouped by colour and counted", () => {
  const groups = discardGroups(view({ discards: [0, 0, 13, 4] }));
  assert.deepEqual(groups[0].ranks, [{ rank: 0, gone: 2, copies: 3 }, { rank: 4, gone: 1, copies: 1 }]);
  assert.deepEqual(groups[2].ranks, [{ rank: 3, gone: 1, copies: 2 }]);
});

test("a firework can't be completed when the last copy of a card is gone", () => {
  assert.equal(reachable(view()), 25);
  assert.equal(reachable(view({ discards: [2, 2] })), 22);
  assert.equal(reachable(view({ discards: [2], fireworks: [2, 0, 0, 0, 0] })), 25);
});

test("a move is found by what it does", () => {
  const moves = [{ action: 0, kind: "discard", slot: 0, legal: true }, { action: 5, kind: "play", slot: 0,
    legal: true }, { action: 10, kind: "hint_color", target: 1, value: 0, legal: false, why: "no red card" }];
  const now = view({ moves });
  assert.equal(findMove(now, "play", { slot: 0 }).action, 5);
  assert.equal(findMove(now, "hint_color", { target: 1, value: 0 }).why, "no red card");
  assert.equal(findMove(now, "hint_rank", { target: 1, value: 0 }), null);
});

test("one sits at the bottom, the others follow in turn order", () => {
  assert.deepEqual(seating(view({ players: 4 }), 2), [3, 0, 1, 2]);
});

test("the last action is one sentence with names, from the reader's seat", () => {
  const names = ["Pia", "Bot"];
  const say = (last) => lastSentence(view({ last }), names);
  assert.equal(lastSentence(view(), names), "");
  assert.equal(say({ seat: 1, kind: "hint_color", target: 0, value: 4, slots: [0, 2] }),
    "Bot hints blue to you: your 1st and 3rd cards.");
  assert.equal(say({ seat: 0, kind: "hint_rank", target: 1, value: 0, slots: [3] }),
    "You hint 1 to Bot: their 4th card.");
  assert.equal(say({ seat: 1, kind: "play", card: 6, slots: [1], success: true }),
    "Bot plays their 2nd card: yellow 2.");
  assert.equal(say({ seat: 0, kind: "play", card: 6, slots: [4], success: false }),
    "You misplay your 5th card, yellow 2, and lose a life.");
  assert.equal(say({ seat: 0, kind: "discard", card: 24, slots: [0] }), "You discard your 1st card: blue 5.");
});

test("with five at the table, and for whoever watches, nobody else is you", () => {
  const names = ["Pia", "Bot", "Cy", "Di", "Ed"], five = view({ players: 5 });
  const said = (last, seat) => lastSentence({ ...five, seat, last }, names);
  const hint = { seat: 4, kind: "hint_rank", target: 2, value: 2, slots: [0, 1, 3] };
  assert.equal(said(hint, 0), "Ed hints 3 to Cy: their 1st, 2nd and 4th cards.");
  assert.equal(said(hint, 2), "Ed hints 3 to you: your 1st, 2nd and 4th cards.");
  assert.equal(said(hint, 4), "You hint 3 to Cy: their 1st, 2nd and 4th cards.");
  assert.equal(said({ seat: 0, kind: "play", card: 6, slots: [2], success: false }, null),
    "Pia misplays their 3rd card, yellow 2, and loses a life.");
});

test("what an agent does for somebody who is away or has left is the agent's", () => {
  const said = (last) => lastSentence(view({ last: { ...last, by: "Stand-in" } }), ["Pia", "Bot"]);
  assert.equal(said({ seat: 0, kind: "discard", card: 24, slots: [0] }),
    "Stand-in (for you) discards your 1st card: blue 5.");
  assert.equal(said({ seat: 1, kind: "hint_rank", target: 0, value: 0, slots: [1] }),
    "Stand-in (for Bot) hints 1 to you: your 2nd card.");
});

test("whose turn it is, and how many are left, is told", () => {
  assert.equal(turnSentence(view(), ["Pia", "Bot"]), "Your turn.");
  assert.equal(turnSentence(view({ current: 1, deck: 0, turns_left: 2 }), ["Pia", "Bot"]),
    "Bot moves next. 2 turns left.");
  assert.equal(turnSentence(view({ over: true, score: 21 }), ["Pia", "Bot"]), "The game is over with 21 of 25 points.");
});
