/**
 * Whose eyes the Arena page looks through: one's own, a squad mate's, anybody's, or a camera that flies. Makes the
 * camera of each frame and the names that stand in the picture. Not for: drawing (view.js), what the server lets one
 * see.
 */
import { overHead } from "./hud.js";
import { squadOut, teamSeats } from "./hud-state.js";
import { bindingsOf } from "./keys.js";
import { codeOf } from "../../lib/codes.js";
import { isTyping } from "../../lib/dom.js";
import {
  DOWNED, GRIEF_TICKS, HIT_BY, LIFE, MAX_SEATS, OUT, PRONE, RELOAD, RELOADS, RESCUE, RESCUE_TICKS, SLOT, SNIPER, STANCE,
  TICKS_PER_SECOND, TREAT, TREAT_TICKS, UNIT, UP, WEAPON,
} from "./rules.js";

const NOBODY = 255, TURNING = 2 * Math.PI / 65536;
/** How much larger things are along the sights, by weapon. */
const MAGNIFIED = [1.2, 1.3, 1.35, 1.6, 1.3, 4];
const FLYING = 11 * 256; // units a second
const GRIEF = 1000 * GRIEF_TICKS / TICKS_PER_SECOND; // ms for which one looks from where one went out at who did it
const BACK = 3 * 256, OVER = 2.3 * 256; // units behind and over the place, of that view
const MOVES = ["forward", "back", "left", "right", "jump", "crouch", "run"];

export class ArenaEyes {
  #zoom = 0;
  #bob = { x: NaN, y: NaN, speed: 0, at: 0 };
  #held = new Set();
  /** @type {any} */
  #fly = null;
  /** @type {any} */
  #outAt = null;
  #killer = -1;
  #death = { x: 0, y: 0 };
  #hands = { weapon: 0, reload: 0, treat: 0, rescue: 0, speed: 0, low: false, zoom: 0, turn: 0, rise: 0 };
  /** @type {any} */
  #camera = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0, fov: 60, seat: -1, hands: null };
  #labels = [];
  /**
   * Whether one looks through somebody's eyes (else from above), whether they are one's own, whether one has played.
   */
  sees = false;
  mine = false;
  played = false;

