/** Facts about an Overcooked view: names, times, sentences, collisions. */
import assert from "node:assert/strict";
import test from "node:test";
import {
  announcements, clock, collisions, emptyKitchen, itemName, lastSentence, potName, potTime, readySentences, soupName,
  stateLines,
} from "../../static/js/games/overcooked/model.js";

const CRAMPED = ["XXPXX", "O  2O", "X1  X", "XDXSX"];
const RING = ["XXXPX", "X 1 P", "D2X X", "O   X", "XOSXX"];
const NAMES = ["Pia", "Bot"];

function kitchen(changes = {}, rows = CRAMPED) {
  return { ...emptyKitchen(rows), seat: 0, ...changes };
}

test("a plan gives cooks at their start cells and empty pots", () => {
  const view = kitchen();
  assert.deepEqual(view.cooks.map(({ x, y }) => [x, y]), [[1, 2], [3, 1]]);
  assert.equal(view.grid[1], "O   O");
  assert.deepEqual(view.pots.map(({ x, y, state }) => [x, y, state]), [[2, 0, "empty"]]);
});

test("items and soups have names that can be counted", () => {
  assert.equal(itemName({ kind: "onion" }), "an onion");
  assert.equal(itemName({ kind: "soup", onions: 2, tomatoes: 1 }), "a soup of 2 onions and 1 tomato");
  assert.equal(soupName({ onions: 0, tomatoes: 2 }), "2 tomatoes");
  assert.equal(itemName(null), "nothing");
});

test("time is told in minutes with a clock and in turns without", () => {
  assert.equal(clock(400, 6), "1:07");
  assert.equal(clock(1, 6), "0:01");
  assert.equal(clock(0, 6), "0:00");
  assert.equal(clock(1, 0), "1 turn");
  assert.equal(potTime(13, 6), "2.2");
  assert.equal(potTime(120, 6), "20");
  assert.equal(potTime(13, 0), "13");
});

test("two pots are told apart by where they are", () => {
  const view = kitchen({}, RING);
  assert.deepEqual(view.pots.map((pot) => potName(view, pot)), ["the left pot", "the right pot"]);
  const upright = kitchen({}, ["XXXXX", "X 1 P", "X   P", "XDOSX"]);
  assert.deepEqual(upright.pots.map((pot) => potName(upright, pot)), ["the upper pot", "the lower pot"]);
  const one = kitchen();
  assert.equal(potName(one, one.pots[0]), "the pot");
});

test("what happened is told from one's own seat", () => {
  const events = [
    { tick: 9, seat: 0, kind: "put_pot", item: { kind: "onion" }, x: 2, y: 0 },
    { tick: 9, seat: 1, kind: "deliver", item: { kind: "soup", onions: 3, tomatoes: 0 }, x: 3, y: 3, points: 20 },
  ];
  const view = kitchen({ tick: 9, last: { actions: [5, 5], events } });
  assert.equal(lastSentence(view, NAMES), "You put an onion into the pot. Bot serves a soup of 3 onions: +20 points.");
  assert.equal(lastSentence({ ...view, seat: null }, NAMES).split(".")[0], "Pia puts an onion into the pot");
  assert.equal(lastSentence(kitchen(), NAMES), "");
});

test("a delivery and a pot that is ready are announced once", () => {
  const before = kitchen({ tick: 8 });
  const ready = { ...before.pots[0], onions: 3, state: "ready", left: 0 };
  const view = kitchen({ tick: 9, pots: [ready], last: { actions: [4, 4], events: [] } });
  assert.deepEqual(announcements(before, view, NAMES), ["the pot is ready."]);
  assert.deepEqual(announcements(view, { ...view, tick: 10 }, NAMES), []);
  assert.deepEqual(announcements(null, view, NAMES), []);
});

test("cooks who wanted the same cell are found, one who turned to a counter isn't", () => {
  const before = kitchen();
  before.cooks = [{ x: 1, y: 1, facing: "east", held: null }, { x: 3, y: 1, facing: "west", held: null }];
  const bumped = { ...before, tick: 1, last: { actions: [2, 3], events: [] } };
  assert.deepEqual(collisions(before, bumped), [0, 1]);
  const turned = { ...before, tick: 1, last: { actions: [0, 4], events: [] } };
  assert.deepEqual(collisions(before, turned), []);
  assert.deepEqual(collisions(before, { ...bumped, tick: 7 }), []);
});

test("ready sentences suit the kitchen and fit the number keys", () => {
  const cramped = readySentences(kitchen());
  assert.ok(cramped.includes("You do onions") && cramped.includes("Stop") && !cramped.includes("You do tomatoes"));
  assert.ok(!cramped.includes("Put onions on the middle counter"));
  assert.ok(readySentences(kitchen({}, RING)).includes("Put onions on the middle counter"));
  const crowded = readySentences(kitchen({}, ["XPXPX", "O1 2T", "X X X", "X   X", "XDXSX"]));
  assert.equal(crowded.length, 9);
  assert.deepEqual(crowded.slice(-2), ["Stop", "Go on"]);
});

test("the whole kitchen can be read out", () => {
  const view = kitchen({ counters: [{ x: 0, y: 0, held: { kind: "dish" } }] });
  const lines = stateLines(view, NAMES, 6);
  assert.equal(lines[0], "0 points, 1:07 left.");
  assert.match(lines[1], /^You stand in column 2, row 3, facing south \(dishes\), holding nothing\.$/);
  assert.match(lines[2], /^Bot stands/);
  assert.equal(lines[3], "The pot is empty.");
  assert.equal(lines.at(-1), "On the counter in column 1, row 1: a dish.");
});
