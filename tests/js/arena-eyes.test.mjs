/** Where Arena is seen from: who went out looks at who did it. */
import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.document = Object.assign(new EventTarget(),
  { body: { classList: { toggle() {} } }, getElementById: () => null, querySelector: () => null });
globalThis.window = new EventTarget();
const { ArenaEyes } = await import("../../static/js/games/arena/eyes.js");
const hud = await import("../../static/js/games/arena/hud-state.js");
const rules = await import("../../static/js/games/arena/rules.js");
const { newSnapshot } = await import("../../static/js/games/arena/protocol.js");
const { sane } = await import("../../static/js/games/arena/settings.js");

/** Seat 0 went out at (50 m, 50 m), put out by seat 4, who was last seen 20 m to the east. */
function fallen({ seen = true, by = 4, hit = 0 } = {}) {
  const controls = { active: true, yaw: 0, pitch: 0, zoomed: false, look(yaw, pitch) {
    this.yaw = ((yaw % 65536) + 65536) % 65536;
    this.pitch = pitch;
  } };
  const eyes = new ArenaEyes(controls, {}, () => {}), memory = hud.newMemory(), snapshot = newSnapshot();
  const seats = Array.from({ length: 8 }, (_, i) => ({ name: `P${i}`, kind: "agent", present: true }));
  const state = { ...hud.fresh({ seat: 0 }), seats, options: { teams: 2, team_size: 4 } };
  snapshot.seat = 0;
  snapshot.own[rules.LIFE] = rules.OUT;
  snapshot.own[rules.HIT_BY] = hit;
  memory.fellBy[0] = by;
  if (seen) Object.assign(memory.seen[4], { x: 70 * 256, y: 50 * 256, at: 0 });
  eyes.note(snapshot, state, memory);
  const scene = { snapshot, own: snapshot.own, players: [], predicted: false,
    camera: { x: 50 * 256, y: 50 * 256, z: 1000, eyes: 0, yaw: 0, pitch: 0 } };
  const look = () => eyes.camera(scene, { size: { width: 800, height: 450 } },
    { settings: sane({}), now: 0, still: true });
  return { eyes, state, memory, look };
}

test("who went out looks from behind the place at where the one who did it was last seen", () => {
  const camera = fallen().look();
  assert.equal(Math.round(camera.yaw), 16384, "to the east");
  assert.ok(camera.pitch < 0 && camera.pitch > -2000, "a little down");
  assert.ok(camera.x < 50 * 256 && camera.z > 1000, "behind and over it");
  assert.equal(camera.seat, -1);
});

test("who is unknown isn't looked for: the place itself is seen", () => {
  const { look } = fallen({ seen: false });
  assert.equal(Math.round(look().pitch), -6800);
});

test("it is said who it was", () => {
  const { eyes, state, memory } = fallen();
  assert.equal(eyes.sentence(state, (seat) => `P${seat}`, 0, memory), "P4 put you out. You watch from above.");
});

test("who lay down until nobody was left to help looks at who had shot them", () => {
  const { eyes, state, memory, look } = fallen({ by: -1, hit: 5 });
  assert.equal(Math.round(look().yaw), 16384, "to the east, where seat 4 was");
  assert.equal(eyes.sentence(state, (seat) => `P${seat}`, 0, memory), "P4 shot you down. You watch from above.");
});

test("whom the zone or a monster put out looks for nobody", () => {
  const { eyes, state, memory, look } = fallen({ by: -1, hit: rules.ZONE_HIT });
  assert.equal(Math.round(look().pitch), -6800);
  assert.equal(eyes.sentence(state, (seat) => `P${seat}`, 0, memory), "You are out. You watch from above.");
});

test("over the ground one sees where one's own step of the plan is done; everybody's are on the maps", () => {
  const { eyes, state, memory } = fallen(), place = [10, 20];
  const view = { ground: { level: new Int8Array(128 * 128) } };
  const targets = [1, 0].map((seat) => ({ seat, number: 1, place, doing: true }));
  const seen = (/** @type {object[]} */ shown) =>
    eyes.labels({ players: [] }, state, memory, view, shown).map(({ text }) => text);
  assert.deepEqual(seen(targets), ["1 · You"]);
  assert.deepEqual(seen(targets.slice(0, 1)), []);
});
