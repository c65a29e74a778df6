/** Keys, mouse, the locked pointer, settings and key names of Arena, on a document made of event targets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ArenaControls } from "../../static/js/games/arena/controls.js";
import { ACTIONS, bindingsOf, codeName, keysOf } from "../../static/js/games/arena/keys.js";
import { PointerLock } from "../../static/js/games/arena/lock.js";
import { lessMotion, loadSettings, sane, saveSettings, STORED } from "../../static/js/games/arena/settings.js";

const FIELD = { tagName: "INPUT", type: "text" };

/** A document with one element that can be played on; `answers`: what each request for the pointer comes to. */
function page(answers = ["locked"]) {
  const document = Object.assign(new EventTarget(),
    { hidden: false, pointerLockElement: null, querySelector: () => null });
  const element = Object.assign(new EventTarget(),
    { tagName: "DIV", contains: (target) => target === element, requests: [] });
  const waits = [];
  const lose = () => { document.pointerLockElement = null; document.dispatchEvent(new Event("pointerlockchange")); };
  document.exitPointerLock = lose;
  element.requestPointerLock = async (options) => {
    element.requests.push(options ?? null);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (answer !== "locked") throw Object.assign(new Error(answer), { name: answer });
    document.pointerLockElement = element;
    document.dispatchEvent(new Event("pointerlockchange"));
  };
  const clock = { now: 0 };
  const world = { document, window: new EventTarget(), now: () => clock.now,
    wait: (run, ms) => waits.push({ run, ms }) };
  return { document, element, world, waits, lose, clock };
}

/** An event of a key, a button or the mouse. */
function fire(target, type, fields = {}) {
  const event = Object.assign(new Event(type, { cancelable: true, bubbles: true }), { button: 0, code: "", ...fields });
  if (fields.on) Object.defineProperty(event, "target", { value: fields.on });
  target.dispatchEvent(event);
  return event;
}

const settled = () => new Promise((resolve) => { setImmediate(resolve); });

function controlled(settings = { keyboardAim: true }, bindings = {}, given = page()) {
  const told = [];
  const states = [];
  const controls = new ArenaControls({
    element: given.element, bindings, settings: sane(settings), world: given.world,
    onKey: (name, down) => told.push(`${name} ${down ? "down" : "up"}`), onState: (state) => states.push(state),
  });
  const calls = [];
  for (const name of ["press", "release", "clear"]) {
    const real = controls.input[name].bind(controls.input);
    controls.input[name] = (action) => { calls.push(action ? `${name} ${action}` : name); real(action); };
  }
  const key = (code, type = "keydown", fields = {}) => fire(given.document, type,
    { code, on: given.element, ...fields });
  return { ...given, controls, told, states, calls, key };
}

test("keys press and release actions, repeats and other keys do nothing", () => {
  const { key, calls } = controlled();
  assert.ok(key("KeyW").defaultPrevented);
  key("KeyW", "keydown", { repeat: true });
  assert.ok(!key("F5").defaultPrevented);
  key("KeyW", "keyup");
  key("KeyW", "keyup");
  assert.deepEqual(calls, ["press forward", "release forward"]);
});

test("a key that was held before the pointer was moves the player from its next repeat", async () => {
  const { document, element, key, calls } = controlled({});
  key("KeyW");
  fire(document, "mousedown", { on: element });
  await settled();
  for (const code of ["KeyW", "KeyW", "KeyT"]) key(code, "keydown", { repeat: true });
  assert.deepEqual(calls, ["press forward"]);
});

test("two keys of one action are held until both are up", () => {
  const { key, calls } = controlled();
  for (const [code, type] of [["KeyC", "keydown"], ["ControlLeft", "keydown"], ["KeyC", "keyup"],
    ["ControlLeft", "keyup"]]) key(code, type);
  assert.deepEqual(calls, ["press crouch", "press crouch", "release crouch"]);
});

test("typing never moves the player", () => {
  const { key, calls, document, told } = controlled();
  key("KeyW");
  fire(document, "focusin", { on: FIELD });
  assert.ok(!key("KeyA", "keydown", { on: FIELD }).defaultPrevented);
  key("KeyT", "keydown", { on: FIELD });
  assert.deepEqual([calls, told], [["press forward", "clear"], []]);
});

test("another window and a hidden page let go of everything", () => {
  const { key, calls, document, world } = controlled();
  key("KeyW");
  world.window.dispatchEvent(new Event("blur"));
  key("KeyW", "keyup");
  key("KeyD");
  document.hidden = true;
  document.dispatchEvent(new Event("visibilitychange"));
  assert.deepEqual(calls, ["press forward", "clear", "press right", "clear"]);
});

test("the page's own keys go to the page, the scoreboard until it is let go", () => {
  const { key, told, calls, controls } = controlled();
  for (const [code, type] of [["Tab", "keydown"], ["Tab", "keyup"], ["KeyT", "keydown"], ["KeyT", "keyup"],
    ["KeyV", "keydown"]]) key(code, type);
  controls.letGo();
  assert.deepEqual(told, ["scoreboard down", "scoreboard up", "instruct down", "sentences down", "sentences up"]);
  assert.deepEqual(calls, ["clear"]);
});

