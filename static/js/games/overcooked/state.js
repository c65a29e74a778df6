/**
 * What a kitchen's page knows, and how each frame of the match host changes it: pure functions. Not for: drawing
 * (hud.js, overcooked.js), what the player does (table.js).
 *
 * @typedef {{state: "waiting"|"obeying"|"done"|"unable"|"out", text: string}} Progress `seats`: of each, where several
 *   were told
 */

import { answer } from "../../readings.js";
import { namedFrame, withNames, wordOf } from "../../names.js";
import { PHASES } from "../../reading-ask.js";
import { clocked } from "../../stand-in.js";
import { isOver, notedAt, quoted, standing } from "../../told.js";

/** Milliseconds that words stay over a chef's head, and a chip that is done stays on the page. */
export const BUBBLE = 4500;
export const DONE = 8000;

/** @param {{seat: number|null}} page who looks */
export const fresh = (page) => ({
  page, view: null, seats: [], controls: [], role: page.seat === null ? "spectator" : "player", standIn: null,
  pace: { mode: "real_time", ticks_per_second: 6 }, goals: {}, told: new Map(), words: [], moved: [],
  countdown: null, paused: "", end: null, spectators: 0, key: null,
});

/** What the seats are called on this page. */
const names = (state) => state.seats.map((seat, index) => (index === state.page.seat ? "You" : seat.name));

/** Ticks a second, 0 in a game turn by turn. */
export const perSecond = (state) => (state.pace.mode === "real_time" ? state.pace.ticks_per_second : 0);

/** Milliseconds in which a chef walks to where the new state has it. */
export const stepTime = (state) => (perSecond(state) ? 1000 / perSecond(state) : 180);

/** The state after a frame; `now` in ms. Frames that it doesn't know change nothing. */
export function next(state, frame, now) {
  switch (frame.type) {
    case "joined": return joined(state, frame, now);
    case "state": return newState(state, frame);
    case "presence": return { ...state, seats: clocked(frame.seats, now), spectators: frame.spectators ?? 0 };
    case "instruction": case "standing": case "reason": case "utterance": return heard(state, frame, now);
    case "control": return frame.controls ? { ...state, controls: frame.controls } : state;
    case "countdown": return { ...state, countdown: { seconds: frame.seconds, from: now } };
    case "paused": return { ...state, paused: frame.text };
    case "resumed": return { ...state, paused: "" };
    case "end": return { ...state, end: frame, countdown: null, paused: "",
      seats: state.seats.map((seat, i) => ({ ...seat, name: frame.names[i] ?? seat.name })) };
    default: return state;
  }
}

function joined(state, frame, now) {
  let after = {
    ...fresh(state.page), view: state.view, end: state.end, seats: clocked(frame.seats, now),
    controls: frame.controls
      || frame.seats.map((seat) => (seat.kind === "agent" || seat.stand_in ? "agent" : "person")),
    role: frame.role || state.role, standIn: frame.stand_in, pace: frame.pace || state.pace,
  };
  // Words that were said before this page was there stand in no bubble, and what was over then on no chip.
  for (const event of frame.dialogue || []) after = heard(after, event, -Infinity);
  return withGoals(after, frame.goals || {});
}

function newState(state, frame) {
  const started = frame.tick > 0;
  const after = {
    ...state, view: frame.view, controls: frame.controls || state.controls, moved: frame.moved || [],
    key: frame.key ?? null,
    countdown: started ? null : state.countdown, paused: started && frame.tick !== state.view?.tick ? "" : state.paused,
  };
  return frame.goals ? withGoals(after, frame.goals) : after;
}

/** Progress comes when it changes. */
const withGoals = (state, goals) => ({ ...state, goals: { ...state.goals, ...goals } });

function heard(state, event, now) {
  const frame = namedFrame(event, names(state));
  const word = wordOf(frame, names(state));
  if (word) return { ...state, words: [...state.words, { ...word, at: now }].slice(-20) };
  const known = state.told.get(frame.id);
  const others = (speaker, target) =>
    [...state.seats.keys()].filter((seat) => seat !== speaker && (target === null || seat === target));
  const told = notedAt(state.told, frame, others, now);
  if (frame.type !== "instruction") return { ...state, told };
  const said = known ? [] : [{ seat: frame.seat, text: frame.text }];
  const answered = answer(known, frame, state.controls.flatMap((control, seat) => (control === "agent" ? [seat] : [])))
    ?? [];
  return { ...state, told,
    words: [...state.words, ...[said, answered].flat().map((word) => ({ ...word, at: now }))].slice(-20) };
}

/** What stands over the chefs' heads: [{seat, text}], the last words of each. */
export function bubbles(state, now) {
  const last = new Map();
  for (const word of state.words) if (now - word.at < BUBBLE) last.set(word.seat, word.text);
  return [...last].map(([seat, text]) => ({ seat, text }));
}

/**
 * The chips over the instruction line: what is in force for anybody with how far it is, what waits for an answer, and
 * for a while what is done, was replaced or couldn't be read. `phase`: "read" (not obeyed yet), "unread", "waiting",
 * "obeying", "done" or "replaced"; "unable" or "out" where nobody whom it is for can do anything now, or any more.
 * @param {(seat: number) => boolean} [gone] whether a seat can do nothing any more
 */
export function readings(state, now, gone = () => false) {
  const chips = [];
  for (const one of state.told.values()) {
    const { phase, note, holds } = one.status === "confirmed"
      ? progressOf(state, one, gone)
      : { phase: one.status, note: "", holds: false };
    const since = isOver(phase) ? one.overAt ?? now : phase === "unread" ? one.at : now;
    if (!PHASES[phase] || now - since > DONE) continue;
    const options = phase === "read" ? one.options ?? [] : [];
    chips.push({ id: one.id, text: one.text, sentence: one.sentence, note: withNames(note, names(state)),
      unread: one.unread ?? [], phase, mine: one.seat === state.page.seat, options, holds });
  }
  const others = chips.filter((chip) => !chip.holds).slice(-3);
  return chips.filter((chip) => chip.holds || others.includes(chip));
}

