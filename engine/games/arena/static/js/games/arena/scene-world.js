/**
 * What doesn't move in Arena, as three.js meshes: ground, rocks, walls, bushes, water, sky, and what moves slowly:
 * doors and the circles of the zone. Everything that stands on cells is instanced, tile by tile (scene-tiles.js). Not
 * for:
 * players and things (scene-people.js), shots (scene-effects.js), numbers of the map (scene-ground.js).
 */
import * as THREE from "../../../vendor/three.module.js";
import {
  BUSH, CLIFF, COVER, DOOR, FLOOR, groundColour, hash, heightAt, houses, lightAt, noise, OPEN, readGround, ROCK,
  shadows, SIDE, SUN, WALL,
} from "./scene-ground.js";
import { TILE, tileOf, Tiles, TILES } from "./scene-tiles.js";
import { HOUSES, PROPS } from "./models.js";

export const HAZE = "#ecdcbf";
const SHADE = [0.5, 0.52, 0.62]; // what is left of the light where the sun doesn't reach
const matrix = new THREE.Matrix4(), place = new THREE.Vector3(), turn = new THREE.Quaternion(),
  size = new THREE.Vector3(), up = new THREE.Vector3(0, 1, 0);
const tint = new THREE.Color();

export const lambert = (more = {}) => new THREE.MeshLambertMaterial({ vertexColors: true, ...more });

/** The light at a point as a colour to multiply with. */
export function shadeAt(light, x, z, out = tint) {
  const lit = lightAt(light, x, z);
  return out.setRGB(SHADE[0] + (1 - SHADE[0]) * lit, SHADE[1] + (1 - SHADE[1]) * lit, SHADE[2] + (1 - SHADE[2]) * lit);
}

export class WorldScene {
  /**
   * @param {THREE.Scene} scene
   * @param {Int8Array} bytes the map's row
   * @param {{quality: "low"|"medium"|"high", stillness: boolean}} options
   */
  constructor(scene, bytes, options) {
    /** @type {any} what is shown and hidden, moved and coloured later */
    this.leaves = this.blue = this.white = this.ribbon = this.water = this.motes = this.clouds = null;
    this.opened = new Float32Array(0);
    this.scene = scene;
    this.options = options;
    this.ground = readGround(bytes);
    this.light = shadows(this.ground);
    this.tiles = new Tiles(scene);
    this.#lights();
    this.#sky();
    this.#terrain();
    this.#rocks();
    scene.add(this.#farHills());
    this.#props();
    this.#doors();
    this.time = { value: 0 };
    this.#water();
    this.#zone();
    if (options.quality !== "low" && !options.stillness) this.#motes();
    scene.traverse((one) => {
      if (one !== scene && !one.userData.moves) { one.updateMatrixWorld(); one.matrixAutoUpdate = false; }
    });
  }

  #lights() {
    const sun = new THREE.DirectionalLight("#ffe1b3", 2.5);
    sun.position.set(SUN[0] * 50, SUN[1] * 50, SUN[2] * 50);
    this.scene.add(sun, new THREE.HemisphereLight("#cfe2ee", "#b59a6c", 1.45));
    this.scene.fog = new THREE.Fog(HAZE, 28, this.options.quality === "low" ? 95 : 150);
    this.scene.background = new THREE.Color(HAZE);
  }

