/**
 * Everybody and everything that moves in Arena, as instanced meshes: figures put together of parts, weapons in their
 * hands, monsters, supplies. Nothing is allocated while frames are drawn. Not for: the own hands (scene-hands.js),
 * poses as numbers (scene-pose.js), shapes (models.js).
 */
import * as THREE from "../../../vendor/three.module.js";
import { heightAt, lightAt } from "./scene-ground.js";
import { advance, bounce, DOWN, GRIP_Y, GRIP_Z, HIP, LEAN, leg, newMotion, PITCH, SHIFT } from "./scene-pose.js";
import { lambert } from "./scene-world.js";
import {
  EMBLEMS, emblemPlane, emblemTexture, FIGURE_PARTS, FOREGRIPS, MONSTER_PARTS, supplyGeometry, weaponGeometry,
} from "./models.js";
import { COLOURS } from "./teams.js";

const MOST_PLAYERS = 20, MOST_MONSTERS = 8, MOST_SUPPLIES = 64;
const THIGH = 0.42, SHIN = 0.44;
const root = new THREE.Matrix4(), body = new THREE.Matrix4(), chest = new THREE.Matrix4(), local = new THREE.Matrix4(),
  result = new THREE.Matrix4();
const from = new THREE.Vector3(), to = new THREE.Vector3(), middle = new THREE.Vector3(), along = new THREE.Vector3(),
  aside = new THREE.Vector3(), front = new THREE.Vector3();
const colour = new THREE.Color(), angles = [0, 0];
const RINGS = ["#ffffff", "#ffd166", "#ffd166", "#ffd166", "#ffd166", "#ffd166", "#f3ead2", "#7fe0a8", "#8ab9e8"].map(
  (one) => new THREE.Color(one));
const TEAMS = COLOURS.map((one) => new THREE.Color(one));

/** An instanced mesh that is filled anew in every frame. */
class Crowd {
  constructor(scene, geometry, material, most, tinted = true) {
    this.mesh = new THREE.InstancedMesh(geometry, material, most);
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    if (tinted) {
      this.mesh.setColorAt(0, colour.set("#ffffff"));
      this.mesh.instanceColor?.setUsage(THREE.DynamicDrawUsage);
    }
    this.mesh.frustumCulled = false;
    this.mesh.userData.moves = true;
    this.count = 0;
    scene.add(this.mesh);
  }

  add(matrix, tint) {
    matrix.toArray(this.mesh.instanceMatrix.array, this.count * 16);
    if (tint && this.mesh.instanceColor) tint.toArray(this.mesh.instanceColor.array, this.count * 3);
    this.count += 1;
  }

  done() {
    this.mesh.count = this.count;
    this.mesh.visible = this.count > 0;
    if (this.count) {
      this.mesh.instanceMatrix.needsUpdate = true;
      if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    }
    this.count = 0;
  }
}

/** A matrix that puts a limb (one metre down from its origin) between two points; its front looks to -z. */
function limb(a, b, out) {
  along.subVectors(a, b);
  const long = along.length() || 1e-6;
  along.divideScalar(long);
  aside.set(1, 0, 0).addScaledVector(along, -along.x).normalize();
  front.crossVectors(aside, along);
  out.set(
    aside.x, along.x * long, front.x, a.x,
    aside.y, along.y * long, front.y, a.y,
    aside.z, along.z * long, front.z, a.z,
    0, 0, 0, 1,
  );
  return out;
}

/**
 * @typedef {object} Figure one player as it is drawn
 * @property {number} seat @property {number} team
 * @property {number} x @property {number} y @property {number} z metres; y is the height of the feet
 * @property {number} yaw @property {number} pitch radians, clockwise from the north and upwards
 * @property {number} stance 0 … 4 @property {number} weapon 0 … 5 @property {boolean} fired @property {boolean} busy
 */
