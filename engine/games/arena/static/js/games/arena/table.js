/**
 * The page on which Arena is played: puts together the netcode, the controls, the picture and everything around it. Not
 * for: what frames mean (hud-state.js), drawing (view.js, arena-hud*.js), the line (net.js).
 */
import { aimHelp } from "./aim.js";
import { ArenaControls } from "./controls.js";
import { ArenaMap, mapPicture, mapSide } from "./hud-map.js";
import { fillMenu, loadView } from "./hud-menu.js";
import {
  driver, ending, fresh, forget, hint, nameOf, newMemory, next, noteEvent, noteHistory, noteSnapshot, ownSeat,
  pilotLine, placeOf, reach, relative, squad, squadNews, squadOut, squadReadings, steers, teamOf, teamSeats, veilWords,
} from "./hud-state.js";
import * as hud from "./hud.js";
import { keysOf } from "./keys.js";
import { createNet } from "./net.js";
import { FlatView } from "./scene-flat.js";
import { lessMotion, loadSettings, saveSettings } from "./settings.js";
import { hear, hurt, ownShot, setVolumes } from "./sound.js";
import { ArenaEyes } from "./eyes.js";
import { createArenaView, NoWebGL } from "./view.js";
import { lookedAt, Wheel } from "./hud-wheel.js";
import { TouchControls } from "./touch.js";
import { KILL, SHOT, X, Y, Z } from "./rules.js";
import { doorsOf, readMap } from "./world.js";
import { closest, el, find, findAll, isTyping, pageData, touchOnly } from "../../lib/dom.js";
import { leadOn } from "../../lib/keys.js";
import { announce } from "../../lib/live.js";
import { many } from "../../lib/many.js";
import { openMenus } from "../../lib/menus.js";
import { setSound, soundIsOn } from "../../lib/sound.js";
import { toast } from "../../lib/toast.js";
import { TableSide } from "../../table-side.js";

const MAP_EVERY = 66; // ms between drawings of the small map
const MINIMAP = { metres: 56, size: 196 };

const page = pageData("page");
const bindings = pageData("key-bindings", {}) ?? {};
const stage = find("[data-stage]"), root = find("[data-hud]");
const touch = touchOnly();
let settings = loadSettings(), look = loadView(), net = null;
/** @type {any} */
const memory = newMemory();
const near = { mateDown: false, supply: null, door: null };
/** @type {any} of the match: in 3D, or from above */
let view = null;
let bytes = null, doors = [], minimap = null, bigMap = null, mapDrawnAt = 0, place = 0;
/** @type {any} */
const picture = { players: [], monsters: [], doors: 0, zone: null, supplies: [], supplyCount: 0, snapshot: null };
/** @type {any} */
const mapScene = { snapshot: null, own: null, eye: { x: 0, y: 0, yaw: 0 }, memory, state: fresh(page),
  players: [], targets: [], now: 0 };
const name = (seat) => nameOf(side.state, seat);

// --- The line ------------------------------------------------------------------------------------------------------

const controls = new ArenaControls({ element: stage, bindings, settings, onKey, onState: () => {
  begin();
  showVeil();
} });
setVolumes(settings);
const eyes = new ArenaEyes(controls, bindings, (seat) => net.send({ type: "watch", seat }));
const side = new TableSide(page, {
  receive,
  draw: () => showVeil(),
  state: { fresh, next },
  connect: ({ onFrame, onStatus, onLatency }) => (net = createNet({
    ticket: page.ticket, controls, steers: page.seat !== null, onSnapshot, onEvent, onShot, onFrame,
    onStatus, onLatency,
    onBroken: (text) => { toast(text, { bad: true, milliseconds: 60000 }); announce(text); },
  })),
  meanwhile: () => "your player stands still until then",
  status: (status) => stage.classList.toggle("offline", status.state !== "open"),
  chips: (state, now) => squadReadings(state, now, memory),
  news: squadNews,
  listens: (state) => teamSeats(state, page.seat).some((seat) => seat !== page.seat && driver(state, seat) === "agent"),
  about,
  // Players ask about themselves and their squad, whoever only watches about everybody.
  seen: {
    seats: () => side.seats.map((one, seat) => ({ ...one, name: name(seat) })),
    choices: () => {
      const { state } = side, mates = state.role === "spectator" || state.end ? [] : teamSeats(state, ownSeat(state));
      return mates.some((seat) => !memory.out[seat]) ? mates : [...state.seats.keys()];
    },
  },
  plan: { key: touch ? "" : keysOf("plan", bindings)[0], onTargets: (targets) => { mapScene.targets = targets; } },
  opens: () => { controls.setMenu(true); showVeil(); },
  closed: () => { controls.setMenu(menuIsOpen()); showVeil(); },
  ended: showEnd,
});
if (touch && find("[data-touch]")) new TouchControls(stage, find("[data-touch]"), controls,
  () => steers(side.state) && eyes.mine);

