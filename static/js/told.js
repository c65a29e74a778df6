/**
 * When instructions were in force and for whom, and what became of them: the browser's side of
 * engine/simulation/told.py, for replays (whose stream brings the spans) and for live pages (which make them from the
 * host's frames). Pure. Not for: drawing (in-force.js, timeline.js, tracks.js), how far one has got (goals).
 *
 * @typedef {{seat: number, start: number, end: number|null, why?: string, by?:
 *   string, cuts?: [number, string][]}} Span in force at the ticks `start` to `end` - 1; `cuts`: when which later one
 *   took a part of it away
 * @typedef {{id: string, tick: number, seat: number, target?: number|null, text: string, reading?: string,
 *   judged?: number, statuses: [number, string][], spans: Span[]}} Told an instruction; its states and why it ended:
 *   lib/life.js
 */
import { isOver, TAKEN_BACK } from "./lib/life.js";

/** Whether a span is in force at a tick. @param {Span} span */
export const holds = (span, tick) => span.start <= tick && (span.end === null || tick < span.end);

const isTold = (word) => Boolean(word.spans);

/**
 * What was in force for the move that led to a tick, oldest first, which is what a mark there is about; at tick 0 what
 * was in force at the start. @param {Told[]} words @param {number|null} seat null: anybody
 * @returns {{word: Told, seats: number[], parted: boolean}[]} for whom each was, and whether a later one had taken a
 *   part away
 */
export function forMove(words, seat, tick) {
  const at = Math.max(0, tick - 1);
  return words.filter(isTold).flatMap((word) => {
    const spans = word.spans.filter((span) => holds(span, at) && (seat === null || span.seat === seat));
    const parted = spans.some((span) => (span.cuts ?? []).some(([since]) => since <= at));
    return spans.length ? [{ word, seats: spans.map((span) => span.seat), parted }] : [];
  }).sort((a, b) => begun(a) - begun(b));
}

const begun = ({ word, seats }) =>
  Math.min(...word.spans.filter((span) => seats.includes(span.seat)).map((span) => span.start));

/** The ticks from which on `forMove` says something else, sorted, from 0 on. @param {Told[]} words */
export function turns(words) {
  const ticks = words.filter(isTold)
    .flatMap(
      (word) => word.spans.flatMap(({ start, end, cuts = [] }) => [start, end, ...cuts.map(([since]) => since)]));
  const shown = ticks.filter((tick) => tick !== null).map((tick) => tick && tick + 1);
  return [...new Set([0, ...shown])].sort((a, b) => a - b);
}

/**
 * The spans of all instructions, seats of one that began and ended together in one, each in a lane of its own where
 * they overlap: [{word, index, seats, start, end, why, by, lane}]. @param {Told[]} words */
export function bars(words) {
  const found = words.filter(isTold).filter((word) => word.spans.length)
    .flatMap((word, index) => together(word.spans).map((span) => ({ ...span, word, index })));
  found.sort((a, b) => a.start - b.start);
  const free = []; // by lane: the tick at which it is free again
  for (const bar of found) {
    const lane = free.findIndex((tick) => tick <= bar.start);
    bar.lane = lane < 0 ? free.length : lane;
    free[bar.lane] = bar.end === null ? Infinity : Math.max(bar.end, bar.start + 1);
  }
  return found;
}

/** Spans that are alike but for their seats, as one with `seats`. @param {Span[]} spans */
function together(spans) {
  const groups = new Map();
  for (const { seat, start, end, why = "", by = "" } of spans) {
    const key = [start, end, why, by].join();
    if (!groups.has(key)) groups.set(key, { seats: [], start, end, why, by });
    groups.get(key).seats.push(seat);
  }
  return [...groups.values()];
}

const ENDS = { done: "done", out: "over, as they are out,", withdrawn: "taken back", rewritten: "said differently",
  planned: "the plan's" };

