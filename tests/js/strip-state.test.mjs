/** Where ticks lie on the strip, and what becomes of a mark that is dragged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  center, column, drag, drop, eventShapes, fresh, grab, markAt, markClass, otherRows, pictures, tickAt,
} from "../../static/js/strip-state.js";

const strip = { ...fresh(9), width: 200, left: 50 }; // ten ticks of 20 pixels

test("the pointer is over the tick that is drawn there, the nearest outside", () => {
  assert.equal(column(strip), 20);
  for (const tick of [0, 4, 9]) assert.equal(tickAt(strip, 50 + center(strip, tick)), tick);
  assert.deepEqual([tickAt(strip, 0), tickAt(strip, 999)], [0, 9]);
});

test("a mark is whole at the first and the last tick of a long game, too", () => {
  const long = { ...strip, last: 399 };
  assert.deepEqual([markAt(long, 0), markAt(long, 399)], [9, 191]);
  assert.equal(markAt(strip, 4), center(strip, 4));
});

test("pictures fill the strip without a gap and never pass its end", () => {
  for (const last of [0, 9, 400]) {
    const list = pictures({ ...strip, last }, { width: 44, height: 34 });
    assert.equal(list[0].box.x, 0);
    list.slice(1).forEach(({ box }, i) =>
      assert.ok(Math.abs(box.x - list[i].box.x - list[i].box.width) < 1e-9));
    const end = list.at(-1);
    assert.ok(Math.abs(end.box.x + end.box.width - 200) < 1e-9);
    assert.ok(end.tick <= last);
  }
});

test("a mark that is let go where it was taken up was clicked; one that went elsewhere moves there", () => {
  const held = grab(strip, { id: "a", tick: 4 });
  assert.deepEqual(drop(held, 50 + center(strip, 4)), { strip, does: "open", id: "a", tick: 4 });
  assert.equal(drag(held, 50 + center(strip, 4)), held, "nothing is drawn anew over the same tick");
  const away = drag(held, 50 + center(strip, 7));
  assert.deepEqual(away.drag, { id: "a", from: 4, tick: 7, moved: true });
  assert.deepEqual(drop(away, 50 + center(strip, 7)), { strip, does: "move", id: "a", tick: 7 });
  assert.deepEqual(drop(away, null), { strip, does: "", id: "", tick: 0 }, "the browser took the pointer away");
  const back = drag(away, 50 + center(strip, 4));
  assert.equal(drop(back, 50 + center(strip, 4)).does, "move", "who went away and came back meant to move it");
  assert.equal(drag(strip, 120), strip, "nothing is held");
});

test("classes say sign, state, choice and seat", () => {
  assert.equal(markClass({ id: "a", sign: 1, status: "saved" }, "b"), "strip-mark progress saved");
  assert.equal(markClass({ id: "a", sign: -1, status: "failed", other: true }, "a"),
    "strip-mark regression failed selected other-seat");
});

test("each other person has one row, in which their marks stand", () => {
  const others = [["Bo", 1, 1], ["Ada", 4, -1], ["Bo", 9, -1]].map(([who, tick, sign]) => ({ who, tick, sign }));
  const { height, rows, marks } = otherRows(strip, others);
  assert.deepEqual(rows.map(({ who }) => who), ["Bo", "Ada"]);
  assert.deepEqual(marks.map(({ x, sign }) => [x, sign]), [[30, 1], [90, -1], [190, -1]]);
  assert.deepEqual(marks.map(({ y }) => y), [rows[0].y, rows[1].y, rows[0].y]);
  assert.ok(rows[0].y < rows[1].y && rows[1].y < height);
});

test("events show how they went by their shape, and dots who spoke, but neither instructions nor reasons", () => {
  const events = [{ tick: 0, tone: "good" }, { tick: 4, tone: "bad" }, { tick: 9, tone: "strange" }];
  const words = ["instruction", "utterance", "reason"].map((kind) => ({ kind, tick: 5 }));
  const [good, bad, plain, dot, ...rest] = eventShapes(strip, events, words);
  assert.deepEqual([good, bad, plain, dot].map(({ shape, tone }) => `${tone} ${shape}`),
    ["good bar", "bad cross", "plain bar", "word dot"]);
  assert.deepEqual([good.x + good.width / 2, bad.x, plain.x + plain.width / 2, dot.x], [10, 90, 190, 110]);
  assert.ok(good.height > plain.height, "what went well stands higher");
  assert.deepEqual(rest, []);
  const [thin] = eventShapes({ ...strip, last: 999 }, events, []);
  assert.equal(thin.width, 2, "of a long game, too, each can be seen");
});
