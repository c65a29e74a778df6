/**
 * What can be read off an Overcooked view (the JSON that the server sends, see `engine/games/overcooked/view.py`):
 * pure functions without a document. Not for: drawing (overcooked.js), rules (the server alone decides what a step
 * does).
 *
 * @typedef {{kind: "onion"|"tomato"|"dish"}|{kind: "soup", onions: number, tomatoes: number}} Item
 * @typedef {{x: number, y: number, facing: "north"|"south"|"east"|"west", held: Item|null}} Cook
 * @typedef {{x: number, y: number, onions: number, tomatoes: number, left: number|null, time: number,
 *   state: "empty"|"filling"|"full"|"cooking"|"ready"}} Pot
 * @typedef {{tick: number, seat: number, kind: string, item: Item|null, x: number, y: number, points?: number}}
 *   KitchenEvent
 * @typedef {{tick: number, horizon: number, seat: number|null, players: number, over: boolean, score: number,
 *   dynamics: "old"|"new", width: number, height: number, grid: string[], cooks: Cook[], pots: Pot[],
 *   counters: {x: number, y: number, held: Item}[], last: {actions: number[], events: KitchenEvent[]}|null,
 *   orders: {onions: number, tomatoes: number, value: number, bonus: boolean}[]}} View
 */
import { many } from "../../lib/many.js";

/** What an action number means; the order of the rules. */
export const ACTIONS = ["north", "south", "east", "west", "stay", "interact"];
export const STAY = 4;
export const INTERACT = 5;
export const STEP = { north: [0, -1], south: [0, 1], east: [1, 0], west: [-1, 0] };

/** By seat: the pattern that tells a chef apart besides its number and its colour (--k-chef-… in the stylesheet). */
export const PATTERNS = ["plain", "stripes", "dots", "checks"];

const counted = (n, word) => `${n} ${word}${n === 1 ? "" : word.endsWith("o") ? "es" : "s"}`;
const listing = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

/** "3 onions", "2 onions and 1 tomato". @param {any} soup with its `onions` and `tomatoes` */
export function soupName({ onions, tomatoes }) {
  return listing([onions && counted(onions, "onion"), tomatoes && counted(tomatoes, "tomato")].filter(Boolean))
    || "nothing";
}

/** "an onion", "a soup of 3 onions", "nothing". @param {Item|null} item */
export function itemName(item) {
  if (!item) return "nothing";
  if (item.kind === "soup") return `a soup of ${soupName(item)}`;
  return `${item.kind === "onion" ? "an" : "a"} ${item.kind}`;
}

/** The ingredients one by one: ["onion", "onion", "tomato"]. */
export const pieces = ({ onions, tomatoes }) => [...Array(onions).fill("onion"), ...Array(tomatoes).fill("tomato")];

/** The letter of a cell, "X" outside of the kitchen. */
export const cellAt = (view, x, y) => view.grid[y]?.[x] ?? "X";

/** The cell that a cook looks at: [x, y]. */
export const facedBy = (cook) => [cook.x + STEP[cook.facing][0], cook.y + STEP[cook.facing][1]];

