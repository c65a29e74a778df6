/**
 * The one keyboard: a press acts once where it began, an input method keeps its keys, layouts of other scripts and
 * places.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { composes } from "../../static/js/lib/presses.js";
import { sendOnce } from "../../static/js/lib/sending.js";
import { ArenaControls } from "../../static/js/games/arena/controls.js";
import { sane } from "../../static/js/games/arena/settings.js";

const node = (fields = {}) => ({ tagName: "DIV", closest(selector) {
  return selector.split(", ").some((one) => one.split("[")[0].toUpperCase() === this.tagName) ? this : null;
}, ...fields });
const body = node(), button = node({ tagName: "BUTTON" }), field = node({ tagName: "INPUT", type: "text" });
let dialog = null;
globalThis.HTMLElement = Object;
globalThis.window = new EventTarget();
globalThis.document = Object.assign(new EventTarget(), { hidden: false, activeElement: body, getElementById: () => null,
  querySelector: (selector) => (selector === "dialog[open]" ? dialog : null) });
const { actionOf, conflicts, keyName, keyToBind, leadOn, registerKeys } = await import("../../static/js/lib/keys.js");

/** An event of a key as a browser sends it: to the window first, and to the document where nobody stopped it. */
function fire(code, { type = "keydown", on = body, ...fields } = {}) {
  const event = new Event(type, { cancelable: true });
  let stopped = false;
  Object.assign(event, { code, key: /^Key/.test(code) ? code.at(-1).toLowerCase() : code, repeat: false,
    stopImmediatePropagation: () => {
    stopped = true;
  }, ...fields });
  Object.defineProperty(event, "target", { value: on });
  for (const target of [window, document]) if (!stopped) target.dispatchEvent(event);
  return { heard: !stopped, prevented: event.defaultPrevented };
}
const hold = (code, times = 3, fields = {}) => {
  const first = fire(code, fields);
  return [first, ...Array.from({ length: times }, () => fire(code, { ...fields, repeat: true }))];
};
const up = (code, fields = {}) => fire(code, { type: "keyup", ...fields });

const done = [];
const action = (name, keys, fields = {}) => ({ name, keys, label: name, run: () => done.push(name), ...fields });
registerKeys([
  action("submit", ["Enter"]), action("say", ["1"]), action("copilot", ["c"]),
  action("step", ["ArrowRight"], { repeats: true }),
  action("walk", ["KeyW", "ArrowUp"], { places: true, release: () => done.push("stand") }), action("redo", ["Shift+z"]),
  action("nudge", [","]),
]);
const doing = (run) => { done.length = 0; run(); return done.join(" "); };

test("a press acts once, however long it is held; scrubbing goes on", () => {
  assert.equal(doing(() => {
    hold("Digit1", 5, { key: "1" });
    up("Digit1");
    hold("Enter");
    up("Enter");
  }), "say submit");
  assert.equal(doing(() => { hold("ArrowRight", 2); up("ArrowRight"); }), "step step step");
  assert.equal(doing(() => { hold("KeyW", 4); up("KeyW"); }), "walk stand");
});

test("what was down before the page, or went down elsewhere, does nothing", () => {
  assert.deepEqual(fire("Enter", { repeat: true, on: button }), { heard: false, prevented: true });
  fire("KeyT", { on: body });
  assert.deepEqual(fire("KeyT", { repeat: true, on: field }), { heard: false, prevented: true }); // it opened the box
  assert.ok(fire("KeyT", { type: "keypress", on: field }).prevented);
  up("KeyT");
  fire("Space", { key: " ", on: body });
  assert.ok(up("Space", { key: " ", on: button }).prevented); // a dialog came meanwhile
});

test("a scrub stops at a dialog", () => {
  assert.equal(doing(() => {
    fire("ArrowRight");
    dialog = body;
    fire("ArrowRight", { repeat: true });
    dialog = null;
  }), "step");
  up("ArrowRight");
});

test("a held Enter presses no button twice and sends no line twice", () => {
  for (const on of [button, field, node({ tagName: "TEXTAREA" })]) {
    const [first, ...later] = hold("Enter", 2, { on });
    assert.deepEqual(first, { heard: true, prevented: false });
    for (const one of later) assert.deepEqual(one, { heard: false, prevented: true });
    up("Enter", { on });
  }
});

test("a held letter is written on, and the page scrolls on, unheard by the page", () => {
  for (const [code, on] of [["KeyA", field], ["Backspace", field], ["PageDown", body], ["Tab", button]]) {
    assert.deepEqual(hold(code, 1, { on })[1], { heard: false, prevented: false });
    up(code, { on });
  }
});

test("while nobody plays, a held key goes on moving a slider and scrolling; a walk that is held writes nothing", () => {
  const slider = node({ tagName: "INPUT", type: "range" }),
    stage = Object.assign(new EventTarget(), { contains: () => false });
  const controls = new ArenaControls({ element: stage, settings: sane({ keyboardAim: true }),
    world: { document, window } });
  const prevented = (code, on, later = on) => {
    fire(code, { on });
    const repeat = fire(code, { on: later, repeat: true });
    up(code, { on: later });
    return repeat.prevented;
  };
  controls.setMenu(true);
  assert.deepEqual([prevented("ArrowLeft", slider), prevented("ArrowDown", body), prevented("KeyG", body, field)],
    [false, false, true]);
  controls.setMenu(false);
  assert.deepEqual([prevented("ArrowDown", body), prevented("KeyG", body, field)], [true, true]);
  controls.stop();
});

