/** How agents learned, from what their cards hold: one chart, the first agent's line, those of the others over it. */
import { Curve, smoothingControl } from "./curves.js";
import { find, pageData } from "./lib/dom.js";

const [first, ...others] = pageData("agent-curves", []);
const curve = new Curve(first.name, { unit: { x: "joint steps", y: "return of a game" } });
curve.set(first.points);
curve.setOthers(others.map((/** @type {any} */ { name, points }) => ({ label: name, points })));
find("[data-agent-curves]").append(
  smoothingControl((/** @type {number} */ share) => curve.setSmoothing(share)), curve.figure);
