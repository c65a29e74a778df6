/**
 * The coach of a guided first game: a panel on the table that names the next thing to do, says what was done, and has
 * the buttons that go with it. What was done, the host says (webapp/host/coaching.py). Not for: the steps (a
 * game's first.py), the page after it (first-mark.js).
 */
import { buttonsOf, spokenOf, withKeys } from "./coach-state.js";
import { el, find, pageData, touchOnly, unfocus } from "./lib/dom.js";
import { registerKeys } from "./lib/keys.js";
import { announce } from "./lib/live.js";

/**
 * @param {object} table
 * @param {(sentence: string, meant: {choice: number}) => void} table.tell says something to the agents
 * @param {(message: {type: string}) => void} table.send sends to the host
 * @returns {(frame: any) => void} takes every frame of the match; does nothing in a game that has no coach
 */
export function coach({ tell, send }) {
  const root = find("[data-coach]");
  if (!root) return () => {};
  const key = () => (touchOnly() ? null : (pageData("key-bindings", {})?.["coach.do"]?.[0] ?? "o").toUpperCase());
  // A sentence that the coach offers is meant as it is read.
  /** @type {Record<string, (value: string) => void>} */
  const does = { tell: (sentence) => tell(sentence, { choice: 0 }), wake: () => send({ type: "wake" }),
    leave: () => send({ type: "leave" }) };
  /** @type {any} */
  let shown = null;

  /** @param {{does: string, value: string}} button */
  const press = ({ does: what, value }) => { unfocus(); does[what](value); };

  /** @param {any} told a frame "coach" */
  function draw(told) {
    const say = withKeys(touchOnly() && told.touch ? told.touch : told.say, pageData("coach-keys", {}));
    const buttons = buttonsOf(told);
    root.hidden = false;
    root.replaceChildren(
      el("p.coach-where", {}, el("b", { text: "First game" }),
        el("span.coach-dots", { "aria-hidden": "true" },
        Array.from({ length: told.steps },
        (_, at) => el(`i${at < told.step ? ".done" : at === told.step ? ".now" : ""}`))),
        el("span.visually-hidden",
          { text: told.step < told.steps ? `Step ${told.step + 1} of ${told.steps}` : "All steps are done" })),
      el("div.coach-words", {}, told.noticed && el("p.coach-noticed", { text: `✓ ${told.noticed}` }),
        el("p.coach-say", { text: say })),
      el("div.coach-buttons", { hidden: !buttons.length },
        buttons.map((one, at) => el(`button.button.small${at ? "" : ".primary"}`,
        { type: "button", dataset: { does: one.does }, onClick: () => press(one) },
        one.text, !at && key() && el("kbd", { text: key() })))),
    );
    root.classList.toggle("new", Boolean(shown) && shown.step !== told.step);
    if (shown?.step !== told.step) announce(spokenOf({ ...told, say }));
    shown = told;
  }

  registerKeys([{ name: "coach.do", keys: ["o"], label: "Do what the coach offers", run: () => {
    const [first] = shown ? buttonsOf(shown) : [];
    if (first) press(first);
  } }]);
  return (frame) => {
    if (frame.type === "joined" && frame.coach) draw(frame.coach);
    else if (frame.type === "coach") draw(frame);
    else if (frame.type === "end") root.hidden = true;
  };
}
