/** The bookkeeping of the line to a match: nothing is lost, nothing is taken twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { delayOf, Outbox, socketAddress, uuid } from "../../static/js/lib/match-socket.js";

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

test("tries to come back slow down to five seconds", () => {
  assert.deepEqual([0, 1, 2, 3, 4, 99].map(delayOf), [300, 700, 1500, 3000, 5000, 5000]);
});

test("a path is on this site, an address on a match host", () => {
  const here = { protocol: "https:", host: "play.example" };
  assert.equal(socketAddress({ url: "/play/1/socket/", ticket: "a:b" }, here), "wss://play.example/play/1/socket/?ticket=a%3Ab");
  assert.equal(socketAddress({ url: "wss://m1.example/play/1/socket/", ticket: "t" }, here), "wss://m1.example/play/1/socket/?ticket=t");
});

test("ids are UUIDs and differ", () => {
  assert.match(uuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(uuid(), uuid());
});
