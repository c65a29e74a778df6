/**
 * What a replay page shows besides the tick (playhead.js): whose view, with all hands open or not, what happened in
 * words, where the keys jump to, and the address that says all of it. Pure. Not for: drawing, keys (replay.js).
 *
 * @typedef {{seat: number, open: boolean}} Look
 * @typedef {{tick: number, seat?: number|null, kind?: string, tone?: string, text?: string}} Event
 */

/**
 * Whether there is more to see with all hands open: not where everybody sees everything.
 * @param {{views: string[]}} page
 * @param {{alike?: boolean}} stream
 */
export const canOpen = (page, stream) => page.views.includes("open") && !stream.alike;

/**
 * What a page begins with, by its address.
 * @param {{names: string[], seat: number, views: string[]}} page
 * @param {{alike?: boolean}} stream
 * @param {URLSearchParams} query
 * @returns {Look}
 */
export function fresh(page, stream, query) {
  const asked = query.get("seat");
  const seat = asked !== null && Number(asked) < page.names.length ? Number(asked) : page.seat;
  return { seat, open: query.get("view") === "open" && canOpen(page, stream) };
}

/** The view whose states are shown, by its name in the stream. @param {Look} look */
export const viewOf = ({ seat, open }) => (open ? "open" : String(seat));

/** Whose instructions in force are told: everybody's (null) with all hands open. @param {Look} look */
export const heardBy = ({ seat, open }) => (open ? null : seat);

/**
 * What follows the page's address. @param {Look} look @param {number} tick that stays
 * @param {boolean} others whether other people's marks are shown
 */
export function addressOf({ seat, open }, tick, others) {
  const query = new URLSearchParams({ tick: String(tick), seat: String(seat) });
  if (open) query.set("view", "open");
  if (others) query.set("others", "1");
  return `?${query}`;
}

/**
 * All events in their order, those that were read off the states among them.
 * @param {Event[]} events
 * @param {Event[]} moments
 */
export const inOrder = (events, moments) => [...events, ...moments].sort((a, b) => a.tick - b.tick);

/**
 * What happened at a tick: of the seat that is looked at first, two at most.
 * @param {Event[]} events
 * @param {number} tick
 * @param {number} seat
 */
export const happened = (events, tick, seat) => events.filter((event) => event.tick === tick)
  .sort((a, b) => Number(b.seat === seat) - Number(a.seat === seat)).slice(0, 2);

/**
 * The ticks that the keys jump between: what was said, who took over, what stands out.
 * @param {{words: {tick: number, kind: string}[], controls: {first: number}[]}} stream
 * @param {Event[]} events
 * @param {(event: Event) => boolean} [stands] whether an event stands out; what went badly, where a game says nothing
 */
export const eventTicks = ({ words, controls }, events, stands = (event) => event.tone === "bad") => [
  ...words.filter(({ kind }) => kind !== "reason").map(({ tick }) => tick),
  ...controls.filter((span) => span.first > 1).map((span) => span.first),
  ...events.filter(stands).map(({ tick }) => tick),
];

/**
 * How a view is drawn: "you" are only in the own seat's view while you play it, and called by name elsewhere.
 * @param {{seat: number|null}} view
 * @param {string[]} called who plays each seat in this tick @param {{names: string[], own_seats: number[]}} page
 * @returns {{view: any, names: string[]}}
 */
export function asSeen(view, called, page) {
  const own = view.seat !== null && page.own_seats.includes(view.seat) && called[view.seat] === page.names[view.seat];
  if (own) return { view, names: called };
  return { view: { ...view, seat: null }, names: called.map((name) => (name === "You" ? "Your seat" : name)) };
}

/**
 * The one move that led to a tick; nothing where all move at once.
 * @param {{turn_based?: boolean}} page
 * @param {{events: any[]}} stream
 * @param {number} tick
 */
export const moveTo = (page, stream, tick) => (page.turn_based ? stream.events[tick - 1] : undefined);
