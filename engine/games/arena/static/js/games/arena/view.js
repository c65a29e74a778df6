/**
 * Arena in 3D on a canvas, live and in replays: give it the map once, then a frame and a camera whenever it is to draw.
 *
 *   const view = createArenaView(canvas, map, { quality: "medium", stillness: false, teamSize: 4, seat: 0 });
 *   view.resize(width, height);
 *   view.happen(event);                    // each event of a tick once: shots, hits
 *   view.update(frame, camera, now);       // everything but the drawing; allocates nothing
 *   view.render();
 *
 * A frame is a decoded snapshot (protocol.js) or anything with its lists: `players`, `monsters`, `supplies`
 * (each whole, or with `…Count`; entries with `shown: false` are left out), `zone`, `doors`. All in the rules' units
 * (1/256 m, 65,536 a turn); fractions are fine.
 * Throws `NoWebGL` where the browser has none (scene-flat.js then draws from above). Not for: the network, what is
 * interpolated (net.js), anything of the page around the canvas (hud.js).
 */
import * as THREE from "../../../vendor/three.module.js";
import { EffectsScene } from "./scene-effects.js";
import { heightAt, lightAt } from "./scene-ground.js";
import { HandsScene } from "./scene-hands.js";
import { PeopleScene } from "./scene-people.js";
import { WorldScene } from "./scene-world.js";
import { MUZZLES } from "./models.js";
import { DOWN, EYES, HIT, MONSTER_BITES, REACH, SHOT, SHOTGUN } from "./rules.js";
import { ray } from "./world.js";
import { teamColour } from "./teams.js";

export class NoWebGL extends Error {}

/** What a frame with twenty players may take: draw calls, triangles, script time of the update in ms. */
export const BUDGET = { calls: 300, triangles: 150000, update: 4 };

const METRE = 1 / 256, RADIAN = (2 * Math.PI) / 65536;
/** Pixels a CSS pixel at most, by quality. */
const SHARPNESS = { low: 0.75, medium: 1, high: 2 };
/** Frames slower than this (seconds) are drawn with fewer pixels, faster ones with more again; looked at this often. */
const SLOW = 0.034, FAST = 0.0185, LOOK = 1.5;
const COARSEST = 0.35;
const NO_SEAT = -1;

/**
 * @typedef {object} Camera where the frame is seen from
 * @property {number} x @property {number} y @property {number} z of the eye, in units
 * @property {number} yaw @property {number} pitch in turn units
 * @property {number} [fov] degrees, upright; 60
 * @property {number} [seat] whose eyes these are: not drawn
 * @property {import("./scene-hands.js").Hands|null} [hands] what to draw before the camera
 */

export class ArenaView {
  #figure = { seat: 0, team: 0, x: 0, y: 0, z: 0, yaw: 0, pitch: 0, stance: 0, weapon: 0, fired: false, busy: false };
  #point = new THREE.Vector3();
  #muzzles = new Float32Array(20 * 3).fill(NaN); // where each seat's weapon points from, metres
  #feet = new Float32Array(20).fill(NaN); // heights as drawn: steps of the ground are walked, not jumped
  #resized = false;
  #pace = { mean: 1 / 60, since: 0 };
  #last = { at: NaN, yaw: 0, pitch: 0, seat: NO_SEAT };

