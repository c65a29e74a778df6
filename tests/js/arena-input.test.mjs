/** What is held and pressed in Arena, and the input of each tick that comes of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { directionOf, InputState } from "../../static/js/games/arena/input.js";
import { sane } from "../../static/js/games/arena/settings.js";
import * as r from "../../static/js/games/arena/rules.js";
import { NO_BASIC } from "../../static/js/games/arena/move.js";

/** Somebody on their feet with two weapons. */
function standing(fields = {}) {
  const own = new Int16Array(48);
  own[r.LIFE] = r.UP;
  own[r.HP] = 60;
  own[r.STAMINA] = r.STAMINA_MAX;
  own[r.WEAPON] = r.PISTOL;
  own[r.WEAPON_2] = r.RIFLE;
  own[r.MEDKITS] = 1;
  for (const [field, value] of Object.entries(fields)) own[r[field]] = value;
  return own;
}

const around = (fields, more = {}) => ({ own: standing(fields), mateDown: false, aim: null, ...more });
const hands = (settings = {}) => new InputState(sane(settings));
const bodies = (input, context, ticks) => Array.from({ length: ticks }, () => input.take(context).body);
const basics = (input, context, ticks) => Array.from({ length: ticks }, () => input.take(context).basic);

test("four keys make eight directions, and opposite keys none", () => {
  const all = [[1, 0, 0, 0], [1, 0, 0, 1], [0, 0, 0, 1], [0, 1, 0, 1], [0, 1, 0, 0], [0, 1, 1, 0],
    [0, 0, 1, 0], [1, 0, 1, 0]];
  assert.deepEqual(all.map((keys) => directionOf(...keys)), [0, 2, 4, 6, 8, 10, 12, 14]);
  assert.equal(directionOf(1, 1, 0, 0), -1);
  assert.equal(directionOf(1, 1, 1, 1), -1);
  assert.equal(directionOf(1, 1, 0, 1), 4);
});

test("nobody moves without a key, one walks with one and runs with another", () => {
  const input = hands();
  assert.deepEqual(input.take(around()),
    { move: 0, body: r.B_STOP, basic: NO_BASIC, switch: r.KEEP, yaw: 0, pitch: 0 });
  input.press("right");
  assert.deepEqual([input.take(around()).move, input.take(around()).body], [4, r.B_NONE]);
  input.press("run");
  assert.equal(input.take(around()).body, r.B_RUN);
  input.release("right");
  assert.equal(input.take(around()).body, r.B_STOP);
});

test("running that is toggled ends when one stands", () => {
  const input = hands({ runToggle: true });
  input.press("forward");
  input.press("run");
  input.release("run");
  assert.equal(input.take(around()).body, r.B_RUN);
  input.release("forward");
  input.press("forward");
  assert.equal(input.take(around()).body, r.B_NONE);
});

test("one looks along the sights while the key is held, or until the next press, and doesn't run meanwhile", () => {
  const input = hands();
  for (const name of ["forward", "run", "zoom"]) input.press(name);
  assert.ok(input.zoomed);
  assert.equal(input.take(around()).body, r.B_NONE);
  input.release("zoom");
  assert.ok(!input.zoomed);
  const toggled = hands({ zoomToggle: true });
  toggled.press("zoom");
  toggled.release("zoom");
  assert.ok(toggled.zoomed);
  toggled.press("zoom");
  assert.ok(!toggled.zoomed);
});

test("what is pressed between two ticks is sent once", () => {
  const input = hands();
  input.press("jump");
  input.release("jump");
  assert.equal(input.peek(around()).body, r.B_JUMP);
  assert.deepEqual(bodies(input, around(), 3), [r.B_JUMP, r.B_STOP, r.B_STOP]);
  input.press("fire");
  input.release("fire");
  assert.deepEqual(basics(input, around(), 2), [r.FIRE, NO_BASIC]);
});

test("a jump waits until it can be done, but not for ever", () => {
  const input = hands();
  input.press("jump");
  assert.deepEqual(bodies(input, around({ AIRBORNE: 1 }), 4), [r.B_STOP, r.B_STOP, r.B_STOP, r.B_STOP]);
  assert.equal(input.take(around()).body, r.B_JUMP);
  input.press("jump");
  bodies(input, around({ STANCE_WAIT: 8 }), 12);
  assert.equal(input.take(around()).body, r.B_STOP);
});

test("who jumps and lets go in one tick takes the last step the way they went", () => {
  const input = hands();
  input.press("left");
  input.take(around({ MOVING: 1 }));
  input.release("left");
  input.press("jump");
  const last = input.take(around({ MOVING: 1 }));
  assert.deepEqual([last.move, last.body], [12, r.B_JUMP]);
  assert.equal(input.take(around()).move, 0);
});

test("fire goes on while it is held; a click waits for the weapon", () => {
  const input = hands();
  input.press("fire");
  assert.deepEqual(basics(input, around(), 3), [r.FIRE, r.FIRE, r.FIRE]);
  input.release("fire");
  assert.equal(input.take(around()).basic, NO_BASIC);
  input.press("fire");
  input.release("fire");
  assert.deepEqual(basics(input, around({ FIRE_WAIT: 5 }), 3), [NO_BASIC, NO_BASIC, NO_BASIC]);
  assert.equal(input.take(around({ FIRE_WAIT: 1 })).basic, r.FIRE);
});

