/**
 * The binary messages of a live Arena match, version 1: the twin of engine/games/arena/protocol.py, which says what
 * each byte is. Little-endian throughout. Not for: the JSON frames beside them (lib/match-socket.js), what a page does
 * with a snapshot (net.js).
 */

export const VERSION = 1;
export const INPUT = 1;
export const SNAPSHOT = 2;
export const INPUT_BYTES = 16;
/** Inputs a message: the newest and those before it, in case one was lost on the server's side. */
export const MOST_INPUTS = 3;
/** The seat of somebody who watches from above. */
export const NOBODY = 255;
export const OWN_FIELDS = 48;
const HEAD = 20; // bytes before the own record
/** The health that stands for "not told": that of enemies. */
export const UNKNOWN_HP = 255;

/**
 * @typedef {{seq: number, move: number, body: number, basic: number, switch: number, yaw: number, pitch: number, seen:
 *   number}} SentInput
 * @typedef {{seat: number, life: number, stance: number, fired: boolean, running: boolean, busy: boolean, x: number, y:
 *   number, z: number, yaw: number, pitch: number, weapon: number, hp: number, helped: boolean, mate: boolean}} Player
 *   pitch in turn units
 * @typedef {{number: number, x: number, y: number, z: number, yaw: number, hp: number}} Monster
 * @typedef {{number: number, kind: number, amount: number, x: number, y: number}} Supply
 * @typedef {{kind: number, seat: number, other: number, x: number, y: number, z: number, value: number, tick: number}}
 *   GameEvent
 *   `seat` -1: somebody unseen, then the place is only roughly right
 * @typedef {{stage: number, shrinking: boolean, left: number, blueX: number, blueY: number, blueR: number, whiteX:
 *   number, whiteY: number, whiteR: number}} Zone `left` in ticks
 * @typedef {{tick: number, ack: number, seat: number, over: boolean, watching: boolean, teamsLeft: number, playersLeft:
 *   number, clock: number, late: number, waiting: number, idleAgents: number, own: Int16Array, playerCount: number,
 *   players: Player[], monsterCount: number, monsters: Monster[], zone: Zone, doors: number, supplyCount: number,
 *   supplies: Supply[], eventCount: number, events: GameEvent[]}} Snapshot the lists are longer than what is in them:
 *   `…Count` says how much counts; `watching` another seat than one's own;
 *   `clock` of the host in ms (it wraps), `late` ms that the tick began late, `waiting` inputs of ours; `players`
 *   without the own one
 */

/** The message with these inputs, oldest first. @param {SentInput[]} inputs 1 to 3 @returns {Uint8Array} */
export function encodeInputs(inputs) {
  if (!inputs.length || inputs.length > MOST_INPUTS)
    throw new RangeError(`A message has 1 to ${MOST_INPUTS} inputs, not ${inputs.length}.`);
  const bytes = new Uint8Array(3 + INPUT_BYTES * inputs.length);
  const view = new DataView(bytes.buffer);
  bytes.set([INPUT, VERSION, inputs.length]);
  inputs.forEach((input, i) => {
    const at = 3 + INPUT_BYTES * i;
    view.setUint32(at, input.seq, true);
    view.setUint8(at + 4, input.move);
    view.setUint8(at + 5, input.body);
    view.setUint8(at + 6, input.basic);
    view.setUint8(at + 7, input.switch);
    view.setUint16(at + 8, input.yaw, true);
    view.setInt16(at + 10, input.pitch, true);
    view.setUint16(at + 12, input.seen, true);
  });
  return bytes;
}

const listOf = (most, fields) => Array.from({ length: most }, () => ({ ...fields }));

/** An empty snapshot to decode into, with room for the most that a message can hold. @returns {Snapshot} */
export const newSnapshot = () => ({
  tick: 0, ack: 0, seat: NOBODY, over: false, watching: false, teamsLeft: 0, playersLeft: 0,
  clock: 0, late: 0, waiting: 0, idleAgents: 0, own: new Int16Array(OWN_FIELDS),
  playerCount: 0,
  players: listOf(20, {
    seat: 0, life: 0, stance: 0, fired: false, running: false, busy: false, x: 0, y: 0, z: 0, yaw: 0,
    pitch: 0, weapon: 0, hp: 0,
    helped: false, mate: false,
  }),
  monsterCount: 0, monsters: listOf(8, { number: 0, x: 0, y: 0, z: 0, yaw: 0, hp: 0 }),
  zone: { stage: 0, shrinking: false, left: 0, blueX: 0, blueY: 0, blueR: 0, whiteX: 0, whiteY: 0, whiteR: 0 },
  doors: 0,
  supplyCount: 0, supplies: listOf(64, { number: 0, kind: 0, amount: 0, x: 0, y: 0 }),
  eventCount: 0, events: listOf(64, { kind: 0, seat: 0, other: 0, x: 0, y: 0, z: 0, value: 0, tick: 0 }),
});

/** A message of another version, or one that is cut short; `message` is a sentence for the page. */
export class ProtocolError extends Error {}

function readOwn(view, at, own) {
  for (let field = 0; field < OWN_FIELDS; field += 1) own[field] = view.getInt16(at + 2 * field, true);
}