/** Time as m:ss; ticks as they are without a clock (turn by turn). @param {number} perSecond ticks a second, 0: none */
export function clock(ticks, perSecond) {
  if (!perSecond) return counted(ticks, "turn");
  const seconds = Math.ceil(ticks / perSecond);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A pot's time left on its ring: seconds with one digit, or ticks without a clock. */
export function potTime(left, perSecond) {
  if (!perSecond) return String(left);
  const seconds = left / perSecond;
  return seconds < 9.95 ? seconds.toFixed(1) : String(Math.ceil(seconds));
}

/** What a pot is called: "the pot" if there is one, else by where it is among the pots. */
export function potName(view, pot) {
  const others = view.pots.filter((one) => one !== pot);
  if (!others.length) return "the pot";
  if (others.length > 1) return `pot ${view.pots.indexOf(pot) + 1}`;
  const [other] = others;
  if (Math.abs(other.x - pot.x) >= Math.abs(other.y - pot.y)) return pot.x < other.x ? "the left pot" : "the right pot";
  return pot.y < other.y ? "the upper pot" : "the lower pot";
}

const potAt = (view, { x, y }) => view.pots.find((pot) => pot.x === x && pot.y === y);

/** One event as a sentence. @param {string[]} names by seat */
export function eventSentence(view, event, names) {
  const own = event.seat === view.seat;
  const who = own ? "You" : names[event.seat];
  const verb = (plain) => (own ? plain : `${plain}s`);
  const pot = potAt(view, event);
  const place = pot ? potName(view, pot) : "a pot";
  const what = itemName(event.item);
  switch (event.kind) {
    case "pick": return `${who} ${verb("take")} ${what}.`;
    case "pick_counter": return `${who} ${verb("take")} ${what} from a counter.`;
    case "place_counter": return `${who} ${verb("put")} ${what} on a counter.`;
    case "put_pot": return `${who} ${verb("put")} ${what} into ${place}.`;
    case "start_pot": return `${who} ${verb("start")} ${place}.`;
    case "pick_soup": return `${who} ${verb("fill")} a dish with ${what}.`;
    case "deliver": {
      const brings = event.points ? `+${many(event.points, "point")}` : "nobody ordered it";
      return `${who} ${verb("serve")} ${what}: ${brings}.`;
    }
    default: return "";
  }
}

/** What the last step did, in words; "" when nothing worth telling happened. @param {string[]} names by seat */
export function lastSentence(view, names) {
  return (view.last?.events || []).map((event) => eventSentence(view, event, names)).filter(Boolean).join(" ");
}

/** How a pot stands, in words. */
export function potSentence(view, pot, perSecond) {
  const name = potName(view, pot);
  const has = `${name[0].toUpperCase()}${name.slice(1)}`;
  switch (pot.state) {
    case "empty": return `${has} is empty.`;
    case "filling": return `${has} has ${soupName(pot)}.`;
    case "full": return `${has} has ${soupName(pot)} and waits to be started.`;
    case "cooking": {
      const left = perSecond ? `${potTime(pot.left, perSecond)} seconds` : counted(pot.left, "turn");
      return `${has} cooks ${soupName(pot)}, ${left} left.`;
    }
    default: return `${has} is ready: ${soupName(pot)}.`;
  }
}

const TERRAIN = { " ": "floor", X: "a counter", P: "a pot", O: "onions", T: "tomatoes", D: "dishes",
  S: "the serving window" };

/** The kitchen as a list of sentences, for those who don't see it drawn. @param {string[]} names by seat */
export function stateLines(view, names, perSecond) {
  const cooks = view.cooks.map((cook, seat) => {
    const [x, y] = facedBy(cook);
    const stands = seat === view.seat ? "You stand" : `${names[seat]} stands`;
    return `${stands} in column ${cook.x + 1}, row ${cook.y + 1}, facing ${cook.facing} (${TERRAIN[cellAt(view, x,
      y)]}), holding ${itemName(cook.held)}.`;
  });
  const counters =
    view.counters.map(({ x, y, held }) => `On the counter in column ${x + 1}, row ${y + 1}: ${itemName(held)}.`);
  return [`${many(view.score, "point")}, ${clock(view.horizon - view.tick, perSecond)} left.`, ...cooks,
    ...view.pots.map((pot) => potSentence(view, pot, perSecond)), ...counters];
}

/** What a listener must hear of the step from one view to the next: deliveries, pots that are ready, the end. */
export function announcements(before, view, names) {
  if (!before || view.tick <= before.tick) return [];
  const told = (view.last?.events || []).filter((event) => event.kind === "deliver")
    .map((event) => `${eventSentence(view, event, names)} ${many(view.score, "point")}.`);
  for (const pot of view.pots) {
    if (pot.state === "ready" && potAt(before, pot)?.state !== "ready") told.push(`${potName(view, pot)} is ready.`);
  }
  if (view.over && !before.over) told.push(`Time is up: ${many(view.score, "point")}.`);
  return told;
}

/** Seats that wanted to walk on in the step to this view and couldn't, because cooks were in each other's way. */
export function collisions(before, view) {
  if (!before || !view.last || view.tick !== before.tick + 1) return [];
  const wants = before.cooks.map((cook, seat) => {
    const step = STEP[ACTIONS[view.last.actions[seat]]];
    if (!step) return null;
    const [x, y] = [cook.x + step[0], cook.y + step[1]];
    return cellAt(view, x, y) === " " ? [x, y] : null;
  });
  return wants.flatMap((want, seat) => (want && (view.cooks[seat].x !== want[0] || view.cooks[seat].y !== want[1])
    ? [seat]
    : []));
}

/** Whether some counter lies between floor on two opposite sides: things can be handed over it. */
function hasMiddle(view) {
  return view.grid.some((row, y) => [...row].some((letter, x) => letter === "X"
    && ((cellAt(view, x - 1, y) === " " && cellAt(view, x + 1, y) === " ")
      || (cellAt(view, x, y - 1) === " " && cellAt(view, x, y + 1) === " "))));
}

/**
 * Ready-made sentences for the number keys, at most nine, those that make sense in this kitchen.
 * @param {View} view @returns {string[]}
 */
export function readySentences(view) {
  const has = (letter) => view.grid.some((row) => row.includes(letter));
  const sentences = ["You do onions", has("T") && "You do tomatoes", "Bring me plates", "You serve",
    "Wait by the serving window",
    hasMiddle(view) && "Put onions on the middle counter", view.pots.length === 2
      && `Use ${potName(view, view.pots[0])}`,
    "Get out of my way", "Stop", "Go on"].filter(Boolean);
  // Nine keys: what stands last is needed most, so the choice of a pot goes first.
  return sentences.length > 9 ? sentences.filter((sentence) => !sentence.startsWith("Use ")) : sentences;
}

/**
 * A view of a kitchen before anybody has moved, from its grid: for pictures of layouts.
 * @param {string[]} rows
 * @returns {any}
 */
export function emptyKitchen(rows) {
  const cooks = [];
  rows.forEach((row, y) => [...row].forEach((letter, x) => {
    if ("1234".includes(letter)) cooks[Number(letter) - 1] = { x, y, facing: "south", held: null };
  }));
  const grid = rows.map((row) => row.replace(/[1-4.]/g, " "));
  const pots = grid.flatMap((row, y) => [...row].flatMap((letter, x) => (letter === "P"
    ? [{ x, y, onions: 0, tomatoes: 0, state: "empty", left: null, time: 20 }] : [])));
  return {
    tick: 0, horizon: 400, seat: null, players: cooks.length, over: false, score: 0, dynamics: "old",
    width: Math.max(...grid.map((row) => row.length)),
    height: grid.length, grid, cooks, pots, counters: [], orders: [], last: null,
  };
}
