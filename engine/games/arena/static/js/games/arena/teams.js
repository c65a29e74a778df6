/**
 * How teams of Arena are told apart: a colour that colour-blind people tell from its neighbours, and a shape, so that
 * colour is never the only sign. Words, colours and paths for the page, maps and figures. Not for: drawing figures
 * (models.js).
 */

export const COLOURS = ["#2277c9", "#e27d00", "#0a9a70", "#c4569d", "#d9b700", "#49b1e3", "#cc4a24", "#5b6070"];
const COLOUR_NAMES = ["blue", "orange", "green", "pink", "yellow", "sky", "vermilion", "grey"];
const SHAPES = ["circle", "square", "triangle", "diamond", "cross", "star", "ring", "hexagon", "arrow", "hourglass"];

export const teamColour = (team) => COLOURS[team % COLOURS.length];
export const teamShape = (team) => SHAPES[team % SHAPES.length];
/** "blue circle", of which there is only one among twenty teams. */
export const teamName = (team) => `${COLOUR_NAMES[team % COLOURS.length]} ${teamShape(team)}`;

const POLYGONS = {
  square: [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]],
  triangle: [[0, -1], [0.95, 0.75], [-0.95, 0.75]],
  diamond: [[0, -1], [0.85, 0], [0, 1], [-0.85, 0]],
  cross: [[-0.3, -0.9], [0.3, -0.9], [0.3, -0.3], [0.9, -0.3], [0.9, 0.3], [0.3, 0.3], [0.3, 0.9], [-0.3, 0.9],
    [-0.3, 0.3], [-0.9, 0.3], [-0.9, -0.3], [-0.3, -0.3]],
  star: Array.from({ length: 10 },
    (_, i) => [Math.sin(i * Math.PI / 5) * (i % 2 ? 0.45 : 1), -Math.cos(i * Math.PI / 5) * (i % 2 ? 0.45 : 1)]),
  hexagon: Array.from({ length: 6 }, (_, i) => [Math.cos(i * Math.PI / 3) * 0.95, Math.sin(i * Math.PI / 3) * 0.95]),
  arrow: [[0, -1], [0.9, 0.1], [0.4, 0.1], [0.4, 0.9], [-0.4, 0.9], [-0.4, 0.1], [-0.9, 0.1]],
  hourglass: [[-0.85, -0.9], [0.85, -0.9], [-0.85, 0.9], [0.85, 0.9]],
};

/** Trace a team's shape around a point of a canvas; fill or stroke it afterwards (rings: "evenodd"). */
export function traceShape(context, team, x, y, radius) {
  const shape = teamShape(team);
  context.beginPath();
  if (shape === "circle" || shape === "ring") {
    context.arc(x, y, radius * 0.9, 0, 2 * Math.PI);
    if (shape === "ring") { context.moveTo(x + radius * 0.45, y); context.arc(x, y, radius * 0.45, 0, 2 * Math.PI); }
    return;
  }
  POLYGONS[shape].forEach(([px, py], i) => context[i ? "lineTo" : "moveTo"](x + px * radius, y + py * radius));
  context.closePath();
}

/** A team's shape as the path of an SVG with viewBox "-1 -1 2 2". */
export function shapePath(team) {
  const shape = teamShape(team);
  const round = (r) => `M${r} 0A${r} ${r} 0 1 1 ${-r} 0A${r} ${r} 0 1 1 ${r} 0Z`;
  if (shape === "circle") return round(0.9);
  if (shape === "ring") return round(0.9) + round(0.45);
  return `${POLYGONS[shape].map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(3)} ${y.toFixed(3)}`).join("")}Z`;
}
