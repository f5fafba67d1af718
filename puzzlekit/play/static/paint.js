// Draws what is entered, place by place: a change draws the places that changed and no other.
import { lineShape, shape } from "./elements.js";
import { components } from "./geometry.js";
import { noteTexts } from "./notes.js";

const BANDS = 6; // colours of paths
const SIDES = [
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
];

export class Painter {
  /**
   * @param {any} puzzle
   * @param {any[]} entries
   * @param {SVGElement[]} boards
   * @param {import("./game.js").Game} game
   */
  constructor(puzzle, entries, boards, game) {
    this.puzzle = puzzle;
    this.entries = entries;
    this.game = game;
    this.size = puzzle.cell;
    /** @type {Map<string, SVGElement[]>} What is drawn for each place. */
    this.shapes = new Map();
    this.layers = boards.map((board, scene) => new Layers(board, entries, scene));
    /** @type {Map<string, number>} The colours of the bands through paths that are drawn. */
    this.bands = new Map();
    /** @type {string[] | null} The classes of lines by connected part, or null. */
    this.parts = null;
    /** @type {SVGElement[]} Notes that something hides. */
    this.hidden = [];
    this.cellNumbers = entries.map(numbersByCell);
  }

  all() {
    for (const entry of this.entries)
      if (entry.scene >= 0) entry.places.forEach((_, place) => this.place(entry.number, place));
  }

  /** Draw a place anew; of pieces, also the seams of the cells around. */
  changed(number, place) {
    const entry = this.entries[number];
    if (!entry || entry.scene < 0) return;
    this.place(number, place);
    if (entry.kind === "pieces")
      for (const neighbour of this.#around(entry, place)) this.place(number, neighbour);
  }

  #around(entry, place) {
    const [row, column] = entry.places[place];
    const cells = this.cellNumbers[entry.number];
    return SIDES.map(([down, right]) =>
      cells.get(`${row + 2 * down},${column + 2 * right}`),
    ).filter((neighbour) => neighbour !== undefined);
  }

  place(number, place) {
    const key = `${number} ${place}`;
    for (const drawn of this.shapes.get(key) ?? []) drawn.remove();
    const entry = this.entries[number];
    const mark = this.game.at(number, place);
    const layers = this.layers[entry.scene];
    const pen = { entry, place, layers, shapes: [], extra: "" };
    if (this.game.isTried(number, place)) pen.extra = " trial";
    if (entry.kind === "pieces") this.#piece(pen, mark.held);
    else if (entry.kind === "paths") this.#path(pen, mark.held);
    else if (mark.held && !entry.shown?.includes(place)) this.#held(pen, mark.held);
    if (mark.crossed && entry.kind !== "paths") this.#cross(pen);
    if (!mark.held) this.#notes(pen, mark);
    for (const drawn of pen.shapes) drawn.setAttribute("data-at", key);
    if (pen.shapes.length) this.shapes.set(key, pen.shapes);
    else this.shapes.delete(key);
    this.#texts(entry, place, mark.held);
  }

