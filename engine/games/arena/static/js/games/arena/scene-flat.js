/**
 * Arena from above on a 2D canvas, for browsers without WebGL: the same calls as view.js, so that a match stays
 * playable and can be watched. Not for: the small map (hud-map.js draws both).
 */
import { ArenaMap, mapPicture } from "./hud-map.js";
import { readGround, shadows } from "./scene-ground.js";

const ACROSS = 44; // metres that are shown around somebody
const WHOLE = 132;
const STREAK = 120; // ms

export class FlatView {
  /** @type {any[]} */
  #shots = [];
  /** @type {any} */
  #scene = { snapshot: null, own: null, eye: { x: 0, y: 0, yaw: 0 }, memory: null, state: null, players: [], now: 0 };

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {Int8Array} map
   * @param {{state: () => object, memory: object}} page what maps show
   */
  constructor(canvas, map, page) {
    this.ground = readGround(map);
    this.light = shadows(this.ground);
    this.picture = mapPicture(map, this.ground, this.light);
    this.map = new ArenaMap(canvas, this.picture);
    this.page = page;
    this.cost = this.meanCost = 0;
    this.own = false;
    this.size = { width: 0, height: 0 };
  }

  resize(width, height) { this.map.resize(width, height); this.size = { width, height }; }

  happen(event) { if (event.kind === 1 && event.seat >= 0) this.#shots.push({ ...event, at: performance.now() }); }

  update(frame, camera, now) {
    const scene = this.#scene;
    scene.snapshot = frame.snapshot;
    scene.own = frame.snapshot.own;
    scene.players = frame.players;
    scene.memory = this.page.memory;
    scene.state = this.page.state();
    scene.now = now;
    scene.eye.x = camera.x;
    scene.eye.y = camera.y;
    scene.eye.yaw = camera.yaw;
    this.own = camera.seat >= 0;
    this.#shots = this.#shots.filter((shot) => now - shot.at < STREAK);
  }

  render() {
    this.map.draw(this.#scene, { metres: this.own ? ACROSS : WHOLE, follow: this.own, rotate: this.own, names: true });
    const { context } = this.map, { eye, players } = this.#scene;
    context.strokeStyle = "#fff3c4";
    context.lineWidth = 2 / this.map.scale;
    for (const shot of this.#shots) {
      const from = players.find((player) => player.seat === shot.seat && player.shown !== false) ?? eye;
      context.beginPath();
      context.moveTo(from.x / 256, from.y / 256);
      context.lineTo(shot.x / 256, shot.y / 256);
      context.stroke();
    }
  }

  /** Names stand where the maps have their signs. */
  project(x, y, z, out) {
    const { map } = this, dx = (x / 256 - map.centreX) * map.scale, dy = (y / 256 - map.centreZ) * map.scale;
    out.x = this.size.width / 2 + dx * Math.cos(map.turn) - dy * Math.sin(map.turn);
    out.y = this.size.height / 2 + dx * Math.sin(map.turn) + dy * Math.cos(map.turn) - 12;
    out.front = true;
    out.on = out.x > 0 && out.y > 0 && out.x < this.size.width && out.y < this.size.height;
    return out;
  }

  dispose() {}
}
