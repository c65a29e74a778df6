/**
 * What the Arena page knows besides the picture, and how frames, snapshots and events change it: who is who, the kill
 * feed, marks, captions, hurts, hints. Pure functions of numbers and lists; `now` in ms. Not for: drawing (hud.js),
 * the picture (view.js).
 */
import {
  DOOR_ARM, DOOR_EVENT, DOWNED, DROPPED, FALL_HIT, FULL_HP, HIT, HIT_BY, HIT_TICK, HIT_YAW, HP, KILL, KNOCK, LIFE,
  MAGAZINE, MAX_SEATS, MEDKIT, MEDKITS, MONSTER_BITES, MONSTER_DEAD, MONSTER_HIT, PICKED, RELOAD, RELOADED, RELOADS,
  RESCUE, RESCUE_TICKS, RESCUED, RESCUED_EVENT, SHOT, SHOTGUN, SLOT, STEP, TREAT, TREAT_TICKS, TREATED, UP, VEST,
  WEAPON, X, Y, ZONE_HIT, ARM, HELPED_BY, AMMO, WHOLE,
} from "./rules.js";
import { many } from "../../lib/many.js";
import * as table from "../../table-state.js";
import { news, quoted, seatsNow } from "../../told.js";

export const { driver, nameOf, ownSeat, steers } = table;

export const WEAPON_NAMES = ["no weapon", "pistol", "submachine gun", "rifle", "shotgun", "sniper rifle"];
export const SUPPLY_NAMES = ["", ...WEAPON_NAMES.slice(1), "ammunition", "medical kit", "vest"];
/** Milliseconds for which lines of the feed, captions, hurts and marks stay. */
export const FEED = 7000, CAPTION = 2200, HURT = 1600, MARK = 20000, HEARD = 2600, LAST_SEEN = 5000;
const TURN = 65536;
const REMEMBERED = 8;

/** What a page begins with. @param {{seat: number|null}} page */
export const fresh = (page) => ({ ...table.fresh(page), options: { teams: 2, team_size: 4 }, mapSeed: null });

const ARENA = {
  /** One is heard by one's own squad. */
  audience: (state, seat) => teamSeats(state, seat),
  kept: (state, frame) => ({ options: frame.options ?? state.options,
    mapSeed: frame.map_seed ?? frame.options?.map_seed ?? 0 }),
};

/** The state after a JSON frame of the match host. */
export const next = (state, frame, now) => table.next(state, frame, now, ARENA);

export const teamOf = (state, seat) => Math.floor(seat / state.options.team_size);
/** The seats of a seat's team, with itself. */
export const teamSeats = (state, seat) => Array.from({ length: state.options.team_size },
  (_, i) => teamOf(state, seat) * state.options.team_size + i);
/**
 * How many are left: ["8", " players in 2 squads"]; the second part is for where there is room.
 * @param {{playersLeft: number, teamsLeft: number}} snapshot
 * @param {number} size of a squad
 */
export const whoIsLeft = ({ playersLeft, teamsLeft }, size) => [`${playersLeft}`,
  `${playersLeft === 1 ? " player" : " players"}${size > 1 ? ` in ${many(teamsLeft, "squad")}` : ""}`];

/** A name in the part that may be cut and the number that tells twins apart, which may not: ["Weak squad", " 2"]. */
export const toldApart = (name) => name.match(/^(.*?)( \d+)?$/s).slice(1).filter(Boolean);

/**
 * What a co-pilot is told of who plays; "" for everybody else, and while there is nobody to play.
 * @param {string|null} key null: there are no keys @param {boolean[]} out by seat
 */
export function pilotLine(state, key, out) {
  const seat = ownSeat(state);
  if (state.role !== "copilot" || state.end || out[seat]) return "";
  const [says, does] = steers(state)
    ? [`You play for ${nameOf(state, seat)}.`, "hands it back"]
    : [`You are the co-pilot of ${nameOf(state, seat)}.`, "takes over"];
  return key ? `${says} ${key} ${does}.` : says;
}

/**
 * Title and text over a stage whose keys move nobody.
 * @param {{touch: boolean, plays: boolean, waiting: boolean, tells: boolean, pointer: string, played: boolean}} at
 *   `waiting`: the match hasn't begun; `tells`: this page may give orders; `pointer`: how the mouse is held (lock.js)
 * @param {(action: string) => string} keyOf
 * @returns {[string, string]}
 */
