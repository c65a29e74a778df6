/**
 * The replay page: shows any tick of an episode at once, and takes marks. The whole episode is fetched once; a seek
 * is an array lookup and one drawing. Not for: what marks are (marks.js), how they are kept (lib/outbox.js).
 */
import { namesAt } from "./control-track.js";
import { InForce } from "./in-force.js";
import { find, findAll, pageData, unfocus } from "./lib/dom.js";
import { getJSON } from "./lib/http.js";
import { isolated } from "./lib/isolated.js";
import { registerKeys } from "./lib/keys.js";
import { toast } from "./lib/toast.js";
import { Marker } from "./marker.js";
import { readingFor, withNames } from "./names.js";
import {
  SPEEDS, atSpeed, extend, fresh as headAt, hover, interval, nextEvent, play, reached, seek, shown, timeOf,
} from "./playhead.js";
import { gameOf, shrink } from "./replay-game.js";
import {
  addressOf, asSeen, canOpen, eventTicks, fresh, happened, heardBy, inOrder, moveTo, viewOf,
} from "./replay-state.js";
import { ReplayPlan } from "./replay-plan.js";
import { ReplayWords } from "./replay-words.js";
import { expand, statesOf } from "./streams.js";
import { Timeline } from "./timeline.js";
import { forMove, quoted } from "./told.js";
import { Track, merge } from "./tracks.js";
import { Utility } from "./utility.js";

const LIVE_POLL = 3000; // ms between looks at a running game
const READ = 8000; // ms that a message stays
const page = pageData("replay-data");
page.names = page.names.map(isolated);

class Replay {
  constructor(game, stream, states) {
    this.game = game;
    this.stream = stream;
    this.states = states;
    this.waiting = null; // the view and tick whose state is being fetched
    const query = new URLSearchParams(location.search);
    this.head = headAt({ last: stream.ticks, tick: Number(query.get("tick")), ticksPerSecond: page.per_second || 1 });
    this.look = fresh(page, stream, query);
    this.stage = find("#stage");
    this.words = new ReplayWords(find("#words"), page.urls.words, page.names);
    /** @type {any} */
    this.frame = null;
    this.marker = new Marker(page, {
      position: () => ({ tick: this.tick, seat: this.seat, playing: this.head.playing, speed: this.head.speed }),
      last: stream.ticks,
      asked: (seat, tick) => forMove(this.stream.words, seat, tick).map(({ word }) => quoted(word.text)).join(" "),
      onSeek: (tick) => this.seek(tick),
      onShow: (mark) => this.show(mark),
      onChange: () => this.drawMarks(),
    });
    /** @type {any} made by `build`, anew when a running game goes on */
    this.timeline = this.track = this.inForce = this.plan = null;
    /** @type {import("./replay-state.js").Event[]} */
    this.events = [];
    /** @type {number[]} */
    this.eventTicks = [];
    this.build();
    this.utility = page.utility && new Utility(find("#utility"), {
      url: page.utility.url, names: page.names, seat: () => this.seat, tick: () => this.tick,
      describe: (tick) => this.told(tick), draw: (...place) => this.thumbnail(...place),
      onCurves: (curves) => this.timeline.setUtility(curves),
      onWaiting: () => this.timeline.waitForUtility(),
      onHover: (tick) => this.hover(tick),
      onSeek: (tick) => this.seek(tick),
    });
  }

  /** A small picture of a tick, all hands open. */
  thumbnail(context, tick, box) {
    const state = this.states.at("open", tick);
    if (state) this.game.thumbnail(context, state, box);
  }

  /** What happened at a tick, in words: of the chosen seat first. */
  told(tick) {
    const here = happened(this.events, tick, this.seat).map((event) => this.sentence(event));
    return [timeOf(tick, page.per_second), ...here].filter(Boolean).join(" · ");
  }

  /** An event in words, with whoever made it. */
  sentence(event) {
    const names = namesAt(this.stream.controls, page.names, event.tick);
    return this.game.sentence
      ? this.game.sentence(this.states.at("open", event.tick), event, names)
      : withNames(event.text, names);
  }

  get seat() { return this.look.seat; }

  /** The tick on the screen. */
  get tick() { return shown(this.head); }

