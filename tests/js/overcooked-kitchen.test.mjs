/** What a kitchen's page knows and holds: frames, chips, who drives, keys that are held. */
import assert from "node:assert/strict";
import test from "node:test";
import { direction, Held } from "../../static/js/games/overcooked/controls.js";
import {
  banner, bubbles, BUBBLE, fresh, next, perSecond, steers, turnLine, whoDrives,
} from "../../static/js/games/overcooked/state.js";
import { DONE, ownSeat, readings } from "../../static/js/table-state.js";
import { asking, chipText } from "../../static/js/reading-ask.js";
import { emptyKitchen } from "../../static/js/games/overcooked/model.js";

const SEATS = [{ name: "Pia", kind: "person", present: true, stand_in: null },
  { name: "Greedy", kind: "agent", present: true, stand_in: null }];
const VIEW = { ...emptyKitchen(["XXPXX", "O  2O", "X1  X", "XDXSX"]), seat: 0 };
const TOLD = { type: "instruction", id: "a", tick: 3, seat: 0, target_seat: null, text: "you do onions",
  status: "confirmed", sentence: "I put onions in a pot.", unread: [] };

function joined(page = { seat: 0, copilot: null }, extra = {}) {
  const frame = { type: "joined", seats: SEATS, controls: ["person", "agent"],
    pace: { mode: "real_time", ticks_per_second: 8 }, dialogue: [], goals: {}, ...extra };
  return next(next(fresh(page), frame, 0), { type: "state", tick: 0, view: VIEW, key: null }, 0);
}

test("who joins knows pace, seats and who moves whom", () => {
  const state = joined();
  assert.equal(perSecond(state), 8);
  assert.equal(perSecond(joined(undefined, { pace: { mode: "turns", ticks_per_second: 6 } })), 0);
  assert.deepEqual(state.controls, ["person", "agent"]);
  assert.ok(steers(state));
});

test("without word from the host about control, who sits there moves", () => {
  const seats = [{ ...SEATS[0], stand_in: "Greedy" }, SEATS[1]];
  const state = joined(undefined, { seats, controls: undefined });
  assert.deepEqual(state.controls, ["agent", "agent"]);
  assert.ok(!steers(state));
  assert.equal(whoDrives(state, "C"), "Greedy plays for you.");
});

test("a chip turns green when it is obeyed, ticks off when done, and goes after a while", () => {
  let state = next(joined(), TOLD, 100);
  assert.deepEqual(readings(state, 100).map(({ phase, mine }) => [phase, mine]), [["waiting", true]]);
  state = next(state, { type: "state", tick: 1, view: VIEW, goals: { a: { state: "obeying", text: "1 of 3" } } }, 200);
  assert.deepEqual(readings(state, 200).map(({ phase, note }) => [phase, note]), [["obeying", "1 of 3"]]);
  state = next(state, { type: "standing", tick: 2, id: "a", state: "done", by: null, seats: [1] }, 300);
  state = next(state, { type: "state", tick: 3, view: VIEW, goals: { a: { state: "done", text: "" } } }, 900);
  assert.deepEqual(readings(state, 300 + DONE).map(({ phase, holds }) => [phase, holds]), [["done", false]]);
  assert.deepEqual(readings(state, 301 + DONE), []);
});

test("an instruction that another replaces ticks off, and says which", () => {
  const other = { ...TOLD, id: "b", tick: 5, text: "you do the plates", sentence: "I fetch plates." };
  const replaced = { type: "standing", tick: 5, id: "a", state: "replaced", by: "b", seats: [1] };
  const chips = readings([TOLD, other, replaced].reduce((state, frame) => next(state, frame, 100), joined()), 200);
  assert.deepEqual(chips.map(({ id, phase, note }) => [id, phase, note]),
    [["a", "replaced", "replaced by “you do the plates”"], ["b", "waiting", ""]]);
  const parted = readings(
    [TOLD, other, { ...replaced, state: "confirmed" }].reduce((state, frame) => next(state, frame, 100), joined()),
      200);
  assert.deepEqual(parted.map(({ phase, note }) => [phase, note]),
    [["waiting", "partly replaced by “you do the plates”"], ["waiting", ""]]);
});

const COOKS = { seats: [...SEATS, { name: "Cy", kind: "agent" }, { name: "Di", kind: "agent" }],
  controls: ["person", "agent", "agent", "agent"] };