export function veilWords({ touch, plays, waiting, tells, pointer, played }, keyOf) {
  if (touch) {
    const orders = " “Orders” tells your squad what to do; on the map you tap where it should go.";
    return [waiting ? "Tap to begin: the match waits for you" : "Tap to play",
      `Left thumb walks, right thumb looks round.${tells ? orders : ""}`];
  }
  if (pointer === "unsupported")
    return ["This browser can't hold the mouse.", "You can play with the keyboard: arrow keys turn, K aims."];
  if (pointer === "waiting") return ["One moment …", "The browser gives the pointer back shortly."];
  if (!plays) {
    const fly = ["forward", "left", "back", "right"].map(keyOf).join(" ");
    return ["Click to look around", `The mouse turns, ${fly} fly, ${keyOf("watch")} watches somebody.`];
  }
  const title = played ? "Paused for you, not for the others."
    : waiting ? "Click to begin: the match waits for you" : "Click to play";
  const keys = tells
    ? `${keyOf("instruct")} talks to your squad, ${keyOf("sentences")} has ready sentences`
    : `${keyOf("copilot")} hands back to the agent`;
  return [title, `Esc lets go of the mouse, ${keys}.`];
}

// --- What snapshots and events leave behind ----------------------------------------------------------------------

/** What is remembered of events. Changed in place: twenty times a second is too often for copies. */
export const newMemory = () => ({
  feed: [], captions: [], hurts: [], marks: [], shots: [], hitAt: -Infinity, hitKind: "", lastHitTick: null,
  // By seat: the tick in which they went out (-1: still in) and by whom, whether they are out on the screen.
  fell: new Int32Array(MAX_SEATS).fill(-1), fellBy: new Int8Array(MAX_SEATS).fill(-1),
  out: new Array(MAX_SEATS).fill(false),
  knocks: new Int16Array(MAX_SEATS), told: new Set(),
  seen: Array.from({ length: MAX_SEATS }, () => ({ x: 0, y: 0, at: -Infinity })),
});

const keep = (list, one, most = REMEMBERED) => { list.push(one); if (list.length > most) list.shift(); };

/** Take out what is over; true when something went. */
export function forget(memory, now) {
  let gone = false;
  const lives = { feed: FEED, captions: CAPTION, hurts: HURT, marks: MARK, shots: HEARD };
  for (const [name, life] of Object.entries(lives)) {
    const list = memory[name];
    while (list.length && now - list[0].at > life) { list.shift(); gone = true; }
  }
  return gone;
}

/**
 * What everybody was told before this line was opened: a list of {kind, seat, other, tick}, the tick after which it was
 * so.
 */
export function noteHistory(memory, history) {
  memory.fell.fill(-1);
  for (const event of history ?? []) if (event.kind === KILL) noteOut(memory, { ...event, tick: event.tick - 1 });
}

/** Somebody went out, which happens once a match: whether it is new. */
function noteOut(memory, { seat, other, tick }) {
  memory.out[other] = true;
  if (memory.fell[other] >= 0) return false;
  memory.fell[other] = tick;
  memory.fellBy[other] = seat;
  return true;
}

/** How many players a seat has put out. */
export const killsOf = (memory, seat) =>
  memory.fell.reduce((sum, tick, other) => sum + Number(tick >= 0 && memory.fellBy[other] === seat), 0);

/** The place of a team that is out; 0 while somebody of it is in. Teams that go in one tick share theirs. */
export function placeOf(state, memory, team) {
  const { teams, team_size: size } = state.options;
  const gone = Array.from({ length: teams }, (_, one) => {
    const ticks = memory.fell.subarray(one * size, one * size + size);
    return ticks.includes(-1) ? Infinity : Math.max(...ticks);
  });
  return gone[team] === Infinity ? 0 : 1 + gone.filter((tick) => tick > gone[team]).length;
}

/** "Your squad is out: place 3 of 5." */
export const squadOut = (state, place) =>
  `${state.options.team_size > 1 ? "Your squad is" : "You are"} out: place ${place} of ${state.options.teams}.`;

/**
 * What the end of a match is for this page, as the host tells it: {headline, detail}; for a co-pilot what it is for the
 * agent.
 */
