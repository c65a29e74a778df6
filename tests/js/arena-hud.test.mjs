/**
 * What the Arena page says around the picture: frames, the feed, captions, hints, the squad, the wheel, looked-at
 * points.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ArenaMap, mapSide } from "../../static/js/games/arena/hud-map.js";
import * as hud from "../../static/js/games/arena/hud-state.js";
import * as rules from "../../static/js/games/arena/rules.js";
import { newSnapshot } from "../../static/js/games/arena/protocol.js";

const seats = Array.from({ length: 8 },
  (_, i) => ({ name: `P${i}`, kind: i ? "agent" : "person", present: true, stand_in: null }));
const joined = { type: "joined", seats, role: "player", options: { teams: 2, team_size: 4, map_seed: 3 },
  controls: seats.map((seat) => seat.kind), goals: {}, dialogue: [] };
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
  Object.assign(snapshot.players[snapshot.playerCount],
    { life: rules.UP, stance: 0, x: 0, y: 0, z: 0, hp: 100, mate: false, helped: false, busy: false, ...one });
  snapshot.playerCount += 1;
}

test("why a mate moved so is among the words for a moment, with names", () => {
  const state = hud.next(begin(), { type: "reason", seat: 1, id: "a", tick: 4, kind: "because",
    text: "Following, because Player 1 asked: “follow me”." }, 10);
  assert.deepEqual(state.words, [{ seat: 1, text: "Following, because you asked: “follow me”.", at: 10 }]);
});

test("who is steered follows from the frames", () => {
  let state = begin();
  assert.ok(hud.steers(state));
  state = hud.next(state, { type: "control", controls: ["agent", ...Array(7).fill("agent")], text: "…" }, 0);
  assert.ok(!hud.steers(state));
  assert.ok(!hud.steers(hud.next(begin(), { type: "end", names: [] }, 0)));
});

test("a co-pilot is told whose they are, who plays and what the key does; others are told nothing", () => {
  const seated = (role, page, by = "agent") => ({ ...hud.next(hud.fresh(page), joined, 0), role,
    controls: seats.map((_, i) => (i === 2 ? by : "agent")) });
  const pilot = { seat: null, copilot: 2 }, nobodyOut = Array(8).fill(false);
  assert.equal(hud.pilotLine(seated("copilot", pilot), "P", nobodyOut), "You are the co-pilot of P2. P takes over.");
  assert.equal(hud.pilotLine(seated("copilot", pilot, "copilot"), null, nobodyOut), "You play for P2.");
  assert.equal(hud.pilotLine(seated("copilot", pilot), "P", nobodyOut.with(2, true)), "");
  assert.equal(hud.pilotLine(begin(), "P", nobodyOut), "");
});

test("who is left is counted in players and squads, and where there is no room in players", () => {
  const said = (playersLeft, teamsLeft, size) => hud.whoIsLeft({ playersLeft, teamsLeft }, size).join("");
  assert.deepEqual([said(8, 2, 4), said(1, 1, 4), said(5, 5, 1)],
    ["8 players in 2 squads", "1 player in 1 squad", "5 players"]);
});

test("a name that is cut keeps the number that tells twins apart", () => {
  assert.deepEqual(["Middling squad 3", "Ada", "Squad 12", "7"].map(hud.toldApart),
    [["Middling squad", " 3"], ["Ada"], ["Squad", " 12"], ["7"]]);
});

test("an instruction is a chip that the goals' progress turns", () => {
  let state = hud.next(begin(), { type: "instruction", id: "a", tick: 3, seat: 0, target_seat: null, text: "follow me",
    status: "confirmed", sentence: "I follow you.", unread: [] }, 100);
  assert.deepEqual(hud.squad(state, squadOf(0), 0)[1].obeys, "waiting");
  state = hud.next(state, { type: "goals", tick: 4, goals: { a: { state: "obeying", text: "8 m to go" } } }, 200);
  assert.deepEqual(hud.squad(state, squadOf(0), 0).map((row) => row.obeys), ["", "obeying", "obeying", "obeying"]);
  state = hud.next(state, { type: "standing", tick: 9, id: "a", state: "done", by: null, seats: [1, 2, 3] }, 900);
  assert.deepEqual(hud.squad(state, squadOf(0), 0).map((row) => row.obeys), ["", "", "", ""]);
  assert.equal(hud.squadReadings(state, 900, hud.newMemory())[0].phase, "done");
});

/** A squad of four on their feet, but for those who are out. */
const squadOf = (seat, out = []) => snapshotOf(seat, (one) => [1, 2, 3].forEach((mate) => {
  if (!out.includes(mate)) add(one, { seat: mate, mate: true });
}));

