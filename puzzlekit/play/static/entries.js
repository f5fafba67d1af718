// What a player may enter: the data of a page with what follows from it. Nothing here needs a
// browser.
import { PointIndex } from "./geometry.js";

const COLOURS = 6;
const GRID = 12; // values of a line of a grid of labels, at most

/** The text of a token as it is shown, without its type. */
export const plain = (key) => key.replace(/^\w+:/, "");

/** All entries of a puzzle, prepared: the last is that of colours, which no solution has. */
export function preparedEntries(puzzle) {
  const entries = puzzle.entries.map((entry, number) => prepared(puzzle, entry, number));
  const scene = Math.max(0, ...entries.filter(({ kind }) => kind !== "words").map((e) => e.scene));
  const cells = puzzle.scenes[entries[0]?.scene >= 0 ? entries[0].scene : scene]?.cells ?? [];
  const where = entries[0]?.scene >= 0 ? entries[0].scene : scene;
  entries.push(coloursEntry(puzzle, where, cells, entries.length));
  return entries;
}

function coloursEntry(puzzle, scene, cells, number) {
  const tokens = [[]];
  for (let colour = 1; colour <= COLOURS; colour++) tokens.push([["colour", String(colour)]]);
  const keys = tokens.map((_, colour) => (colour ? `colour:${colour}` : ""));
  const entry = { name: "colours", kind: "colours", scene, places: cells, tokens, keys };
  return { ...prepared(puzzle, entry, number), crossed: false, dotted: false };
}

function prepared(puzzle, data, number) {
  const entry = { ...data, number, count: data.places.length, fixed: data.fixed ?? {} };
  const linked = (data.linked ?? []).flatMap((group) => group.map(([place]) => [place, group]));
  entry.linked = new Map(linked); // places that show the same unknown
  entry.texts = data.tokens.map(tokenText);
  entry.labels = data.tokens.map(labelOf);
  const written = entry.texts.filter((text) => text).length;
  addManner(entry, written);
  addGeometry(puzzle, entry);
  return entry;
}

/** How an entry is entered: typed, turned by clicks, with crosses. */
function addManner(entry, written) {
  // texts that are only moved are neither typed nor crossed out
  entry.typed = entry.kind === "cells" && !entry.moved && (Boolean(entry.free) || written > 2);
  entry.spelt = entry.free || entry.texts.some((text) => /^\p{L}$/u.test(text));
  const useful = entry.open?.flatMap((tokens, place) => (place in entry.fixed ? [] : tokens));
  entry.useful = new Set(useful ?? entry.tokens.keys()); // tokens that may be entered somewhere
  // whether a place may stay empty, so that a cross says something
  const crossable = !entry.free && !entry.moved && !["pieces", "paths"].includes(entry.kind);
  entry.crossed = crossable && entry.useful.has(0);
  entry.dotted = entry.crossed && !entry.typed && entry.kind !== "words";
  const onlyMark = entry.tokens.length === 2 && entry.tokens[1].every(([kind]) => kind !== "shade");
  entry.single = entry.kind === "cells" && entry.dotted && onlyMark; // as a lamp, that stands alone
}

function addGeometry(puzzle, entry) {
  const size = puzzle.cell;
  if (entry.kind === "lines") addNodes(entry, size);
  else if (entry.kind === "paths") addPaths(puzzle, entry, size);
  else if (entry.kind === "words") entry.table = tableOf(entry);
  else
    entry.index = new PointIndex(
      entry.places.map(([, , x, y]) => [x, y]),
      size,
    );
  addStops(puzzle, entry, size);
}

const tokenText = (token) =>
  token.flatMap(([kind, text]) => (kind === "text" || kind === "corner" ? [text] : [])).join("");

/** What stands on the key of a token, and in its notes. */
const labelOf = (token) =>
  token.map(([kind, content]) => (kind === "shade" ? "■" : content)).join(" ");

