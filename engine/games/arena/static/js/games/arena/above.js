/**
 * A match of Arena from above on a 2D canvas: the ground, circles, supplies, players with the shape and colour of their
 * team, shots. Takes snapshots as protocol.js has them. Not for: what a snapshot shows of the match (the server, or
 * frames.js), three dimensions (view.js).
 */
import { context2d } from "../../lib/dom.js";
import {
  BUSH, COVER, DOOR_CELL, DOWNED, FLOOR, KINDS, PRONE, ROCK, SHOT, SIDE, STAND, UNIT, WALL, WATER, X, Y, YAW,
} from "./rules.js";
import { teamColour, traceShape } from "./teams.js";
import { seatColour } from "../../plan-state.js";
import { doorsOf, isOpen } from "./world.js";

const [GRASS, DRY] = [[116, 142, 92], [164, 158, 112]]; // low ground and high ground
const COLOURS = { [WATER]: [88, 138, 172], [BUSH]: [66, 104, 62], [COVER]: [150, 126, 98], [WALL]: [92, 84, 80],
  [ROCK]: [124, 122, 120], [FLOOR]: [190, 172, 142] };
const [INK, PAPER, HURT, TRACER, MONSTER, DOOR] = ["#181c20", "#faf8f2", "#d8341f", "#ffec96", "#7a1e3c", "#784824"];
const [BLUE_ZONE, WHITE_ZONE, DANGER] = ["#1e5cc8", "#ffffff", "rgba(88, 40, 110, 0.38)"];
// pistol, submachine gun, rifle, shotgun, sniper rifle, ammunition, medical kit, vest
const SUPPLY_LETTERS = " PSRGNAMV";
const HALF_VIEW = (55 * Math.PI) / 180;
const PIXELS = 4; // of a cell in the picture of the ground that is kept

/** The colour of a cell, lit from the north-west. */
function colourOf(map, x, y) {
  const cell = y * SIDE + x;
  const kind = map[KINDS + cell] >= DOOR_CELL ? FLOOR : map[KINDS + cell];
  const high = Math.min(1, Math.max(0, map[cell] / 60));
  const colour = COLOURS[kind] || GRASS.map((low, i) => low * (1 - high) + DRY[i] * high);
  const slope = x && y && kind !== WATER ? 2 * map[cell] - map[cell - SIDE] - map[cell - 1] : 0;
  const light = 1 + Math.max(-8, Math.min(8, slope)) * 0.028;
  return colour.map((part) => Math.max(0, Math.min(255, part * light)));
}

const grounds = new WeakMap();

/** The picture of a map without anything that moves, made once. @param {Int8Array} map @returns {HTMLCanvasElement} */
export function groundOf(map) {
  if (grounds.has(map)) return grounds.get(map);
  const small = document.createElement("canvas");
  small.width = small.height = SIDE;
  const pixels = new ImageData(SIDE, SIDE);
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) pixels.data.set([...colourOf(map, x, y), 255], 4 * (y * SIDE + x));
  }
  context2d(small).putImageData(pixels, 0, 0);
  const large = document.createElement("canvas");
  large.width = large.height = SIDE * PIXELS;
  const context = context2d(large);
  context.imageSmoothingEnabled = false;
  context.drawImage(small, 0, 0, large.width, large.height);
  grounds.set(map, large);
  return large;
}

/**
 * Draw a snapshot into a square.
 * @param {CanvasRenderingContext2D} context its (0, 0) is the square's corner
 * @param {number} size pixels of the square's side
 * @param {Int8Array} map @param {import("./protocol.js").Snapshot} frame
 * @param {{left: number, top: number, side: number, teamSize: number, chosen?: number|null, view?: boolean,
 *   targets?: import("../../plan-state.js").Target[]}} options the part of the map in metres; `chosen`: whose seat gets
 *   a ring; `view`: whether to show where it looks; `targets`: where the steps of a plan are done
 */
