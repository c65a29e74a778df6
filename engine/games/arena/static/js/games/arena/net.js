/**
 * The netcode of a live Arena match: sends one's own inputs 20 times a second and plays them at once, takes the
 * server's snapshots, and says what is to be drawn at any moment. Not for: keys and mouse (controls.js), drawing,
 * words.
 *
 * A page makes one net and asks it for a scene in every animation frame:
 *
 *     const net = createNet({ ticket: page.ticket, controls, steers: page.seat !== null,
 *       onFrame: (frame, answered) => …,              // JSON frames, as of MatchSocket
 *       onStatus: (status) => …, onLatency: (ms) => …,
 *       onSnapshot: (snapshot) => …,         // each new one; it is overwritten 1.5 s later, keep nothing of it
 *       onEvent: (event, snapshot) => …,     // each event of the server once
 *       onShot: (weapon) => …,               // one's own shot, at once (the server's SHOT event comes later)
 *       onCorrection: (correction) => …,
 *       onRewind: () => …,                   // what comes now is earlier than what was shown: forget what happened
 *       onBroken: (sentence) => … });        // the host speaks another version: nothing more is read
 *     net.setMap(readMap(bytes));                     // as soon as `joined` has said which map it is
 *     net.steer(false);                               // while an agent moves one's player
 *     const scene = net.frame(performance.now());     // null before the first snapshot
 *     net.send({ type: "instruct", … });
 */
import { aimHelp } from "./aim.js";
import { Snapshots } from "./interpolate.js";
import { InputClock, RenderClock, TICK } from "./clock.js";
import { Prediction } from "./predict.js";
import { decodeSnapshot, encodeInputs, MOST_INPUTS, NOBODY, ProtocolError } from "./protocol.js";
import { ARM, DOWNED, EYES, LIFE, OUT, PITCH, STANCE, UP, X, Y, YAW, Z } from "./rules.js";
import { MatchSocket } from "../../lib/match-socket.js";

/**
 * @typedef {{tick: number, own: Int16Array, predicted: boolean, doors: number,
 *   camera: {x: number, y: number, z: number, eyes: number, yaw: number, pitch: number},
 *   players: import("./interpolate.js").ShownPlayer[], monsters: import("./interpolate.js").ShownMonster[],
 *   snapshot: import("./protocol.js").Snapshot}} Scene
 *   `tick`: of the others, a fraction; `own`: the record of the seat whose eyes these are, after the newest input if it
 *   is our own; `camera`: its feet, the eyes' height above them, where it looks (units, with fractions); `players` by
 *   seat and `monsters` by number, those with `shown`. The same object each time.
 * @typedef {{own: Int16Array, mateDown: boolean, aim: {yaw: number, pitch: number}|null}} Context what controls need to
 *   know: the own record, whether a downed mate is in reach, where aim help looks
 * @typedef {import("./controls.js").ArenaControls} Controls of which `take`, `peek`, `advance`, `look`, `yaw`, `pitch`
 *   and `aiming` are used
 */

/** Milliseconds without a snapshot after which one's own player stands. */
const SILENT = 600;