/** The match begins once whoever plays here has caught the pointer, or touched the screen. */
let begun = page.seat === null;
function begin() {
  if (begun || !controls.active) return;
  begun = true;
  net.send({ type: "ready", on: true });
}

function receive(frame) {
  mapScene.state = side.state;
  net.steer(steers(side.state));
  if (frame.type === "joined") joined(frame);
  else if (frame.type === "countdown") announce(`It starts in ${many(Math.ceil(frame.seconds), "second")}.`);
  else if (frame.type === "error") side.tellError(frame, "stale", "over");
}

async function joined(frame) {
  document.body.dataset.role = side.state.role;
  noteHistory(memory, frame.history);
  place = 0;
  noteSquad();
  if (bytes || !frame.map) return;
  try {
    const answer = await fetch(frame.map.url, { credentials: "same-origin" });
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    bytes = readMap(await answer.arrayBuffer());
  } catch (error) {
    bytes = null;
    toast(`The map can't be loaded. ${error.message}`, { bad: true, milliseconds: 60000 });
    return;
  }
  net.setMap(bytes);
  doors = doorsOf(bytes);
  openView();
}

/** The picture in 3D; where the browser can't, from above. */
function openView() {
  const old = view;
  const canvas = el("canvas", { "aria-hidden": "true" });
  find("canvas", stage).replaceWith(canvas);
  old?.dispose();
  const options = { quality: look.quality, stillness: lessMotion(settings), teamSize: side.state.options.team_size,
    seat: ownSeat(side.state) };
  try {
    if (new URLSearchParams(location.search).has("flat")) throw new NoWebGL("asked for");
    view = createArenaView(canvas, bytes, options);
  } catch (error) {
    if (!(error instanceof NoWebGL)) throw error;
    // A canvas that was asked for WebGL has no second context.
    const plain = el("canvas", { "aria-hidden": "true" });
    canvas.replaceWith(plain);
    view = new FlatView(plain, bytes, { state: () => side.state, memory });
    find("[data-flat-note]").hidden = false;
    document.body.classList.add("flat");
  }
  const ground = mapPicture(bytes, view.ground, view.light ?? view.world.light);
  minimap = new ArenaMap(find("[data-minimap]"), ground);
  minimap.resize(MINIMAP.size, MINIMAP.size);
  bigMap = new ArenaMap(find("[data-big-map] canvas"), ground);
  fit();
}

function onSnapshot(snapshot) {
  const now = performance.now();
  const hurts = memory.lastHitTick;
  noteSnapshot(memory, snapshot, now);
  if (hurts !== null && memory.lastHitTick !== hurts && snapshot.seat === page.seat) hurt();
  const { mine, sees } = eyes;
  eyes.note(snapshot, side.state, memory);
  if (mine !== eyes.mine || sees !== eyes.sees) showVeil();
  stage.dataset.tick = snapshot.tick;
  if (snapshot.seat === page.seat) stage.dataset.own = `${snapshot.own[X]},${snapshot.own[Y]},${snapshot.own[Z]}`;
  drawSlowly(snapshot, now);
}

const whereIs = (seat) => (picture.snapshot && seat === picture.snapshot.seat
  ? mapScene.eye
  : picture.players.find((player) => player.seat === seat && player.shown) ?? null);