  build() {
    const { stream, game } = this;
    this.events = inOrder(stream.events, game.moments?.(stream.views.open || stream.views[page.views[0]]) ?? []);
    this.timeline = new Timeline(find("#strip"), {
      last: stream.ticks,
      events: this.events,
      words: stream.words,
      controls: stream.controls,
      late: stream.late,
      names: page.names,
      perSecond: page.per_second,
      lanes: stream.lanes,
      drawThumbnail: (...place) => this.thumbnail(...place),
      onHover: (tick) => this.hover(tick),
      onSeek: (tick) => this.seek(tick),
      onMark: (id, tick) => this.show(this.marker.book.byId.get(id) ?? { seat: this.seat, tick }),
      onMove: (id, tick) => { this.marker.move(id, tick); this.seek(tick); },
    });
    this.inForce = new InForce(find("#in-force"), { words: stream.words, names: page.names });
    this.plan = new ReplayPlan(find("#plan"), { plans: stream.plans, names: page.names, look: game.planLook });
    this.timeline.onLayout = () => this.timeline.show(this.tick);
    this.track = new Track(find("#track"), {
      items: merge(this.events, stream.words), names: page.names, onSeek: (tick) => this.seek(tick),
      tell: (event) => this.sentence(event),
      time: (tick) => timeOf(tick, page.per_second),
    });
    this.eventTicks = eventTicks(stream, this.events, game.stands);
    find("#tick-last").textContent = stream.ticks;
    find("#scrub").max = stream.ticks;
    this.drawMarks();
    this.paint();
    performance.mark("first-state");
  }

  /**
   * Put the shown tick on the screen: one lookup, one drawing.
   * @param {number} [duration] ms that a step takes, 0: at once
   */
  paint(duration = 0) {
    const { tick } = this;
    const name = viewOf(this.look);
    const state = this.states.at(name, tick);
    this.targets = this.plan.show(this.seat, tick);
    this.stage.toggleAttribute("data-waiting", !state);
    if (state) {
      this.draw(state, duration);
      this.stage.dataset.tick = tick;
      this.#sawTo(tick);
    } else this.#await(tick, name);
    this.timeline.show(tick);
    this.track.show(tick);
    this.tellInForce();
    find("#tick-now").textContent = tick;
    if (page.per_second) find("#time-now").textContent = timeOf(tick, page.per_second);
    const scrub = find("#scrub");
    if (Number(scrub.value) !== tick) scrub.value = tick;
    this.marker.at(tick, this.seat, moveTo(page, this.stream, tick));
    this.words.at(this.seat, tick);
    this.utility?.show(tick);
    if (this.head.hovered === null) this.remember();
  }