test("crouching toggles, and lying down does too", () => {
  const input = hands();
  input.press("crouch");
  input.release("crouch");
  assert.equal(input.take(around()).body, r.B_CROUCH);
  assert.equal(input.take(around({ STANCE: r.CROUCH, STANCE_WAIT: 8 })).body, r.B_STOP);
  input.press("prone");
  assert.equal(input.take(around({ STANCE: r.CROUCH })).body, r.B_PRONE);
  input.take(around({ STANCE: r.PRONE, STANCE_WAIT: 8 }));
  input.press("prone");
  assert.equal(input.take(around({ STANCE: r.PRONE, STANCE_WAIT: 4 })).body, r.B_STOP);
  assert.equal(input.take(around({ STANCE: r.PRONE, STANCE_WAIT: 1 })).body, r.B_PRONE);
  assert.equal(input.take(around({ STANCE_WAIT: 8 })).body, r.B_STOP);
});

test("from the ground the crouch key leads to crouching", () => {
  const input = hands();
  input.press("crouch");
  assert.equal(input.take(around({ STANCE: r.PRONE })).body, r.B_CROUCH);
});

test("crouching that is held ends when the key comes up", () => {
  const input = hands({ crouchToggle: false });
  input.press("crouch");
  assert.equal(input.take(around()).body, r.B_CROUCH);
  assert.equal(input.take(around({ STANCE: r.CROUCH, STANCE_WAIT: 8 })).body, r.B_STOP);
  input.press("run");
  input.press("forward");
  assert.equal(input.take(around({ STANCE: r.CROUCH })).body, r.B_NONE);
  input.release("crouch");
  input.release("forward");
  assert.equal(input.take(around({ STANCE: r.CROUCH })).body, r.B_CROUCH);
  assert.equal(input.take(around()).body, r.B_STOP);
});

test("crouching while one runs is a slide", () => {
  for (const crouchToggle of [true, false]) {
    const input = hands({ crouchToggle });
    for (const name of ["forward", "run", "crouch"]) input.press(name);
    assert.equal(input.take(around({ MOVING: 1 })).body, r.B_SLIDE, String(crouchToggle));
    input.release("crouch");
    assert.equal(input.take(around({ MOVING: 1, STANCE: r.SLIDING, STANCE_WAIT: 8 })).body, r.B_RUN,
      String(crouchToggle));
  }
  const tired = hands();
  for (const name of ["forward", "slide"]) tired.press(name);
  assert.equal(tired.take(around({ MOVING: 1, STAMINA: 30 })).body, r.B_NONE);
});

test("treating goes on after a tap, until it is done or something else is done", () => {
  const input = hands();
  input.press("treat");
  input.release("treat");
  assert.deepEqual(basics(input, around(), 3), [r.TREATING, r.TREATING, r.TREATING]);
  assert.equal(input.take(around({ MEDKITS: 0 })).basic, NO_BASIC);
  input.press("treat");
  input.release("treat");
  input.take(around({ MEDKITS: 3 }));
  assert.equal(input.take(around({ MEDKITS: 2 })).basic, NO_BASIC); // one kit was used
  input.press("treat");
  input.press("fire");
  assert.equal(input.take(around()).basic, r.FIRE);
  input.release("fire");
  assert.equal(input.take(around()).basic, NO_BASIC);
});

test("treating takes the next kit while the key is held, and a second tap ends it", () => {
  const input = hands();
  input.press("treat");
  input.take(around({ MEDKITS: 3 }));
  assert.equal(input.take(around({ MEDKITS: 2 })).basic, r.TREATING);
  assert.equal(input.take(around({ MEDKITS: 2, HP: 100 })).basic, NO_BASIC);
  const tapped = hands();
  tapped.press("treat");
  tapped.take(around());
  tapped.release("treat");
  tapped.press("treat");
  assert.equal(tapped.take(around()).basic, NO_BASIC);
});

test("one key opens doors and, held by a downed mate, helps them up: the feet stop first", () => {
  const input = hands();
  input.press("interact");
  input.release("interact");
  assert.deepEqual(bodies(input, around({ HAND_WAIT: 5 }), 2), [r.B_STOP, r.B_STOP]);
  assert.deepEqual(bodies(input, around(), 2), [r.B_DOOR, r.B_STOP]);
  const near = (fields) => around(fields, { mateDown: true });
  input.press("forward");
  input.press("interact");
  assert.equal(input.take(near({ MOVING: 1 })).body, r.B_STOP);
  assert.equal(input.take(near()).body, r.B_RESCUE);
  input.press("fire");
  assert.deepEqual(input.take(near({ RESCUED: 3 })).basic, NO_BASIC);
  input.release("fire");
  input.release("interact");
  assert.equal(input.take(near({ RESCUED: 3 })).body, r.B_NONE);
});

