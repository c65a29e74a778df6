/**
 * Everything around the picture of an Arena match that is made of elements: bar, squad, feed, health, arms, captions,
 * hurts, hints, labels over mates. Each function touches the page only when what it shows has changed. Not for: maps
 * (hud-map.js), the wheel (hud-wheel.js), what there is to show (hud-state.js).
 */
import { el, find } from "../../lib/dom.js";
import {
  AMMO, ARMOUR, BLOOM, CROUCH, DOWNED, EYES, HP, LIFE, MAGAZINE, MAX_ARMOUR, MEDKITS, PRONE, SLOT, SPREADS, STAMINA,
  STAMINA_MAX, STANCE, VX, VY, AIRBORNE, WEAPON,
} from "./rules.js";
import { teamName } from "./teams.js";
import {
  feedText, FEED, HURT, hurtBy, killsOf, placeOf, relative, teamOf, toldApart, WEAPON_NAMES, whoIsLeft, working,
  zoneLine,
} from "./hud-state.js";
import { emblemOf } from "./emblem.js";

/** What each part shows, so that it is touched only when that changes. */
const shown = new Map();

function changed(name, value) {
  if (shown.get(name) === value) return false;
  shown.set(name, value);
  return true;
}

const setText = (selector, value) => { if (changed(selector, value)) find(selector).textContent = value; };
const setStyle = (node, property, value) => {
  if (changed(`${node.className}${property}${node.dataset.part ?? ""}`, value)) node.style.setProperty(property, value);
};

/** A team's emblem: colour and shape, named for those who see neither. */
function emblem(team) {
  const svg = emblemOf(team);
  svg.removeAttribute("aria-hidden");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `Team ${teamName(team)}`);
  return svg;
}

// --- Bar ---------------------------------------------------------------------------------------------------------

export function drawBar(state, snapshot) {
  const zone = zoneLine(snapshot.zone);
  setText("[data-zone]", zone.text);
  if (changed("zone-late", zone.late)) find("[data-zone]").classList.toggle("late", zone.late);
  const [count, of] = whoIsLeft(snapshot, state.options.team_size);
  if (changed("left", count + of)) find("[data-left]").replaceChildren(count, el("span.of", { text: of }), " left");
}

// --- Vitals and arms ----------------------------------------------------------------------------------------------

const STANCES = ["standing", "crouching", "lying", "sliding", "down"];

/** Health, armour, stamina, stance. @param {Int16Array} own */
export function drawVitals(own) {
  const downed = own[LIFE] === DOWNED;
  const bar = (name, value, most) => {
    const node = find(`[data-part="${name}"]`);
    setStyle(node, "--part", String(Math.round(100 * value / most) / 100));
    setText(`[data-number="${name}"]`, String(value));
  };
  bar("health", own[HP], 100);
  bar("armour", own[ARMOUR], MAX_ARMOUR);
  setStyle(find('[data-part="stamina"]'), "--part", String(Math.round(50 * own[STAMINA] / STAMINA_MAX) / 50));
  if (changed("vital-class", `${downed}${own[HP] <= 30}`)) {
    const node = find("[data-vitals]");
    node.classList.toggle("downed", downed);
    node.classList.toggle("low", !downed && own[HP] <= 30);
    setText("[data-health-label]", downed ? "Bleeding" : "Health");
  }
  setText("[data-stance]", STANCES[own[STANCE]] ?? "");
}

/** Weapon in hand, magazine, ammunition, the other weapon, kits. */
export function drawArms(own) {
  const slot = own[SLOT], weapon = own[WEAPON + slot], other = own[WEAPON + 1 - slot];
  setText("[data-weapon]", weapon ? WEAPON_NAMES[weapon] : "no weapon");
  setText("[data-magazine]", weapon ? String(own[MAGAZINE + slot]) : "–");
  if (changed("empty", weapon > 0 && own[MAGAZINE + slot] === 0))
    find("[data-magazine]").classList.toggle("empty", weapon > 0 && own[MAGAZINE + slot] === 0);
  setText("[data-ammo]", String(own[AMMO]));
  setText("[data-other-weapon]", other
    ? `${2 - slot} ${WEAPON_NAMES[other]} ${own[MAGAZINE + 1 - slot]}`
    : `${2 - slot} empty`);
  setText("[data-slot]", String(slot + 1));
  setText("[data-kits]", `${own[MEDKITS]} ${own[MEDKITS] === 1 ? "kit" : "kits"}`);
}