/** "Bo", "Bo and Cy", "Bo, Cy and 3 more". @param {number[]} seats @param {string[]} names */
export function listed(seats, names, most = 3) {
  const called = seats.map((seat) => (names[seat] === "You" ? "you" : names[seat] ?? `player ${seat + 1}`));
  const rest = called.length - most;
  const last = rest > 0 ? `${rest} more` : called.pop();
  const first = rest > 0 ? called.slice(0, most) : called;
  return first.length ? `${first.join(", ")} and ${last}` : last ?? "nobody";
}

/** A text in quotes, cut where it is long. */
export const quoted = (text, most = 60) => `“${text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text}”`;

/** What became of an instruction, in order: ["confirmed at 12", "replaced by “hold” at 30 for Bo"]; see `changes`. */
export const fate = (word, textOf, names) => (word.spans.length
  ? changes(word, textOf, names).map(({ text }) => text)
  : unconfirmed(word));

/**
 * What became of an instruction that was in force, in order: [{kind, text}], kind "confirmed", "cut" (a part of it was
 * replaced) or why it ended.
 * @param {Told} word @param {(id: string) => string} textOf another instruction's text @param {string[]} names by seat
 */
export function changes({ spans }, textOf, names) {
  const all = new Set(spans.map((span) => span.seat));
  const parts = new Map();
  const add = (tick, kind, text, seat) => {
    const key = [tick, kind, text].join();
    if (!parts.has(key)) parts.set(key, { tick, kind, text, seats: new Set() });
    parts.get(key).seats.add(seat);
  };
  for (const { seat, start, end, why, by, cuts = [] } of spans) {
    add(start, "confirmed", `confirmed at ${start}`, seat);
    for (const [tick, id] of cuts) add(tick, "cut", `partly replaced by ${quoted(textOf(id), 40)} at ${tick}`, seat);
    if (end !== null)
      add(end, why,
        `${why === "replaced" ? `replaced by ${quoted(textOf(by ?? ""), 40)}` : ENDS[why] ?? why} at ${end}`,
      seat);
  }
  const rank = ({ kind }) => ["confirmed", "cut"].indexOf(kind) + 3 * Number(!["confirmed", "cut"].includes(kind));
  return [...parts.values()].sort((a, b) => a.tick - b.tick || rank(a) - rank(b))
    .map(({ kind, text, seats }) =>
      ({ kind, text: seats.size === all.size ? text : `${text} for ${listed([...seats], names)}` }));
}

/** What became of one that was never in force. */
function unconfirmed({ statuses }) {
  const [tick, status] = statuses.at(-1);
  if (status === "confirmed") return [`confirmed at ${tick}`];
  const never = statuses.some(([, one]) => one === "unread") ? "not understood" : "never confirmed";
  return ENDS[status] ? [never, `${ENDS[status]} at ${tick}`] : [never];
}

/**
 * How an instruction stands at a tick, once everything of that tick is said: {state, seats}; "" is not said yet, and
 * what is confirmed is in force for `seats`. @param {Told} word
 */
export function statusAt(word, tick) {
  const seats = word.spans.filter((span) => holds(span, tick)).map((span) => span.seat);
  if (seats.length) return { state: "confirmed", seats };
  const over = word.spans.filter((span) => span.start <= tick && span.end !== null && span.end <= tick);
  if (over.length)
    return { state: over.reduce((last, span) => ((span.end ?? 0) >= (last.end ?? 0) ? span : last)).why, seats };
  const said = word.statuses.filter(([since]) => since <= tick);
  return { state: said.at(-1)?.[1] ?? "", seats };
}

// --- Live: spans from the host's frames ----------------------------------------------------------------------------

const ASIDE = "aside"; // it was meant for others from the start
const PLANNED = "planned"; // the plan goes by it

/**
 * The instructions by id after a frame of type "instruction" or "standing"; frames of other types, and about
 * instructions that nobody knows, change nothing.
 * @param {Map<string, Told & object>} told @param {object} frame
 * @param {(speaker: number, target: number|null) => number[]} audience whom an instruction is for
 */
