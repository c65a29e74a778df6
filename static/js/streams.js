/**
 * Puts the stream of an episode together as the server wrote it (webapp/episodes/streams.py): every view has a state
 * for every tick, of which only changes were sent. Pure. Not for: fetching, drawing (replay.js).
 */

/**
 * @param {{first: object, changes: object[]}} rows
 * @returns {object[]} the state of every tick; what is alike is shared
 */
function grown({ first, changes }) {
  const states = [first];
  for (const change of changes) states.push({ ...states[states.length - 1], ...change });
  return states;
}

/**
 * @param {any} stream its `views`: {first, changes} by name, or {like: another view, but: what differs}
 * @returns {any} the stream, with `views` as lists of states by tick, and `alike`: whether all views tell the same
 */
export function expand(stream) {
  /** @type {Record<string, any>} */
  const views = {};
  for (const [name, rows] of Object.entries(stream.views)) if (!rows.like) views[name] = grown(rows);
  for (const [name, { like, but }] of Object.entries(stream.views)) {
    if (like) views[name] = views[like].map((/** @type {object} */ state) => ({ ...state, ...but }));
  }
  return { ...stream, views, alike: Object.keys(views).length > 1 && Object.values(stream.views).slice(1)
    .every((rows) => rows.like) };
}

/**
 * The states of a stream that holds them all; games whose states are fetched in pieces have their own (replay-game.js).
 * @param {{views: Record<string, any[]>}} stream expanded
 * @param {string} first the view shown where another isn't in the stream
 * @returns {import("./replay-game.js").States}
 */
export const statesOf = (stream, first) =>
  ({ at: (name, tick) => (stream.views[name] || stream.views[first])?.[tick] ?? null, load: async () => {} });
