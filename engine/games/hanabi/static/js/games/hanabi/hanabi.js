/**
 * Draws a Hanabi view: hands, board, discards. Used by the table (interactive) and by replays (not). What is
 * drawn follows from the view and the options alone; drawing again replaces what was there and keeps the focus.
 * Not for: sockets, keys, logs of moves (table.js, replay.js); facts about a view (model.js).
 */
import { el, find } from "../../lib/dom.js";
import { many } from "../../lib/many.js";
import {
  candidates, cardName, cardSentence, colorOf, copies, discardGroups, findMove, lastSentence, possible, rankOf,
  reachable, seating, suitName, unseen,
} from "./model.js";

export * from "./model.js";

/** Outlines in a 24 × 24 box: every colour has its own, so that no one needs to see the colour. */
const SHAPES = {
  R: "M12 21.5C5 15.5 2 11.5 2 7.8 2 4.7 4.4 2.5 7.2 2.500c2 0 3.8 1 4.8 2.7 1-1.7 2.8-2.7 4.8-2.7 2.8 0 5.2 2.2 "
    + "5.2 5.3 0 3.7-3 7.7-10 13.700z",
  Y: "M12 1.500l3.2 6.9 7.4 1-5.4 5.1 1.4 7.500L12 18.3 5.4 22l1.4-7.500L1.4 9.400l7.4-1z",
  G: "M3.5 20.500C1.5 8.5 8 2 21.5 2.500c.500 13.5-6 20-18 18z",
  W: "M12 2.500a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19zm0 4.500a5 5 0 1 1 0 10 5 5 0 0 1 0-10z",
  B: "M12 1.500c4 6.5 8 10 8 14a8 8 0 0 1-16 0c0-4 4-7.5 8-14z",
};

/** The shape of a suit as an SVG element. @param {string} letter R, Y, G, W or B */
export function suitShape(letter) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `suit-shape suit-${letter}`);
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[letter]);
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

/** Pips of what a card can still be for its holder; what is excluded vanishes, what was hinted stands out. */
function knowledge(view, card) {
  const open = possible(view, card);
  const pip = (shown, hinted, content) =>
    el("span.pip", { class: [!shown && "gone", hinted && "known"].filter(Boolean).join(" ") || null },
      shown && content);
  return el("span.knowledge", { "aria-hidden": "true" },
    el("span.pips.colors", {},
      view.colors.map((letter, i) => pip(open.colors[i], card.color === i, suitShape(letter)))),
    el("span.pips.ranks", {}, open.ranks.map((ok, i) => pip(ok, card.rank === i, String(i + 1)))));
}

/** The face of a card. @param {string} [tag] element to make */
export function face(view, id, tag = "span") {
  const letter = view.colors[colorOf(id)];
  return el(`${tag}.face.suit-${letter}`, {}, el("span.rank", { text: rankOf(id) + 1 }),
    el("span.letter", { text: letter }), suitShape(letter));
}

/** What stands on the back of a card that its viewer doesn't see: the hinted colour and rank, large. */
function back(view, card) {
  const letter = card.color === null ? null : view.colors[card.color];
  return el("span.back", { class: letter && `suit-${letter}` },
    el("span.rank", { text: card.rank === null ? "" : card.rank + 1 }),
    letter && el("span.letter", { text: letter }), letter && suitShape(letter));
}

function hintBadge(view) {
  const { kind, value } = view.last;
  return el("span.hint-badge", { "aria-hidden": "true" },
    kind === "hint_color" ? suitShape(view.colors[value]) : String(value + 1));
}

