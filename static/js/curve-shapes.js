/**
 * What a line chart is made of, as pure functions of points [x, y] by rising x: thinning, smoothing, bands over several
 * runs, axes, places in the chart's own units. Not for: drawing (curves.js).
 */

export const WIDTH = 320;
export const HEIGHT = 170;
export const PAD = { left: 46, right: 14, top: 10, bottom: 34 };

/**
 * At most `most` points, keeping each bucket's lowest and highest so that spikes stay visible.
 * @param {[number, number][]} points by rising x
 */
export function thin(points, most = 300) {
  if (points.length <= most) return points;
  const size = Math.ceil(points.length / (most / 2));
  const kept = [];
  for (let start = 0; start < points.length; start += size) {
    const bucket = points.slice(start, start + size);
    let low = 0, high = 0;
    for (let i = 1; i < bucket.length; i++) {
      if (bucket[i][1] < bucket[low][1]) low = i;
      if (bucket[i][1] > bucket[high][1]) high = i;
    }
    for (const i of low === high ? [low] : [low, high].sort((a, b) => a - b)) kept.push(bucket[i]);
  }
  return kept;
}

/** Each point's mean with those beside it, `share` (0 to 1) of all points in all; 0 leaves them as they are. */
export function smooth(points, share) {
  const reach = Math.round((share * points.length) / 2);
  if (!reach) return points;
  return points.map(([x], i) => {
    const beside = points.slice(Math.max(0, i - reach), i + reach + 1);
    return [x, beside.reduce((sum, [, y]) => sum + y, 0) / beside.length];
  });
}

/** The value of a line at x, between its points; null beyond its ends. */
export function at(points, x) {
  if (!points.length || x < points[0][0] || x > points.at(-1)[0]) return null;
  const i = nearest(points, x);
  const [left, right] = points[i][0] <= x ? [points[i], points[i + 1] ?? points[i]] : [points[i - 1], points[i]];
  if (right[0] === left[0]) return left[1];
  return left[1] + ((x - left[0]) / (right[0] - left[0])) * (right[1] - left[1]);
}

/** The lowest and highest of several runs where all of them are, at the first one's x: [x, low, high][]. */
export function band(runs) {
  const found = [];
  for (const [x] of runs[0] ?? []) {
    const values = runs.map((points) => at(points, x));
    if (!values.includes(null)) found.push([x, Math.min(...values), Math.max(...values)]);
  }
  return found;
}

/** The ranges of x and y, never empty: {x: [low, high], y: [low, high]}. */
export function ranges(points) {
  const xs = points.map((p) => p[0]), ys = points.map((p) => p[1]);
  const x = [Math.min(...xs), Math.max(...xs)], y = [Math.min(...ys), Math.max(...ys)];
  if (x[0] === x[1]) x[1] = x[0] + 1;
  if (y[0] === y[1]) { const half = Math.abs(y[0]) * 0.1 || 1; y[0] -= half; y[1] += half; }
  return { x, y };
}

/** Round numbers from low to high, about `count` of them. @param {number[]} range */
export function ticks([low, high], count = 4) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((digit) => digit * power >= rough * 0.999) ?? 10) * power;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(
    Number((i * step).toPrecision(12)));
  return found;
}

/** Where a point is drawn, in the chart's own units. */
export function place([x, y], range) {
  const across = (x - range.x[0]) / (range.x[1] - range.x[0]);
  const up = (y - range.y[0]) / (range.y[1] - range.y[0]);
  return [PAD.left + across * (WIDTH - PAD.left - PAD.right),
    HEIGHT - PAD.bottom - up * (HEIGHT - PAD.top - PAD.bottom)];
}

/** The `d` of a path through the points. */
export function path(points, range) {
  return points.map((point, i) => `${i ? "L" : "M"}${place(point, range).map((v) => v.toFixed(1)).join(" ")}`).join("");
}

/** The `d` of the area between the lows and the highs of a band. */
export function area(found, range) {
  if (found.length < 2) return "";
  const over = path(found.map(([x, , high]) => [x, high]), range);
  const back = path(found.map(([x, low]) => [x, low]).reverse(), range);
  return `${over}L${back.slice(1)}Z`;
}

/** Index of the point whose x is nearest; points rise in x. */
export function nearest(points, x) {
  let low = 0, high = points.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle][0] < x) low = middle; else high = middle;
  }
  return x - points[low][0] <= points[high][0] - x ? low : high;
}

/** A number with about four digits. */
export function short(value) {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 10000 || size < 0.001) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

/** A number beside an axis: 20000 is 20k, 3000000 is 3M. */
export function round(value) {
  for (const [size, letter] of /** @type {[number, string][]} */ ([[1e9, "G"], [1e6, "M"], [1e3, "k"]])) {
    if (Math.abs(value) >= 10 * size || (Math.abs(value) >= size && value % (size / 10) === 0))
      return `${Number((value / size).toPrecision(4))}${letter}`;
  }
  return String(Number(value.toPrecision(4)));
}

/** What a metric is the control of, by their names: "control_loss" lies over "loss"; null for others. */
export const controlOf = (name) => (name.startsWith("control_") ? name.slice("control_".length) : null);

/** @type {[RegExp, string][]} */
const UNITS = [[/(^|_)(score|return|points)$/, "points"], [/(^|_)kl$/, "nats a move"],
  [/accuracy|share|frac$/, "share"], [/nats|entropy|nll/, "nats"]];

/** In what a metric is measured, by its name; "" where it has no unit. */
export const unitOf = (name) => UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? "";