test("a cook that is done isn't shown as obeying, the others are with how far each is", () => {
  let state = next(joined(undefined, COOKS), TOLD, 0);
  const goals = { a: { state: "obeying", text: "1 of 3", seats: { 1: { state: "obeying", text: "1 of 3" },
    2: { state: "waiting", text: "the pot is full" }, 3: { state: "done", text: "" } } } };
  state = next(next(state, { type: "state", tick: 1, view: VIEW, goals }, 100),
    { type: "standing", tick: 1, id: "a", state: "done", by: null, seats: [3] }, 100);
  assert.deepEqual(readings(state, 100).map(({ phase, note }) => [phase, note]),
    [["obeying", "Di ✓ · Greedy: 1 of 3 · Cy: the pot is full"]]);
  state = next(state, { type: "standing", tick: 2, id: "a", state: "done", by: null, seats: [1] }, 200);
  assert.equal(readings(state, 300)[0].phase, "waiting", "who obeyed is done; who is left waits");
  assert.deepEqual(readings(state, 300, (seat) => seat === 2).map(({ note }) => note),
    ["nobody is left to do it · Greedy ✓ · Di ✓ · Cy can't: out"]);
  state = next(state, { type: "standing", tick: 3, id: "a", state: "done", by: null, seats: [2] }, 300);
  assert.equal(readings(state, 300)[0].phase, "done");
});

test("of a person who is asked nobody says that they obey", () => {
  const company = (controls) => ({ ...COOKS, controls,
    seats: COOKS.seats.map((seat, i) => ({ ...seat, present: true, kind: controls[i] })) });
  const goals = { a: { state: "obeying", text: "fetching", seats: { 1: { state: "waiting", text: "the pot is full" },
    2: { state: "waiting", text: "the pot is full" }, 3: { state: "obeying", text: "fetching" } } } };
  const chip = (...controls) => readings(next(next(joined(undefined, company(controls)), TOLD, 0),
    { type: "state", tick: 1, view: VIEW, goals }, 100), 100).map(({ phase, note }) => [phase, note])[0];
  assert.deepEqual(chip("person", "agent", "agent", "person"), ["waiting", "the pot is full · up to Di"]);
  assert.deepEqual(chip("person", "person", "person", "person"), ["waiting", "up to Greedy, Cy and Di"]);
});

