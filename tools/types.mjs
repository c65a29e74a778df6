// Checks the types in the JSDoc of the browser's code (make lint): tsc, which finds a module where the site serves it,
// below static/ or the static/ of a game's folder. What has no type yet, in the files that tools/untyped.txt names, is
// anything; every other file says all of its types.
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const LIST = "tools/untyped.txt";
const games = readdirSync("engine/games", { withFileTypes: true }).filter((entry) => entry.isDirectory());
const roots = ["static", ...games.map((game) => `engine/games/${game.name}/static`)].filter(ts.sys.directoryExists);
const { config } = ts.readConfigFile("tsconfig.json", ts.sys.readFile);
config.compilerOptions.rootDirs = roots;
config.include = roots.map((root) => `${root}/js`);
const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
const strict = ts.createProgram(fileNames, options);
const lenient = ts.createProgram(fileNames, { ...options, noImplicitAny: false }, undefined, strict);
const problems = (program, name) => [...program.getSyntacticDiagnostics(program.getSourceFile(name)),
  ...program.getSemanticDiagnostics(program.getSourceFile(name))];
const untyped = new Set(readFileSync(LIST, "utf8").trim().split("\n"));
const found = [...errors, ...strict.getOptionsDiagnostics(), ...strict.getGlobalDiagnostics()];
const typed = [];
for (const name of fileNames) {
  const isUntyped = untyped.delete(path.relative(".", name));
  found.push(...problems(isUntyped ? lenient : strict, name));
  if (isUntyped && !problems(strict, name).length) typed.push(path.relative(".", name));
}
const host = { getCurrentDirectory: ts.sys.getCurrentDirectory, getCanonicalFileName: String, getNewLine: () => "\n" };
process.stdout.write(ts.formatDiagnostics(found, host));
for (const name of typed) console.log(`${name}: it has all of its types now; take it from ${LIST}.`);
for (const name of untyped) console.log(`${name}: ${LIST} names it, and it isn't there.`);
process.exitCode = found.length || typed.length || untyped.size ? 1 : 0;
