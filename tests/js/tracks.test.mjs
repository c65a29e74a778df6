import assert from "node:assert/strict";
import { test } from "node:test";

import { merge, sentence } from "../../static/js/tracks.js";

test("what was said at a tick stands after the move that led to it", () => {
  const events = [{ tick: 1, kind: "play" }, { tick: 2, kind: "discard" }];
  const words = [{ tick: 0, kind: "instruction" }, { tick: 1, kind: "utterance" }];
  assert.deepEqual(merge(events, words).map((item) => item.kind), ["instruction", "play", "utterance", "discard"]);
});

test("players are called by name, and oneself you", () => {
  const item = { text: "Player 1 hinted that Player 2's 4th card is red." };
  assert.equal(sentence(item, ["Bot", "You"]), "Bot hinted that your 4th card is red.");
  assert.equal(sentence(item, ["You", "Bot"]), "You hinted that Bot's 4th card is red.");
  assert.equal(sentence({ text: "Player 5 played." }, ["A"]), "Player 5 played.");
  assert.equal(sentence({ text: "Player 1 played G1 (their 5th card)." }, ["You"]), "You played G1 (your 5th card).");
  assert.equal(sentence({ text: "Player 1 played G1 (their 5th card)." }, ["Bo"]), "Bo played G1 (their 5th card).");
});