  /** Show given texts on shaded cells in a colour that can be read. */
  #texts(entry, place, held) {
    if (entry.kind !== "cells" || entry.free) return;
    const [row, column] = entry.places[place];
    const isFull = ([kind, tone]) => kind === "shade" && tone === "full";
    const isDark = held && !(place in entry.fixed) && entry.tokens[held].some(isFull);
    this.layers[entry.scene].darken(`r${row / 2}c${column / 2}`, entry.number, Boolean(isDark));
  }

  #held(pen, held) {
    const { entry } = pen;
    const token = entry.free ? [["text", held]] : entry.tokens[held];
    for (const [kind, content] of token) this.#token(pen, token, kind, content);
  }

  #token(pen, token, kind, content) {
    const { entry, place, extra, layers } = pen;
    const [row, column, x, y] = entry.places[place];
    const { size } = this;
    if (kind === "shade") {
      const className = (content === "full" ? "full-found" : content) + extra;
      this.#ring(pen, layers.below(entry), x, y, 0.88, className);
    } else if (kind === "colour") {
      const isFilled = Boolean(layers.fillAt(entry.places[place]));
      const [inset, frame] = isFilled ? [0.84, " frame"] : [1, ""]; // around what is given there
      this.#ring(pen, layers.tints, x, y, inset, `tint tint-${content}${frame}`);
    } else if (kind === "sign") {
      const wide = size * (row % 2 === 0 && column % 2 === 0 ? 1 : 0.5);
      const transform = `translate(${x} ${y}) scale(${wide})`;
      const attributes = { href: `#sign-${content}`, transform, class: extra };
      pen.shapes.push(shape("use", attributes, layers.over(entry)));
    } else if (kind === "text" || kind === "corner") this.#text(pen, token, kind, content);
    else if (kind === "diagonal") {
      const half = size / 2;
      const turn = content === "1" ? half : -half;
      this.#line(pen, layers.over(entry), [x - half, y - turn, x + half, y + turn], size / 13);
    } else if (kind === "side") this.#line(pen, layers.over(entry), entry.ends[place], size / 11);
    else if (kind === "line") this.#lines(pen, Number(content));
  }

  #line(pen, layer, ends, width) {
    pen.shapes.push(lineShape(layer, `side found${pen.extra}`, ends, width));
  }

  #text(pen, token, kind, text) {
    const { entry, place, extra, layers } = pen;
    const [, , x, y] = entry.places[place];
    const { size } = this;
    const isCorner = kind === "corner";
    const isShaded = token.some(([type]) => type === "shade");
    const fill = isShaded ? "full-found" : layers.fillAt(entry.places[place]);
    const low = this.puzzle.scenes[entry.scene].low ? 0.08 : 0; // below a clue in the corner
    const fitting = Math.min(low ? 0.46 : 0.55, 1.4 / Math.max(1, [...text].length));
    const height = size * (isCorner ? 0.28 : fitting);
    const attributes = {
      class: `letter ${isCorner ? "corner " : ""}found${onFill(fill)}${extra}`,
      x: isCorner ? x - size * 0.42 : x,
      y: isCorner ? y - size * 0.22 : y + size * low + height * 0.35,
      "font-size": height,
    };
    pen.shapes.push(shape("text", attributes, layers.over(entry), text));
  }

  #lines(pen, count) {
    const { entry, place, extra, layers } = pen;
    const [, , a, b, , , c, d] = entry.places[place];
    const { size } = this;
    const length = Math.hypot(c - a, d - b);
    // below a text at an end; else with a light rim, which shows a line on dark signs
    const isLow = layers.hasText(entry.places[place]);
    const part = this.parts ? ` ${this.parts[place]}` : "";
    for (let k = 0; k < count; k++) {
      const aside = ((k - (count - 1) / 2) * size) / 6 / length;
      const [right, down] = [-(d - b) * aside, (c - a) * aside];
      const ends = [a + right, b + down, c + right, d + down];
      if (!isLow) pen.shapes.push(lineShape(layers.casings, "casing", ends, size / 6));
      const layer = isLow ? layers.below(entry) : layers.over(entry);
      pen.shapes.push(lineShape(layer, `side found${extra}${part}`, ends, size / 11));
    }
  }

  #cross(pen) {
    const { entry, place, extra, layers } = pen;
    const at = entry.places[place];
    const isLine = entry.kind === "lines";
    const [x, y] = isLine ? [(at[2] + at[6]) / 2, (at[3] + at[7]) / 2] : [at[2], at[3]];
    const over = layers.over(entry);
    if (entry.kind === "cells") {
      const on = onFill(layers.fillAt(at));
      const attributes = { class: `dot cross${on}${extra}`, cx: x, cy: y, r: this.size * 0.08 };
      pen.shapes.push(shape("circle", attributes, over));
      return;
    }
    const arm = this.size * 0.1;
    const d = `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`;
    const casing = { class: "casing", d, "stroke-width": this.size * 0.12 };
    const cross = { class: `cross${extra}`, d, "stroke-width": this.size / 24 };
    pen.shapes.push(shape("path", casing, over), shape("path", cross, over));
  }

  #notes(pen, mark) {
    if (!mark.notes && !mark.centre) return;
    const { entry, place, layers } = pen;
    const [, , x, y] = entry.places[place];
    const { size } = this;
    const corner = entry.tokens.some((token) => token.some(([kind]) => kind === "corner"));
    const { low } = this.puzzle.scenes[entry.scene];
    for (const [text, right, down, high] of noteTexts(entry.labels.slice(1), mark, {
      low,
      corner,
    })) {
      const at = { x: x + right * size, y: y + (down + high * 0.36) * size };
      const name = `letter note${onFill(layers.fillAt(entry.places[place]))}`;
      const attributes = { class: name, ...at, "font-size": high * size };
      pen.shapes.push(shape("text", attributes, layers.over(entry), text));
    }
  }

  #piece(pen, piece) {
    const { entry, place, layers } = pen;
    const [row, column, x, y] = entry.places[place];
    layers.onPiece(`r${row / 2}c${column / 2}`, Boolean(piece));
    if (!piece) return;
    this.#ring(pen, layers.below(entry), x, y, 1, `cell region-${Number(piece) % 12}`);
    if (this.puzzle.scenes[entry.scene].rings) return;
    const half = this.size / 2;
    for (const [down, right] of SIDES) {
      const cells = this.cellNumbers[entry.number];
      const neighbour = cells.get(`${row + 2 * down},${column + 2 * right}`);
      if (neighbour !== undefined && this.game.at(entry.number, neighbour).held === piece) continue;
      const [middleX, middleY] = [x + right * half, y + down * half];
      const [wide, high] = [down * half, right * half];
      const ends = [middleX - wide, middleY - high, middleX + wide, middleY + high];
      pen.shapes.push(lineShape(layers.over(entry), "seam", ends, this.size / 16));
    }
  }

  /** A band through the cells of a path. */
  #path(pen, held) {
    const { entry, place, layers } = pen;
    if (!held) return void this.bands.delete(`${entry.number} ${place}`);
    const points = entry.places[place].map((cell) => entry.cells[cell].slice(2, 4).join(","));
    const width = this.size * 0.7;
    const className = `band band-${this.#bandOf(entry, place)}${pen.extra}`;
    const attributes = { class: className, points: points.join(" "), "stroke-width": width };
    pen.shapes.push(shape("polyline", attributes, layers.tints));
  }

  /** The colour of a band: the one that the fewest bands have. */
  #bandOf(entry, place) {
    const key = `${entry.number} ${place}`;
    const counts = Array(BANDS).fill(0);
    for (const colour of this.bands.values()) counts[colour]++;
    if (!this.bands.has(key)) this.bands.set(key, counts.indexOf(Math.min(...counts)));
    return this.bands.get(key);
  }

  #ring(pen, layer, x, y, inset, className) {
    const [name, attributes] = this.ring(pen.entry.scene, x, y, inset);
    pen.shapes.push(shape(name, { ...attributes, class: className }, layer));
  }

  /**
   * The name and attributes of the outline of a cell.
   *
   * @returns {[string, any]}
   */
  ring(scene, x, y, inset) {
    const { rings, cells } = this.puzzle.scenes[scene];
    const number = rings ? cells.findIndex((cell) => cell[2] === x && cell[3] === y) : -1;
    if (number >= 0) {
      const points = [];
      for (let k = 0; k < rings[number].length; k += 2) {
        const [px, py] = [rings[number][k], rings[number][k + 1]];
        points.push(`${x + (px - x) * inset},${y + (py - y) * inset}`);
      }
      return ["polygon", { points: points.join(" ") }];
    }
    const half = (this.size * inset) / 2;
    const corner = inset < 1 ? this.size * 0.06 : 0;
    return ["rect", { x: x - half, y: y - half, width: 2 * half, height: 2 * half, rx: corner }];
  }

  /** Outline places: those of broken rules, of an explanation, of the selection. */
  outlines(name, outlines) {
    for (const layers of this.layers) {
      layers.layer(name).replaceChildren();
      layers.rims.get(name)?.replaceChildren();
    }
    for (const { scene, x, y, className, inset = 0.94, ends } of outlines) {
      const layer = this.layers[scene]?.layer(name);
      if (!layer) continue;
      const rims = this.layers[scene].rims.get(name);
      if (ends && rims) lineShape(rims, className, ends, this.size / 3);
      else {
        const [shapeName, attributes] = this.ring(scene, x, y, inset);
        shape(shapeName, { ...attributes, class: className }, layer);
      }
    }
  }

  /** Draw a text where the pointer carries it. */
  carry(entry, text, [x, y]) {
    const layer = this.layers[entry.scene].layer("traced");
    const size = this.size * 0.6;
    shape(
      "text",
      { class: "letter carried", x, y: y - size * 0.2, "font-size": size },
      layer,
      text,
    );
  }

  /** Draw shapes over the boards. In a cell where something is entered they have no pencil marks; in
   * others, their pencil marks take the place of notes. */
  overlay(drawn) {
    for (const hidden of this.hidden) hidden.classList.remove("behind");
    this.hidden = [];
    this.layers.forEach((layers, scene) => {
      const shapes = [...(drawn[scene]?.children ?? [])];
      layers
        .layer("lit")
        .replaceChildren(...shapes.filter((each) => this.#isUncovered(scene, each)));
    });
  }

  /** Whether the shapes for a cell can be seen; notes that are there are hidden then. */
  #isUncovered(scene, shapes) {
    const name = shapes.getAttribute("data-cell");
    if (!name) return true;
    const [row, column] = name.slice(1).split("c").map(Number);
    for (const { number, kind, scene: own } of this.entries) {
      if (kind !== "cells" || own !== scene) continue;
      const place = this.cellNumbers[number].get(`${2 * row},${2 * column}`);
      if (place === undefined) continue;
      if (this.game.at(number, place).held) return false;
      const notes = (this.shapes.get(`${number} ${place}`) ?? []).filter((each) =>
        each.classList.contains("note"),
      );
      for (const note of notes) note.classList.add("behind");
      this.hidden.push(...notes);
    }
    return true;
  }

  /** Let squares of the first board glow. */
  glow(squares) {
    const layer = this.layers[0]?.layer("glow");
    layer?.replaceChildren();
    for (const [x, y, width] of squares) {
      const box = { x: x - width / 2, y: y - width / 2, width, height: width, rx: 4 };
      shape("rect", { ...box, class: "glow" }, layer);
    }
  }

  /** Give the lines of each connected part a colour, or none. */
  colourParts(on) {
    const entry = this.entries.find(({ kind }) => kind === "lines");
    if (!entry || (!on && !this.parts)) return;
    const before = this.parts;
    this.parts = on ? this.#parts(entry) : null;
    entry.places.forEach((_, link) => {
      const shapes = this.shapes.get(`${entry.number} ${link}`) ?? [];
      const [old, now] = [before?.[link], this.parts?.[link]];
      if (old === now && on) return;
      for (const drawn of shapes) {
        if (!drawn.classList.contains("found")) continue;
        if (old) drawn.classList.remove(old);
        if (now) drawn.classList.add(now);
      }
    });
  }

  #parts(entry) {
    const drawn = this.game.marks[entry.number].map(({ held }) => Boolean(held));
    const ends = entry.places.map((place) => [
      entry.nodes.get(`${place[0]},${place[1]}`).number,
      entry.nodes.get(`${place[4]},${place[5]}`).number,
    ]);
    const roots = components(
      entry.nodeList.length,
      ends.filter((_, link) => drawn[link]),
    );
    return ends.map(([node]) => `part-${roots[node] % 8}`);
  }

  /** The places for which something is drawn, as the page has it. */
  drawn() {
    const places = new Set();
    for (const { board } of this.layers)
      for (const drawn of board.querySelectorAll("[data-at]"))
        places.add(drawn.getAttribute("data-at"));
    return [...places].map((key) => key.split(" ").map(Number));
  }
}

