/** How many seats a lobby shows. Pure. Not for: who sits in them (lobby.js). */

/**
 * @param {number} count the seats that are shown
 * @param {{seats: number, fills?: boolean}} place what the chosen place has
 *   room for; `fills`: it begins with so many players and no fewer
 */
export const seatsHere = (count, { seats, fills = false }) => (fills ? seats : Math.min(count, seats));
