// Where small candidates stand in a cell. Nothing here needs a browser.

const EDGE = 0.46; // of notes from the middle of a cell, in sides of a cell
const CORNER = 0.2; // how far above the middle a text in a corner ends
const WIDE = 0.66; // of a character, in its height
const HEIGHTS = [0.25, 0.21, 0.18, 0.15, 0.12, 0.1, 0.08];

/**
 * The texts of notes: [text, right, down, height], from the middle of a cell, in its sides.
 *
 * @param {string[]} texts All that may stand in a cell, in order.
 * @param {{notes?: string[], centre?: string[]}} mark
 * @param {{low: boolean, corner: boolean}} room Whether something stands in the corner of cells,
 *   and whether it is that of which these are candidates.
 */
export function noteTexts(texts, { notes = [], centre = [] }, { low, corner }) {
  const inOrder = (list) => [...list].sort((a, b) => texts.indexOf(a) - texts.indexOf(b));
  if (corner) return rows(inOrder([...notes, ...centre]), -EDGE, -CORNER);
  const top = low ? -CORNER : -EDGE;
  const isGrid = texts.length <= 9 && notes.every((text) => text.length === 1);
  if (!centre.length && isGrid) return grid(texts, notes, top);
  if (!centre.length) return rows(inOrder(notes), top, EDGE);
  if (!notes.length) return rows(inOrder(centre), top, EDGE);
  const middle = top + (EDGE - top) * 0.45;
  return [...rows(inOrder(notes), top, middle), ...rows(inOrder(centre), middle, EDGE)];
}

/** Each candidate where it always stands, in three rows. */
function grid(texts, notes, top) {
  const high = (EDGE - top) / 3;
  return notes.map((text) => {
    const index = texts.indexOf(text);
    const right = 0.28 * ((index % 3) - 1);
    return [text, right, top + high * (Math.floor(index / 3) + 0.5), Math.min(0.24, high * 0.9)];
  });
}

/** Candidates in as many rows as they need, in the largest letters that fit. */
function rows(notes, top, bottom) {
  const gap = notes.every((text) => text.length === 1) ? "" : " ";
  for (const height of HEIGHTS) {
    const lines = folded(notes, gap, Math.floor((2 * EDGE) / (height * WIDE)));
    const high = height * 1.1;
    const isLast = height === HEIGHTS.at(-1);
    if (lines.length * high > bottom - top && !isLast) continue;
    const first = (top + bottom - (lines.length - 1) * high) / 2;
    return lines.map((line, row) => [line, 0, first + row * high, height]);
  }
  return [];
}

function folded(notes, gap, longest) {
  const lines = [];
  for (const text of notes) {
    const last = lines.at(-1);
    const joined = `${last}${gap}${text}`;
    if (last !== undefined && joined.length <= longest) lines[lines.length - 1] = joined;
    else lines.push(text);
  }
  return lines;
}