/** How a confirmed instruction stands: {phase, note, holds}; the phase "" where it was meant for nobody. */
function progressOf(state, one, gone) {
  const { state: stands, seats, by } = standing(one), goal = state.goals[one.id];
  const replaced = by.map((id) => quoted(state.told.get(id)?.text ?? "another one", 30)).join(", ");
  const own = (seat) => goal?.seats?.[seat] ?? goal;
  const why = (seat) => cant(state, seat, own(seat), gone);
  const fallen = one.spans.filter((span) => span.why === "out").map((span) => ({ seat: span.seat, why: "out" }));
  if (stands !== "in force")
    return { phase: stands, note: stands === "replaced" ? `replaced by ${replaced}` : cantText(state, fallen),
    holds: false };
  const left = seats.filter((seat) => !why(seat));
  const unable = [...fallen, ...seats.filter(why).map((seat) => ({ seat, why: why(seat) }))];
  const states = left.map((seat) => own(seat)?.state ?? "waiting");
  const phase = ["obeying", "waiting", "done"].find((name) => states.includes(name)) ?? "unable";
  const notes = noteOf(state, one, left, own);
  return { phase,
    note: [!left.length && "nobody is left to do it", notes, cantText(state, unable), by.length > 0
    && `partly replaced by ${replaced}`].filter(Boolean).join(" · "), holds: true };
}

/** Why a seat can do nothing now, "" where it can. */
function cant(state, seat, own, gone) {
  if (gone(seat)) return "out";
  if (own?.state === "unable" || own?.state === "out") return own.text;
  return driver(state, seat) === "person" && state.seats[seat]?.present === false ? "away" : "";
}

/** "Cy can't: out", "2 can't: Cy out, Di down". */
function cantText(state, unable) {
  const called = (seat) => state.seats[seat]?.name ?? `Player ${seat + 1}`;
  if (!unable.length) return "";
  if (unable.length === 1) return `${called(unable[0].seat)} can't: ${unable[0].why}`;
  return `${unable.length} can't: ${unable.map(({ seat, why }) => `${called(seat)} ${why}`).join(", ")}`;
}

/** How far it is: of each seat where they differ, those that are done with a tick. */
function noteOf(state, one, left, own) {
  const ended = one.spans.filter((span) => span.why === "done").map((span) => span.seat);
  const texts = left.map((seat) => own(seat)?.text ?? "");
  if (!ended.length && new Set(texts).size <= 1) return texts[0] ?? "";
  const name = (seat) => names(state)[seat] ?? `Player ${seat + 1}`;
  return [...ended.map((seat) => `${name(seat)} ✓`),
    ...left.map((seat, i) => texts[i] && `${name(seat)}: ${texts[i]}`)].filter(Boolean).join(" · ");
}

/** Who moves a chef now: "person", "agent", "copilot" or "none". */
export const driver = (state, seat) => state.controls[seat] || "none";

/** The seat whose chef this page may steer when it has control: own, or the agent's of a co-pilot. */
export const ownSeat = (state) => (state.role === "copilot" ? state.page.copilot : state.page.seat);

/** Whether this page's keys steer a chef now. */
export function steers(state) {
  if (!state.view || state.end || state.view.over || state.role === "spectator") return false;
  return driver(state, ownSeat(state)) === (state.role === "copilot" ? "copilot" : "person");
}

/** What stands across the kitchen: {text, kind} or null. Countdown and pauses first, then who drives. */
export function banner(state, now) {
  if (!state.view || state.end) return null;
  if (state.paused) return { kind: "paused", text: state.paused };
  if (state.countdown) {
    const left = Math.ceil(state.countdown.seconds - (now - state.countdown.from) / 1000);
    if (left > 0) return { kind: "countdown", text: String(left) };
  }
  return null;
}

/**
 * The line that says who drives, for a co-pilot and for whose seat was taken; "" when there is nothing to say.
 * @param {string|null} copilotKey null: there are no keys
 */
export function whoDrives(state, copilotKey) {
  const seat = ownSeat(state);
  if (seat === null || seat === undefined || !state.view || state.end) return "";
  const name = state.seats[seat]?.name;
  if (state.role === "copilot") {
    const [says, key] = driver(state, seat) === "copilot"
      ? [`You drive ${name}'s chef.`, "hands it back"]
      : [`${name} drives.`, "takes over its chef"];
    return copilotKey ? `${says} ${copilotKey} ${key}.` : says;
  }
  if (driver(state, seat) === "agent") return `${state.seats[seat]?.stand_in || "An agent"} plays for you.`;
  return "";
}

/** In a game turn by turn: whom the kitchen waits for, in words. @param {boolean} touch whether there are no keys */
export function turnLine(state, touch = false) {
  if (state.pace.mode !== "turns" || !state.view || state.end) return "";
  const people = state.controls.flatMap(
    (control, seat) => (control === "person" || control === "copilot" ? [seat] : []));
  const waiting = people.filter((seat) => !state.moved.includes(seat));
  const own = ownSeat(state);
  if (waiting.includes(own)) return touch
    ? "Your move: the pad walks; or Act, or Stay."
    : "Your move: an arrow, Space to act, a full stop to stay.";
  if (!waiting.length) return "";
  const waits = `Waiting for ${waiting.map((seat) => state.seats[seat]?.name).join(" and ")}.`;
  return state.moved.includes(own) ? `You have moved. ${waits}` : waits;
}
