/**
 * U(x<=t) of a reward model on the strip: the curve with its spread, under it what each decision added, as bars. Pure
 * numbers first (tested with Node), then the drawing. Not for: fetching, choosing (utility.js), other rows
 * (timeline.js).
 *
 * @typedef {{ticks: number[], mean: number[], spread: number[]|null, members: number}} Curve U as gains since tick 0;
 *   `spread`: how far the members of an ensemble are apart, null for one network alone
 * @typedef {{tick: number, gain: number}} Jump
 */
import { lastAt } from "./playhead.js";

export const HEIGHT = 74; // CSS pixels of the row
const BARS = 20; // of them for the bars
const PAD = 4;

/** What each entry added to U; nothing at the first. @param {Curve} curve @returns {Jump[]} */
export const gains = ({ ticks, mean }) => ticks.map((tick, i) => ({ tick, gain: i ? mean[i] - mean[i - 1] : 0 }));

/**
 * The biggest changes of U, biggest first, no two of them within a fortieth of the episode of each other.
 * @param {Curve} curve @param {number} [most]
 */
export function jumps(curve, most = 6) {
  const apart = Math.max(1, Math.round(curve.ticks[curve.ticks.length - 1] / 40));
  const found = [];
  for (const one of gains(curve).filter(({ gain }) => gain !== 0).sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain))) {
    if (found.every(({ tick }) => Math.abs(tick - one.tick) > apart)) found.push(one);
    if (found.length === most) break;
  }
  return found;
}

/** U, what was added and the spread at a tick: those of the last entry until then. @param {Curve} curve */
export function valueAt(curve, tick) {
  const i = lastAt(curve.ticks.map((at) => ({ tick: at })), tick);
  return { value: curve.mean[i], gain: i ? curve.mean[i] - curve.mean[i - 1] : 0, spread: curve.spread?.[i] ?? null };
}

/** Lowest and highest of what is drawn, never the same. @param {Curve[]} curves */
export function range(curves) {
  let low = 0, high = 0;
  for (const { mean, spread } of curves) {
    mean.forEach((value, i) => {
      low = Math.min(low, value - (spread?.[i] ?? 0));
      high = Math.max(high, value + (spread?.[i] ?? 0));
    });
  }
  return high > low ? [low, high] : [low - 1, high + 1];
}

/** A change with its sign. */
export const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(2)}`;

/**
 * Draw the row over ticks 0 to `last`. The curve that counts is strong; with a typed instruction the recorded one lies
 * dim under it.
 * @param {CanvasRenderingContext2D} context in CSS pixels @param {{recorded: Curve, told: Curve|null}} curves
 * @param {{width: number, last: number, property: (name: string) => string}} place `property`: a colour of the page
 */
export function drawUtility(context, { recorded, told }, { width, last, property }) {
  const shown = told || recorded, both = told ? [told, recorded] : [recorded];
  const bottom = HEIGHT - BARS - PAD, [low, high] = range(both);
  const x = (tick) => ((tick + 0.5) * width) / (last + 1);
  const y = (value) => PAD + ((high - value) * (bottom - PAD)) / (high - low);
  const trace = ({ ticks, mean }) =>
    ticks.forEach((tick, i) => (i ? context.lineTo(x(tick), y(mean[i])) : context.moveTo(x(tick), y(mean[i]))));
  context.lineJoin = "round";
  level(context, y(0), width, property("--line-strong"));
  if (shown.spread) band(context, shown, x, y, property("--accent"));
  const lines = [...(told ? [{ curve: recorded, color: "--muted", wide: 1.25, dash: [4, 3] }] : []),
    { curve: shown, color: "--accent", wide: 2, dash: [] }];
  for (const { curve, color, wide, dash } of lines) {
    context.strokeStyle = property(color);
    context.lineWidth = wide;
    context.setLineDash(dash);
    context.beginPath();
    trace(curve);
    context.stroke();
  }
  context.setLineDash([]);
  bars(context, shown, { x, wide: Math.max(1, Math.min(7, width / (last + 1) - 1)), property });
  label(context, "U", PAD + 5, property);
  label(context, "ΔU", HEIGHT - BARS / 2 - 1, property);
}

function level(context, at, width, color) {
  context.fillStyle = color;
  context.fillRect(0, Math.round(at), width, 1);
}

function band(context, { ticks, mean, spread }, x, y, color) {
  context.fillStyle = color;
  context.globalAlpha = 0.2;
  context.beginPath();
  ticks.forEach((tick, i) => (i
    ? context.lineTo(x(tick), y(mean[i] + spread[i]))
    : context.moveTo(x(tick), y(mean[i] + spread[i]))));
  for (let i = ticks.length - 1; i >= 0; i -= 1) context.lineTo(x(ticks[i]), y(mean[i] - spread[i]));
  context.fill();
  context.globalAlpha = 1;
}

/** Up and green for more, down and vermilion for less: never colour alone. */
function bars(context, curve, { x, wide, property }) {
  const added = gains(curve), most = added.reduce((found, { gain }) => Math.max(found, Math.abs(gain)), 1e-9);
  const middle = HEIGHT - BARS / 2 - 1, half = BARS / 2 - 1;
  const [up, down] = [property("--progress"), property("--regression")];
  for (const { tick, gain } of added) {
    const high = (Math.abs(gain) / most) * half;
    if (high < 0.4) continue;
    context.fillStyle = gain > 0 ? up : down;
    context.fillRect(x(tick) - wide / 2, gain > 0 ? middle - high : middle, wide, high);
  }
  level(context, middle, context.canvas.clientWidth || 1e5, property("--line"));
}

function label(context, text, at, property) {
  context.font = "9px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.fillStyle = property("--sunken");
  context.globalAlpha = 0.75;
  context.fillRect(0, at - 6, context.measureText(text).width + 6, 12);
  context.globalAlpha = 1;
  context.fillStyle = property("--muted");
  context.fillText(text, 3, at);
}
