/**
 * When the cards of a plan stay where they are: what one reaches for isn't gone when the hand arrives, and what one
 * changed is seen at once. Not for: drawing (plan-cards.js), what is being dragged (plan.js).
 */
export const STILL = 2000; // ms after a hand was on a card
export const LONGEST = 4000; // ms for which something newer has waited, after which a hand keeps nothing still any more

export class Still {
  /** @type {any} */
  #timer = null;
  /** Since when (ms) something newer waits. @type {number|null} */
  #waits = null;
  #unanswered = 0;

  /** @param {() => void} moves once cards may move again */
  constructor(moves) { this.moves = moves; }

  /** A hand is on a card. */
  touched() {
    if (this.#waits !== null && Date.now() - this.#waits >= LONGEST) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { this.#timer = null; this.moves(); }, STILL);
  }

  /** A change goes to the host, which sends what came of it before it answers. */
  sent() { this.#unanswered += 1; }

  /** Whether something that was sent waits for an answer. */
  get waits() { return this.#unanswered > 0; }

  /** @returns {boolean} whether nothing that was sent waits for an answer any more */
  answered() {
    this.#unanswered -= 1;
    return !this.waits;
  }

  /** The page has joined anew: answers to what was sent before won't come. */
  joined() { this.#unanswered = 0; }

  /** Whether what is to be drawn now has to wait. */
  holds() {
    const holds = this.#timer !== null && !this.#unanswered;
    this.#waits = holds ? this.#waits ?? Date.now() : null;
    return holds;
  }
}