function onEvent(event, snapshot) {
  const now = performance.now(), { own } = snapshot, yaw = mapScene.eye.yaw,
    seat = snapshot.seat === 255 ? -1 : snapshot.seat;
  const before = memory.feed.at(-1);
  noteEvent(memory, event, { seat, own, whereIs }, now);
  const news = memory.feed.at(-1);
  if (news && news !== before && news.kind !== "rescue" && [news.seat, news.other].includes(page.seat))
    announce(hud.feedLine(news, name));
  if (event.kind === KILL) noteSquad();
  view?.happen(event, seat === event.seat && picture.predicted);
  const at = event.kind === SHOT && event.seat >= 0 ? whereIs(event.seat) ?? event : event;
  const dx = at.x - mapScene.eye.x, dy = at.y - mapScene.eye.y;
  hear(event, Math.hypot(dx, dy) / 256,
    relative(Math.atan2(dx, -dy) * 65536 / (2 * Math.PI), yaw) * 2 * Math.PI / 65536, event.seat === seat && seat >= 0);
}

/** Whether the own squad is out; the end, which comes at once where it ends the match, says more. */
function noteSquad() {
  if (page.seat === null || place || !side.state.seats.length) return;
  place = placeOf(side.state, memory, teamOf(side.state, page.seat));
  if (place > 1) announce(squadOut(side.state, place));
}

function onShot(weapon) {
  ownShot(weapon);
  view?.ownShot?.(weapon, bytes, picture.doors);
}

// --- Drawing --------------------------------------------------------------------------------------------------------

function frame(now) {
  requestAnimationFrame(frame);
  if (document.hidden) return;
  const scene = net.frame(now);
  if (!scene || !view) { hud.drawBanner(side.state, now); return; }
  if (controls.aiming && scene.predicted)
    controls.advance(now, aimHelp(scene.own, controls.yaw, scene.players, scene.monsters));
  else controls.advance(now, null);
  const { snapshot } = scene;
  picture.players = scene.players;
  picture.monsters = scene.monsters;
  picture.doors = scene.doors;
  picture.zone = snapshot.zone;
  picture.supplies = snapshot.supplies;
  picture.supplyCount = snapshot.supplyCount;
  picture.snapshot = snapshot;
  picture.predicted = scene.predicted;
  const camera = eyes.camera(scene, view, { settings, now, still: lessMotion(settings) });
  mapScene.eye.x = camera.x;
  mapScene.eye.y = camera.y;
  mapScene.eye.yaw = camera.yaw;
  view.update(picture, camera, now);
  view.render();
  drawEachFrame(scene, camera, now);
  if (stage.hasAttribute("aria-busy")) { stage.removeAttribute("aria-busy"); showVeil(); }
}
requestAnimationFrame(frame);

/** What moves with the view. */
function drawEachFrame(scene, camera, now) {
  const { snapshot, own } = scene, size = view.size;
  const perDegree = size.height / 2 / Math.tan((camera.fov ?? 60) * Math.PI / 360) * Math.tan(Math.PI / 180);
  if (eyes.sees) hud.drawCrosshair(own, perDegree, eyes.scope);
  hud.drawHit(memory, now);
  hud.drawHurts(memory, camera.yaw, now, name);
  hud.drawCaptions(memory, camera.yaw, settings.captions, now);
  hud.drawLabels(view.project.bind(view), eyes.labels(scene, side.state, memory, view, mapScene.targets), size);
  hud.drawBanner(side.state, now);
  hud.drawWorking(eyes.sees ? own : null, name);
  if (now - mapDrawnAt > MAP_EVERY) {
    mapDrawnAt = now;
    Object.assign(mapScene, { snapshot, own, players: scene.players, now });
    minimap.draw(mapScene,
      { metres: eyes.sees ? MINIMAP.metres : 132, follow: eyes.sees, rotate: look.rotateMap && eyes.sees });
    if (!find("[data-big-map]").hidden)
      bigMap.draw(mapScene, { metres: 128, follow: false, rotate: false, names: true });
    stage.dataset.cost = view.meanCost.toFixed(3);
    stage.dataset.drawing = (view.meanDrawing ?? 0).toFixed(3);
    if (view.drawn) Object.assign(stage.dataset, { calls: view.drawn.calls, triangles: view.drawn.triangles });
  }
}

