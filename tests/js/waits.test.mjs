/** What a table that waits for moves says until the game goes on. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { Waits } from "../../static/js/waits.js";

test("a countdown is counted down, and is over though no message says so", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const drawn = [];
  const waits = new Waits(() => drawn.push(waits.text));
  waits.receive({ type: "countdown", seconds: 2.5 });
  assert.equal(waits.text, "It starts in 3 s.");
  t.mock.timers.tick(1000);
  t.mock.timers.tick(1000);
  t.mock.timers.tick(500);
  assert.deepEqual(drawn, ["It starts in 2 s.", "It starts in 1 s.", ""]);
});

test("a pause ends the countdown, and says why nothing moves until the game goes on", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const waits = new Waits(() => {});
  waits.receive({ type: "countdown", seconds: 1 });
  waits.receive({ type: "paused", text: "Pia is away." });
  t.mock.timers.tick(1000);
  assert.equal(waits.text, "Pia is away.");
  waits.receive({ type: "resumed" });
  assert.equal(waits.text, "");
});
