// Checks the types in the JSDoc of the browser's code (make lint): tsc, which finds a module where the site serves it,
// below static/ or the static/ of a game's folder.
import { readdirSync } from "node:fs";
import ts from "typescript";

const games = readdirSync("engine/games", { withFileTypes: true }).filter((entry) => entry.isDirectory());
const roots = ["static", ...games.map((game) => `engine/games/${game.name}/static`)].filter(ts.sys.directoryExists);
const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
config.compilerOptions.rootDirs = roots;
config.include = roots.map((root) => `${root}/js`);
const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
const found = [...errors, ...ts.getPreEmitDiagnostics(ts.createProgram(fileNames, options))];
const host = { getCurrentDirectory: ts.sys.getCurrentDirectory, getCanonicalFileName: String, getNewLine: () => "\n" };
process.stdout.write(ts.formatDiagnostics(found, host));
process.exitCode = found.length ? 1 : 0;
