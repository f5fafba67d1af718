// One stroke of a pointer on a board, from its begin to its end, as changes of a game. Points are
// coordinates of the board; what lies between two of them is worked out here, so a fast hand loses
// nothing. Nothing here needs a browser.
import {
  CROSS,
  crossAfter,
  erase,
  exchange,
  freshPiece,
  lineAfter,
  nextState,
  setState,
  stateOf,
} from "./entering.js";
import { choices, farNode, nodeAt, setKey } from "./entries.js";
import { route, samples, segmentDistance } from "./geometry.js";

/**
 * What a stroke works with.
 *
 * @typedef {{game: import("./game.js").Game, size: number, entry: any, crossing: boolean,
 *   selection: Set<number>, extend: boolean, colour: number}} Tools
 */

/** Begin a stroke at a point; null where nothing can be entered. */
export function beginStroke(tools, x, y) {
  const { entry } = tools;
  if (entry.kind === "lines") return new LineStroke(tools, x, y);
  if (entry.kind === "paths") return PathStroke.at(tools, x, y);
  const reach = tools.size * (entry.kind === "sides" ? 0.45 : 0.75);
  const place = entry.index.nearest(x, y, reach);
  if (place < 0) return null;
  if (entry.kind === "pieces") return new PieceStroke(tools, x, y, place);
  if (entry.moved) return new MoveStroke(tools, x, y, place);
  if (entry.kind === "clues" || entry.typed) return new SelectStroke(tools, x, y, place);
  if (entry.kind === "colours") return new ColourStroke(tools, x, y, place);
  return new MarkStroke(tools, x, y, place);
}

class Stroke {
  /** @param {Tools} tools */
  constructor(tools, x, y) {
    this.tools = tools;
    this.game = tools.game;
    this.entry = tools.entry;
    this.size = tools.size;
    this.begin = [x, y];
    this.last = [x, y];
    this.moved = false; // whether the pointer has left the point where it began
    this.drawn = false; // whether it has entered anything on its way
    /** @type {number} The stop at which the cursor is put; -1 for none. */
    this.stop = -1;
  }

  /** Go on to a point. */
  move(x, y) {
    const [fromX, fromY] = this.begin;
    if (Math.hypot(x - fromX, y - fromY) > this.size * 0.3) this.moved = true;
    if (this.moved) {
      const from = this.last;
      for (const point of samples(from, [x, y], this.size * 0.2))
        this.pass(point[0], point[1], from, [x, y]);
    }
    this.last = [x, y];
  }

  /** Pass a point on the way. */
  pass(_x, _y, _from, _to) {}

  /** End where the last move led. */
  end() {}

  /** Make a cross: the pointer has stayed where it began. Returns whether that is possible. */
  hold() {
    return false;
  }
}

/** Marks, shades and sides: the place where a stroke begins says what it enters. */
class MarkStroke extends Stroke {
  constructor(tools, x, y, place) {
    super(tools, x, y);
    this.place = place;
    this.before = stateOf(this.game, this.entry, place);
    this.state = tools.crossing
      ? crossAfter(this.game, this.entry, place)
      : nextState(this.game, this.entry, place);
    this.stop = this.entry.kind === "sides" ? this.entry.stopIndex.nearest(x, y, this.size) : place;
    setState(this.game, this.entry, place, this.state);
  }

  pass(x, y) {
    const reach = this.size * (this.entry.kind === "sides" ? 0.3 : 0.5);
    const place = this.entry.index.nearest(x, y, reach);
    if (place < 0 || place === this.place) return;
    if (!this.drawn) this.#become();
    this.drawn = true;
    const stays = this.entry.single && stateOf(this.game, this.entry, place) > 0;
    if (!stays) setState(this.game, this.entry, place, this.state);
    this.place = place;
  }

  /** A click becomes a drag. */
  #become() {
    const { game, entry, before, place } = this;
    if (this.tools.crossing)
      this.state = CROSS; // a drag of crosses never erases
    else if (entry.single) {
      this.state = before === CROSS ? 0 : CROSS; // and leaves the marks that it meets
    }
    setState(game, entry, place, entry.single && before > 0 ? before : this.state);
  }

  hold() {
    if (!this.entry.dotted) return false;
    this.state = this.before === CROSS ? 0 : CROSS;
    setState(this.game, this.entry, this.place, this.state);
    this.drawn = true;
    return true;
  }
}

class ColourStroke extends Stroke {
  constructor(tools, x, y, place) {
    super(tools, x, y);
    const same = this.game.at(this.entry.number, place).held === tools.colour;
    this.colour = same ? 0 : tools.colour;
    this.stop = place;
    this.#paint(place);
  }

