/** What a replay page shows besides the tick. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addressOf, asSeen, canOpen, eventTicks, fresh, happened, heardBy, inOrder, moveTo, viewOf,
} from "../../static/js/replay-state.js";

const page = { names: ["You", "Bo"], seat: 0, views: ["open", "0", "1"], own_seats: [0], turn_based: true };
const query = (text) => new URLSearchParams(text);

test("a page begins as its address says, and as it is meant to where that says nonsense", () => {
  assert.deepEqual(fresh(page, {}, query("seat=1&view=open")), { seat: 1, open: true });
  assert.deepEqual(fresh(page, {}, query("")), { seat: 0, open: false });
  assert.deepEqual(fresh(page, {}, query("seat=7")), { seat: 0, open: false });
  assert.equal(fresh(page, { alike: true }, query("view=open")).open, false, "everybody sees everything");
  assert.equal(canOpen({ ...page, views: ["0"] }, {}), false, "the game is not over");
});

test("the address leads back to the same look", () => {
  for (const look of [{ seat: 1, open: true }, { seat: 0, open: false }]) {
    const address = addressOf(look, 12, false);
    assert.deepEqual(fresh(page, {}, query(address)), look);
    assert.equal(query(address).get("tick"), "12");
  }
  assert.equal(query(addressOf({ seat: 0, open: false }, 1, true)).get("others"), "1");
});

test("with all hands open the states and the instructions are everybody's", () => {
  assert.deepEqual([viewOf({ seat: 1, open: false }), heardBy({ seat: 1, open: false })], ["1", 1]);
  assert.deepEqual([viewOf({ seat: 1, open: true }), heardBy({ seat: 1, open: true })], ["open", null]);
});

test("what happened at a tick is told of the chosen seat first, and not of everybody", () => {
  const events = inOrder([{ tick: 4, seat: 0, text: "a" }, { tick: 4, seat: 2, text: "b" }, { tick: 1, seat: 1 }],
    [{ tick: 4, seat: 1, text: "c" }]);
  assert.deepEqual(events.map(({ tick }) => tick), [1, 4, 4, 4]);
  assert.deepEqual(happened(events, 4, 1).map(({ text }) => text), ["c", "a"]);
  assert.deepEqual(happened(events, 9, 1), []);
});

test("keys jump to words, takeovers and what stands out, not to reasons or to who began", () => {
  const stream = { words: [{ tick: 2, kind: "instruction" }, { tick: 3, kind: "reason" }],
    controls: [{ first: 1 }, { first: 6 }] };
  const events = [{ tick: 7, tone: "bad" }, { tick: 8, tone: "good" }];
  assert.deepEqual(eventTicks(stream, events), [2, 6, 7]);
  assert.deepEqual(eventTicks(stream, events, (event) => event.tone === "good"), [2, 6, 8]);
});

test("one is “you” in one's own view, while one plays oneself", () => {
  const view = { seat: 0, tick: 3 };
  assert.deepEqual(asSeen(view, ["You", "Bo"], page), { view, names: ["You", "Bo"] });
  assert.deepEqual(asSeen(view, ["Bot (for you)", "Bo"], page),
    { view: { seat: null, tick: 3 }, names: ["Bot (for you)", "Bo"] });
  assert.deepEqual(asSeen({ ...view, seat: 1 }, ["You", "Bo"], page).names, ["Your seat", "Bo"]);
});

test("one move led to a tick where seats take turns", () => {
  const stream = { events: [{ seat: 0 }, { seat: 1 }] };
  assert.deepEqual([0, 1, 2].map((tick) => moveTo(page, stream, tick)), [undefined, { seat: 0 }, { seat: 1 }]);
  assert.equal(moveTo({ ...page, turn_based: false }, stream, 1), undefined);
});
