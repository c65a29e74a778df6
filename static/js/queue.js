/**
 * What surrounds marking: submit and next (asks if there is no mark, waits for marks on their way), skip with a
 * reason, flag with a note, guidelines. Not for: marks themselves (marker.js).
 */
import { find, findAll, pageData, unfocus } from "./lib/dom.js";
import { keepDrafts } from "./lib/drafts.js";
import { registerKeys } from "./lib/keys.js";
import { toast } from "./lib/toast.js";

const LONGEST_WAIT = 4000; // ms that submitting waits for marks on their way

/** Whether every mark has arrived, after waiting a little for it. */
async function allSaved() {
  const state = find("#save-state");
  const until = performance.now() + LONGEST_WAIT;
  while (state.dataset.state === "pending"
    && performance.now() < until) await new Promise((done) => setTimeout(done, 50));
  return state.dataset.state === "saved";
}

function hasMarks() {
  return findAll(".strip-mark").length > 0;
}

let sending = false;

/** The guidelines over the page, at the moment that they are needed for. */
async function guidelines() {
  const dialog = find("#guidelines-dialog");
  dialog.showModal();
  const room = find("[data-guidelines]", dialog);
  if (room.childElementCount) return;
  try {
    const response = await fetch(`${pageData("replay-data").urls.guidelines}&part=1`, { credentials: "same-origin" });
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const sent = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const link of findAll("a", sent)) link.target = "_blank"; // the page stays as it is
    room.replaceChildren(...sent.body.childNodes);
  } catch (error) {
    room.textContent = `The guidelines can't be shown: ${error.message}. Close this and try again.`;
  }
}

/** Submit once more what was submitted before: what stands then counts. @param {any} event */
async function submitAgain(event) {
  event.preventDefault();
  unfocus();
  if (await allSaved()) event.target.submit();
  else toast("Some marks are not saved yet; submit again when they are.", { bad: true });
}

/** @param {boolean} [unmarked] whether no mark is what is meant */
async function submit(unmarked = false) {
  const form = find("#submit-form");
  if (!form || sending) return;
  unfocus();
  if (!(await allSaved())) return void toast("Some marks are not saved yet; submit when they are.", { bad: true });
  if (hasMarks() || unmarked) { sending = true; form.submit(); return; }
  const { value, dataset } = find("#seen-to");
  if (Number(value) < Number(dataset.last)) {
    toast(`You have marked nothing, and seen it to tick ${value} of ${dataset.last}. `
      + "Look at it to its end, mark something, or skip it with a reason.", { bad: true, milliseconds: 8000 });
    return;
  }
  const dialog = find("#unmarked-dialog");
  dialog.returnValue = "";
  dialog.showModal();
}

function start() {
  const flag = find("#flag-dialog");
  const openFlag = () => {
    const here = new URLSearchParams(location.search);
    for (const name of ["seat", "view"]) find(`#flag-${name}`).value = here.get(name) ?? "";
    find("#flag-tick").value = find("#stage").dataset.tick || 0;
    flag.showModal();
  };
  find("#flag")?.addEventListener("click", openFlag);
  find("#skip")?.addEventListener("click", () => find("#skip-dialog").showModal());
  for (const button of findAll("[data-close]")) button.addEventListener("click",
    () => button.closest("dialog").close());
  find("#submit-form")?.addEventListener("submit", (/** @type {any} */ event) => { event.preventDefault(); submit(); });
  find("#again-form")?.addEventListener("submit", submitAgain);
  find("#unmarked-dialog")?.addEventListener("close", (/** @type {any} */ event) => {
    if (event.target.returnValue === "submit") submit(true);
  });
  // As it was before it was left: whether it is submitted meanwhile, the server knows.
  addEventListener("pageshow", (/** @type {any} */ event) => { if (event.persisted) location.reload(); });
  find("#guidelines").addEventListener("click",
    (/** @type {Event} */ event) => { event.preventDefault(); guidelines(); });
  keepDrafts();
  registerKeys([
    { name: "queue.flag", keys: ["f"], label: "Flag the episode with a note", run: openFlag },
    { name: "queue.guidelines", keys: ["g"], label: "Guidelines", run: guidelines },
    ...(find("#submit-form") ? [
      { name: "queue.submit", keys: ["Enter"], label: "Submit and next (asks if there is no mark)",
        run: () => submit() },
      { name: "queue.skip", keys: ["k"], label: "Skip with a reason", run: () => find("#skip-dialog").showModal() },
    ] : []),
  ]);
}

start();
