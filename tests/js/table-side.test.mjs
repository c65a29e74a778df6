/** What every table does with words: what is sent, what a screen reader is told, what stands when it is over. */
import assert from "node:assert/strict";
import { test } from "node:test";

/** A node that takes whatever is done to it. */
function node(fields = {}) {
  const heard = new Map();
  const self = {
    dataset: {}, style: {}, children: [], classList: { add() {}, remove() {}, toggle() {} }, hidden: false,
    textContent: "", value: "", closest: () => null, focus() {}, select() {}, remove() {}, setAttribute() {},
    removeAttribute() {},
    toggleAttribute(name, on) { self[name] = on; }, insertBefore(child) { self.children.push(child); },
    append(...children) { self.children.push(...children); }, querySelector: () => node(), querySelectorAll: () => [],
    replaceChildren(...children) { self.children = children; },
    addEventListener(kind, run) { heard.set(kind, run); },
    blur() { heard.get("blur")?.({}); },
    hears: (kind, event = {}) => heard.get(kind)?.({ preventDefault() {}, stopPropagation() {}, ...event }),
    ...fields,
  };
  return self;
}

const PARTS = ["[data-announce]", "[data-connection]", "[data-latency]", "[data-connection-bar]", "[data-spectators]",
  "[data-over-bar]", "[data-instruct-text]", "[data-instruct-form]", "[data-reading]", "[data-readings]", "#toasts"];
let parts = {};
Object.assign(globalThis, {
  document: { body: node(), activeElement: null, createElement: () => node(), addEventListener() {},
    querySelector: (selector) => parts[selector] ?? null, querySelectorAll: () => [], getElementById: () => null },
  window: { addEventListener() {}, setTimeout() { return 0; } },
  setInterval: () => 0,
});
const { TableSide } = await import("../../static/js/table-side.js");

const SEATS = [{ name: "Pia", kind: "person", present: true, stand_in: null },
  { name: "Bot", kind: "agent", present: true, stand_in: null }];

/** A table with a line to nobody: what is sent, and a way to say what the host says. */
function table(page = {}, more = {}) {
  parts = Object.fromEntries(PARTS.map((selector) => [selector, node()]));
  const sent = [];
  let host = null;
  const side = new TableSide({ seat: 0, tellable: true, match: "m", game: "g", said_before: [], people: 1, ...page }, {
    receive() {}, draw() {},
    connect: (handlers) => { host = handlers; return { send: (message) => sent.push(message) }; },
    ...more,
  });
  const frame = (type, fields) => host.onFrame({ type, ...fields }, null);
  frame("joined", { seats: SEATS, dialogue: [], goals: {}, stand_in: null, controls: ["person", "agent"] });
  const said = () => parts["[data-announce]"].children.map((line) => line.textContent);
  return { side, sent, frame, said, type: (text) => {
    parts["[data-instruct-text]"].value = text;
    parts["[data-instruct-form]"].hears("submit");
  } };
}

const without = ({ id: _, new_id: __, ...message }) => message;
const READ = { id: "a", tick: 1, seat: 0, target_seat: null, text: "wait", sentence: "I wait.",
  unread: [], options: [] };

test("what is typed goes to the agents, to people where none reads, and again where it is said differently", () => {
  const { side, sent, type } = table();
  type(" wait here ");
  assert.deepEqual(without(sent[0]), { type: "instruct", text: "wait here", target: null, choice: null, seal: null,
    firm: "strict" });
  assert.equal(parts["[data-instruct-text]"].value, "", "the box is empty again");
  side.answers.reword("a", "wait");
  type("wait there");
  assert.deepEqual(without({ ...sent[1], firm: undefined }), { type: "rewrite", text: "wait there", choice: null,
    seal: null, firm: undefined });
  assert.equal(sent[1].id, "a");
  type("once more");
  assert.equal(sent[2].type, "instruct", "only the next words are the other ones");
  const alone = table({}, { listens: () => false });
  alone.type("hello");
  assert.deepEqual(alone.sent, [{ type: "say", text: "hello" }]);
});

test("a table adds what an instruction is about", () => {
  const { side, sent } = table({}, { about: (text, point) => (point ? { aim: point } : {}) });
  side.tell("go there", {}, { x: 1, y: 2 });
  assert.deepEqual(sent[0].aim, { x: 1, y: 2 });
  side.tell("go on");
  assert.ok(!("aim" in sent[1]));
});

test("yes answers the latest question, and nothing where nobody asks", () => {
  const { side, sent, frame } = table();
  side.yes();
  assert.deepEqual(sent, []);
  frame("instruction", { ...READ, status: "read" });
  side.yes();
  assert.deepEqual(sent, [{ type: "confirm_reading", id: "a" }]);
});

test("whoever doesn't see the page is told what is said, read and done", () => {
  const { frame, said } = table();
  frame("utterance", { tick: 1, seat: 1, text: "hm" });
  frame("utterance", { tick: 1, seat: 0, text: "one's own words" });
  frame("instruction", { ...READ, status: "confirmed" });
  frame("standing", { tick: 2, id: "a", state: "done", by: null, seats: [1] });
  frame("reason", { tick: 3, seat: 1, id: "a", kind: "because", text: "Because Player 1 asked." });
  assert.deepEqual(said(), ["Bot says: hm", "Read: I wait.", "“wait” is done.", "Bot: Because you asked."]);
});

test("a refusal that the page says otherwise is not said twice", () => {
  const { side, said } = table();
  for (const code of ["duplicate", "stale"]) side.tellError({ code, text: "No." }, "stale");
  assert.deepEqual(said(), []);
  side.tellError({ code: "flood", text: "Player 2 can't hear so much." });
  assert.deepEqual(said(), ["Bot can't hear so much."]);
});

test("when it is over nothing is sent any more, and the page says how it went", () => {
  const { side, sent, frame, said } = table({}, { endWords: ({ score }) => `Time is up: ${score}.` });
  frame("end", { reason: "finished", score: 20, names: ["Pia", "Bot"], after: "/after" });
  side.tell("too late");
  assert.deepEqual(sent, []);
  assert.deepEqual(said(), ["Time is up: 20."]);
  assert.equal(parts["[data-over-bar]"].hidden, false);
});
