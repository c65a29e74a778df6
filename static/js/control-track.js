/**
 * Who controlled which seat when, as spans on the strip of a replay: colour and pattern say whether a person, an agent,
 * a co-pilot or nobody; a dot says that an agent was late. Not for: the rest of the strip (timeline.js).
 */
import { el } from "./lib/dom.js";
import { timeOf } from "./playhead.js";

/** @typedef {{seat: number, by: "person"|"agent"|"copilot"|"none", name: string, first: number, last: number}} Span */

export const TITLES = { person: "a person", agent: "an agent", copilot: "the co-pilot", none: "nobody" };

/** Whether the spans tell anything: somebody took over, or (in real time) not all seats are of one kind. */
export function worthShowing(spans, clocked) {
  const seats = new Set(spans.map((span) => span.seat));
  return spans.length > seats.size || (clocked && new Set(spans.map((span) => span.by)).size > 1);
}

/** A span in words. @param {Span} span @param {string[]} names by seat @param {number} perSecond 0: no clock */
export function spanTitle(span, names, perSecond) {
  const who = span.by === "agent" && span.name ? span.name : TITLES[span.by] || span.by;
  const until = span.first === span.last ? `at tick ${span.first}` : `ticks ${span.first} to ${span.last}`;
  const time = perSecond ? ` (${timeOf(span.first, perSecond)} to ${timeOf(span.last, perSecond)})` : "";
  return `${names[span.seat]}'s seat: ${who}, ${until}${time}`;
}

/** The rows, one a seat, and the legend; null when there is nothing to tell. */
export function controlTrack(spans, late, { names, last, perSecond }) {
  if (!worthShowing(spans, perSecond > 0)) return null;
  const share = (ticks) => `${(100 * ticks) / (last + 1)}%`;
  const rows = names.map((name, seat) => el("div.control-row", { dataset: { seat, label: seat + 1 } },
    spans.filter((span) => span.seat === seat).map((span) => {
      const node = el(`span.control-span.by-${span.by}`, { title: spanTitle(span, names, perSecond), dataset: { first: span.first, last: span.last } });
      Object.assign(node.style, { left: share(span.first), width: share(span.last - span.first + 1) });
      return node;
    }),
    late.filter((one) => one.seat === seat).map((one) => {
      const node = el("span.control-late", { title: `${name}: the agent was late at tick ${one.tick} and stayed` });
      node.style.left = share(one.tick + 0.5);
      return node;
    })));
  const kinds = Object.keys(TITLES).filter((by) => spans.some((span) => span.by === by));
  const legend = el("p.control-legend", {}, "In control: ", kinds.map((by) => el("span.control-key", {}, el(`span.control-sample.by-${by}`, { "aria-hidden": "true" }), TITLES[by])),
    late.length > 0 && el("span.control-key", {}, el("span.control-late-sample", { "aria-hidden": "true" }), `agent late, ${late.length}×`));
  const label = spans.map((span) => spanTitle(span, names, perSecond)).slice(0, 40).join("; ");
  return { rows: el("div.strip-controls", { role: "img", "aria-label": `Who was in control. ${label}` }, rows), legend };
}
