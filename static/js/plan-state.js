/**
 * The plan of one's side as a page knows it: what each seat does next, what has just come to an end, where a step goes
 * that is moved. Pure. Not for: drawing (plan-cards.js), dragging and typing (plan.js), who makes plans
 * (engine/planning).
 *
 * @typedef {"ahead"|"doing"|"done"|"failed"|"overtaken"|"dropped"} Outcome
 * @typedef {{id: string, seat: number, says: string, means: string, after: string[],
 *   place: [number, number]|null, by: number|null, state: Outcome}} Step
 * @typedef {{id: string, goal: string, planner: string, why: string, steps: Step[]}} Plan
 * @typedef {{on: boolean, seats: number[], plan: Plan|null, news: string[]}} Told a frame "plan" of the host
 * @typedef {Step & {since: number}} Ended since when (ms) a step is over
 * @typedef {{on: boolean, seats: number[], plan: Plan|null, ended: Ended[], said: string}} PlanState `seats`: of the
 *   side; `said`: why it is so, in words
 * @typedef {{seat: number, steps: Step[]}} Row what a seat does, in its order; first what has just ended
 */
import { isolated } from "./lib/isolated.js";

/** Milliseconds for which a step that is over stays to be seen. */
export const FADE = 2500;
const LEFT = ["ahead", "doing"];
/** Of badges and rings, by seat, the ninth as the first. */
const COLOURS = ["#1f6fb5", "#b86e00", "#0f8a66", "#b0508c", "#6a5acd", "#8a6d1f", "#b5442e", "#4a7a8c"];

/** @param {number} seat */
export const seatColour = (seat) => COLOURS[seat % COLOURS.length];

/** Whether a step is still to be done. @param {Step} step */
export const isLeft = (step) => LEFT.includes(step.state);

/** @returns {PlanState} */
export const fresh = () => ({ on: false, seats: [], plan: null, ended: [], said: "" });

/**
 * The state after a frame of the host; `joins`: when the page has just come, all is old.
 * @param {PlanState} state @param {Told|null} told null: no plan was made @param {number} now in ms
 * @returns {PlanState}
 */
export function noted(state, told, now, joins = false) {
  if (!told) return fresh();
  const plan = told.on && told.plan ? { ...told.plan, goal: isolated(told.plan.goal) } : null;
  const states = new Map((told.plan?.steps ?? []).map((step) => [step.id, step.state]));
  // What was only planned, or is planned again under another name, needs no word.
  const again = (/** @type {Step} */ step) => plan?.steps.some((one) =>
    isLeft(one) && one.seat === step.seat && one.means === step.means);
  const over = joins || !told.on ? [] : (state.plan?.steps ?? []).filter(isLeft).flatMap((step) => {
    const is = states.get(step.id) ?? "dropped";
    const gone = !LEFT.includes(is) && (is !== "dropped" || (step.state === "doing" && !again(step)));
    return gone ? [{ ...step, state: is }] : [];
  });
  const ended = [...state.ended.filter((step) => now - step.since < FADE && !isBack(step, states)),
    ...over.map((step) => ({ ...step, since: now }))];
  const whys = joins && plan ? [plan.why] : told.news;
  const said = [...new Set(whys.map((why) => why.trim()).filter(Boolean))].join(" ");
  return { on: told.on, seats: told.seats, plan, ended: told.on ? ended : [], said: told.on ? said || state.said : "" };
}

/** @param {Ended} step @param {Map<string, Outcome>} states */
const isBack = (step, states) => LEFT.includes(states.get(step.id) ?? "");

/**
 * Without the ended steps that have been seen long enough. @param {PlanState} state @param {number} now
 * @returns {PlanState}
 */
export const faded = (state, now) => (state.ended.some((step) => now - step.since >= FADE)
  ? { ...state, ended: state.ended.filter((step) => now - step.since < FADE) }
  : state);

/**
 * A row a seat: what it has just finished, what it is doing, what comes then.
 * @param {PlanState} state @returns {Row[]}
 */