// --- The middle -----------------------------------------------------------------------------------------------------

/** Turn units to each side within which the next shot goes. */
export function spreadOf(own) {
  const weapon = own[WEAPON + own[SLOT]];
  let spread = SPREADS[weapon] ?? 0;
  if (own[AIRBORNE]) spread *= 4;
  else if (own[VX] || own[VY]) spread *= 2;
  else if (own[STANCE] === CROUCH) spread *= 0.75;
  else if (own[STANCE] === PRONE) spread *= 0.5;
  return spread + own[BLOOM];
}

/** The crosshair as wide as shots go. @param {number} perDegree pixels of a degree in the middle of the picture */
export function drawCrosshair(own, perDegree, zoomed) {
  const node = find("[data-crosshair]");
  const wide = Math.max(4, Math.round(spreadOf(own) * 360 / 65536 * perDegree));
  if (changed("crosshair", wide)) node.style.setProperty("--gap", `${wide}px`);
  if (changed("crosshair-off", zoomed)) node.classList.toggle("zoomed", zoomed);
}

export function drawHit(memory, now) {
  const age = now - memory.hitAt, kind = age < (memory.hitKind === "hit" ? 160 : 420) ? memory.hitKind : "";
  if (changed("hit", kind)) find("[data-hit]").className = `hit-marker ${kind}`;
}

/** Arcs that point to where one was hit from. */
export function drawHurts(memory, yaw, now, name) {
  const layer = find("[data-hurts]");
  while (layer.children.length < 8) layer.append(el("i.hurt"));
  for (let i = 0; i < 8; i += 1) {
    const node = layer.children[i], hurt = memory.hurts[i], age = hurt ? now - hurt.at : HURT;
    const on = hurt !== undefined && age < HURT && hurt.by > 0 && hurt.by < 102;
    if (node.hidden === on) node.hidden = !on;
    if (on) {
      node.style.rotate = `${Math.round(relative(hurt.yaw, yaw) * 360 / 65536)}deg`;
      node.style.opacity = String(Math.round((1 - age / HURT) * 20) / 20);
    }
  }
  const last = memory.hurts.at(-1);
  const text = last && now - last.at < HURT ? `Hit by ${hurtBy(last.by, name)}` : "";
  setText("[data-hurt-text]", text);
  if (changed("hurt-flash", Boolean(text) && now - last.at < 220))
    find("[data-hud]").classList.toggle("hurting", Boolean(text) && now - last.at < 220);
}

export function drawWorking(own, name) {
  const what = own ? working(own, name) : null, node = find("[data-working]");
  if (changed("working-on", Boolean(what))) node.hidden = !what;
  if (!what) return;
  setText("[data-working-text]", what.text);
  setStyle(find('[data-part="working"]'), "--part", String(what.part < 0 ? 1 : Math.round(what.part * 50) / 50));
}

/** "E open the door". @param {{key: string, text: string}|null} what @param {(name: string) => string} keyName */
export function drawHint(what, keyName) {
  const signature = what ? what.key + what.text : "";
  if (!changed("hint", signature)) return;
  const node = find("[data-interact]");
  node.hidden = !what;
  if (what) node.replaceChildren(el("kbd", { text: keyName(what.key) }), ` ${what.text}`);
}

// --- Squad, feed, captions -----------------------------------------------------------------------------------------

const LIVES = { 0: "is-out", 1: "is-down", 2: "" };

