/**
 * Who is away, and from when on an agent may play for them. Pure. Not for: asking for it (a table's own button).
 *
 * @typedef {{kind: string, present: boolean, stand_in: string|null, stand_in_after?: any, free_at: number}} Seat
 */

/**
 * Seats with the moment from which an agent may play, as the host has said how long it is.
 * @param {Seat[]} seats
 * @param {number} now in ms
 */
export const clocked = (seats, now) =>
  seats.map(
    (seat) => ({ ...seat, free_at: Number.isFinite(seat.stand_in_after) ? now + 1000 * seat.stand_in_after : 0 }));

/**
 * What the button says that lets an agent play for the first who is away; null: nobody is.
 * @param {Seat[]} seats @param {number|null} own @param {string[]} names @param {number} now in ms
 * @returns {{seat: number, text: string, waits: boolean}|null}
 */
export function standInOffer(seats, own, names, now) {
  const seat = seats.findIndex((one, index) => index !== own && one.kind === "person" && !one.present && !one.stand_in);
  if (seat < 0 || own === null) return null;
  const seconds = Math.ceil((seats[seat].free_at - now) / 1000);
  const text = `Let an agent play for ${names[seat]}`;
  return seconds > 0 ? { seat, text: `${text} in ${seconds} s`, waits: true } : { seat, text, waits: false };
}
