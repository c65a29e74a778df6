/**
 * Instructions as chips over the line in which one types: what was understood, how far it is, and what one may answer.
 * Not for: which chips there are (table-state.js), the panel of a table beside which there is room (table-words.js).
 */
import { el } from "./lib/dom.js";
import { answerButtons, CHIP_SIGNS, chipText, judgeButtons, mayBeJudged, PHASES } from "./reading-ask.js";
import { mayFollow } from "./lib/life.js";
import { drawWants, instead } from "./wants.js";

/**
 * @typedef {import("./reading-ask.js").Answers & {withdraw: (id: string) => void,
 *   reword: (id: string, text: string) => void, want: (id: string, subgoals: import("./wants.js").Asked[]) => void,
 *   judge: (id: string, sign: 1|-1|0) => void}} Answers
 */

/**
 * @param {HTMLElement} list
 * @param {ReturnType<typeof import("./table-state.js").readings>} chips
 * @param {boolean} over whether the game is
 * @param {Answers} answers
 */
export function drawChips(list, chips, over, answers) {
  const signature = JSON.stringify([chips, over]);
  if (list.dataset.signature === signature) return;
  list.dataset.signature = signature;
  // Chips change with every tick, and one may be about to be clicked: each keeps its node.
  const known = new Map([.../** @type {any} */ (list.children)].map((node) => [node.dataset.id, node]));
  const nodes = chips.map((chip) => known.get(chip.id) || newChip(chip, answers));
  for (const node of known.values()) if (!nodes.includes(node)) node.remove();
  chips.forEach((chip, i) => {
    fillChip(nodes[i], chip, over, answers);
    if (list.children[i] !== nodes[i]) list.insertBefore(nodes[i], list.children[i] || null);
  });
}

/** @param {any} chip @param {Answers} answers */
function newChip(chip, { withdraw, reword, judge }) {
  /** @param {string} kind @param {string} label @param {string} title @param {string} sign @param {() => void} run */
  const button = (kind, label, title, sign, run) => el(`button.${kind}`,
    { type: "button", "aria-label": `${label}: ${chip.text}`, title, onClick: run }, sign);
  return el("li.reading-chip", { dataset: { id: chip.id }, title: `“${chip.text}”` },
    el("span.sign", { "aria-hidden": "true" }), el("span.reading-text"), el("span.visually-hidden"),
    el("span.reading-note"), el("span.chip-answers"),
    button("chip-again", "Say it differently", "Not quite: say it differently", "✎", () => reword(chip.id, chip.text)),
    button("chip-close", "Take back", "Take it back", "×", () => withdraw(chip.id)),
    el("span.chip-judges", { role: "group", "aria-label": "Was that what you meant?" }, judgeButtons(chip, judge)),
    el("ul.wants", { "aria-label": "What it asks for", hidden: true }));
}

/** @param {any} node @param {any} chip @param {boolean} over @param {Answers} answers */
function fillChip(node, chip, over, answers) {
  const [sign, reading, phase, note, choices, again, close, judges, list] = node.children;
  node.className = `reading-chip ${chip.phase}${chip.wants?.length ? " with-wants" : ""}`;
  node.dataset.phase = chip.phase;
  sign.textContent = CHIP_SIGNS[chip.phase];
  reading.textContent = chipText(chip);
  phase.textContent = `: ${PHASES[chip.phase]}`;
  note.textContent = chip.phase === "unread" ? "" : chip.note;
  const asks = chip.mine && !over && (chip.phase === "read" || chip.phase === "unread" && chip.options.length > 0);
  choices.hidden = !asks;
  if (asks !== choices.childElementCount > 0) choices.replaceChildren(...(asks ? answerButtons(chip, answers) : []));
  const changes = chip.mine && !over && mayFollow("rewritten", chip.phase);
  drawWants(list, chip.wants ?? [], changes ? (which, value) => answers.want(chip.id, instead(chip.asked, which, value))
    : null);
  judges.hidden = !chip.mine || over || !mayBeJudged(chip.phase);
  for (const one of judges.children) one.setAttribute("aria-pressed", String(Number(one.dataset.sign) === chip.judged));
  again.hidden = close.hidden = !chip.mine || !mayFollow("withdrawn", chip.phase) || over;
}
