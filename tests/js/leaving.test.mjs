/** What leaving a running game does, in words, and whose moves those of a stand-in are. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { namesAt } from "../../static/js/control-track.js";
import { standInAt } from "../../static/js/table-words.js";

Object.assign(globalThis, { document: { addEventListener() {} }, window: { addEventListener() {} } });
const { whatLeavingDoes } = await import("../../static/js/lib/leave.js");

const person = (fields) => ({ name: "Pia", kind: "person", stand_in: null, ...fields }),
  agent = { name: "Bot", kind: "agent", stand_in: null };

test("what leaving does depends on who is left", () => {
  assert.equal(whatLeavingDoes([person(), person()], 0, "Bot"),
    "Bot plays on in your seat at once, and you can't come back.");
  assert.equal(whatLeavingDoes([person(), person()], 0, null), "The game ends here for everybody, unfinished.");
  for (const others of [[agent], [agent, person({ stand_in: "Bot" })]]) {
    assert.equal(whatLeavingDoes([person(), ...others], 0, "Bot"), "The game ends here, unfinished.");
  }
});

test("a stand-in's moves are its own until its person is back", () => {
  const dialogue = [{ type: "control", seat: 0, tick: 3, stand_in: "Bot" },
    { type: "utterance", seat: 0, tick: 3, text: "oh" }, { type: "control", seat: 0, tick: 6, stand_in: null }];
  assert.deepEqual([2, 3, 5, 6].map((tick) => standInAt(dialogue, 0, tick)), [null, "Bot", "Bot", null]);
  assert.equal(standInAt(dialogue, 1, 4), null);
});

test("in a replay, too", () => {
  const spans = [{ seat: 0, by: "person", name: "", first: 1, last: 3 },
    { seat: 0, by: "agent", name: "Bot", first: 4, last: 9 }, { seat: 1, by: "agent", name: "Bot", first: 1, last: 9 }];
  assert.deepEqual(namesAt(spans, ["You", "Bot"], 3), ["You", "Bot"]);
  assert.deepEqual(namesAt(spans, ["You", "Bot"], 4), ["Bot (for you)", "Bot"]);
  assert.deepEqual(namesAt(spans, ["Blue fox", "Bot"], 4), ["Bot (for Blue fox)", "Bot"]);
});
