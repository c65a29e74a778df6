/** A number with what it counts: "1 point", "3 points". @param {number} count @param {string} one */
export const many = (count, one, more = `${one}s`) => `${count} ${count === 1 ? one : more}`;
