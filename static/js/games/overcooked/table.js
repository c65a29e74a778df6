/**
 * The page on which a kitchen is played: takes frames from the match host, shows them without a jump, sends keys and
 * words. Not for: what frames mean (state.js), drawing (overcooked.js, hud.js), the line
 * (lib/match-socket.js).
 */
import { coach } from "../../coach.js";
import { el, find, findAll, pageData, touchOnly } from "../../lib/dom.js";
import { goOn, leadOn, registerKeys, showHelp } from "../../lib/keys.js";
import { keepDraft } from "../../lib/draft.js";
import { listenForLeaving, seenOut, whatLeavingDoes } from "../../lib/leave.js";
import { announce, ConnectionSigns } from "../../lib/live.js";
import { many } from "../../lib/many.js";
import { MatchSocket, uuid } from "../../lib/match-socket.js";
import { openMenus } from "../../lib/menus.js";
import { play, setSound, soundIsOn } from "../../lib/sound.js";
import { toast } from "../../lib/toast.js";
import { ACTIONS, announcements, INTERACT, Kitchen, readySentences, STAY } from "./overcooked.js";
import { Held, listenToPad } from "./controls.js";
import { drawBanners, drawBar, drawBubbles, drawOrders, drawReadings, drawReady, drawStateList } from "./hud.js";
import { ReadingBox } from "../../reading-box.js";
import { company } from "../../readings.js";
import { SeenWords } from "../../seen-words.js";
import { asking, listenForAnswers, spoken } from "../../reading-ask.js";
import { standInOffer } from "../../stand-in.js";
import { news } from "../../told.js";
import { driver, fresh, next, ownSeat, perSecond, readings, steers, stepTime } from "./state.js";

/** After this many ms a look that was drawn ahead of the host counts as refused. */
const AHEAD = 700;
const TONES = { pick: "pick", pick_counter: "pick", pick_soup: "pick", place_counter: "put", put_pot: "put",
  start_pot: "put", deliver: "deliver" };

const page = pageData("page");
const stage = find("[data-stage]");
const kitchen = new Kitchen(find("canvas", stage));
const box = find("[data-instruct-text]");
let state = fresh(page);
/** The last direction that was pressed and not yet seen in a state: {seq, at}. */
let ahead = null;

const names = () => state.seats.map((seat) => seat.name);
const copilotKey = () =>
  (touchOnly() ? null : (pageData("key-bindings", {})["kitchen.copilot"]?.[0] || "c").toUpperCase());

const signs = new ConnectionSigns(() => (page.seat === null
  ? "you miss nothing but these seconds"
  : "your chef stands still until then"));
const socket = new MatchSocket(page.ticket, receive, (status) => {
  const open = signs.open;
  signs.show(status);
  stage.classList.toggle("offline", status.state !== "open");
  if (!open && signs.open) held.again();
}, (milliseconds) => signs.latency(milliseconds));

const guide = coach({ tell: (text, meant) => tell(text, meant), send: (message) => socket.send(message) });
const seen = new SeenWords(find("[data-seen-words]"), (seat) => socket.send({ type: "see", seat }), () => state.seats);

// --- What the host says ---

function receive(frame, answered) {
  if (seenOut(frame, answered)) return;
  guide(frame);
  const before = state;
  const now = performance.now();
  state = next(state, frame, now);
  if (frame.type === "joined") socketJoined();
  if (frame.type === "state") newView(before, now);
  else if (["notice", "control"].includes(frame.type) && frame.text) { toast(frame.text); announce(frame.text); }
  else if (frame.type === "utterance" && frame.seat !== page.seat) {
    announce(`${names()[frame.seat]} says: ${frame.text}`);
    play("tell");
  }
  else if (frame.type === "reason") announce(`${names()[frame.seat]}: ${state.words.at(-1).text}`);
  else if (frame.type === "instruction") heard(frame);
  else if (frame.type === "standing") { const stands = news(frame, state.told, names()); if (stands) announce(stands); }
  else if (frame.type === "countdown") {
    announce(`It starts in ${many(Math.ceil(frame.seconds), "second")}.`);
    play("start");
  }
  else if (frame.type === "paused") announce(frame.text);
  else if (frame.type === "end") showEnd(frame);
  else if (frame.type === "seen") seen.show(frame);
  else if (frame.type === "error") refused(frame, answered);
  draw(now);
}

