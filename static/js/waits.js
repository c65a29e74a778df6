/**
 * Why nothing moves yet at a table that waits for moves: the countdown, second by second, because no message tells that
 * it is over, or what the host says while it pauses. Not for: tables that draw by a clock (overcooked, arena).
 */

export class Waits {
  text = "";
  #timer = 0;

  /** @param {() => void} draw when a second has gone by */
  constructor(draw) {
    this.draw = draw;
  }

  /** @param {any} frame of the host */
  receive(frame) {
    if (frame.type === "countdown") this.#count(frame.seconds);
    else if (frame.type === "paused") this.#say(frame.text);
    else if (frame.type === "resumed") this.over();
  }

  /** The game goes on. */
  over() {
    this.#say("");
  }

  /** @param {string} text */
  #say(text) {
    clearTimeout(this.#timer);
    this.text = text;
  }

  /** @param {number} seconds */
  #count(seconds) {
    this.#say(seconds > 0 ? `It starts in ${Math.ceil(seconds)} s.` : "");
    if (seconds > 0) this.#timer = setTimeout(() => {
      this.#count(seconds - 1);
      this.draw();
    }, Math.min(1, seconds) * 1000);
  }
}
