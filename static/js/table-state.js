/**
 * What every table's page knows of a running game, and how each frame of the match host changes it: who is there, who
 * moves whom, what was said, which instructions are in force and how far they are. Pure; a game adds what is its own.
 * Not for: drawing (table-words.js, chips.js), what the player does (table-side.js).
 *
 * @typedef {{name: string, kind: string, present?: boolean, stand_in?: string|null, free_at?: number}} Seat
 * @typedef {{state: "waiting"|"obeying"|"done"|"unable"|"out", text: string,
 *   seats?: Record<string, Progress>} & import("./wants.js").Far} Progress
 *   `seats`: of each, where it is for several
 * @typedef {{seat: number, text: string, at: number}} Word
 * @typedef {{page: any, seats: Seat[], controls: string[], role: string, standIn: string|null,
 *   goals: Record<string, Progress>, instructions: Map<string, any>, dialogue: any[], words: Word[],
 *   countdown: {seconds: number, from: number}|null, paused: string, end: any, spectators: number}} TableState
 *   `dialogue`: for the log, in its order; `words`: the last that were said, with the time (ms) at which they came here
 */
import { namedFrame, withNames, wordOf } from "./names.js";
import { PHASES } from "./reading-ask.js";
import { answer } from "./readings.js";
import { clocked } from "./stand-in.js";
import { isOver } from "./lib/life.js";
import { listed, notedAt, quoted, seatsNow, standing } from "./told.js";
import { wants } from "./wants.js";

/** Milliseconds that a chip which is done stays on the page. */
export const DONE = 8000;
const SAID = 20; // words that are kept

/** What a page begins with. @param {{seat: number|null}} page who looks @returns {TableState} */
export const fresh = (page) => ({
  page, seats: [], controls: [], role: page.seat === null ? "spectator" : "player", standIn: null, goals: {},
  instructions: new Map(), dialogue: [], words: [], countdown: null, paused: "", end: null, spectators: 0,
});

/** The seats that hear what one says, where nobody has secrets. @param {TableState} state */
export const everybody = (state) => [...state.seats.keys()];

/** Who moves a seat now: "person", "agent", "copilot" or "none". */
export const driver = (state, seat) => state.controls[seat] || "none";

/** The seat that this page may move when it has control: one's own, or the agent's of a co-pilot. */
export const ownSeat = (state) => (state.role === "copilot" ? state.page.copilot : state.page.seat);

/** Whether this page's keys move a seat now. */
export const steers = (state) => state.role !== "spectator" && !state.end
  && driver(state, ownSeat(state)) === (state.role === "copilot" ? "copilot" : "person");

/** What a seat is called on this page: oneself "You". */
export const nameOf = (state, seat) => (seat === state.page.seat
  ? "You"
  : state.seats[seat]?.name ?? `Player ${seat + 1}`);

export const namesOf = (state) => state.seats.map((_, seat) => nameOf(state, seat));

/**
 * The state after a frame; frames that it doesn't know change nothing.
 * @template {TableState} S
 * @param {S} state
 * @param {any} frame
 * @param {number} now in ms
 * @param {{audience?: (state: S, seat: number) => number[], kept?: (state: S, frame: any) => object}} [game] who hears
 *   what a seat says, itself included; what of a game's own stays when one joins (again)
 * @returns {S}
 */
export function next(state, frame, now, { audience = everybody, kept = () => ({}) } = {}) {
  switch (frame.type) {
    case "joined": {
      let after = { ...state, ...fresh(state.page), ...kept(state, frame), end: state.end,
        seats: clocked(frame.seats, now), role: frame.role || state.role, standIn: frame.stand_in,
        controls: frame.controls
          || frame.seats.map((seat) => (seat.kind === "agent" || seat.stand_in ? "agent" : "person")) };
      // Words that were said before this page was there stand in no bubble, and what was over then on no chip.
      for (const event of frame.dialogue || [])
        after = event.type === "judged" ? judged(after, event) : heard(after, event, -Infinity, audience);
      return withNews(after, frame);
    }
    case "presence": return { ...state, seats: clocked(frame.seats, now), spectators: frame.spectators ?? 0 };
    case "judged": return judged(state, frame);
    case "instruction": case "standing": case "reason": case "utterance": case "control": case "notice":
      return withNews(heard(state, frame, now, audience), frame);
    case "countdown": return { ...state, countdown: { seconds: frame.seconds, from: now } };
    case "paused": return { ...state, paused: frame.text };
    case "resumed": return { ...state, paused: "" };
    case "end": return { ...state, end: frame, countdown: null, paused: "",
      seats: state.seats.map((seat, i) => ({ ...seat, name: frame.names?.[i] ?? seat.name })) };
    default: return withNews(state, frame);
  }
}

/** Progress comes when it changes, control with whatever changes it. */
function withNews(state, { controls, goals }) {
  const after = controls ? { ...state, controls } : state;
  return goals ? { ...after, goals: { ...after.goals, ...withKept(after.goals, goals) } } : after;
}

/** Progress comes without the sub-goals that are still the same. @param {any} known @param {any} told by id or seat */
const withKept = (known, told) => Object.fromEntries(Object.entries(told).map(([name, progress]) => {
  const { subgoals, seats } = known[name] ?? {};
  const kept = progress.far && !progress.subgoals ? { ...progress, subgoals } : progress;
  return [name, kept.seats ? { ...kept, seats: withKept(seats ?? {}, kept.seats) } : kept];
}));

