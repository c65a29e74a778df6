/**
 * A clip of what a canvas shows, made by the browser itself: a person's own view in three dimensions, which no worker
 * draws. Not for: pictures from above of any part of an episode (clips.js, a worker makes them).
 */

const LONGEST = 60000; // ms after which it ends by itself
const PER_SECOND = 30;
const KINDS = ["video/mp4;codecs=avc1.42E01E", "video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

/** The first kind of video that this browser can make; "" for none. */
export const kindOf = (Recorder = globalThis.MediaRecorder) =>
  KINDS.find((kind) => Recorder?.isTypeSupported?.(kind)) ?? "";

/** A file's name without anything that a file system minds. */
export function fileName(title, kind) {
  const name = title.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase();
  return `${name || "clip"}.${kind.startsWith("video/mp4") ? "mp4" : "webm"}`;
}

export class CanvasClip {
  /** @type {any} */
  #recorder = null;
  /** @type {any} */
  #timer = null;

  /** @param {(recording: boolean) => void} onChange @param {(file: Blob, kind: string) => void} onFile */
  constructor(onChange, onFile) {
    this.onChange = onChange;
    this.onFile = onFile;
  }

  get recording() { return this.#recorder !== null; }

  /** Begin, or end and hand over what was recorded. @param {HTMLCanvasElement} canvas */
  toggle(canvas) {
    if (this.#recorder) { this.stop(); return; }
    const kind = kindOf(), parts = [], stream = canvas.captureStream(PER_SECOND);
    this.#recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 6e6 });
    this.#recorder.addEventListener("dataavailable", (event) => { if (event.data.size) parts.push(event.data); });
    this.#recorder.addEventListener("stop", () => {
      for (const track of stream.getTracks()) track.stop();
      this.onFile(new Blob(parts, { type: kind }), kind);
    });
    this.#recorder.start(1000);
    this.#timer = setTimeout(() => this.stop(), LONGEST);
    this.onChange(true);
  }

  stop() {
    if (!this.#recorder) return;
    clearTimeout(this.#timer);
    this.#recorder.stop();
    this.#recorder = null;
    this.onChange(false);
  }
}