/** @param {ReturnType<typeof import("./hud-state.js").squad>} rows */
export function drawSquad(state, rows) {
  const signature = JSON.stringify(rows);
  if (!changed("squad", signature)) return;
  find("[data-squad]")
    .replaceChildren(
    ...rows.map((row) => el("li.mate", { class: [LIVES[row.life], row.seat === state.page.seat ? "own" : ""].join(" "),
    dataset: { seat: row.seat, life: row.life, obeys: row.obeys } },
    emblem(teamOf(state, row.seat)), el("span.mate-name", {}, toldApart(row.name).map((text) => el("span", { text }))),
    el("span.mate-kind", { text: row.person ? (row.away ? "away" : "person") : "agent" }),
    row.life === 2
      ? el("span.mate-hp", { text: row.hp })
      : el("span.mate-hp", { text: row.life === 1 ? (row.helped ? "helped" : "down") : "out" }),
    row.life > 0 && meter(row.hp), row.busy && el("span.mate-note", { text: "busy" }), row.obeys && obeyed(row))));
}

/** What a mate was told, and whether they are at it. */
const obeyed = ({ obeys, told }) => el("span.mate-obeys", { class: obeys },
  el("span", { "aria-hidden": "true", text: obeys === "obeying" ? "▶ " : "… " }),
  el("span.visually-hidden", { text: obeys === "obeying" ? "obeys " : "was told " }), told);

/** A thin bar; its width is set by script, as styles in attributes are not allowed here. */
function meter(value) {
  const bar = el("span.meter", {}, el("i"));
  bar.firstChild.style.width = `${Math.max(0, Math.min(100, value))}%`;
  return bar;
}

export function drawFeed(state, memory, name) {
  const signature = memory.feed.map((line) => line.at).join();
  if (!changed("feed", signature)) return;
  const side = (seat) => (seat >= 0 ? emblem(teamOf(state, seat)) : null);
  const SIGNS = { kill: "✕", knock: "▼", rescue: "▲" };
  find("[data-feed]").replaceChildren(...memory.feed.slice(-6)
    .map((line) => el("li", { class: `${line.kind}${[line.seat, line.other].includes(state.page.seat) ? " own" : ""}` },
    el("span.sign", { "aria-hidden": "true", text: SIGNS[line.kind] }), side(line.seat),
    el("span", { text: feedText(line, name) }), line.seat >= 0 && line.seat !== line.other && side(line.other))));
}

/** A line of the feed in words, for screen readers. */
export const feedLine = (line, name) => (line ? feedText(line, name) : "");

/** Whom one watches, and how to watch another. @param {string|null} key null: by a tap */
export function drawWatching(sentence, key) {
  if (!changed("watching", sentence)) return;
  const node = find("[data-watching]");
  node.hidden = !sentence;
  if (!sentence) return;
  if (key === null) node.replaceChildren(sentence, " Tap for another.");
  else node.replaceChildren(sentence, " ", el("kbd", { text: "←" }), " ", el("kbd", { text: "→" }),
    ` or ${key} for another.`);
}

/** What a co-pilot is told of who plays, and the button. @param {string} words */
export function drawPilot(words, steers) {
  const line = find("[data-drives]");
  if (!line || !changed("drives", words)) return;
  line.hidden = !words;
  find("span", line).textContent = words;
  find("[data-copilot]", line).textContent = steers ? "Hand it back" : "Take over";
}

/** Sounds as words with an arrow that turns with the view. */
export function drawCaptions(memory, yaw, on, now) {
  const list = find("[data-captions]");
  const lines = on ? memory.captions : [];
  const signature = lines.map((line) => line.what + Math.round(line.far / 1024)).join();
  if (changed("captions", signature)) {
    list.replaceChildren(...lines.map((line) => el("li", {}, el("i.arrow", { "aria-hidden": "true", text: "↑" }),
      el("span", { text: `${line.what} · ${Math.max(1, Math.round(line.far / 256))} m` }))));
  }
  for (let i = 0; i < lines.length; i += 1) {
    const node = list.children[i];
    node.firstChild.style.rotate = `${Math.round(relative(lines[i].direction, yaw) * 360 / 65536 / 5) * 5}deg`;
    node.classList.toggle("old", now - lines[i].at > 1500);
  }
}

// --- Words ----------------------------------------------------------------------------------------------------------

/** What was said lately, above the readings. */
export function drawWords(state, now, name) {
  const lines = state.words.filter((word) => now - word.at < FEED).slice(-3);
  if (!changed("words", lines.map((word) => word.at + word.text).join("|"))) return;
  find("[data-words]")
    .replaceChildren(...lines.map((word) => el("li", {}, el("b", { text: name(word.seat) }), ` ${word.text}`)));
}

