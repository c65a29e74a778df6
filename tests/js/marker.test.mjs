import assert from "node:assert/strict";
import { test } from "node:test";

const node = () => ({ append() {}, remove() {}, setAttribute() {}, replaceChildren() {} });
globalThis.document = {
  body: { dataset: {} },
  createElement: node,
  querySelectorAll: () => [],
  querySelector: (selector) => (selector === "#toasts" ? node() : null),
};
const { Marker } = await import("../../static/js/marker.js");

function make(mayMark) {
  const mark = { id: "a", episode: "e", seat: 0, tick: 5, sign: 1, revision: 1, deleted: false, note: "" };
  const page = { episode: "e", marks: [mark], may_mark: mayMark, why_not: "Its marks are final." };
  const sought = [];
  const position = () => ({ tick: 5, seat: 0, playing: false, speed: 1 });
  const marker = new Marker(page,
    { last: 9, position, asked: () => "", onSeek: (tick) => sought.push(tick), onChange() {} });
  return { marker, sought };
}

test("a final mark is neither dragged nor nudged", (t) => {
  t.mock.timers.enable();
  const { marker, sought } = make(false);
  marker.move("a", 7);
  marker.nudge(1);
  assert.deepEqual([marker.book.at(0, 5).revision, marker.early.size, sought], [1, 0, []]);
  const open = make(true);
  open.marker.nudge(1);
  assert.deepEqual([open.marker.book.at(0, 6).revision, open.marker.early.size, open.sought], [2, 1, [6]]);
});
