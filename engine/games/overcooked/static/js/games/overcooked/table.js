/**
 * The page on which a kitchen is played: takes frames from the match host, shows them without a jump, sends keys and
 * words. Not for: what frames mean (state.js), drawing (overcooked.js, hud.js), the line
 * (lib/match-socket.js).
 */
import { closest, find, findAll, pageData, touchOnly } from "../../lib/dom.js";
import { goOn, registerKeys, showHelp } from "../../lib/keys.js";
import { announce } from "../../lib/live.js";
import { many } from "../../lib/many.js";
import { openMenus } from "../../lib/menus.js";
import { play, setSound, soundIsOn } from "../../lib/sound.js";
import { TableSide } from "../../table-side.js";
import { ownSeat } from "../../table-state.js";
import { ACTIONS, announcements, INTERACT, Kitchen, readySentences, STAY } from "./overcooked.js";
import { Held, listenToPad } from "./controls.js";
import { planLook } from "./plan-look.js";
import { drawBanners, drawBar, drawBubbles, drawOrders, drawReady, drawStateList } from "./hud.js";
import { fresh, next, perSecond, steers, stepTime } from "./state.js";

/** After this many ms a look that was drawn ahead of the host counts as refused. */
const AHEAD = 700;
const TONES = { pick: "pick", pick_counter: "pick", pick_soup: "pick", place_counter: "put", put_pot: "put",
  start_pot: "put", deliver: "deliver" };

const page = pageData("page");
const stage = find("[data-stage]");
const kitchen = new Kitchen(find("canvas", stage));
/** The last direction that was pressed and not yet seen in a state: {seq, at}. */
let ahead = null;

const copilotKey = () => (touchOnly()
  ? null
  : (pageData("key-bindings", {})["kitchen.copilot"]?.[0] || "c").toUpperCase());

const side = new TableSide(page, {
  receive, draw,
  state: { fresh, next },
  meanwhile: () => "your chef stands still until then",
  status: (status, opens) => {
    stage.classList.toggle("offline", status.state !== "open");
    if (opens) held.again();
  },
  endWords: (frame) => `Time is up: ${many(frame.score, "point")}.`,
  plan: { look: planLook, onTargets: (targets) => kitchen.setTargets(targets) },
});
const names = () => side.names();

// --- What the host says ---

function receive(frame, _answered, before) {
  if (frame.type === "joined") socketJoined();
  else if (frame.type === "state") newView(before, performance.now());
  else if (frame.type === "utterance" && frame.seat !== page.seat) play("tell");
  else if (frame.type === "instruction" && frame.status === "confirmed") play("tell");
  else if (frame.type === "countdown") {
    announce(`It starts in ${many(Math.ceil(frame.seconds), "second")}.`);
    play("start");
  } else if (frame.type === "paused") announce(frame.text);
  else if (frame.type === "end") {
    held.clear();
    play("end");
    find("[data-ready-sentences]")?.toggleAttribute("hidden", true);
  // A key that came too late for its tick costs nothing and needs no words.
  } else if (frame.type === "error") side.tellError(frame, "stale", "over");
}

function socketJoined() {
  document.body.dataset.role = side.state.role;
  const late = find("[data-late-view]");
  if (late) late.hidden = side.state.role !== "spectator";
}

function newView(before, now) {
  const { state } = side, { view } = state;
  const first = !kitchen.view;
  side.seen?.changed();
  // After a gap (a lost line, a hidden page) chefs stand where they are: nothing runs to catch up.
  const duration = before.view && view.tick - before.view.tick === 1 ? stepTime(state) : 0;
  kitchen.show(view, { seat: ownSeat(state) ?? null, perSecond: perSecond(state), duration, now });
  if (ahead && ((state.key !== null && state.key >= ahead.seq) || now - ahead.at > AHEAD || !steers(state))) {
    ahead = null;
    kitchen.turn(null, null);
  }
  if (first) {
    fit();
    drawReady(readySentences(view), (sentence) => side.tell(sentence));
    stage.removeAttribute("aria-busy");
  }
  for (const sentence of announcements(before.view, view, names())) announce(sentence);
  if (duration) {
    for (const event of view.last.events) play(TONES[event.kind]);
    if (view.pots.some((pot, i) => pot.state === "ready" && before.view.pots[i]?.state !== "ready")) play("ready");
  }
  const seat = ownSeat(state);
  stage.dataset.tick = view.tick;
  if (seat !== null && seat !== undefined) {
    const cook = view.cooks[seat];
    stage.dataset.own = `${cook.x},${cook.y},${cook.facing}`;
  }
}

// --- Drawing ---

function draw(now) {
  const { state } = side;
  if (!state.view) return;
  drawBar(state);
  drawOrders(state.view);
  drawBanners(state, now, copilotKey());
  const take = find("[data-copilot]");
  if (take) {
    take.hidden = state.role !== "copilot" || Boolean(state.end);
    take.textContent = steers(state) ? "Hand it back" : "Take over";
  }
}