  pass(x, y) {
    const place = this.entry.index.nearest(x, y, this.size * 0.5);
    if (place >= 0) this.#paint(place);
  }

  #paint(place) {
    this.game.set(this.entry.number, place, { held: this.colour });
    this.drawn = true;
  }
}

/** Chooses the places that are written to. */
class SelectStroke extends Stroke {
  constructor(tools, x, y, place) {
    super(tools, x, y);
    const { selection, extend } = tools;
    this.removed = extend && selection.has(place) && selection.size > 1;
    if (!extend) selection.clear();
    if (this.removed) selection.delete(place);
    else selection.add(place);
    this.stop = place;
  }

  pass(x, y) {
    const place = this.entry.index.nearest(x, y, this.size * 0.5);
    if (place < 0 || this.entry.kind === "clues") return;
    if (this.removed) this.tools.selection.delete(place);
    else this.tools.selection.add(place);
    this.stop = place;
  }
}

/** Moves a text to another place, which exchanges the two; so do two taps. */
class MoveStroke extends Stroke {
  constructor(tools, x, y, place) {
    super(tools, x, y);
    this.place = place;
    this.stop = place;
  }

  pass(x, y) {
    const place = this.entry.index.nearest(x, y, this.size * 0.5);
    if (place >= 0) this.stop = place;
  }

  end() {
    const { game, entry, place, stop } = this;
    const { selection } = this.tools;
    if (!this.moved) return pick(game, entry, selection, place);
    selection.clear();
    if (stop !== place) exchange(game, entry, place, stop);
  }
}

/** Pick a text up; with one in the hand, exchange the two. */
export function pick(game, entry, selection, place) {
  const [first] = selection;
  selection.clear();
  if (first === undefined) {
    if (!(place in entry.fixed)) selection.add(place);
  } else if (first !== place) exchange(game, entry, first, place);
}

class PieceStroke extends Stroke {
  constructor(tools, x, y, place) {
    super(tools, x, y);
    this.place = place;
    this.stop = place;
    this.before = this.game.at(this.entry.number, place).held;
    this.piece = this.before || freshPiece(this.game, this.entry);
    this.game.set(this.entry.number, place, { held: this.piece });
  }

  pass(x, y) {
    const place = this.entry.index.nearest(x, y, this.size * 0.5);
    if (place < 0) return;
    if (place !== this.place) this.drawn = true;
    this.game.set(this.entry.number, place, { held: this.piece });
  }

  end() {
    const isClick = !this.drawn && this.before;
    if (isClick) this.game.set(this.entry.number, this.place, { held: 0 });
  }
}

class LineStroke extends Stroke {
  constructor(tools, x, y) {
    super(tools, x, y);
    this.node = nodeAt(this.entry, x, y, this.size * 0.7);
    /** @type {number | "more" | undefined} What is drawn: the first link says it. */
    this.state = undefined;
  }

  pass(x, y, from, to) {
    const { entry, size } = this;
    const node = nodeAt(entry, x, y, size * 0.45);
    if (!this.node) this.node = node;
    if (!node || node === this.node) return;
    const cost = (next) => segmentDistance(next.x, next.y, from, to) / size;
    const links = (one) => one.links.map((link) => [link, farNode(entry, link, one)]);
    const way = route(this.node, node, links, cost);
    if (way) for (const [link] of way) this.#draw(link);
    else if (Math.hypot(node.x - x, node.y - y) > size * 0.3) return;
    this.node = node;
  }