/** The classes of what stands on a given fill. */
const onFill = (fill) => (fill ? ` on on-${fill}` : "");

function numbersByCell(entry) {
  if (entry.kind !== "pieces" && entry.kind !== "cells") return new Map();
  return new Map(entry.places.map(([row, column], place) => [`${row},${column}`, place]));
}

/** The groups of a board, in the order in which they are drawn. */
class Layers {
  constructor(board, entries, scene) {
    this.board = board;
    this.under = shape("g", { class: "below" });
    const cells = [...board.querySelectorAll(":scope > .cell")].at(-1);
    if (cells) cells.after(this.under);
    else board.prepend(this.under);
    const entered = board.querySelector(".entered");
    this.tints = shape("g", {}, this.under);
    this.named = { same: shape("g", {}, this.under), selected: shape("g", {}, this.under) };
    /** @type {Map<string, SVGElement>} What shows below lines, at both sides of them. */
    this.rims = new Map();
    for (const name of ["conflicts", "faulty"]) this.rims.set(name, shape("g", {}, this.under));
    this.casings = shape("g", {}, entered);
    this.belowOf = new Map();
    this.overOf = new Map();
    for (const { number, scene: own } of entries)
      if (own === scene) {
        this.belowOf.set(number, shape("g", {}, this.under));
        this.overOf.set(number, shape("g", {}, entered));
      }
    this.named.traced = shape("g", {}, this.under);
    for (const name of ["conflicts", "faulty", "lit", "glow", "spots"])
      this.named[name] = shape("g", {}, entered);
    this.texts = new Map();
    for (const text of board.querySelectorAll("text[data-cell]")) {
      const { cell } = text.dataset;
      this.texts.set(cell, [...(this.texts.get(cell) ?? []), text]);
    }
    this.fills = new Map();
    for (const cell of board.querySelectorAll(".cell[data-cell]"))
      this.fills.set(cell.dataset.cell, cell.classList[1]);
    this.dark = new Map();
  }

  below(entry) {
    return this.belowOf.get(entry.number);
  }

  over(entry) {
    return this.overOf.get(entry.number);
  }

  layer(name) {
    return this.named[name];
  }

  hasText([a, b, , , c, d]) {
    return this.texts.has(`r${a / 2}c${b / 2}`) || this.texts.has(`r${c / 2}c${d / 2}`);
  }

  /** The class of a given fill of a cell, if it has one. */
  fillAt([row, column]) {
    return this.fills.get(`r${row / 2}c${column / 2}`);
  }

  darken(cell, entry, isDark) {
    const texts = this.texts.get(cell);
    if (!texts) return;
    const entries = this.dark.get(cell) ?? new Set();
    if (isDark) entries.add(entry);
    else entries.delete(entry);
    this.dark.set(cell, entries);
    for (const text of texts) text.classList.toggle("on-entered", entries.size > 0);
  }

  onPiece(cell, isCovered) {
    for (const text of this.texts.get(cell) ?? []) text.classList.toggle("on-piece", isCovered);
  }
}