/** After its player said whether what was done is what was meant. */
function judged(state, { id, sign }) {
  const word = state.instructions.get(id);
  return word ? { ...state, instructions: new Map(state.instructions).set(id, { ...word, judged: sign }) } : state;
}

/** After a frame that tells of words: the log, the instructions, the last words. */
function heard(state, event, now, audience) {
  const frame = namedFrame(event, namesOf(state));
  const known = state.instructions.get(frame.id);
  const others = (speaker, target) =>
    audience(state, speaker).filter((seat) => seat !== speaker && (target === null || seat === target));
  const instructions = notedAt(state.instructions, frame, others, now);
  let lines = [frame];
  if (frame.type === "instruction") {
    const agents = audience(state, frame.seat).filter((seat) => driver(state, seat) === "agent");
    const answered = frame.for_plan ? null : answer(known, frame, agents);
    lines = [known ? [] : frame, answered ? { type: "answer", tick: frame.tick, ...answered } : []].flat();
  }
  const words = lines.flatMap((line) => wordOf(line, namesOf(state)) ?? []).map((word) => ({ ...word, at: now }));
  return { ...state, instructions, dialogue: [...state.dialogue, ...lines],
    words: words.length ? [...state.words, ...words].slice(-SAID) : state.words };
}

/** The id of one's own instruction that the plan is for, null where there is none. @param {TableState} state */
export const goalOf = ({ instructions, page }) => [...instructions.values()].findLast((word) =>
  word.for_plan && word.status === "confirmed" && word.seat === page.seat)?.id ?? null;

// --- Chips: how instructions stand -------------------------------------------------------------------------------

/**
 * The chips over the instruction line: what is in force for anybody with how far it is, what waits for an answer, and
 * for a while what is done, was replaced or couldn't be read. `phase`: its state (lib/life.js); "unable" or "out" where
 * nobody whom it is for can do anything now, or any more.
 * @param {TableState} state
 * @param {number} now in ms
 * @param {(seat: number) => boolean} [gone] whether a seat can do nothing any more
 */
export function readings(state, now, gone = () => false) {
  const chips = [];
  for (const word of state.instructions.values()) {
    const { phase, note, holds } = word.status === "confirmed"
      ? progressOf(state, word, gone)
      : { phase: word.status, note: "", holds: false };
    const since = isOver(phase) ? word.overAt ?? now : phase === "unread" ? word.at : now;
    if (!PHASES[phase] || now - since > DONE) continue;
    const options = ["read", "unread"].includes(phase) ? word.options ?? [] : [], asked = word.subgoals ?? [];
    chips.push({ id: word.id, text: word.text, sentence: word.sentence, note: withNames(note, namesOf(state)),
      unread: word.unread ?? [], phase, mine: word.seat === state.page.seat, options, holds, asked,
      wants: holds || phase === "read" ? wants(asked, atIt(state, word), namesOf(state)) : [],
      judged: word.judged ?? 0 });
  }
  const others = chips.filter((chip) => !chip.holds).slice(-3);
  return chips.filter((chip) => chip.holds || others.includes(chip));
}

/** Who is at an instruction now, with how far they are. */
function atIt(state, word) {
  const goal = state.goals[word.id];
  return seatsNow(word).map((seat) => ({ seat, far: goal?.seats?.[seat] ?? (goal?.seats ? undefined : goal) }));
}

/** How a confirmed instruction stands: {phase, note, holds}; the phase "" where it was meant for nobody. */
function progressOf(state, word, gone) {
  const { state: stands, seats, by } = standing(word), goal = state.goals[word.id];
  const replaced = by.map((id) => quoted(state.instructions.get(id)?.text ?? "another one", 30)).join(", ");
  const own = (seat) => goal?.seats?.[seat] ?? goal;
  const why = (seat) => cant(state, seat, own(seat), gone);
  const fallen = word.spans.filter((span) => span.why === "out").map((span) => ({ seat: span.seat, why: "out" }));
  if (stands !== "confirmed") {
    const note = stands === "replaced" ? `replaced by ${replaced}` : cantText(state, fallen);
    return { phase: stands, note, holds: false };
  }
  // A person is asked and not made to obey: what they would do next is no news of what they do.
  const left = seats.filter((seat) => !why(seat)), asked = left.filter((seat) => driver(state, seat) === "person");
  const made = left.filter((seat) => !asked.includes(seat));
  const unable = [...fallen, ...seats.filter(why).map((seat) => ({ seat, why: why(seat) }))];
  const states = made.length ? made.map((seat) => own(seat)?.state ?? "waiting") : asked.map(() => "waiting");
  const phase = ["obeying", "waiting", "done"].find((name) => states.includes(name)) ?? "unable";
  const notes = [!left.length && "nobody is left to do it", noteOf(state, word, made, own),
    asked.length > 0 && `up to ${listed(asked, namesOf(state))}`, cantText(state, unable),
    by.length > 0 && `partly replaced by ${replaced}`];
  return { phase, note: notes.filter(Boolean).join(" · "), holds: true };
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
function noteOf(state, word, left, own) {
  const ended = word.spans.filter((span) => span.why === "done").map((span) => span.seat);
  const texts = left.map((seat) => own(seat)?.text ?? "");
  if (!ended.length && new Set(texts).size <= 1) return texts[0] ?? "";
  return [...ended.map((seat) => `${nameOf(state, seat)} ✓`),
    ...left.map((seat, i) => texts[i] && `${nameOf(state, seat)}: ${texts[i]}`)].filter(Boolean).join(" · ");
}