function drawCard(view, hand, slot, options) {
  const card = hand.cards[slot];
  const own = hand.seat === options.seat;
  const sentence = cardSentence(view, card,
    { own: own && view.seat === hand.seat, slot, holder: options.names[hand.seat] });
  const classes = [card.card === null ? "hidden-card" : "open-card", card.touched && "touched",
    card.hinted_now && "hinted-now",
    card.newest && "newest", card.critical && "critical", card.playable && card.card !== null && "playable",
    options.selected === card.key && "selected", options.interactive && own && "draggable"];
  const attributes = {
    class: classes.filter(Boolean).join(" "), "aria-label": sentence,
    dataset: { key: card.key, seat: hand.seat, slot },
  };
  const parts = [card.card === null ? back(view, card) : face(view, card.card), knowledge(view, card),
    card.hinted_now && view.last?.kind.startsWith("hint") && hintBadge(view), card.newest
      && el("span.new-mark", { text: "new" }),
    card.critical && el("span.critical-mark", { text: "!", title: "The last copy" })].filter(Boolean);
  // The sentence says all of it; what stands on the card would make another name of it.
  for (const part of parts) part.setAttribute("aria-hidden", "true");
  if (!options.onCard) return el("div.card", { ...attributes, role: "img" }, parts);
  const pressed = options.selected === card.key ? "true" : "false";
  return el("button.card", { ...attributes, type: "button", "aria-pressed": pressed,
    onClick: (event) => options.onCard(card, hand.seat, slot, event) }, parts);
}

/** A button for a move; one that isn't legal stays, says why, and does nothing else. */
function moveButton(move, label, options, extra = {}) {
  if (!move) return null;
  const usable = move.legal && options.interactive;
  return el("button.button.small", {
    type: "button", title: move.why || null, "aria-disabled": usable ? null : "true",
    dataset: { action: move.action }, ...extra,
    onClick: () => (usable ? options.onAction?.(move.action) : options.onRefused?.(move.why || "It isn't your turn.")),
  }, label);
}

/** The hints that a selected card of a partner offers: its colour, its rank. */
function hintBar(view, hand, options) {
  const card = hand.cards.find(({ key }) => key === options.selected);
  if (!card || card.card === null || hand.seat === view.seat) return null;
  const color = findMove(view, "hint_color", { target: hand.seat, value: colorOf(card.card) });
  const rank = findMove(view, "hint_rank", { target: hand.seat, value: rankOf(card.card) });
  if (!color || !rank) return null;
  const count = (move) => `${move.slots.length} card${move.slots.length === 1 ? "" : "s"}`;
  const why = (!color.legal && color.why) || (!rank.legal && rank.why);
  return el("div.hint-bar", {}, el("span.muted.small", { text: "Hint" }),
    moveButton(color, [suitShape(view.colors[color.value]), `${suitName(view, color.value)} · ${count(color)}`],
      options),
    moveButton(rank, [el("b", { text: rank.value + 1 }), ` · ${count(rank)}`], options),
    why && el("span.why", { text: why }));
}

/** Play and discard for the selected card of one's own hand. */
function actionBar(view, hand, options) {
  if (!options.onAction || view.over) return null;
  const slot = hand.cards.findIndex(({ key }) => key === options.selected);
  if (slot < 0) {
    const whose = view.players > 2 ? "the others'" : "your partner's";
    const text = options.interactive ? `Choose a card of yours to play or discard, or one of ${whose} to hint.` : "";
    return el("div.action-bar", {}, el("span.muted.small", { text }));
  }
  const [play, discard] = ["play", "discard"].map((kind) => findMove(view, kind, { slot }));
  const why = [play, discard].find((move) => move && !move.legal && move.why)?.why;
  return el("div.action-bar", {}, moveButton(play, "Play it", options, { class: "primary" }),
    moveButton(discard, "Discard it", options),
    why && el("span.why", { text: why }));
}

