/**
 * Arena on a replay page: the match from above or through a seat's eyes, what happened or only what the seat could see,
 * and a line that tells how the seat is. Not for: reading frames (frames.js), drawing the match (above.js,
 * view.js).
 */
import { context2d, el } from "../../lib/dom.js";
import { onDevice } from "../../lib/kept.js";
import { drawAbove } from "./above.js";
import { FrameStore } from "./frames.js";
import {
  AMMO, ARMOUR, DOWNED, EYES, HP, LIFE, MAGAZINE, MEDKITS, OUT, PITCH, SIDE, SLOT, STAMINA, STAMINA_MAX, STANCE, TURN,
  UNIT, WEAPON, X, Y, YAW, Z,
} from "./rules.js";
import { teamName } from "./teams.js";
import { readMap } from "./world.js";
import { CanvasClip, fileName, kindOf } from "./record.js";

const AROUND = 28; // metres to each side of the seat whose view is drawn from above
const WEAPONS = ["no weapon", "pistol", "submachine gun", "rifle", "shotgun", "sniper rifle"];
/** Where a picture in three dimensions takes longer than SLOW, quick seeks show the map until they rest (ms). */
const SLOW = 30, REST = 200, MEASURED = 3;
const CAMERA = "coplay-arena-camera";
const CAMERAS = { eyes: "Eyes", above: "Above", map: "Map" };

/** What the button of the open view says, and its key. */
export const openLabel = "Everything";
export const fits = true;
export const openTitle = "All that happened, or only what this seat could see (D)";

/**
 * The match at any tick; see replay-game.js.
 * @param {object} stream @param {{urls: {frames: string}}} page
 */
export async function states(stream, page) {
  const map = readMap(stream.ground);
  const address = (number) => page.urls.frames.replace(/tag\/0\/$/, `${stream.tag}/${number}/`);
  const store = new FrameStore(stream.frames, map, async (number) => {
    const response = await fetch(address(number), { credentials: "same-origin" });
    if (!response.ok) {
      const told = await response.json().catch(() => null);
      throw new Error(told?.error || `The server answered ${response.status}.`);
    }
    return response.arrayBuffer();
  });
  await store.load(0);
  store.beginning = store.frame(0);
  return {
    at: (name, tick) => {
      const frame = store.frame(tick, name === "open" ? null : Number(name));
      return frame && Object.assign(frame, { store });
    },
    load: (tick) => store.load(tick),
    loadAll: (tick) => store.loadAll(tick),
    get complete() { return store.complete; },
    set onMore(run) { store.onMore = run; },
  };
}

/** What each root shows. */
const drawn = new WeakMap();

function build(root) {
  const parts = {
    facts: el("p.arena-facts"), own: el("p.arena-own"),
    flat: el("canvas.arena-canvas", { role: "img", "aria-label": "The match at this tick" }), deep: null, scene: null,
    costs: [], sought: -Infinity, rest: 0,
    cameras: el("span.segmented.arena-cameras", { role: "group", "aria-label": "Camera" }), key: "",
    last: null, frame: null,
  };
  const kept = onDevice.getItem(CAMERA);
  parts.camera = kept !== null && kept in CAMERAS ? kept : "eyes";
  parts.cameras.append(...Object.entries(CAMERAS).map(([name, label]) => el("button", {
    type: "button", text: label, dataset: { camera: name }, onClick: () => choose(root, parts, name),
  })));
  if (kindOf()) parts.cameras.append(recordButton(parts));
  parts.box = el("div.arena-box", {}, parts.flat);
  root.classList.add("arena-replay");
  root.replaceChildren(parts.facts, parts.cameras, parts.box, parts.own);
  drawn.set(root, parts);
  light(parts);
  return parts;
}