export function ending(state) {
  const told = state.end.told?.[ownSeat(state)];
  const played = state.page.seat !== null && driver(state, state.page.seat) === "agent"
    ? "An agent played on for you."
    : "";
  return { headline: told?.headline ?? state.end.headline,
    detail: state.page.seat === null ? "" : [told?.detail, played].filter(Boolean).join(" ") };
}

/** A snapshot: where enemies were last seen, and what hit the player whose record it is. */
export function noteSnapshot(memory, snapshot, now) {
  // Whoever is out watches late: what is told already may not have happened yet on the screen.
  for (let seat = 0; seat < MAX_SEATS; seat += 1) memory.out[seat] = memory.fell[seat] >= 0
    && memory.fell[seat] < snapshot.tick;
  for (let i = 0; i < snapshot.playerCount; i += 1) {
    const one = snapshot.players[i];
    if (one.mate) continue;
    const last = memory.seen[one.seat];
    last.x = one.x;
    last.y = one.y;
    last.at = now;
  }
  const { own } = snapshot;
  if (snapshot.seat === 255) return;
  if (memory.lastHitTick !== null && own[HIT_TICK] !== memory.lastHitTick && own[HIT_TICK] >= 0) {
    keep(memory.hurts, { yaw: own[HIT_YAW], by: own[HIT_BY], at: now });
  }
  memory.lastHitTick = own[HIT_TICK];
}

/** What the feed says of an event, each only once: who is shown the match late sees again what they saw live. */
function noteFeed(memory, event, now) {
  const kind = { [KILL]: "kill", [KNOCK]: "knock", [RESCUED_EVENT]: "rescue" }[event.kind];
  // What is only heard names nobody.
  if (!kind || event.other < 0 || (kind === "rescue" && event.seat < 0)) return;
  const key = `${event.tick} ${kind} ${event.other}`;
  if (kind === "kill" ? !noteOut(memory, event) : memory.told.has(key)) return;
  memory.told.add(key);
  if (kind === "knock" && event.seat >= 0) memory.knocks[event.seat] += 1;
  keep(memory.feed, { kind, seat: event.seat, other: event.other, at: now });
}

/** An event: the feed, hit markers, captions. `whereIs`: where a seat is ({x, y} or null). */
export function noteEvent(memory, event, { seat, own, whereIs }, now) {
  noteFeed(memory, event, now);
  if (seat >= 0 && event.seat === seat && [HIT, KNOCK, KILL].includes(event.kind)) {
    const rank = { hit: 0, knock: 1, kill: 2 },
      kind = event.kind === HIT ? "hit" : event.kind === KNOCK ? "knock" : "kill";
    if (now - memory.hitAt > 200 || rank[kind] >= rank[memory.hitKind]) { memory.hitAt = now; memory.hitKind = kind; }
  }
  const what = captionOf(event, seat);
  if (!what || !own) return;
  const at = event.seat >= 0 && event.kind === SHOT ? whereIs(event.seat) : event;
  if (!at) return;
  if (event.kind === SHOT) keep(memory.shots, { x: at.x, y: at.y, at: now }, 24);
  const dx = at.x - own[X], dy = at.y - own[Y];
  const direction = Math.atan2(dx, -dy) * TURN / (2 * Math.PI);
  const far = Math.hypot(dx, dy);
  const same = memory.captions.find((one) => one.what === what && Math.abs(wrap(one.direction - direction)) < 5500);
  if (same) {
    same.direction = direction;
    same.far = far;
    memory.captions.splice(memory.captions.indexOf(same), 1);
    memory.captions.push(same);
    same.at = now;
  } else keep(memory.captions, { what, direction, far, at: now }, 5);
}

/** What a caption says of an event, "" for those that need none: one's own, and what mates do quietly. */
export function captionOf(event, seat) {
  if (seat >= 0 && event.seat === seat) return "";
  switch (event.kind) {
    case SHOT: return event.value === SHOTGUN ? "Shotgun" : event.value > 0 ? "Shots" : "Shot";
    case STEP: return event.value ? "Running steps" : "Steps";
    case DOOR_EVENT: return event.value ? "A door opens" : "A door closes";
    case RELOADED: return "Reloading";
    case PICKED: case DROPPED: return event.seat < 0 ? "Rummaging" : "";
    case TREATED: return event.seat < 0 ? "Bandages" : "";
    case MONSTER_BITES: return "A monster bites";
    case MONSTER_DEAD: return "A monster falls";
    case KNOCK: return event.seat < 0 && event.x ? "Somebody falls" : "";
    default: return "";
  }
}

