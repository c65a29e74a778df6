/** Netcode of Arena: what is predicted, corrected, drawn between, and told, on lines of all kinds. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createNet, Netcode } from "../../static/js/games/arena/net.js";
import { InputState } from "../../static/js/games/arena/input.js";
import { sane } from "../../static/js/games/arena/settings.js";
import { decodeSnapshot, newSnapshot, ProtocolError } from "../../static/js/games/arena/protocol.js";
import * as r from "../../static/js/games/arena/rules.js";
import { plain, readInputs, Server, snapshotBytes, standing } from "./arena-server.mjs";

const MAP = plain();
const hands = () => new InputState(sane({}));

/** Numbers in 0 … 1, the same each time. */
function draws(seed) {
  let word = seed;
  return () => { word = (Math.imul(word, 1664525) + 1013904223) >>> 0; return word / 2 ** 32; };
}

/** A net that has seen its first snapshot, what it was told and what it sent. */
function started(options = {}) {
  const told = { events: [], corrections: [], shots: [], snapshots: 0, rewinds: 0 };
  const controls = hands();
  const net = new Netcode({
    controls, onEvent: (event) => told.events.push(`${event.kind}@${event.tick}`),
    onCorrection: (one) => told.corrections.push(one),
    onShot: (weapon) => told.shots.push(weapon), onSnapshot: () => {
      told.snapshots += 1;
    }, onRewind: () => { told.rewinds += 1; }, ...options,
  });
  net.setMap(MAP);
  const sent = [];
  return { net, controls, told, sent, send: (bytes) => sent.push(bytes) };
}

/**
 * A match of `seconds` on a line with this delay each way (ms) and jitter; `act(ms, controls)` presses keys. In steps
 * of 1 ms; the server's ticks don't fall together with ours.
 */
function playOver({ seconds, delay, jitter, seed = 1, act, phase = 17, silent = () => false }) {
  const random = draws(seed);
  const server = new Server(MAP);
  const { net, controls, told } = started();
  const [up, down] = [[], []];
  const lag = () => delay + (random() * 2 - 1) * jitter;
  // TCP keeps the order
  const push = (queue, now, what) => queue.push([Math.max(now + lag(), queue.at(-1)?.[0] ?? 0), what]);
  for (let now = 0; now < seconds * 1000; now += 1) {
    while (up[0]?.[0] <= now) server.take(up.shift()[1]);
    if (now % 50 === phase && !silent(now)) push(down, now, server.step());
    while (down[0]?.[0] <= now) net.receive(down.shift()[1], now);
    if (now % 10 === 0) { act(now, controls); net.pump(now, (bytes) => push(up, now, bytes)); }
    if (now % 16 === 0) net.frame(now);
  }
  return { server, net, told };
}

const TURNS = ["forward", "back", "left", "right", "run"];
/** Somebody who runs about, jumps, slides and shoots. */
function restless(seed) {
  const random = draws(seed);
  return (now, controls) => {
    if (now % 250) return;
    const name = TURNS[Math.floor(random() * TURNS.length)];
    if (random() < 0.6) controls.press(name);
    else controls.release(name);
    if (random() < 0.2) controls.press(["jump", "slide", "fire", "crouch", "reload"][Math.floor(random() * 5)]);
    else controls.release("fire");
    controls.turn((random() - 0.5) * 300, 0);
  };
}

test("on an even line nothing is ever corrected, whatever one does", () => {
  for (const delay of [5, 40, 120]) {
    const { net, server } = playOver({ seconds: 20, delay, jitter: 0, act: restless(delay) });
    assert.equal(net.readings.corrections, 0, `${delay} ms: ${server.starved} starved`);
    assert.ok(net.readings.inputs > 380);
  }
});

test("with 80 ms there and back and 2 % jitter there is less than one correction a second", () => {
  for (const phase of [1, 17, 42]) {
    const { net, told } = playOver({ seconds: 30, delay: 40, jitter: 0.8, act: restless(phase), phase });
    assert.ok(net.readings.corrections < 10, `${net.readings.corrections} corrections`);
    for (const one of told.corrections) assert.ok(one.distance <= 110, String(one.distance));
  }
});

test("on a bad line corrections come, and the page agrees with the server again", () => {
  const { net, server, told } = playOver({
    seconds: 20, delay: 150, jitter: 150, seed: 5,
    act: (now, controls) => (now < 15000 ? restless(9)(now, controls) : controls.clear()),
  });
  assert.ok(told.corrections.length > 0 && net.readings.largest > 0);
  const { own } = net.frame(20000);
  assert.deepEqual([own[r.X], own[r.Y], own[r.Z]], [server.own[r.X], server.own[r.Y], server.own[r.Z]]);
});

