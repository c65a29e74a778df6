/** A few tones made in the browser: no files, off until somebody turns them on; the choice is remembered here. */
import { onDevice } from "./kept.js";

const KEY = "coplay-sound";
/** Notes in Hz, one after the other, and ms for each. @type {Record<string, [number[], number]>} */
const TUNES = {
  pick: [[620], 45], put: [[420], 55], ready: [[660, 880], 90], deliver: [[660, 880, 1175], 95],
  tell: [[740], 50], start: [[523, 784], 130], end: [[784, 659, 523], 170],
};
/** @type {AudioContext|null} */
let context = null;

let on = onDevice.getItem(KEY) === "on";

export const soundIsOn = () => on;

/** @param {boolean} wanted */
export function setSound(wanted) {
  on = wanted;
  onDevice.setItem(KEY, on ? "on" : "off");
}

/** @param {string} name of a tune */
export function play(name) {
  if (!on || !TUNES[name]) return;
  const sounds = context ??= new AudioContext();
  sounds.resume();
  const [notes, milliseconds] = TUNES[name];
  notes.forEach((frequency, i) => {
    const tone = sounds.createOscillator();
    const volume = sounds.createGain();
    const from = sounds.currentTime + (i * milliseconds) / 1000;
    const to = from + milliseconds / 1000;
    tone.type = "triangle";
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.0001, from);
    volume.gain.exponentialRampToValueAtTime(0.12, from + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, to);
    tone.connect(volume).connect(sounds.destination);
    tone.start(from);
    tone.stop(to + 0.02);
  });
}