test("an input method's keys are its own, in every field", () => {
  assert.ok(composes({ isComposing: true }) && composes({ keyCode: 229 }) && !composes({ keyCode: 13 }));
  for (const fields of [{ isComposing: true },
    { keyCode: 229 }]) assert.deepEqual(fire("Enter", { on: field, ...fields }), { heard: false, prevented: false });
  assert.deepEqual(fire("Enter", { on: field }), { heard: true, prevented: false });
  up("Enter");
});

test("letters of other scripts fall back to the key's place, those of one's own don't", () => {
  const press = (code, key, fields = {}) => doing(() => {
    fire(code, { key, ...fields });
    up(code, { key, ...fields });
  });
  assert.equal(press("KeyC", "с"), "copilot");
  assert.equal(press("KeyZ", "Я", { shiftKey: true }), "redo");
  assert.equal(press("Comma", "б"), "nudge");
  assert.equal(press("Digit1", "&"), "say"); // AZERTY
  assert.equal(press("Digit1", "!", { shiftKey: true }), "");
  assert.equal(press("KeyI", "c"), "copilot"); // Dvorak: by what it writes
  assert.equal(press("KeyC", "j"), "");
});

test("walking goes by place, and by what a key writes where nothing says its place", () => {
  const press = (code, key, fields = {}) => doing(() => {
    fire(code, { key, ...fields });
    up(code, { key, ...fields });
  });
  assert.equal(press("KeyW", "z"), "walk stand");
  assert.equal(press("KeyZ", "w"), "");
  assert.equal(press("KeyW", "ц"), "walk stand");
  assert.equal(press("", "w"), "walk stand");
  assert.equal(press("", "W"), "walk stand");
  assert.equal(press("KeyW", "w", { ctrlKey: true }), "");
});

test("only what listens to the mouse is bound to it, or to Shift alone", () => {
  const events = [
    { type: "mousedown", button: 0 }, { type: "wheel", deltaY: 3 },
    { type: "keydown", key: "Control", code: "ControlLeft", ctrlKey: true },
    { type: "keydown", key: "z", code: "KeyW" },
  ];
  const bound = (fields) => events.map((event) => keyToBind(event, fields));
  assert.deepEqual(bound({ places: true, mouse: true }), ["Mouse0", "WheelDown", "ControlLeft", "KeyW"]);
  assert.deepEqual(bound({ places: true, mouse: false }), [null, null, null, "KeyW"]);
  assert.deepEqual(bound({ places: false, mouse: false }), [null, null, null, "z"]);
});

test("keys have names, and two actions on one are told", () => {
  assert.equal(actionOf({ key: "i", code: "KeyI" }, [action("x", ["KeyI"], { places: true })]).name, "x");
  assert.equal(keyName({ key: "Z", shiftKey: true }), "Shift+z");
  assert.deepEqual(conflicts([action("a", ["x"]), action("b", ["x", "y"])]), [["x", ["a", "b"]]]);
});

test("what is pressed at a game's end was meant for the game", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  let now = performance.now();
  context.mock.method(performance, "now", () => now);
  const pass = (ms) => { now += ms; context.mock.timers.tick(ms); };
  const link = { dataset: {}, focused: 0, focus() { this.focused += 1; } };
  leadOn(link);
  pass(900);
  fire("Enter");
  up("Enter");
  pass(900);
  assert.deepEqual([link.focused, "leads" in link.dataset], [0, false]);
  pass(200);
  assert.deepEqual([link.focused, "leads" in link.dataset], [1, true]);
});

test("a form is sent once while its answer is on the way", (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const world = new EventTarget();
  sendOnce(world);
  const form = { method: "post", target: "" }, question = { method: "dialog", target: "" };
  const send = (on) => {
    const event = new Event("submit", { cancelable: true });
    Object.defineProperty(event, "target", { value: on });
    return world.dispatchEvent(event);
  };
  assert.deepEqual([send(form), send(form), send({ ...form }), send(question), send(question)],
    [true, false, true, true, true]);
  context.mock.timers.tick(5000);
  assert.ok(send(form));
  world.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })); // by the back button
  assert.deepEqual([send(form), send(form)], [true, false]);
});

test("no button that can't be undone has the focus by itself", () => {
  const root = new URL("../../", import.meta.url);
  const own = readdirSync(new URL("engine/games", root), { withFileTypes: true })
    .filter((one) => one.isDirectory())
    .flatMap((one) => [`engine/games/${one.name}/templates`, `engine/games/${one.name}/static/js`])
    .filter((folder) => existsSync(new URL(folder, root)));
  const files = ["templates", "static/js", ...own]
    .flatMap((folder) => readdirSync(new URL(folder, root), { recursive: true })
    .map((name) => `${folder}/${name}`)).filter((name) => /\.(html|js)$/.test(name));
  const focused =
    files.flatMap(
      (name) =>
        readFileSync(new URL(name, root), "utf8")
    .match(/(<button[^>]*\bautofocus\b[^>]*>|el\("button[^)]*autofocus: true[^)]*\))/g) ?? []);
  assert.ok(focused.length > 3, focused.join("\n"));
  assert.deepEqual(focused.filter((one) => /danger|value="(submit|leave)"/.test(one)), []);
});
