/** The plan of a side: what a page knows of it, and where a step goes that is moved. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  agentsFirst, changes, FADE, faded, fresh, moved, named, noted, rows, slot, spoken, targets, waitsFor,
} from "../../static/js/plan-state.js";

const step = (id, seat, more = {}) => ({ id, seat, says: `I do ${id}.`, means: "fill what=onion", after: [],
  place: null, by: null, state: "ahead", ...more });
const frame = (steps, more = {}) => ({ on: true, seats: [0, 1], news: [],
  plan: { id: "1", goal: "soups", planner: "search", why: "It begins.", steps }, ...more });
const STEPS = [step("a", 0, { state: "doing", place: [1, 2] }), step("b", 1, { place: [3, 0], after: ["a"] }),
  step("c", 0), step("d", 0, { place: [1, 2] }), step("e", 1)];
const now = () => noted(fresh(), frame(STEPS), 0, true);
const ids = (state) => rows(state).map(({ steps }) => steps.map(({ id }) => id));

test("each seat of the side has a row, what is being done first", () => {
  assert.deepEqual(ids(now()), [["a", "c", "d"], ["b", "e"]]);
  const turned = frame([step("c", 0), step("a", 0, { state: "doing" })]);
  assert.deepEqual(ids(noted(fresh(), turned, 0)), [["a", "c"], []]);
});

test("whoever joins gets why the plan is so, and nothing that is over", () => {
  assert.equal(now().said, "It begins.");
  const late = noted(fresh(), frame([step("a", 0, { state: "done" }), step("b", 1)]), 0, true);
  assert.deepEqual(ids(late), [[], ["b"]]);
  assert.deepEqual(noted(now(), null, 0, true), fresh());
});

test("a step that is over stays for a moment and says what became of it", () => {
  const done = STEPS.map((one) => (one.id === "a" ? { ...one, state: "done" } : one));
  let state = noted(now(), frame(done), 1000);
  assert.deepEqual(ids(state), [["a", "c", "d"], ["b", "e"]]);
  assert.equal(rows(state)[0].steps[0].state, "done");
  // A plan that is made anew doesn't list it any more.
  state = noted(state, frame(STEPS.slice(1)), 1500);
  assert.deepEqual(ids(state), [["a", "c", "d"], ["b", "e"]]);
  assert.deepEqual(ids(faded(state, 1000 + FADE)), [["c", "d"], ["b", "e"]]);
  assert.equal(faded(state, 1001), state);
});

test("a step that was being done and is left out was dropped; what was only planned goes", () => {
  assert.deepEqual(ids(noted(now(), frame(STEPS.slice(0, 4)), 0)), [["a", "c", "d"], ["b"]]);
  const other = STEPS.slice(1).map((one) => ({ ...one, means: "serve" }));
  assert.equal(rows(noted(now(), frame(other), 0))[0].steps[0].state, "dropped");
  assert.deepEqual(ids(noted(now(), frame([...STEPS.slice(1), step("f", 0)]), 0)), [["c", "d", "f"], ["b", "e"]],
    "it is planned again");
});

test("what changed and why is said once, and stays until there is something new", () => {
  let state = noted(now(), frame(STEPS, { news: ["{1} was late.", " ", "{1} was late."] }), 0);
  assert.equal(state.said, "{1} was late.");
  state = noted(state, frame(STEPS), 0);
  assert.equal(state.said, "{1} was late.");
  assert.equal(named(state.said, ["Pia", "Bo"]), "Bo was late.");
  assert.equal(named("{7} helps.", ["Pia"]), "Player 8 helps.");
});

test("a plan that is off shows nothing", () => {
  const state = noted(now(), frame(STEPS, { on: false }), 0);
  assert.deepEqual([state.on, ids(state), state.said], [false, [[], []], ""]);
});

test("the board shows the target of each step with its number in its row, once where a seat has several", () => {
  assert.deepEqual(targets(now()), [{ seat: 0, number: 1, place: [1, 2], doing: true },
    { seat: 1, number: 1, place: [3, 0], doing: false }]);
});

test("a step is added for an agent rather than for a person, and for oneself last", () => {
  const who = ["person", "person", "agent"].map((kind) => ({ kind }));
  assert.deepEqual(agentsFirst([0, 1, 2], who, 0), [2, 1, 0]);
});

test("arrow keys move a step among those of its seat", () => {
  const all = rows(now());
  assert.deepEqual(moved(all, "d", "up"), { to: 0, before: "c" });
  assert.deepEqual(moved(all, "c", "up"), { to: 0, before: "a" }, "it is begun at once");
  assert.equal(moved(all, "a", "up"), null);
  assert.deepEqual(moved(all, "c", "down"), { to: 0, before: null });
  assert.equal(moved(all, "d", "down"), null);
  assert.deepEqual(moved(all, "a", "down"), { to: 0, before: "d" });
  assert.deepEqual(moved(all, "b", "down"), { to: 1, before: null });
});

test("arrow keys move a step to another seat, to the same place in its row", () => {
  const all = rows(now());
  assert.deepEqual(moved(all, "d", "right"), { to: 1, before: null });
  assert.deepEqual(moved(all, "c", "right"), { to: 1, before: "e" });
  assert.deepEqual(moved(all, "b", "left"), { to: 0, before: "a" });
  assert.equal(moved(all, "c", "left"), null);
  assert.equal(moved(all, "gone", "left"), null);
});

test("a card that is let go where it was changes nothing", () => {
  const all = rows(now());
  assert.equal(changes(all, "c", { to: 0, before: "d" }), false);
  assert.equal(changes(all, "d", { to: 0, before: null }), false);
  assert.equal(changes(all, "d", { to: 0, before: "c" }), true);
  assert.equal(changes(all, "d", { to: 1, before: null }), true);
  assert.equal(slot(all[0], 1), "c");
  assert.equal(slot(all[1], 5), null);
});

test("a step says whom it waits for, and is told to those who don't see it", () => {
  assert.deepEqual(waitsFor(now(), STEPS[1]), [0]);
  assert.equal(spoken({ ...STEPS[1], by: 0 }, 0, "Bo"), "Bo, 1: I do b. (later, put there by a player)");
});
