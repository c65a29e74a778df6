/**
 * The wheel of ready sentences: held open by a key, a sentence chosen with the mouse or by number, and what one looks
 * at while saying it. While it is open the mouse doesn't turn the view and numbers change no weapon. Not for: what a
 * sentence means (the server reads it), keys of the game (controls.js).
 */
import { codeOf, writtenAt } from "../../lib/codes.js";
import { el, find } from "../../lib/dom.js";
import { sector, SENTENCES } from "./hud-state.js";
import { cosine, sine } from "./angles.js";
import { BODY_RADIUS, HEIGHTS, SIDE } from "./rules.js";
import { ray } from "./world.js";

const LEAST = 34; // pixels that the mouse must move to choose
const FAR = 90 * 256; // units

/**
 * What one looks at: {x, y} in units, and the seat that stands there or null.
 * @param {Int8Array} map
 * @param {number} doors
 * @param {{x: number, y: number, z: number, eyes: number, yaw: number, pitch: number}} camera
 * @param {{seat: number, shown?: boolean, life: number, stance: number, x: number, y: number, z: number}[]} players
 */
export function lookedAt(map, doors, camera, players) {
  const x = Math.round(camera.x), y = Math.round(camera.y), z = Math.round(camera.z + camera.eyes),
    yaw = Math.round(camera.yaw), pitch = Math.round(camera.pitch);
  const level = cosine(pitch), east = (sine(yaw) * level) / 16384,
    south = -(cosine(yaw) * level) / 16384, rise = sine(pitch);
  const limit = SIDE * 256 - 1, inside = (value) => Math.max(0, Math.min(limit, Math.round(value)));
  // Not out of the map.
  let far = FAR;
  for (const [from, way] of [[x, east], [y, south]]) if (way)
    far = Math.min(far, Math.abs(((way > 0 ? limit : 0) - from) * 16384 / way));
  far = Math.max(1, Math.floor(far));
  const end = (part) => [inside(x + east * part / 16384), inside(y + south * part / 16384), z + rise * part / 16384];
  const [toX, toY, toZ] = end(far);
  const reached = ray(map, doors, x, y, z, toX, toY, Math.round(toZ), far);
  let seat = null, best = reached + 256;
  for (const one of players) {
    if (one.shown === false || one.life === 0) continue;
    const dx = one.x - x, dy = one.y - y, along = (dx * east + dy * south) / 16384;
    if (along <= 64 || along >= best) continue;
    // Somebody far off needn't be met exactly.
    const room = BODY_RADIUS + along * 0.03, across = Math.abs(dx * south - dy * east) / 16384,
      height = z + along * rise / 16384 - one.z;
    if (across <= room && height >= -room && height <= HEIGHTS[one.stance] + room) { best = along; seat = one.seat; }
  }
  const [atX, atY] = seat === null
    ? end(reached)
    : [inside(players.find((one) => one.seat === seat)?.x), inside(players.find((one) => one.seat === seat)?.y)];
  return { x: atX, y: atY, seat };
}

/** Where a sentence stands, in parts of the wheel's half-axes: by angle, as the mouse chooses them. */
export function placeOf(i, count) {
  const angle = (i / count) * 2 * Math.PI, round = (value) => Math.round(value * 1000) / 1000;
  return { x: round(Math.sin(angle)), y: round(-Math.cos(angle)) };
}

export class Wheel {
  #dx = 0;
  #dy = 0;
  #chosen = -1;
  open = false;

  /** @param {(sentence: {text: string, needs?: string}) => void} say */
  constructor(say) {
    this.say = say;
    this.node = find("[data-wheel]");
    this.items = SENTENCES.map((sentence, i) => el("button.wheel-item",
      { type: "button", onClick: () => this.#choose(i) }, el("kbd", { text: sentence.key }), ` ${sentence.text}`));
    this.items.forEach((item, i) => {
      const { x, y } = placeOf(i, SENTENCES.length);
      item.style.setProperty("--x", String(x));
      item.style.setProperty("--y", String(y));
    });
    this.node.append(...this.items);
    // Before the game's own listeners hear of it.
    const on = (name, run) => window.addEventListener(name, (event) => {
      if (this.open && run(event)) { event.stopImmediatePropagation(); event.preventDefault(); }
    }, { capture: true });
    on("mousemove", (event) => { this.#move(event.movementX, event.movementY); return true; });
    on("mousedown", (event) => {
      if (event.target.closest?.(".wheel-item")) return false;
      this.#choose(this.#chosen);
      return true;
    });
    on("keydown", (event) => this.#key(event));
  }

  show() {
    this.open = true;
    this.#dx = this.#dy = 0;
    this.#mark(-1);
    this.node.hidden = false;
  }

  /** The key came up: say what is chosen. */
  close() {
    if (!this.open) return;
    const chosen = this.#chosen;
    this.hide();
    if (chosen >= 0) this.say(SENTENCES[chosen]);
  }

  hide() {
    this.open = false;
    this.node.hidden = true;
  }

  #choose(i) {
    this.hide();
    if (i >= 0) this.say(SENTENCES[i]);
  }

  #move(x, y) {
    this.#dx = Math.max(-140, Math.min(140, this.#dx + x));
    this.#dy = Math.max(-140, Math.min(140, this.#dy + y));
    this.#mark(sector(this.#dx, this.#dy, SENTENCES.length, LEAST));
  }

  #key(event) {
    if (event.key === "Escape") { this.hide(); return true; }
    const i = SENTENCES.findIndex((sentence) => [event.key, writtenAt(codeOf(event))].includes(sentence.key));
    if (i < 0) return false;
    this.#choose(i);
    return true;
  }

  #mark(i) {
    if (i === this.#chosen) return;
    this.items[this.#chosen]?.classList.remove("chosen");
    this.items[i]?.classList.add("chosen");
    this.#chosen = i;
  }
}
