/** What the Arena page says around the picture: frames, the feed, captions, hints, the squad, the wheel, looked-at points. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as hud from "../../static/js/arena-hud-state.js";
import * as rules from "../../static/js/games/arena-rules.js";
import { newSnapshot } from "../../static/js/games/arena-protocol.js";

const seats = Array.from({ length: 8 }, (_, i) => ({ name: `P${i}`, kind: i ? "agent" : "person", present: true, stand_in: null }));
const joined = { type: "joined", seats, role: "player", options: { teams: 2, team_size: 4, map_seed: 3 }, controls: seats.map((seat) => seat.kind), goals: {}, dialogue: [] };
const begin = (seat = 0) => hud.next(hud.fresh({ seat }), joined, 0);
const event = (more) => ({ kind: 0, seat: -1, other: -1, x: 0, y: 0, z: 0, value: 0, tick: 1, ...more });

function snapshotOf(seat, change = () => {}) {
  const snapshot = newSnapshot();
  snapshot.seat = seat;
  snapshot.own[rules.LIFE] = rules.UP;
  snapshot.own[rules.HP] = 80;
  snapshot.own[rules.HIT_TICK] = -1000;
  change(snapshot);
  return snapshot;
}

function add(snapshot, one) {
  Object.assign(snapshot.players[snapshot.playerCount], { life: rules.UP, stance: 0, x: 0, y: 0, z: 0, hp: 100, mate: false, helped: false, busy: false, ...one });
  snapshot.playerCount += 1;
}

test("who is steered follows from the frames", () => {
  let state = begin();
  assert.ok(hud.steers(state));
  state = hud.next(state, { type: "control", controls: ["agent", ...Array(7).fill("agent")], text: "…" }, 0);
  assert.ok(!hud.steers(state));
  assert.ok(!hud.steers(hud.next(begin(), { type: "end", names: [] }, 0)));
});

test("an instruction is a chip that the goals' progress turns", () => {
  let state = hud.next(begin(), { type: "instruction", id: "a", tick: 3, seat: 0, target_seat: null, text: "follow me", status: "confirmed", sentence: "I follow you.", unread: [] }, 100);
  assert.equal(hud.squad(state, snapshotOf(0), 0)[1].obeys, "");
  state = hud.next(state, { type: "goals", tick: 4, goals: { a: { state: "obeying", text: "8 m to go" } } }, 200);
  assert.deepEqual(hud.squad(state, snapshotOf(0), 0).map((row) => row.obeys), ["", "obeying", "obeying", "obeying"]);
  state = hud.next(state, { type: "goals", tick: 9, goals: { a: { state: "done", text: "" } } }, 900);
  assert.equal(state.goals.a.doneAt, 900);
});

test("the squad's lines tell who is down, helped, out, person or agent", () => {
  const snapshot = snapshotOf(0, (one) => {
    add(one, { seat: 1, mate: true, life: rules.DOWNED, hp: 40, helped: true });
    add(one, { seat: 2, mate: true, hp: 65 });
    add(one, { seat: 5, hp: 255 });
  });
  const rows = hud.squad(begin(), snapshot, 0);
  assert.deepEqual(rows.map(({ seat, life, hp }) => [seat, life, hp]), [[0, 2, 80], [1, 1, 40], [2, 2, 65], [3, 0, 0]]);
  assert.deepEqual(rows.map((row) => row.person), [true, false, false, false]);
  assert.ok(rows[1].helped);
  assert.equal(rows[0].name, "You");
});

test("kills and knock-downs are fed, counted and marked", () => {
  const memory = hud.newMemory(), about = { seat: 0, own: snapshotOf(0).own, yaw: 0, placeOf: () => null };
  hud.noteEvent(memory, event({ kind: rules.HIT, seat: 0, other: 5, value: 20 }), about, 10);
  assert.equal(memory.hitKind, "hit");
  hud.noteEvent(memory, event({ kind: rules.KNOCK, seat: 0, other: 5 }), about, 12);
  assert.equal(memory.hitKind, "knock");
  hud.noteEvent(memory, event({ kind: rules.KILL, seat: -1, other: 6 }), about, 20);
  const name = (seat) => (seat === 0 ? "You" : `P${seat}`);
  assert.deepEqual(memory.feed.map((line) => hud.feedText(line, name)), ["You knocked P5 down", "P6 is out"]);
  assert.equal(memory.knocks[0], 1);
  assert.ok(memory.out[6] && !memory.out[5]);
  hud.forget(memory, 21 + hud.FEED);
  assert.equal(memory.feed.length, 0);
});

test("sounds become captions with a direction; the same sound again moves its caption", () => {
  const memory = hud.newMemory(), { own } = snapshotOf(0, (one) => { one.own[rules.X] = 5000; one.own[rules.Y] = 5000; });
  const about = { seat: 0, own, yaw: 0, placeOf: () => null };
  hud.noteEvent(memory, event({ kind: rules.STEP, seat: -1, x: 5000 + 2560, y: 5000, value: 1 }), about, 10);
  hud.noteEvent(memory, event({ kind: rules.STEP, seat: -1, x: 5000 + 2304, y: 5000, value: 1 }), about, 400);
  assert.equal(memory.captions.length, 1);
  assert.equal(memory.captions[0].what, "Running steps");
  assert.equal(Math.round(memory.captions[0].direction), 16384, "to the east");
  assert.equal(Math.round(memory.captions[0].far / 256), 9);
  assert.equal(hud.relative(memory.captions[0].direction, 16384), 0, "ahead of who looks east");
  hud.noteEvent(memory, event({ kind: rules.STEP, seat: 0, value: 1 }), about, 500);
  assert.equal(memory.captions.length, 1, "own steps need none");
});

test("a new wound has a direction, an old one isn't told again", () => {
  const memory = hud.newMemory();
  hud.noteSnapshot(memory, snapshotOf(0), 0);
  const hit = snapshotOf(0, (one) => { one.own[rules.HIT_TICK] = 40; one.own[rules.HIT_YAW] = -16384; one.own[rules.HIT_BY] = 6; });
  hud.noteSnapshot(memory, hit, 50);
  hud.noteSnapshot(memory, hit, 100);
  assert.deepEqual(memory.hurts, [{ yaw: -16384, by: 6, at: 50 }]);
  assert.equal(hud.hurtBy(6, (seat) => `P${seat}`), "P5");
  assert.equal(hud.hurtBy(rules.ZONE_HIT, () => ""), "the zone");
});

test("hints name what is in reach, mates first", () => {
  const near = { mateDown: false, supply: null, door: null };
  const snapshot = snapshotOf(0, (one) => { one.supplyCount = 1; Object.assign(one.supplies[0], { number: 3, kind: 3, x: 100, y: 0 }); });
  hud.reach(near, snapshot.own, snapshot, [{ number: 2, x: 300, y: 0 }], 0b100);
  assert.deepEqual([near.supply.kind, near.door, near.mateDown], [3, { open: true, number: 2 }, false]);
  assert.deepEqual(hud.hint(snapshot.own, near), { key: "pick", text: "pick up the rifle" });
  assert.deepEqual(hud.hint(snapshot.own, { ...near, supply: null }), { key: "interact", text: "close the door" });
  add(snapshot, { seat: 1, mate: true, life: rules.DOWNED, x: 200 });
  hud.reach(near, snapshot.own, snapshot, [], 0);
  assert.equal(hud.hint(snapshot.own, near).text, "hold: help up");
});

test("what takes time has a part that is done", () => {
  const { own } = snapshotOf(0);
  assert.equal(hud.working(own), null);
  own[rules.TREAT] = 30;
  assert.deepEqual(hud.working(own), { text: "Treating yourself", part: 0.5 });
  own[rules.TREAT] = 0;
  own[rules.RESCUE] = 15;
  own[rules.RESCUED] = 3;
  assert.deepEqual(hud.working(own, (seat) => `P${seat}`), { text: "Helping P2 up", part: 0.25 });
});

test("the zone's line counts in minutes and warns late", () => {
  assert.deepEqual(hud.zoneLine({ shrinking: false, left: 480 }), { text: "Zone closes in 0:24", late: false });
  assert.deepEqual(hud.zoneLine({ shrinking: true, left: 1500 }), { text: "Zone closing · 1:15", late: true });
  assert.ok(hud.zoneLine({ shrinking: false, left: 100 }).late);
});

test("the wheel's sectors begin at the top and go clockwise", () => {
  const count = hud.SENTENCES.length;
  assert.equal(hud.sector(0, 10, count, 30), -1);
  assert.equal(hud.sector(0, -60, count, 30), 0);
  assert.equal(hud.sector(60, 0, count, 30), 3);
  assert.equal(hud.sector(-1, -60, count, 30), 0);
  assert.equal(new Set(hud.SENTENCES.map((sentence) => sentence.key)).size, count);
});