/** What changes with snapshots. */
function drawSlowly(snapshot, now) {
  forget(memory, now);
  hud.drawBar(side.state, snapshot);
  hud.drawFeed(side.state, memory, name);
  side.drawChips();
  hud.drawWords(side.state, now, name);
  const seat = snapshot.seat === 255 ? null : snapshot.seat;
  hud.drawSquad(side.state, squad(side.state, snapshot, seat ?? page.seat));
  root.classList.toggle("sees", eyes.sees);
  root.classList.toggle("plays", eyes.mine && steers(side.state));
  const hands = eyes.mine && steers(side.state)
    ? hint(snapshot.own, reach(near, snapshot.own, snapshot, doors, snapshot.doors))
    : null;
  hud.drawHint(hands, (action) => keysOf(action, bindings)[0]);
  if (seat !== null) {
    const { own } = snapshot;
    hud.drawVitals(own);
    hud.drawArms(own);
  }
  hud.drawPilot(pilotLine(side.state, touch ? null : keysOf("copilot", bindings)[0], memory.out), steers(side.state));
  hud.drawWatching(eyes.sentence(side.state, name, place, memory), touch ? null : keysOf("watch", bindings)[0]);
  if (!find("[data-scoreboard]").hidden) hud.drawScoreboard(side.state, memory, snapshot);
  if (!find("[data-menu]").hidden) side.seen.changed();
}

function fit() {
  if (!view) return;
  view.resize(stage.clientWidth, stage.clientHeight);
  const side = mapSide(stage.clientWidth, stage.clientHeight, touch);
  bigMap.resize(side, side);
  bigMap.canvas.style.width = bigMap.canvas.style.height = `${side}px`;
}
new ResizeObserver(fit).observe(stage);

// --- Keys and words --------------------------------------------------------------------------------------------------

const wheel = new Wheel((sentence) => side.tell(sentence.text));

function onKey(action, down, event) {
  if (action === "sentences") { if (down && page.seat !== null) wheel.show(); else if (!touch) wheel.close(); }
  else if (action === "scoreboard") {
    find("[data-scoreboard]").hidden = !down;
    if (down && picture.snapshot) hud.drawScoreboard(side.state, memory, picture.snapshot);
  }
  else if (!down) return;
  else if (action === "instruct") {
    event?.preventDefault();
    if (side.end) find("[data-leads]")?.focus(); else side.openBox();
  }
  else if (action === "map") toggleMap();
  else if (action === "menu" && openMenus().length) return; // which Escape closes first (lib/page.js)
  else if (action === "menu") { if (!find("[data-big-map]").hidden) toggleMap(); else toggleMenu(); }
  else if (action === "watch") eyes.next(1, side.state, memory);
  else if (action === "sound") toggleSound();
  else if (action === "yes") side.yes();
  else if (action === "plan") side.plan?.toggle();
  else if (action === "copilot") copilot();
}

function copilot() {
  if (side.state.role === "copilot" && !side.state.end)
    net.send({ type: steers(side.state) ? "hand_back" : "take_control" });
}
find("[data-copilot]")?.addEventListener("click", copilot);

/** Somebody who only watches turns with the arrow keys to the next one. */
document.addEventListener("keydown", (event) => {
  if (eyes.mine || !["ArrowLeft", "ArrowRight"].includes(event.key)
    || closest(event, "input, textarea, select, dialog")) return;
  event.preventDefault();
  eyes.next(event.key === "ArrowRight" ? 1 : -1, side.state, memory);
});

if (touch) stage.addEventListener("click", () => { if (!eyes.mine) eyes.next(1, side.state, memory); });

/**
 * What goes with an instruction: the place it is about, which is marked on the map where the words point at it.
 * @param {string} text
 * @param {{x: number, y: number, seat: number|null}|null} point of the map; null: what is looked at
 */
function about(text, point) {
  const scene = picture.snapshot ? net.frame(performance.now()) : null;
  const aim = point ?? (scene && bytes ? lookedAt(bytes, scene.doors, scene.camera, scene.players) : null);
  if (!aim) return {};
  if (/\b(there|that one|here|this)\b/i.test(text))
    memory.marks.push({ x: aim.x, y: aim.y, text, at: performance.now() });
  return { aim };
}

// --- Menus -----------------------------------------------------------------------------------------------------------

const menuIsOpen = () => !find("[data-menu]").hidden || !find("[data-big-map]").hidden || Boolean(side.state.end);

