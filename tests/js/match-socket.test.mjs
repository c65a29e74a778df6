/** The bookkeeping of the line to a match: nothing is lost, nothing is taken twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { delayOf, MatchSocket, Outbox, socketAddress, uuid } from "../../static/js/lib/match-socket.js";

test("messages are numbered in order and wait until they are answered", () => {
  const outbox = new Outbox();
  assert.equal(outbox.add({ type: "move" }).seq, 1);
  assert.equal(outbox.add({ type: "say" }).seq, 2);
  assert.deepEqual(outbox.settle({ type: "ack", seq: 1 }), { type: "move", seq: 1 });
  assert.deepEqual(outbox.waiting, [{ type: "say", seq: 2 }]);
});

test("a refusal settles a message too, a refusal without a number settles nothing", () => {
  const outbox = new Outbox();
  outbox.add({ type: "move" });
  assert.equal(outbox.settle({ type: "error", code: "flood" }), null);
  assert.equal(outbox.settle({ type: "state", seq: 1 }), null);
  assert.equal(outbox.settle({ type: "error", code: "stale", seq: 1 }).type, "move");
  assert.deepEqual(outbox.waiting, []);
});

test("tries to come back lie close until another host may have the game, and slow down to five seconds", () => {
  const tries = [0, 1, 2, 3, 4, 5].map(delayOf).reduce((all, delay) => [...all, (all.at(-1) ?? 0) + delay], []);
  assert.ok(tries.some((at) => at >= 4000 && at <= 5000), `no try within a second of the lease's end: ${tries}`);
  assert.deepEqual([7, 8, 99].map(delayOf), [3000, 5000, 5000]);
});

test("a path is on this site, an address on a match host", () => {
  const here = { protocol: "https:", host: "play.example" };
  assert.equal(socketAddress({ url: "/play/1/socket/", ticket: "a:b" }, here),
    "wss://play.example/play/1/socket/?ticket=a%3Ab");
  assert.equal(socketAddress({ url: "wss://m1.example/play/1/socket/", ticket: "t" }, here),
    "wss://m1.example/play/1/socket/?ticket=t");
});

test("ids are UUIDs and differ", () => {
  assert.match(uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(uuid(), uuid());
});

/** A line to a host that answers at once; what was sent, and what the host can say. */
async function connected(context, listeners = {}) {
  context.mock.timers.enable({ apis: ["setInterval", "setTimeout"] });
  const sockets = [];
  class WebSocket extends EventTarget {
    sent = [];
    constructor(address) { super(); this.address = address; sockets.push(this); }
    send(data) { this.sent.push(data); }
    close() { this.dispatchEvent(new Event("close")); }
    say(data) { this.dispatchEvent(Object.assign(new Event("message"), { data })); }
  }
  const answer = { ok: true, status: 200, headers: new Headers({ "content-type": "application/json" }),
    json: async () => ({ url: "/s/", ticket: "t" }) };
  const asked = [];
  const fakes = { WebSocket, fetch: async (url) => {
    asked.push(String(url));
    return answer;
  }, window: Object.assign(new EventTarget(), { location: { protocol: "http:", host: "here" } }) };
  for (const [name, value] of Object.entries(fakes)) {
    const real = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    context.after(() => (real ? Object.defineProperty(globalThis, name, real) : delete globalThis[name]));
  }
  const { onFrame = () => {}, onBinary } = listeners;
  const line = new MatchSocket("/ticket/", onFrame, () => {}, () => {}, ...(onBinary ? [onBinary] : []));
  /** The n-th socket, once the page has opened it. */
  const opened = async (n) => {
    for (let turn = 0; turn < 20 && sockets.length <= n; turn += 1) await Promise.resolve();
    return sockets[n];
  };
  (await opened(0)).dispatchEvent(new Event("open"));
  return { line, socket: sockets[0], opened, asked };
}

