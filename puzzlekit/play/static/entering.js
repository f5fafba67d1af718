// How marks are entered on a board, within a step of a game. Nothing here needs a browser.
import { choices, plain } from "./entries.js";
import { Game } from "./game.js";

export const CROSS = -1; // the state of a place that is crossed out

/** What stands at a place: a token or text, or CROSS. */
export function stateOf(game, entry, place) {
  const mark = game.at(entry.number, place);
  return mark.crossed ? CROSS : mark.held;
}

/** Whether a text that may be moved stands where it stood at first. */
export const isUnmoved = (entry, place, mark) =>
  Boolean(entry.moved) && !(place in entry.fixed) && mark.held === entry.moved[place];

/** Exchange what stands at two places. */
export function exchange(game, entry, first, second) {
  if (first in entry.fixed || second in entry.fixed) return;
  const [a, b] = [game.at(entry.number, first), game.at(entry.number, second)];
  game.set(entry.number, first, { held: b.held });
  game.set(entry.number, second, { held: a.held });
}

/** Bring a token to a place, from one where it has not been moved to. */
function bring(game, entry, place, token) {
  const { moved, number, fixed } = entry;
  if (game.at(number, place).held === token) return;
  const others = [...moved.keys()].filter(
    (other) => !(other in fixed) && game.at(number, other).held === token,
  );
  const from = others.find((other) => moved[other] === token) ?? others[0];
  if (from !== undefined) exchange(game, entry, from, place);
}

/** Enter a token or a text, also where the same unknown is shown. Nothing may stand anywhere. */
export function put(game, entry, place, token) {
  if (place in entry.fixed) return;
  if (entry.moved) return bring(game, entry, place, token);
  if (!(entry.free || !token || choices(entry, place).includes(token))) return;
  const group = entry.linked.get(place) ?? [[place]];
  const [, byValue] = group.find(([member]) => member === place);
  const values = byValue?.flatMap((member, value) => (member === token ? [value] : [])) ?? [];
  for (const [member, tokens] of group) {
    if (member in entry.fixed) continue;
    const fields = token ? { crossed: false } : {};
    if (member === place) game.set(entry.number, member, { ...fields, held: token });
    else if (!token) game.set(entry.number, member, { held: 0 });
    else if (values.length === 1)
      game.set(entry.number, member, { ...fields, held: tokens[values[0]] });
    else game.set(entry.number, member, fields);
  }
}

/** Cross a place out, or take its cross away. */
export function cross(game, entry, place, on) {
  if (place in entry.fixed || entry.moved) return;
  const fields = on ? { crossed: true, held: entry.free ? "" : 0 } : { crossed: false };
  game.set(entry.number, place, fields);
}

/** Make CROSS or a token the state of a place. */
export function setState(game, entry, place, state) {
  if (state === CROSS) return cross(game, entry, place, true);
  cross(game, entry, place, false);
  put(game, entry, place, state);
}

/** The states that clicks go through: tokens, a cross, nothing. */
function turns(entry, place) {
  const all = choices(entry, place);
  const tokens = all.filter((token) => token);
  return tokens.length > 1 && !all.includes(0) ? [...tokens, 0] : [...tokens, CROSS, 0];
}

/** The state after a click. */
export function nextState(game, entry, place, back = false) {
  const all = turns(entry, place);
  const index = all.indexOf(stateOf(game, entry, place));
  return all[(index + (back ? all.length - 1 : 1)) % all.length];
}

export const crossAfter = (game, entry, place) =>
  stateOf(game, entry, place) === CROSS ? 0 : CROSS;

/** What a line becomes when it is drawn along: one more, after the last nothing. */
export function lineAfter(game, entry, link) {
  const all = choices(entry, link);
  const index = all.indexOf(game.at(entry.number, link).held);
  return all[(index + 1) % all.length];
}

/** Erase all that stands at a place. */
export function erase(game, entry, place) {
  if (place in entry.fixed || entry.moved) return;
  put(game, entry, place, entry.free ? "" : 0);
  game.set(entry.number, place, { crossed: false, notes: [], centre: [], out: [] });
}

/** A number that no piece has yet. */
export function freshPiece(game, entry) {
  let most = 0;
  for (const { held } of game.marks[entry.number]) most = Math.max(most, Number(held));
  return most + 1;
}

/** Join cells to a piece. */
export function joinCells(game, entry, cells) {
  const piece = freshPiece(game, entry);
  for (const cell of cells) game.set(entry.number, cell, { held: piece });
}

/** Make a move of an explanation: [entry, place, token], or the cells of a piece. */
export function applyMove(game, entries, [number, place, token]) {
  const entry = entries[number];
  if (entry.kind === "pieces") joinCells(game, entry, token);
  else setState(game, entry, place, token);
}

/** The notes at a place by their field, without those that are not among some texts. */
function remainingNotes(mark, texts) {
  const fields = {};
  for (const field of ["notes", "centre"])
    if (mark[field]) fields[field] = mark[field].filter((note) => texts.includes(note));
  return fields;
}

