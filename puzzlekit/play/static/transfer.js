// A game as a file, and a board as a link.
import { dense, sparse } from "./game.js";

const FORMAT = "puzzlekit game";

/** A game as the text of a file. */
export function gameText(puzzle, header, steps) {
  const game = { format: FORMAT, puzzle: puzzle.id, title: puzzle.title, ...header, steps };
  return JSON.stringify(game);
}

/**
 * The game of a file.
 *
 * @returns {{header: any, steps: any[]}}
 * @throws {Error} The file is no game, or that of another puzzle.
 */
export function gameOf(text, puzzle, blanks) {
  let game;
  try {
    game = JSON.parse(text);
  } catch {
    throw new Error("This file is no game.");
  }
  if (game?.format !== FORMAT) throw new Error("This file is no game.");
  if (game.puzzle !== puzzle.id)
    throw new Error(`This file has a game of another puzzle: ${String(game.title).slice(0, 80)}.`);
  if (!isSound(game, blanks)) throw new Error("This file has a damaged game.");
  const { steps, ...header } = game;
  return { header, steps };
}

/** Whether all marks of a game stand at places of this board. */
export function isSound({ base, steps, done, trials }, blanks) {
  const isMark = (mark, blank) => typeof mark?.held === typeof blank.held;
  const isDelta = ([entry, place, before, after]) => {
    const blank = blanks[entry]?.[place];
    return blank && isMark(before, blank) && isMark(after, blank);
  };
  try {
    const isCounted = Number.isInteger(done) && done >= 0 && done <= steps.length;
    return (
      isCounted &&
      Array.isArray(trials) &&
      Boolean(dense(blanks, base)) &&
      steps.every((step) => step.every(isDelta))
    );
  } catch {
    return false;
  }
}

/** A board as a part of an address. */
export function linkOf(puzzle, blanks, marks) {
  const json = JSON.stringify([puzzle.id, sparse(blanks, marks)]);
  const bytes = new TextEncoder().encode(json);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `game=${btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** The puzzle's id and the marks that differ from a blank board, in an address; else nothing. */
function linked(hash) {
  const [, text] = /^#?game=([\w-]+)$/.exec(hash) ?? [];
  if (!text) return [];
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const [id, different] = JSON.parse(new TextDecoder().decode(bytes));
    return [id, different];
  } catch {
    return [];
  }
}

/** The id of the puzzle whose board is in an address; undefined if there is none. */
export function puzzleOfLink(hash) {
  const [id] = linked(hash);
  return id;
}

/** The marks of a board in an address; null if there is none of this puzzle. */
export function boardOfLink(hash, puzzle, blanks) {
  const [id, different] = linked(hash);
  if (id !== puzzle.id) return null;
  try {
    return dense(blanks, different);
  } catch {
    return null;
  }
}

/** Let the browser save a text as a file. */
export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