export function rows({ plan, ended, seats }) {
  const left = (plan?.steps ?? []).filter(isLeft);
  const rank = (/** @type {Step} */ step) => Number(step.state !== "doing");
  return seats.map((seat) => ({ seat, steps: [...ended.filter((step) => step.seat === seat),
    ...left.filter((step) => step.seat === seat).sort((a, b) => rank(a) - rank(b))] }));
}

/**
 * What the board shows: where each step is done that is left and has a place, with its number in its seat's row; of a
 * seat's steps at the same place the first.
 * @typedef {{seat: number, number: number, place: [number, number], doing: boolean}} Target
 * @param {PlanState} state @returns {Target[]}
 */
export const targets = (state) => rows({ ...state, ended: [] }).flatMap(({ seat, steps }) =>
  steps.flatMap(({ place, state: is }, index) =>
    (place && index === steps.findIndex((one) => String(one.place) === String(place))
      ? [{ seat, number: index + 1, place, doing: is === "doing" }]
      : [])));

/**
 * Where a step goes that an arrow key moves: up and down among those of its seat, left and right to another seat. Null
 * where there is no way. What comes first is begun at once.
 * @param {Row[]} all @param {string} id @param {"up"|"down"|"left"|"right"} way
 * @returns {{to: number, before: string|null}|null}
 */
export function moved(all, id, way) {
  const at = all.findIndex(({ steps }) => steps.some((step) => step.id === id && isLeft(step)));
  if (at < 0) return null;
  const own = all[at].steps.filter(isLeft), index = own.findIndex((step) => step.id === id);
  if (way === "up") {
    return index > 0 ? { to: all[at].seat, before: own[index - 1].id } : null;
  }
  if (way === "down") {
    if (index + 1 >= own.length) return null;
    return { to: all[at].seat, before: own[index + 2]?.id ?? null };
  }
  const other = all[at + (way === "right" ? 1 : -1)];
  return other ? { to: other.seat, before: slot(other, index) } : null;
}

/**
 * The step before which one comes at this place of a row; null: last.
 * @param {Row} row @param {number} index
 */
export const slot = ({ steps }, index) => steps.filter(isLeft)[index]?.id ?? null;

/**
 * Whether a move would change anything.
 * @param {Row[]} all @param {string} id @param {{to: number, before: string|null}} move
 */
export function changes(all, id, { to, before }) {
  const row = all.find(({ steps }) => steps.some((step) => step.id === id));
  if (!row || before === id) return false;
  const left = row.steps.filter(isLeft), index = left.findIndex((step) => step.id === id);
  return row.seat !== to || (left[index + 1]?.id ?? null) !== before;
}

/**
 * The seats for which one adds a step, the likelier ones first: agents, other people, oneself.
 * @param {number[]} seats @param {{kind: string}[]} who by seat @param {number|null} own
 */
export const agentsFirst = (seats, who, own) => {
  const rank = (/** @type {number} */ seat) => (seat === own ? 2 : Number(who[seat]?.kind !== "agent"));
  return [...seats].sort((a, b) => rank(a) - rank(b));
};

/** Words of a plan with names: "{1}" is that of seat 1. @param {string} text @param {string[]} names */
export const named = (text, names) =>
  text.replace(/\{(\d+)\}/g, (_, seat) => names[Number(seat)] ?? `Player ${Number(seat) + 1}`);

/**
 * The seats whose steps have to be over before a step begins that is next in its row. @param {PlanState} state
 * @param {Step} step
 */
export const waitsFor = ({ plan }, step) => [...new Set((plan?.steps ?? [])
  .filter((one) => step.after.includes(one.id) && isLeft(one) && one.seat !== step.seat).map((one) => one.seat))];

const STATES = { ahead: "later", doing: "being done", done: "done", failed: "not done in time",
  overtaken: "no longer to be done", dropped: "left out" };

/**
 * A step as those hear it who don't see it.
 * @param {Step} step @param {number} index in its row @param {string} name of its seat
 */
export const spoken = (step, index, name) => `${name}, ${index + 1}: ${step.says} (${STATES[step.state]}`
  + `${step.by === null ? "" : ", put there by a player"})`;
