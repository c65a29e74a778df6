/**
 * One little position with practice: go through its moves and mark the right one, make the move that is asked for,
 * say an instruction, or play on. The server checks every answer with the real rules. Not for: whole episodes.
 */
import { el, find, findAll, pageData } from "./lib/dom.js";
import { keepDrafts } from "./lib/drafts.js";
import { postJSON } from "./lib/http.js";
import { registerKeys } from "./lib/keys.js";
import { toast } from "./lib/toast.js";
import { gameOf, shrink } from "./replay-game.js";

const lesson = pageData("lesson-data");
const last = lesson.views.length - 1;
const exploring = lesson.asks === "explore";
const game = await gameOf(lesson);
// Pictures come as addresses that hold themselves.
const withPicture = async (view) => {
  if (!view.picture) return view;
  const image = new Image();
  image.src = view.picture;
  await image.decode();
  return { ...view, picture: image };
};
lesson.views = await Promise.all(lesson.views.map(withPicture));
let tick = lesson.start;
let view = lesson.views[tick];
let moves = exploring ? lesson.moves.slice(0, tick) : [];
let selected = null;
let done = false;

/** Whether this person may move: the own turn, or a game in which all move at once. */
const mine = () => !done && !view.over && (view.current === lesson.seat || view.current === null)
  && (lesson.asks === "act" || exploring);

/** Whether words and keys stand beside the state; else below it, where one scrolls. */
const beside = matchMedia("(min-width: 901px)");

/** CSS pixels of height that the state may take, so that it is seen whole beside or above what is pressed. */
function roomFor(stage) {
  const top = beside.matches ? stage.getBoundingClientRect().top + scrollY : find(".lesson-controls").offsetHeight;
  return Math.max(220, innerHeight - top - 40);
}

function draw() {
  const interactive = mine();
  const stage = find("#stage");
  // Marking is watching: nobody is "you".
  game.render(stage, lesson.asks === "mark" ? { ...view, seat: null } : view, {
    seat: lesson.seat, names: lesson.names, interactive, selected, maxHeight: roomFor(stage),
    ...(interactive ? {
      onCard: (card) => { selected = selected === card.key ? null : card.key; draw(); },
      onAction: act, onRefused: (why) => toast(why),
    } : {}),
  });
  if (!game.fits && beside.matches) shrink(stage, roomFor(stage));
  if (find("#tick-now")) {
    find("#tick-now").textContent = tick;
    find("#tick-last").textContent = Math.max(last, tick);
  }
  for (const button of findAll("[data-sign]")) button.disabled = done || tick === 0;
  for (const button of findAll("[data-move]")) button.disabled = !interactive;
}

function show(to) {
  tick = Math.max(0, Math.min(last, to));
  view = lesson.views[tick];
  moves = exploring ? lesson.moves.slice(0, tick) : [];
  /** @type {any} */
  selected = null;
  draw();
}

function answer(right, sentence) {
  const box = find("#lesson-answer");
  box.hidden = false;
  box.className = `notice ${right ? "good" : "bad"}`;
  box.textContent = `${right ? "✓" : "✗"} ${sentence}`;
  if (!beside.matches) box.scrollIntoView({ block: "nearest" });
  if (!right) return;
  done = true;
  const next = find("#lesson-next");
  next.hidden = false;
  next.focus({ preventScroll: true });
}

async function ask(url, data) {
  try {
    return await postJSON(url, data);
  } catch (error) {
    toast(error.message, { bad: true });
    return null;
  }
}

async function mark(sign) {
  if (lesson.asks !== "mark" || done) return;
  if (tick === 0) return void toast("There is no move to mark at the start. Go one tick on.");
  const result = await ask(lesson.check, { tick, sign });
  if (result) answer(result.right, result.sentence);
  draw();
}

async function act(action) {
  /** @type {any} */
  selected = null;
  if (exploring) {
    const result = await ask(lesson.act, { moves, action });
    if (!result) return;
    ({ moves } = result);
    view = await withPicture(result.view);
    tick = moves.length;
    find("#explore-note").textContent = view.over
      ? "The game is over."
      : "Your partner has answered. Go on, or start over.";
  } else {
    const result = await ask(lesson.check, { action });
    if (!result) return;
    if (result.right && result.view) view = result.view;
    answer(result.right, result.sentence);
  }
  draw();
}

/** Buttons for moves, where the game isn't played by clicking what is drawn. */
const keyed = exploring || lesson.asks === "act" ? game.moves ?? lesson.choices ?? [] : [];
const tryMove = (action) => { if (mine()) act(action); };
if (keyed.length) {
  find(".lesson-controls").append(el("span.row.tight", { role: "group", "aria-label": "Your move" },
    keyed.map(({ action, label, keys }) =>
      el("button.button.small", { type: "button", dataset: { move: action }, title: `${label} (${keys[0]})`,
      onClick: () => tryMove(action) }, label))));
}

function step(by) {
  show(tick > last ? last : tick + by);
  if (!beside.matches) find("#stage").scrollIntoView({ block: "nearest" });
}
findAll("[data-step]").forEach((button) => button.addEventListener("click", () => step(Number(button.dataset.step))));
findAll("[data-sign]").forEach((button) => button.addEventListener("click", () => mark(Number(button.dataset.sign))));
find("#start-over")?.addEventListener("click", () => show(lesson.start));
find("#tell-form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const result = await ask(lesson.check, { text: find("#tell").value });
  if (result) answer(result.right, result.sentence);
});
registerKeys([
  ...(find("[data-step]") ? [
    { name: "replay.back", keys: ["ArrowLeft"], label: "One tick back", repeats: true, run: () => step(-1) },
    { name: "replay.forward", keys: ["ArrowRight"], label: "One tick on", repeats: true, run: () => step(1) },
  ] : []),
  ...keyed.map(({ action, label, keys }) => ({ name: `practice.${action}`, keys, label: `Your move: ${label}`,
    run: () => tryMove(action) })),
  ...(lesson.asks === "mark" ? [
    { name: "mark.progress", keys: ["ArrowUp"], label: "Mark progress here", run: () => mark(1) },
    { name: "mark.regression", keys: ["ArrowDown"], label: "Mark regression here", run: () => mark(-1) },
  ] : []),
]);
keepDrafts(location.pathname + location.search);
draw();
document.body.dataset.ready = "true";