test("who is down, out or away isn't shown as obeying, and the chip says who can't and why", () => {
  const seats = { ...COOKS,
    seats: COOKS.seats.map((seat, i) => ({ ...seat, present: i !== 3, ...(i === 3 && { kind: "person" }) })),
    controls: ["person", "agent", "agent", "person"] };
  let state = next(joined(undefined, seats), TOLD, 0);
  const goals = { a: { state: "obeying", text: "on the spot", seats: { 1: { state: "obeying", text: "on the spot" },
    2: { state: "unable", text: "down" }, 3: { state: "obeying", text: "on the spot" } } } };
  state = next(state, { type: "state", tick: 1, view: VIEW, goals }, 100);
  assert.deepEqual(readings(state, 100).map(({ phase, note }) => [phase, note]),
    [["obeying", "on the spot · 2 can't: Cy down, Di away"]]);
  state = next(state, { type: "standing", tick: 2, id: "a", state: "out", by: null, seats: [2] }, 200);
  assert.equal(readings(state, 200)[0].note, "on the spot · 2 can't: Cy out, Di away");
  state = next(state, { type: "standing", tick: 3, id: "a", state: "out", by: null, seats: [1, 3] }, 300);
  assert.deepEqual(readings(state, 300).map(({ phase, holds }) => [phase, holds]), [["out", false]]);
  assert.match(readings(state, 300)[0].note, /^3 can't: .*Cy out/);
  assert.deepEqual(readings(state, 301 + DONE), []);
});

test("all that is in force has a chip, however much that is, and nothing that others were meant for", () => {
  const many = Array.from({ length: 7 }, (_, i) => ({ ...TOLD, id: `i${i}`, target_seat: 1 + (i % 3) }));
  const state = many.reduce((after, frame) => next(after, frame, 0), joined(undefined, COOKS));
  assert.equal(readings(state, 9 * DONE).length, 7);
  assert.equal(readings(next(state, { type: "standing", tick: 4, id: "i0", state: "aside", by: null, seats: [1] },
    0), 0).length, 6);
});

test("who joins late or comes back sees the chips of those who were there", () => {
  const frames = [
    { ...TOLD, status: "read" }, TOLD, { ...TOLD, id: "b", tick: 5, target_seat: 2 },
    { type: "standing", tick: 5, id: "a", state: "replaced", by: "b", seats: [2] },
    { type: "standing", tick: 8, id: "a", state: "done", by: null, seats: [1, 3] }, { ...TOLD, id: "c", tick: 9 },
    { ...TOLD, id: "c", tick: 11, status: "withdrawn" },
  ];
  const there = frames.reduce((state, frame) => next(state, frame, 0), joined(undefined, COOKS));
  const bySeat =
    frames.flatMap((frame) => (frame.seats ? frame.seats.map((seat) => ({ ...frame, seats: [seat] })) : [frame]));
  const later = joined(undefined, { ...COOKS, dialogue: bySeat });
  assert.deepEqual(readings(later, 0), readings(there, 9 * DONE));
  assert.deepEqual(readings(later, 0).map(({ id }) => id), ["b"]);
});

test("a guess waits on its chip for an answer, and others see that nobody obeys it yet", () => {
  const guess = { ...TOLD, status: "read", unsure: true, options: [{ choice: 1, sentence: "I fetch onions." }] };
  const [mine] = readings(next(joined(), guess, 0), 9 * DONE);
  assert.deepEqual([mine.phase, mine.options.length], ["read", 1]);
  assert.match(chipText(mine), /not sure: do you mean “I put onions in a pot.”/);
  assert.equal(asking([mine]), mine);
  const [other] = readings(next(joined({ seat: 1, copilot: null }), guess, 0), 0);
  assert.match(chipText(other), /“you do onions” may mean/);
  assert.equal(asking([other]), undefined);
  const [sure] = readings(next(joined(), TOLD, 0), 0);
  assert.deepEqual([asking([sure]), sure.options, chipText(sure)], [undefined, [], "I put onions in a pot."]);
  assert.deepEqual(bubbles(next(joined(), guess, 0), 0), [{ seat: 0, text: "you do onions" }],
    "no agent answers before it obeys");
});

test("what was taken back leaves the chips, what wasn't read stays for a while", () => {
  const told = next(joined(), TOLD, 0);
  assert.deepEqual(readings(next(told, { ...TOLD, status: "withdrawn" }, 1), 1), []);
  const unread = next(joined(), { ...TOLD, status: "unread" }, 0);
  assert.equal(readings(unread, 10)[0].phase, "unread");
  assert.deepEqual(readings(unread, DONE + 1), []);
});

test("why a chef moved so stands over its head for a moment", () => {
  const reason = { type: "reason", seat: 1, id: "a", tick: 2, kind: "because",
    text: "Standing still, because Player 1 asked: “stop”." };
  const state = next(joined(), reason, 10);
  assert.deepEqual(bubbles(state, 20), [{ seat: 1, text: "Standing still, because you asked: “stop”." }]);
  assert.deepEqual(bubbles(state, 11 + BUBBLE), []);
  assert.deepEqual(bubbles(joined(undefined, { dialogue: [reason] }), 1), [], "who comes back reads it in the replay");
});

test("words stand over a chef's head for a while, those from before the page came don't", () => {
  const late = joined(undefined, { dialogue: [TOLD, { type: "utterance", seat: 1, text: "hello", tick: 1 }] });
  assert.deepEqual(bubbles(late, 1), []);
  const state = next(next(late, { type: "utterance", seat: 1, text: "one", tick: 2 }, 10),
    { type: "utterance", seat: 1, text: "two", tick: 2 }, 20);
  assert.deepEqual(bubbles(state, 30), [{ seat: 1, text: "two" }]);
  assert.deepEqual(bubbles(state, 21 + BUBBLE), []);
  const again = next(next(state, { ...TOLD, id: "b" }, 40), { ...TOLD, id: "b", status: "withdrawn" }, 9000);
  assert.deepEqual(bubbles(again, 9000), []);
});

test("an agent that begins to obey says what it does", () => {
  const told = { ...TOLD, id: "c", seat: 0, target_seat: null, status: "confirmed", sentence: "I fetch a plate." };
  assert.deepEqual(bubbles(next(joined(), told, 10), 20),
    [{ seat: 0, text: told.text }, { seat: 1, text: "I fetch a plate." }]);
});

test("the countdown counts and ends with the first tick; a pause ends with the next", () => {
  let state = next(joined(), { type: "countdown", seconds: 3 }, 1000);
  assert.deepEqual(banner(state, 1001), { kind: "countdown", text: "3" });
  assert.deepEqual(banner(state, 2500), { kind: "countdown", text: "2" });
  state = next(state, { type: "state", tick: 1, view: { ...VIEW, tick: 1 } }, 4000);
  assert.equal(banner(state, 2500), null);
  state = next(state, { type: "paused", text: "Everybody is away." }, 5000);
  assert.deepEqual(banner(state, 5000), { kind: "paused", text: "Everybody is away." });
  assert.equal(banner(next(state, { type: "resumed" }, 5100), 5100), null);
});

test("a co-pilot steers only while it drives, and is told who does", () => {
  const page = { seat: null, copilot: 1 };
  let state = joined(page, { role: "copilot" });
  assert.equal(ownSeat(state), 1);
  assert.ok(!steers(state));
  assert.match(whoDrives(state, "C"), /^Greedy drives\. C takes over/);
  state = next(state, { type: "state", tick: 1, view: VIEW, controls: ["person", "copilot"] }, 1);
  assert.ok(steers(state));
  assert.match(whoDrives(state, "C"), /^You drive Greedy's chef/);
});

test("spectators steer nothing", () => {
  const state = joined({ seat: null, copilot: null }, { role: "spectator" });
  assert.ok(!steers(state));
  assert.equal(whoDrives(state, "C"), "");
});

test("turn by turn the page says for whom the kitchen waits", () => {
  const seats = [SEATS[0], { name: "Otto", kind: "person", present: true, stand_in: null }];
  const state = joined(undefined,
    { seats, controls: ["person", "person"], pace: { mode: "turns", ticks_per_second: 6 } });
  assert.match(turnLine(state), /^Your move/);
  const moved = next(state, { type: "state", tick: 0, view: VIEW, moved: [0] }, 1);
  assert.equal(turnLine(moved), "You have moved. Waiting for Otto.");
  assert.equal(turnLine(joined()), "");
});

test("after the end nothing is steered and the names are known", () => {
  const state = next(joined(), { type: "end", reason: "finished", score: 40, names: ["Pia", "Partner"] }, 1);
  assert.ok(!steers(state));
  assert.equal(state.seats[1].name, "Partner");
});

function recorded() {
  const sent = [];
  return { sent, held: new Held((type, action) => sent.push(`${type} ${action}`)) };
}

test("the last direction pressed counts; the one before it goes on when it is let go", () => {
  const { sent, held } = recorded();
  held.press(0);
  held.press(2);
  held.release(2);
  assert.deepEqual(sent, ["press 0", "press 2", "release 2", "press 0"]);
  held.release(0);
  assert.equal(held.direction, null);
});

test("letting go of an older direction changes nothing for the newer one", () => {
  const { sent, held } = recorded();
  held.press(0);
  held.press(2);
  held.release(0);
  assert.deepEqual(sent, ["press 0", "press 2", "release 0"]);
  assert.equal(held.direction, 2);
});

test("acting is pressed once and never held", () => {
  const { sent, held } = recorded();
  held.press(5);
  held.release(5);
  assert.deepEqual(sent, ["press 5"]);
  assert.equal(held.direction, null);
});

test("clearing lets go of everything without walking on; after a lost line the held key is told again", () => {
  const { sent, held } = recorded();
  held.press(1);
  held.press(3);
  held.again();
  held.clear();
  assert.deepEqual(sent, ["press 1", "press 3", "press 3", "release 3", "release 1"]);
  held.again();
  assert.equal(sent.length, 5);
});

test("a finger on the pad means one of four directions, or none in the middle", () => {
  assert.equal(direction(0, -50, 80), 0);
  assert.equal(direction(10, 50, 80), 1);
  assert.equal(direction(50, 20, 80), 2);
  assert.equal(direction(-50, 20, 80), 3);
  assert.equal(direction(3, 3, 80), null);
});