  /**
   * @param {import("./controls.js").ArenaControls} controls
   * @param {object} bindings
   * @param {(seat: number|null) => void} watch
   */
  constructor(controls, bindings, watch) {
    this.controls = controls;
    this.watch = watch;
    const keys = bindingsOf(bindings);
    document.addEventListener("keydown", (event) => {
      const name = keys.get(codeOf(event));
      if (!isTyping(event.target) && MOVES.includes(name)) {
        this.#held.add(name);
        if (!this.mine && !event.ctrlKey && name === "jump") event.preventDefault();
      }
    });
    document.addEventListener("keyup", (event) => this.#held.delete(keys.get(codeOf(event))));
    window.addEventListener("blur", () => this.#held.clear());
  }

  /** Looking through a scope, the weapon isn't seen. */
  get scope() { return this.#zoom > 0.85 && this.#hands.weapon === SNIPER; }

  /** A snapshot: whose it is, and whether somebody else's eyes should be asked for. */
  note(snapshot, state, memory) {
    this.sees = snapshot.seat !== NOBODY;
    this.mine = this.sees && !snapshot.watching && snapshot.own[LIFE] !== OUT;
    if (this.mine && this.controls.active) this.played = true;
    this.seat = snapshot.seat;
    this.stands = this.sees && snapshot.own[LIFE] !== OUT;
    if (this.stands || state.page.seat === null || snapshot.over) {
      if (this.stands) { this.#outAt = null; this.#killer = -1; }
      return;
    }
    const now = performance.now();
    const hit = snapshot.seat === state.page.seat ? snapshot.own[HIT_BY] : 0;
    // Who lay down until nobody was left to help was put out by nobody; who had shot them down is looked at then.
    this.#killer = memory.fellBy[state.page.seat] >= 0 ? memory.fellBy[state.page.seat]
      : hit > 0 && hit <= MAX_SEATS ? hit - 1 : this.#killer;
    this.#death = this.#killer >= 0 ? memory.seen[this.#killer] : this.#death;
    this.#outAt ??= now;
    if (now - this.#outAt < GRIEF) return;
    this.#outAt = now;
    this.next(1, state, memory);
  }

  /** Watch the next (1) or the one before (-1): squad mates while there are any, else anybody, and from above. */
  next(step, state, memory) {
    if (this.mine) return;
    const own = state.page.seat, everybody = Array.from({ length: state.seats.length }, (_, seat) => seat);
    const mates = own === null ? [] : teamSeats(state, own).filter((seat) => seat !== own && !memory.out[seat]);
    const choices = mates.length ? mates : [null, ...everybody.filter((seat) => !memory.out[seat] && seat !== own)];
    const at = choices.indexOf(this.seat === NOBODY ? null : this.seat);
    const wish = choices[(at + step + choices.length) % choices.length];
    if (wish === undefined || (at >= 0 && choices.length === 1)) return;
    this.watch(wish);
  }

  /** "You watch Ada. …" while one doesn't play. */
  sentence(state, name, place, memory) {
    if (this.mine || state.end) return "";
    const by = state.page.seat === null ? -1 : memory.fellBy[state.page.seat];
    const out = state.page.seat === null ? ""
      : place > 0 ? `${squadOut(state, place)} ` : by >= 0 ? `${name(by)} put you out. `
      : this.#killer >= 0 ? `${name(this.#killer)} shot you down. ` : "You are out. ";
    return `${out}${this.sees && this.stands ? `You watch ${name(this.seat)}.` : "You watch from above."}`;
  }

  /** The camera of this frame; the same object each time. */
  camera(scene, view, { settings, now, still }) {
    const camera = this.#camera, seconds = Math.min(0.1, Math.max(0, (now - this.#bob.at) / 1000));
    const aspect = view.size.width / view.size.height;
    this.#bob.at = now;
    if (this.sees && this.stands) this.#through(scene, camera, seconds, still);
    else this.#above(scene, view, camera, seconds, still);
    const own = scene.own, magnified = camera.hands ? 1 + (MAGNIFIED[camera.hands.weapon] - 1) * this.#zoom : 1;
    const wide = Math.tan(settings.fieldOfView * Math.PI / 360) / magnified;
    camera.fov = Math.atan(wide / aspect) * 360 / Math.PI;
    if (camera.hands) this.#move(own, scene, seconds);
    if (this.scope) camera.hands = null;
    document.body.classList.toggle("scoped", this.scope && camera.seat >= 0);
    return camera;
  }

  #through(scene, camera, seconds, still) {
    const { own } = scene;
    camera.x = scene.camera.x;
    camera.y = scene.camera.y;
    camera.z = scene.camera.z + scene.camera.eyes;
    camera.yaw = scene.camera.yaw;
    camera.pitch = scene.camera.pitch;
    camera.seat = scene.snapshot.seat;
    camera.hands = own[LIFE] === UP ? this.#hands : null;
    const goal = this.mine && scene.predicted && this.controls.zoomed && own[RELOAD] === 0 && own[LIFE] === UP ? 1 : 0;
    this.#zoom = still ? goal : this.#zoom + (goal - this.#zoom) * (1 - Math.exp(-seconds * 14));
    this.#fly = null;
  }

  #above(scene, view, camera, seconds, still) {
    const zone = scene.snapshot.zone;
    if (!this.#fly) {
      const dead = scene.snapshot.seat !== NOBODY;
      this.#fly = dead
        ? { x: scene.camera.x, y: scene.camera.y + 5 * 256, z: scene.camera.z + 5 * 256 }
        : { x: zone.blueX, y: Math.min(126 * 256, zone.blueY + zone.blueR + 8 * 256), z: 44 * 256 };
      if (dead) this.controls.look(scene.camera.yaw, scene.camera.pitch); else this.controls.look(0, -6800);
    }
    if (this.#outAt !== null && !this.stands && scene.snapshot.seat !== NOBODY
      && performance.now() - this.#outAt < GRIEF) {
      this.#mourn(scene, camera, still ? 1 : 1 - Math.exp(-seconds * 7));
      return;
    }
    const fly = this.#fly, has = (name) => Number(this.#held.has(name));
    const angle = this.controls.yaw * 2 * Math.PI / 65536, step = FLYING * seconds * (has("run") ? 2.5 : 1);
    const ahead = (has("forward") - has("back")) * step, aside = (has("right") - has("left")) * step;
    const level = Math.cos(this.controls.pitch * 2 * Math.PI / 65536),
      rise = Math.sin(this.controls.pitch * 2 * Math.PI / 65536);
    fly.x = Math.max(256, Math.min(127 * 256, fly.x + Math.sin(angle) * ahead * level + Math.cos(angle) * aside));
    fly.y = Math.max(256, Math.min(127 * 256, fly.y - Math.cos(angle) * ahead * level + Math.sin(angle) * aside));
    fly.z = Math.max(256, Math.min(70 * 256, fly.z + ahead * rise + (has("jump") - has("crouch")) * step));
    camera.x = fly.x;
    camera.y = fly.y;
    camera.z = fly.z;
    camera.yaw = this.controls.yaw;
    camera.pitch = this.controls.pitch;
    camera.seat = -1;
    camera.hands = null;
    this.#zoom = 0;
  }

  /**
   * From over the place where one went out: who did it, where they are or were last seen, else the place itself. `part`
   * of the way is turned.
   */
  #mourn(scene, camera, part) {
    const by = scene.players.find((player) => player.seat === this.#killer && player.shown) ?? this.#death;
    const { x, y, z } = scene.camera, known = this.#killer >= 0 && (by.x !== 0 || by.y !== 0);
    const east = known ? by.x - x : Math.sin(scene.camera.yaw * TURNING),
      south = known ? by.y - y : -Math.cos(scene.camera.yaw * TURNING);
    const far = Math.hypot(east, south) || 1, wanted = (Math.atan2(east, -south) / TURNING + 65536) % 65536;
    const off = ((wanted - this.controls.yaw + 98304) % 65536) - 32768,
      down = known ? -Math.atan2(OVER - 256, far + BACK) / TURNING : -6800;
    this.controls.look(this.controls.yaw + off * part, this.controls.pitch + (down - this.controls.pitch) * part);
    camera.x = Math.max(256, Math.min(127 * 256, x - (east / far) * BACK));
    camera.y = Math.max(256, Math.min(127 * 256, y - (south / far) * BACK));
    camera.z = z + OVER;
    camera.yaw = this.controls.yaw;
    camera.pitch = this.controls.pitch;
    camera.seat = -1;
    camera.hands = null;
    this.#zoom = 0;
  }

  /** What the own hands do, from the record. */
  #move(own, scene, seconds) {
    const hands = this.#hands, bob = this.#bob, weapon = own[WEAPON + own[SLOT]];
    const way = Math.hypot(scene.camera.x - bob.x, scene.camera.y - bob.y) / 256;
    if (seconds > 0 && way < 3) bob.speed += (way / seconds - bob.speed) * (1 - Math.exp(-seconds * 10));
    bob.x = scene.camera.x;
    bob.y = scene.camera.y;
    hands.weapon = weapon;
    hands.reload = own[RELOAD] > 0 ? Math.max(0.01, 1 - own[RELOAD] / RELOADS[weapon]) : 0;
    hands.treat = own[TREAT] / TREAT_TICKS;
    hands.rescue = own[RESCUE] / RESCUE_TICKS;
    hands.speed = bob.speed;
    hands.low = own[STANCE] === PRONE;
    hands.zoom = this.#zoom;
  }

  /**
   * Names over mates (over everybody for those who only watch), marks on the ground, where one's own step of a plan is
   * done (everybody's are on the maps).
   */
  labels(scene, state, memory, view, targets = []) {
    const list = this.#labels, above = !this.sees, size = state.options.team_size;
    list.length = 0;
    for (const one of scene.players) {
      if (!one.shown || one.life === 0 || one.seat === this.#camera.seat || !(one.mate || above)) continue;
      const down = one.life === DOWNED;
      list.push({ id: `seat${one.seat}`, x: one.x, y: one.y, z: one.z + overHead(one.stance),
        team: Math.floor(one.seat / size), hp: down || above ? -1 : one.hp,
        text: `${state.seats[one.seat]?.name ?? one.seat + 1}${down ? (one.helped ? " · helped up" : " · down") : ""}`,
        kind: down ? "is-down" : "friend" });
    }
    for (const [i, mark] of memory.marks.entries()) {
      list.push({ id: `mark${i}`, x: mark.x, y: mark.y, z: groundHeight(view, mark) + 180, team: null, hp: -1,
        text: mark.text, kind: "mark" });
    }
    const step = targets.find(({ seat, doing }) => doing && seat === (state.page.seat ?? state.page.copilot));
    if (step) {
      const at = { x: step.place[0] * UNIT, y: step.place[1] * UNIT };
      list.push({ id: "step", ...at, z: groundHeight(view, at) + 180, team: null, hp: -1, text: `${step.number} · You`,
        kind: "mark" });
    }
    return list;
  }
}

/** Units, of the drawn ground. */
function groundHeight(view, { x, y }) {
  const cell = (Math.min(127, y >> 8)) * 128 + Math.min(127, x >> 8);
  return view.ground.level[cell] * 256;
}
