/**
 * How a person wants to play Arena on this device: mouse, view, holding or toggling, what replaces sight and sound.
 * Anything can stand in the browser's storage, so every value is checked. Not for: keys (they are the account's).
 */
import { onDevice } from "../../lib/kept.js";

export const STORED = "coplay-arena";

/** Numbers: least, most, default. Volumes are parts of the loudest: of all, of shots, of steps and hands. */
export const RANGES = { sensitivity: [0.1, 5, 1], zoomSensitivity: [0.1, 2, 0.6], turnSpeed: [0.2, 3, 1],
  fieldOfView: [60, 110, 85], volume: [0, 1, 0.7], shots: [0, 1, 0.8], steps: [0, 1, 1] };
/** Switches and their defaults. */
export const SWITCHES = {
  invertY: false, runToggle: false, crouchToggle: true, zoomToggle: false,
  keyboardAim: false, // no pointer lock: arrow keys turn
  captions: true, // sounds as words with an arrow
};
/** One of several, the first by default. */
export const CHOICES = { motion: ["system", "less", "full"] };

/** @typedef {{sensitivity: number, zoomSensitivity: number, turnSpeed: number, fieldOfView: number, invertY: boolean,
 *   runToggle: boolean, crouchToggle: boolean, zoomToggle: boolean, volume: number, shots: number, steps: number,
 *   keyboardAim: boolean, captions: boolean, motion: string}} Settings
 */

/** What is sound of anything, the defaults for the rest. @returns {Settings} */
export function sane(given) {
  const from = given !== null && typeof given === "object" ? given : {};
  /** @type {any} */
  const settings = {};
  for (const [name, [least, most, usual]] of Object.entries(RANGES)) {
    const value = from[name];
    settings[name] = typeof value === "number" && Number.isFinite(value)
      ? Math.min(most, Math.max(least, value))
      : usual;
  }
  for (const [name, usual] of Object.entries(SWITCHES)) settings[name] = typeof from[name] === "boolean"
    ? from[name]
    : usual;
  for (const [name, choices] of Object.entries(CHOICES)) settings[name] = choices.includes(from[name])
    ? from[name]
    : choices[0];
  return settings;
}

/** @returns {Settings} */
export function loadSettings(storage = onDevice) {
  try { return sane(JSON.parse(storage.getItem(STORED) ?? "null")); } catch { return sane({}); }
}

/** Keep them. @returns {Settings} what was kept */
export function saveSettings(settings, storage = onDevice) {
  const kept = sane(settings);
  storage.setItem(STORED, JSON.stringify(kept));
  return kept;
}

/** Whether things are to move less: no bob, no shake, no flashes. */
export function lessMotion(settings, matches = (query) => globalThis.matchMedia?.(query).matches ?? false) {
  return settings.motion === "less" || (settings.motion === "system" && matches("(prefers-reduced-motion: reduce)"));
}
