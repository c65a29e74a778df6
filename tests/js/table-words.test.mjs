/** The log beside the table. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { fresh, next } from "../../static/js/table-state.js";
import { entries, panel, standingText, waitingText } from "../../static/js/table-words.js";

test("moves and words stand in the order in which they happened", () => {
  const moves = [{ tick: 1, kind: "hint_rank", seat: 0, text: "You hint ones." },
    { tick: 2, kind: "misplay", seat: 1, text: "Bot plays a red 1." }];
  const dialogue = [{ type: "instruction", tick: 0, seat: 0, text: "play it" },
    { type: "utterance", tick: 1, seat: 1, text: "ok" },
    { type: "control", tick: 1, seat: 1, text: "" }]; // who is woken in a guided game: the coach says it
  const list = entries({ moves, dialogue }, ["Pia", "Bot"], 0);
  assert.deepEqual(list.map(({ tick, kind }) => [tick, kind]),
    [[0, "instruction"], [1, "hint_rank"], [1, "utterance"], [2, "misplay"]]);
  assert.equal(list[0].text, "You: “play it”");
});

const NAMES = ["Pia", "Bo", "Cy"];
const SEATS = NAMES.map((name, seat) => ({ name, kind: seat ? "agent" : "person" }));
const say = (id, text, status = "confirmed", more = {}) => ({ type: "instruction", id, tick: 2, seat: 0,
  target_seat: null, text, status, sentence: "I do.", unread: [], ...more });
const stands = (id, state, by, seats) => ({ type: "standing", tick: 2, id, state, by, seats });
const after = (frames) => frames.reduce((state, frame) => next(state, frame, 0),
  { ...fresh({ seat: null }), moves: [], seats: SEATS, controls: ["person", "agent", "agent"] });
const shown = (state, seat = 0) =>
  panel(state.instructions, seat).map(({ word, state: how, mine }) => [word.id, how, mine]);

test("the panel shows what waits, what is in force and what was replaced; others' while they are in force", () => {
  const frames = [say("a", "play them"), say("b", "discard them"), stands("a", "replaced", "b", [1, 2]),
    say("c", "hm", "unread"), say("d", "hint", "confirmed", { seat: 1 })];
  assert.deepEqual(shown(after(frames)), [["c", "", true], ["d", "confirmed", false], ["b", "confirmed", true],
    ["a", "replaced", true]]);
  assert.deepEqual(shown(after(frames), null), [["d", "confirmed", false], ["b", "confirmed", false]], "who watches");
  assert.deepEqual(shown(after([...frames, say("b", "discard them", "withdrawn")])),
    [["c", "", true], ["d", "confirmed", false], ["a", "replaced", true]]);
  assert.deepEqual(shown(after([say("a", "play them"), say("b", "red", "confirmed", { target_seat: 1 }),
    stands("a", "replaced", "b", [1])])).map(([, how]) => how), ["confirmed", "confirmed"]);
});

test("the log says what replaces what, once for all seats, and names them where it isn't all", () => {
  const told = [say("a", "play them"), say("b", "discard them")];
  const lines = (frames) => entries(after(frames), NAMES, 0).filter(({ kind }) => kind === "standing")
    .map(({ text }) => text);
  assert.deepEqual(lines([...told, stands("a", "replaced", "b", [1, 2])]), ["“discard them” replaces “play them”."]);
  assert.deepEqual(lines([...told, stands("a", "replaced", "b", [1]), stands("a", "replaced", "b", [2])]),
    ["“discard them” replaces “play them”."]);
  assert.deepEqual(lines([...told, stands("a", "confirmed", "b", [2])]),
    ["“discard them” replaces a part of “play them” for Cy."]);
  assert.deepEqual(lines([...told, stands("a", "confirmed", null, [1]), stands("b", "aside", null, [2])]), [],
    "what was meant for others is no news");
});

test("who joins late has the panel and the log of those who were there", () => {
  const frames = [say("a", "play them", "read"), say("a", "play them"), say("b", "discard them"),
    stands("a", "replaced", "b", [1, 2])];
  const late = after([...frames.slice(0, 3), stands("a", "replaced", "b", [1]), stands("a", "replaced", "b", [2])]);
  assert.deepEqual(late.instructions, after(frames).instructions);
  assert.deepEqual(entries(late, NAMES, 0), entries(after(frames), NAMES, 0));
});

test("an instruction that can't be obeyed now says why instead of that it is obeyed", () => {
  const word = { id: "a", target_seat: null, spans: [{ seat: 1, start: 0, end: null }] };
  const text = (goals) => standingText({ word, state: "confirmed" }, { instructions: new Map(), goals }, ["Pia",
    "Bot"]);
  assert.deepEqual(text({ a: { state: "waiting", text: "no hint is left" } }), ["… not now: no hint is left"]);
  assert.deepEqual(text({ a: { state: "obeying", text: "" } }), ["✓ obeyed from the next move on"]);
});

test("what waits for an answer says which of several partners it is for", () => {
  const text = (more, names = NAMES) => waitingText(say("a", "Bo, play it", "read", more), names);
  assert.equal(text({ target_seat: 1 }), "waits for your answer · for Bo");
  assert.deepEqual([text({}), text({ target_seat: 1 }, ["Pia", "Bo"])], Array(2).fill("waits for your answer"));
  assert.equal(waitingText(say("a", "play it"), NAMES), undefined);
});

test("why an agent moved so stands in the log with the names of those who asked", () => {
  const reason = { type: "reason", tick: 2, seat: 1, id: "a", kind: "because",
    text: "Because Player 1 asked: “play it”." };
  const told = (seat) => entries({ moves: [], dialogue: [reason] }, ["Pia", "Bot"], seat)[0].text;
  assert.deepEqual([told(null), told(0)], ["Bot: Because Pia asked: “play it”.", "Bot: Because you asked: “play it”."]);
});

test("of what only people are told nobody says that it is obeyed", () => {
  const word = { id: "a", text: "play it", target_seat: 1, spans: [{ seat: 1, start: 0, end: null }] };
  const text = (controls, names) =>
    standingText({ word, state: "confirmed" }, { instructions: new Map(), controls }, names);
  assert.deepEqual(text(["person", "person", "agent"], ["You", "Ann", "Bot"]), ["It is up to Ann."]);
  assert.deepEqual(text(["person", "person", "agent"], ["Pia", "You", "Bot"]), ["It is up to you."]);
  assert.deepEqual(text(["person", "agent", "agent"], ["You", "Ann", "Bot"]),
    ["✓ obeyed by Ann from the next move on"], "an agent stands in");
});

test("an instruction that the last move was against isn't said to be obeyed", () => {
  const word = { id: "a", target_seat: null, spans: [{ seat: 1, start: 0, end: null }] };
  const text = (...kinds) => standingText({ word, state: "confirmed" },
    { instructions: new Map(),
    dialogue: kinds.map((kind, tick) => ({ type: "reason", tick, seat: 1, id: "a", kind })) }, ["Pia", "Bot"]);
  assert.deepEqual(text("because", "only"), ["… not at 1: no other legal move was left"]);
  assert.deepEqual(text("own", "because"), ["✓ obeyed from the next move on"]);
});
