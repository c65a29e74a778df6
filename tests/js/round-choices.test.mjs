import assert from "node:assert/strict";
import { test } from "node:test";
import { basesOf, stillChosen, valuesOf } from "../../static/js/round-choices.js";

const variants = {
  "hanabi/learner-1": "hanabi",
  "overcooked/self_play-cramped_room": "overcooked/cramped_room",
  "overcooked/round-3": "overcooked/cramped_room",
  "overcooked/self_play-forced_coordination": "overcooked/forced_coordination",
};

test("a layout offers its own agents", () => {
  assert.deepEqual(basesOf(variants, "overcooked/cramped_room"), ["overcooked/self_play-cramped_room", "overcooked/round-3"]);
  assert.deepEqual(basesOf(variants, "overcooked/coordination_ring"), []);
});

test("the chosen agent stays if it can", () => {
  const refs = basesOf(variants, "overcooked/cramped_room");
  assert.equal(stillChosen(refs, "overcooked/round-3"), "overcooked/round-3");
  assert.equal(stillChosen(refs, "hanabi/learner-1"), "overcooked/self_play-cramped_room");
  assert.equal(stillChosen([], "hanabi/learner-1"), "");
});

test("a size has its own values in each game", () => {
  const preset = { values: { hanabi: { "agent-moves": 4096 }, overcooked: { "agent-moves": 3200 } } };
  assert.deepEqual(valuesOf(preset, "overcooked/cramped_room"), { "agent-moves": 3200 });
  assert.deepEqual(valuesOf(preset, "chess"), {});
});