function drawHand(view, seat, options) {
  const hand = view.hands.find((hand) => hand.seat === seat);
  const own = seat === options.seat;
  const turn = view.current === seat && !view.over;
  const label = own && view.seat === seat ? `${options.names[seat]} (you)` : options.names[seat];
  return el("section.hand", {
    class: [own ? "own" : "other", turn && "turn"].filter(Boolean).join(" "), dataset: { seat },
    "aria-label": `${options.names[seat]}'s hand`,
  },
    el("header.hand-name", {}, el("span.name", { text: label }),
      el("span.order.small.muted", { text: "oldest → newest" }),
      turn && el("span.turn-mark", { text: own && view.seat === seat ? "Your turn" : "moves now" })),
    el("div.cards", {}, hand.cards.map((_, slot) => drawCard(view, hand, slot, options))),
    own && view.seat === seat ? actionBar(view, hand, options) : hintBar(view, hand, options));
}

function drawFireworks(view) {
  const played = view.last?.kind === "play" && view.last.success ? view.last.card : null;
  return el("div.fireworks", { dataset: { drop: "play" }, "aria-label": "Fireworks" },
    view.fireworks.map((height, color) => {
    const letter = view.colors[color];
    const fresh = played !== null && colorOf(played) === color;
    const top = height
      ? face(view, color * 5 + height - 1)
      : el(`span.slot.suit-${letter}`, {}, suitShape(letter), el("span.letter", { text: letter }));
    return el("div.stack-of", { class: fresh ? "fresh" : null, role: "img",
      "aria-label": `${suitName(view, color)}: ${height || "nothing yet"}`, dataset: { height } },
      top, el("span.ladder", { "aria-hidden": "true" },
        Array.from({ length: view.ranks }, (_, rank) => el("i", { class: rank < height ? "on" : null }))));
  }));
}

function counter(name, shape, value, most, noun, one) {
  return el(`div.counter.${name}`, { role: "img", "aria-label": `${value} of ${most} ${noun}` },
    el("span.objects", {},
      Array.from({ length: most }, (_, i) => el(`i.${shape}`, { class: i < value ? "on" : null }))),
    el("span.count", {}, el("b", { text: value }), ` ${value === 1 ? one : noun}`));
}

function drawBoard(view) {
  const left = view.deck === 0 && view.turns_left !== null && !view.over;
  return el("section.board", { "aria-label": "Board" }, drawFireworks(view),
    el("div.objects-row", {}, counter("information", "token", view.information, view.information_max, "hints", "hint"),
      counter("lives", "life", view.lives, view.lives_max, "lives", "life"),
      el("div.counter.deck", { role: "img", "aria-label": `${many(view.deck, "card")} in the deck` },
        el("span.pile", { dataset: { size: Math.min(4, Math.ceil(view.deck / 10)) } }, el("b", { text: view.deck })),
        el("span.count", { text: left ? `${many(view.turns_left, "turn")} left` : "deck" })),
      el("div.counter.score", {}, el("b.points", { text: view.score }),
        el("span.count",
        { text: view.over ? `of ${view.max_score}` : `of ${view.max_score} · ${reachable(view)} possible` }))));
}

function drawDiscards(view) {
  const last = view.last;
  const fresh = last && (last.kind === "discard" || (last.kind === "play" && !last.success)) ? last.card : null;
  const groups = discardGroups(view);
  const empty = view.discards.length === 0;
  return el("section.discards", { dataset: { drop: "discard" }, "aria-label": "Discards" },
    el("h2", { text: "Discards" }),
    empty ? el("p.muted.small", { text: "Nothing yet." })
      : el("div.groups", {},
        groups.map(({ color, ranks }) => el(`div.group.suit-${view.colors[color]}`, {}, suitShape(view.colors[color]),
        ranks.map(({ rank, gone, copies: all }) => {
          const id = color * 5 + rank;
          const name = `${cardName(view, id)}: ${gone} of ${all} gone`;
          const classes = [gone === all && "all-gone", fresh === id
            && (last.kind === "play" ? "misplayed" : "fresh")].filter(Boolean).join(" ");
          return el("span.gone-card", { class: classes || null, role: "img", "aria-label": name, title: name },
            String(rank + 1), gone > 1 && el("sup", { text: `×${gone}` }));
        })))));
}

