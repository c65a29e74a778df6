/** A Hanabi view as a thumbnail: fireworks as columns, lives and tokens as dots. Not for: the table (hanabi.js). */

/** @type {Record<string, string>} */
const INK = { R: "#c8372d", Y: "#d8a200", G: "#3f8f3a", W: "#9aa2a6", B: "#2b68c4" };

/**
 * @param {CanvasRenderingContext2D} context
 * @param {any} view
 * @param {{x: number, y: number, width: number, height: number}} box
 */
export function thumbnail(context, view, { x, y, width, height }) {
  const pad = width > 14 ? 3 : 1;
  const columns = view.colors.length;
  const step = (width - 2 * pad) / columns;
  const foot = y + height - 8;
  const unit = (foot - y - 3) / view.ranks;
  context.save();
  context.beginPath();
  context.rect(x, y, width, height);
  context.clip();
  context.globalAlpha = view.over && view.score === 0 ? 0.45 : 1;
  view.fireworks.forEach((/** @type {number} */ top, /** @type {number} */ i) => {
    context.fillStyle = INK[view.colors[i]];
    for (let rank = 0; rank < top; rank += 1) {
      context.fillRect(x + pad + i * step + 0.5, foot - (rank + 1) * unit + 1, Math.max(1, step - 1),
        Math.max(1, unit - 1));
    }
    context.globalAlpha *= 0.5;
    context.fillRect(x + pad + i * step + 0.5, foot, Math.max(1, step - 1), 1);
    context.globalAlpha *= 2;
  });
  if (width >= 24) {
    context.fillStyle = "#2b7fa8";
    context.fillRect(x + pad, foot + 3, ((width - 2 * pad) / 2) * (view.information / view.information_max), 3);
    context.fillStyle = "#c4401c";
    const life = (width - 2 * pad) / 2 / view.lives_max;
    for (let i = 0; i < view.lives; i += 1) context.fillRect(x + width / 2 + i * life + 1, foot + 3,
      Math.max(1, life - 2), 3);
  }
  context.restore();
}
