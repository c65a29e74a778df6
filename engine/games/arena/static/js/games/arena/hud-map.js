/**
 * Maps of a live Arena match on 2D canvases: the small one in the corner, the large one on which a point is chosen, and
 * the whole picture from above where there is no WebGL. Not for: what is known of others (hud-state.js).
 */
import { context2d } from "../../lib/dom.js";
import {
  BUSH, COVER, DOOR, groundColour, hash, lightAt, readGround, ROCK, shadows, SIDE, WALL, WATER,
} from "./scene-ground.js";
import { LAST_SEEN, HEARD, teamOf } from "./hud-state.js";
import { LIFE, X, Y } from "./rules.js";
import { teamColour, traceShape } from "./teams.js";
import { seatColour } from "../../plan-state.js";

const PER_CELL = 6; // pixels of the prepared picture
const METRE = 1 / 256;
const RADIAN = (2 * Math.PI) / 65536;
const TOPS = { [WALL]: "#efe2c8", [ROCK]: "#8b8274", [COVER]: "#b9ab90", [WATER]: "#6aa9ae" };

/**
 * How wide the large map is, in CSS pixels: beside it, on an upright phone under it, is room for the squad's plan.
 * @param {number} width @param {number} height @param {boolean} touch
 */
export const mapSide = (width, height, touch) => (touch && height > width
  ? Math.min(width - 16, Math.max(120, 0.6 * height - 100))
  : Math.max(120, Math.min(width - 320, height - 96)));

/** The ground from above, once for a match. @param {Int8Array} bytes */
export function mapPicture(bytes, ground = readGround(bytes), light = shadows(ground)) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIDE * PER_CELL;
  const context = context2d(canvas);
  for (let z = 0; z < SIDE; z += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const kind = ground.kinds[z * SIDE + x], shade = 0.62 + 0.38 * lightAt(light, x + 0.5, z + 0.5);
      const high = 0.92 + 0.02 * ground.level[z * SIDE + x];
      context.fillStyle = TOPS[kind]
        ?? `rgb(${groundColour(ground, x, z).map((part) => Math.round(Math.min(255, part * shade * high))).join()})`;
      context.fillRect(x * PER_CELL, z * PER_CELL, PER_CELL, PER_CELL);
    }
  }
  for (let z = 0; z < SIDE; z += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const kind = ground.kinds[z * SIDE + x];
      if (kind === BUSH) {
        context.fillStyle = "#5f8a45";
        context.beginPath();
        context.arc((x + 0.5) * PER_CELL, (z + 0.5) * PER_CELL, PER_CELL * (0.5 + 0.15 * hash(x, z)), 0, 7);
        context.fill();
      }
      if (kind >= DOOR) {
        context.fillStyle = "#8a5a30";
        context.fillRect(x * PER_CELL, z * PER_CELL, PER_CELL, PER_CELL);
      }
    }
  }
  return canvas;
}

/**
 * @typedef {object} MapScene what a map shows
 * @property {import("./protocol.js").Snapshot} snapshot @property {Int16Array} own
 * @property {{x: number, y: number, yaw: number}} eye in units @property {object} memory @property {object} state
 *   @property {number} now
 * @property {import("./protocol.js").Player[]} players with `shown`
 * @property {import("../../plan-state.js").Target[]} targets where the steps of the squad's plan are done, in metres
 */
export class ArenaMap {
  /** @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement} picture of mapPicture */
  constructor(canvas, picture) {
    this.canvas = canvas;
    this.picture = picture;
    this.context = context2d(canvas);
    this.scale = 1;
    this.centreX = 64;
    this.centreZ = 64;
    this.turn = 0;
    this.ratio = 1;
  }

