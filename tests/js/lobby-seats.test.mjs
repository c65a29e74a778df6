/** How many seats a lobby shows for the chosen place. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { seatsHere } from "../../static/js/lobby-seats.js";

test("a kitchen has as many seats as cooks; elsewhere there is room for so many", () => {
  assert.deepEqual([2, 4].map((count) => seatsHere(count, { seats: 3, fills: true })), [3, 3]);
  assert.deepEqual([2, 4].map((count) => seatsHere(count, { seats: 3 })), [2, 3]);
});
