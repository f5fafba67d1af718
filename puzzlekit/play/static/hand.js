// What the strokes of a pointer do on the boards of a session.
import { beginStroke, pick } from "./strokes.js";

export class Hand {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.way = []; // the cells of a path that the keyboard traces
  }

  tools(event) {
    const { game, size, entry, selection, colour } = this.session;
    const crossing = event?.button === 2 || this.session.crossing;
    const extend = Boolean(event?.ctrlKey || event?.metaKey || event?.shiftKey);
    if (entry.kind === "words") return { ...this.#spellingTools(entry), crossing };
    return { game, size, entry, crossing, selection, extend, colour };
  }

  /** What spells a word for a field by a drag over the letters of a board. */
  #spellingTools({ number }) {
    const { scene, places: cells, index } = this.session.entries.at(-1);
    const entry = { kind: "paths", spells: true, number, scene, cells, index };
    const { game, size, selection } = this.session;
    return { game, size, entry, selection, extend: false, colour: 0 };
  }

  /** Begin a stroke on a board; null where nothing can be entered. */
  begin(event, board, x, y) {
    if (!this.#chooseBoard(board)) return null;
    const { entry } = this.session;
    this.session.game.begin();
    const had = this.session.cursor?.entry === this.session.mode ? this.session.cursor.place : -1;
    const stroke = beginStroke(this.tools(event), x, y);
    if (!stroke) {
      this.session.game.cancel();
      return null;
    }
    if (stroke.stop >= 0 && !["lines", "pieces", "words"].includes(entry.kind)) {
      if (stroke.stop === had) this.session.writer.turn();
      this.session.cursor = { entry: this.session.mode, place: stroke.stop };
    }
    this.leaveTrace();
    this.session.writer.typist.begun = null;
    this.session.outlines.pointAtCursor();
    this.#hearKeys();
    return stroke;
  }

  /** Choose a mode in which something is entered on a board. */
  #chooseBoard(board) {
    const isHere = ({ kind, scene }) => kind !== "words" && this.session.boards[scene] === board;
    if (isHere(this.session.entry)) return true;
    const { kind, free } = this.session.entry;
    if (
      kind === "words" &&
      free &&
      this.session.boards[this.session.entries.at(-1).scene] === board
    )
      return true;
    const mode = this.session.modes.findIndex(isHere);
    if (mode < 0 || this.session.modes[mode].kind === "colours") return false;
    this.session.mode = mode;
    this.session.selection.clear();
    this.session.refresh();
    return true;
  }

  /** Keep the keyboard on the board, if only its keys are heard. */
  #hearKeys() {
    const isLimited = this.session.options.keyboard === this.session.root;
    if (isLimited && this.session.cursor?.entry === this.session.mode) this.session.focus();
    const focused = document.activeElement;
    const isControl =
      focused instanceof HTMLElement && focused.matches("input, select, button, summary");
    if (isControl && this.session.root.contains(focused)) focused.blur(); // it would take the keys
  }

  /** A stroke has gone on. */
  drawn(stroke) {
    if (stroke.cells) this.traced(stroke.cells, stroke.entry);
    if (stroke.entry.moved && stroke.moved) this.#carried(stroke);
    const isTyped = this.session.entry.typed;
    if (isTyped && stroke.stop >= 0 && this.session.cursor?.place !== stroke.stop) {
      this.session.cursor = { entry: this.session.mode, place: stroke.stop };
      this.session.outlines.pointAtCursor();
    }
  }

  hold(stroke) {
    if (!stroke.entry.dotted) return;
    this.session.game.cancel();
    this.session.game.begin();
    stroke.hold();
    navigator.vibrate?.(15);
  }

  end(stroke) {
    if (stroke.cells) this.#endPath(stroke);
    else stroke.end();
    if (stroke.entry.moved) this.session.painter.outlines("traced", []);
    return this.session.commit();
  }

  cancel() {
    this.session.game.cancel();
    this.traced([]);
    this.session.refresh();
  }

  /** The letters of cells, as the picture shows them. */
  spelling(entry, cells) {
    const { texts } = this.session.painter.layers[entry.scene];
    const letter = (cell) => {
      const [row, column] = entry.cells[cell];
      return texts.get(`r${row / 2}c${column / 2}`)?.[0].textContent ?? "";
    };
    return cells.map(letter).join("");
  }

  trace(from, to) {
    if (this.way.at(-1) !== from) this.way = [from];
    const before = this.way.indexOf(to);
    if (before >= 0) this.way.length = before + 1;
    else this.way.push(to);
    this.traced(this.way);
  }

  /** Leave the path that the keyboard has traced. */
  leaveTrace() {
    if (!this.way.length) return;
    this.way = [];
    this.traced([]);
  }

  /** End the path that the keyboard has traced; a single cell takes a word away. */
  endTrace() {
    const { entry } = this.session;
    const cells = this.way.length > 1 ? this.way : [this.session.cursor.place];
    this.way = [];
    const points = cells.map((cell) => entry.cells[cell].slice(2, 4));
    this.session.game.begin();
    const stroke = beginStroke(this.tools(), points[0][0], points[0][1]);
    Object.assign(stroke, { cells });
    this.#endPath(stroke);
    this.session.commit();
  }

  #endPath(stroke) {
    stroke.end();
    const isWord = stroke.cells.length > 1;
    if (stroke.entry.spells && isWord) {
      const text = this.spelling(stroke.entry, stroke.cells).toLowerCase();
      this.session.game.set(stroke.entry.number, 0, { held: text });
    } else if (stroke.place < 0 && isWord) {
      const text = this.spelling(stroke.entry, stroke.cells);
      this.session.parts.heard.textContent = `${text} is no word of this puzzle.`;
    }
    this.traced([]);
  }

  /** Show a text that is being moved, where the pointer is, and where it comes from and goes to. */
  #carried({ entry, place, stop, last }) {
    const { painter, game } = this.session;
    const outlines = [place, stop].map((at) => {
      const [, , x, y] = entry.places[at];
      return { scene: entry.scene, x, y, className: "traced" };
    });
    painter.outlines("traced", outlines);
    if (!(place in entry.fixed))
      painter.carry(entry, entry.texts[game.at(entry.number, place).held], last);
  }

  /** Pick up or put down the text at the cursor. */
  pick() {
    const { session } = this;
    const { entry, game, selection, cursor } = session;
    session.change(() => pick(game, entry, selection, cursor.place));
  }

  /** Show the cells of a path that is being traced. */
  traced(cells, entry = this.session.entry) {
    const outlines = cells.map((cell) => {
      const [, , x, y] = entry.cells[cell];
      return { scene: entry.scene, x, y, className: "traced" };
    });
    this.session.painter.outlines("traced", outlines);
  }
}