export function drawAbove(context, size, map, frame, options) {
  const { left, top, side, chosen = null } = options;
  const scale = size / side;
  /** @type {(x: number, y: number) => [number, number]} */
  const place = (x, y) => [(x / UNIT - left) * scale, (y / UNIT - top) * scale];
  const figure = Math.max(3, Math.min(size / 40, (side < SIDE ? 0.9 : 1.6) * scale));
  context.save();
  context.beginPath();
  context.rect(0, 0, size, size);
  context.clip();
  context.imageSmoothingEnabled = scale < PIXELS;
  context.drawImage(groundOf(map), left * PIXELS, top * PIXELS, side * PIXELS, side * PIXELS, 0, 0, size, size);
  drawDoors(context, map, frame.doors, place, scale);
  drawZone(context, frame.zone, place, scale, size);
  for (const supply of frame.supplies.slice(0, frame.supplyCount)) drawSupply(context, supply, place, figure);
  const players = frame.players.slice(0, frame.playerCount);
  drawShots(context, frame, players, place, figure);
  for (const monster of frame.monsters.slice(0, frame.monsterCount)) drawMonster(context,
    place(monster.x, monster.y), figure);
  if (options.view && frame.own[X]) drawView(context, place(frame.own[X], frame.own[Y]), frame.own[YAW], size);
  for (const player of players) drawPlayer(context, player, place, figure, options.teamSize, player.seat === chosen);
  for (const target of options.targets ?? []) drawTarget(context, target, place);
  context.restore();
}

/** Where a step of a plan is done, with its number. */
function drawTarget(context, { seat, number, place: [x, y], doing }, place) {
  const [left, top] = place(x * UNIT, y * UNIT), colour = seatColour(seat);
  context.beginPath();
  context.arc(left, top, 10, 0, 2 * Math.PI);
  context.fillStyle = doing ? colour : "#fff";
  context.fill();
  context.lineWidth = 2.5;
  context.strokeStyle = doing ? "#fff" : colour;
  context.stroke();
  context.fillStyle = doing ? "#fff" : "#1c2326";
  context.font = "700 10px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(`${seat + 1}.${number}`, left, top + 0.5);
}

function drawDoors(context, map, doors, place, scale) {
  for (const { number, x, y } of doorsOf(map)) {
    const [left, top] = place(x - 128, y - 128);
    context.fillStyle = context.strokeStyle = DOOR;
    context.lineWidth = scale / 5;
    if (isOpen(doors, number)) context.strokeRect(left, top, scale, scale);
    else context.fillRect(left, top, scale, scale);
  }
}

/** What lies outside of blue is dark; white is where it will be safe. */
function drawZone(context, zone, place, scale, size) {
  const circle = (x, y, r) => context.arc(...place(x, y), Math.max(0, (r / UNIT) * scale), 0, 2 * Math.PI);
  context.beginPath();
  context.rect(0, 0, size, size);
  circle(zone.blueX, zone.blueY, zone.blueR);
  context.fillStyle = DANGER;
  context.fill("evenodd");
  context.lineWidth = Math.max(1, size / 260);
  for (const [colour, x, y, r] of [[BLUE_ZONE, zone.blueX, zone.blueY, zone.blueR],
    [WHITE_ZONE, zone.whiteX, zone.whiteY, zone.whiteR]]) {
    if (r <= 0) continue;
    context.beginPath();
    circle(x, y, r);
    context.strokeStyle = colour;
    context.stroke();
  }
}

function drawSupply(context, supply, place, figure) {
  const [x, y] = place(supply.x, supply.y);
  const half = Math.max(2, figure * 0.55);
  context.fillStyle = PAPER;
  context.strokeStyle = INK;
  context.lineWidth = 1;
  context.fillRect(x - half, y - half, 2 * half, 2 * half);
  context.strokeRect(x - half, y - half, 2 * half, 2 * half);
  if (half >= 5) write(context, SUPPLY_LETTERS[supply.kind], x, y, half * 1.6, INK);
}

