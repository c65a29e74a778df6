/** The log beside the table. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { entries, withNames } from "../../static/js/table-words.js";

const view = { colors: ["R", "Y", "G", "W", "B"], seat: 0 };

test("sentences of the rules get people's names", () => {
  assert.equal(withNames("It is Player 2's turn.", ["Pia", "Bot"]), "It is Bot's turn.");
  assert.equal(withNames("Player 5 has no red card.", ["Pia", "Bot"]), "Player 5 has no red card.");
});

test("moves and words stand in the order in which they happened", () => {
  const history = [{ seat: 0, kind: "hint_rank", target: 1, value: 0, slots: [0] }, { seat: 1, kind: "play", card: 0, success: false }];
  const dialogue = [{ type: "instruction", tick: 0, seat: 0, text: "play it" }, { type: "utterance", tick: 1, seat: 1, text: "ok" }];
  const list = entries({ view, history, dialogue }, ["Pia", "Bot"], 0);
  assert.deepEqual(list.map(({ tick, kind }) => [tick, kind]), [[0, "instruction"], [1, "hint_rank"], [1, "utterance"], [2, "misplay"]]);
  assert.equal(list[0].text, "You: “play it”");
});

test("before the first state there is nothing to tell", () => {
  assert.deepEqual(entries({ view: null, history: [], dialogue: [] }, [], 0), []);
});
