/**
 * What can be pressed in Arena: actions, their keys, and the names of keys for people. Keys are named by where they are
 * (`KeyboardEvent.code`, so that WASD lies the same on every layout), "Mouse0" … for buttons, "WheelUp" and
 * "WheelDown".
 * Not for: what an action does (input.js), listening (controls.js).
 */

import { codeName } from "../../lib/codes.js";

export { codeName };

const key = (name, keys, label) => ({ name, keys, label });

/** Names, default keys and labels are the catalogue's: engine/games/arena/pages.py. */
export const ACTIONS = [
  key("arena.forward", ["KeyW"], "Walk forward"),
  key("arena.back", ["KeyS"], "Walk back"),
  key("arena.left", ["KeyA"], "Walk left"),
  key("arena.right", ["KeyD"], "Walk right"),
  key("arena.run", ["ShiftLeft"], "Run"),
  key("arena.jump", ["Space"], "Jump, or get up"),
  key("arena.crouch", ["KeyC", "ControlLeft"], "Crouch; slide while running"),
  key("arena.prone", ["KeyZ"], "Lie down, get up"),
  key("arena.slide", ["KeyX"], "Slide (while walking or running)"),
  key("arena.fire", ["Mouse0", "KeyJ", "Numpad0"], "Fire"),
  key("arena.zoom", ["Mouse2", "KeyB"], "Look along the sights"),
  key("arena.aimHelp", ["KeyK"], "Aim help: stop, aim at whoever is nearest to the crosshair, fire"),
  key("arena.turnLeft", ["ArrowLeft"], "Turn left"),
  key("arena.turnRight", ["ArrowRight"], "Turn right"),
  key("arena.lookUp", ["ArrowUp"], "Look up"),
  key("arena.lookDown", ["ArrowDown"], "Look down"),
  key("arena.reload", ["KeyR"], "Reload"),
  key("arena.interact", ["KeyE"], "Open or close a door; hold: help a mate up"),
  key("arena.pick", ["KeyF"], "Pick up"),
  key("arena.drop", ["KeyG"], "Drop the weapon in hand"),
  key("arena.treat", ["KeyH", "Digit4"], "Treat yourself (again: stop)"),
  key("arena.slot1", ["Digit1"], "First weapon"),
  key("arena.slot2", ["Digit2"], "Second weapon"),
  key("arena.other", ["WheelUp", "WheelDown", "KeyQ"], "The other weapon"),
  key("arena.instruct", ["KeyT", "Enter"], "Tell your squad something"),
  key("arena.sentences", ["KeyV"], "Wheel of ready sentences"),
  key("arena.scoreboard", ["Tab"], "Scoreboard"),
  key("arena.map", ["KeyM"], "Map"),
  key("arena.watch", ["KeyN"], "Watch the next player"),
  key("arena.copilot", ["KeyP"], "Co-pilot: take over, hand back"),
  key("arena.yes", ["KeyY"], "Yes, that is what I meant"),
  key("arena.plan", ["KeyU"], "Plan together; hide or show the plan"),
  key("arena.sound", ["KeyL"], "Sound on or off"),
  key("arena.menu", ["Escape"], "Menu"),
];

/** Key → name of the action without "arena.". @param {Record<string, string[]>} own the person's bindings, by action */
export function bindingsOf(own = {}) {
  const byKey = new Map();
  for (const { name, keys } of ACTIONS) {
    for (const one of [own[name] ?? keys].flat()) if (!byKey.has(one)) byKey.set(one, name.slice("arena.".length));
  }
  return byKey;
}

/** The keys of an action as people call them, e.g. ["C", "Left Ctrl"]. */
export function keysOf(name, own = {}) {
  const action = ACTIONS.find((one) => one.name === `arena.${name}`);
  return [own[`arena.${name}`] ?? action?.keys ?? []].flat().map(codeName);
}