export const wrap = (angle) => angle - TURN * Math.round(angle / TURN);
/** Turn units clockwise from where one looks, for arrows. */
export const relative = (direction, yaw) => wrap(direction - yaw);

/** Who hurt somebody, in words. */
export function hurtBy(by, name) {
  if (by === MONSTER_HIT) return "a monster";
  if (by === ZONE_HIT) return "the zone";
  if (by === FALL_HIT) return "a fall";
  return by > 0 ? name(by - 1) : "somebody";
}

/** A line of the feed in words. */
export function feedText(line, name) {
  const who = line.seat >= 0 ? name(line.seat) : "", whom = name(line.other), own = whom === "You";
  if (line.kind === "rescue") return `${who} helped ${own ? "you" : whom} up`;
  if (!who) return line.kind === "kill" ? `${whom} ${own ? "are" : "is"} out` : `${whom} ${own ? "are" : "is"} down`;
  return line.kind === "kill" ? `${who} put ${own ? "you" : whom} out` : `${who} knocked ${own ? "you" : whom} down`;
}

/** m:ss of ticks. */
export function clock(ticks) {
  const seconds = Math.max(0, Math.ceil(ticks / 20));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** What the zone does, in words: {text, late}. */
export function zoneLine(zone) {
  if (zone.shrinking) return { text: `Zone closing · ${clock(zone.left)}`, late: true };
  if (zone.blueR >= WHOLE) return { text: "No zone", late: false };
  if (zone.left <= 1) return { text: "The zone has closed", late: true };
  return { text: `Zone closes in ${clock(zone.left)}`, late: zone.left < 200 };
}

/** What takes time now: {text, part 0 … 1} or null. @param {Int16Array} own */
export function working(own, nameOfSeat = (seat) => `Player ${seat + 1}`) {
  if (own[RESCUE] > 0) return { text: `Helping ${nameOfSeat(own[RESCUED] - 1)} up`, part: own[RESCUE] / RESCUE_TICKS };
  if (own[TREAT] > 0) return { text: "Treating yourself", part: own[TREAT] / TREAT_TICKS };
  if (own[RELOAD] > 0) return { text: "Reloading", part: 1 - own[RELOAD] / (RELOADS[own[WEAPON + own[SLOT]]] || 1) };
  if (own[LIFE] === DOWNED && own[HELPED_BY] > 0)
    return { text: `${nameOfSeat(own[HELPED_BY] - 1)} helps you up`, part: -1 };
  return null;
}

/**
 * What the hands could do here: {key, text} or null. `key` is the action whose key is shown.
 * @param {Int16Array} own @param {{mateDown: boolean, door: {open: boolean}|null, supply: {kind: number}|null}} near
 */
export function hint(own, near) {
  if (own[LIFE] !== UP || own[RESCUE] > 0 || own[TREAT] > 0) return null;
  if (near.mateDown) return { key: "interact", text: "hold: help up" };
  if (near.supply) {
    const { kind } = near.supply, counts = kind <= 5 || kind === VEST || kind === MEDKIT;
    return { key: "pick", text: `pick up ${counts ? "the " : ""}${SUPPLY_NAMES[kind]}` };
  }
  if (near.door) return { key: "interact", text: near.door.open ? "close the door" : "open the door" };
  const weapon = own[WEAPON + own[SLOT]];
  if (weapon && own[MAGAZINE + own[SLOT]] === 0 && own[AMMO] > 0 && own[RELOAD] === 0)
    return { key: "reload", text: "reload" };
  if (own[HP] <= FULL_HP / 2 && own[MEDKITS] > 0) return { key: "treat", text: "treat yourself" };
  return null;
}

/** What lies or stands in reach of the own hands, in place. @param {{x: number, y: number, number: number}[]} doors */
export function reach(out, own, snapshot, doors, openDoors) {
  out.mateDown = false;
  out.supply = null;
  out.door = null;
  for (let i = 0; i < snapshot.playerCount; i += 1) {
    const one = snapshot.players[i];
    if (one.mate && one.life === DOWNED && Math.hypot(one.x - own[X], one.y - own[Y]) <= ARM) out.mateDown = true;
  }
  let best = ARM;
  for (let i = 0; i < snapshot.supplyCount; i += 1) {
    const one = snapshot.supplies[i], far = Math.hypot(one.x - own[X], one.y - own[Y]);
    if (far <= best) { best = far; out.supply = one; }
  }
  best = DOOR_ARM;
  for (const one of doors) {
    const far = Math.hypot(one.x - own[X], one.y - own[Y]);
    if (far <= best) { best = far; out.door = { open: Boolean((openDoors >>> one.number) & 1), number: one.number }; }
  }
  return out;
}

/** The squad: a line for each mate and oneself; who isn't in the snapshot is out. */
export function squad(state, snapshot, seat) {
  if (seat === null || seat === undefined || seat > MAX_SEATS) return [];
  return teamSeats(state, seat).map((one) => {
    const mine = one === snapshot.seat ? { life: snapshot.own[LIFE], hp: snapshot.own[HP],
      helped: snapshot.own[HELPED_BY] > 0, busy: snapshot.own[TREAT] > 0 || snapshot.own[RESCUE] > 0 } : null;
    const found = mine ?? snapshot.players.slice(0, snapshot.playerCount).find((player) => player.seat === one);
    const by = driver(state, one);
    return {
      seat: one, name: nameOf(state, one), person: by === "person" || by === "copilot",
      away: state.seats[one]?.kind === "person" && !state.seats[one]?.present,
      life: found?.life ?? 0, hp: found?.life ? found.hp : 0, helped: Boolean(found?.helped),
      busy: Boolean(found?.busy),
      ...(found?.life ? order(state, one) : NO_ORDER),
    };
  });
}

const NO_ORDER = { obeys: "", told: "" };

/**
 * What an agent was told and whether it is at it: `obeys` "obeying", "waiting" or ""; `told` the text, and how many
 * more.
 */
function order(state, seat) {
  if (driver(state, seat) !== "agent") return NO_ORDER;
  const own = [...state.instructions.values()].filter((one) => seatsNow(one).includes(seat)).map((one) => {
    const goal = state.goals[one.id]?.seats?.[seat] ?? state.goals[one.id];
    return { text: one.text, state: goal?.state ?? "waiting" };
  }).filter((one) => ["obeying", "waiting"].includes(one.state)).reverse();
  if (!own.length) return NO_ORDER;
  const at = own.find((one) => one.state === "obeying") ?? own[0];
  return { obeys: at.state, told: `${quoted(at.text, 28)}${own.length > 1 ? ` +${own.length - 1}` : ""}` };
}

/** The instructions of the own squad, of all squads for who watches. */
function ourInstructions(state) {
  const own = ownSeat(state);
  if (own === null || own === undefined) return state.instructions;
  return new Map([...state.instructions].filter(([, one]) => teamOf(state, one.seat) === teamOf(state, own)));
}

/** The chips of the own squad; see `readings` in table-state.js. */
export const squadReadings = (state, now, memory) =>
  table.readings({ ...state, instructions: ourInstructions(state) }, now, (seat) => memory.out[seat]);

/** What a frame says of the own squad's instructions; see `news` in told.js. */
export const squadNews = (state, frame) => news(frame, ourInstructions(state), table.namesOf(state));

/** Ready sentences of the wheel, with what they need: "point" a place that is looked at, "enemy" somebody. */
export const SENTENCES = [
  { text: "Follow me", key: "1" }, { text: "Hold here", key: "2" }, { text: "Go there", key: "3", needs: "point" },
  { text: "Attack that one", key: "4", needs: "enemy" }, { text: "Cover me", key: "5" },
  { text: "Take cover", key: "6" },
  { text: "Loot", key: "7" }, { text: "Heal yourself", key: "8" }, { text: "Rescue our mate", key: "9" },
  { text: "Go prone", key: "0" }, { text: "Hold your fire", key: "-" }, { text: "Rotate to the zone", key: "=" },
];

/** Which sector (0 … count - 1, clockwise from the top) an offset of the mouse chooses; -1 close to the middle. */
export function sector(dx, dy, count, least) {
  if (Math.hypot(dx, dy) < least) return -1;
  const part = Math.atan2(dx, -dy) / (2 * Math.PI);
  return Math.round(part * count + count) % count;
}
