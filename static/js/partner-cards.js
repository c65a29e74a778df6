/**
 * Agents to choose from as characters: a radio group of cards with face, name, what they are like and how they do with
 * people. Not for: who may sit where (lobby.js, games/<game>/lobby.js), which say what fits and hear of a choice.
 */
import { el, find, pageData } from "./lib/dom.js";
import { faceOf } from "./lib/face.js";

/**
 * @typedef {{value: string, name: string, text: string, ref?: string, odd?: boolean, alias?: string,
 *   people?: number|null, with_people?: string, means?: Record<string, string>, url?: string}} Partner
 */

export const FRIEND = { value: "friend", name: "A friend",
  text: "You get a link to send; the game starts when they are there." };
const SHOWN = 5; // agents; the others are folded

/**
 * Who an alias is in a place.
 * @param {Partner} partner
 * @param {Map<string, Partner>} partners
 * @param {string|null} layout
 */
export function meant(partner, partners, layout) {
  const value = partner.means?.[layout ?? ""] ?? partner.means?.[""];
  const agent = value && partners.get(value);
  return agent ? { ...agent, value: partner.value, alias: partner.alias } : partner;
}

/** Who is recommended where nothing else is known. @param {Partner[]} partners */
const champion = (partners) => partners.find(({ alias }) => alias === "champion")?.value;

/**
 * The cards in their order: who is recommended, then who does best with people, then the others; odd ones last. Whom an
 * alias means stands there once. Pure. @param {Partner[]} partners those that fit @param {string} [recommended] a value
 * @returns {{shown: Partner[], more: Partner[]}}
 */
export function inOrder(partners, recommended = champion(partners)) {
  const twins = new Set(partners.filter(({ alias }) => alias).map(({ ref }) => ref));
  /** @param {Partner} partner */
  const rank = ({ value, odd, people }) => [value === recommended ? 0 : odd ? 2 : 1, -(people ?? -1)];
  const cards = partners.filter(({ alias, ref }) => alias || !ref || !twins.has(ref))
    .map((one) => ({ one, rank: rank(one) }))
    .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1]).map(({ one }) => one);
  const good = cards.filter(({ odd }) => !odd).length;
  const count = Math.min(SHOWN, good || cards.length);
  return { shown: cards.slice(0, count), more: cards.slice(count) };
}

/** The first sentence. @param {string} text */
export const firstSentence = (text) => text.match(/^.*?[.!?](?=\s|$)/)?.[0] ?? text;

/** What the lobby calls a layout. @param {string} layout */
export const placeName = (layout) => pageData("layouts", [])
  .find((/** @type {{value: string}} */ one) => one.value === layout)?.label || layout;

/** @type {Record<string, string>} */
const LISTENS = { once: "what you say, at once", turns: "what you say and confirm, from its next move on",
  no: "nothing yet: it can't be told things" };

/**
 * What an agent is, in full: how it was made, its scores, what it listens to.
 * @param {any} partner
 * @param {string} listens
 */
function about(partner, listens) {
  const games = partner.episodes ? `, ${partner.episodes.toLocaleString("en-GB")} games` : "";
  const range = Number.isFinite(partner.stderr) ? ` ± ${(1.96 * partner.stderr).toFixed(2)}` : "";
  const score = partner.mean === undefined || partner.mean === null
    ? null
    : `${partner.mean.toFixed(2)}${range} with itself${games}`;
  return el("div.agent-card", {}, el("p", { text: partner.text || "Nobody has described it yet." }),
    [partner.explanation || []].flat().length > 0
      && el("ul.small", {}, [partner.explanation].flat().map((text) => el("li", { text }))),
    el("dl.definition.small", {},
      partner.with_people && [el("dt", { text: "With people" }),
      el("dd", { text: `${partner.with_people} (a program that learned from people's games)` })],
      score && [el("dt", { text: "Score" }), el("dd", { text: score })],
      partner.trained && [el("dt", { text: "Made by" }), el("dd", { text: partner.trained })],
      partner.players?.length > 0
        && [el("dt", { text: "Players" }),
        el("dd",
        { text: partner.players.length > 4
        ? `${Math.min(...partner.players)} to ${Math.max(...partner.players)}`
        : partner.players.join(", ") })],
      partner.layout && [el("dt", { text: "Made for" }), el("dd", { text: `${placeName(partner.layout)} only` })],
      [el("dt", { text: "Listens to" }), el("dd", { text: LISTENS[listens] })]),
    partner.url && el("a.small", { href: partner.url, text: "Everything about it" }));
}

export class PartnerCards {
  #drawn = "";

  /**
   * @param {HTMLFieldSetElement} root
   * @param {string} name of the radio buttons
   * @param {(value: string) => void} onChoose
   */
  constructor(root, name, onChoose) {
    this.root = root;
    this.name = name;
    this.listens = /** @type {any} */ (root.closest("form")).dataset.listens;
    this.area = el("div", {});
    this.about = el("details.agent-chip", { hidden: true }, el("summary", {}), el("div", {}));
    root.append(this.area, this.about);
    this.area.addEventListener("change",
      (/** @type {any} */ event) => { event.stopPropagation(); onChoose(event.target.value); });
  }

  /** The card that is chosen; "" none. */
  get value() { return find("input:checked", this.area)?.value ?? ""; }

  /**
   * Show these, this one chosen.
   * @param {Partner[]} partners
   * @param {string} value
   * @param {Partner[]} [others] who stand
   * there too @param {string} [recommended] a value, "" for nobody: the one that the page chooses by itself
   */
  show(partners, value, others = [], recommended = champion(partners)) {
    const { shown, more } = inOrder(partners, recommended);
    const drawn = JSON.stringify([recommended,
      ...[shown, more, others].map((list) => list.map(({ value: one, name }) => [one, name]))]);
    if (drawn !== this.#drawn) {
      const had = this.area.contains(document.activeElement) ? /** @type {any} */ (document.activeElement).value : null;
      this.#drawn = drawn;
      this.area.replaceChildren(el("div.partner-cards", {},
        [...shown, ...others].map((one) => this.#card(one, recommended))),
        more.length && el("details.more-partners", {}, el("summary", { text: `More agents (${more.length})` }),
          el("div.partner-cards", {}, more.map((one) => this.#card(one, recommended)))) || "");
      if (had) find(`input[value="${CSS.escape(had)}"]`, this.area)?.focus();
    }
    for (const input of this.area.querySelectorAll("input")) input.checked = input.value === value;
    const chosen = partners.find((partner) => partner.value === value);
    this.about.hidden = !chosen?.url;
    if (chosen?.url) {
      find("summary", this.about).textContent = `About ${chosen.name}`;
      this.about.lastChild.replaceWith(about(chosen, this.listens));
    }
    const folded = find("details", this.area);
    if (folded && find("input:checked", folded)) folded.open = true;
  }

  /** @param {Partner} partner @param {string|undefined} recommended */
  #card({ value, name, text, ref, with_people: people }, recommended) {
    return el("label.partner-card", {}, el("input", { type: "radio", name: this.name, value }), faceOf(ref),
      el("span.partner-text", {},
        el("b", {}, name, value === recommended && el("span.badge.accent", { text: "recommended" })),
        el("span.small", { text: firstSentence(text) || "Nobody has described it yet." }),
        people && el("span.small.muted", { text: `${people}.` })));
  }
}