/** Enter what an elimination leaves, as [entry, place, tokens]: as notes, where there are none yet. */
export function applyNotes(game, entries, [number, place, tokens]) {
  const mark = game.at(number, place);
  if (mark.held) return;
  const texts = tokens.map((token) => entries[number].texts[token]);
  const isNoted = mark.notes || mark.centre;
  game.set(number, place, isNoted ? remainingNotes(mark, texts) : { notes: texts });
}

/** Whether a board has what an elimination leaves. */
export function hasNotes(game, entries, [number, place, tokens]) {
  const mark = game.at(number, place);
  const texts = tokens.map((token) => entries[number].texts[token]);
  const notes = [...(mark.notes ?? []), ...(mark.centre ?? [])];
  return Boolean(mark.held) || (notes.length > 0 && notes.every((note) => texts.includes(note)));
}

/** The pieces of a board: the numbers of the cells of each, as text. */
export function piecesOf(marks) {
  const pieces = new Map();
  marks.forEach(({ held }, cell) => {
    if (held) pieces.set(held, [...(pieces.get(held) ?? []), cell]);
  });
  return [...pieces.values()].map((cells) => cells.join(" ")).sort();
}

/** The key of what stands at a place, as a solution has it. */
export function keyAt(entry, place, mark) {
  const { held } = mark;
  if (entry.kind === "words") return entry.free ? held.trim().toLowerCase() : entry.texts[held];
  if (!entry.free) return entry.keys[held];
  if (place in entry.fixed) return entry.fixed[place];
  return held ? `text:${held}` : "";
}

/**
 * The marks of a board of texts: null where nothing is known, × for a cross, a list for notes; of
 * pieces, the cells of each.
 */
export function marksOf(entry, blanks, texts) {
  const marks = [...blanks];
  const label = (key) => (entry.free ? plain(key) : entry.labels[entry.keys.indexOf(key)]);
  if (entry.kind === "pieces") {
    texts.forEach((piece, number) => {
      for (const cell of piece.split(" ")) marks[cell] = { held: number + 1 };
    });
    return marks;
  }
  if (entry.moved) return movedMarks(entry, texts);
  texts.forEach((text, place) => {
    if (text === null || place in entry.fixed) return;
    if (Array.isArray(text)) marks[place] = { ...blanks[place], notes: text.map(label) };
    else if (text === "×" && entry.kind === "paths") return;
    else if (text === "×") marks[place] = { ...blanks[place], crossed: true };
    else if (entry.kind === "words") {
      marks[place] = { held: entry.free ? text : Math.max(0, entry.texts.indexOf(text)) };
    } else
      marks[place] = { held: entry.free ? plain(text) : Math.max(0, entry.keys.indexOf(text)) };
  });
  return marks;
}

/** The marks of a board of texts that are only moved. */
function movedMarks(entry, texts) {
  const scratch = new Game([entry.moved.map((held) => ({ held }))]);
  scratch.begin();
  texts.forEach((text, place) => {
    const token = typeof text === "string" ? entry.keys.indexOf(text) : -1;
    if (token > 0) put(scratch, { ...entry, number: 0 }, place, token);
  });
  return scratch.marks[0];
}

/** Whether a board has the texts that are moved, each as often as at first. */
function isMoved({ moved, fixed }, held) {
  const tokens = held.map((token, place) => (place in fixed ? moved[place] : token));
  return [...moved].sort().join(" ") === tokens.sort().join(" ");
}

/** The inverse of `boardOf` for a board of another puzzle with the same places; null if not. */
export function fittingMarks(entries, blanks, boards) {
  const count = entries.length;
  const fits =
    boards.length === count && boards.every((b, n) => b.held.length === entries[n].count);
  if (!fits) return null;
  return entries.map((entry, number) => {
    const { held, crossed, notes, centre = {} } = boards[number];
    if (entry.moved && !isMoved(entry, held)) return blanks[number];
    const crosses = new Set(crossed);
    return blanks[number].map((blank, place) => {
      if (place in entry.fixed) return blank;
      const token = held[place];
      const allowed = entry.free
        ? typeof token === "string"
        : entry.kind === "pieces" || choices(entry, place).includes(token);
      return {
        held: allowed ? token : blank.held,
        ...(crosses.has(place) && { crossed: true }),
        ...(notes[place] && { notes: notes[place] }),
        ...(centre[place] && { centre: centre[place] }),
      };
    });
  });
}

/** The marks of an entry as other scripts have them. */
export function boardOf(marks) {
  const board = { held: [], crossed: [], notes: {}, centre: {} };
  marks.forEach((mark, place) => {
    board.held.push(mark.held);
    if (mark.crossed) board.crossed.push(place);
    if (mark.notes) board.notes[place] = mark.notes;
    if (mark.centre) board.centre[place] = mark.centre;
  });
  return board;
}