test("bytes come and go beside the JSON frames, once the host has taken us in", async (context) => {
  const [frames, messages] = [[], []];
  const { line, socket } = await connected(context,
    { onFrame: (frame) => frames.push(frame.type), onBinary: (bytes) => messages.push(bytes.byteLength) });
  assert.equal(socket.binaryType, "arraybuffer");
  assert.equal(line.sendBinary(Uint8Array.of(1)), false);
  socket.say(JSON.stringify({ type: "joined" }));
  socket.say(new ArrayBuffer(7));
  assert.equal(line.sendBinary(Uint8Array.of(1, 2)), true);
  assert.deepEqual([frames, messages, socket.sent.at(-1)], [["joined"], [7], Uint8Array.of(1, 2)]);
  socket.close();
  assert.equal(line.sendBinary(Uint8Array.of(3)), false);
});

test("a game that speaks JSON alone needs no listener for bytes", async (context) => {
  const frames = [];
  const { line, socket } = await connected(context, { onFrame: (frame) => frames.push(frame.type) });
  socket.say(JSON.stringify({ type: "joined" }));
  socket.say(new ArrayBuffer(7));
  assert.equal(line.send({ type: "say", text: "hello" }), 1);
  assert.deepEqual([frames, JSON.parse(socket.sent.at(-1)).text], [["joined"], "hello"]);
});

test("a line that breaks comes back, but not after the end of the game", async (context) => {
  for (const [last, state] of [["state", "lost"], ["end", "open"]]) {
    const { line, socket } = await connected(context);
    const states = [];
    line.onStatus = (status) => states.push(status.state);
    socket.say(JSON.stringify({ type: "joined" }));
    socket.say(JSON.stringify({ type: last }));
    socket.close();
    assert.equal(states.at(-1), state);
    context.mock.timers.reset();
  }
});

test("an address at which nobody answers is told, and given up after four seconds", async (context) => {
  const { socket, opened, asked } = await connected(context);
  socket.say(JSON.stringify({ type: "joined" }));
  socket.close();
  context.mock.timers.tick(300);
  await opened(1); // never opens
  assert.equal(asked.at(-1), "/ticket/");
  context.mock.timers.tick(4000);
  context.mock.timers.tick(700);
  (await opened(2)).dispatchEvent(new Event("open"));
  assert.equal(asked.at(-1), "/ticket/?failed=%2Fs%2F");
});

test("a host that says nothing more is left after five seconds, and told; a page that stood still asks it first",
  async (context) => {
  const { socket, opened, asked } = await connected(context);
  socket.say(JSON.stringify({ type: "joined" }));
  for (let second = 0; second < 20; second += 1) {
    context.mock.timers.tick(1000);
    socket.say(JSON.stringify({ type: "pong", at: 0 }));
  }
  const pings = socket.sent.length;
  for (let second = 0; second < 4; second += 1) context.mock.timers.tick(1000);
  assert.deepEqual([socket.sent.length - pings, asked.length], [4, 1]);
  context.mock.timers.tick(1000);
  context.mock.timers.tick(300);
  await opened(1);
  assert.equal(asked.at(-1), "/ticket/?failed=%2Fs%2F");
});

test("a line that is closed as soon as it is open is not tried in a tight loop", async (context) => {
  const { line, socket, opened } = await connected(context);
  const waits = [];
  line.onStatus = (status) => { if (status.state === "lost") waits.push(status.attempt); };
  let now = socket;
  for (let n = 1; n < 5; n += 1) {
    now.say(JSON.stringify({ type: "joined" }));
    now.close();
    context.mock.timers.tick(delayOf(n - 1));
    now = await opened(n);
    now.dispatchEvent(new Event("open"));
  }
  assert.deepEqual(waits, [1, 2, 3, 4]);
});

test("one socket too many is final, and the page says the host's sentence", async (context) => {
  const { line, socket } = await connected(context);
  const told = [];
  line.onStatus = (status) => told.push([status.state, status.text]);
  socket.say(JSON.stringify({ type: "error", code: "too_many_sockets", text: "You have 20 games open at once." }));
  socket.dispatchEvent(Object.assign(new Event("close"), { code: 4029 }));
  assert.deepEqual(told, [["closed", "You have 20 games open at once."]]);
});
