/**
 * The menu of a live Arena match: settings of this device, keys, leaving. Not for: what the settings do
 * (settings.js has mouse and motion, this file quality and maps), keys of the account (/accounts/keys/).
 */
import { el, find } from "../../lib/dom.js";
import { onDevice } from "../../lib/kept.js";
import { RANGES, saveSettings } from "./settings.js";
import { ACTIONS, keysOf } from "./keys.js";

const STORED = "coplay-arena-view";
export const QUALITIES = ["low", "medium", "high"];

/** How the picture and the maps are drawn on this device. @returns {{quality: string, rotateMap: boolean}} */
export function loadView(storage = onDevice) {
  let from = {};
  try { from = JSON.parse(storage.getItem(STORED) ?? "null") ?? {}; } catch { /* defaults */ }
  return { quality: QUALITIES.includes(from.quality) ? from.quality : "medium", rotateMap: from.rotateMap !== false };
}

export function saveView(view, storage = onDevice) {
  storage.setItem(STORED, JSON.stringify(view));
}

const SLIDERS = { sensitivity: "Mouse", zoomSensitivity: "Mouse along the sights", turnSpeed: "Turning with keys",
  fieldOfView: "Field of view", volume: "Sound", shots: "Shots", steps: "Steps and doors" };
const SWITCHES = {
  invertY: "Mouse up looks down", keyboardAim: "Play without the mouse: arrow keys turn, K aims for you",
  runToggle: "Run: press once instead of holding",
  crouchToggle: "Crouch: press once instead of holding", zoomToggle: "Sights: press once instead of holding",
  captions: "Sounds as words with an arrow",
};
const MOTION = { system: "as the system says", less: "less", full: "full" };

/**
 * Fill the settings. @param {object} settings @param {object} view @param {object} bindings of the account
 * @param {{onSettings: (settings: object) => void, onView: (view: object) => void}} listeners
 */
export function fillMenu(settings, view, bindings, { onSettings, onView }) {
  let now = settings, look = view;
  const change = (name, value) => { now = saveSettings({ ...now, [name]: value }); onSettings(now); };
  const changeLook = (name, value) => { look = { ...look, [name]: value }; saveView(look); onView(look); };
  const slider = ([name, label]) => {
    const [least, most] = RANGES[name], digits = name === "fieldOfView" ? 0 : 2;
    const number = el("output", { text: now[name].toFixed(digits) });
    const input = el("input", { type: "range", min: least, max: most, step: digits ? 0.05 : 1, onInput: () => {
      change(name, Number(input.value));
      number.textContent = now[name].toFixed(digits);
    } });
    input.value = now[name];
    return el("label.slider", {}, el("span", { text: label }), input, number);
  };
  const box = (label, checked, run) => {
    const input = el("input", { type: "checkbox", checked, onChange: () => run(input.checked) });
    return el("label.check", {}, input, ` ${label}`);
  };
  const select = (label, choices, value, run) => {
    const node = el("select.auto", { onChange: () => run(node.value) },
      Object.entries(choices).map(([key, text]) => el("option", { value: key, text, selected: key === value })));
    return el("label.choice", {}, el("span", { text: label }), node);
  };
  find("[data-settings]").replaceChildren(
    ...Object.entries(SLIDERS).map(slider),
    select("Motion", MOTION, now.motion, (value) => change("motion", value)),
    select("Picture", { low: "plain, for slow machines", medium: "medium", high: "sharp" }, look.quality,
      (value) => changeLook("quality", value)),
    ...Object.entries(SWITCHES).map(([name, label]) => box(label, now[name], (on) => change(name, on))),
    box("The small map turns with me", look.rotateMap, (on) => changeLook("rotateMap", on)),
  );
  find("[data-key-list]").replaceChildren(...ACTIONS.flatMap(({ name, label }) => [
    el("dt", {},
      keysOf(name.slice("arena.".length), bindings).flatMap((key, i) => [i ? " " : "", el("kbd", { text: key })])),
      el("dd", { text: label }),
  ]));
}