export function drawBanner(state, now) {
  let text = state.paused, kind = "paused";
  if (!text && state.countdown && !state.end) {
    const left = Math.ceil(state.countdown.seconds - (now - state.countdown.from) / 1000);
    if (left > 0) { text = String(left); kind = "countdown"; }
  }
  if (!changed("banner", `${kind}${text}`)) return;
  const node = find("[data-banner]");
  node.hidden = !text;
  node.dataset.kind = kind;
  node.textContent = text;
}

// --- Over the picture -----------------------------------------------------------------------------------------------

const spot = { x: 0, y: 0, front: false, on: false };
const labels = new Map();

/**
 * Names over mates and marks on the ground, through walls.
 * @param {(x: number, y: number, z: number, out: object) => object} project units to pixels
 * @param {{id: string, x: number, y: number, z: number, text: string, kind: string, team: number|null, hp: number}[]}
 *   things
 */
export function drawLabels(project, things, size) {
  const layer = find("[data-labels]");
  for (const thing of things) {
    let label = labels.get(thing.id);
    if (!label) {
      label = { node: el("p.label", {}, thing.team === null ? null : emblem(thing.team), el("span"),
        el("span.meter", {}, el("i"))), text: "", hp: NaN, at: 0 };
      labels.set(thing.id, label);
      layer.append(label.node);
    }
    label.used = true;
    project(thing.x, thing.y, thing.z, spot);
    // Mates beside and behind are on the small map; those who are down, and marks, are shown at the edge.
    const away = !spot.on && thing.kind === "friend";
    if (label.node.hidden !== away) label.node.hidden = away;
    let { x, y } = spot;
    if (!spot.front) { x = x < size.width / 2 ? size.width : 0; y = size.height; }
    if (!spot.on) {
      x = Math.max(330, Math.min(size.width - 330, x));
      y = Math.max(90, Math.min(size.height - 170, y));
    }
    label.node.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -100%)`;
    if (label.text !== thing.text || label.kind !== thing.kind) {
      label.text = thing.text;
      label.kind = thing.kind;
      label.node.className = `label ${thing.kind}`;
      label.node.children[thing.team === null ? 0 : 1].textContent = thing.text;
    }
    if (label.hp !== thing.hp) {
      label.hp = thing.hp;
      label.node.lastChild.firstChild.style.width = `${thing.hp}%`;
      label.node.lastChild.hidden = thing.hp < 0;
    }
    label.node.classList.toggle("aside", !spot.on);
  }
  for (const [id, label] of labels) {
    if (!label.used) { label.node.remove(); labels.delete(id); }
    label.used = false;
  }
}

/** Units above the feet at which a label stands. */
export const overHead = (stance) => EYES[stance] + 110;

/** The list of all players by team, most put out first. */
export function drawScoreboard(state, memory, snapshot) {
  const { teams, team_size: size } = state.options;
  const rows = Array.from({ length: teams },
    (_, team) => ({ team, seats: Array.from({ length: size }, (_, i) => team * size + i) }));
  const node = find("[data-scores]");
  const alive = (seat) => !memory.out[seat];
  const title = (team) => {
    const name = teamName(team), place = placeOf(state, memory, team);
    return ` ${name[0].toUpperCase()}${name.slice(1)}${place ? ` · place ${place}` : ""}`;
  };
  node.replaceChildren(
    ...rows.map(({ team, seats }) => el("section.score-team", { class: seats.includes(state.page.seat) ? "own" : null },
    el("h3", {}, emblem(team), title(team)),
    el("ul", {}, seats.map((seat) => el("li", { class: alive(seat) ? null : "out" },
      el("span", { text: state.seats[seat]?.name ?? `Player ${seat + 1}` }),
      el("span.muted",
      { text: state.controls[seat] === "agent" ? "agent"
      : state.controls[seat] === "person" ? "person" : state.controls[seat] ?? "" }),
      el("span.num", { text: `${killsOf(memory, seat)} out · ${memory.knocks[seat]} down` }),
      el("span", { text: alive(seat) ? "" : "out" })))))));
  setText("[data-score-note]", `${whoIsLeft(snapshot, size).join("")} left.`);
}