  #draw(link) {
    const { game, entry } = this;
    this.state ??= this.tools.crossing ? CROSS : lineAfter(game, entry, link);
    setState(game, entry, link, this.state);
    this.drawn = true;
  }

  end() {
    if (this.drawn) return;
    if (this.moved && this.node) this.#towards();
    else this.#click();
  }

  /** Draw the link in the direction of the pointer, which is far away. */
  #towards() {
    const { node, entry, last } = this;
    const angle = Math.atan2(last[1] - node.y, last[0] - node.x);
    const off = (link) => {
      const to = farNode(entry, link, node);
      const turn = Math.abs(Math.atan2(to.y - node.y, to.x - node.x) - angle);
      return Math.min(turn, 2 * Math.PI - turn);
    };
    const [link] = [...node.links].sort((a, b) => off(a) - off(b));
    if (off(link) < 0.5) this.#draw(link);
  }

  #click() {
    const { game, entry } = this;
    const [x, y] = this.last;
    const link = nearestLink(entry, x, y, this.size);
    if (link < 0) return;
    if (this.tools.crossing) setState(game, entry, link, crossAfter(game, entry, link));
    else if (entry.linked.has(link)) this.#turn(link);
    else setState(game, entry, link, nextState(game, entry, link));
  }

  /** Of lines that exclude each other, draw the next: in their middle always in the same order. */
  #turn(link) {
    const { game, entry, size } = this;
    const [x, y] = this.last;
    const group = entry.linked.get(link).map(([place]) => place);
    const [, , a, b, , , c, d] = entry.places[link];
    const isMiddle = Math.hypot((a + c) / 2 - x, (b + d) / 2 - y) < size * 0.2;
    const first = isMiddle ? 0 : group.indexOf(link);
    const all = group.map((_, number) => group[(number + first) % group.length]);
    const drawn = group.find((place) => game.at(entry.number, place).held);
    const next = drawn === undefined ? all[0] : all[all.indexOf(drawn) + 1];
    if (next === undefined) erase(game, entry, drawn);
    else
      setState(
        game,
        entry,
        next,
        choices(entry, next).find((token) => token),
      );
  }

  hold() {
    const [x, y] = this.last;
    const link = this.entry.dotted ? nearestLink(this.entry, x, y, this.size) : -1;
    if (link < 0) return false;
    setState(this.game, this.entry, link, crossAfter(this.game, this.entry, link));
    this.state = CROSS;
    this.drawn = true;
    return true;
  }
}

/** The link near a point: none close to the end of lines, where all of them meet. */
function nearestLink(entry, x, y, size) {
  if (nodeAt(entry, x, y, size * 0.28)) return -1;
  let best = -1;
  let least = size * 0.45;
  entry.places.forEach(([, , a, b, , , c, d], link) => {
    const distance = segmentDistance(x, y, [a, b], [c, d], 0.1);
    if (distance < least) [best, least] = [link, distance];
  });
  return best;
}

/** Traces a path through cells: as it is drawn or, on a straight way, from its first cell to its last. */
class PathStroke extends Stroke {
  static at(tools, x, y) {
    const cell = tools.entry.index.nearest(x, y, tools.size * 0.75);
    if (cell < 0) return null;
    return tools.entry.spells
      ? new SpellStroke(tools, x, y, cell)
      : new PathStroke(tools, x, y, cell);
  }

  constructor(tools, x, y, cell) {
    super(tools, x, y);
    this.cells = [cell];
    this.stop = cell;
    /** @type {number} The path that was traced; -1 if these cells are none. */
    this.place = -1;
  }

  pass(x, y) {
    // narrow, so that a diagonal way does not touch the cells beside it
    const cell = this.entry.index.nearest(x, y, this.size * 0.38);
    if (cell < 0 || cell === this.cells.at(-1)) return;
    const before = this.cells.indexOf(cell);
    if (before >= 0) this.cells.length = before + 1;
    else this.cells.push(cell);
    this.stop = cell;
  }

  end() {
    const { entry, game } = this;
    if (this.cells.length === 1) {
      this.place = game.marks[entry.number].findIndex(
        (mark, place) => mark.held && entry.places[place].includes(this.cells[0]),
      );
    } else {
      const keys = [this.cells.join(" "), straight(entry, this.cells), setKey(this.cells)];
      this.place =
        keys.map((key) => entry.byCells.get(key) ?? -1).find((place) => place >= 0) ?? -1;
    }
    if (this.place < 0 || this.place in entry.fixed) return;
    const held = game.at(entry.number, this.place).held ? 0 : 1;
    game.set(entry.number, this.place, { held });
    this.drawn = true;
  }
}

/** Spells a word with the letters of cells: the session reads them. */
class SpellStroke extends PathStroke {
  end() {}
}

/** The cells on the straight way from the first to the last, as text. */
function straight(entry, cells) {
  const [first, last] = [entry.cells[cells[0]], entry.cells[cells.at(-1)]];
  const [down, right] = [last[0] - first[0], last[1] - first[1]];
  const count = Math.max(Math.abs(down), Math.abs(right)) / 2;
  if (!count || (down && right && Math.abs(down) !== Math.abs(right))) return "";
  const numbers = new Map(entry.cells.map(([row, column], number) => [`${row},${column}`, number]));
  const way = [];
  for (let k = 0; k <= count; k++)
    way.push(numbers.get(`${first[0] + (down / count) * k},${first[1] + (right / count) * k}`));
  return way.join(" ");
}
