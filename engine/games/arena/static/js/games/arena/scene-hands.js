/**
 * The own hands and weapon before the camera: sway, recoil, reloading, changing weapons, looking along the sights.
 * Drawn over the world with a camera of their own, so that no wall cuts them off. Not for: what others hold
 * (scene-people.js), when a shot leaves (hands.js).
 */
import * as THREE from "../../../vendor/three.module.js";
import { lambert } from "./scene-world.js";
import { FOREGRIPS, MUZZLES, Solid, supplyGeometry, weaponGeometry } from "./models.js";

const MEDKIT = 7;
/** Where the weapon is held and where the sights are before the eye, by weapon: x, y, z. */
const HELD = [0.19, -0.2, -0.46],
  SIGHTS = [[0, 0, 0], [0, -0.075, -0.4], [0, -0.1, -0.4], [0, -0.118, -0.44], [0, -0.08, -0.44], [0, -0.117, -0.36]];
const SCALE = 0.74;

/**
 * @typedef {object} Hands what the own hands do now
 * @property {number} weapon 0 … 5 @property {number} reload 0 … 1 done, 0 for not @property {number} treat 0 … 1
 * @property {number} rescue 0 … 1 @property {number} speed metres a second @property {boolean} low lying or downed
 * @property {number} zoom 0 … 1 @property {number} turn @property {number} rise radians turned since the last frame
 */
export class HandsScene {
  /** @param {{stillness: boolean}} options @param {string} sleeve colour of the own team */
  constructor(options, sleeve) {
    this.options = options;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(55, 1, 0.01, 5);
    const sun = new THREE.DirectionalLight("#ffe1b3", 2.1);
    sun.position.set(-1, 1.4, 1);
    this.scene.add(sun, new THREE.HemisphereLight("#dbe8ee", "#a58d66", 1.6));
    this.group = new THREE.Group();
    this.scene.add(this.group);
    /** @type {any[]} by weapon, from 1 on */
    this.meshes = [null, 1, 2, 3, 4, 5].map((kind) => kind && this.#mesh(weaponGeometry(kind)));
    for (const mesh of this.meshes) mesh?.scale.setScalar(SCALE);
    this.kit = this.#mesh(supplyGeometry(MEDKIT));
    this.kit.scale.setScalar(0.42);
    const arm = (width) => new Solid().box(width, width, 0.5, sleeve, { at: [0, 0, 0.3] })
      .box(width * 0.86, width * 0.9, 0.13, "#4b4238", { at: [0, 0, 0] }).build();
    this.right = this.#mesh(arm(0.085));
    this.left = this.#mesh(arm(0.08));
    this.flash = new THREE.Mesh(new THREE.OctahedronGeometry(0.07),
      new THREE.MeshBasicMaterial({ color: "#ffdf93", transparent: true, blending: THREE.AdditiveBlending,
      depthWrite: false }));
    this.group.add(this.flash);
    this.kick = 0;
    this.phase = 0;
    this.swayX = 0;
    this.swayY = 0;
    this.zoom = 0;
    this.raise = 0;
    this.held = 0;
    this.flashLeft = 0;
  }

  #mesh(geometry) {
    const mesh = new THREE.Mesh(geometry, lambert());
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }

  /** A shot leaves the own weapon. */
  shot() {
    this.kick = Math.min(1.6, this.kick + 1);
    this.flashLeft = 0.045;
  }

  /** @param {Hands} hands @param {number} seconds @param {number} light 0 … 1 where one stands */
  update(hands, seconds, light) {
    if (hands.weapon !== this.held) { this.held = hands.weapon; this.raise = 1; }
    const decay = (rate) => Math.exp(-seconds * rate), still = this.options.stillness;
    this.kick *= decay(11);
    this.raise *= decay(9);
    this.zoom += (hands.zoom - this.zoom) * (1 - decay(16));
    this.flashLeft -= seconds;
    this.phase += hands.speed * seconds * 1.9;
    this.swayX += (hands.turn * 0.55 - this.swayX) * (1 - decay(12));
    this.swayY += (hands.rise * 0.55 - this.swayY) * (1 - decay(12));
    const walk = still ? 0 : Math.min(1, hands.speed / 5) * (1 - 0.8 * this.zoom);
    const limit = (value) => Math.max(-0.06, Math.min(0.06, value));
    const treating = hands.treat > 0, busy = hands.rescue > 0;
    const sights = SIGHTS[hands.weapon], to = (i) => HELD[i] + (sights[i] - HELD[i]) * this.zoom;
    this.group.position.set(
      to(0) + Math.sin(this.phase) * 0.016 * walk + (still ? 0 : limit(this.swayX)),
      to(1) - Math.abs(Math.cos(this.phase)) * 0.016 * walk + (still ? 0 : limit(this.swayY)) - this.raise * 0.32
        - (busy ? 0.5 : 0) - (hands.low ? 0.02 : 0),
      to(2) + this.kick * 0.055,
    );
    const dip = hands.reload > 0 ? Math.sin(Math.PI * Math.min(1, hands.reload * 1.02)) : 0;
    this.group.rotation.set(this.kick * 0.075 - dip * 0.35 - this.raise * 0.6, dip * 0.25, dip * 0.55);
    for (let kind = 1; kind <= 5; kind += 1) this.meshes[kind].visible = kind === hands.weapon && !treating;
    this.kit.visible = treating;
    if (treating) {
      this.kit.position.set(-0.12, -0.02 + (still ? 0 : 0.012 * Math.sin(hands.treat * 60)), -0.05);
      this.kit.rotation.set(0.3, 0.5, 0);
    }
    this.#arms(hands, dip, treating);
    this.flash.visible = this.flashLeft > 0 && hands.weapon > 0;
    if (this.flash.visible) {
      this.flash.position.set(0, 0.045, -SCALE * MUZZLES[hands.weapon] - 0.05);
      this.flash.rotation.z = this.phase * 7 + this.flashLeft * 80;
    }
    /** @type {any} */ (this.scene.children[0]).intensity = 0.9 + 1.2 * light;
  }

  #arms(hands, dip, treating) {
    this.right.position.set(0.01, -0.06, 0.06);
    this.right.rotation.set(0.32, 0.22, 0);
    const reach = treating ? 0.1 : SCALE * FOREGRIPS[hands.weapon];
    this.left.position.set(-0.015 - (treating ? 0.14 : 0), -0.03 - dip * 0.14, -reach + dip * 0.1);
    this.left.rotation.set(0.3, -0.55, 0);
    if (hands.weapon === 0 && !treating) {
      this.right.position.set(0.06, -0.06, 0.1);
      this.left.position.set(-0.42, -0.06, 0.1);
      this.left.rotation.set(0.32, -0.22, 0);
    }
  }

  draw(renderer, aspect) {
    if (this.camera.aspect !== aspect) { this.camera.aspect = aspect; this.camera.updateProjectionMatrix(); }
    renderer.clearDepth();
    renderer.render(this.scene, this.camera);
  }
}
