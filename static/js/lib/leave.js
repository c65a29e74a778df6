/**
 * Leaving a running game for good: what that means is asked on the page, and then one is out. Not for: what the host
 * does with it (webapp/host/messages/leave.py), how a game looks that was left.
 */
import { el, find } from "./dom.js";
import { releaseHeld } from "./keys.js";

/**
 * What leaving does to the game, in a sentence.
 * @param {{kind: string, stand_in: string|null}[]} seats
 * @param {number} own
 * @param {string|null|undefined} standIn who could play on
 */
export function whatLeavingDoes(seats, own, standIn) {
  const others = seats.some((seat, index) => index !== own && seat.kind === "person" && !seat.stand_in);
  if (others && standIn) return `${standIn} plays on in your seat at once, and you can't come back.`;
  return `The game ends here${others ? " for everybody" : ""}, unfinished.`;
}

/**
 * The page's button for leaving. @param {() => string} does what leaving does now @param {() => void} leave
 */
export function listenForLeaving(does, leave) {
  find("[data-leave]")?.addEventListener("click", () => {
    releaseHeld();
    const dialog = el("dialog.leave-dialog", { "aria-labelledby": "leave-title", onClose: () => {
      const goes = dialog.returnValue === "leave";
      dialog.remove();
      if (goes) leave();
    } },
      el("form.stack", { method: "dialog" }, el("h2", { id: "leave-title", text: "Leave for good?" }),
        el("p", { text: does() }),
        el("div.row", {}, el("button.button.primary", { value: "", autofocus: true, text: "Play on" }),
          el("button.button.danger", { value: "leave", text: "Leave" }))));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/**
 * Whether this frame says that one is out; the page then shows what there is to see from outside.
 * @param {{type: string}} frame
 * @param {any} answered the message of ours that it answers
 */
export function seenOut(frame, answered) {
  if (frame.type !== "ack" || answered?.type !== "leave") return false;
  window.location.reload();
  return true;
}
