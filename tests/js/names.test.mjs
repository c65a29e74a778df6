/** Names in place of seats, in sentences and readings. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { namedFrame, readingFor, withNames, wordOf } from "../../static/js/names.js";
import { isolated, isolatedFrame } from "../../static/js/lib/isolated.js";
import { many } from "../../static/js/lib/many.js";
import { localTimes } from "../../static/js/lib/times.js";

test("players are called by name, and oneself you", () => {
  const text = "Player 1 hinted that Player 2's 4th card is red.";
  assert.equal(withNames(text, ["Bot", "You"]), "Bot hinted that your 4th card is red.");
  assert.equal(withNames(text, ["You", "Bot"]), "You hinted that Bot's 4th card is red.");
  assert.equal(withNames("Player 5 played.", ["A"]), "Player 5 played.");
  assert.equal(withNames("Player 1 played G1 (their 5th card).", ["You"]), "You played G1 (your 5th card).");
  assert.equal(withNames("Player 1 played G1 (their 5th card).", ["Bo"]), "Bo played G1 (their 5th card).");
  assert.equal(withNames("Player 2 knocked player 1 down.", ["You", "Bo"]), "Bo knocked you down.");
});

test("a seat above nine has its own name, not that of the first", () => {
  const names = Array.from({ length: 20 }, (_, seat) => `Squad ${seat + 1}`);
  assert.equal(withNames("Player 12 put player 20 out.", names), "Squad 12 put Squad 20 out.");
});

test("a reading and what else it may mean call seats by their names; other frames stay as they are", () => {
  const frame = { type: "instruction", sentence: "Player 3 waits here.",
    options: [{ choice: 1, sentence: "I help Player 1 up." }] };
  const named = namedFrame(frame, ["You", "Bo", "Squad 2"]);
  assert.deepEqual([named.sentence, named.options[0].sentence], ["Squad 2 waits here.", "I help you up."]);
  const utterance = { type: "utterance", text: "Player 1 is here" };
  assert.equal(namedFrame(utterance, ["You"]), utterance);
});

test("why somebody moved so is said with names, what they said stays as they said it, and other frames say nothing",
  () => {
  const reason = { type: "reason", seat: 1, text: "Following, because Player 1 asked: “go”." };
  assert.deepEqual(wordOf(reason, ["You", "Bo"]), { seat: 1, text: "Following, because you asked: “go”." });
  assert.equal(wordOf({ type: "utterance", seat: 1, text: "Player 1!" }, ["You", "Bo"]).text, "Player 1!");
  assert.equal(wordOf({ type: "state", seat: 1 }, []), null);
});

test("what is quoted is quoted as it was typed", () => {
  const names = ["You", "Squad 1"];
  assert.equal(withNames("On the spot, because Player 1 asked: “player 2, hold here”.", names),
    "On the spot, because you asked: “player 2, hold here”.");
  assert.equal(withNames("Player 2: partly replaced by “Player 1 waits”, “follow player 2”", names),
    "Squad 1: partly replaced by “Player 1 waits”, “follow player 2”");
});

test("what people typed turns nothing round it, in frames too", () => {
  assert.deepEqual(["Bea", "שלום (5)", "good\u202edab", "\u2069)) مرحبا"].map(isolated),
    ["Bea", "\u2068שלום (5)\u2069", "gooddab", "\u2068)) مرحبا\u2069"]);
  const frame = { type: "joined", seats: [{ name: "דן" }, { name: "Bea" }],
    dialogue: [{ type: "instruction", seats: [0], text: "שלום" }], tick: 4 };
  assert.deepEqual(isolatedFrame(frame), { type: "joined", seats: [{ name: "\u2068דן\u2069" }, { name: "Bea" }],
    dialogue: [{ type: "instruction", seats: [0], text: "\u2068שלום\u2069" }], tick: 4 });
});

test("one point is a point", () => {
  const told = [0, 1, 21, -1, -3].map((count) => many(count, "point"));
  assert.deepEqual(told, ["0 points", "1 point", "21 points", "−1 point", "−3 points"]);
});

test("a reading that answers one player names that player to the others", () => {
  const told = (sentence, names) => readingFor(sentence, 0, names);
  assert.equal(told("I follow you, then I go to the point that you look at.", ["Pia", "You"]),
    "I follow Pia, then I go to the point that Pia looks at.");
  assert.equal(told("When you hint red, I play it. I do not play cards that you don't know.", ["Pia", "You"]),
    "When Pia hints red, I play it. I do not play cards that Pia doesn't know.");
  assert.equal(told("You put onions in a pot; I go 20 metres to your left.", ["Pia", "Bo"]),
    "Pia puts onions in a pot; I go 20 metres to Pia's left.");
  assert.equal(told("When you give me a hint and touch one card, I play it.", ["Pia", "You"]),
    "When Pia gives me a hint and touches one card, I play it.");
  assert.equal(
    told("When you do not hint a colour or play a card, I hint; when you play a card or have not moved yet, "
      + "I hint and play.", ["Pia", "You"]),
    "When Pia does not hint a colour or play a card, I hint; when Pia plays a card or has not moved yet, "
      + "I hint and play.");
  assert.equal(told("I follow Player 2.", ["Pia", "You"]), "I follow you.", "it is about whoever reads it");
  assert.equal(told("I follow you.", ["You", "Bo"]), "I follow you.", "whoever said it");
  const frame = { type: "instruction", seat: 0, status: "confirmed", sentence: "I follow you.",
    options: [{ choice: 1, sentence: "I cover you." }] };
  const seen = namedFrame(frame, ["Pia", "You"]);
  assert.deepEqual([seen.sentence, seen.options[0].sentence], ["I follow Pia.", "I cover Pia."]);
});

test("a time becomes the reader's own, and keeps what the page said as its title", () => {
  process.env.TZ = "Asia/Tokyo";
  const whole = { dateTime: "2026-11-05T23:30:00+00:00", textContent: "5 Nov 2026 23:30 UTC", title: "" },
    clock = { ...whole, textContent: "23:30 UTC" },
    exact = { ...whole, dateTime: "2026-11-05T23:30:07+00:00", textContent: "2026-11-05 23:30:07 UTC" };
  for (let look = 0; look < 2; look += 1) localTimes({ querySelectorAll: () => [whole, clock, exact] });
  assert.deepEqual([whole.textContent, whole.title, clock.textContent, exact.textContent],
    ["6 Nov 2026, 08:30", "5 Nov 2026 23:30 UTC", "08:30", "6 Nov 2026, 08:30:07"]);
});
