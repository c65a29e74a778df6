/**
 * The ground of Arena in squares: what lies outside of the view isn't drawn, and what is far away is drawn with fewer
 * faces. A picture then costs a tenth of the faces of the whole map, which counts where there is no graphics card. Not
 * for: what stands where (scene-world.js), what moves (scene-people.js).
 */
import * as THREE from "../../../vendor/three.module.js";
import { SIDE } from "./scene-ground.js";

export const TILE = 16; // metres
const ROW = SIDE / TILE;
/** Closer than this (metres) a tile is drawn with all its faces. */
const NEAR = 10;

/** The number of the tile of a point. */
export const tileOf = (x, z) =>
  Math.min(ROW - 1, Math.max(0, Math.floor(z / TILE))) * ROW + Math.min(ROW - 1, Math.max(0, Math.floor(x / TILE)));
export const TILES = ROW * ROW;

/** Metres from a point to a tile, 0 inside of it. */
export function distanceTo(tile, x, z) {
  const left = (tile % ROW) * TILE, top = Math.floor(tile / ROW) * TILE;
  return Math.hypot(Math.max(0, left - x, x - left - TILE), Math.max(0, top - z, z - top - TILE));
}

export class Tiles {
  #near = [];
  #far = [];

  /** @param {THREE.Scene} scene */
  constructor(scene) {
    this.scene = scene;
    for (let tile = 0; tile < TILES; tile += 1) {
      this.#near.push(new THREE.Group());
      this.#far.push(new THREE.Group());
    }
    scene.add(...this.#near, ...this.#far);
  }

  /**
   * A mesh for each tile from triangles that `add` puts into its lists.
   * @param {(tile: number) => THREE.BufferGeometry|null} build
   */
  surface(material, build) {
    for (let tile = 0; tile < TILES; tile += 1) {
      const geometry = build(tile);
      if (geometry) this.scene.add(new THREE.Mesh(geometry, material));
    }
  }

  /**
   * Instances of a shape. @param {{x: number, z: number, matrix: THREE.Matrix4, colour: THREE.Color}[]} places
   * @param {THREE.BufferGeometry|null} plain the shape from afar; null for none
   */
  stand(geometry, plain, material, places) {
    const by = new Map();
    for (const one of places) {
      const tile = tileOf(one.x, one.z);
      if (!by.has(tile)) by.set(tile, []);
      by.get(tile).push(one);
    }
    for (const [tile, own] of by) {
      const mesh = new THREE.InstancedMesh(geometry, material, own.length);
      own.forEach(({ matrix, colour }, i) => { mesh.setMatrixAt(i, matrix); mesh.setColorAt(i, colour); });
      mesh.computeBoundingSphere();
      this.#near[tile].add(mesh);
      if (!plain) continue;
      const far = new THREE.InstancedMesh(plain, material, own.length);
      far.instanceMatrix = mesh.instanceMatrix;
      far.instanceColor = mesh.instanceColor;
      far.boundingSphere = mesh.boundingSphere;
      this.#far[tile].add(far);
    }
  }

  /** Choose what is drawn in full around a point. */
  look(x, z) {
    for (let tile = 0; tile < TILES; tile += 1) {
      const close = distanceTo(tile, x, z) < NEAR;
      this.#near[tile].visible = close;
      this.#far[tile].visible = !close;
    }
  }
}
