/**
 * What a kitchen's page knows, and how each frame of the match host changes it: pure functions. Not for: drawing
 * (kitchen-hud.js, games/overcooked.js), what the player does (kitchen.js).
 *
 * @typedef {{id: string, tick: number, seat: number, text: string, status: string, sentence: string, unread: string[]}} Told
 * @typedef {{state: "waiting"|"obeying"|"done", text: string}} Progress
 */

import { answer } from "./readings.js";

/** Milliseconds that words stay over a chef's head, and a chip that is done stays on the page. */
export const BUBBLE = 4500;
export const DONE = 8000;

/** @param {{seat: number|null}} page who looks */
export const fresh = (page) => ({
  page, view: null, seats: [], controls: [], role: page.seat === null ? "spectator" : "player",
  pace: { mode: "real_time", ticks_per_second: 6 }, goals: {}, told: new Map(), words: [], moved: [],
  countdown: null, paused: "", end: null, spectators: 0, key: null,
});

/** Ticks a second, 0 in a game turn by turn. */
export const perSecond = (state) => (state.pace.mode === "real_time" ? state.pace.ticks_per_second : 0);

/** Milliseconds in which a chef walks to where the new state has it. */
export const stepTime = (state) => (perSecond(state) ? 1000 / perSecond(state) : 180);

/** The state after a frame; `now` in ms. Frames that it doesn't know change nothing. */
export function next(state, frame, now) {
  switch (frame.type) {
    case "joined": return joined(state, frame, now);
    case "state": return newState(state, frame, now);
    case "presence": return { ...state, seats: frame.seats, spectators: frame.spectators ?? 0 };
    case "instruction": case "utterance": return heard(state, frame, now);
    case "control": return frame.controls ? { ...state, controls: frame.controls } : state;
    case "countdown": return { ...state, countdown: { seconds: frame.seconds, from: now } };
    case "paused": return { ...state, paused: frame.text };
    case "resumed": return { ...state, paused: "" };
    case "end": return { ...state, end: frame, countdown: null, paused: "", seats: state.seats.map((seat, i) => ({ ...seat, name: frame.names[i] ?? seat.name })) };
    default: return state;
  }
}

function joined(state, frame, now) {
  let after = {
    ...fresh(state.page), view: state.view, end: state.end, seats: frame.seats,
    controls: frame.controls || frame.seats.map((seat) => (seat.kind === "agent" || seat.stand_in ? "agent" : "person")),
    role: frame.role || state.role, pace: frame.pace || state.pace,
  };
  // Words that were said before this page was there stand in no bubble.
  for (const event of frame.dialogue || []) after = heard(after, event, now - BUBBLE);
  return withGoals(after, frame.goals || {}, now);
}

function newState(state, frame, now) {
  const started = frame.tick > 0;
  const after = {
    ...state, view: frame.view, controls: frame.controls || state.controls, moved: frame.moved || [], key: frame.key ?? null,
    countdown: started ? null : state.countdown, paused: started && frame.tick !== state.view?.tick ? "" : state.paused,
  };
  return frame.goals ? withGoals(after, frame.goals, now) : after;
}

/** Progress comes when it changes; when something was done is kept, so that its chip can go. */
function withGoals(state, goals, now) {
  const all = { ...state.goals };
  for (const [id, goal] of Object.entries(goals)) all[id] = { ...goal, doneAt: goal.state === "done" ? all[id]?.doneAt ?? now : null };
  return { ...state, goals: all };
}

function heard(state, frame, now) {
  if (frame.type === "utterance") return { ...state, words: [...state.words, { seat: frame.seat, text: frame.text, at: now }].slice(-20) };
  if (frame.type !== "instruction") return state;
  const known = state.told.get(frame.id);
  const told = new Map(state.told).set(frame.id, { ...known, ...frame, at: known?.at ?? now });
  const said = known ? [] : [{ seat: frame.seat, text: frame.text }];
  const answered = answer(known, frame, state.controls.flatMap((control, seat) => (control === "agent" ? [seat] : []))) ?? [];
  return { ...state, told, words: [...state.words, ...[said, answered].flat().map((word) => ({ ...word, at: now }))].slice(-20) };
}

/** What stands over the chefs' heads: [{seat, text}], the last words of each. */
export function bubbles(state, now) {
  const last = new Map();
  for (const word of state.words) if (now - word.at < BUBBLE) last.set(word.seat, word.text);
  return [...last].map(([seat, text]) => ({ seat, text }));
}

/**
 * The chips over the instruction line: what was read of each instruction that still holds, and how far it is.
 * `phase`: "read" (not obeyed yet), "unread", "waiting", "obeying" or "done"; done and unread ones go after a while.
 */
export function readings(state, now) {
  const chips = [];
  for (const one of state.told.values()) {
    if (one.status === "withdrawn" || one.status === "rewritten") continue;
    const goal = state.goals[one.id];
    const phase = one.status === "confirmed" ? goal?.state || "waiting" : one.status;
    if (phase === "done" && goal.doneAt && now - goal.doneAt > DONE) continue;
    if (phase === "unread" && now - one.at > DONE) continue;
    chips.push({ id: one.id, text: one.text, sentence: one.sentence, note: goal?.text || "", phase, mine: one.seat === state.page.seat });
  }
  return chips.slice(-4);
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

/** The line that says who drives, for a co-pilot and for whose seat was taken; "" when there is nothing to say. */
export function whoDrives(state, copilotKey) {
  const seat = ownSeat(state);
  if (seat === null || seat === undefined || !state.view || state.end) return "";
  const name = state.seats[seat]?.name;
  if (state.role === "copilot") {
    return driver(state, seat) === "copilot" ? `You drive ${name}'s chef. ${copilotKey} hands it back.` : `${name} drives. ${copilotKey} takes over its chef.`;
  }
  if (driver(state, seat) === "agent") return `${state.seats[seat]?.stand_in || "An agent"} plays for you.`;
  return "";
}

/** In a game turn by turn: whom the kitchen waits for, in words. */
export function turnLine(state) {
  if (state.pace.mode !== "turns" || !state.view || state.end) return "";
  const people = state.controls.flatMap((control, seat) => (control === "person" || control === "copilot" ? [seat] : []));
  const waiting = people.filter((seat) => !state.moved.includes(seat));
  const own = ownSeat(state);
  if (waiting.includes(own)) return "Your move: an arrow, Space to act, a full stop to stay.";
  if (!waiting.length) return "";
  return `${state.moved.includes(own) ? "You have moved. " : ""}Waiting for ${waiting.map((seat) => state.seats[seat]?.name).join(" and ")}.`;
}
