/** Who was in control: seats of whom the same is told share a row. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf, spanTitle } from "../../static/js/control-track.js";

const NAMES = ["Ana", "Bo", "Cy", "Di"];
const span = (seat, by, first = 1, last = 9) => ({ seat, by, name: "", first, last });

test("neighbours share a row while the same is told of them, whoever was late has one of their own", () => {
  const spans = [span(0, "person"), span(1, "agent"), span(2, "agent"), span(3, "agent")];
  assert.deepEqual(rowsOf(spans, [], 4), [[0], [1, 2, 3]]);
  assert.deepEqual(rowsOf(spans, [{ seat: 2, tick: 4 }], 4), [[0], [1], [2], [3]]);
  const all = [1, 2, 3].map((seat) => ({ seat, tick: 4 }));
  assert.deepEqual(rowsOf(spans, all, 4), [[0], [1, 2, 3]], "a busy host is late with all of its agents at once");
  assert.deepEqual(rowsOf([...spans.slice(0, 2), span(2, "agent", 1, 4), span(2, "copilot", 5, 9), spans[3]], [], 4),
    [[0], [1], [2], [3]]);
});

test("a row of several seats names them all", () => {
  assert.equal(spanTitle(span(1, "agent"), NAMES, 0, [1, 2]), "Bo, Cy: each an agent, ticks 1 to 9");
  assert.equal(spanTitle(span(1, "agent"), NAMES, 0), "Bo's seat: an agent, ticks 1 to 9");
});
