/**
 * What the table of Frozen Lake says of a state. Pure; not for: drawing and sending (table.js).
 *
 * @typedef {{tick: number, seat: number, kind: "stay"|"step"|"held up"|"hole"|"target", action: number, x: number,
 *   y: number}} Happened
 * @typedef {{tick: number, left: number, over: ""|"solved"|"fell"|"time", score: number, size: number,
 *   holes: number[][]|null, targets: number[][]|null, players: {x: number, y: number}[],
 *   last: {actions: number[], events: Happened[]}|null}} View as engine/games/frozen_lake_2/view.py tells it
 */

export const LEFT = 0, DOWN = 1, RIGHT = 2, UP = 3, STAY = 4;
export const WAYS = ["left", "down", "right", "up"];
const STEPS = [[-1, 0], [0, 1], [1, 0], [0, -1]];

/**
 * The step that leads from a player to a cell: its action, STAY for where it is, null for what is farther.
 * @param {{x: number, y: number}} player @param {number} x @param {number} y
 */
export function stepTo(player, x, y) {
  if (player.x === x && player.y === y) return STAY;
  const action = STEPS.findIndex(([dx, dy]) => player.x + dx === x && player.y + dy === y);
  return action < 0 ? null : action;
}

/**
 * Which of the goals this is, by the side on which it is of the other one: "left goal".
 * @param {number[][]} targets @param {number} index
 */
export function goalName(targets, index) {
  const [[x, y], [otherX, otherY]] = index ? [targets[1], targets[0]] : targets;
  if (x !== otherX) return x < otherX ? "left goal" : "right goal";
  return y < otherY ? "upper goal" : "lower goal";
}

/**
 * What a player did, in a sentence; "" for who stayed.
 * @param {View} view @param {Happened} event @param {string[]} names
 */
export function sentence(view, event, names) {
  const who = names[event.seat], way = WAYS[event.action];
  if (event.kind === "step") return `${who} stepped ${way}.`;
  if (event.kind === "held up") return `${who} couldn't step ${way}.`;
  if (event.kind === "hole") return `${who} fell into a hole.`;
  if (event.kind !== "target") return "";
  const at = (view.targets ?? []).findIndex(([x, y]) => x === event.x && y === event.y);
  return `${who} stepped onto ${at < 0 || !view.targets ? "a goal" : `the ${goalName(view.targets, at)}`}.`;
}

/** What the last step did, in sentences. @param {View} view @param {string[]} names */
export const lastStep = (view, names) =>
  (view.last?.events ?? []).map((event) => sentence(view, event, names)).filter(Boolean).join(" ");

/** What belongs in the log: goals, holes, and who couldn't step. @param {Happened[]} events */
export const told = (events) => events.filter(({ kind }) => ["target", "hole", "held up"].includes(kind));

/** How it ended, in a sentence; "" while it runs. @param {View} view @param {string[]} names */
export function ending(view, names) {
  if (view.over === "solved") return "Both goals are reached.";
  if (view.over === "time") return "The steps are used up.";
  if (view.over !== "fell") return "";
  const fallen = (view.last?.events ?? []).filter(({ kind }) => kind === "hole").map(({ seat }) => names[seat]);
  return `${fallen.join(" and ")} fell into a hole: the game is over.`;
}

/**
 * What is to be done, and whether it is by this page: {text, mine}.
 * @param {View} view
 * @param {{steers: boolean, sent: boolean, end: object|null, names: string[], waiting: number[]}} table `waiting`:
 *   people who haven't chosen yet
 */
export function turn(view, { steers, sent, end, names, waiting }) {
  if (view.over || end) return { text: ending(view, names) || "The game is over.", mine: false };
  if (steers && !sent) return { text: "Your step.", mine: true };
  const others = waiting.map((seat) => names[seat]);
  if (steers) return { text: others.length ? `Waiting for ${others.join(" and ")}.` : "Stepping …", mine: false };
  return { text: others.length ? `Waiting for ${others.join(" and ")}.` : "Both step at once.", mine: false };
}

/** The rule, in a sentence or two. @param {View} view */
export const rule = (view) => (view.holes
  ? "Both step at once. Each of you has to stand on a goal, no matter which; a step into a hole ends the game."
  : "You see nothing of the lake but where both of you stand. There are two goals, one for each of you, and holes.");

/** The lake in words, a line each. @param {View} view @param {string[]} names */
export function inWords(view, names) {
  const { targets } = view;
  const where = (/** @type {number} */ x, /** @type {number} */ y) => `column ${x + 1}, row ${y + 1}`;
  return [
    ...view.players.map(({ x, y }, seat) => `${names[seat]}: ${where(x, y)}.`),
    ...(targets ?? []).map(([x, y], index) => `The ${goalName(targets ?? [], index)}: ${where(x, y)}.`),
    ...(view.holes ? [`Holes: ${view.holes.map(([x, y]) => where(x, y)).join("; ") || "none"}.`] : []),
    `The lake has ${view.size} columns and ${view.size} rows.`,
  ];
}