  /** How far this annotator has looked through the episode goes with what is submitted. */
  #sawTo(tick) {
    const seen = find("#seen-to");
    if (seen && this.head.hovered === null) seen.value = Math.max(Number(seen.value), tick);
  }

  tellInForce() {
    this.inForce.show(heardBy(this.look), this.tick, this.head.playing || this.head.hovered !== null);
  }

  /** Paint again when the state of this tick is there. */
  async #await(tick, name) {
    const place = `${name}/${tick}`;
    if (this.waiting === place) return;
    this.waiting = place;
    try {
      await this.states.load(tick, name);
    } catch (error) {
      toast(`This tick can't be shown: ${error.message}`, { bad: true });
      return;
    } finally {
      if (this.waiting === place) this.waiting = null;
    }
    this.paint();
  }

  draw(state, duration = 0) {
    const { view, names } = asSeen(state, namesAt(this.stream.controls, page.names, this.tick), page);
    this.game.render(this.stage, view, {
      seat: this.seat, open: this.look.open, names, interactive: false, perSecond: page.per_second,
      maxHeight: this.room, duration, targets: this.targets,
    });
  }

  /**
   * Make the state as small as it must be to be seen whole in the room that the page leaves it, but not too small to
   * read.
   */
  fit() {
    const { clientHeight, clientWidth } = this.stage.parentElement;
    const room = `${clientWidth} ${clientHeight}`;
    if (this.fitted === room) return;
    this.fitted = room;
    this.stage.style.zoom = 1;
    this.room = clientHeight;
    this.paint();
    if (!this.game.fits) shrink(this.stage, this.room);
  }

  /** A tick that takes more room, with more discards or a longer sentence, is seen whole, too. */
  keepIn() {
    if (!this.game.fits && this.stage.getBoundingClientRect().height > this.room + 1) shrink(this.stage, this.room);
  }

  drawMarks() {
    if (!this.timeline) return;
    this.timeline.choose(this.seat, this.look.open);
    this.timeline.setMarks(this.marker.shownMarks(this.seat), this.marker.selected);
    this.marker.at(this.tick, this.seat, moveTo(page, this.stream, this.tick));
  }

  /**
   * The address follows the tick without loading anything: at once, but once in 150 ms, since browsers limit how often.
   */
  remember() {
    if (this.remembering) return void (this.forgot = true);
    history.replaceState(null, "", addressOf(this.look, this.head.tick, Boolean(find("#show-others")?.checked)));
    this.forgot = false;
    this.remembering = setTimeout(() => {
      this.remembering = null;
      if (this.forgot) this.remember();
    }, 150);
  }

  seek(tick) {
    this.head = seek(this.head, tick, performance.now());
    this.paint();
  }

  /** Go to a mark: to its seat, too. */
  show({ seat, tick }) {
    if (seat !== this.seat) this.setSeat(seat);
    this.seek(tick);
  }

  hover(tick) {
    this.head = hover(this.head, tick);
    this.paint();
  }

  step(by) {
    this.seek(this.tick + by);
  }

  jump(direction) {
    const ticks = [...this.eventTicks, ...this.marker.book.list().map((mark) => mark.tick)];
    const tick = nextEvent(ticks, this.tick, direction);
    if (tick !== null) this.seek(tick);
    else toast(direction > 0 ? "No later event." : "No earlier event.", { milliseconds: 1500 });
  }

  setSpeed(index) {
    this.head = atSpeed(this.head, SPEEDS[index], performance.now());
    for (const button of findAll("[data-speed]")) button.setAttribute("aria-pressed",
      button.dataset.speed === String(index));
  }

  play(on = !this.head.playing) {
    cancelAnimationFrame(this.frame);
    this.head = play(this.head, on, performance.now());
    this.#drawPlaying();
    if (on) this.#run();
  }

  #drawPlaying() {
    const { playing } = this.head, button = find("#play");
    button.textContent = playing ? "❚❚" : "▶";
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
    if (!playing) this.tellInForce();
  }

  /** Show the tick that playing has reached, once a frame. */
  #run() {
    this.frame = requestAnimationFrame((now) => {
      const before = this.head;
      this.head = reached(before, now);
      if (this.head.tick !== before.tick) this.paint(interval(this.head));
      if (this.head.playing) this.#run();
      else this.#drawPlaying();
    });
  }

  setSeat(seat) {
    this.look = { ...this.look, seat };
    find("#seat-list").value = String(seat);
    this.drawMarks();
    this.paint();
    this.utility?.follow();
  }

  setOpen(open) {
    if (!canOpen(page, this.stream)) { toast("All hands are shown when the game is over."); return; }
    this.look = { ...this.look, open };
    find("#open-view")?.setAttribute("aria-pressed", String(open));
    this.drawMarks();
    this.paint();
  }

  /** Take a longer stream of a running game. */
  extend(stream, states) {
    this.stream = stream;
    this.states = states;
    this.head = extend(this.head, stream.ticks);
    this.marker.book.last = stream.ticks;
    this.build();
  }
}

