/**
 * Reads what the Python rules did (JSON on standard input, made by tests/engine/games/arena/test_javascript_twin.py)
 * and does it again with the browser's modules; prints what differs, as JSON.
 */
import { readFileSync } from "node:fs";
import * as angles from "../../static/js/games/arena/angles.js";
import { aimHelp } from "../../static/js/games/arena/aim.js";
import { Prediction } from "../../static/js/games/arena/predict.js";
import { act } from "../../static/js/games/arena/hands.js";
import { move } from "../../static/js/games/arena/move.js";
import { decodeSnapshot, encodeInputs, newSnapshot } from "../../static/js/games/arena/protocol.js";
import { clear, kindAt, opaque, ray, readMap, top } from "../../static/js/games/arena/world.js";

const given = JSON.parse(readFileSync(0, "utf8"));
const maps = (given.maps || []).map(readMap);
const wrong = [];
const answer = { wrong };
const tell = (what, details) => { if (wrong.length < 5) wrong.push({ what, ...details }); };
const inputOf = ([moves, body, basic, change, yaw, pitch]) => ({ move: moves, body, basic,
  switch: change, yaw, pitch });
const bytesOf = (text) => Uint8Array.from(Buffer.from(text, "base64"));

/** `steps`: [input, expected record, expected doors, expected result]; `fields`: those that are compared. */
function play({ map, own: begin, doors: open, steps, fields }, index, whole) {
  const own = Int16Array.from(begin);
  let doors = open;
  const out = { doors: 0, shot: 0 };
  steps.forEach(([input, record, doorsAfter, result], tick) => {
    let got;
    if (whole) {
      act(own, maps[map], doors, inputOf(input), out);
      doors = out.doors;
      got = out.shot;
    } else got = move(own, maps[map], doors, inputOf(input));
    for (const field of fields) {
      if (own[field] !== record[field])
        tell("record", { index, tick, field, got: own[field], expected: record[field], input });
    }
    if (doors !== doorsAfter) tell("doors", { index, tick, got: doors, expected: doorsAfter, input });
    if (got !== result) tell("result", { index, tick, got, expected: result, input });
    own.set(record);
    doors = doorsAfter;
  });
}

for (const [index, one] of (given.moves || []).entries()) play(one, index, false);
for (const [index, one] of (given.acts || []).entries()) play(one, index, true);

for (const [name, args, expected] of given.angles || []) {
  const got = angles[name](...args);
  if (got !== expected) tell(name, { args, got, expected });
}
for (const [map, doors, cell, x, y, expected] of given.cells || []) {
  const got = [top(maps[map], doors, cell), opaque(maps[map], doors, cell), kindAt(maps[map], x, y)];
  if (got.join() !== expected.join()) tell("cell", { cell, doors, got, expected });
}
for (const [map, doors, args, shot, expected] of given.rays || []) {
  const got = ray(maps[map], doors, ...args, shot === 1);
  if (got !== expected) tell("ray", { args, doors, got, expected });
}
for (const [map, doors, args, expected] of given.sights || []) {
  const got = Number(clear(maps[map], doors, ...args));
  if (got !== expected) tell("sight", { args, doors, got, expected });
}
for (const [own, yaw, players, monsters, expected] of given.aims || []) {
  const shown = (one) => ({ ...one, shown: true });
  const got = aimHelp(Int16Array.from(own), yaw, players.map(shown), monsters.map(shown));
  if (JSON.stringify(got && [got.yaw, got.pitch]) !== JSON.stringify(expected)) tell("aim", { got, expected });
}
const into = newSnapshot();
for (const [message, expected] of given.snapshots || []) {
  const got = decodeSnapshot(bytesOf(message).buffer, into);
  for (const [name, value] of Object.entries(expected)) {
    const counted = { players: "playerCount", monsters: "monsterCount", supplies: "supplyCount",
      events: "eventCount" }[name];
    const ours = counted ? got[name].slice(0, got[counted]) : name === "own" ? [...got.own] : got[name];
    if (JSON.stringify(sorted(ours)) !== JSON.stringify(sorted(value)))
      tell(`snapshot.${name}`, { got: ours, expected: value });
  }
}
if (given.inputs) answer.inputs = given.inputs.map((list) => Buffer.from(encodeInputs(list)).toString("base64"));

/** Real snapshots, some ticks late, while inputs go on: what is corrected. */
if (given.match) {
  const { map, inputs, snapshots, late } = given.match;
  const prediction = new Prediction(maps[map]);
  answer.corrections = [];
  snapshots.forEach((message, tick) => {
    const found = prediction.reconcile(decodeSnapshot(bytesOf(message).buffer, into), tick);
    if (found) answer.corrections.push([tick, found.dx, found.dy, found.dz]);
    if (tick === 0) for (let ahead = 0; ahead < late; ahead += 1) prediction.play(numbered(ahead));
    if (inputs[tick + late]) prediction.play(numbered(tick + late));
  });
  function numbered(tick) { return { seq: tick + 1, ...inputOf(inputs[tick]) }; }
}

/** The same object with its keys in order. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, sorted(one)]));
}

console.log(JSON.stringify(answer));
