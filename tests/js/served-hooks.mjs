/** What served.mjs registers: a module that isn't where its path says is looked for below the other roots. */
import { existsSync, readdirSync } from "node:fs";

const home = new URL("../../", import.meta.url);
const games = readdirSync(new URL("engine/games/", home), { withFileTypes: true })
  .filter((one) => one.isDirectory());
const roots = ["static/", ...games.map((game) => `engine/games/${game.name}/static/`)]
  .map((path) => new URL(path, home));

export function resolve(specifier, context, next) {
  if (!specifier.startsWith(".") || !context.parentURL) return next(specifier, context);
  const wanted = new URL(specifier, context.parentURL);
  const root = existsSync(wanted) ? undefined : roots.find((one) => wanted.href.startsWith(one.href));
  const found = root && roots.map((one) => new URL(wanted.href.slice(root.href.length), one)).find(existsSync);
  return next(found ? found.href : specifier, context);
}