function write(context, text, x, y, size, colour) {
  context.font = `700 ${Math.round(size)}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

function drawShots(context, frame, players, place, figure) {
  const by = new Map(players.map((player) => [player.seat, player]));
  for (const event of frame.events.slice(0, frame.eventCount)) {
    const shooter = by.get(event.seat);
    if (event.kind !== SHOT || !shooter) continue;
    const end = place(event.x, event.y);
    context.strokeStyle = TRACER;
    context.lineWidth = Math.max(1, figure / 5);
    context.beginPath();
    context.moveTo(...place(shooter.x, shooter.y));
    context.lineTo(...end);
    context.stroke();
    context.fillStyle = PAPER;
    context.beginPath();
    context.arc(...end, Math.max(1.5, figure / 4), 0, 2 * Math.PI);
    context.fill();
  }
}

function drawMonster(context, [x, y], figure) {
  context.beginPath();
  for (let corner = 0; corner < 10; corner += 1) {
    const away = figure * (corner % 2 ? 1 : 0.55);
    const turn = (Math.PI * corner) / 5;
    context[corner ? "lineTo" : "moveTo"](x + away * Math.sin(turn), y - away * Math.cos(turn));
  }
  context.closePath();
  Object.assign(context, { fillStyle: MONSTER, strokeStyle: INK, lineWidth: 1 });
  context.fill();
  context.stroke();
}

/** What is out of view is dimmed. */
function drawView(context, [x, y], yaw, size) {
  const turn = (yaw / 65536) * 2 * Math.PI - Math.PI / 2; // canvas angles begin in the east
  context.beginPath();
  context.rect(0, 0, size, size);
  context.moveTo(x, y);
  context.arc(x, y, 2 * size, turn - HALF_VIEW, turn + HALF_VIEW);
  context.closePath();
  context.fillStyle = "rgba(12, 16, 20, 0.28)";
  context.fill("evenodd");
}

/** Shape and colour of the team, number, the way it looks, and what health it is known to have. */
function drawPlayer(context, player, place, figure, teamSize, chosen) {
  const team = Math.floor(player.seat / teamSize);
  const [x, y] = place(player.x, player.y);
  const turn = (player.yaw / 65536) * 2 * Math.PI;
  const downed = player.life === DOWNED;
  const body = figure * (player.stance === STAND ? 1 : player.stance >= PRONE ? 0.75 : 0.88);
  context.lineCap = "round";
  for (const [colour, width] of [[INK, figure / 2], [PAPER, figure / 4]]) {
    Object.assign(context, { strokeStyle: colour, lineWidth: width });
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + Math.sin(turn) * figure * 1.8, y - Math.cos(turn) * figure * 1.8);
    context.stroke();
  }
  if (chosen) {
    Object.assign(context, { strokeStyle: PAPER, lineWidth: Math.max(1.5, figure / 5) });
    context.beginPath();
    context.arc(x, y, figure * 1.7, 0, 2 * Math.PI);
    context.stroke();
  }
  traceShape(context, team, x, y, body * 1.1);
  Object.assign(context, { fillStyle: teamColour(team), strokeStyle: INK, lineWidth: 1 });
  context.fill("evenodd");
  context.stroke();
  if (figure >= 6) {
    context.lineWidth = 2;
    context.strokeStyle = INK;
    context.font = `700 ${Math.round(figure * 1.1)}px system-ui, sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.strokeText(player.seat + 1, x, y);
    write(context, player.seat + 1, x, y, figure * 1.1, PAPER);
  }
  if (downed) {
    Object.assign(context, { strokeStyle: HURT, lineWidth: Math.max(2, figure / 4) });
    context.beginPath();
    for (const sign of [-1, 1]) {
      context.moveTo(x - figure, y - sign * figure);
      context.lineTo(x + figure, y + sign * figure);
    }
    context.stroke();
  }
  if (player.hp <= 100) {
    const [width, height, at] = [2 * figure, Math.max(2, figure / 3), y + figure * 1.35];
    context.fillStyle = INK;
    context.fillRect(x - figure, at, width, height);
    context.fillStyle = downed || player.hp < 35 ? HURT : PAPER;
    context.fillRect(x - figure, at, (width * Math.max(0, player.hp)) / 100, height);
  }
}
