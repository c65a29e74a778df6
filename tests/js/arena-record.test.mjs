/** Clips of a canvas in Arena's replays: which kind of video, what the file is called, beginning and ending. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { CanvasClip, fileName, kindOf } from "../../static/js/games/arena/record.js";

test("the first kind of video that the browser makes is taken, none where it makes none", () => {
  assert.equal(kindOf(undefined), "");
  assert.equal(kindOf({ isTypeSupported: (kind) => kind === "video/webm;codecs=vp8" }), "video/webm;codecs=vp8");
});

test("a file is called as the page, with the ending of its kind", () => {
  assert.equal(fileName("Arena · episode 8f3a", "video/webm"), "arena-episode-8f3a.webm");
  assert.equal(fileName("…", "video/mp4;codecs=avc1.42E01E"), "clip.mp4");
});

test("the second press ends it and hands over all that was recorded", () => {
  const made = [], states = [], files = [];
  class Recorder extends EventTarget {
    static isTypeSupported() { return true; }
    constructor(stream, options) { super(); Object.assign(this, { stream, options }); made.push(this); }
    start() {}
    stop() {
      this.dispatchEvent(Object.assign(new Event("dataavailable"), { data: new Blob(["abc"]) }));
      this.dispatchEvent(new Event("stop"));
    }
  }
  globalThis.MediaRecorder = Recorder;
  let stopped = 0;
  const canvas = { captureStream: () => ({ getTracks: () => [{ stop: () => { stopped += 1; } }] }) };
  const clip = new CanvasClip((on) => states.push(on), (file) => files.push(file.size));
  clip.toggle(canvas);
  assert.ok(clip.recording);
  clip.toggle(canvas);
  clip.stop();
  delete globalThis.MediaRecorder;
  assert.deepEqual([made.length, states, files, stopped], [1, [true, false], [3], 1]);
});