function toggleMap(open = find("[data-big-map]").hidden) {
  find("[data-big-map]").hidden = !open;
  controls.setMenu(menuIsOpen());
  mapDrawnAt = 0;
  showVeil();
}

function toggleMenu(open = find("[data-menu]").hidden) {
  find("[data-menu]").hidden = !open;
  controls.setMenu(menuIsOpen());
  if (open) find("[data-continue]").focus({ preventScroll: true });
  showVeil();
}

/** What to do when keys don't move the player: nothing while they do, or while something else is open. */
function showVeil() {
  const veil = find("[data-veil]"),
    busy = stage.hasAttribute("aria-busy") || document.body.classList.contains("talking") || menuIsOpen();
  const plays = steers(side.state) && eyes.mine;
  const on = !busy && !controls.active && (plays || (!eyes.sees && !touch));
  veil.hidden = !on;
  if (veil.hidden) return;
  const waiting = !side.state.countdown && !(Number(stage.dataset.tick) > 1);
  const at = { touch, plays, waiting, tells: page.seat !== null, pointer: controls.state, played: eyes.played };
  const words = veilWords(at, (action) => keysOf(action, bindings)[0]);
  find("[data-veil-title]").textContent = words[0];
  find("[data-veil-text]").textContent = words[1];
  find("[data-keyboard-aim]").hidden = touch || !plays;
}

function showEnd() {
  const { headline, detail } = ending(side.state), after = side.state.end.after || page.after;
  find("[data-end-title]").textContent = `${headline}.`;
  find("[data-end-text]").textContent = detail;
  for (const link of findAll("[data-end-after]")) link.href = after;
  // Nothing that was open belongs to a match that is over.
  wheel.hide();
  side.closeBox();
  for (const part of ["[data-menu]", "[data-big-map]", "[data-scoreboard]"]) find(part).hidden = true;
  root.classList.add("ended");
  find("[data-end]").hidden = false;
  controls.setMenu(true);
  announce(`${headline}. ${detail}`.trim());
  find("[data-end]").focus({ preventScroll: true });
  leadOn(find("[data-end] a"));
}

fillMenu(settings, look, bindings, {
  onSettings: (changed) => {
    setVolumes(changed);
    const moved = lessMotion(changed) !== lessMotion(settings);
    settings = changed;
    controls.setSettings(settings);
    if (moved && bytes) openView();
    showVeil();
  },
  onView: (changed) => {
    const redraw = changed.quality !== look.quality;
    look = changed;
    if (redraw && bytes) openView();
  },
});
find("[data-continue]").addEventListener("click", () => toggleMenu(false));
find("[data-open-menu]").addEventListener("click", () => toggleMenu());
find("[data-keyboard-aim]").addEventListener("click", () => {
  settings = saveSettings({ ...settings, keyboardAim: true });
  controls.setSettings(settings);
});
find("[data-close-map]").addEventListener("click", () => toggleMap(false));
find("[data-big-map] canvas").addEventListener("click", (event) => {
  const { left, top } = event.target.getBoundingClientRect(),
    point = bigMap.pointAt(event.clientX - left, event.clientY - top);
  if (!point || page.seat === null) return;
  side.tell("Go there", {}, { ...point, seat: null });
  toggleMap(false);
});

function toggleSound(on = !soundIsOn()) {
  setSound(on);
  const button = find("[data-sound]");
  button.setAttribute("aria-pressed", String(on));
  button.title = `Sound is ${on ? "on" : "off"} (${keysOf("sound", bindings)[0]})`;
}
find("[data-sound]").addEventListener("click", () => toggleSound());

/** The keys stand in the menu. */
function showKeys() {
  find("[data-menu] details").open = true;
  toggleMenu(true);
}
find("[data-help]").addEventListener("click", showKeys);
window.addEventListener("keydown", (event) => {
  if (event.key !== "?" || isTyping(event.target)) return;
  event.preventDefault();
  event.stopPropagation();
  if (find("[data-menu]").hidden) showKeys(); else toggleMenu(false);
}, { capture: true });
toggleSound(soundIsOn());
// A click on a button must not leave the focus there: Space jumps.
document.addEventListener("click", (event) => {
  if (event.detail > 0) closest(event, ".arena-bar button, .arena-hud button")?.blur();
});
showVeil();