/** Netcode without a socket: bytes in, bytes out, time as an argument. */
export class Netcode {
  #seq = 0;
  #sent = [];
  #sentAt = new Map();
  #eventsThrough = -1;
  #looked = false;
  #steers;
  #latest = -1;
  #heardAt = 0;
  /** @type {any} */
  #prediction = null;
  /** @type {any} */
  #snapshots = new Snapshots();
  #clock = new RenderClock();
  #inputs = new InputClock();
  /** @type {any} */
  #context = { own: null, mateDown: false, aim: null };
  /** @type {any} */
  #scene = {
    tick: 0, own: null, predicted: false, doors: 0, camera: { x: 0, y: 0, z: 0, eyes: 0, yaw: 0, pitch: 0 },
    players: this.#snapshots.players, monsters: this.#snapshots.monsters, snapshot: null,
  };
  /** What the page may show: milliseconds, and counts since it was opened. */
  readings = { ping: 0, jitter: 0, delay: 100, answer: 0, corrections: 0, largest: 0, snapshots: 0, bytes: 0, inputs: 0,
    waiting: 0, late: 0 };

  /** @param {{controls: Controls, steers?: boolean, onSnapshot?: Function, onEvent?: Function, onShot?: Function,
   *   onCorrection?: Function, onRewind?: Function}} options */
  constructor({ controls, steers = true, onSnapshot = () => {}, onEvent = () => {}, onShot = () => {},
    onCorrection = () => {}, onRewind = () => {} }) {
    this.controls = controls;
    this.onSnapshot = onSnapshot;
    this.onEvent = onEvent;
    this.onShot = onShot;
    this.onCorrection = onCorrection;
    this.onRewind = onRewind;
    this.#steers = steers;
  }

  /** @param {Int8Array} map */
  setMap(map) { this.#prediction = new Prediction(map); this.#looked = false; }

  /** Whether our inputs move the player; else its eyes are followed. */
  steer(steers) {
    if (steers === this.#steers) return;
    this.#steers = steers;
    this.#looked = false;
    this.#prediction?.forget();
    this.#inputs.reset();
  }

  /** Another line: the server counts our inputs from 1 again and knows of none. */
  opened() {
    this.#seq = 0;
    this.#sent = [];
    this.#sentAt.clear();
    this.#prediction?.forget();
    this.#inputs.reset();
    this.#clock.reset();
    this.#snapshots.forget();
  }

  /** Whether one's own player is drawn ahead of the server. */
  get predicts() {
    const newest = this.#snapshots.newest;
    return Boolean(this.#steers && this.#prediction?.started && newest && !newest.watching && newest.own[LIFE] !== OUT);
  }

  /** A binary message came. Raises ProtocolError. @param {ArrayBuffer} message */
  receive(message, now) {
    const snapshot = decodeSnapshot(message, this.#snapshots.spare);
    this.readings.bytes += message.byteLength;
    if (snapshot.tick < this.#latest) this.#rewind(snapshot.tick);
    this.#latest = snapshot.tick;
    this.#heardAt = now;
    this.#snapshots.keep();
    this.#clock.arrived(snapshot.tick, now);
    this.#inputs.waiting(snapshot.waiting);
    this.#measure(snapshot, now);
    if (this.#steers && this.#prediction && !snapshot.watching && snapshot.seat !== NOBODY) {
      const correction = this.#prediction.reconcile(snapshot, now);
      if (!this.#looked) { this.controls.look(snapshot.own[YAW], snapshot.own[PITCH]); this.#looked = true; }
      if (correction) {
        this.readings.corrections += 1;
        this.readings.largest = Math.max(this.readings.largest, correction.distance);
        this.onCorrection(correction);
      }
    }
    this.onSnapshot(snapshot);
    this.#tellEvents(snapshot);
  }

  /** Spectators see a match late, and a host that took one up again may be a little earlier: another film begins. */
  #rewind(tick) {
    this.#snapshots.forget();
    this.#clock.reset();
    this.#eventsThrough = tick - 2; // those of the tick before it are in it
    this.onRewind();
  }

  #measure(snapshot, now) {
    const { readings } = this;
    readings.snapshots += 1;
    readings.waiting = snapshot.waiting;
    readings.late = snapshot.late;
    readings.jitter = this.#clock.jitter;
    readings.delay = this.#clock.delay;
    const at = this.#sentAt.get(snapshot.ack);
    if (at !== undefined) readings.answer = readings.answer ? readings.answer * 0.9 + (now - at) * 0.1 : now - at;
    for (const seq of this.#sentAt.keys()) if (seq <= snapshot.ack) this.#sentAt.delete(seq);
  }

  #tellEvents(snapshot) {
    let through = this.#eventsThrough;
    for (let i = 0; i < snapshot.eventCount; i += 1) {
      const event = snapshot.events[i];
      if (event.tick <= this.#eventsThrough) continue;
      through = Math.max(through, event.tick);
      this.onEvent(event, snapshot);
    }
    this.#eventsThrough = through;
  }

  /** Play the inputs that are due now and give each message to `send`. Ask as often as you like. */
  pump(now, send) {
    if (!this.predicts) { this.#inputs.reset(); return; }
    this.controls.advance(now, this.#around().aim);
    if (this.#still(now)) { this.#inputs.reset(); return; }
    const due = this.#inputs.due(now);
    for (let left = due; left > 0; left -= 1) {
      const input = { seq: this.#seq + 1, ...this.controls.take(this.#around()), seen: this.#seen(now) };
      this.#seq += 1;
      const shot = this.#prediction.play(input);
      this.#sent = [...this.#sent, input].slice(-MOST_INPUTS);
      this.#sentAt.set(input.seq, now);
      this.readings.inputs += 1;
      if (shot) this.onShot(shot);
    }
    // After the page stood still, one message with the newest few, not one for each.
    if (due) send(encodeInputs(this.#sent));
  }

  /** Whether the match stands: not begun, paused, over, or the line is silent. Nobody walks ahead of that. */
  #still(now) {
    const { newest } = this.#snapshots;
    return newest.tick === 0 || newest.over || now - this.#heardAt > SILENT;
  }

  /** The tick whose others are on the screen: where shots are to be judged. */
  #seen(now) {
    const at = this.#clock.at(now);
    return at === null ? 0 : Math.max(0, Math.min(Math.round(at), this.#snapshots.newest.tick)) & 0xffff;
  }

  /** @returns {Context} */
  #around() {
    const { own } = this.#prediction;
    this.#context.own = own;
    this.#context.mateDown = this.#mateInReach(own);
    this.#context.aim = this.controls.aiming
      ? aimHelp(own, this.controls.yaw, this.#snapshots.players, this.#snapshots.monsters)
      : null;
    return this.#context;
  }

  #mateInReach(own) {
    const { players, playerCount } = this.#snapshots.newest;
    for (let i = 0; i < playerCount; i += 1) {
      const one = players[i];
      if (!one.mate || one.life !== DOWNED || Math.abs(one.z - own[Z]) >= 512) continue;
      if (Math.hypot(one.x - own[X], one.y - own[Y]) <= ARM) return own[LIFE] === UP;
    }
    return false;
  }

  /** What is to be drawn now; null before the first snapshot. @returns {Scene|null} */
  frame(now) {
    const { newest } = this.#snapshots;
    if (!newest) return null;
    const scene = this.#scene;
    const { camera } = scene;
    scene.tick = this.#clock.at(now) ?? newest.tick;
    this.#snapshots.show(scene.tick);
    scene.snapshot = newest;
    scene.predicted = this.predicts;
    if (scene.predicted) {
      const context = this.#around();
      this.#prediction.place(this.controls.peek(context), this.#inputs.part(now), now, camera);
      camera.yaw = this.controls.yaw;
      camera.pitch = this.controls.pitch;
      scene.own = this.#prediction.own;
      scene.doors = this.#prediction.doors;
    } else {
      Object.assign(camera, this.#snapshots.own);
      camera.eyes = EYES[newest.own[STANCE]];
      scene.own = newest.own;
      scene.doors = newest.doors;
    }
    return scene;
  }
}

/**
 * Netcode on a socket. Options as above; `Socket` and `clock` are for tests.
 * @returns {{send: Function, setMap: Function, steer: Function, pump: Function, frame: Function, stop: Function,
 *   readings: object, socket: MatchSocket}}
 */
/**
 * @param {{ticket: string, controls: Controls, steers?: boolean, onFrame?: (frame: any, answered: any) => void,
 *   onStatus?: (status: any) => void, onLatency?: (ms: number) => void, onBroken?: (text: string) => void,
 *   Socket?: any, clock?: () => number, onSnapshot?: Function, onEvent?: Function, onShot?: Function,
 *   onCorrection?: Function, onRewind?: Function}} options
 */
export function createNet({ ticket, onFrame = () => {}, onStatus = () => {}, onLatency = () => {},
  onBroken = () => {}, Socket = MatchSocket,
  clock = () => performance.now(), ...options }) {
  const core = new Netcode(options);
  let broken = false;
  const socket = new Socket(ticket, (frame, answered) => {
    if (frame.type === "joined") core.opened();
    onFrame(frame, answered);
  }, onStatus, (milliseconds) => {
    core.readings.ping = milliseconds;
    onLatency(milliseconds);
  }, (message) => {
    if (broken) return;
    try {
      core.receive(message, clock());
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      broken = true;
      onBroken(error.message);
    }
  });
  // Nothing begins before the pointer is caught, or the screen tapped.
  socket.joins = () => ({ waits: options.steers && !options.controls.active });
  const send = (bytes) => socket.sendBinary(bytes);
  const pump = () => core.pump(clock(), send);
  // More often than inputs are due: a timer that comes late must not make them late.
  const timer = setInterval(pump, TICK / 5);
  return {
    socket,
    core,
    readings: core.readings,
    send: (message) => socket.send(message),
    setMap: (map) => core.setMap(map),
    steer: (steers) => core.steer(steers),
    pump,
    frame: (now) => { core.pump(now, send); return core.frame(now); },
    stop: () => clearInterval(timer),
  };
}
