/**
 * Who controlled which seat when, as spans on the strip of a replay: colour and pattern say whether a person, an agent,
 * a co-pilot or nobody; a dot says that an agent was late. Not for: the rest of the strip (timeline.js).
 */
import { el } from "./lib/dom.js";
import { timeOf } from "./playhead.js";

/**
 * @typedef {{seat: number, by: "person"|"agent"|"copilot"|"none", name: string, first: number, last: number}} Span
 * @typedef {{seat: number, tick: number}} Late
 */

/** @type {Record<string, string>} */
export const TITLES = { person: "a person", agent: "an agent", copilot: "the co-pilot", none: "nobody" };

/**
 * Whether the spans tell anything: somebody took over, or (in real time) not all seats are of one kind.
 * @param {Span[]} spans @param {boolean} clocked
 */
export function worthShowing(spans, clocked) {
  const seats = new Set(spans.map((span) => span.seat));
  return spans.length > seats.size || (clocked && new Set(spans.map((span) => span.by)).size > 1);
}

/**
 * The seats by what is told of each: neighbours of whom the same is told are one row, [[0], [1, 2, 3]].
 * @param {Span[]} spans @param {Late[]} late @param {number} seats how many there are
 */
export function rowsOf(spans, late, seats) {
  const told = (/** @type {number} */ seat) => [
    ...spans.filter((span) => span.seat === seat).map(({ by, first, last }) => [by, first, last].join()),
    ...late.filter((one) => one.seat === seat).map((one) => one.tick),
  ].join(" ");
  const rows = [];
  for (let seat = 0; seat < seats; seat += 1) {
    const before = rows.at(-1)?.[0];
    if (before !== undefined && told(seat) === told(before)) rows[rows.length - 1].push(seat);
    else rows.push([seat]);
  }
  return rows;
}

/**
 * What the seats are called in the step to a tick: an agent that played for the person of a seat goes by its own name.
 * @param {Span[]} spans @param {string[]} names by seat @param {number} tick
 */
export const namesAt = (spans, names, tick) => names.map((name, seat) => {
  const own = spans.filter((span) => span.seat === seat);
  const now = own.find((span) => span.first <= tick && tick <= span.last);
  return now?.by === "agent" && own.some((span) => span.by === "person")
    ? `${now.name} (for ${name === "You" ? "you" : name})`
    : name;
});

/**
 * A span in words.
 * @param {Span} span
 * @param {string[]} names by seat
 * @param {number} perSecond 0: no clock
 * @param {number[]} [seats] of whom all it is told
 */
export function spanTitle(span, names, perSecond, seats = [span.seat]) {
  const who = span.by === "agent" && span.name ? span.name : TITLES[span.by] || span.by;
  const until = span.first === span.last ? `at tick ${span.first}` : `ticks ${span.first} to ${span.last}`;
  const time = perSecond ? ` (${timeOf(span.first, perSecond)} to ${timeOf(span.last, perSecond)})` : "";
  if (seats.length > 1)
    return `${seats.map((seat) => names[seat]).join(", ")}: each ${TITLES[span.by] || span.by}, ${until}${time}`;
  return `${names[span.seat]}'s seat: ${who}, ${until}${time}`;
}

/**
 * The rows, one a seat, and what the legend says of them; null when there is nothing to tell.
 * @param {Span[]} spans @param {Late[]} late
 * @param {{names: string[], last: number, perSecond: number}} options
 */
export function controlTrack(spans, late, { names, last, perSecond }) {
  if (!worthShowing(spans, perSecond > 0)) return null;
  const share = (/** @type {number} */ ticks) => `${(100 * ticks) / (last + 1)}%`;
  const rows = rowsOf(spans, late, names.length)
    .map(([seat, ...more]) => el("div.control-row",
    { dataset: { seats: [seat, ...more].join(" "),
      label: more.length ? `${seat + 1}–${more[more.length - 1] + 1}` : seat + 1 } },
    spans.filter((span) => span.seat === seat).map((span) => {
      const node = el(`span.control-span.by-${span.by}`,
        { title: spanTitle(span, names, perSecond, [seat, ...more]), dataset: { first: span.first, last: span.last } });
      Object.assign(node.style, { left: share(span.first), width: share(span.last - span.first + 1) });
      return node;
    }),
    late.filter((one) => one.seat === seat).map((one) => {
      const who = more.length
        ? `${[seat, ...more].map((one) => names[one]).join(", ")}: the agents were`
        : `${names[seat]}: the agent was`;
      const node = el("span.control-late", { title: `${who} late at tick ${one.tick} and stayed` });
      node.style.left = share(one.tick + 0.5);
      return node;
    })));
  const kinds = Object.keys(TITLES).filter((by) => spans.some((span) => span.by === by));
  const legend = kinds.map(
    (by) => el("span.control-key", {}, el(`span.control-sample.by-${by}`, { "aria-hidden": "true" }), TITLES[by]));
  if (late.length)
    legend.push(el("span.control-key", {}, el("span.control-late-sample", { "aria-hidden": "true" }),
    `agent late, ${late.length}×`));
  const label = spans.map((span) => spanTitle(span, names, perSecond)).slice(0, 40).join("; ");
  return { rows: el("div.strip-controls", { role: "img", "aria-label": `Who was in control. ${label}` }, rows),
    legend };
}