  resize(width, height) {
    const ratio = Math.min(2, globalThis.devicePixelRatio || 1);
    this.width = width;
    this.height = height;
    if (this.canvas.width !== Math.round(width * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.ratio = ratio;
  }

  /**
   * @param {MapScene} scene
   * @param {{metres: number, follow: boolean, rotate: boolean, names?: boolean}} how `metres` across
   */
  draw(scene, { metres, follow, rotate, names = false }) {
    const { context } = this, { snapshot, eye } = scene;
    this.scale = Math.min(this.width, this.height) / metres;
    this.centreX = follow ? eye.x * METRE : SIDE / 2;
    this.centreZ = follow ? eye.y * METRE : SIDE / 2;
    this.turn = rotate ? -eye.yaw * RADIAN : 0;
    context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    context.fillStyle = "#6b665a";
    context.fillRect(0, 0, this.width, this.height);
    context.translate(this.width / 2, this.height / 2);
    context.rotate(this.turn);
    context.scale(this.scale, this.scale);
    context.translate(-this.centreX, -this.centreZ);
    context.imageSmoothingEnabled = true;
    context.drawImage(this.picture, 0, 0, SIDE, SIDE);
    this.#zone(snapshot.zone);
    this.#things(scene);
    this.#players(scene, names);
    for (const target of scene.targets ?? []) this.#target(target);
  }

  /** Where a step of the plan is done, with its number. */
  #target({ seat, number, place: [x, z], doing }) {
    const { context } = this, r = 8 / this.scale, colour = seatColour(seat);
    context.save();
    context.translate(x, z);
    context.rotate(-this.turn);
    context.beginPath();
    context.arc(0, 0, r, 0, 7);
    context.fillStyle = doing ? colour : "rgb(255 255 255 / 0.75)";
    context.fill();
    context.lineWidth = r / 4;
    context.strokeStyle = doing ? "#fff" : colour;
    context.stroke();
    context.fillStyle = doing ? "#fff" : "#1c2326";
    context.font = `700 ${1.05 * r}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(`${seat + 1}.${number}`, 0, r * 0.05);
    context.restore();
  }

  #zone(zone) {
    const { context } = this, thin = 1 / this.scale;
    const circle = (x, z, r) => {
      context.beginPath();
      context.arc(x * METRE, z * METRE, Math.max(0, r * METRE), 0, 2 * Math.PI);
    };
    // Outside of blue it hurts: shaded.
    context.fillStyle = "rgb(24 74 160 / 0.30)";
    context.beginPath();
    context.rect(-SIDE, -SIDE, 3 * SIDE, 3 * SIDE);
    context.arc(zone.blueX * METRE, zone.blueY * METRE, Math.max(0, zone.blueR * METRE), 0, 2 * Math.PI, true);
    context.fill("evenodd");
    context.lineWidth = 2.5 * thin;
    context.strokeStyle = "#1d62c9";
    circle(zone.blueX, zone.blueY, zone.blueR);
    context.stroke();
    if (zone.whiteR > 40) {
      context.strokeStyle = "#ffffff";
      context.setLineDash([6 * thin, 4 * thin]);
      circle(zone.whiteX, zone.whiteY, zone.whiteR);
      context.stroke();
      context.setLineDash([]);
    }
  }

  #things({ snapshot, memory, now }) {
    const { context } = this, thin = 1 / this.scale;
    for (let i = 0; i < snapshot.supplyCount; i += 1) {
      const one = snapshot.supplies[i];
      context.fillStyle = one.kind === 7 ? "#1a8f5a"
        : one.kind === 8 ? "#3f6d9d" : one.kind === 6 ? "#f6ead0" : "#ffd166";
      context.fillRect(one.x * METRE - 2.5 * thin, one.y * METRE - 2.5 * thin, 5 * thin, 5 * thin);
    }
    for (const shot of memory.shots) {
      const part = Math.max(0, now - shot.at) / HEARD; // a frame may have begun before a shot that it draws
      context.strokeStyle = `rgb(190 45 20 / ${Math.max(0, 1 - part)})`;
      context.lineWidth = 2 * thin;
      context.beginPath();
      context.arc(shot.x * METRE, shot.y * METRE, (4 + 10 * part) * thin, 0, 7);
      context.stroke();
    }
    for (const mark of memory.marks) this.#cross(mark.x * METRE, mark.y * METRE, 7 * thin);
  }

  #cross(x, z, r) {
    const { context } = this;
    context.lineWidth = r / 2.6;
    for (const [colour, wide] of /** @type {[string, number][]} */ ([["#1b1b18", r / 2], ["#ffe14d", r / 4]])) {
      context.strokeStyle = colour;
      context.lineWidth = wide;
      context.beginPath();
      context.moveTo(x - r, z - r);
      context.lineTo(x + r, z + r);
      context.moveTo(x + r, z - r);
      context.lineTo(x - r, z + r);
      context.stroke();
    }
  }

  #players({ snapshot, own, eye, state, memory, players, now }, names) {
    const { context } = this, thin = 1 / this.scale;
    for (let seat = 0; seat < memory.seen.length; seat += 1) {
      const last = memory.seen[seat], age = now - last.at;
      if (age > LAST_SEEN || age < 250 || memory.out[seat]) continue;
      context.globalAlpha = 0.75 * (1 - age / LAST_SEEN);
      this.#mark(state, seat, last.x, last.y, 5.5 * thin, null);
    }
    context.globalAlpha = 1;
    for (const one of players) if (one.shown !== false && one.life > 0 && one.seat !== snapshot.seat)
      this.#mark(state, one.seat, one.x, one.y, (one.mate ? 6 : 5.5) * thin, one.mate || names ? one.yaw : null,
      one.life === 1);
    for (let i = 0; i < snapshot.monsterCount; i += 1) {
      const one = snapshot.monsters[i];
      context.fillStyle = "#4d2f40";
      context.beginPath();
      context.arc(one.x * METRE, one.y * METRE, 3.5 * thin, 0, 7);
      context.fill();
    }
    if (snapshot.seat === 255 || !own || own[LIFE] === 0) return;
    // Oneself: an arrow in the own team's colour.
    context.save();
    context.translate(eye.x * METRE, eye.y * METRE);
    context.rotate(eye.yaw * RADIAN);
    context.scale(thin, thin);
    context.fillStyle = "rgb(255 255 255 / 0.25)";
    context.beginPath();
    context.moveTo(0, 0); context.arc(0, 0, 38, -Math.PI / 2 - 0.6, -Math.PI / 2 + 0.6);
    context.fill();
    context.fillStyle = teamColour(teamOf(state, snapshot.seat));
    context.strokeStyle = "#fff";
    context.lineWidth = 2;
    context.beginPath();
    context.moveTo(0, -10); context.lineTo(7, 7); context.lineTo(0, 3.5); context.lineTo(-7, 7); context.closePath();
    context.fill();
    context.stroke();
    context.restore();
  }

  #mark(state, seat, x, y, r, yaw, downed = false) {
    const { context } = this, px = x * METRE, pz = y * METRE, team = teamOf(state, seat);
    if (yaw !== null) {
      context.strokeStyle = "#fff";
      context.lineWidth = r / 2.2;
      context.beginPath();
      context.moveTo(px, pz);
      context.lineTo(px + Math.sin(yaw * RADIAN) * r * 2.1, pz - Math.cos(yaw * RADIAN) * r * 2.1);
      context.stroke();
    }
    context.save();
    context.translate(px, pz);
    context.rotate(-this.turn);
    traceShape(context, team, 0, 0, r * 1.15);
    context.lineWidth = r / 2.2;
    context.strokeStyle = "#fff";
    context.stroke();
    context.fillStyle = downed ? "#3b3f42" : teamColour(team);
    context.fill("evenodd");
    context.restore();
  }

  /** The point of the map (units) under a place of the canvas (CSS pixels), or null outside of it. */
  pointAt(px, py) {
    const dx = (px - this.width / 2) / this.scale, dy = (py - this.height / 2) / this.scale;
    const x = this.centreX + dx * Math.cos(-this.turn) - dy * Math.sin(-this.turn),
      z = this.centreZ + dx * Math.sin(-this.turn) + dy * Math.cos(-this.turn);
    return x < 0 || z < 0 || x >= SIDE || z >= SIDE ? null : { x: Math.round(x * 256), y: Math.round(z * 256) };
  }
}

/** Where a record's own player stands and looks, for maps of spectators. */
export const eyeOf = (own, yaw) => ({ x: own[X], y: own[Y], yaw });