  /**
   * @param {HTMLCanvasElement} canvas @param {Int8Array} map the map's bytes
   * @param {{quality?: "low"|"medium"|"high", stillness?: boolean, teamSize?: number, seat?: number|null}} [options]
   *   `stillness`: no sway, bob or drifting clouds; `seat`: one's own, for the colour of the sleeves
   */
  constructor(canvas, map, { quality = "medium", stillness = false, teamSize = 4, seat = 0 } = {}) {
    /** @type {{quality: "low"|"medium"|"high", stillness: boolean}} */
    this.options = { quality, stillness };
    this.teamSize = teamSize;
    this.size = { width: 0, height: 0 };
    try {
      this.renderer = new THREE.WebGLRenderer({ canvas, antialias: quality !== "low",
        powerPreference: "high-performance", failIfMajorPerformanceCaveat: false });
    } catch (error) {
      throw new NoWebGL(error.message);
    }
    this.renderer.autoClear = false;
    this.renderer.info.autoReset = false; // a frame is two drawings: the scene, then the hands over it
    this.scene = new THREE.Scene();
    this.scene.matrixWorldAutoUpdate = true;
    this.camera = new THREE.PerspectiveCamera(60, 1, 0.06, 420);
    this.camera.rotation.order = "YXZ";
    this.world = new WorldScene(this.scene, map, this.options);
    this.people = new PeopleScene(this.scene, this.world, this.options);
    this.effects = new EffectsScene(this.scene);
    this.hands = new HandsScene(this.options, teamColour(Math.floor((seat ?? 0) / teamSize)));
    this.showsHands = false;
    /** Part of the pixels that is drawn: less where the machine can't keep up. */
    this.sharpness = 1;
    /** Script time of the last update in ms, and its slow mean. */
    this.cost = 0;
    this.meanCost = 0;
    /** Script time of drawing in ms, slow mean: what three.js takes to hand the scene to the graphics card. */
    this.meanDrawing = 0;
  }

  get ground() { return this.world.ground; }

  /** What the last frame took of the graphics card. @returns {{calls: number, triangles: number}} */
  get drawn() { return this.renderer.info.render; }

  resize(width, height) {
    this.renderer.setPixelRatio(
      Math.min(globalThis.devicePixelRatio || 1, SHARPNESS[this.options.quality]) * this.sharpness);
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.size = { width, height };
  }

