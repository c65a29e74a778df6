/**
 * Arena's sounds, made in the browser: shots, steps, doors, hits, placed to the left or right and quieter with
 * distance.
 * Off until somebody turns sound on (lib/sound.js keeps the choice). Not for: captions (hud-state.js).
 */
import { soundIsOn } from "../../lib/sound.js";
import {
  DOOR_EVENT, HIT, KNOCK, MONSTER_BITES, PICKED, RELOADED, SHOT, SHOTGUN, SNIPER, STEP, ZONE_MOVES,
} from "./rules.js";

let context = null, noise = null;
/** What is played goes through one of these: shots, what feet and hands do, and what the page itself says. */
const groups = { shots: null, steps: null, signs: null };
let volumes = { volume: 0.7, shots: 0.8, steps: 1 };

/** How loud it is to be. @param {{volume: number, shots: number, steps: number}} settings parts of the loudest */
export function setVolumes({ volume, shots, steps }) {
  volumes = { volume, shots, steps };
  if (!context) return;
  for (const [name, part] of Object.entries({ shots, steps, signs: 1 })) groups[name].gain.value = volume * part;
}

function ready() {
  if (!soundIsOn()) return false;
  if (!context) {
    context = new AudioContext();
    for (const name of Object.keys(groups)) {
      groups[name] = context.createGain();
      groups[name].connect(context.destination);
    }
    setVolumes(volumes);
    noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const data = noise.getChannelData(0);
    for (let i = 0; i < data.length; i += 1) data[i] = Math.random() * 2 - 1;
  }
  context.resume();
  return true;
}

/** A burst of noise: cut above `tone` Hz, over in `seconds`. */
function burst(group, tone, seconds, loud, pan) {
  const source = context.createBufferSource(), filter = context.createBiquadFilter(), gain = context.createGain(),
    side = context.createStereoPanner(), now = context.currentTime;
  source.buffer = noise;
  filter.type = "lowpass";
  filter.frequency.setValueAtTime(tone, now);
  filter.frequency.exponentialRampToValueAtTime(Math.max(60, tone / 6), now + seconds);
  gain.gain.setValueAtTime(loud, now);
  gain.gain.exponentialRampToValueAtTime(0.0008, now + seconds);
  side.pan.value = pan;
  source.connect(filter).connect(gain).connect(side).connect(groups[group]);
  source.start(now, Math.random() * 0.5, seconds + 0.02);
}

function tone(group, frequency, to, seconds, loud, pan, type = "triangle") {
  const source = context.createOscillator(), gain = context.createGain(), side = context.createStereoPanner(),
    now = context.currentTime;
  source.type = type;
  source.frequency.setValueAtTime(frequency, now);
  source.frequency.exponentialRampToValueAtTime(to, now + seconds);
  gain.gain.setValueAtTime(loud, now);
  gain.gain.exponentialRampToValueAtTime(0.0008, now + seconds);
  side.pan.value = pan;
  source.connect(gain).connect(side).connect(groups[group]);
  source.start(now);
  source.stop(now + seconds + 0.02);
}

const SHOTS = [[1500, 0.1], [2600, 0.14], [3000, 0.1], [2400, 0.16], [1300, 0.3], [1900, 0.45]];

/** One's own shot, at once. */
export function ownShot(weapon) {
  if (!ready()) return;
  const [cut, seconds] = SHOTS[weapon] ?? SHOTS[1];
  burst("shots", cut, seconds, 0.5, 0);
  tone("shots", weapon === SHOTGUN || weapon === SNIPER ? 120 : 190, 45, seconds, 0.3, 0);
}

/**
 * What an event sounds like.
 * @param {number} far metres
 * @param {number} direction radians clockwise from where one looks
 * @param {boolean} mine it is about oneself
 */
export function hear(event, far, direction, mine) {
  if (!ready()) return;
  const pan = mine ? 0 : Math.max(-0.9, Math.min(0.9, Math.sin(direction))),
    near = mine ? 1 : 1 / (1 + far * far / 260);
  switch (event.kind) {
    case SHOT: if (!mine) {
      const [cut, seconds] = SHOTS[event.value] ?? SHOTS[1];
      burst("shots", cut * (0.35 + 0.65 * near), seconds * (1 + far / 90), 0.08 + 0.36 * near, pan);
    } break;
    case STEP: burst("steps", event.value ? 420 : 300, 0.07, (mine ? 0.07 : 0.2) * near, pan); break;
    case DOOR_EVENT: tone("steps", 170, event.value ? 260 : 110, 0.22, 0.14 * near, pan, "sawtooth"); break;
    case RELOADED: burst("steps", 3800, 0.05, 0.16 * near, pan); tone("steps", 900, 500, 0.05, 0.07 * near,
      pan, "square"); break;
    case PICKED: tone("steps", 520, 780, 0.09, 0.12 * near, pan); break;
    case HIT: if (mine) tone("signs", 1250, 900, 0.06, 0.2, 0, "square"); break;
    case KNOCK: tone("signs", mine ? 660 : 240, mine ? 990 : 90, 0.28, 0.2 * (mine ? 1 : near), pan); break;
    case MONSTER_BITES: tone("shots", 110, 60, 0.3, 0.3 * near, pan, "sawtooth"); break;
    case ZONE_MOVES: tone("signs", 330, 247, 0.6, 0.2, 0); break;
    default:
  }
}

/** Oneself was hit. */
export function hurt() {
  if (ready()) { burst("signs", 500, 0.16, 0.4, 0); tone("signs", 150, 60, 0.2, 0.25, 0); }
}
