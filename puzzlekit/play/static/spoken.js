// The board as a grid for the keyboard and for screen readers. A label is worked out when its cell
// gets the focus; the others follow when the page is idle.
import { CROSS, stateOf } from "./entering.js";
import { between, isOpen } from "./entries.js";
import { shape } from "./elements.js";
import { travel } from "./geometry.js";

/** The ways that keys go, as [down, right], by name. */
export const WAYS = {
  up: [-1, 0],
  down: [1, 0],
  left: [0, -1],
  right: [0, 1],
  "up left": [-1, -1],
  "up right": [-1, 1],
  "down left": [1, -1],
  "down right": [1, 1],
};
const LARGE = 600; // stops of a board of which only some rows are there
const AROUND_CURSOR = 4; // rows on each side of the cursor
const AROUND = {
  "-1,-1": "at the upper left",
  "-1,1": "at the upper right",
  "1,-1": "at the lower left",
  "1,1": "at the lower right",
};

const isCell = ([row, column]) => row % 2 === 0 && column % 2 === 0;

function whereLabel([row, column]) {
  if (isCell([row, column])) return `row ${row / 2}, column ${column / 2}`;
  return `corner ${(row + 1) / 2}, ${(column + 1) / 2}`;
}

export class SpokenBoard {
  /**
   * @param {any} puzzle
   * @param {import("./game.js").Game} game
   * @param {(row: number, column: number) => string} clueAt
   */
  constructor(puzzle, game, clueAt) {
    this.puzzle = puzzle;
    this.game = game;
    this.clueAt = clueAt;
    this.size = puzzle.cell;
    this.inCells = puzzle.scenes.map(({ cells, said }) => {
      return new Map(
        cells.map(([row, column], number) => [`${row},${column}`, said.cells[number]]),
      );
    });
  }

  /** All that can be known of a stop. */
  label(entry, stop) {
    const at = entry.stops[stop];
    const where = whereLabel(at);
    if (entry.kind === "clues")
      return `${where}: clue ${this.clueAt(at[0] / 2, at[1] / 2) || "none"}`;
    const state = isOpen(entry, stop) ? this.#state(entry, stop) : "";
    const given = this.#given(entry.scene, at).flatMap((text) => text?.split("; ") ?? []);
    const texts = [state, ...given].filter((text) => text && `${text}, given` !== state);
    return `${where}: ${texts.join("; ")}`;
  }

  /** What the picture shows there. */
  #given(scene, at) {
    const { said } = this.puzzle.scenes[scene];
    const cells = this.inCells[scene];
    const [row, column] = at;
    if (isCell(at)) {
      const above = said.columns[column / 2];
      return [cells.get(`${row},${column}`), said.rows[row / 2], above && `column: ${above}`];
    }
    return Object.entries(AROUND).map(([way, where]) => {
      const [down, right] = way.split(",").map(Number);
      const text = cells.get(`${row + down},${column + right}`);
      return text && `${text} ${where}`;
    });
  }

  #state(entry, stop) {
    const mark = this.game.marks[entry.number]?.[stop];
    if (entry.kind === "cells") return this.#cellState(entry, stop, mark);
    if (entry.kind === "pieces") return mark.held ? `piece ${mark.held}` : "in no piece";
    if (entry.kind === "colours") return mark.held ? `colour ${mark.held}` : "no colour";
    if (entry.kind === "paths") return this.#pathState(entry, stop);
    /** @type {Map<number, string>} */
    const lines = new Map();
    for (const [name, way] of Object.entries(WAYS)) {
      const to = travel(entry.stops, entry.stopIndex, stop, way, this.size);
      const link = to === stop ? -1 : between(entry, stop, to, this.size);
      const state = link < 0 ? 0 : stateOf(this.game, entry, link);
      const drawn = state === CROSS ? "cross" : Number(state) > 1 ? "double line" : "line";
      if (state && !lines.has(link)) lines.set(link, `${drawn} ${name}`);
    }
    return [...lines.values()].join(", ") || "nothing drawn";
  }

  #pathState(entry, stop) {
    const count = this.game.marks[entry.number].filter(
      ({ held }, place) => held && entry.places[place].includes(stop),
    ).length;
    return count ? "in a marked word" : "in no marked word";
  }

  #cellState(entry, stop, mark) {
    const { held, crossed, notes = [], centre = [] } = mark;
    const token = crossed
      ? "crossed"
      : !held
        ? "empty"
        : entry.free
          ? held
          : tokenLabel(entry.tokens[held]);
    const given = stop in entry.fixed ? ", given" : "";
    const small = [...notes, ...centre];
    return `${token}${given}${small.length && !held ? `, notes ${small.join(" ")}` : ""}`;
  }
}