/** Everything that one card can be, as a grid; shown while one points at it or holds it. */
export function possibilities(view, card) {
  const grid = candidates(view, card);
  const left = unseen(view);
  return el("div.possibilities", { role: "tooltip" },
    el("div.small",
      { text: card.card === null ? "It can be" : `${cardName(view, card.card)}; its holder thinks it can be` }),
    el("div.grid-of", {},
      grid.map((row, color) => el(`div.line.suit-${view.colors[color]}`, {}, suitShape(view.colors[color]),
      row.map((state, rank) => el(`span.${state}`,
        { title: `${left[color][rank]} of ${copies(rank, view.ranks)} unseen`, text: rank + 1 }))))),
    grid.flat().includes("counted") && el("div.small.muted", { text: "Struck out: all copies are in sight." }));
}

function showPossibilities(root, view, target) {
  find(".possibilities", root)?.remove();
  const node = target?.closest?.(".card");
  if (!node || !root.contains(node)) return;
  const hand = view.hands.find(({ seat }) => seat === Number(node.dataset.seat));
  const tip = possibilities(view, hand.cards[Number(node.dataset.slot)]);
  root.append(tip);
  const [box, area] = [node.getBoundingClientRect(), root.getBoundingClientRect()];
  const own = Boolean(node.closest(".own"));
  const middle = box.left - area.left + box.width / 2 - tip.offsetWidth / 2;
  const right = box.right - area.left + 8;
  const beside = right + tip.offsetWidth <= area.width ? right : box.left - area.left - tip.offsetWidth - 8;
  // Above one's own cards, beside those of others: the buttons under them stay free.
  const x = own || beside < 0 ? middle : beside;
  const y = own || beside < 0 ? box.top - area.top - tip.offsetHeight - 8 : box.top - area.top;
  tip.style.left = `${Math.max(0, Math.min(x, area.width - tip.offsetWidth))}px`;
  tip.style.top = `${Math.max(0, y)}px`;
}

/** Drag a card of one's own onto the fireworks (play) or the discards (discard): mouse, pen and finger. */
function startDrag(root, state, event) {
  const node = event.target.closest(".card.draggable");
  if (!node || event.button !== 0) return;
  const slot = Number(node.dataset.slot);
  const [startX, startY] = [event.clientX, event.clientY];
  let dragging = false;
  const zone = (at) => document.elementFromPoint(at.clientX, at.clientY)?.closest("[data-drop]");
  const light = (over) => {
    for (const one of root.querySelectorAll("[data-drop]")) one.classList.toggle("drop-here", one === over);
  };
  const move = (at) => {
    if (!dragging && Math.hypot(at.clientX - startX, at.clientY - startY) < 8) return;
    if (!dragging) {
      dragging = true;
      root.classList.add("dragging");
      node.classList.add("dragged");
      showPossibilities(root, state.view, null);
    }
    node.style.transform = `translate(${at.clientX - startX}px, ${at.clientY - startY}px) rotate(3deg)`;
    light(zone(at));
  };
  const end = (at) => {
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", end);
    document.removeEventListener("pointercancel", end);
    node.style.transform = "";
    node.classList.remove("dragged");
    root.classList.remove("dragging");
    const over = dragging && at.type === "pointerup" ? zone(at) : null;
    light(null);
    if (!dragging) return;
    // The click that follows a drag must not select the card.
    root.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    setTimeout(() => root.dispatchEvent(new Event("click")), 0);
    const chosen = over && findMove(state.view, /** @type {any} */ (over).dataset.drop, { slot });
    if (chosen?.legal) state.options.onAction?.(chosen.action);
    else if (chosen) state.options.onRefused?.(chosen.why);
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end);
  document.addEventListener("pointercancel", end);
}

/** Milliseconds that the mouse rests on a card before everything that it can be is shown. */
const HOVER = 350;

