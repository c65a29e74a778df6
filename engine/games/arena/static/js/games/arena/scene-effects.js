/**
 * What lasts a moment in Arena: tracers, muzzle flashes, puffs of dust. Pools of instanced meshes, filled in turn, so
 * that a fire-fight costs no more than a quiet frame. Not for: when they happen (view.js).
 */
import * as THREE from "../../../vendor/three.module.js";

const TRACERS = 48, FLASHES = 24, PUFFS = 64;
const TRACER_LIFE = 0.11, FLASH_LIFE = 0.055, PUFF_LIFE = 0.5;
const matrix = new THREE.Matrix4(), place = new THREE.Vector3(), turn = new THREE.Quaternion(),
  size = new THREE.Vector3(), way = new THREE.Vector3(), ahead = new THREE.Vector3(0, 0, -1);
const colour = new THREE.Color();
const HIDDEN = new THREE.Matrix4().makeScale(0, 0, 0);

/** A ring of things that live for a while. */
class Pool {
  constructor(scene, geometry, material, most, life) {
    this.mesh = new THREE.InstancedMesh(geometry, material, most);
    this.mesh.frustumCulled = false;
    this.mesh.userData.moves = true;
    this.mesh.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
    this.most = most;
    this.life = life;
    this.next = 0;
    this.alive = 0;
    this.age = new Float32Array(most).fill(life);
    this.data = new Float32Array(most * 8); // from x, y, z, to (or drift) x, y, z, size, turn
    for (let i = 0; i < most; i += 1) {
      this.mesh.setMatrixAt(i, HIDDEN);
      this.mesh.setColorAt(i, colour.set("#ffffff"));
    }
    scene.add(this.mesh);
  }

  add(x, y, z, toX, toY, toZ, scale, tint) {
    const i = this.next;
    this.next = (i + 1) % this.most;
    if (this.age[i] >= this.life) this.alive += 1;
    this.age[i] = 0;
    const at = i * 8, { data } = this;
    data[at] = x; data[at + 1] = y; data[at + 2] = z; data[at + 3] = toX; data[at + 4] = toY; data[at
      + 5] = toZ; data[at + 6] = scale; data[at + 7] = i * 2.4;
    this.mesh.setColorAt(i, tint);
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  /** @param {(data: Float32Array, at: number, part: number) => void} pose sets `matrix` for an age of `part` (0 … 1) */
  update(seconds, pose) {
    this.mesh.visible = this.alive > 0;
    if (!this.alive) return;
    for (let i = 0; i < this.most; i += 1) {
      if (this.age[i] >= this.life) continue;
      this.age[i] += seconds;
      if (this.age[i] >= this.life) { this.mesh.setMatrixAt(i, HIDDEN); this.alive -= 1; continue; }
      pose(this.data, i * 8, this.age[i] / this.life);
      this.mesh.setMatrixAt(i, matrix);
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** A streak that flies from the muzzle to where the shot ends. */
function tracerPose(data, at, part) {
  place.set(data[at], data[at + 1], data[at + 2]);
  way.set(data[at + 3], data[at + 4], data[at + 5]).sub(place);
  const far = way.length() || 1e-6;
  way.divideScalar(far);
  const head = Math.min(1, part * 1.6) * far, tail = Math.max(0, part * 1.6 - 0.6) * far;
  place.addScaledVector(way, (head + tail) / 2);
  const thin = 0.035 * (1 - part) * data[at + 6];
  matrix.compose(place, turn.setFromUnitVectors(ahead, way), size.set(thin, thin, Math.max(0.05, head - tail)));
}

function flashPose(data, at, part) {
  place.set(data[at], data[at + 1], data[at + 2]);
  turn.set(Math.sin(data[at + 7]), 0, Math.cos(data[at + 7]), 0).normalize();
  matrix.compose(place, turn, size.setScalar(data[at + 6] * (1 - 0.5 * part)));
}

function puffPose(data, at, part) {
  const out = 1 - (1 - part) * (1 - part);
  place.set(data[at] + data[at + 3] * out, data[at + 1] + data[at + 4] * out, data[at + 2] + data[at + 5] * out);
  matrix.compose(place, turn.identity(),
    size.setScalar(data[at + 6] * (0.4 + out) * (part > 0.6 ? (1 - part) / 0.4 : 1)));
}

const TRACER = new THREE.Color("#ffe9a8"), FLASH = new THREE.Color("#ffd27a"), DUST = new THREE.Color("#cdb48a"),
  SPARK = new THREE.Color("#d7432f");

export class EffectsScene {
  /** @param {THREE.Scene} scene */
  constructor(scene) {
    const glow = { transparent: true, blending: THREE.AdditiveBlending, depthWrite: false, fog: false };
    this.tracers = new Pool(scene, new THREE.BoxGeometry(1, 1, 1), new THREE.MeshBasicMaterial(glow),
      TRACERS, TRACER_LIFE);
    this.flashes = new Pool(scene, new THREE.OctahedronGeometry(1), new THREE.MeshBasicMaterial(glow),
      FLASHES, FLASH_LIFE);
    this.puffs = new Pool(scene, new THREE.IcosahedronGeometry(1),
      new THREE.MeshBasicMaterial({ transparent: true, opacity: 0.6, depthWrite: false }), PUFFS, PUFF_LIFE);
  }

  /** A shot from a muzzle to a point, in metres. */
  shot(x, y, z, toX, toY, toZ, flash) {
    this.tracers.add(x, y, z, toX, toY, toZ, 1, TRACER);
    if (flash) this.flashes.add(x, y, z, 0, 0, 0, 0.11, FLASH);
  }

  /** Dust where a shot ended; `hit`: it ended in somebody. */
  impact(x, y, z, hit) {
    for (let i = 0; i < 4; i += 1) {
      const angle = i * 1.7 + x, out = 0.14 + 0.05 * i;
      this.puffs.add(x, y, z, Math.sin(angle) * out, 0.12 + 0.08 * i, Math.cos(angle) * out, hit ? 0.035 : 0.06,
        hit ? SPARK : DUST);
    }
  }

  update(seconds) {
    this.tracers.update(seconds, tracerPose);
    this.flashes.update(seconds, flashPose);
    this.puffs.update(seconds, puffPose);
  }
}
