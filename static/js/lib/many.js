/** A number with what it counts: "1 point", "3 points", "−1 point". @param {number} count @param {string} one */
export const many = (count, one, more = `${one}s`) =>
  `${String(count).replace("-", "−")} ${Math.abs(count) === 1 ? one : more}`;