/** What each root shows now; its listeners are attached once. */
const drawn = new WeakMap();

function attach(root, state) {
  root.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || event.buttons) return;
    clearTimeout(state.hover);
    showPossibilities(root, state.view, null);
    // Whoever has chosen a card of a partner wants the hint buttons.
    if (event.target.closest(".card") && !event.target.closest(".other .selected"))
      state.hover = setTimeout(() => showPossibilities(root, state.view, event.target), HOVER);
  });
  root.addEventListener("pointerleave", () => {
    clearTimeout(state.hover);
    showPossibilities(root, state.view, null);
  });
  root.addEventListener("focusin", (event) => {
    if (!state.drawing && event.target.matches(":focus-visible")) showPossibilities(root, state.view, event.target);
  });
  root.addEventListener("focusout", () => showPossibilities(root, state.view, null));
  root.addEventListener("contextmenu", (event) => {
    if (!event.target.closest(".card")) return;
    event.preventDefault(); // a long press shows what the card can be
    showPossibilities(root, state.view, event.target);
  });
  root.addEventListener("pointerdown", (event) => { if (state.options.interactive) startDrag(root, state, event); });
}

/**
 * Draw `view` into `root`.
 *
 * @param {HTMLElement} root gets the class `hanabi`; keep one root and draw into it again for the next tick
 * @param {import("./model.js").View} view
 * @param {object} [options]
 * @param {number|null} [options.seat] the seat that is drawn at the bottom (default: the view's, else 0)
 * @param {string[]} [options.names] names by seat (default "Player 1", …)
 * @param {boolean} [options.interactive] it is this viewer's turn: moves can be chosen, own cards dragged
 * @param {number|null} [options.selected] key of the selected card
 * @param {(card: object, seat: number, slot: number, event: Event) => void} [options.onCard] a card was clicked;
 *   without it cards are pictures and not buttons
 * @param {(action: number) => void} [options.onAction] a legal move was chosen by a button or by drag and drop
 * @param {(why: string) => void} [options.onRefused] something that isn't legal was tried; `why` is a sentence
 * @param {string} [options.because] why an agent made the last move
 * @param {boolean} [options.sentence] whether the last action stands above the board in words (default true)
 */
export function render(root, view, options = {}) {
  const seat = options.seat ?? view.seat ?? 0;
  const names = options.names || Array.from({ length: view.players }, (_, i) => `Player ${i + 1}`);
  const full = { interactive: false, selected: null, sentence: true, ...options, seat, names };
  let state = drawn.get(root);
  if (!state) { state = {}; drawn.set(root, state); attach(root, state); }
  Object.assign(state, { view, options: full });
  const focused = root.contains(document.activeElement)
    ? { .../** @type {any} */ (document.activeElement).dataset }
    : null;
  const order = seating(view, seat);
  root.classList.add("hanabi");
  root.dataset.players = String(view.players);
  root.classList.toggle("my-turn", full.interactive);
  const text = lastSentence(view, names);
  root.replaceChildren(
    el("div.others", {}, order.slice(0, -1).map((other) => drawHand(view, other, full))),
    el("div.middle", {},
      full.sentence && el("p.last-action", { class: view.last?.kind === "play" && !view.last.success ? "bad" : null,
      text: text || "The cards are dealt." },
      full.interactive && el("span.turn-mark", { text: " Your turn" }),
      full.because && el("small.because", { text: full.because })),
      drawBoard(view), drawDiscards(view)),
    drawHand(view, seat, full));
  // The focus comes back without the grid of possibilities: that belongs to choosing a card, not to a new state.
  state.drawing = true;
  if (focused?.key) find(`.card[data-key="${focused.key}"]`, root)?.focus({ preventScroll: true });
  else if (focused?.action) find(`[data-action="${focused.action}"]`, root)?.focus({ preventScroll: true });
  state.drawing = false;
}