export function noted(told, frame, audience) {
  const known = told.get(frame.id);
  if (frame.type === "instruction") {
    const next = { ...known, ...frame, tick: known?.tick ?? frame.tick,
      statuses: [...(known?.statuses ?? []), [frame.tick, frame.status]] };
    const spans = known?.spans ?? [], { tick } = frame;
    next.spans = frame.for_plan
      ? spans.map((span) => (span.end === null ? { ...span, end: tick, why: PLANNED, by: "" } : span))
      : spansAfter(spans, frame, audience);
    return new Map(told).set(frame.id, next);
  }
  if (frame.type !== "standing" || !known) return told;
  const concerned = (span) => span.end === null && frame.seats.includes(span.seat);
  const { state, by, tick } = frame;
  const spans = known.spans.flatMap((span) => {
    if (!concerned(span)) return [span];
    if (isOver(state)) return state === ASIDE ? [] : [{ ...span, end: tick, why: state, by: by ?? "" }];
    return [by ? { ...span, cuts: [...(span.cuts ?? []), [tick, by]] } : span];
  });
  return new Map(told).set(frame.id, { ...known, spans });
}

function spansAfter(spans, { tick, status, seat: speaker, target_seat: target }, audience) {
  if (TAKEN_BACK.includes(status))
    return spans.map((span) => (span.end === null ? { ...span, end: tick, why: status, by: "" } : span));
  if (status !== "confirmed") return spans;
  const open = new Set(spans.filter((span) => span.end === null).map((span) => span.seat));
  return [...spans, ...audience(speaker, target ?? null).filter((seat) => !open.has(seat))
    .map((seat) => ({ seat, start: tick, end: null }))];
}

/**
 * As `noted`, with the time (ms) at which each was first heard of, `at`, and at which the last seat was done with it,
 * `overAt`; null while it is in force or never was.
 */
export function notedAt(told, frame, audience, now) {
  const after = noted(told, frame, audience);
  if (after === told) return told;
  const [known, word] = [told.get(frame.id), after.get(frame.id)];
  const over = word.spans.length > 0 && !seatsNow(word).length;
  return after.set(frame.id, { ...word, at: known?.at ?? now, overAt: over ? known?.overAt ?? now : null });
}

/** The seats for which an instruction is in force now. @param {Told} word */
export const seatsNow = (word) => word.spans.filter((span) => span.end === null).map((span) => span.seat);

/**
 * What has come of a confirmed instruction so far: {state, by: ids of what replaced it (a part of it, while it is in
 * force), seats: for whom it is in force}. The state is "" for what was taken back or never confirmed.
 */
export function standing(word) {
  const seats = seatsNow(word);
  if (seats.length) {
    const replaced = word.spans.filter((span) => span.why === "replaced").map((span) => span.by);
    const parts = word.spans.filter((span) => span.end === null)
      .flatMap((span) => (span.cuts ?? []).map(([, by]) => by));
    return { state: "confirmed", seats, by: [...new Set([...replaced, ...parts])] };
  }
  const over = word.spans.filter(({ why }) => why !== PLANNED && !TAKEN_BACK.includes(why));
  if (word.status !== "confirmed" || !over.length) return { state: "", seats, by: [] };
  // What somebody has done counts for all: others may have gone out.
  const last = over.findLast((span) => span.why === "done")
    ?? over.reduce((latest, span) => (span.end >= latest.end ? span : latest));
  const by = over.filter((span) => span.why === "replaced").map((span) => span.by);
  return { state: last.why, seats, by: [...new Set(by)] };
}

/**
 * What a frame of type "standing" says, in a sentence; "" for what nobody needs to be told, and for other frames.
 * @param {object} frame @param {Map<string, Told>} told with that frame @param {string[]} names by seat
 */
export function news({ type, id, state, by, seats }, told, names) {
  const word = told.get(id);
  if (type !== "standing" || !word || state === ASIDE || state === "out" || (state === "confirmed" && !by)) return "";
  const all = new Set(word.spans.map((span) => span.seat));
  const whom = seats.length < all.size ? ` for ${listed(seats, names)}` : "";
  const text = quoted(word.text), other = quoted(told.get(by)?.text ?? "another one");
  if (state === "done") return `${text} is done${whom}.`;
  return state === "replaced" ? `${other} replaces ${text}${whom}.` : `${other} replaces a part of ${text}${whom}.`;
}
