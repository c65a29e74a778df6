/**
 * The keys page: shows every action with its keys, rebinds one at a time, warns of conflicts, saves at once. Keys are
 * named by what they write, those with `places` by where they lie; those with `mouse` may be buttons of the mouse and
 * Shift or Ctrl alone, too.
 */
import { codeName, writtenAt } from "./lib/codes.js";
import { closest, el, find, pageData } from "./lib/dom.js";
import { postJSON } from "./lib/http.js";
import { conflicts, keyToBind } from "./lib/keys.js";
import { toast } from "./lib/toast.js";

/** @typedef {{name: string, label: string, keys: string[], places: boolean, mouse: boolean}} Action */

/** @type {Record<string, Action[]>} */
const catalogue = pageData("key-catalogue", {});
const root = find("#keys");
/** @type {Record<string, string[]>} */
let own = { ...pageData("key-bindings", {}) };
/** Name of the action that waits for a key, or null. @type {any} */
let listening = null;

/** @param {Action} action @returns {string[]} */
const keysOf = (action) => (own[action.name] ? [own[action.name]].flat() : action.keys);

/** @param {Record<string, string[]>} next */
async function save(next) {
  const before = own;
  own = next;
  draw();
  try {
    own = (await postJSON(root.dataset.save, next)).bindings;
  } catch (error) {
    own = before;
    toast(error.message, { bad: true });
  }
  draw();
}

/** @param {Action} action @param {[string, string[]][]} clashing */
function row(action, clashing) {
  const keys = keysOf(action);
  const others = clashing.filter(([, names]) => names.includes(action.name));
  const waits = listening === action.name;
  const shown = action.places ? codeName : (/** @type {string} */ key) => key;
  return el(waits ? "tr.key-row.listening" : "tr.key-row", { "data-action": action.name },
    el("td", { text: action.label }),
    el("td", {}, waits
      ? (action.mouse ? "Press a key or a button of the mouse…" : "Press a key…")
      : keys.flatMap((key, i) => [i ? " " : "", el("kbd", { text: shown(key) })]),
      others.map(([key]) => el("div.errors.down", { text: `${shown(key)} also does something else on this page` }))),
    el("td.row", {},
      el("button.button.small", { type: "button", onClick: () => { listening = action.name; draw(); } }, "Rebind"),
      own[action.name] ? el("button.button.small.quiet", {
        type: "button",
        onClick: () => { const { [action.name]: gone, ...rest } = own; void gone; save(rest); },
      }, "Default") : null));
}

function draw() {
  root.replaceChildren(...Object.entries(catalogue).map(([scope, actions]) => {
    const clashing =
      conflicts(
        actions.map((action) => ({ name: action.name,
      keys: keysOf(action).map((key) => (action.places ? writtenAt(key) : key)) })));
    return el("section.key-scope", {},
      el("h2", { text: scope }),
      el("div.table-wrap", {}, el("table.table", {},
        el("thead", {}, el("tr", {}, el("th", { text: "Action" }), el("th", { text: "Keys" }),
          el("th", {}, el("span.visually-hidden", { text: "What one may do" })))),
        el("tbody", {}, actions.map((action) => row(action, clashing))))));
  }));
}

/** @param {any} event */
function bind(event) {
  const action = Object.values(catalogue).flat().find(({ name }) => name === listening);
  const leaves = event.key === "Escape", key = action && !leaves && keyToBind(event, action);
  if (!action || !(key || leaves)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  listening = null;
  if (key) save({ ...own, [action.name]: [key] });
  else draw();
}

for (const kind of ["keydown", "mousedown", "wheel"]) document.addEventListener(kind, bind,
  { capture: true, passive: false });
document.addEventListener("contextmenu", (event) => { if (closest(event, "#keys")) event.preventDefault(); });

draw();