function frame(now) {
  requestAnimationFrame(frame);
  if (!kitchen.view || document.hidden) return;
  kitchen.draw(now);
  drawBubbles(side.state, kitchen, now);
  drawBanners(side.state, now, copilotKey());
}
requestAnimationFrame(frame);
setInterval(() => { if (side.state.view) drawStateList(side.state, names()); }, 1000);

/** The kitchen takes the room that the rest of the page leaves. */
function fit() {
  if (!kitchen.view) return;
  kitchen.fit(stage.clientWidth, stage.clientHeight);
  const lengths = { beside: kitchen.canvas.offsetLeft, kitchen: kitchen.canvas.clientWidth, room: stage.clientHeight };
  for (const [name, length] of Object.entries(lengths)) find(".kitchen-page").style.setProperty(`--${name}`,
    `${length}px`);
  kitchen.draw();
}
new ResizeObserver(fit).observe(stage);

// --- Keys, fingers ---

const held = new Held((type, action) => {
  const { state } = side;
  if (!steers(state)) return;
  if (!perSecond(state)) {
    if (type === "press") side.send({ type: "move", tick: state.view.tick, action });
    return;
  }
  const seq = side.line.sendOnce({ type, action });
  if (type === "press" && action < STAY && seq !== null) {
    ahead = { seq, at: performance.now() };
    kitchen.turn(ownSeat(state), ACTIONS[action]);
  }
});

/** Whoever cooks on is done with the menu; its summary must not keep the focus, or Space would open it again. */
for (const menu of findAll("details.copilots")) {
  menu.addEventListener("toggle", () => { if (!menu.open) find("summary", menu).blur(); });
}
const press = (action) => {
  for (const menu of openMenus()) menu.open = false;
  held.press(action);
};
/** In real time a chef stays by itself. */
const stay = () => { if (!perSecond(side.state)) press(STAY); };

function copilot() {
  const { state } = side;
  if (state.role !== "copilot" || state.end) return;
  if (!steers(state)) { side.send({ type: "take_control" }); return; }
  held.clear();
  side.send({ type: "hand_back" });
}

const key = (name, keys, label, run) => ({ name, keys, label, run });
/** Where the keys lie, the same on every layout. */
const placed = (name, keys, label, run, release) => ({ name, keys, label, run, release, places: true });
const speak = (index) => {
  const sentence = side.state.view && readySentences(side.state.view)[index];
  if (sentence && side.box) side.tell(sentence);
};
registerKeys([
  placed("kitchen.north", ["ArrowUp", "KeyW"], "Walk up", () => press(0), () => held.release(0)),
  placed("kitchen.south", ["ArrowDown", "KeyS"], "Walk down", () => press(1), () => held.release(1)),
  placed("kitchen.east", ["ArrowRight", "KeyD"], "Walk right", () => press(2), () => held.release(2)),
  placed("kitchen.west", ["ArrowLeft", "KeyA"], "Walk left", () => press(3), () => held.release(3)),
  placed("kitchen.act", ["Space", "KeyE"], "Act: take, put down, cook, serve", () => press(INTERACT)),
  key("kitchen.stay", [".", "x"], "Stay for this move (turn by turn)", stay),
  key("kitchen.copilot", ["c"], "Co-pilot: take over, hand back", copilot),
  key("kitchen.instruct", ["Enter", "t"], "Tell your partner something", () => (side.end ? goOn() : side.openBox())),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => key(`kitchen.say${n}`, [String(n)], `Say ready sentence ${n}`,
    () => speak(n - 1))),
  key("kitchen.yes", ["y"], "Yes, that is what I meant", () => side.yes()),
  key("kitchen.sound", ["m"], "Sound on or off", () => toggleSound()),
]);

for (const pad of findAll("[data-pad]")) listenToPad(pad, held);
for (const button of findAll("[data-act]")) {
  button.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    button.classList.add("down");
    press(INTERACT);
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) button.addEventListener(name,
    () => button.classList.remove("down"));
}
find("[data-stay]")?.addEventListener("click", stay);
find("[data-copilot]")?.addEventListener("click", copilot);
find("[data-talk]")?.addEventListener("click",
  () => (document.body.classList.contains("talking") ? side.closeBox() : side.openBox()));

// --- Sound, help, focus ---

function toggleSound(on = !soundIsOn()) {
  setSound(on);
  const button = find("[data-sound]");
  button.setAttribute("aria-pressed", String(on));
  button.title = on ? "Sound is on (M)" : "Sound is off (M)";
  play("tell");
}
find("[data-sound]").addEventListener("click", () => toggleSound());
find("[data-help]").addEventListener("click", showHelp);
toggleSound(soundIsOn());

// A click on a button must not leave the focus there: Space acts in the kitchen.
document.addEventListener("click", (event) => {
  if (event.detail > 0) closest(event, "button")?.blur();
});