  #sky() {
    const material = new THREE.ShaderMaterial({
      side: THREE.BackSide, depthWrite: false, fog: false,
      uniforms: { zenith: { value: new THREE.Color("#6fa9d2") }, haze: { value: new THREE.Color(HAZE) },
        sun: { value: new THREE.Vector3(...SUN) } },
      vertexShader: `varying vec3 way;
        void main() { way = position; gl_Position = projectionMatrix * mat4(mat3(modelViewMatrix)) * vec4(way, 1.0); }`,
      fragmentShader: `uniform vec3 zenith, haze, sun; varying vec3 way;
        void main() {
          vec3 to = normalize(way); float near = max(dot(to, sun), 0.0);
          vec3 colour = mix(haze, zenith, smoothstep(0.02, 0.62, to.y));
          colour += vec3(1.0, 0.78, 0.45) * (0.35 * pow(near, 12.0) + smoothstep(0.9975, 0.9985, near));
          gl_FragColor = linearToOutputTexel(vec4(colour, 1.0));
        }`,
    });
    const dome = new THREE.Mesh(new THREE.SphereGeometry(200, 24, 12), material);
    dome.frustumCulled = false;
    dome.renderOrder = -1;
    this.scene.add(dome);
    this.clouds = new THREE.InstancedMesh(new THREE.IcosahedronGeometry(1, 1),
      new THREE.MeshBasicMaterial({ color: "#fff6e6", fog: false, transparent: true, opacity: 0.75 }), 42);
    for (let i = 0; i < 42; i += 1) {
      const group = Math.floor(i / 6), angle = group * 0.9 + hash(group, 3) * 0.5, far = 120 + 50 * hash(group, 4);
      place.set(Math.sin(angle) * far + (i % 6 - 2.5) * 8, 58 + 24 * hash(group, 5) + 3 * hash(i, 6),
        Math.cos(angle) * far + 10 * hash(i, 7));
      this.clouds.setMatrixAt(i, matrix.compose(place, turn.identity(),
        size.set(7 + 7 * hash(i, 8), 2.2 + 1.6 * hash(i, 9), 5 + 4 * hash(i, 10))));
    }
    this.clouds.userData.moves = true;
    this.clouds.position.set(64, 0, 64);
    this.clouds.frustumCulled = false;
    this.scene.add(this.clouds);
  }

  /** Two flat triangles a cell, each with its own tone; the shadows lie on them as a texture. */
  #terrain() {
    this.tiles.surface(lambert({ map: this.#shadowTexture() }),
      (tile) => this.#terrainOf((tile % (SIDE / TILE)) * TILE, Math.floor(tile / (SIDE / TILE)) * TILE));
  }

  #terrainOf(left, top) {
    const { ground } = this, count = TILE * TILE * 6;
    const positions = new Float32Array(count * 3), colours = new Uint8Array(count * 4),
      uvs = new Float32Array(count * 2);
    let at = 0;
    const corner = (x, z, colour) => {
      positions.set([x, ground.corners[z * (SIDE + 1) + x], z], at * 3);
      colours.set(colour, at * 4);
      uvs.set([x / SIDE, z / SIDE], at * 2);
      at += 1;
    };
    for (let z = top; z < top + TILE; z += 1) {
      for (let x = left; x < left + TILE; x += 1) {
        const base = groundColour(ground, x, z), indoors = ground.kinds[z * SIDE + x] === FLOOR;
        const triangles = (x + z) % 2
          ? [[[0, 0], [0, 1], [1, 1]], [[0, 0], [1, 1], [1, 0]]]
          : [[[0, 0], [0, 1], [1, 0]], [[1, 0], [0, 1], [1, 1]]];
        triangles.forEach((triangle, k) => {
          const tone = indoors ? 1 : 0.94 + 0.12 * hash(x, z, 11 + k);
          const colour = [...base.map((part) => linear(Math.min(255, part * tone))), 255];
          for (const [i, j] of triangle) corner(x + i, z + j, colour);
        });
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(colours, 4, true));
    geometry.setAttribute("uv", new THREE.BufferAttribute(uvs, 2));
    geometry.computeVertexNormals();
    return geometry;
  }

  #shadowTexture() {
    const side = Math.sqrt(this.light.length), texels = new Uint8Array(side * side * 4);
    for (let i = 0; i < side * side; i += 1) {
      for (let k = 0; k < 3; k += 1) texels[4 * i + k] = 255 * SHADE[k] + (1 - SHADE[k]) * this.light[i];
      texels[4 * i + 3] = 255;
    }
    const texture = new THREE.DataTexture(texels, side, side);
    texture.magFilter = texture.minFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    return texture;
  }

  /** Rocks and the cliff around the map as one craggy mesh: cells that touch grow together. */
  #rocks() {
    /** @type {() => number[][]} */
    const byTile = () => Array.from({ length: TILES }, () => []);
    const { ground } = this, positions = byTile(), colours = byTile();
    let tile = 0;
    const isRock = (x, z) => x < 0 || z < 0 || x >= SIDE || z >= SIDE || ground.kinds[z * SIDE + x] === ROCK;
    const tall = (x, z) => ground.tops[Math.min(SIDE - 1, Math.max(0, z)) * SIDE + Math.min(SIDE - 1, Math.max(0, x))];
    // A corner that other ground touches is drawn in at the top, so that rocks are no cubes.
    const corner = (i, j, x, z, top) => {
      const around = [[i - 1, j - 1], [i, j - 1], [i - 1, j], [i, j]];
      const inner = around.every(([a, b]) => isRock(a, b));
      const middle = around.filter(([a, b]) => isRock(a, b))
        .reduce((sum, [a, b], _, all) => [sum[0] + (a + 0.5) / all.length, sum[1] + (b + 0.5) / all.length], [0, 0]);
      const draw = inner ? 0 : 0.2 + 0.12 * hash(i, j, 20);
      const cliff = top - ground.level[Math.min(SIDE - 1, z) * SIDE + Math.min(SIDE - 1, x)] > 4;
      if (cliff) return [i + (middle[0] - i) * draw * 2, top - 7 + 7.5 * noise(i, j, 7, 23) + 1.2 * hash(i, j, 22),
        j + (middle[1] - j) * draw * 2];
      const high = inner ? top + 0.35 * hash(i, j, 21) : top - 0.3 * hash(i, j, 22);
      return [i + (middle[0] - i) * draw, high, j + (middle[1] - j) * draw];
    };
    const face = (a, b, c, shade) => {
      positions[tile].push(...a, ...b, ...c);
      tint.setRGB(0.44 * shade, 0.405 * shade, 0.345 * shade);
      for (let k = 0; k < 3; k += 1) colours[tile].push(tint.r, tint.g, tint.b);
    };
    for (let z = 0; z < SIDE; z += 1) {
      for (let x = 0; x < SIDE; x += 1) {
        if (!isRock(x, z)) continue;
        tile = tileOf(x, z);
        const cell = z * SIDE + x, top = tall(x, z), low = ground.level[cell] - 0.6;
        const c = [[0, 0], [1, 0], [1, 1], [0, 1]].map(([i, j]) => corner(x + i, z + j, x, z, top));
        const middle = [x + 0.3 + 0.4 * hash(x, z, 24),
          Math.max(...c.map((one) => one[1])) + 0.02 + 0.14 * hash(x, z, 25), z + 0.3 + 0.4 * hash(x, z, 26)];
        const shade = 0.92 + 0.16 * hash(x, z, 27);
        for (let k = 0; k < 4; k += 1) face(c[(k + 1) % 4], c[k], middle, shade * 1.06);
        [[0, -1, 0, 1], [1, 0, 1, 2], [0, 1, 2, 3], [-1, 0, 3, 0]].forEach(([dx, dz, from, to]) => {
          const beside = isRock(x + dx, z + dz);
          if (beside && Math.abs(tall(x + dx, z + dz) - top) < 0.05) return;
          const foot = ([i, j]) => [x + i, low, z + j];
          /** @type {[number, number][]} */
          const square = [[0, 0], [1, 0], [1, 1], [0, 1]];
          const a = foot(square[from]), b = foot(square[to]);
          face(c[from], c[to], b, shade * 0.98);
          face(c[from], b, a, shade * 0.9);
        });
      }
    }
    this.tiles.surface(lambert({ side: THREE.DoubleSide }), (one) => {
      if (!positions[one].length) return null;
      const geometry = new THREE.BufferGeometry();
      geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions[one], 3));
      geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours[one], 3));
      geometry.computeVertexNormals();
      return geometry;
    });
  }

  /** Hills in the haze beyond the cliff, so that the world doesn't end there. */
  #farHills() {
    const positions = [], sides = 48;
    const point = (ring, i) => {
      const k = i % sides, angle = (k / sides) * 2 * Math.PI, far = [72, 110, 170][ring];
      const high = [this.ground.level[0] + CLIFF - 3, 6 + 26 * hash(k, 31), -6][ring];
      return [64 + Math.sin(angle) * far * 1.2, high, 64 + Math.cos(angle) * far * 1.2];
    };
    for (let ring = 0; ring < 2; ring += 1) {
      for (let i = 0; i < sides; i += 1) positions.push(...point(ring, i), ...point(ring, i + 1), ...point(ring + 1, i),
        ...point(ring, i + 1), ...point(ring + 1, i + 1), ...point(ring + 1, i));
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
    geometry.computeVertexNormals();
    return new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ color: "#a9a67e", side: THREE.DoubleSide }));
  }

  /** An instance in every cell that `test` accepts; tones and turns differ a little. `plain`: the shape from afar. */
  #stand(geometry, test, { plain = geometry, turns = 4, wobble = 0.05, grow = 0, lit = false } = {}) {
    const cells = [];
    for (let cell = 0; cell < SIDE * SIDE; cell += 1) if (test(this.ground.kinds[cell], cell % SIDE, (cell / SIDE) | 0,
      cell)) cells.push(cell);
    this.tiles.stand(geometry, plain, this.matte, cells.map((cell) => {
      const x = cell % SIDE, z = (cell / SIDE) | 0,
        angle = turns === 4 ? Math.floor(hash(x, z, 40) * 4) * Math.PI / 2 : hash(x, z, 40) * turns;
      const wide = 1 + grow * (hash(x, z, 41) - 0.4);
      place.set(x + 0.5, this.ground.level[cell], z + 0.5);
      const stands = new THREE.Matrix4().compose(place, turn.setFromAxisAngle(up, angle),
        size.set(wide, 1 + grow * 0.6 * (hash(x, z, 42) - 0.5), wide));
      const colour = new THREE.Color().setScalar(1 - wobble + 2 * wobble * hash(x, z, 43));
      if (lit) colour.multiply(shadeAt(this.light, x + 0.5, z + 0.5));
      return { x, z, matrix: stands, colour };
    }));
  }

  #props() {
    const { kinds } = this.ground, at = (x, z) => kinds[z * SIDE + x];
    const built = (kind) => kind === WALL || kind >= DOOR;
    const wallBeside = (x, z) => built(at(x - 1, z)) || built(at(x + 1, z)) || built(at(x, z - 1))
      || built(at(x, z + 1));
    this.matte = lambert();
    const house = houses(this.ground), styleOf = (cell) => Math.floor(hash(house[cell], 7, 44) * HOUSES.length);
    const across = (x, z) => built(at(x - 1, z)) || built(at(x + 1, z));
    HOUSES.forEach((_, style) => {
      this.#stand(PROPS.wall(style), (kind, x, z, cell) => kind === WALL && styleOf(cell) === style);
      // A low wall in the wall of a house is a window; it spans the way its neighbours do.
      const sill = PROPS.sill(style), upright = PROPS.sill(style).rotateY(Math.PI / 2);
      const window = (kind, x, z, cell) => kind === COVER && wallBeside(x, z) && styleOf(cell) === style;
      this.#stand(sill, (kind, x, z, cell) => window(kind, x, z, cell) && across(x, z), { turns: 0 });
      this.#stand(upright, (kind, x, z, cell) => window(kind, x, z, cell) && !across(x, z), { turns: 0 });
    });
    this.#stand(PROPS.cover(), (kind, x, z) => kind === COVER && !wallBeside(x, z), { wobble: 0.07 });
    this.#stand(PROPS.bush(), (kind) => kind === BUSH,
      { plain: PROPS.farBush(), turns: 6.28, wobble: 0.1, grow: 0.25 });
    if (this.options.quality !== "low") this.#tufts();
  }

  /** Grass that nobody bumps into, in patches. */
  #tufts() {
    const many = this.options.quality === "high" ? 5000 : 2600, spots = [];
    for (let i = 0; spots.length < many && i < many * 6; i += 1) {
      const x = 3 + hash(i, 1, 50) * (SIDE - 6), z = 3 + hash(i, 2, 50) * (SIDE - 6);
      if (this.ground.kinds[(z | 0) * SIDE + (x | 0)] === OPEN && hash(x / 4, z / 4, 51) > 0.45) spots.push([x, z]);
    }
    this.tiles.stand(PROPS.tuft(), null, this.matte, spots.map(([x, z], i) => {
      const tall = 0.7 + 0.7 * hash(i, 3, 50);
      place.set(x, heightAt(this.ground, x, z), z);
      const stands = new THREE.Matrix4().compose(place, turn.setFromAxisAngle(up, hash(i, 4, 50) * 6.28),
        size.set(1.3, tall, 1.3));
      return { x, z, matrix: stands, colour: shadeAt(this.light, x, z, new THREE.Color()) };
    }));
  }

  #doors() {
    const { doors, level } = this.ground;
    const frames = new THREE.InstancedMesh(PROPS.frame(), lambert(), doors.length);
    this.leaves = new THREE.InstancedMesh(PROPS.leaf(), lambert(), doors.length);
    this.opened = new Float32Array(doors.length); // 0 closed … 1 open, as drawn
    doors.forEach(({ x, z, across }, i) => {
      place.set(x + 0.5, level[z * SIDE + x], z + 0.5);
      frames.setMatrixAt(i, matrix.compose(place, turn.setFromAxisAngle(up, across ? 0 : Math.PI / 2),
        size.set(1, 1, 1)));
      this.#leaf(i);
    });
    this.leaves.userData.moves = true;
    this.leaves.frustumCulled = frames.frustumCulled = false;
    this.scene.add(frames, this.leaves);
  }

  #leaf(i) {
    const { x, z, across } = this.ground.doors[i], base = across ? 0 : Math.PI / 2;
    place.set(x + 0.5 + (across ? -0.39 : 0), this.ground.level[z * SIDE + x], z + 0.5 + (across ? 0 : 0.39));
    this.leaves.setMatrixAt(i, matrix.compose(place, turn.setFromAxisAngle(up, base + this.opened[i] * 1.75),
      size.set(1, 1, 1)));
    this.leaves.instanceMatrix.needsUpdate = true;
  }

  #water() {
    if (Number.isNaN(this.ground.water)) return;
    const material = new THREE.MeshLambertMaterial({ color: "#6fb4b4", transparent: true, opacity: 0.72,
      emissive: "#1d4a50", emissiveIntensity: 0.35 });
    // Waves run over it and glitter where they are steep.
    material.onBeforeCompile = (shader) => {
      shader.uniforms.time = this.time;
      shader.vertexShader = `varying vec2 shore;\n${shader.vertexShader}`.replace("#include <begin_vertex>",
        "#include <begin_vertex>\nshore = position.xz;");
      shader.fragmentShader = `uniform float time; varying vec2 shore;\n${shader.fragmentShader}`.replace(
        "#include <color_fragment>", `#include <color_fragment>
        float wave = sin(shore.x * 2.1 + time * 1.3) + sin(shore.y * 2.7 - time * 1.1)
          + sin((shore.x + shore.y) * 1.3 + time * 0.8);
        float ripple = 0.4 * sin(shore.x * 9.0 - time * 2.3) * sin(shore.y * 8.0 + time * 1.9);
        float glint = smoothstep(2.35, 2.9, wave + ripple);
        diffuseColor.rgb = diffuseColor.rgb * (0.94 + 0.06 * wave) + glint * 0.5;`);
    };
    this.water = new THREE.Mesh(new THREE.PlaneGeometry(SIDE, SIDE).rotateX(-Math.PI / 2), material);
    this.water.position.set(SIDE / 2, this.ground.water + 0.05, SIDE / 2);
    this.water.userData.moves = true;
    this.scene.add(this.water);
  }

  /** Seeds that drift on the wind around whoever looks: one draw call, moved by the graphics card. */
  #motes() {
    const many = 160, positions = new Float32Array(many * 3).map((_, i) => hash(i, 3, 60) * 24);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    const material = new THREE.ShaderMaterial({
      transparent: true, depthWrite: false, uniforms: { time: this.time, eye: { value: new THREE.Vector3() } },
      vertexShader: `uniform float time; uniform vec3 eye; varying float faint;
        void main() {
          vec3 wind = vec3(0.9, -0.08, 0.35) * time + 0.4 * sin(vec3(0.7, 1.3, 0.9) * time + position.yzx);
          vec3 off = mod(position + wind - eye, 24.0) - 12.0;
          faint = smoothstep(12.0, 7.0, length(off)) * smoothstep(2.0, 4.0, length(off));
          gl_Position = projectionMatrix * viewMatrix * vec4(eye + off, 1.0);
          gl_PointSize = 22.0 / max(4.0, gl_Position.w);
        }`,
      fragmentShader: `varying float faint;
        void main() {
          float round = smoothstep(0.5, 0.2, length(gl_PointCoord - 0.5));
          gl_FragColor = vec4(1.0, 0.97, 0.86, 0.55 * faint * round);
        }`,
    });
    this.motes = new THREE.Points(geometry, material);
    this.motes.frustumCulled = false;
    this.motes.userData.moves = true;
    this.scene.add(this.motes);
  }

  #zone() {
    const material = new THREE.ShaderMaterial({
      transparent: true, side: THREE.DoubleSide, depthWrite: false, uniforms: { time: this.time, radius: { value: 1 } },
      vertexShader: `varying vec2 at; varying float far;
        void main() {
          at = uv; vec4 seen = modelViewMatrix * vec4(position, 1.0);
          far = -seen.z; gl_Position = projectionMatrix * seen;
        }`,
      fragmentShader: `uniform float time, radius; varying vec2 at; varying float far;
        void main() {
          float line = smoothstep(0.93, 1.0, sin(at.x * radius * 12.0) * 0.5 + 0.5) * 0.1
            + smoothstep(0.8, 1.0, sin(at.y * 60.0 - time * 2.0) * 0.5 + 0.5) * 0.12;
          float shown = (0.16 + line) * pow(1.0 - at.y, 1.2) + 0.35 * smoothstep(0.03, 0.0, at.y);
          gl_FragColor = linearToOutputTexel(vec4(0.10, 0.36, 0.85, shown));
        }`,
    });
    this.blue = new THREE.Mesh(new THREE.CylinderGeometry(1, 1, 1, 96, 1, true).translate(0, 0.5, 0), material);
    // The white circle lies on the ground: a ribbon that is laid anew when the circle changes.
    this.ribbon = new THREE.Mesh(new THREE.PlaneGeometry(1, 1, 256, 1),
      new THREE.MeshBasicMaterial({ color: "#ffffff", transparent: true, opacity: 0.8, side: THREE.DoubleSide,
      depthWrite: false, fog: true }));
    this.white = { x: NaN, z: NaN, r: NaN };
    for (const mesh of [this.blue, this.ribbon]) {
      mesh.frustumCulled = false;
      mesh.visible = false;
      mesh.userData.moves = true;
      this.scene.add(mesh);
    }
  }

  /** Show the circles, in metres. */
  showZone(blueX, blueZ, blueR, whiteX, whiteZ, whiteR) {
    this.blue.visible = blueR > 0.2;
    if (this.blue.visible) {
      this.blue.position.set(blueX, -1, blueZ);
      this.blue.scale.set(blueR, 34, blueR);
      this.blue.material.uniforms.radius.value = blueR;
    }
    this.ribbon.visible = whiteR > 0.2;
    const { white } = this;
    if (this.ribbon.visible && (white.x !== whiteX || white.z !== whiteZ || white.r !== whiteR)) {
      white.x = whiteX; white.z = whiteZ; white.r = whiteR;
      const position = this.ribbon.geometry.attributes.position;
      for (let i = 0; i <= 256; i += 1) {
        const angle = (i / 256) * 2 * Math.PI;
        for (let k = 0; k < 2; k += 1) {
          const x = whiteX + Math.sin(angle) * (whiteR - 0.22 * k), z = whiteZ - Math.cos(angle) * (whiteR - 0.22 * k);
          position.setXYZ(i + 257 * k, x, heightAt(this.ground, x, z) + 0.07 + (this.#wet(x, z) ? 0.3 : 0), z);
        }
      }
      position.needsUpdate = true;
    }
  }

  #wet(x, z) { return this.water && heightAt(this.ground, x, z) < this.ground.water; }

  /** Where one looks from. @param {THREE.Vector3} place */
  from(place) { this.motes?.material.uniforms.eye.value.copy(place); }

  /** One frame: `open` is the bit mask of open doors. @param {number} seconds since the last frame */
  update(seconds, open) {
    for (let i = 0; i < this.opened.length; i += 1) {
      const goal = (open >>> i) & 1;
      if (this.opened[i] === goal) continue;
      const step = this.options.stillness ? 1 : seconds * 4;
      this.opened[i] = goal ? Math.min(1, this.opened[i] + step) : Math.max(0, this.opened[i] - step);
      this.#leaf(i);
    }
    if (this.options.stillness) return;
    this.time.value += seconds;
    // Clouds go round with the wind, slowly.
    this.clouds.position.set(64, 0, 64);
    this.clouds.rotation.y = this.time.value * 0.004;
    if (this.water) this.water.position.y = this.ground.water + 0.05 + 0.02 * Math.sin(this.time.value * 1.1);
  }
}

/** From sRGB 0 … 255 to linear 0 … 255. */
const linear = (part) => Math.round(255 * ((part / 255) ** 2.2));
