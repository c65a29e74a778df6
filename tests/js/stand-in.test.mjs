/** The offer to let an agent play for somebody: from when on it can be taken is said before it is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { clocked, standInOffer } from "../../static/js/stand-in.js";

const here = { kind: "person", present: true, stand_in: null, stand_in_after: null };
const away = { ...here, present: false, stand_in_after: 38.2 };
const names = ["You", "Otto", "Bot"];

test("nobody is away, or an agent plays already, or one only watches: no offer", () => {
  const bot = { kind: "agent", present: true, stand_in: null, stand_in_after: null };
  assert.equal(standInOffer(clocked([here, here, bot], 0), 0, names, 0), null);
  assert.equal(standInOffer(clocked([here, { ...away, stand_in: "Bot" }, bot], 0), 0, names, 0), null);
  assert.equal(standInOffer(clocked([here, away, bot], 0), null, names, 0), null);
});

test("until an agent may play the button counts down, then it can be pressed", () => {
  const seats = clocked([here, away], 1000);
  assert.deepEqual(standInOffer(seats, 0, names, 1000),
    { seat: 1, text: "Let an agent play for Otto in 39 s", waits: true });
  assert.deepEqual(standInOffer(seats, 0, names, 39300), { seat: 1, text: "Let an agent play for Otto", waits: false });
});