function socketJoined() {
  document.body.dataset.role = state.role;
  const late = find("[data-late-view]");
  if (late) late.hidden = state.role !== "spectator";
}

function newView(before, now) {
  const { view } = state;
  const first = !kitchen.view;
  seen.changed();
  // After a gap (a lost line, a hidden page) chefs stand where they are: nothing runs to catch up.
  const duration = before.view && view.tick - before.view.tick === 1 ? stepTime(state) : 0;
  kitchen.show(view, { seat: ownSeat(state) ?? null, perSecond: perSecond(state), duration, now });
  if (ahead && ((state.key !== null && state.key >= ahead.seq) || now - ahead.at > AHEAD || !steers(state))) {
    ahead = null;
    kitchen.turn(null, null);
  }
  if (first) { fit(); drawReady(readySentences(view), tell); stage.removeAttribute("aria-busy"); }
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

function heard(frame) {
  if (frame.status === "unread") toast(frame.sentence || `“${frame.text}” wasn't understood.`, { bad: true });
  if (frame.seat === page.seat) announce(spoken(frame));
  if (frame.status === "confirmed") play("tell");
}

function refused(frame) {
  // A key that came too late for its tick, or twice, costs nothing and needs no words.
  if (["duplicate", "stale", "elsewhere", "signed_out", "over"].includes(frame.code)) return;
  toast(frame.text, { bad: true });
  announce(frame.text);
}

function showEnd(frame) {
  held.clear();
  play("end");
  const bar = find("[data-over-bar]");
  const words = frame.reason === "finished"
    ? `Time is up: ${many(frame.score, "point")}.`
    : "This game was left before its end.";
  const link = el("a.button", { href: frame.after || page.after, text: "See how it went" });
  bar.replaceChildren(el("span", { text: words }), link);
  bar.hidden = false;
  // Nobody listens any more.
  for (const part of ["[data-leave]", "[data-instruct-form]", "[data-ready-sentences]"]) find(part)
    ?.toggleAttribute("hidden", true);
  leadOn(link);
  announce(words);
}

// --- Drawing ---

function draw(now) {
  if (!state.view) return;
  drawBar(state);
  drawOrders(state.view);
  drawReadings(state, now, answers);
  drawBanners(state, now, copilotKey());
  find("[data-spectators]").textContent = state.spectators ? `${state.spectators} watching` : "";
  showTakeover();
  const take = find("[data-copilot]");
  if (take) {
    take.hidden = state.role !== "copilot" || Boolean(state.end);
    take.textContent = steers(state) ? "Hand it back" : "Take over";
  }
}

function showTakeover() {
  const button = find("[data-takeover]");
  if (!button) return;
  const offer = state.end ? null : standInOffer(state.seats, page.seat, names(), performance.now());
  button.hidden = !offer;
  if (!offer) return;
  Object.assign(button, { textContent: offer.text, disabled: offer.waits });
  button.dataset.seat = offer.seat;
}

function frame(now) {
  requestAnimationFrame(frame);
  if (!kitchen.view || document.hidden) return;
  kitchen.draw(now);
  drawBubbles(state, kitchen, now);
  drawBanners(state, now, copilotKey());
}
requestAnimationFrame(frame);
setInterval(() => {
  if (state.view) { drawStateList(state, names()); drawReadings(state, performance.now(), answers); showTakeover(); }
}, 1000);

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
  if (!steers(state)) return;
  if (!perSecond(state)) {
    if (type === "press") socket.send({ type: "move", tick: state.view.tick, action });
    return;
  }
  const seq = socket.sendOnce({ type, action });
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
const stay = () => { if (!perSecond(state)) press(STAY); };

function copilot() {
  if (state.role !== "copilot" || state.end) return;
  if (steers(state)) { held.clear(); socket.send({ type: "hand_back" }); } else socket.send({ type: "take_control" });
}

const key = (name, keys, label, run) => ({ name, keys, label, run });
/** Where the keys lie, the same on every layout. */
const placed = (name, keys, label, run, release) => ({ name, keys, label, run, release, places: true });
const speak = (index) => {
  const sentence = state.view && readySentences(state.view)[index];
  if (sentence && box) tell(sentence);
};
registerKeys([
  placed("kitchen.north", ["ArrowUp", "KeyW"], "Walk up", () => press(0), () => held.release(0)),
  placed("kitchen.south", ["ArrowDown", "KeyS"], "Walk down", () => press(1), () => held.release(1)),
  placed("kitchen.east", ["ArrowRight", "KeyD"], "Walk right", () => press(2), () => held.release(2)),
  placed("kitchen.west", ["ArrowLeft", "KeyA"], "Walk left", () => press(3), () => held.release(3)),
  placed("kitchen.act", ["Space", "KeyE"], "Act: take, put down, cook, serve", () => press(INTERACT)),
  key("kitchen.stay", [".", "x"], "Stay for this move (turn by turn)", stay),
  key("kitchen.copilot", ["c"], "Co-pilot: take over, hand back", copilot),
  key("kitchen.instruct", ["Enter", "t"], "Tell your partner something", () => (state.end ? goOn() : openBox())),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => key(`kitchen.say${n}`, [String(n)], `Say ready sentence ${n}`,
    () => speak(n - 1))),
  key("kitchen.yes", ["y"], "Yes, that is what I meant", () => {
    const chip = asking(readings(state, performance.now()));
    if (chip) answers.confirm(chip.id);
  }),
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

// --- Words ---

function openBox() {
  if (!box) return;
  document.body.classList.add("talking");
  box.focus();
}

function closeBox() {
  document.body.classList.remove("talking");
  box.blur();
}

/**
 * @param {string} text
 * @param {{choice?: number|null, opinion?: string|null, replaces?: string|null}} [meant] the reading that was chosen,
 *   what the language model said of it, the instruction said again
 */
function tell(text, { choice = null, opinion = null, replaces = null } = {}) {
  if (page.seat === null || state.end) return;
  if (!agentsListen()) socket.send({ type: "say", text });
  else if (replaces) socket.send({ type: "rewrite", id: replaces, new_id: uuid(), text, choice, opinion });
  else socket.send({ type: "instruct", id: uuid(), text, target: null, choice, opinion });
}

const agentsListen = () =>
  state.seats.some((seat, index) => index !== page.seat && (seat.kind === "agent" || driver(state, index) === "agent"));

const withdraw = (id) => socket.send({ type: "withdraw", id });
const reading = box && new ReadingBox({ box, panel: find("[data-reading]"), url: page.read, askUrl: page.ask,
  game: page.game, said: page.said_before, company: () => company(state.seats, page.seat), listens: agentsListen });
keepDraft(box, page.match, (text) => reading.set(text));
/** The instruction that is being said again, in other words. @type {string|null} */
let rewriting = null;
function reword(id, text) {
  openBox();
  rewriting = id;
  reading.set(text);
  box.select();
}

/** What one may say to a reading. */
const answers = {
  withdraw, reword,
  confirm: (id) => socket.send({ type: "confirm_reading", id }),
  choose: (id, choice) => socket.send({ type: "rewrite", id, new_id: uuid(), choice }),
};
listenForAnswers(() => (state.end ? [] : readings(state, performance.now())), answers);

if (box) {
  find("[data-instruct-form]").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = box.value.trim();
    if (text) { tell(text, { ...reading.chosen, replaces: rewriting }); reading.sent(text); }
    closeBox();
  });
  box.addEventListener("keydown", (event) => { if (event.key === "Escape") closeBox(); });
  box.addEventListener("blur", () => { rewriting = null; document.body.classList.remove("talking"); });
  find("[data-talk]")?.addEventListener("click",
    () => (document.body.classList.contains("talking") ? closeBox() : openBox()));
}

listenForLeaving(() => whatLeavingDoes(state.seats, page.seat, state.standIn), () => socket.send({ type: "leave" }));
find("[data-takeover]")?.addEventListener("click",
  (event) => socket.send({ type: "takeover", seat: Number(event.currentTarget.dataset.seat) }));

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
  if (event.detail > 0) event.target.closest?.("button")?.blur();
});
