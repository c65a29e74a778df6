/** The coach of a guided first game: its buttons and what it says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { buttonsOf, spokenOf, withKeys } from "../../static/js/coach-state.js";

const told = { step: 1, steps: 4, say: "Tell it.", noticed: "You gave a hint.", tell: [], asks: "", shown: false };

test("the key presses what the step asks for before it stops the game", () => {
  const all = buttonsOf({ ...told, tell: ["Hint my ones."], asks: "Wake them", shown: true });
  assert.deepEqual(all.map(({ does }) => does), ["tell", "wake", "leave"]);
  assert.equal(all[0].value, "Hint my ones.");
});

test("there is nothing to stop for before the agent's move was made", () => {
  assert.deepEqual(buttonsOf(told), []);
  assert.equal(buttonsOf({ ...told, shown: true })[0].text, "Stop here and mark the move");
  assert.equal(buttonsOf({ ...told, shown: true, step: 4 })[0].text, "Mark the move");
});

test("what is read out has what was done and what comes", () => {
  assert.equal(spokenOf(told), "You gave a hint. Step 2 of 4: Tell it.");
  assert.equal(spokenOf({ ...told, step: 4, say: "That was all." }), "You gave a hint. That was all.");
});

test("what to press is told by the keys of whoever plays", () => {
  const keys = { "kitchen.act": "e", "arena.forward": "KeyI", "arena.fire": "Mouse0", "kitchen.north": "ArrowUp" };
  assert.equal(withKeys("Press [kitchen.act], [arena.forward] or [kitchen.north]; fire: [arena.fire].", keys),
    "Press E, I or ↑; fire: Left button.");
  assert.equal(withKeys("Press [nobody.knows].", keys), "Press [nobody.knows].");
});