test("each mate is shown with what is in force for them, and the dead and the done with nothing", () => {
  const say = (id, text, target, seat = 0) => ({ type: "instruction", id, tick: 3, seat, target_seat: target, text,
    status: "confirmed", sentence: "I do.", unread: [] });
  const goals = { a: { state: "obeying", text: "",
    seats: { 1: { state: "done", text: "" }, 2: { state: "obeying", text: "" }, 3: { state: "obeying", text: "" } } } };
  const frames = [say("a", "hold here", null), say("b", "follow me", 1),
    { type: "standing", tick: 3, id: "a", state: "replaced", by: "b", seats: [1] }, { type: "goals", tick: 4, goals }];
  const state = frames.reduce((after, frame) => hud.next(after, frame, 0), begin());
  const rows = hud.squad(state, squadOf(0, [3]), 0);
  assert.deepEqual(rows.map(({ obeys, told }) => [obeys, told]),
    [["", ""], ["waiting", "“follow me”"], ["obeying", "“hold here”"], ["", ""]]);
  const memory = hud.newMemory();
  memory.out[2] = memory.out[3] = true;
  assert.deepEqual(hud.squadReadings(state, 0, memory).map(({ id, phase, note }) => [id, phase, note]),
    [["a", "unable", "nobody is left to do it · 2 can't: P2 out, P3 out · partly replaced by “follow me”"],
    ["b", "waiting", ""]]);
  assert.equal(hud.squadNews(state, frames[2]), "“follow me” replaces “hold here” for P1.");
});