/** The stops of each row, from left to right. */
function rowsOf(stops) {
  const rows = new Map();
  stops.forEach(([row], stop) => rows.set(row, [...(rows.get(row) ?? []), stop]));
  const order = (a, b) => stops[a][1] - stops[b][1];
  return [...rows].sort(([a], [b]) => a - b).map(([, numbers]) => numbers.sort(order));
}

function tokenLabel(token) {
  const texts = token.map(([kind, text]) => {
    if (kind === "shade") return "shaded";
    if (kind === "diagonal") return text === "1" ? "\\" : "/";
    return text.replaceAll("_", " ");
  });
  return texts.join(" ");
}

/**
 * The grid of one board: rows of cells with labels. Of a large board there are only the rows around the
 * cursor, as each cell takes time whenever the board is painted; all rows keep their numbers.
 */
export class Grid {
  constructor(board, painter, spoken, title) {
    this.board = board;
    this.painter = painter;
    this.spoken = spoken;
    this.layer = shape("g", { class: "grid", role: "grid", "aria-label": title }, board);
    this.halo = shape("g", { class: "halo", "aria-hidden": "true" });
    this.layer.before(this.halo); // around the cursor, which is seen on dark cells too
    this.entry = null;
    /** @type {SVGElement[]} By the number of the stop. */
    this.cells = [];
    /** @type {number[][]} The stops of each row. */
    this.rows = [];
    /** @type {Map<number, SVGElement>} The rows that are there, by their place in `rows`. */
    this.groups = new Map();
    /** @type {Set<number>} Stops whose labels are old. */
    this.old = new Set();
    this.current = -1;
  }

  /** Show the stops of an entry; null for none. */
  show(entry) {
    if (this.entry === entry) return;
    this.entry = entry;
    for (const part of this.board.children)
      if (part !== this.layer) {
        if (entry) part.setAttribute("aria-hidden", "true");
        else part.removeAttribute("aria-hidden");
      }
    this.layer.replaceChildren();
    this.cells = [];
    this.groups.clear();
    this.old.clear();
    this.rows = entry ? rowsOf(entry.stops) : [];
    this.current = -1;
    if (!this.rows.length) return;
    const { stops } = entry;
    const isWhole =
      stops.every(([row, column]) => row % 2 === 0 && column % 2 === 0) ||
      stops.every(([row, column]) => row % 2 && column % 2);
    this.index = (at) => (isWhole ? Math.ceil(at / 2) : at + 1); // of a row or column, from 1
    const last = (numbers) => String(this.index(Math.max(...numbers)));
    this.layer.setAttribute("aria-rowcount", last(stops.map(([row]) => row)));
    this.layer.setAttribute("aria-colcount", last(stops.map(([, column]) => column)));
    this.#uncover(0);
  }