test("the mouse fires and turns only on the stage, and only when it is held", async () => {
  const { document, element, controls, calls, states } = controlled({});
  const press = (fields) => fire(document, "mousedown", { on: element, ...fields });
  fire(document, "mousemove", { movementX: 10, movementY: 0 });
  press({ on: {} });
  assert.equal(element.requests.length, 0);
  press();
  await settled();
  assert.deepEqual([element.requests, controls.state, states, calls],
    [[{ unadjustedMovement: true }], "locked", ["locked"], []]);
  fire(document, "mousemove", { movementX: 10, movementY: 0 });
  fire(document, "mousemove", { movementX: 1900, movementY: 0 });
  assert.equal(controls.yaw, 230);
  press();
  fire(document, "mouseup", { on: element });
  press({ button: 2 });
  assert.ok(controls.zoomed);
  assert.deepEqual(calls, ["press fire", "release fire", "press zoom"]);
});

test("the wheel changes weapons, once a notch", async () => {
  const { element, calls, controls } = controlled();
  fire(element, "wheel", { deltaY: 120 });
  assert.deepEqual(calls, ["press other", "release other"]);
  controls.setMenu(true);
  fire(element, "wheel", { deltaY: 120 });
  assert.equal(calls.filter((call) => call === "press other").length, 1);
});

test("when the pointer is lost keys stop moving, and a click goes on", async () => {
  const { document, element, controls, states, calls, key, lose } = controlled({});
  const press = () => fire(document, "mousedown", { on: element });
  press();
  await settled();
  key("KeyW");
  lose();
  assert.deepEqual([states, calls], [["locked", "paused"], ["press forward", "clear"]]);
  key("KeyD");
  assert.equal(calls.length, 2);
  key("Escape");
  press();
  await settled();
  assert.equal(controls.state, "locked");
});

test("a menu lets the pointer go, and closing it takes it back", async () => {
  const { element, controls, states, document } = controlled({});
  fire(document, "mousedown", { on: element });
  await settled();
  controls.setMenu(true);
  assert.deepEqual([controls.state, document.pointerLockElement], ["menu", null]);
  fire(document, "mousedown", { on: element });
  assert.equal(element.requests.length, 1);
  controls.setMenu(false);
  await settled();
  assert.deepEqual([states.at(-1), controls.active], ["locked", true]);
});

test("played by keyboard no pointer is asked for; settings change that at once", async () => {
  const { element, controls, states, document, key, calls } = controlled();
  fire(document, "mousedown", { on: element });
  assert.deepEqual([element.requests, controls.state, calls], [[], "keyboard", ["press fire"]]);
  controls.setSettings(sane({ keyboardAim: false }));
  assert.deepEqual(states, ["paused"]);
  key("KeyW");
  assert.ok(!calls.includes("press forward"));
});

test("buttons and the browser keep their keys while nobody plays", () => {
  const { key, told } = controlled({});
  const button = { tagName: "BUTTON", closest: () => button };
  assert.ok(!key("Tab", "keydown", { on: button }).defaultPrevented);
  assert.ok(!key("KeyT", "keydown", { ctrlKey: true }).defaultPrevented);
  assert.ok(key("KeyT").defaultPrevented);
  assert.deepEqual(told, ["instruct down"]);
});

test("Ctrl held to crouch asks before a window closes", () => {
  const { key, world } = controlled();
  assert.ok(!fire(world.window, "beforeunload").defaultPrevented);
  key("ControlLeft");
  assert.ok(fire(world.window, "beforeunload").defaultPrevented);
});

test("after stopping nothing is heard", () => {
  const { key, controls, calls } = controlled();
  controls.stop();
  key("KeyW");
  assert.deepEqual(calls, ["clear"]);
});

test("the pointer is asked for without acceleration, and plainly where that can't be had", async () => {
  const given = page(["NotSupportedError", "locked"]);
  const lock = new PointerLock(given.element, () => {}, given.world);
  await lock.request();
  assert.deepEqual([given.element.requests, lock.state], [[{ unadjustedMovement: true }, null], "locked"]);
});

test("right after Esc browsers refuse; it is tried once more in a moment", async () => {
  const given = page(["locked", "NotAllowedError", "locked"]);
  const states = [];
  const lock = new PointerLock(given.element, (state) => states.push(state), given.world);
  await lock.request();
  given.clock.now = 10000;
  given.lose();
  given.clock.now = 10300;
  await lock.request();
  assert.equal(given.waits[0].ms, 1100);
  await lock.request(); // clicks meanwhile ask no more
  assert.equal(given.element.requests.length, 2);
  given.waits[0].run();
  await settled();
  assert.deepEqual(states, ["locked", "paused", "waiting", "locked"]);
});