function addNodes(entry, size) {
  /** @type {Map<string, any>} */
  entry.nodes = new Map();
  entry.places.forEach((place, link) => {
    for (const [row, column, x, y] of [place.slice(0, 4), place.slice(4)]) {
      const key = `${row},${column}`;
      if (!entry.nodes.has(key))
        entry.nodes.set(key, { key, number: entry.nodes.size, at: [row, column], x, y, links: [] });
      entry.nodes.get(key).links.push(link);
    }
  });
  entry.nodeList = [...entry.nodes.values()];
  const points = entry.nodeList.map(({ x, y }) => [x, y]);
  entry.index = new PointIndex(points, size);
}

/** The cells of each path, and the paths by their cells. */
function addPaths(puzzle, entry, size) {
  entry.cells = puzzle.scenes[entry.scene].cells;
  const points = entry.cells.map(([, , x, y]) => [x, y]);
  entry.index = new PointIndex(points, size);
  entry.byCells = new Map();
  entry.places.forEach((cells, place) => {
    for (const key of [cells.join(" "), [...cells].reverse().join(" "), setKey(cells)])
      if (!entry.byCells.has(key)) entry.byCells.set(key, place);
  });
}

export const setKey = (cells) => `{${[...cells].sort((a, b) => a - b).join(" ")}}`;

/** The labels and values of a grid of crosses and ticks, if an entry in words can be one. */
function tableOf(entry) {
  if (entry.free || entry.places.length < 2) return null;
  const values = entry.texts.map((text, token) => [text, token]).filter(([text]) => text);
  const used = values.filter(([, token]) => entry.useful.has(token));
  return used.length <= GRID ? used : null;
}

/** Where the cursor may stand, as [row, column, x, y]: cells that are only read come last. */
function addStops(puzzle, entry, size) {
  const cells = puzzle.scenes[entry.scene]?.cells ?? [];
  if (entry.kind === "lines")
    entry.stops = entry.nodeList.map((node) => [...node.at, node.x, node.y]);
  else if (entry.kind === "sides" || entry.kind === "paths") entry.stops = cells;
  else if (entry.kind === "words") entry.stops = [];
  else {
    const places = new Set(entry.places.map(([row, column]) => `${row},${column}`));
    const others = cells.filter(([row, column]) => !places.has(`${row},${column}`));
    entry.stops = [...entry.places, ...others];
  }
  const points = entry.stops.map(([, , x, y]) => [x, y]);
  entry.stopIndex = new PointIndex(points, size);
}

/** What stands at each place of an empty board. */
export function blankMarks(entry) {
  return Array.from({ length: entry.count }, (_, place) => {
    if (entry.free) return { held: place in entry.fixed ? plain(entry.fixed[place]) : "" };
    if (entry.moved) return { held: entry.moved[place] };
    if (entry.kind === "pieces" || !(place in entry.fixed)) return { held: 0 };
    return { held: Math.max(0, entry.keys.indexOf(entry.fixed[place])) };
  });
}

/** The numbers of the tokens that may stand at a place. */
export const choices = (entry, place) =>
  entry.open?.[place] ?? entry.tokens.map((_, token) => token);

/** Whether something may be entered at a stop of the cursor. */
export const isOpen = (entry, stop) =>
  ["lines", "sides", "clues", "paths"].includes(entry.kind) || stop < entry.count;

/** The node at the other end of a link. */
export function farNode(entry, link, node) {
  const place = entry.places[link];
  const near = `${place[0]},${place[1]}` === node.key;
  return entry.nodes.get(near ? `${place[4]},${place[5]}` : `${place[0]},${place[1]}`);
}

/** The nearest node of lines; null if none is closer than `reach`. */
export function nodeAt(entry, x, y, reach) {
  const number = entry.index.nearest(x, y, reach);
  return number < 0 ? null : entry.nodeList[number];
}

/** The link or the side between two stops; -1 if there is none. */
export function between(entry, from, to, size) {
  const [a, b] = [entry.stops[from], entry.stops[to]];
  if (entry.kind === "lines") {
    const node = entry.nodes.get(`${a[0]},${a[1]}`);
    const goal = `${b[0]},${b[1]}`;
    return node.links.find((link) => farNode(entry, link, node).key === goal) ?? -1;
  }
  return entry.index.nearest((a[2] + b[2]) / 2, (a[3] + b[3]) / 2, size * 0.3);
}
