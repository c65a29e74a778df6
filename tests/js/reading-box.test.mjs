import assert from "node:assert/strict";
import { test } from "node:test";

const node = () => ({ contains: () => false, classList: { toggle() {} }, append() {}, setAttribute() {},
  removeAttribute() {}, querySelectorAll: () => [], replaceChildren() {}, addEventListener() {} });
globalThis.document = { activeElement: null, body: { dataset: { csrf: "token" } }, createElement: node };
const { ReadingBox } = await import("../../static/js/reading-box.js");

/** A box on the lobby's page, and the readings that it asks for, in turn: each is answered by the test. */
function make() {
  const asked = [], waiting = [];
  globalThis.fetch = (url, { body }) => new Promise((resolve, reject) => {
    const { text, names } = JSON.parse(body);
    const data = { refused: false, unread: [], sentence: text,
      readings: [{ choice: 0, sentence: `${text}: ${names.join()}`, chips: [] }] };
    const answer = () => resolve({ ok: true, status: 200, headers: new Map([["content-type", "application/json"]]),
      json: async () => data });
    const one = { names, answer, fail: () => reject(new Error("away")) };
    if (waiting.length) waiting.shift()(one); else asked.push(one);
  });
  /** The next reading that is asked for. */
  const next = () => (asked.length ? Promise.resolve(asked.shift()) : new Promise((resolve) => waiting.push(resolve)));
  const table = { names: ["Pia", "Otto"] };
  const box = new ReadingBox({ box: { ...node(), tagName: "TEXTAREA", value: "" }, panel: node(), url: "/reading/",
    game: "arena", company: () => ({ ...table }) });
  /** Until the box has drawn the answer. */
  const drawn = (act) => new Promise((resolve) => {
    const draw = box.draw.bind(box);
    box.draw = () => { box.draw = draw; draw(); resolve(); };
    act();
  });
  return { box, table, next, drawn };
}

test("who is there changes while a reading is on its way: it is read again for those who are there now", async () => {
  const { box, table, next, drawn } = make();
  box.set("follow bea");
  const old = await next();
  table.names = ["Pia", "Bea"];
  box.again();
  const now = await next();
  old.answer();
  await drawn(now.answer);
  assert.deepEqual([old.names, now.names, box.meant.sentence],
    [["Pia", "Otto"], ["Pia", "Bea"], "follow bea: Pia,Bea"]);
});

test("a reading that can't be had for those who are there now isn't shown as theirs", async () => {
  const { box, table, next, drawn } = make();
  box.set("follow bea");
  await drawn((await next()).answer);
  table.names = ["Pia", "Bea"];
  box.again();
  (await next()).fail();
  await drawn((await next()).fail);
  assert.deepEqual([box.meant, box.result.refused, box.result.sentence],
    [null, true, "The server can't be reached just now."]);
});

test("the same meaning for those who are there now leaves what was chosen; an empty box asks nobody", async () => {
  const { box, next, drawn } = make();
  box.again();
  box.set("follow bea");
  await drawn((await next()).answer);
  box.choose(0);
  const again = box.again();
  (await next()).answer();
  await again;
  assert.deepEqual([box.choice, box.meant.sentence], [0, "follow bea: Pia,Otto"]);
});
