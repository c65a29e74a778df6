import assert from "node:assert/strict";
import { test } from "node:test";

import { merge } from "../../static/js/tracks.js";

test("what was said at a tick stands after the move that led to it", () => {
  const events = [{ tick: 1, kind: "play" }, { tick: 2, kind: "discard" }];
  const words = [{ tick: 0, kind: "instruction" }, { tick: 1, kind: "utterance" }];
  assert.deepEqual(merge(events, words).map((item) => item.kind), ["instruction", "play", "utterance", "discard"]);
});