  /** Make the rows that are there those around a stop. */
  #uncover(stop) {
    const at = this.rows.findIndex((row) => row.includes(stop));
    const isLarge = this.entry.stops.length > LARGE;
    const isNear = (number) => !isLarge || Math.abs(number - at) <= AROUND_CURSOR;
    for (const [number, group] of this.groups)
      if (!isNear(number)) {
        group.remove();
        this.groups.delete(number);
        for (const each of this.rows[number]) {
          delete this.cells[each];
          this.old.delete(each);
        }
      }
    this.rows.forEach((row, number) => {
      if (isNear(number) && !this.groups.has(number)) this.groups.set(number, this.#row(row));
    });
    const groups = [...this.groups].sort(([a], [b]) => a - b).map(([, group]) => group);
    const isOrdered = groups.every((group, number) => this.layer.children[number] === group);
    if (!isOrdered) this.layer.replaceChildren(...groups);
  }

  /** A row with its cells. */
  #row(numbers) {
    const { entry, index } = this;
    const [row] = entry.stops[numbers[0]];
    const name = { "aria-label": `row ${index(row)}`, "aria-rowindex": index(row) };
    const group = shape("g", { role: "row", ...name });
    for (const stop of numbers) {
      const [, column] = entry.stops[stop];
      const [shapeName, attributes] = this.#ring(entry, stop);
      const numbered = { "data-stop": stop, "aria-colindex": index(column) };
      const cell = { ...attributes, role: "gridcell", tabindex: -1, ...numbered };
      this.cells[stop] = shape(shapeName, cell, group);
      this.old.add(stop);
    }
    return group;
  }

  /** Note that something else stands at a place of an entry. */
  changed(entry, place, size) {
    if (this.entry !== entry) return;
    if (entry.kind === "lines") {
      const at = entry.places[place];
      for (const [row, column] of [at.slice(0, 2), at.slice(4, 6)])
        this.old.add(entry.nodes.get(`${row},${column}`).number);
    } else if (entry.kind === "sides") {
      const [, , x, y] = entry.places[place];
      for (const stop of entry.stopIndex.around(x, y, size)) this.old.add(stop);
    } else if (entry.kind === "paths") for (const cell of entry.places[place]) this.old.add(cell);
    else this.old.add(place);
  }

  /** Label one stop whose label is old. Returns whether there are others. */
  labelNext() {
    const [stop] = this.old;
    if (stop === undefined) return false;
    this.relabel(stop);
    return this.old.size > 0;
  }

  relabel(stop) {
    this.old.delete(stop);
    const cell = this.cells[stop];
    if (!cell || !this.entry) return;
    const { entry } = this;
    cell.setAttribute("aria-label", this.spoken.label(entry, stop));
    const isRead = !isOpen(entry, stop) || (entry.kind === "cells" && stop in entry.fixed);
    cell.setAttribute("aria-readonly", String(isRead));
  }

  /** Mark the stop of the cursor, which Tab reaches: the first one, where there is no cursor. */
  cursor(stop) {
    const reached = Math.max(0, stop);
    if (this.rows.length && (!this.cells[reached] || this.current !== reached))
      this.#uncover(reached);
    if (this.current !== reached) this.cells[this.current]?.setAttribute("tabindex", "-1");
    this.cells[this.current]?.classList.remove("cursor");
    this.current = reached;
    const cell = this.cells[reached];
    cell?.setAttribute("tabindex", "0");
    cell?.classList.toggle("cursor", stop >= 0);
    this.#drawHalo(stop);
    if (this.old.has(reached)) this.relabel(reached);
  }

  #drawHalo(stop) {
    this.halo.replaceChildren();
    if (stop < 0 || !this.cells[stop]) return;
    const [name, attributes] = this.#ring(this.entry, stop);
    shape(name, attributes, this.halo);
  }

  /** The outline of a stop: small at the ends of lines. */
  #ring(entry, stop) {
    const [row, , x, y] = entry.stops[stop];
    const inset = entry.kind === "lines" && row % 2 ? 0.5 : 1;
    return this.painter.ring(entry.scene, x, y, inset);
  }

  focus(stop) {
    this.relabel(stop);
    this.cells[stop]?.focus({ preventScroll: true });
  }
}