function listen(replay) {
  const { marker } = replay;
  const key = (name, keys, label, run, repeats = false) => ({ name, keys, label, run, repeats });
  registerKeys([
    key("replay.back", ["ArrowLeft"], "One tick back", () => replay.step(-1), true),
    key("replay.forward", ["ArrowRight"], "One tick on", () => replay.step(1), true),
    key("replay.back10", ["Shift+ArrowLeft"], "Ten ticks back", () => replay.step(-10), true),
    key("replay.forward10", ["Shift+ArrowRight"], "Ten ticks on", () => replay.step(10), true),
    key("replay.lastEvent", ["Alt+ArrowLeft"], "Previous event or mark", () => replay.jump(-1), true),
    key("replay.nextEvent", ["Alt+ArrowRight"], "Next event or mark", () => replay.jump(1), true),
    key("replay.start", ["Home"], "First tick", () => replay.seek(0)),
    key("replay.end", ["End"], "Last tick", () => replay.seek(replay.head.last)),
    key("replay.play", ["Space"], "Play or pause", () => replay.play()),
    ...SPEEDS.map((speed, i) => key(`replay.speed${i + 1}`, [String(i + 1)], `Speed ${["¼", "½", "1", "2", "4"][i]}`,
      () => replay.setSpeed(i))),
    key("replay.seat", ["s"], "Change seat", () => replay.setSeat((replay.seat + 1) % page.names.length)),
    ...(replay.stream.alike
      ? []
      : [key("replay.open", ["d"], replay.game.openTitle ?? "Open hands, or this seat's view",
      () => replay.setOpen(!replay.look.open))]),
    key("replay.rows", ["l"], "Every row of the strip, and what it shows", () => replay.timeline.unfold()),
    key("replay.words", ["w"], "What this seat saw, in words", () => replay.words.toggle()),
    ...(page.utility
      ? [key("replay.utility", ["u"], "A reward model's U on the strip", () => replay.utility.toggle())]
      : []),
    ...marker.keys(),
  ]);
  const on = (selector, run) => findAll(selector).forEach((node) => node.addEventListener("click", () => run(node)));
  on("[data-step]", (node) => replay.step(Number(node.dataset.step)));
  on("[data-jump]", (node) => replay.jump(Number(node.dataset.jump)));
  on("#play", () => replay.play());
  on("[data-speed]", (node) => replay.setSpeed(Number(node.dataset.speed)));
  on("#open-view", () => replay.setOpen(!replay.look.open));
  on("[data-go]", (node) => {
    replay.setSeat(Number(node.dataset.seat));
    replay.seek(Number(node.dataset.go));
    replay.stage.focus();
  });
  on("#rows-open", () => replay.timeline.unfold());
  on("#utility-open", () => replay.utility.toggle());
  find("#seat-list").addEventListener("change", (event) => {
    replay.setSeat(Number(event.target.value));
    event.target.blur();
  });
  find("#scrub").addEventListener("input", (event) => replay.seek(Number(event.target.value)));
  const others = find("#show-others");
  const overlay = () => { replay.timeline.setOthers(others.checked ? page.others : []); replay.remember(); };
  others?.addEventListener("change", overlay);
  if (others?.checked) overlay();
  // A click leaves the focus on no button: Space plays, whatever was clicked. What was being typed is finished by it.
  find("main").addEventListener("mousedown", (event) => {
    if (!event.target.closest("button, summary")) return;
    event.preventDefault();
    unfocus();
  }, { capture: true });
}

/** What the server has to say passes: it lies over the page, and nothing moves when it goes. */
function passMessages() {
  for (const node of findAll("[data-passing]")) {
    node.addEventListener("click", () => node.remove());
    setTimeout(() => node.remove(), READ);
  }
}

async function follow(replay) {
  if (replay.stream.status !== "running") return;
  setTimeout(async () => {
    try {
      const stream = named(expand(await getJSON(page.urls.stream)));
      if (stream.status !== "running") { location.reload(); return; }
      if (stream.ticks > replay.stream.ticks) replay.extend(stream, await statesFor(replay.game, stream));
    } catch { /* the next look tries again */ }
    follow(replay);
  }, LIVE_POLL);
}

/** Words isolated, readings with the names of the seats. */
const named = (stream) =>
  ({ ...stream,
  words: stream.words.map((word) => ({ ...word, text: isolated(word.text),
  ...(word.reading && { reading: readingFor(word.reading, word.seat, page.names) }) })) });

const statesFor = async (game, stream) => (game.states ? game.states(stream, page) : statesOf(stream, page.views[0]));

async function start() {
  try {
    const [game, sent] = await Promise.all([gameOf(page), getJSON(page.urls.stream)]);
    const stream = named(expand(sent));
    page.per_second = stream.ticks_per_second ?? page.per_second;
    const states = await statesFor(game, stream);
    if (!states.at(page.views[0], 0)) throw new Error("Nothing has happened in this game yet.");
    find("#stage-note").hidden = true;
    const replay = new Replay(game, stream, states);
    listen(replay);
    replay.setSeat(replay.seat);
    new ResizeObserver(() => replay.fit()).observe(replay.stage.parentElement);
    new ResizeObserver(() => replay.keepIn()).observe(replay.stage);
    const open = find("#open-view");
    if (open) {
      open.hidden = stream.alike;
      open.setAttribute("aria-pressed", String(replay.look.open));
      if (game.openLabel) Object.assign(open, { textContent: game.openLabel, title: game.openTitle });
    }
    await replay.marker.start();
    document.body.dataset.ready = "true";
    follow(replay);
    await states.loadAll?.(() => replay.tick);
    replay.timeline.layout(true);
    document.body.dataset.whole = "true";
  } catch (error) {
    Object.assign(find("#stage-note"), { hidden: false,
      textContent: `This replay can't be shown: ${error.message}` });
  }
}

passMessages();
start();
