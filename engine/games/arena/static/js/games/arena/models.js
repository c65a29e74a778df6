/**
 * Shapes of Arena's things, made in code: parts of figures, weapons, supplies, monsters, walls. Each function gives a
 * three.js geometry with colours at its corners and flat faces. Not for: where they stand (arena-scene-*.js).
 *
 * Lengths are metres; things look to -z, as a camera does.
 */
import { context2d } from "../../lib/dom.js";
import * as THREE from "../../../vendor/three.module.js";
import { traceShape } from "./teams.js";

/**
 * @typedef {[number, number, number]} Three
 * @typedef {{at?: Three, turn?: Three, size?: Three}} Where
 */

/** Boxes, balls and cones put together to one geometry. */
export class Solid {
  #positions = [];
  #normals = [];
  #colours = [];

  /**
   * Add a geometry.
   * @param {any} geometry
   * @param {string} colour
   * @param {Where} [where]
   */
  add(geometry, colour, { at = [0, 0, 0], turn = [0, 0, 0], size = [1, 1, 1] } = {}) {
    const flat = geometry.index ? geometry.toNonIndexed() : geometry;
    const matrix = new THREE.Matrix4().compose(new THREE.Vector3(...at),
      new THREE.Quaternion().setFromEuler(new THREE.Euler(...turn)), new THREE.Vector3(...size));
    flat.applyMatrix4(matrix);
    flat.computeVertexNormals();
    const shade = new THREE.Color(colour);
    this.#positions.push(...flat.attributes.position.array);
    this.#normals.push(...flat.attributes.normal.array);
    const own = flat.attributes.color; // a geometry with colours keeps them
    if (own) this.#colours.push(...own.array);
    else for (let i = 0; i < flat.attributes.position.count; i += 1) this.#colours.push(shade.r, shade.g, shade.b);
    return this;
  }

  /**
   * A box; `top` and `front` narrow it (1 leaves it as it is).
   * @param {number} width
   * @param {number} height
   * @param {number} depth
   * @param {string} colour
   * @param {Where & {top?: number, front?: number}} [where]
   */
  box(width, height, depth, colour, { top = 1, front = 1, ...where } = {}) {
    const geometry = new THREE.BoxGeometry(width, height, depth);
    const position = geometry.attributes.position;
    for (let i = 0; i < position.count; i += 1) {
      if (position.getY(i) > 0) { position.setX(i, position.getX(i) * top); position.setZ(i, position.getZ(i) * top); }
      if (position.getZ(i) < 0) {
        position.setX(i, position.getX(i) * front);
        position.setY(i, position.getY(i) * front);
      }
    }
    return this.add(geometry, colour, where);
  }

  ball(radius, colour, where, detail = 1) {
    return this.add(new THREE.IcosahedronGeometry(radius, detail), colour, where);
  }

  tube(radius, length, colour, where, sides = 8) {
    return this.add(new THREE.CylinderGeometry(radius, radius, length, sides), colour, where);
  }

