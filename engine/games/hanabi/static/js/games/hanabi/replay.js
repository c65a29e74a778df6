/** Hanabi on a replay page. Not for: the table (../hanabi.js, table.js). */
export { render } from "./hanabi.js";
export { thumbnail } from "./thumbnail.js";
