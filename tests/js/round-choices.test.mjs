import assert from "node:assert/strict";
import { test } from "node:test";
import { basesOf, isOther, stillChosen } from "../../static/js/round-choices.js";

const variants = {
  "hanabi/learner-1": "hanabi",
  "overcooked/self_play-cramped_room": "overcooked/cramped_room",
  "overcooked/round-3": "overcooked/cramped_room",
  "overcooked/self_play-forced_coordination": "overcooked/forced_coordination",
};

test("a layout offers its own agents", () => {
  assert.deepEqual(basesOf(variants, "overcooked/cramped_room"),
    ["overcooked/self_play-cramped_room", "overcooked/round-3"]);
  assert.deepEqual(basesOf(variants, "overcooked/coordination_ring"), []);
});

test("the chosen agent stays if it can", () => {
  const refs = basesOf(variants, "overcooked/cramped_room");
  assert.equal(stillChosen(refs, "overcooked/round-3"), "overcooked/round-3");
  assert.equal(stillChosen(refs, "hanabi/learner-1"), "overcooked/self_play-cramped_room");
  assert.equal(stillChosen([], "hanabi/learner-1"), "");
});

test("another game or algorithm has other settings, another layout has not", () => {
  assert.equal(isOther("algorithm-agent", "hanabi", "hanabi"), true);
  assert.equal(isOther("variant", "hanabi", "overcooked/cramped_room"), true);
  assert.equal(isOther("variant", "overcooked/coordination_ring", "overcooked/cramped_room"), false);
  assert.equal(isOther("agent-moves", "hanabi", "overcooked/cramped_room"), false);
});