  /** Keep up: fewer pixels while frames are slow. */
  #adapt(seconds) {
    const pace = this.#pace;
    pace.mean += (Math.min(0.3, seconds) - pace.mean) * 0.08;
    pace.since += seconds;
    if (pace.since < LOOK) return;
    pace.since = 0;
    const { sharpness } = this;
    if (pace.mean > SLOW) this.sharpness = Math.max(COARSEST, sharpness * 0.75);
    else if (pace.mean < FAST) this.sharpness = Math.min(1, sharpness * 1.15);
    this.#resized = this.sharpness !== sharpness;
  }

  /** Bring the scene to a frame. @param {Camera} camera @param {number} now ms */
  update(frame, camera, now) {
    const started = performance.now();
    const passed = Number.isNaN(this.#last.at) ? 0 : Math.max(0, (now - this.#last.at) / 1000),
      seconds = Math.min(0.1, passed);
    this.#adapt(passed);
    const own = camera.seat ?? NO_SEAT;
    this.#moveCamera(camera, own, seconds);
    this.world.update(seconds, frame.doors);
    this.world.tiles.look(this.camera.position.x, this.camera.position.z);
    this.world.from(this.camera.position);
    const { zone } = frame;
    this.world.showZone(zone.blueX * METRE, zone.blueY * METRE, zone.blueR * METRE, zone.whiteX * METRE,
      zone.whiteY * METRE, zone.whiteR * METRE);
    this.people.begin(seconds);
    for (let i = 0, n = frame.playerCount ?? frame.players.length; i < n; i += 1) {
      const one = frame.players[i];
      if (one.shown !== false && one.seat !== own && one.life > 0) this.#player(one, seconds);
    }
    for (let i = 0, n = frame.monsterCount ?? frame.monsters.length; i < n; i += 1) {
      const one = frame.monsters[i];
      if (one.shown !== false && one.hp > 0)
        this.people.monster(one.number, one.x * METRE, one.z * METRE, one.y * METRE, one.yaw * RADIAN);
    }
    for (let i = 0, n = frame.supplyCount ?? frame.supplies.length; i < n; i += 1) {
      const one = frame.supplies[i];
      if (one.kind > 0) this.people.supply(one.number, one.kind, one.x * METRE, one.y * METRE);
    }
    this.people.end();
    this.effects.update(seconds);
    this.showsHands = Boolean(camera.hands);
    if (camera.hands) this.#moveHands(camera, own, seconds);
    this.#last.at = now;
    this.#last.yaw = camera.yaw;
    this.#last.pitch = camera.pitch;
    this.#last.seat = own;
    this.cost = performance.now() - started;
    this.meanCost += (this.cost - this.meanCost) * 0.03;
  }

  #player(one, seconds) {
    const figure = this.#figure, { seat } = one;
    figure.seat = seat;
    figure.team = Math.floor(seat / this.teamSize);
    figure.x = one.x * METRE;
    figure.z = one.y * METRE;
    figure.y = this.#step(seat, one.z * METRE, seconds);
    figure.yaw = one.yaw * RADIAN;
    figure.pitch = one.pitch * RADIAN;
    figure.stance = one.life === 1 ? DOWN : one.stance;
    figure.weapon = one.weapon;
    figure.fired = one.fired;
    figure.busy = one.busy;
    this.people.figure(figure);
    this.#muzzle(seat, figure.x, figure.y + EYES[figure.stance] * METRE - 0.28, figure.z, figure.yaw, figure.pitch,
      0.3 + MUZZLES[one.weapon], 0.1);
  }

  /** The ground has steps that a walker takes smoothly; falls and jumps are as they are. */
  #step(seat, height, seconds) {
    const before = this.#feet[seat], off = height - before;
    this.#feet[seat] = Number.isNaN(before) || Math.abs(off) > 0.7
      ? height
      : before + off * (1 - Math.exp(-seconds * 16));
    return this.#feet[seat];
  }

  #muzzle(seat, x, y, z, yaw, pitch, far, aside) {
    const level = Math.cos(pitch) * far;
    this.#muzzles[3 * seat] = x + Math.sin(yaw) * level + Math.cos(yaw) * aside;
    this.#muzzles[3 * seat + 1] = y + Math.sin(pitch) * far;
    this.#muzzles[3 * seat + 2] = z - Math.cos(yaw) * level + Math.sin(yaw) * aside;
  }

  #moveCamera(camera, own, seconds) {
    const { position, rotation } = this.camera;
    // Seen from somebody's eyes, steps of the ground are walked smoothly too.
    const smooth = own !== NO_SEAT && own === this.#last.seat;
    const eye = camera.z * METRE, off = eye - position.y;
    position.set(camera.x * METRE, smooth && Math.abs(off) < 0.9
      ? position.y + off * (1 - Math.exp(-seconds * 18))
      : eye, camera.y * METRE);
    if (own === NO_SEAT) position.y = Math.max(position.y, heightAt(this.world.ground, position.x, position.z) + 0.4);
    rotation.set(camera.pitch * RADIAN, -camera.yaw * RADIAN, 0);
    const fov = camera.fov ?? 60;
    if (this.camera.fov !== fov) { this.camera.fov = fov; this.camera.updateProjectionMatrix(); }
    this.camera.updateMatrixWorld();
    if (own !== NO_SEAT) this.#muzzle(own, position.x, position.y - 0.12, position.z, camera.yaw * RADIAN,
      camera.pitch * RADIAN, 0.5 + MUZZLES[camera.hands?.weapon ?? 0], 0.14);
  }

  #moveHands(camera, own, seconds) {
    const wrap = (angle) => angle - 65536 * Math.round(angle / 65536);
    camera.hands.turn = wrap(this.#last.yaw - camera.yaw) * RADIAN;
    camera.hands.rise = (this.#last.pitch - camera.pitch) * RADIAN;
    this.hands.update(camera.hands, seconds, lightAt(this.world.light, camera.x * METRE, camera.y * METRE));
  }

  /**
   * Show an event of the rules: a shot's streak and dust, sparks of a hit. Each event once. `known`: `ownShot` drew it.
   */
  happen(event, known = false) {
    const x = event.x * METRE, y = event.z * METRE, z = event.y * METRE;
    if (event.kind === SHOT && event.seat >= 0 && known) this.effects.impact(x, y, z, false);
    else if (event.kind === SHOT && event.seat >= 0) this.#shot(event.seat, x, y, z, event.value);
    else if (event.kind === HIT || event.kind === MONSTER_BITES)
      this.effects.impact(x, y + (event.kind === HIT ? 0 : 0.8), z, true);
  }

  #shot(seat, x, y, z, weapon, dust = true) {
    const m = this.#muzzles, at = 3 * seat;
    if (Number.isNaN(m[at])) return;
    const mine = seat === this.#last.seat;
    if (mine) this.hands.shot();
    this.effects.shot(m[at], m[at + 1], m[at + 2], x, y, z, !mine);
    // A shotgun's event has the middle of its pellets.
    if (weapon === SHOTGUN) for (let i = 0; i < 4; i += 1) this.effects.shot(m[at], m[at + 1], m[at + 2],
      x + Math.sin(i * 1.6 + x) * 0.5, y + Math.cos(i * 1.6 + x) * 0.4, z + Math.cos(i * 2.1 + z) * 0.5, false);
    if (dust) this.effects.impact(x, y, z, false);
  }

  /** One's own shot, drawn before the server has told where it ended: it flies as far as the map lets it. */
  ownShot(weapon, map, doors) {
    const { position, rotation } = this.camera, level = Math.cos(rotation.x), units = REACH[weapon] * 256;
    const x = Math.round(position.x * 256), y = Math.round(position.z * 256), z = Math.round(position.y * 256);
    const limit = (value) => Math.max(0, Math.min(32767, Math.round(value)));
    const toX = limit(x - Math.sin(rotation.y) * level * units), toY = limit(y - Math.cos(rotation.y) * level * units),
      toZ = Math.round(z + Math.sin(rotation.x) * units);
    const far = ray(map, doors, x, y, z, toX, toY, toZ, units, true) / units;
    this.#shot(this.#last.seat, (x + (toX - x) * far) * METRE, (z + (toZ - z) * far) * METRE,
      (y + (toY - y) * far) * METRE, weapon, false);
  }

  /** The place of a point (units) on the canvas: writes x, y in CSS pixels and whether it is in front into `out`. */
  project(x, y, z, out) {
    const point = this.#point.set(x * METRE, z * METRE, y * METRE).project(this.camera);
    out.x = (point.x * 0.5 + 0.5) * this.size.width;
    out.y = (0.5 - point.y * 0.5) * this.size.height;
    out.front = point.z < 1;
    out.on = out.front && Math.abs(point.x) < 1 && Math.abs(point.y) < 1;
    return out;
  }

  render() {
    if (this.#resized) { this.#resized = false; this.resize(this.size.width, this.size.height); }
    const started = performance.now();
    this.renderer.info.reset();
    this.renderer.clear();
    this.renderer.render(this.scene, this.camera);
    if (this.showsHands) this.hands.draw(this.renderer, this.camera.aspect);
    this.meanDrawing += (performance.now() - started - this.meanDrawing) * 0.03;
  }

  /** Draw and wait until it is done: milliseconds. To find out how fast this machine is. */
  timedRender() {
    const started = performance.now(), gl = this.renderer.getContext();
    this.render();
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    return performance.now() - started;
  }

  /** Free what the graphics card holds. */
  dispose() {
    this.scene.traverse((/** @type {any} */ one) => {
      one.geometry?.dispose();
      one.material?.map?.dispose();
      one.material?.dispose();
    });
    this.renderer.dispose();
  }
}

/** @param {HTMLCanvasElement} canvas @param {Int8Array} map @returns {ArenaView} */
export const createArenaView = (canvas, map, options) => new ArenaView(canvas, map, options);
