/** Where ticks lie on the strip, and what becomes of a mark that is dragged. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  center, column, drag, drop, fresh, grab, markAt, markClass, people, pictures, tickAt,
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

test("classes say sign, state, choice and seat; each other person has one row", () => {
  assert.equal(markClass({ id: "a", sign: 1, status: "saved" }, "b"), "strip-mark progress saved");
  assert.equal(markClass({ id: "a", sign: -1, status: "failed", other: true }, "a"),
    "strip-mark regression failed selected other-seat");
  assert.deepEqual(people([{ who: "Bo" }, { who: "Ada" }, { who: "Bo" }]), ["Bo", "Ada"]);
});