/** Records what the picture shows from one press to the next, at most a minute, as a file to keep. */
function recordButton(parts) {
  const button = el("button.arena-record",
    { type: "button", text: "Record", title: "Keep what you see as a video: press, play, press again" });
  const clip = new CanvasClip((on) => {
    button.textContent = on ? "■ Save" : "Record";
    button.setAttribute("aria-pressed", String(on));
  }, (file, kind) => {
    const link = el("a", { href: URL.createObjectURL(file), download: fileName(document.title, kind) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
  button.addEventListener("click", () => clip.toggle(parts.deep && !parts.deep.hidden ? parts.deep : parts.flat));
  return button;
}

/** What was drawn last. @returns {[any, any]} */
const again = (parts) => parts.last;

function choose(root, parts, camera) {
  onDevice.setItem(CAMERA, camera);
  Object.assign(parts, { camera, key: "" });
  light(parts);
  if (parts.last) render(root, ...again(parts));
}

const cameraButtons = (parts) => [...parts.cameras.children].filter((button) => button.dataset.camera);

function light(parts) {
  for (const button of cameraButtons(parts)) button.setAttribute("aria-pressed",
    String(button.dataset.camera === parts.camera));
}

/** @param {HTMLElement} root @param {object} frame of `states` @param {object} [options] see replay-game.js */
export function render(root, frame, options = {}) {
  const parts = drawn.get(root) || build(root);
  const { store } = frame;
  const { seat, names } = options;
  parts.last = [frame, { ...options, duration: 0 }];
  const [facts, own] = [factsOf(frame), ownOf(store, frame, seat, names)];
  tell(parts.facts, facts);
  tell(parts.own, own);
  if (parts.camera !== "map" && parts.deep !== false && !hurries(root, parts, options))
    return void drawDeep(root, parts, frame, options);
  cancelAnimationFrame(parts.frame);
  parts.flat.hidden = false;
  if (parts.deep) parts.deep.hidden = true;
  parts.flat.setAttribute("aria-label", `${facts} ${own}`);
  const size = fit(root, parts, options.maxHeight);
  const eyes = store.eyesOf(seat, frame.tick);
  const ground = options.open ? whole(store) : around(store, eyes, frame.tick);
  const shown = { ...ground, teamSize: store.layout.team_size, chosen: eyes, view: !options.open,
    targets: options.targets };
  drawAbove(context2d(parts.flat), size, store.map, frame, shown);
}

/** Whether somebody seeks faster than this machine draws in three dimensions; that picture follows when they rest. */
function hurries(root, parts, { duration, rested }) {
  const now = performance.now(), quick = now - parts.sought < REST,
    slow = parts.costs.length === MEASURED && Math.min(...parts.costs) > SLOW;
  clearTimeout(parts.rest);
  if (duration || rested || !slow) return false;
  parts.sought = now;
  if (quick) parts.rest = setTimeout(() => render(root, parts.last[0], { ...parts.last[1], rested: true }), REST);
  return quick;
}

/** In three dimensions, once a screen's frame; between two ticks while the replay plays. */
function drawDeep(root, parts, frame, options) {
  if (parts.deep === null) {
    parts.deep = el("canvas.arena-canvas", { role: "img", "aria-label": "The match at this tick" });
    parts.box.append(parts.deep);
    parts.opening = openScene(root, parts, frame.store);
  }
  if (!parts.scene) return;
  parts.flat.hidden = true;
  parts.deep.hidden = false;
  parts.deep.setAttribute("aria-label", `${parts.facts.textContent} ${parts.own.textContent}`);
  fit(root, parts, options.maxHeight);
  const started = performance.now();
  const next = options.duration ? frame.store.frame(frame.tick + 1, options.open ? null : options.seat) : null;
  if (options.duration) for (const event of frame.events) parts.scene.happen(event);
  const draw = (now) => {
    const share = next ? Math.min(1, (now - started) / options.duration) : 0;
    const shown = next ? between(frame, next, share) : frame;
    parts.scene.update(shown, cameraOf(frame, next, share, options, parts.camera), now);
    if (parts.costs.length < MEASURED) parts.costs.push(parts.scene.timedRender());
    else parts.scene.render();
    if (next && share < 1) parts.frame = requestAnimationFrame(draw);
  };
  cancelAnimationFrame(parts.frame);
  parts.frame = requestAnimationFrame(draw);
}

/** Load the scene; without WebGL the map is what there is. */
async function openScene(root, parts, store) {
  try {
    const { createArenaView } = await import("./view.js");
    const stillness = matchMedia("(prefers-reduced-motion: reduce)").matches;
    parts.scene = createArenaView(parts.deep, store.map, { teamSize: store.layout.team_size, seat: null, stillness });
  } catch {
    parts.deep.remove();
    parts.deep = false;
    parts.camera = "map";
    light(parts);
    for (const button of cameraButtons(parts)) button.disabled = button.dataset.camera !== "map";
    parts.cameras.title = "This browser can't draw in three dimensions.";
  }
  parts.key = "";
  render(root, ...again(parts));
}

/** A frame on the way to the next: everybody who is in both has moved by a share. */
function between(frame, next, share) {
  const after = new Map(next.players.map((player) => [player.seat, player]));
  const move = (one, other, field) => one[field] + (other[field] - one[field]) * share;
  const players = frame.players.map((one) => {
    const other = after.get(one.seat);
    if (!other) return one;
    return { ...one, x: move(one, other, "x"), y: move(one, other, "y"), z: move(one, other, "z"),
      yaw: one.yaw + turn(one.yaw, other.yaw) * share };
  });
  return { ...frame, players };
}

/** The shorter way from one angle to another, in turn units. */
const turn = (from, to) => ((((to - from) % TURN) + TURN * 1.5) % TURN) - TURN / 2;

/** Where the frame is seen from: the eyes of the seat, or above and behind it; above the circle when it is out. */
function cameraOf(frame, next, share, { seat }, camera) {
  const { store, tick } = frame;
  const eyes = store.eyesOf(seat, tick);
  const of = (field) => store.of(eyes, field, tick);
  const on = (field) => (next ? of(field) + (store.of(eyes, field, tick + 1) - of(field)) * share : of(field));
  const yaw = of(YAW) + (next ? turn(of(YAW), store.of(eyes, YAW, tick + 1)) * share : 0);
  if (of(LIFE) !== OUT && camera === "eyes") {
    return { x: on(X), y: on(Y), z: on(Z) + EYES[of(STANCE)], yaw, pitch: on(PITCH), fov: 70, seat: eyes, hands: null };
  }
  const [x, y, z] = of(LIFE) === OUT ? [frame.zone.blueX, frame.zone.blueY, 6 * UNIT] : [on(X), on(Y), on(Z)];
  return { x, y: y + 13 * UNIT, z: z + 17 * UNIT, yaw: 0, pitch: -(TURN / 360) * 52, fov: 60 };
}

function tell(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** The ground on which the match takes place: the first circle, and a little more. In metres. */
function whole(store) {
  const { blueX, blueY, blueR } = store.beginning.zone;
  const side = Math.min(SIDE, (2 * blueR) / UNIT + 12);
  const edge = (at) => Math.max(0, Math.min(SIDE - side, at / UNIT - side / 2));
  return { left: edge(blueX), top: edge(blueY), side };
}

/** The ground around a seat, in metres. */
function around(store, seat, tick) {
  const side = 2 * AROUND;
  const edge = (at) => Math.max(0, Math.min(SIDE - side, at / UNIT - AROUND));
  return { left: edge(store.of(seat, X, tick)), top: edge(store.of(seat, Y, tick)), side };
}

/** Make what is drawn on as large as there is room, sharp on every screen; returns the map's side in its own pixels. */
function fit(root, parts, maxHeight) {
  const key = [innerWidth, innerHeight, maxHeight, devicePixelRatio, root.clientWidth, parts.camera].join();
  if (parts.key !== key) {
    parts.key = root.clientWidth ? key : "";
    const width = root.clientWidth || 320;
    const height = maxHeight || innerHeight * 0.6;
    const side = Math.min(width, height);
    root.style.minHeight = `${height}px`;
    parts.flat.width = parts.flat.height = Math.round(side * devicePixelRatio);
    Object.assign(parts.flat.style, { width: `${side}px`, height: `${side}px` });
    if (parts.scene) {
      parts.scene.resize(width, height);
      Object.assign(parts.deep.style, { width: `${width}px`, height: `${height}px` });
    }
  }
  return parts.flat.width;
}

/** How the match stands, in words. */
function factsOf(frame) {
  const { zone } = frame;
  if (frame.over) return `The match is over: ${wonBy(frame)}.`;
  const seconds = Math.ceil(zone.left / 20);
  const phase = zone.shrinking ? `closes for ${seconds} s more` : `rests for ${seconds} s`;
  return `${frame.teamsLeft} teams, ${frame.playersLeft} players on their feet · zone ${zone.stage + 1} ${phase}`;
}

/** Who won, in words; of a draw several teams have the first place. */
function wonBy({ store, tick }) {
  const first = Array.from({ length: store.layout.teams }, (_, team) => team)
    .filter((team) => store.placeOf(team, tick) === 1);
  return first.length === 1 ? `the ${teamName(first[0])} squad won` : "nobody is left, a draw";
}

/** How the chosen seat is, in words. */
function ownOf(store, frame, seat, names) {
  const of = (field) => store.of(seat, field, frame.tick);
  const { kills, knocks } = store.record(seat, frame.tick);
  const team = Math.floor(seat / store.layout.team_size), place = store.placeOf(team, frame.tick);
  const who = `${names[seat]}, ${teamName(team)}${place ? ` (place ${place} of ${store.layout.teams})` : ""}`;
  const did = `${knocks} down, ${kills} out`;
  if (of(LIFE) === OUT) return `${who}: out of the match · ${did}`;
  const weapon = of(WEAPON + of(SLOT));
  const hands = weapon ? `${WEAPONS[weapon]} ${of(MAGAZINE + of(SLOT))} / ${of(AMMO)}` : "no weapon";
  const health = of(LIFE) === DOWNED
    ? `knocked down, ${of(HP)} left`
    : `health ${of(HP)}, vest ${of(ARMOUR)}, breath ${Math.round((100 * of(STAMINA)) / STAMINA_MAX)} %`;
  return `${who}: ${health} · ${hands} · kits ${of(MEDKITS)} · ${did}`;
}

/** A small picture of everything, for the strip. */
export function thumbnail(context, frame, { x, y, width, height }) {
  const side = Math.min(width, height);
  context.save();
  context.translate(x + (width - side) / 2, y + (height - side) / 2);
  drawAbove(context, side, frame.store.map, { ...frame, supplyCount: 0 },
    { ...whole(frame.store), teamSize: frame.store.layout.team_size });
  context.restore();
}

/** The keys jump between who goes down, who is put out and who is helped up. */
export const stands = (event) => ["knock", "kill", "rescue", "win"].includes(event.kind);
