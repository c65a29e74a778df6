/**
 * What a kitchen's page knows, and how each frame of the match host changes it: pure functions. Not for: drawing
 * (hud.js, overcooked.js), what the player does (table.js).
 */

import * as table from "../../table-state.js";

const { driver, ownSeat } = table;
/** Milliseconds that words stay over a chef's head. */
export const BUBBLE = 4500;

/** @param {{seat: number|null}} page who looks */
export const fresh = (page) => ({ ...table.fresh(page), ...KITCHEN });

/** What a kitchen's page knows besides: `moved` in a game turn by turn, `key` the last that the host has taken. */
const KITCHEN = { view: null, pace: { mode: "real_time", ticks_per_second: 6 }, moved: [], key: null };

/** Ticks a second, 0 in a game turn by turn. */
export const perSecond = (state) => (state.pace.mode === "real_time" ? state.pace.ticks_per_second : 0);

/** Milliseconds in which a chef walks to where the new state has it. */
export const stepTime = (state) => (perSecond(state) ? 1000 / perSecond(state) : 180);

/** The state after a frame; `now` in ms. Frames that it doesn't know change nothing. */
export function next(state, frame, now) {
  const kept = () => ({ ...KITCHEN, view: state.view, pace: frame.pace || state.pace });
  const after = table.next(state, frame, now, { kept });
  return frame.type === "state" ? newState(state, after, frame) : after;
}

function newState(before, after, frame) {
  const started = frame.tick > 0;
  return { ...after, view: frame.view, moved: frame.moved || [], key: frame.key ?? null,
    countdown: started ? null : after.countdown,
    paused: started && frame.tick !== before.view?.tick ? "" : after.paused };
}

/** What stands over the chefs' heads: [{seat, text}], the last words of each. */
export function bubbles(state, now) {
  const last = new Map();
  for (const word of state.words) if (now - word.at < BUBBLE) last.set(word.seat, word.text);
  return [...last].map(([seat, text]) => ({ seat, text }));
}

/** Whether this page's keys steer a chef now. */
export const steers = (state) => Boolean(state.view) && !state.view.over && table.steers(state);

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