  build() {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(this.#positions, 3));
    geometry.setAttribute("normal", new THREE.Float32BufferAttribute(this.#normals, 3));
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(this.#colours, 3));
    return geometry;
  }
}

// --- Figures ---------------------------------------------------------------------------------------------------
// White is what takes the team's colour.

const CLOTH = "#ffffff", DARK_CLOTH = "#c9c9c9", STRAP = "#6d5a48", SKIN = "#e2b48c", HAIR = "#4b382c",
  TROUSERS = "#6f6a58", BOOT = "#3d342c", GLOVE = "#4b4238";

/** Parts of a figure; a limb hangs one metre down from where it begins and is made as long as it must be. */
export const FIGURE_PARTS = {
  torso: () => new Solid().box(0.46, 0.5, 0.27, CLOTH, { at: [0, 0.3, 0], top: 1.12 })
    .box(0.47, 0.09, 0.28, STRAP, { at: [0, 0.055, 0] })
    .box(0.07, 0.46, 0.3, STRAP, { at: [-0.14, 0.32, 0], turn: [0, 0, 0.08] })
    .box(0.07, 0.46, 0.3, STRAP, { at: [0.14, 0.32, 0], turn: [0, 0, -0.08] })
    .box(0.15, 0.11, 0.05, DARK_CLOTH, { at: [-0.12, 0.2, -0.15] })
    .box(0.15, 0.11, 0.05, DARK_CLOTH, { at: [0.12, 0.2, -0.15] }).build(),
  head: () => new Solid().box(0.24, 0.25, 0.25, SKIN, { at: [0, 0.13, 0] })
    .box(0.05, 0.06, 0.05, "#d29f78", { at: [0, 0.11, -0.14] })
    .box(0.05, 0.045, 0.02, "#2b2420", { at: [-0.06, 0.16, -0.126] })
    .box(0.05, 0.045, 0.02, "#2b2420", { at: [0.06, 0.16, -0.126] })
    .box(0.25, 0.1, 0.14, HAIR, { at: [0, 0.1, 0.07] }).build(),
  helmet: () => new Solid().box(0.31, 0.17, 0.33, CLOTH, { at: [0, 0.3, 0.01], top: 0.72 })
    .box(0.32, 0.035, 0.4, DARK_CLOTH, { at: [0, 0.215, -0.03] }).build(),
  arm: () => new Solid().box(0.15, 1, 0.15, CLOTH, { at: [0, -0.5, 0] }).build(),
  forearm: () => new Solid().box(0.12, 0.7, 0.12, DARK_CLOTH, { at: [0, -0.35, 0] })
    .box(0.125, 0.32, 0.125, GLOVE, { at: [0, -0.86, 0] }).build(),
  thigh: () => new Solid().box(0.19, 1.04, 0.2, TROUSERS, { at: [0, -0.5, 0] }).build(),
  shin: () => new Solid().box(0.16, 0.72, 0.17, TROUSERS, { at: [0, -0.36, 0] })
    .box(0.17, 0.32, 0.19, BOOT, { at: [0, -0.84, 0] }).box(0.165, 0.14, 0.12, BOOT, { at: [0, -0.93, -0.13] }).build(),
  pack: () => new Solid().box(0.36, 0.38, 0.17, "#8a7a5e", { at: [0, 0.34, 0.22] })
    .box(0.38, 0.1, 0.2, "#75664d", { at: [0, 0.52, 0.22] }).build(),
};

/** A plane of one square metre in the plane of a back, for an emblem. */
export const emblemPlane = () => new THREE.PlaneGeometry(1, 1);
export const EMBLEMS = 5; // a side of the atlas

/** All teams' emblems on one texture, EMBLEMS × EMBLEMS, white on nothing. */
export function emblemTexture() {
  const size = 64, canvas = document.createElement("canvas");
  canvas.width = canvas.height = size * EMBLEMS;
  const context = context2d(canvas);
  context.fillStyle = "#fff";
  for (let team = 0; team < EMBLEMS * EMBLEMS; team += 1) {
    traceShape(context, team, (team % EMBLEMS + 0.5) * size, (Math.floor(team / EMBLEMS) + 0.5) * size, size * 0.4);
    context.fill("evenodd");
  }
  const texture = new THREE.CanvasTexture(canvas);
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

// --- Weapons: the grip is at the origin, the barrel points to -z -------------------------------------------------

const STEEL = "#41474c", DARK = "#2b2f33", LIGHT_STEEL = "#6c757b", WOOD = "#8a5a34", OLIVE = "#6b6b47",
  SAND = "#b39a6b", GLASS = "#86c5d8";

const WEAPONS = [
  null,
  () => new Solid().box(0.045, 0.07, 0.22, STEEL, { at: [0, 0.05, -0.09] })
    .box(0.04, 0.13, 0.055, DARK, { at: [0, -0.04, 0], turn: [0.2, 0, 0] })
    .box(0.02, 0.02, 0.02, DARK, { at: [0, 0.095, -0.18] }).box(0.02, 0.05, 0.06, DARK, { at: [0, -0.01, -0.06] }),
  () => new Solid().box(0.06, 0.1, 0.34, STEEL, { at: [0, 0.05, -0.14] })
    .tube(0.02, 0.16, DARK, { at: [0, 0.055, -0.38], turn: [Math.PI / 2, 0, 0] })
    .box(0.045, 0.13, 0.06, DARK, { at: [0, -0.05, 0.02], turn: [0.25, 0, 0] })
    .box(0.045, 0.22, 0.055, DARK, { at: [0, -0.1, -0.16], turn: [-0.1, 0, 0] })
    .box(0.03, 0.06, 0.2, LIGHT_STEEL, { at: [0, 0.03, 0.13] }).box(0.05, 0.1, 0.03, DARK, { at: [0, 0.02, 0.23] })
    .box(0.025, 0.04, 0.05, DARK, { at: [0, 0.12, -0.05] }),
  () => new Solid().box(0.06, 0.1, 0.38, OLIVE, { at: [0, 0.05, -0.12] })
    .box(0.055, 0.075, 0.26, STEEL, { at: [0, 0.05, -0.43] })
    .tube(0.016, 0.22, DARK, { at: [0, 0.06, -0.65], turn: [Math.PI / 2, 0, 0] })
    .box(0.045, 0.14, 0.06, DARK, { at: [0, -0.05, 0.02], turn: [0.3, 0, 0] })
    .box(0.045, 0.2, 0.08, DARK, { at: [0, -0.08, -0.18], turn: [-0.25, 0, 0] })
    .box(0.05, 0.12, 0.22, OLIVE, { at: [0, 0.02, 0.2], front: 0.7 })
    .box(0.03, 0.05, 0.16, DARK, { at: [0, 0.13, -0.1] }).box(0.02, 0.045, 0.02, DARK, { at: [0, 0.1, -0.6] }),
  () => new Solid().tube(0.028, 0.62, STEEL, { at: [0, 0.075, -0.45], turn: [Math.PI / 2, 0, 0] })
    .tube(0.024, 0.5, DARK, { at: [0, 0.025, -0.4], turn: [Math.PI / 2, 0, 0] })
    .box(0.07, 0.07, 0.2, WOOD, { at: [0, 0.025, -0.42] }).box(0.06, 0.1, 0.24, STEEL, { at: [0, 0.05, -0.07] })
    .box(0.05, 0.12, 0.32, WOOD, { at: [0, -0.015, 0.18], turn: [0.22, 0, 0], front: 0.65 }),
  () => new Solid().box(0.055, 0.09, 0.36, SAND, { at: [0, 0.04, -0.1] })
    .tube(0.017, 0.72, DARK, { at: [0, 0.06, -0.62], turn: [Math.PI / 2, 0, 0] })
    .tube(0.026, 0.09, DARK, { at: [0, 0.06, -0.98], turn: [Math.PI / 2, 0, 0] })
    .box(0.05, 0.06, 0.3, SAND, { at: [0, 0.03, -0.4] })
    .tube(0.034, 0.26, DARK, { at: [0, 0.155, -0.1], turn: [Math.PI / 2, 0, 0] })
    .tube(0.036, 0.012, GLASS, { at: [0, 0.155, 0.035], turn: [Math.PI / 2, 0, 0] })
    .box(0.02, 0.06, 0.03, DARK, { at: [0, 0.11, -0.03] }).box(0.02, 0.06, 0.03, DARK, { at: [0, 0.11, -0.17] })
    .box(0.045, 0.14, 0.06, DARK, { at: [0, -0.05, 0.03], turn: [0.3, 0, 0] })
    .box(0.05, 0.14, 0.28, SAND, { at: [0, 0, 0.24], front: 0.7 }).box(0.04, 0.1, 0.06, DARK, { at: [0, -0.04, -0.2] }),
];
/** Metres from the grip to the muzzle. */
export const MUZZLES = [0, 0.2, 0.46, 0.76, 0.76, 1.02];
/** Where the other hand holds, metres before the grip. */
export const FOREGRIPS = [0, 0.02, 0.16, 0.42, 0.42, 0.4];
/** @param {number} weapon from 1 on */
export const weaponGeometry = (weapon) => /** @type {() => Solid} */ (WEAPONS[weapon])().build();

// --- Supplies: 1 to 5 weapons, 6 ammunition, 7 medical kit, 8 vest ------------------------------------------------

export function supplyGeometry(kind) {
  const solid = new Solid();
  if (kind <= 5)
    return solid.add(weaponGeometry(kind), "#ffffff", { at: [0, 0.1, 0.25], turn: [0, 0, 1.45],
    size: [1.25, 1.25, 1.25] }).build();
  if (kind === 6) {
    solid.box(0.42, 0.24, 0.28, "#66704a", { at: [0, 0.12, 0] }).box(0.44, 0.05, 0.3, "#525a3a", { at: [0, 0.25, 0] })
      .box(0.2, 0.1, 0.01, "#d8c23a", { at: [0, 0.13, 0.145] })
      .box(0.2, 0.1, 0.01, "#d8c23a", { at: [0, 0.13, -0.145] });
    for (let i = -1; i <= 1; i += 1) solid.tube(0.028, 0.16, "#d6a741", { at: [i * 0.09, 0.34, 0] }).ball(0.028,
      "#b5673a", { at: [i * 0.09, 0.43, 0] }, 0);
    return solid.build();
  }
  if (kind === 7) {
    return solid.box(0.44, 0.28, 0.24, "#f3efe6", { at: [0, 0.16, 0] })
      .box(0.14, 0.05, 0.05, "#8d8d88", { at: [0, 0.33, 0] })
      .box(0.2, 0.07, 0.26, "#1a8f5a", { at: [0, 0.17, 0] }).box(0.07, 0.2, 0.26, "#1a8f5a", { at: [0, 0.17, 0] })
      .build();
  }
  return solid.box(0.44, 0.46, 0.18, "#3f5d7d", { at: [0, 0.28, 0], top: 0.86 })
    .box(0.1, 0.14, 0.19, "#314a64", { at: [-0.15, 0.55, 0] }).box(0.1, 0.14, 0.19, "#314a64", { at: [0.15, 0.55, 0] })
    .box(0.3, 0.08, 0.2, "#7f9bb8", { at: [0, 0.34, 0] }).box(0.3, 0.08, 0.2, "#7f9bb8", { at: [0, 0.2, 0] }).build();
}

// --- Monsters ----------------------------------------------------------------------------------------------------

export const MONSTER_PARTS = {
  body: () => new Solid().box(0.62, 0.58, 1.05, "#5b4a55", { at: [0, 0.72, 0.1], top: 0.75 })
    .box(0.66, 0.5, 0.5, "#4d3e49", { at: [0, 0.8, -0.25], top: 0.8 })
    .box(0.1, 0.16, 0.9, "#372c35", { at: [0, 1.06, 0.05], top: 0.3 })
    .box(0.12, 0.12, 0.36, "#4d3e49", { at: [0, 0.82, 0.75], turn: [-0.5, 0, 0], top: 0.6 }).build(),
  head: () => new Solid().box(0.46, 0.42, 0.46, "#5b4a55", { at: [0, 0, -0.2], front: 0.75 })
    .box(0.26, 0.22, 0.2, "#8a7077", { at: [0, -0.07, -0.48] })
    .box(0.05, 0.05, 0.22, "#efe6d2", { at: [-0.16, -0.12, -0.5], turn: [0.6, 0, 0], front: 0.3 })
    .box(0.05, 0.05, 0.22, "#efe6d2", { at: [0.16, -0.12, -0.5], turn: [0.6, 0, 0], front: 0.3 })
    .box(0.07, 0.05, 0.04, "#ffb43a", { at: [-0.13, 0.08, -0.41] })
    .box(0.07, 0.05, 0.04, "#ffb43a", { at: [0.13, 0.08, -0.41] })
    .box(0.1, 0.18, 0.06, "#4d3e49", { at: [-0.2, 0.26, -0.08], top: 0.3 })
    .box(0.1, 0.18, 0.06, "#4d3e49", { at: [0.2, 0.26, -0.08], top: 0.3 }).build(),
  leg: () => new Solid().box(0.17, 0.42, 0.18, "#463842", { at: [0, -0.2, 0] })
    .box(0.15, 0.12, 0.2, "#2c242a", { at: [0, -0.44, -0.02] }).build(),
};

// --- What stands on the map: one metre wide, its foot at y = 0 -----------------------------------------------------

/** Kinds of houses: plaster, brick, planks, stone. `band`: courses that run round the wall. */
export const HOUSES = [
  { wall: "#eadfc8", foot: "#b6a68c", roof: "#b9714a", frame: "#8a6240" },
  { wall: "#b8705a", foot: "#8e857a", roof: "#59616a", frame: "#e4dccd",
    band: { at: [1.2, 2.2], thick: 0.1, colour: "#d8c3ae" } },
  { wall: "#94704c", foot: "#7f776a", roof: "#5d4029", frame: "#4e3822",
    band: { at: [0.75, 1.3, 1.85, 2.4], thick: 0.05, colour: "#73542f" } },
  { wall: "#c3c3ba", foot: "#8e8f88", roof: "#6f8291", frame: "#5b6a72",
    band: { at: [0.9], thick: 0.22, colour: "#aaaba2" } },
];

export const PROPS = {
  wall: (style = 0) => {
    const { wall, foot, roof, band } = HOUSES[style], solid = new Solid().box(1, 2.5, 1, wall, { at: [0, 1.45, 0] })
      .box(1.02, 0.45, 1.02, foot, { at: [0, 0, 0] }).box(1.12, 0.3, 1.12, roof, { at: [0, 2.85, 0] });
    if (band)
      for (const high of band.at) solid.box(1.03, band.thick, 1.03, band.colour, { at: [0, high, 0] });
    return solid.build();
  },
  sill: (style = 0) => {
    const { wall, foot, frame } = HOUSES[style];
    return new Solid().box(1, 0.8, 1, wall, { at: [0, 0.5, 0] }).box(1.02, 0.45, 1.02, foot, { at: [0, 0, 0] })
      .box(1, 0.09, 1.14, frame, { at: [0, 0.955, 0] }).box(1.02, 0.16, 0.5, frame, { at: [0, 2.9, 0] }).build();
  },
  cover: () => new Solid().box(1.02, 0.42, 0.98, "#a59880", { at: [0, 0.05, 0], top: 0.96 })
    .box(0.98, 0.42, 0.9, "#b5a88f", { at: [0, 0.46, 0], top: 0.97 })
    .box(1.03, 0.24, 0.96, "#c2b69d", { at: [0, 0.78, 0], top: 0.92 })
    .box(0.5, 0.1, 0.97, "#cabfa7", { at: [0.16, 0.94, 0], top: 0.9 }).build(),
  frame: () => new Solid().box(0.12, 3, 0.5, "#7a5535", { at: [-0.44, 1.5, 0] })
    .box(0.12, 3, 0.5, "#7a5535", { at: [0.44, 1.5, 0] }).box(1, 0.2, 0.56, "#7a5535", { at: [0, 2.9, 0] }).build(),
  // Its hinge is at the origin, so that it can be turned open.
  leaf: () => new Solid().box(0.78, 2.8, 0.1, "#9a6a3e", { at: [0.39, 1.4, 0] })
    .box(0.7, 0.12, 0.13, "#6e4a2a", { at: [0.39, 0.5, 0] }).box(0.7, 0.12, 0.13, "#6e4a2a", { at: [0.39, 1.4, 0] })
    .box(0.7, 0.12, 0.13, "#6e4a2a", { at: [0.39, 2.3, 0] }).box(0.05, 0.16, 0.2, "#d9b25a", { at: [0.7, 1.1, 0] })
    .build(),
  bush: () => new Solid().ball(0.62, "#7fa056", { at: [0, 0.62, 0], size: [1, 0.95, 1] })
    .ball(0.42, "#93b163", { at: [0.3, 0.9, 0.15] }).ball(0.4, "#6f9150", { at: [-0.32, 0.82, -0.1] })
    .ball(0.36, "#88a85b", { at: [0.02, 1.02, -0.26] }).ball(0.3, "#6a8b4d", { at: [-0.1, 0.45, 0.4] }, 0).build(),
  // The same from afar.
  farBush: () => new Solid().ball(0.66, "#7fa056", { at: [0, 0.62, 0], size: [1, 0.98, 1] }, 0)
    .ball(0.46, "#93b163", { at: [0.3, 0.9, 0.1] }, 0).ball(0.44, "#6f9150", { at: [-0.3, 0.84, -0.1] }, 0).build(),
  tuft: () => new Solid().box(0.05, 0.3, 0.03, "#9db15c", { at: [0, 0.12, 0], turn: [0, 0.3, 0.2], top: 0.1 })
    .box(0.05, 0.36, 0.03, "#b3bd68", { at: [0.05, 0.15, 0.03], turn: [0.2, 1, -0.15], top: 0.1 })
    .box(0.05, 0.26, 0.03, "#8ea554", { at: [-0.05, 0.1, 0.02], turn: [-0.25, 2, 0.1], top: 0.1 }).build(),
};