test("when the line is silent one's own player stops, and goes on with it", () => {
  const silent = (now) => now > 3000 && now < 6000;
  const { net } = playOver({ seconds: 9, delay: 20, jitter: 0, silent, act: (now, controls) => {
    if (now === 0) controls.press("forward");
  } });
  assert.ok(net.readings.inputs < 9 * 20 - 40, String(net.readings.inputs));
  assert.ok(net.readings.inputs > 100);
});

test("the last three inputs go in each message, numbered from 1", () => {
  const { net, sent, send } = started();
  net.receive(snapshotBytes({ tick: 1 }), 0);
  for (const now of [0, 50, 100, 150, 200]) net.pump(now, send);
  assert.deepEqual(sent.map((bytes) => readInputs(bytes).map((one) => one.seq)), [[1], [1, 2], [1, 2, 3], [2, 3, 4]]);
});

test("after the page stood still one message goes, with the newest few", () => {
  const { net, sent, send } = started();
  net.receive(snapshotBytes({ tick: 1 }), 0);
  net.pump(0, send);
  net.pump(590, send);
  assert.deepEqual(sent.map((bytes) => readInputs(bytes).map((one) => one.seq)), [[1, 2, 3]]);
});

test("a key moves the picture before the next input is due", () => {
  const { net, controls, send } = started();
  net.receive(snapshotBytes({ tick: 1 }), 0);
  net.pump(0, send);
  const at = net.frame(5).camera.y;
  controls.press("forward");
  net.frame(10);
  const later = net.frame(40).camera.y;
  assert.ok(later < at - 10, `${at} ${later}`);
});

test("the picture doesn't jump when a key goes down in the middle of a tick", () => {
  const { net, controls, send } = started();
  net.receive(snapshotBytes({ tick: 1 }), 0);
  net.pump(0, send);
  net.frame(39);
  const at = net.frame(40).camera.y;
  controls.press("forward");
  controls.press("run");
  assert.ok(Math.abs(net.frame(41).camera.y - at) < 6);
  assert.ok(Math.abs(net.frame(57).camera.y - at) > 10);
});

test("a small correction is smoothed within 100 ms, a large one is at once", () => {
  for (const [off, smooth] of [[100, true], [400, false]]) {
    const { net, told, send } = started();
    net.receive(snapshotBytes({ tick: 1 }), 0);
    net.pump(0, send);
    net.frame(10);
    net.receive(snapshotBytes({ tick: 2, own: standing(64 * 256 + off) }), 20);
    assert.equal(told.corrections.length, 1);
    assert.equal(told.corrections[0].dx, off);
    const shown = net.frame(20).camera.x - 64 * 256;
    assert.equal(shown, smooth ? 0 : off);
    const half = net.frame(70).camera.x - 64 * 256;
    assert.ok(Math.abs(half - (smooth ? off / 2 : off)) < 1e-6);
    assert.equal(net.frame(121).camera.x - 64 * 256, off);
  }
});

test("before the match begins and after it ends nothing is sent", () => {
  const { net, sent, send } = started();
  net.receive(snapshotBytes({ tick: 0 }), 0);
  net.pump(0, send);
  net.pump(100, send);
  net.receive(snapshotBytes({ tick: 1 }), 100);
  net.pump(150, send);
  net.pump(200, send);
  assert.equal(sent.length, 1);
  net.receive(snapshotBytes({ tick: 2, flags: 1 }), 200);
  net.pump(300, send);
  net.pump(400, send);
  assert.equal(sent.length, 1);
});

test("while an agent moves one's player nothing is sent and its eyes are followed", () => {
  const { net, sent, send } = started();
  net.receive(snapshotBytes({ tick: 1 }), 0);
  net.steer(false);
  for (const tick of [2, 3, 4, 5, 6]) {
    const own = standing(64 * 256 + 50 * tick);
    own[r.YAW] = 1000 * tick;
    net.receive(snapshotBytes({ tick, own }), 50 * tick);
  }
  net.pump(300, send);
  net.pump(400, send);
  const scene = net.frame(325);
  assert.equal(sent.length, 0);
  assert.ok(!scene.predicted);
  assert.deepEqual([scene.tick, scene.camera.x - 64 * 256, scene.camera.yaw], [4.5, 225, 4500]);
});