test("helping ends when the mate is up", () => {
  const input = hands();
  input.press("interact");
  assert.equal(input.take(around({}, { mateDown: true })).body, r.B_RESCUE);
  assert.equal(input.take(around({ RESCUED: 3 })).body, r.B_RESCUE); // the page may see the mate late
  assert.equal(input.take(around()).body, r.B_STOP);
});

test("a weapon is changed once, and only for one that is there", () => {
  const input = hands();
  input.press("slot2");
  const first = input.take(around());
  assert.deepEqual([first.switch, first.basic], [1, NO_BASIC]);
  assert.equal(input.take(around({ SLOT: 1 })).switch, r.KEEP);
  input.press("other");
  assert.equal(input.take(around({ SLOT: 1 })).switch, 0);
  input.press("other");
  assert.equal(input.take(around({ WEAPON_2: 0 })).switch, r.KEEP);
  input.press("slot1");
  assert.equal(input.take(around()).switch, r.KEEP);
});

test("hands wait for each other: pick up and drop", () => {
  const input = hands();
  input.press("pick");
  assert.equal(input.take(around({ HAND_WAIT: 8 })).basic, NO_BASIC);
  assert.equal(input.take(around({ HAND_WAIT: 1 })).basic, r.PICK);
  input.press("drop");
  input.press("reload");
  assert.deepEqual(basics(input, around(), 3), [r.DROP, r.RELOADING, NO_BASIC]);
});

test("who lies wounded can crawl and nothing else; who is out sends nothing", () => {
  const input = hands();
  for (const name of ["forward", "run", "fire", "jump", "treat"]) input.press(name);
  const { body, basic } = input.take(around({ LIFE: r.DOWNED, STANCE: r.DOWN }));
  assert.deepEqual([body, basic], [r.B_NONE, NO_BASIC]);
});

test("aim help turns to the target at the rules' speed, stands and fires when it is in line", () => {
  const input = hands();
  const aim = { yaw: 5000, pitch: 2000 };
  input.press("forward");
  input.press("aimHelp");
  input.advance(0, aim);
  input.advance(50, aim);
  assert.deepEqual([input.yaw, input.pitch], [r.AIM_STEP, 2000]);
  const far = input.take(around({}, { aim: { yaw: 5000, pitch: 3000 } }));
  assert.deepEqual([far.body, far.basic], [r.B_STOP, NO_BASIC]);
  const near = input.take(around({}, { aim }));
  assert.deepEqual([near.body, near.basic, near.yaw], [r.B_STOP, r.ADJUST_FIRE, r.AIM_STEP]);
  assert.equal(input.take(around()).body, r.B_NONE); // nobody to aim at: one walks on
  input.advance(100, aim);
  assert.equal(input.yaw, 5000);
});

test("aim help turns the short way round", () => {
  const input = hands();
  input.press("aimHelp");
  input.look(100, 0);
  input.advance(0, null);
  input.advance(20, { yaw: 65436, pitch: 0 });
  assert.equal(input.yaw, 65436);
});

test("the mouse turns by sensitivity, upside down if wanted, and never over the top", () => {
  const input = hands({ sensitivity: 2 });
  input.turn(10, -10);
  assert.deepEqual([input.yaw, input.pitch], [460, 460]);
  input.turn(-20, 10000);
  assert.deepEqual([input.yaw, input.pitch], [65536 - 460, -16000]);
  const inverted = hands({ invertY: true });
  inverted.turn(0, 10);
  assert.equal(inverted.pitch, 230);
  inverted.press("zoom");
  inverted.turn(10, 0);
  assert.equal(inverted.yaw, 230 * 0.6);
  assert.equal(inverted.take(around()).yaw, 138);
});

test("a question about an earlier moment turns nobody", () => {
  const input = hands();
  input.press("turnRight");
  for (const now of [0, 50, 40]) input.advance(now, null);
  const turned = input.yaw;
  input.advance(50, null);
  assert.equal(input.yaw, turned);
});

test("arrow keys turn faster the longer they are held", () => {
  const input = hands();
  input.advance(0, null);
  input.press("turnRight");
  input.advance(50, null);
  const first = input.yaw;
  for (let now = 100; now <= 1000; now += 50) input.advance(now, null);
  const before = input.yaw;
  input.advance(1050, null);
  assert.ok(first > 300 && input.yaw - before > 3 * first);
  input.release("turnRight");
  input.press("lookDown");
  input.advance(1100, null);
  assert.ok(input.pitch < 0 && input.pitch > -300);
});

test("clearing lets go of everything and leaves the view", () => {
  const input = hands({ runToggle: true, zoomToggle: true });
  for (const name of ["forward", "run", "zoom", "fire", "jump", "treat", "crouch", "slot2",
    "interact"]) input.press(name);
  input.look(1000, 50);
  input.clear();
  assert.deepEqual(input.take(around()),
    { move: 0, body: r.B_STOP, basic: NO_BASIC, switch: r.KEEP, yaw: 1000, pitch: 50 });
  assert.ok(!input.zoomed);
});