export class PeopleScene {
  /** @param {THREE.Scene} scene @param {import("./scene-world.js").WorldScene} world */
  constructor(scene, world, options) {
    this.world = world;
    this.options = options;
    this.seconds = 0;
    const part = (name, each = 1) => new Crowd(scene, FIGURE_PARTS[name](), lambert(), MOST_PLAYERS * each);
    this.parts = {
      torso: part("torso"), head: part("head"), helmet: part("helmet"), pack: part("pack"),
      arm: part("arm", 2), forearm: part("forearm", 2), thigh: part("thigh", 2), shin: part("shin", 2),
    };
    /** @type {any[]} by weapon, from 1 on */
    this.weapons = [null, 1, 2, 3, 4, 5].map(
      (kind) => kind && new Crowd(scene, weaponGeometry(kind), lambert(), MOST_PLAYERS));
    this.emblems = new Crowd(scene, emblemPlane(), this.#emblemMaterial(), MOST_PLAYERS);
    this.emblemTeams = new THREE.InstancedBufferAttribute(new Float32Array(MOST_PLAYERS), 1);
    this.emblems.mesh.geometry.setAttribute("team", this.emblemTeams);
    const blob = new THREE.CircleGeometry(1, 16).rotateX(-Math.PI / 2);
    this.blobs = new Crowd(scene, blob,
      new THREE.MeshBasicMaterial({ color: "#2a2412", transparent: true, opacity: 0.32, depthWrite: false }),
      MOST_PLAYERS + MOST_MONSTERS, false);
    this.monsterParts = {
      body: new Crowd(scene, MONSTER_PARTS.body(), lambert(), MOST_MONSTERS, false),
      head: new Crowd(scene, MONSTER_PARTS.head(), lambert(), MOST_MONSTERS, false),
      leg: new Crowd(scene, MONSTER_PARTS.leg(), lambert(), MOST_MONSTERS * 4, false),
    };
    /** @type {any[]} by kind, from 1 on */
    this.supplies = [null, 1, 2, 3, 4, 5, 6, 7, 8].map(
      (kind) =>
        kind && new Crowd(scene, supplyGeometry(kind), lambert({ emissive: "#ffffff", emissiveIntensity: 0.06 }),
      MOST_SUPPLIES, false));
    this.rings = new Crowd(scene, new THREE.RingGeometry(0.36, 0.44, 24).rotateX(-Math.PI / 2),
      new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.75, depthWrite: false }), MOST_SUPPLIES);
    this.motions = Array.from({ length: MOST_PLAYERS }, newMotion);
    this.gaits = Array.from({ length: MOST_MONSTERS }, newMotion);
    this.time = 0;
  }

  /** The emblem's material reads which team an instance belongs to. */
  #emblemMaterial() {
    const material = new THREE.MeshBasicMaterial({ map: emblemTexture(), transparent: true, depthWrite: false,
      polygonOffset: true, polygonOffsetFactor: -2 });
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = `attribute float team;\n${shader.vertexShader}`.replace(
        "#include <uv_vertex>",
        `#include <uv_vertex>
        vMapUv = (uv + vec2(mod(team, ${EMBLEMS}.0), ${EMBLEMS - 1}.0 - floor(team / ${EMBLEMS}.0))) / ${EMBLEMS}.0;`,
      );
    };
    return material;
  }

  /** Begin a frame. @param {number} seconds since the last one */
  begin(seconds) {
    this.seconds = seconds;
    this.time += seconds;
  }

  /** The colour of cloth in this light. */
  #cloth(team, x, z) {
    const light = 0.62 + 0.38 * lightAt(this.world.light, x, z);
    return colour.copy(TEAMS[team % TEAMS.length]).multiplyScalar(light);
  }

  /** Draw one player. @param {Figure} one */
  figure(one) {
    const motion = this.motions[one.seat], { parts } = this, { pose } = motion;
    advance(motion, one.stance, one.x, one.z, one.fired, this.seconds, this.options.stillness);
    root.makeRotationY(-one.yaw).setPosition(one.x, one.y, one.z);
    body.multiplyMatrices(root,
      local.makeRotationX(pose[PITCH]).setPosition(0, pose[HIP] + bounce(motion), pose[SHIFT]));
    chest.multiplyMatrices(body, local.makeRotationX(pose[LEAN]));
    const light = 0.62 + 0.38 * lightAt(this.world.light, one.x, one.z);
    const cloth = this.#cloth(one.team, one.x, one.z);
    parts.torso.add(chest, cloth);
    parts.pack.add(chest, cloth.setScalar(light));
    // The head looks where the player looks, whatever the chest does.
    const bent = pose[PITCH] + pose[LEAN], look = one.stance === DOWN ? -0.4 : one.pitch * 0.7 - bent;
    result.multiplyMatrices(chest, local.makeRotationX(Math.max(-1.2, Math.min(1.45, look))).setPosition(0, 0.57, 0));
    parts.head.add(result, cloth.setScalar(light));
    parts.helmet.add(result, this.#cloth(one.team, one.x, one.z));
    this.#legs(motion, light);
    this.#arms(one, motion, bent, light);
    this.emblemTeams.array[this.emblems.count] = one.team;
    local.makeScale(0.27, 0.27, 0.27).setPosition(0, 0.33, 0.312);
    this.emblems.add(result.multiplyMatrices(chest, local), colour.set("#ffffff"));
    const wide = 0.42 + 0.25 * Math.abs(Math.sin(pose[PITCH]));
    this.#blob(one.x, one.z, one.y, wide);
  }

  #blob(x, z, feet, wide) {
    const floor = heightAt(this.world.ground, x, z), over = Math.max(0, feet - floor);
    const shrink = Math.max(0.3, 1 - over * 0.5) * wide;
    local.makeScale(shrink, 1, shrink).setPosition(x, (over < 0.6 ? Math.max(floor, feet) : floor) + 0.04, z);
    this.blobs.add(local);
  }

  #legs(motion, light) {
    for (let side = -1; side <= 1; side += 2) {
      leg(motion, side, angles);
      from.set(0.115 * side, 0.02, 0);
      middle.set(0.115 * side, -THIGH * Math.cos(angles[0]), -THIGH * Math.sin(angles[0]));
      this.parts.thigh.add(result.multiplyMatrices(body, limb(from, middle, local)), colour.setScalar(light));
      const shin = angles[0] + angles[1];
      to.set(0.125 * side, middle.y - SHIN * Math.cos(shin), middle.z - SHIN * Math.sin(shin));
      this.parts.shin.add(result.multiplyMatrices(body, limb(middle, to, local)), colour);
    }
  }

  #arms(one, motion, bent, light) {
    const { pose } = motion, armed = one.weapon > 0 && one.stance !== DOWN;
    const swing = Math.sin(motion.phase) * motion.stride * 0.5;
    const work = one.busy ? 0.05 * Math.sin(this.time * 9) : 0;
    const gripY = pose[GRIP_Y] + (one.busy ? -0.08 : 0), gripZ = pose[GRIP_Z] + 0.05 * motion.kick;
    const aim = one.pitch - bent - (one.busy ? 0.45 : 0) + 0.12 * motion.kick;
    for (let side = -1; side <= 1; side += 2) {
      from.set(0.28 * side, 0.48, 0);
      if (!armed) {
        // The downed hold a hand up for help.
        if (one.stance === DOWN && side > 0)
          to.set(0.3, 0.6, -0.5 + 0.06 * Math.sin(this.time * 3)); else to.set(0.34 * side, -0.06,
          -0.08 - swing * side + work);
      } else if (side > 0) to.set(0.1, gripY, gripZ);
      else to.set(0.02, gripY + FOREGRIPS[one.weapon] * Math.sin(aim) + work,
        gripZ - FOREGRIPS[one.weapon] * Math.cos(aim));
      middle.addVectors(from, to).multiplyScalar(0.5);
      middle.x += 0.05 * side;
      middle.y -= armed || one.stance === DOWN ? 0.1 : 0.01;
      middle.z += armed ? 0.03 : 0.05;
      this.parts.arm.add(result.multiplyMatrices(chest, limb(from, middle, local)),
        this.#cloth(one.team, one.x, one.z).multiplyScalar(0.86));
      this.parts.forearm.add(result.multiplyMatrices(chest, limb(middle, to, local)), colour.setScalar(light));
    }
    if (!armed) return;
    local.makeRotationX(aim).setPosition(0.08, gripY + 0.02, gripZ);
    this.weapons[one.weapon].add(result.multiplyMatrices(chest, local), colour.setScalar(light));
  }

  /** Draw a monster. */
  monster(number, x, y, z, yaw) {
    const motion = this.gaits[number];
    advance(motion, 0, x, z, false, this.seconds, this.options.stillness);
    const run = Math.min(1, motion.speed / 2.5), step = motion.phase * 1.5;
    root.makeRotationY(-yaw).setPosition(x, y + 0.05 * run * Math.abs(Math.sin(step)), z);
    this.monsterParts.body.add(result.multiplyMatrices(root, local.makeRotationX(0.05 * run * Math.sin(step * 2))));
    this.monsterParts.head.add(result.multiplyMatrices(root,
      local.makeRotationX(-0.12 + 0.12 * run * Math.sin(step * 2)).setPosition(0, 0.78, -0.5)));
    for (let i = 0; i < 4; i += 1) {
      const swing = 0.75 * run * Math.sin(step + ((i & 1) ^ (i >> 1)) * Math.PI);
      local.makeRotationX(swing).setPosition(i & 1 ? 0.2 : -0.2, 0.5, i >> 1 ? 0.45 : -0.3);
      this.monsterParts.leg.add(result.multiplyMatrices(root, local));
    }
    this.#blob(x, z, y, 0.62);
  }

  /** Draw something that lies on the ground. */
  supply(number, kind, x, z) {
    if (!this.supplies[kind]) return;
    const floor = heightAt(this.world.ground, x, z), still = this.options.stillness;
    const lift = still ? 0.12 : 0.14 + 0.05 * Math.sin(this.time * 2 + number);
    this.supplies[kind].add(local.makeRotationY(still ? number : number + this.time * 0.6).setPosition(x,
      floor + lift, z));
    this.rings.add(local.identity().setPosition(x, floor + 0.05, z), RINGS[kind]);
  }

  /** Everything of this frame has been drawn. */
  end() {
    for (const crowd of Object.values(this.parts)) crowd.done();
    for (const crowd of this.weapons) crowd?.done();
    for (const crowd of this.supplies) crowd?.done();
    for (const crowd of Object.values(this.monsterParts)) crowd.done();
    this.emblemTeams.needsUpdate = true;
    this.emblems.done();
    this.blobs.done();
    this.rings.done();
  }
}
