/**
 * The keys page: shows every action with its keys, rebinds one at a time, warns of conflicts, saves at once. Keys are named
 * by what they write, those with `places` by where they lie; those may be buttons of the mouse and Shift or Ctrl alone, too.
 */
import { codeName, codeOf, codeOfKey, writtenAt } from "./lib/codes.js";
import { el, find, pageData } from "./lib/dom.js";
import { postJSON } from "./lib/http.js";
import { conflicts, keyName } from "./lib/keys.js";
import { toast } from "./lib/toast.js";

/** @type {Record<string, {name: string, label: string, keys: string[], places: boolean}[]>} */
const catalogue = pageData("key-catalogue", {});
const root = find("#keys");
let own = { ...pageData("key-bindings", {}) };
/** Name of the action that waits for a key, or null. */
let listening = null;

const keysOf = (action) => (own[action.name] ? [].concat(own[action.name]) : action.keys);

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

function row(action, clashing) {
  const keys = keysOf(action);
  const others = clashing.filter(([, names]) => names.includes(action.name));
  const waits = listening === action.name;
  const shown = action.places ? codeName : (key) => key;
  return el(waits ? "tr.key-row.listening" : "tr.key-row", { "data-action": action.name },
    el("td", { text: action.label }),
    el("td", {}, waits ? (action.places ? "Press a key or a button of the mouse…" : "Press a key…") : keys.flatMap((key, i) => [i ? " " : "", el("kbd", { text: shown(key) })]),
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
    const clashing = conflicts(actions.map((action) => ({ name: action.name, keys: keysOf(action).map((key) => (action.places ? writtenAt(codeOfKey(key)) : key)) })));
    return el("section.key-scope", {},
      el("h2", { text: scope }),
      el("div.table-wrap", {}, el("table.table", {},
        el("thead", {}, el("tr", {}, el("th", { text: "Action" }), el("th", { text: "Keys" }), el("th", {}, el("span.visually-hidden", { text: "What one may do" })))),
        el("tbody", {}, actions.map((action) => row(action, clashing))))));
  }));
}

const placed = () => Object.values(catalogue).flat().find((action) => action.name === listening)?.places;

function bind(event, key) {
  event.preventDefault();
  event.stopImmediatePropagation();
  const name = listening;
  listening = null;
  if (key) save({ ...own, [name]: [key] });
  else draw();
}

document.addEventListener("keydown", (event) => {
  if (!listening) return;
  if (event.key === "Escape") bind(event, null);
  else if (placed()) bind(event, codeOf(event));
  else if (!["Shift", "Control", "Alt", "Meta"].includes(event.key)) bind(event, keyName(event));
}, true);

document.addEventListener("mousedown", (event) => { if (listening && placed()) bind(event, `Mouse${event.button}`); }, true);
document.addEventListener("wheel", (event) => {
  if (listening && placed()) bind(event, event.deltaY < 0 ? "WheelUp" : "WheelDown");
}, { capture: true, passive: false });
document.addEventListener("contextmenu", (event) => { if (event.target.closest?.("#keys")) event.preventDefault(); });

draw();
