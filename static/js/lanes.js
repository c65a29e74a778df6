/**
 * Rows of the strip that a game fills: how much of something there was (bars), when something happened (points), phases
 * (spans). Not for: marks, words, who was in control (timeline.js).
 *
 * @typedef {{name: string, title: string, bars?: number[], each?: number, points?: number[],
 *   spans?: {first: number, last: number, strong: boolean}[]}} Lane bars cover `each` ticks
 */
import { context2d } from "./lib/dom.js";

const HEIGHT = 13; // CSS pixels of a lane
const LABEL = 9;

/** The highest bar of a lane; 1 for one without bars, so that one can divide by it. */
/** @param {{bars?: number[]}} lane */
export const highest = ({ bars = [] }) => bars.reduce((most, bar) => Math.max(most, bar), 1);

/**
 * Draw the lanes over ticks 0 to `last`.
 * @param {HTMLCanvasElement} canvas
 * @param {Lane[]} lanes
 * @param {number} width in CSS pixels
 * @param {number} last
 * @param {(name: string) => string} property a colour of the page
 */
export function drawLanes(canvas, lanes, width, last, property) {
  const ratio = globalThis.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(HEIGHT * lanes.length * ratio);
  Object.assign(canvas.style, { width: `${width}px`, height: `${HEIGHT * lanes.length}px` });
  const context = context2d(canvas);
  context.scale(ratio, ratio);
  const at = (/** @type {number} */ tick) => (tick * width) / (last + 1);
  lanes.forEach((lane, row) => {
    const [top, bottom] = [HEIGHT * row + 2, HEIGHT * (row + 1) - 1];
    context.fillStyle = property("--line-strong");
    const most = highest(lane);
    (lane.bars || []).forEach((bar, i) => {
      const high = bar ? Math.max(2, ((bottom - top) * bar) / most) : 0;
      context.fillRect(at(i * (lane.each ?? 1)), bottom - high, Math.max(1, at(lane.each ?? 1) - 0.5), high);
    });
    for (const { first, last: end, strong } of lane.spans || []) {
      context.globalAlpha = strong ? 0.9 : 0.3;
      context.fillRect(at(first), top + 3, Math.max(1, at(end + 1) - at(first) - 1), bottom - top - 4);
      context.globalAlpha = 1;
    }
    context.fillStyle = property("--ink");
    for (const tick of lane.points || []) context.fillRect(at(tick + 0.5) - 1, top + 1, 2.5, bottom - top - 1);
    context.font = `${LABEL}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    const wide = context.measureText(lane.name).width + 6;
    context.fillStyle = property("--sunken");
    context.globalAlpha = 0.75;
    context.fillRect(0, top - 1, wide, HEIGHT - 2);
    context.globalAlpha = 1;
    context.fillStyle = property("--muted");
    context.fillText(lane.name, 3, (top + bottom) / 2);
  });
}

/** What the lanes show, for the legend. @param {Lane[]} lanes @returns {[string, string][]} */
export const laneLegend = (lanes) =>
  lanes.map(({ name, title, bars, spans }) =>
    [name, `${title}${bars ? "; the higher the bar, the more" : spans ? "" : "; a line for each"}`]);