function readPlayer(view, at, player) {
  const bits = view.getUint8(at + 1);
  const flags = view.getUint8(at + 13);
  player.seat = view.getUint8(at);
  player.life = bits & 3;
  player.stance = (bits >> 2) & 7;
  player.fired = (bits & 0x20) !== 0;
  player.running = (bits & 0x40) !== 0;
  player.busy = (bits & 0x80) !== 0;
  player.x = view.getInt16(at + 2, true);
  player.y = view.getInt16(at + 4, true);
  player.z = view.getInt16(at + 6, true);
  player.yaw = view.getInt16(at + 8, true);
  player.pitch = view.getInt8(at + 10) * 128;
  player.weapon = view.getUint8(at + 11);
  player.hp = view.getUint8(at + 12);
  player.helped = (flags & 1) !== 0;
  player.mate = (flags & 2) !== 0;
}

function readMonster(view, at, monster) {
  monster.number = view.getUint8(at);
  monster.x = view.getInt16(at + 1, true);
  monster.y = view.getInt16(at + 3, true);
  monster.z = view.getInt16(at + 5, true);
  monster.yaw = view.getUint8(at + 7) << 8;
  monster.hp = view.getUint8(at + 8);
}

function readZone(view, at, zone) {
  zone.stage = view.getUint8(at);
  zone.shrinking = view.getUint8(at + 1) !== 0;
  zone.left = view.getUint16(at + 2, true);
  zone.blueX = view.getInt16(at + 4, true);
  zone.blueY = view.getInt16(at + 6, true);
  zone.blueR = view.getUint16(at + 8, true);
  zone.whiteX = view.getInt16(at + 10, true);
  zone.whiteY = view.getInt16(at + 12, true);
  zone.whiteR = view.getUint16(at + 14, true);
}

function readSupply(view, at, supply) {
  supply.number = view.getUint8(at);
  supply.kind = view.getUint8(at + 1);
  supply.amount = view.getUint8(at + 2);
  supply.x = view.getInt16(at + 4, true);
  supply.y = view.getInt16(at + 6, true);
}

function readEvent(view, at, event) {
  event.kind = view.getUint8(at);
  event.seat = view.getInt8(at + 1);
  event.other = view.getInt8(at + 2);
  event.x = view.getInt16(at + 4, true);
  event.y = view.getInt16(at + 6, true);
  event.z = view.getInt16(at + 8, true);
  event.value = view.getInt16(at + 10, true);
  event.tick = view.getUint16(at + 12, true);
}

const SIZES = { player: 14, monster: 10, zone: 16, supply: 8, event: 14 };

/** Read a counted list; returns where it ends. */
function readList(view, at, into, bytes, read) {
  const count = view.getUint8(at);
  if (count > into.length)
    throw new ProtocolError(
      `The match host sent a list of ${count} where at most ${into.length} fit. Reload the page.`);
  for (let i = 0; i < count; i += 1) read(view, at + 1 + bytes * i, into[i]);
  return at + 1 + bytes * count;
}

/**
 * Read a snapshot into one that exists: nothing is allocated but the view.
 * @param {ArrayBuffer} message @param {Snapshot} into @returns {Snapshot}
 */
export function decodeSnapshot(message, into) {
  const view = new DataView(message);
  try {
    if (view.getUint8(0) !== SNAPSHOT)
      throw new ProtocolError("The match host sent a message that this page doesn't know. Reload the page.");
    const version = view.getUint8(1);
    if (version !== VERSION)
      throw new ProtocolError(
        `The match host speaks version ${version} of Arena's messages, this page version ${VERSION}. Reload the page.`);
    const flags = view.getUint8(9);
    into.tick = view.getUint16(2, true);
    into.ack = view.getUint32(4, true);
    into.seat = view.getUint8(8);
    into.over = (flags & 1) !== 0;
    into.watching = (flags & 2) !== 0;
    into.teamsLeft = view.getUint8(10);
    into.playersLeft = view.getUint8(11);
    into.clock = view.getUint32(12, true) / 10;
    into.late = view.getUint16(16, true) / 100;
    into.waiting = view.getUint8(18);
    into.idleAgents = view.getUint8(19);
    readOwn(view, HEAD, into.own);
    let at = HEAD + 2 * OWN_FIELDS;
    into.playerCount = view.getUint8(at);
    at = readList(view, at, into.players, SIZES.player, readPlayer);
    into.monsterCount = view.getUint8(at);
    at = readList(view, at, into.monsters, SIZES.monster, readMonster);
    readZone(view, at, into.zone);
    into.doors = view.getUint32(at + SIZES.zone, true);
    at += SIZES.zone + 4;
    into.supplyCount = view.getUint8(at);
    at = readList(view, at, into.supplies, SIZES.supply, readSupply);
    into.eventCount = view.getUint8(at);
    at = readList(view, at, into.events, SIZES.event, readEvent);
    if (at !== message.byteLength)
      throw new ProtocolError(
        `The match host sent ${message.byteLength} bytes where ${at} were announced. Reload the page.`);
  } catch (error) {
    if (error instanceof RangeError)
      throw new ProtocolError("The match host sent a message that was cut short. Reload the page.");
    throw error;
  }
  return into;
}
