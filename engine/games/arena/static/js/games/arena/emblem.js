/** A squad's emblem as an SVG element. Not for: the match itself (hud.js, which names them too). */
import { shapePath, teamColour } from "./teams.js";

const SVG = "http://www.w3.org/2000/svg";

/** @param {number} team */
export function emblemOf(team) {
  const svg = document.createElementNS(SVG, "svg"), path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "-1.15 -1.15 2.3 2.3");
  svg.setAttribute("class", "emblem");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", shapePath(team));
  path.setAttribute("fill", teamColour(team));
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}
