/** Readings while one types: what is underlined, which key chooses, what was said before. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answer, canBeRight, companyOf, digitOf, headline, inPoints, leftOut, marked, resultFor, Said,
} from "../../static/js/readings.js";
import { chipText, spoken } from "../../static/js/reading-ask.js";

const unread = (text, words) => marked(text, words).filter((part) => part.unread).map((part) => part.text);

test("the marked text is the text, whatever was typed", () => {
  for (const text of ["", "play it", "<img src=x onerror=alert(1)> play", "🧅 混 \n x", "’‘'"]) {
    assert.equal(marked(text, ["img", "混", "'"]).map((part) => part.text).join(""), text);
  }
});

test("what an instruction costs is said in whole points", () => {
  assert.deepEqual([2.4, 1.2, 0.4, -0.3, -2.6, undefined].map(inPoints),
    ["costs about 2 points", "costs about 1 point", "costs about nothing",
    "costs about nothing", "brings about 3 points", "not measured"]);
});

test("words that were not understood are marked, each as often as it was named", () => {
  assert.deepEqual(unread("Zorgle the ZORGLE onions", ["zorgle"]), ["Zorgle"]);
  assert.deepEqual(unread("don’t frob it", ["don't", "frob"]), ["don’t", "frob"]);
  assert.deepEqual(unread("bring onions", []), []);
});

test("what was left out in one piece is marked where it stands", () => {
  const left = marked("touch the plates, but not the left pot", ["but not the left pot"]);
  assert.deepEqual(left,
    [{ text: "touch the plates, ", unread: false }, { text: "but not the left pot", unread: true }]);
  assert.deepEqual(unread("the one, except that the", ["the one that"]), ["the one", "that"]);
});

test("a word that the reader corrected first stays unmarked", () => {
  assert.deepEqual(unread("colour me", ["coler", "me"]), ["me"]);
});

test("parts of words are not marked", () => {
  assert.deepEqual(unread("item it", ["it"]), ["it"]);
});

test("Alt and a digit choose, whatever the digit types with Alt", () => {
  const key = (code, more = {}) => ({ code, altKey: true, ctrlKey: false, metaKey: false, key: "¡", ...more });
  assert.equal(digitOf(key("Digit2"), 3), 1);
  assert.equal(digitOf(key("Numpad1"), 3), 0);
  assert.equal(digitOf(key("Digit3"), 2), -1);
  assert.equal(digitOf(key("Digit1", { altKey: false }), 3), -1);
  assert.equal(digitOf(key("Digit1", { ctrlKey: true }), 3), -1);
});

test("the arrows walk through what was said, like a shell's", () => {
  const said = new Said(["new", "old", "new"]);
  assert.equal(said.step(1, ""), "new");
  assert.equal(said.walks("new"), true);
  assert.equal(said.step(1, "new"), "old");
  assert.equal(said.step(1, "old"), null);
  assert.equal(said.step(-1, "old"), "new");
  assert.equal(said.step(-1, "new"), "");
  assert.equal(said.step(-1, ""), null);
  assert.equal(said.walks("typed by hand"), false);
});

test("what is said again comes first, once", () => {
  const said = new Said(["a", "b"]);
  said.step(1, "");
  said.add("b");
  assert.deepEqual([said.texts, said.at], [["b", "a"], -1]);
});

test("an agent answers once, when it begins to obey", () => {
  const told = { status: "confirmed", seat: 0, target_seat: null, sentence: "I fetch a plate." };
  assert.deepEqual(answer(undefined, told, [1, 2]), { seat: 1, text: "I fetch a plate." });
  assert.deepEqual(answer({ status: "read" }, { ...told, target_seat: 2 }, [1, 2]),
    { seat: 2, text: "I fetch a plate." });
  assert.equal(answer({ status: "confirmed" }, told, [1]), null);
  assert.equal(answer(undefined, { ...told, status: "read" }, [1]), null);
  assert.equal(answer(undefined, told, []), null);
  assert.equal(answer(undefined, { ...told, target_seat: 1 }, [2]), null, "no agent answers for a person");
});

test("a guess is told as a guess", () => {
  const one = [{ choice: 0, sentence: "I wait.", chips: [] }];
  assert.equal(headline({ refused: false, unsure: false, readings: one }), "I read:");
  assert.match(headline({ refused: false, unsure: true, readings: one }), /not sure.*before you say yes\. Do you mean/);
  assert.match(headline({ refused: false, unsure: true, readings: [...one, ...one] }),
    /not sure.*Do you mean one of these\?$/);
  assert.equal(headline({ refused: false, unsure: true, unread: ["wait"], readings: one }),
    "I left out: “wait”. I'm not sure, and do nothing before you say yes. Do you mean this?",
    "what was left out is no answer to the question");
  assert.equal(headline({ refused: true, sentence: "I can't.", unsure: true, readings: [...one, ...one] }),
    "I can't. Would one of these do?");
});

test("what a reading leaves out is said in a sentence, on the chip too, and nothing where nothing is", () => {
  assert.equal(leftOut([]), "");
  assert.equal(leftOut(["sing", "song"]), "I left out: “sing”, “song”.");
  const chip = { phase: "waiting", mine: true, text: "bring onions and dance", sentence: "I bring you onions.",
    unread: ["dance"] };
  assert.equal(chipText(chip), "I bring you onions. I left out: “dance”.");
  assert.match(chipText({ ...chip, phase: "read" }), /do you mean “I bring you onions.” I left out: “dance”.$/);
  assert.equal(spoken({ status: "confirmed", sentence: chip.sentence, unread: ["dance"] }),
    "Read: I bring you onions. I left out: “dance”.");
});

test("what can't be done says why on its chip, and asks whether what is nearest would do", () => {
  const sentence = "There are no tomatoes in this kitchen.";
  const chip = { phase: "unread", mine: true, text: "get a tomato", sentence };
  assert.equal(chipText({ ...chip, options: [{ choice: 1, sentence: "I fetch an onion." }] }),
    "There are no tomatoes in this kitchen. Would this do?");
  assert.equal(chipText({ ...chip, mine: false, options: [{ choice: 1 }] }), sentence);
  assert.equal(chipText({ ...chip, options: [] }), "Not read: “get a tomato”");
});

test("at a table that is being laid, agents are called as they will be there", () => {
  const agent = (wish) => ({ "agent:weak": "Weak squad", "agent:champion": "Squad" })[wish];
  assert.deepEqual(companyOf(["agent:weak", "me", "friend", "agent:weak", "agent:champion", "surprise"], agent),
    { names: ["Weak squad 1", "", "", "Weak squad 2", "Squad", ""], seat: 1, people: [1, 2] });
  assert.equal(companyOf(["agent:weak", "agent:champion"], agent).seat, null);
});

test("what is read while one types calls players by name, where they have one", () => {
  const result = { sentence: "Player 3 waits here; Player 4 follows you.", unread: [],
    readings: [{ choice: 0, sentence: "Player 3 waits for Player 1.",
    chips: ["Player 3 waits", "Player 4 follows you"] }] };
  const seen = resultFor(result, { names: ["", "Ada", "Squad 2", ""], seat: 0 });
  assert.equal(seen.sentence, "Squad 2 waits here; Player 4 follows you.");
  assert.deepEqual([seen.readings[0].sentence, seen.readings[0].chips],
    ["Squad 2 waits for you.", ["Squad 2 waits", "Player 4 follows you"]]);
  assert.equal(resultFor(result, {}).sentence, result.sentence);
});


test("nobody is asked for a yes to what can't be done, or not yet", () => {
  assert.deepEqual([canBeRight({ refused: true }, null), canBeRight({ refused: false }, { followed: false }),
    canBeRight({ refused: false }, { followed: true })], [false, false, true]);
});