test("who takes over looks where the player looked", () => {
  const { net, controls } = started({ steers: false });
  const own = standing();
  own[r.YAW] = -5000;
  own[r.PITCH] = 700;
  net.receive(snapshotBytes({ tick: 1, own }), 0);
  assert.equal(controls.yaw, 0);
  net.steer(true);
  net.receive(snapshotBytes({ tick: 2, own }), 50);
  assert.deepEqual([controls.yaw, controls.pitch], [65536 - 5000, 700]);
  controls.look(1, 2);
  net.receive(snapshotBytes({ tick: 3, own }), 100);
  assert.deepEqual([controls.yaw, controls.pitch], [1, 2]);
});

test("on another line numbers begin anew and what was under way is forgotten", () => {
  const { net, sent, send, told } = started();
  net.receive(snapshotBytes({ tick: 5 }), 0);
  for (const now of [0, 50, 100]) net.pump(now, send);
  net.opened();
  assert.equal(net.frame(110), null);
  net.receive(snapshotBytes({ tick: 9, own: standing(9000) }), 200);
  net.pump(200, send);
  net.pump(250, send);
  assert.deepEqual(readInputs(sent.at(-1)).map((one) => one.seq), [1]);
  assert.deepEqual([told.corrections.length, told.rewinds], [0, 0]);
  assert.equal(net.frame(250).own[r.X], 9000);
});

test("each event is told once; an earlier match than before is another film", () => {
  const { net, told } = started();
  net.receive(snapshotBytes({ tick: 5, events: [{ kind: 1, tick: 4 }, { kind: 4, tick: 4 }] }), 0);
  net.receive(snapshotBytes({ tick: 5, events: [{ kind: 1, tick: 4 }] }), 10);
  net.receive(snapshotBytes({ tick: 6, events: [{ kind: 1, tick: 4 }, { kind: 2, tick: 5 }] }), 50);
  assert.deepEqual(told.events, ["1@4", "4@4", "2@5"]);
  net.receive(snapshotBytes({ tick: 3, seat: 255, events: [{ kind: 3, tick: 2 }] }), 100);
  assert.deepEqual([told.rewinds, told.events.at(-1)], [1, "3@2"]);
  assert.equal(net.frame(110).snapshot.tick, 3);
});

test("a snapshot of the same tick with other eyes takes the place of the first", () => {
  const { net } = started({ steers: false });
  net.receive(snapshotBytes({ tick: 4, own: standing(1000) }), 0);
  net.receive(snapshotBytes({ tick: 5, own: standing(1000) }), 50);
  net.receive(snapshotBytes({ tick: 5, seat: 2, flags: 2, own: standing(9000) }), 60);
  const scene = net.frame(5000);
  assert.equal(scene.snapshot.seat, 2);
  assert.equal(scene.camera.x, 9000);
});

test("others are drawn between two snapshots, and inputs say which tick that was", () => {
  const { net, sent, send } = started();
  for (let tick = 1; tick <= 20; tick += 1) {
    net.receive(snapshotBytes({ tick, players: [{ seat: 3, x: 10000 + 40 * tick, y: 5000, yaw: 32700 - 100 * tick }] }),
      50 * tick);
  }
  net.pump(1000, send);
  const { players, tick } = net.frame(1025);
  assert.equal(tick, 18.5);
  assert.equal(players[3].x, 10740);
  assert.equal(players[3].yaw, 30850);
  assert.deepEqual(players.filter((one) => one.shown).map((one) => one.seat), [3]);
  net.pump(1050, send);
  assert.equal(readInputs(sent[0])[0].seen, 19);
});

test("who is seen no more is gone, who is put elsewhere doesn't fly there", () => {
  const { net } = started();
  const at = (tick, x, more = []) =>
    net.receive(snapshotBytes({ tick, players: [...(x === null ? [] : [{ seat: 3, x, y: 5000 }]), ...more] }),
    50 * tick);
  for (let tick = 1; tick <= 10; tick += 1) at(tick, 1000);
  at(11, 3000);
  at(12, 3000);
  at(13, null);
  at(14, null);
  const shown = (now) => {
    const [one] = net.frame(now).players.filter((player) => player.shown);
    return one ? one.x : null;
  };
  assert.equal(shown(700 - 160), 1000); // tick 8.8
  assert.equal(shown(640), 1000); // tick 10.8
  assert.equal(shown(651), 3000); // just past tick 11
  assert.equal(shown(749), 3000);
  assert.equal(shown(751), null);
});