test("what another squad is told is no chip of this one", () => {
  const theirs = { type: "instruction", id: "x", tick: 3, seat: 5, target_seat: null, text: "attack",
    status: "confirmed", sentence: "I attack.", unread: [] };
  const chips = (seat) => hud.squadReadings(hud.next(begin(seat), theirs, 0), 0, hud.newMemory()).map(({ id }) => id);
  assert.deepEqual([chips(0), chips(4), chips(null)], [[], ["x"], ["x"]]);
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
  const memory = hud.newMemory(), about = { seat: 0, own: snapshotOf(0).own, whereIs: () => null };
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

/** The state of a page in a match of so many squads, and a memory of who went out when: [[tick, seat, by], …]. */
function match(teams, size, outs, seat = 0) {
  const names = Array.from({ length: teams * size },
    (_, i) => ({ name: `P${i}`, kind: "agent", present: true, stand_in: null }));
  const state = hud.next(hud.fresh({ seat, copilot: null }),
    { ...joined, seats: names, options: { teams, team_size: size },
    controls: names.map((_, i) => (i === seat ? "person" : "agent")) }, 0);
  const memory = hud.newMemory();
  for (const [tick, other, by = -1] of outs) hud.noteEvent(memory, event({ kind: rules.KILL, seat: by, other, tick }),
    { seat, own: snapshotOf(seat ?? 0).own, whereIs: () => null }, tick * 50);
  return { state, memory };
}

const places = ({ state, memory }) => Array.from({ length: state.options.teams },
  (_, team) => hud.placeOf(state, memory, team));

test("a squad has a place once all of it are out, the same for those that go in one tick", () => {
  assert.deepEqual(places(match(2, 1, [])), [0, 0]);
  assert.deepEqual(places(match(2, 1, [[5, 0]])), [2, 0]);
  assert.deepEqual(places(match(2, 2, [[5, 0], [9, 2]])), [0, 0], "somebody of each is in");
  assert.deepEqual(places(match(2, 2, [[5, 0], [9, 1]])), [2, 0]);
  assert.deepEqual(places(match(3, 2, [[5, 2], [5, 3], [8, 0], [8, 1], [8, 4], [8, 5]])), [1, 3, 1], "a draw");
  assert.deepEqual(places(match(5, 4, [7, 4, 5, 6].map((seat, i) => [i, seat]))), [0, 5, 0, 0, 0]);
  assert.deepEqual(places(match(20, 1, Array.from({ length: 19 }, (_, i) => [i, 19 - i]))),
    [0, ...Array.from({ length: 19 }, (_, i) => i + 2)]);
});

test("the squad's place stays what it was when others follow, and when the page is loaded again", () => {
  const { state, memory } = match(4, 1, [[5, 0], [9, 2], [20, 3]]);
  assert.equal(hud.placeOf(state, memory, 0), 4);
  assert.equal(hud.squadOut(state, 4), "You are out: place 4 of 4.");
  const again = hud.newMemory();
  hud.noteHistory(again,
    [[6, 0], [10, 2], [21, 3]].map(([tick, other]) => ({ kind: rules.KILL, seat: -1, other, tick })));
  assert.deepEqual(places({ state, memory: again }), [4, 0, 3, 2]);
});

test("who is shown the match late is told nothing twice", () => {
  const { state, memory } = match(2, 2, [[5, 2, 0], [9, 1, 3]]);
  const about = { seat: 0, own: snapshotOf(0).own, whereIs: () => null };
  hud.noteEvent(memory, event({ kind: rules.KNOCK, seat: 0, other: 3, tick: 7 }), about, 350);
  const lines = memory.feed.length;
  hud.noteSnapshot(memory, snapshotOf(255, (one) => { one.tick = 6; add(one, { seat: 1 }); }), 500);
  assert.ok(memory.out[2] && !memory.out[1], "as the picture shows it");
  hud.noteEvent(memory, event({ kind: rules.KNOCK, seat: 0, other: 3, tick: 7 }), about, 600);
  hud.noteEvent(memory, event({ kind: rules.KILL, seat: 3, other: 1, tick: 9 }), about, 700);
  assert.deepEqual([hud.killsOf(memory, 0), hud.killsOf(memory, 3), memory.knocks[0], memory.feed.length],
    [1, 1, 1, lines]);
  hud.noteHistory(memory, [{ kind: rules.KILL, seat: 0, other: 2, tick: 6 }]);
  assert.deepEqual([hud.killsOf(memory, 0), hud.killsOf(memory, 3)], [1, 0], "another line begins with what it tells");
  assert.deepEqual(places({ state, memory }), [0, 0]);
});

test("the end is told by the host: to each seat its own, to those who watch who won", () => {
  const told =
    [0, 1, 2, 3].map(
      (seat) => ({ headline: seat < 2 ? "Your squad came in 2nd of 2" : "Your squad is the last one standing",
    detail: `You put ${seat} out.` }));
  const end = { type: "end", reason: "finished", names: [], told, headline: "The orange square squad won" };
  const of = (seat, more = {}) => hud.ending({ ...hud.next(match(2, 2, [], seat).state, end, 0), ...more });
  assert.deepEqual(of(0), { headline: "Your squad came in 2nd of 2", detail: "You put 0 out." });
  assert.deepEqual(of(3), { headline: "Your squad is the last one standing", detail: "You put 3 out." });
  assert.deepEqual(of(null), { headline: "The orange square squad won", detail: "" });
  assert.equal(of(1, { controls: Array(4).fill("agent") }).detail, "You put 1 out. An agent played on for you.");
  const copilot = hud.ending(
    { ...hud.next({ ...match(2, 2, [], null).state, role: "copilot", page: { seat: null, copilot: 2 } }, end, 0) });
  assert.deepEqual(copilot, { headline: "Your squad is the last one standing", detail: "" });
});

test("sounds become captions with a direction; the same sound again moves its caption", () => {
  const memory = hud.newMemory(), { own } = snapshotOf(0, (one) => {
    one.own[rules.X] = 5000;
    one.own[rules.Y] = 5000;
  });
  const about = { seat: 0, own, whereIs: () => null };
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
  const hit = snapshotOf(0, (one) => {
    one.own[rules.HIT_TICK] = 40;
    one.own[rules.HIT_YAW] = -16384;
    one.own[rules.HIT_BY] = 6;
  });
  hud.noteSnapshot(memory, hit, 50);
  hud.noteSnapshot(memory, hit, 100);
  assert.deepEqual(memory.hurts, [{ yaw: -16384, by: 6, at: 50 }]);
  assert.equal(hud.hurtBy(6, (seat) => `P${seat}`), "P5");
  assert.equal(hud.hurtBy(rules.ZONE_HIT, () => ""), "the zone");
});

test("hints name what is in reach, mates first", () => {
  const near = { mateDown: false, supply: null, door: null };
  const snapshot = snapshotOf(0, (one) => {
    one.supplyCount = 1;
    Object.assign(one.supplies[0], { number: 3, kind: 3, x: 100, y: 0 });
  });
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

test("what stands over a stage whose keys move nobody says what to do", () => {
  const at = { touch: false, plays: true, waiting: false, tells: true, pointer: "free", played: false };
  const words = (more) => hud.veilWords({ ...at, ...more }, (action) => action);
  assert.deepEqual(words({}), ["Click to play",
    "Esc lets go of the mouse, instruct talks to your squad, sentences has ready sentences."]);
  assert.equal(words({ waiting: true })[0], "Click to begin: the match waits for you");
  assert.equal(words({ played: true, waiting: true })[0], "Paused for you, not for the others.");
  assert.match(words({ tells: false })[1], /copilot hands back to the agent/);
  assert.match(words({ plays: false })[1], /forward left back right fly, watch watches somebody/);
  assert.match(words({ pointer: "unsupported" })[1], /keyboard/);
  assert.equal(words({ touch: true, waiting: true })[0], "Tap to begin: the match waits for you");
  assert.ok(!words({ touch: true, tells: false })[1].includes("Orders"));
});

test("the large map has room beside the plan, and over it on an upright phone", () => {
  assert.equal(mapSide(1280, 750, false), 654);
  assert.equal(mapSide(390, 804, true), 374);
  assert.equal(mapSide(844, 350, true), 254);
});

test("a shot that came after the frame began is drawn, and the frame goes on", () => {
  const radii = [];
  const context = new Proxy({}, { get: (had, name) => had[name]
    ?? (name === "arc" ? (x, z, radius) => radii.push(radius) : () => {}) });
  const map = new ArenaMap({ getContext: () => context, width: 0, height: 0 }, {});
  const snapshot = newSnapshot(), memory = hud.newMemory();
  memory.shots.push({ x: 256, y: 256, at: 5000 });
  map.resize(200, 200);
  map.draw({ snapshot, memory, own: null, players: [], state: hud.fresh({ seat: 0 }), now: 1000,
    eye: { x: 0, y: 0, yaw: 0 } }, { metres: 128, follow: false, rotate: false });
  assert.ok(radii.length && radii.every((radius) => radius >= 0), radii.join());
});