test("a refusal for any other reason leaves the page paused, and a click tries again", async () => {
  const given = page(["NotAllowedError", "locked"]);
  const lock = new PointerLock(given.element, () => {}, given.world);
  await lock.request();
  assert.deepEqual([lock.state, given.waits.length], ["paused", 0]);
  await lock.request();
  assert.equal(lock.state, "locked");
});

test("a menu that opens while it is tried again ends that", async () => {
  const given = page(["locked", "NotAllowedError", "locked"]);
  const lock = new PointerLock(given.element, () => {}, given.world);
  await lock.request();
  given.lose();
  await lock.request();
  lock.release();
  given.waits[0].run();
  await settled();
  assert.deepEqual([lock.state, given.element.requests.length], ["paused", 2]);
});

test("a pointer that comes when a menu is open again is given back at once", async () => {
  const given = page(), states = [], grant = given.element.requestPointerLock;
  given.element.requestPointerLock = () => settled().then(grant);
  const lock = new PointerLock(given.element, (state) => states.push(state), given.world);
  const granted = lock.request();
  lock.release();
  await granted;
  assert.deepEqual([lock.state, given.document.pointerLockElement, states], ["paused", null, []]);
});

test("a pointer that is asked for before the browser let go of it is taken again", async () => {
  const given = page(), states = [];
  const lock = new PointerLock(given.element, (state) => states.push(state), given.world);
  await lock.request();
  given.document.exitPointerLock = () => {};
  lock.release();
  await lock.request();
  assert.equal(given.element.requests.length, 1);
  given.lose();
  await settled();
  assert.deepEqual([lock.locked, states], [true, ["locked", "paused", "locked"]]);
});

test("asked for between the browser's letting go and its saying so, it is asked for once", async () => {
  const given = page(), grant = given.element.requestPointerLock;
  const lock = new PointerLock(given.element, () => {}, given.world);
  await lock.request();
  given.document.exitPointerLock = () => { given.document.pointerLockElement = null; };
  given.element.requestPointerLock = () => settled().then(grant);
  lock.release();
  const granted = lock.request();
  given.lose();
  await granted;
  await settled();
  assert.deepEqual([lock.state, given.element.requests.length], ["locked", 2]);
});

test("a browser without pointer lock says so", () => {
  const given = page();
  delete given.element.requestPointerLock;
  assert.equal(new PointerLock(given.element, () => {}, given.world).state, "unsupported");
});

test("a person's own keys take the place of the defaults", () => {
  const bindings = bindingsOf({ "arena.forward": ["ArrowUp"], "arena.lookUp": ["KeyW"] });
  assert.deepEqual([bindings.get("ArrowUp"), bindings.get("KeyW"), bindings.get("Mouse0")],
    ["forward", "lookUp", "fire"]);
  assert.deepEqual(keysOf("crouch"), ["C", "Left Ctrl"]);
  assert.deepEqual(keysOf("forward", { "arena.forward": ["ArrowUp"] }), ["↑"]);
  const { key, calls } = controlled({ keyboardAim: true }, { "arena.forward": ["ArrowUp"] });
  key("ArrowUp");
  key("KeyW");
  assert.deepEqual(calls, ["press forward"]);
});

test("no key does two things by default", () => {
  const all = ACTIONS.flatMap(({ keys }) => keys);
  assert.equal(new Set(all).size, all.length);
});

test("keys have names for people", () => {
  const codes = ["KeyQ", "Digit7", "ShiftRight", "ControlLeft", "Space", "ArrowLeft", "Mouse0", "WheelDown",
    "Numpad0", "F2", "Semicolon"];
  assert.deepEqual(codes.map(codeName), ["Q", "7", "Right Shift", "Left Ctrl", "Space", "←", "Left button",
    "Wheel down", "Keypad 0", "F2", ";"]);
});

test("settings are what is sound of what was kept", () => {
  const usual = sane(null);
  assert.deepEqual(sane("nonsense"), usual);
  assert.deepEqual(sane({ sensitivity: NaN, fieldOfView: "90", invertY: "yes", motion: "none", more: 1 }), usual);
  const own = sane({ sensitivity: 99, fieldOfView: 10, invertY: true, motion: "less" });
  assert.deepEqual([own.sensitivity, own.fieldOfView, own.invertY, own.motion], [5, 60, true, "less"]);
});

test("settings are kept where the browser keeps anything", () => {
  const kept = new Map();
  const storage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) };
  assert.deepEqual(loadSettings(storage), sane({}));
  saveSettings({ ...sane({}), turnSpeed: 2 }, storage);
  assert.equal(loadSettings(storage).turnSpeed, 2);
  kept.set(STORED, "{broken");
  assert.deepEqual(loadSettings(storage), sane({}));
});

test("less motion when it is asked for, by the page or by the system", () => {
  const system = (reduces) => () => reduces;
  assert.ok(lessMotion(sane({ motion: "less" }), system(false)));
  assert.ok(lessMotion(sane({}), system(true)));
  assert.ok(!lessMotion(sane({}), system(false)));
  assert.ok(!lessMotion(sane({ motion: "full" }), system(true)));
});