test("without snapshots others go on for 100 ms and then stand", () => {
  const { net } = started();
  for (let tick = 1; tick <= 20; tick += 1) net.receive(
    snapshotBytes({ tick, players: [{ seat: 3, x: 10000 + 40 * tick, y: 5000 }] }), 50 * tick);
  assert.equal(net.frame(1100).players[3].x, 10800);
  assert.equal(net.frame(1150).players[3].x, 10840);
  assert.equal(net.frame(1200).players[3].x, 10880);
  assert.equal(net.frame(9000).players[3].x, 10880);
});

test("monsters move, too, by their numbers", () => {
  const { net } = started();
  for (let tick = 1; tick <= 20; tick += 1) net.receive(
    snapshotBytes({ tick, monsters: [{ number: 6, x: 100 * tick, y: 50 }] }), 50 * tick);
  const { monsters } = net.frame(1025);
  assert.deepEqual(monsters.filter((one) => one.shown).map((one) => [one.number, one.x]), [[6, 1850]]);
});

test("a shot of one's own is told at once and once", () => {
  const { net, controls, told, send } = started();
  net.receive(snapshotBytes({ tick: 1 }), 0);
  net.pump(0, send);
  controls.press("fire");
  controls.release("fire");
  net.pump(50, send);
  assert.deepEqual(told.shots, [r.RIFLE]);
  net.receive(snapshotBytes({ tick: 2 }), 60);
  net.pump(100, send);
  assert.deepEqual(told.shots, [r.RIFLE]);
});

test("a mate on the ground within reach is known to the controls", () => {
  const { net, controls, sent, send } = started();
  const mate = { seat: 1, x: 64 * 256 + 200, y: 80 * 256, life: r.DOWNED, stance: r.DOWN, mate: true };
  net.receive(snapshotBytes({ tick: 1, players: [mate] }), 0);
  net.pump(0, send);
  controls.press("interact");
  net.pump(50, send);
  assert.equal(readInputs(sent[0])[0].body, r.B_RESCUE);
});

test("messages that this page can't read are refused with a sentence", () => {
  const into = newSnapshot();
  const good = snapshotBytes({ tick: 1, players: [{ seat: 1, x: 1, y: 1 }] });
  const refused = (bytes, words) => assert.throws(() => decodeSnapshot(bytes, into),
    (error) => error instanceof ProtocolError && words.test(error.message));
  assert.equal(decodeSnapshot(good, into).playerCount, 1);
  refused(snapshotBytes({ tick: 1, version: 7 }), /version 7 .* version 1\./);
  refused(good.slice(0, 60), /cut short/);
  refused(good.slice(0, good.byteLength - 1), /cut short/);
  refused(new ArrayBuffer(0), /cut short/);
  refused(Uint8Array.of(9, 1, 0).buffer, /doesn't know/);
  refused(new Uint8Array([...new Uint8Array(good), 0]).buffer, /announced/);
  const many = new Uint8Array(good.slice(0));
  many[116] = 21;
  refused(many.buffer, /at most 20/);
});

test("a net opens its socket, and stops reading when the versions differ", (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let given;
  class Socket {
    sent = [];
    constructor(...all) { given = all; }
    sendBinary(bytes) { this.sent.push(bytes); }
    send(message) { this.sent.push(message); }
  }
  const [broken, frames] = [[], []];
  let now = 0;
  const net = createNet({ ticket: "/t", controls: hands(), Socket, clock: () => now,
    onBroken: (text) => broken.push(text), onFrame: (frame) => frames.push(frame.type) });
  const [ticket, onFrame, , onLatency, onBinary] = given;
  net.setMap(MAP);
  onFrame({ type: "joined" }, null);
  onBinary(snapshotBytes({ tick: 1 }));
  for (now = 10; now <= 60; now += 10) context.mock.timers.tick(10);
  onLatency(33);
  assert.deepEqual([ticket, frames, net.readings.ping, net.socket.sent.length], ["/t", ["joined"], 33, 1]);
  net.send({ type: "leave" });
  assert.deepEqual(net.socket.sent.at(-1), { type: "leave" });
  onBinary(snapshotBytes({ tick: 2, version: 2 }));
  onBinary(snapshotBytes({ tick: 3, version: 2 }));
  assert.equal(broken.length, 1);
  net.stop();
});
