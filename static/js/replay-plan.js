/**
 * The plan of a side in a replay, as it stood at the tick that is shown: the cards of the live table, which nobody can
 * move here. It keeps its size. Not for: how long steps took (lanes of the strip, webapp/episodes/plans.py).
 */
import { find } from "./lib/dom.js";
import { drawCards } from "./plan-cards.js";
import { fresh, named, noted, targets } from "./plan-state.js";
import { lastAt } from "./playhead.js";

/** @typedef {import("./plan-state.js").Told & {tick: number, side: number}} Row from this tick on */

export class ReplayPlan {
  #shown = "";
  /** @type {import("./plan-state.js").Target[]} */
  targets = [];

  /**
   * @param {HTMLElement} root
   * @param {{plans: Row[], names: string[], look?: import("./plan-cards.js").Look}} options
   */
  constructor(root, { plans, names, look }) {
    this.root = root;
    this.plans = plans;
    this.names = names;
    this.look = look;
    this.columns = find("[data-plan-columns]", root);
    this.columns.replaceChildren();
    root.hidden = !plans.length;
  }

  /**
   * Show the plan of a seat's side at a tick. @param {number} seat @param {number} tick
   * @returns {import("./plan-state.js").Target[]} where its steps are done
   */
  show(seat, tick) {
    const rows = this.plans.filter((row) => row.seats.includes(seat)), index = lastAt(rows, tick);
    const key = `${seat} ${index}`;
    if (key === this.#shown) return this.targets;
    this.#shown = key;
    const row = index < 0 ? null : rows[index];
    const state = noted(fresh(), row, 0);
    drawCards(this.columns, state, { names: this.names, look: this.look });
    find("[data-plan-goal]", this.root).textContent = state.plan?.goal ?? "";
    const why = row?.on ? state.said || state.plan?.why || "" : "Nothing is planned at this tick.";
    find("[data-plan-why]", this.root).textContent = named(why, this.names);
    this.targets = state.on ? targets(state) : [];
    return this.targets;
  }
}
