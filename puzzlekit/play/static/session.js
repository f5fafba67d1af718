// A game on a page: its state, what the player does, and what the page shows of it.
import { Checks } from "./checks.js";
import { drawBar, drawKeys, drawTools } from "./controls.js";
import { applyMove, applyNotes, boardOf, fittingMarks, marksOf } from "./entering.js";
import { blankMarks, isOpen, preparedEntries } from "./entries.js";
import { extrasOf } from "./extras.js";
import { Game } from "./game.js";
import { Hand } from "./hand.js";
import { Idle } from "./idle.js";
import { Judge } from "./judge.js";
import { Keeper } from "./keeper.js";
import { Outlines } from "./outlines.js";
import { Painter } from "./paint.js";
import { Grid, SpokenBoard } from "./spoken.js";
import { choicesKept } from "./store.js";
import { Writer } from "./writer.js";

const SETTINGS = { conflicts: true, same: true, thin: false, parts: false, clock: true };

export class Session {
  /**
   * @param {HTMLElement} root
   * @param {any} puzzle
   * @param {any} options See `mount`.
   * @param {Record<string, HTMLElement>} parts Of the page, by name.
   */
  constructor(root, puzzle, options, parts) {
    this.root = root;
    this.puzzle = puzzle;
    this.options = options;
    this.parts = parts;
    this.size = puzzle.cell;
    /** @type {any[]} */
    this.boards = [...root.querySelectorAll("svg.board")];
    this.entries = preparedEntries(puzzle);
    this.solved = false;
    this.settings = { ...SETTINGS, ...choicesKept.read("options", {}) };
    this.#prepareModes();
    this.game = new Game(this.entries.map(blankMarks));
    this.keeper = new Keeper(this);
    this.keeper.base = this.#firstMarks();
    this.game.start(this.keeper.base);
    this.judge = new Judge(puzzle, this.own, this.game);
    this.painter = new Painter(puzzle, this.entries, this.boards, this.game);
    this.hand = new Hand(this);
    this.writer = new Writer(this);
    this.checks = new Checks(this);
    this.outlines = new Outlines(this);
    const { Hints } = extrasOf(globalThis);
    this.hints = puzzle.hints && Hints ? new Hints(this) : null;
    const clueAt = (row, column) => options.clueAt(row, column);
    this.spoken = new SpokenBoard(puzzle, this.game, clueAt);
    const grid = (board) => new Grid(board, this.painter, this.spoken, puzzle.title);
    this.grids = this.boards.map(grid);
    /** @type {any[]} */
    this.views = [];
    this.shown = ""; // the board that was shown to the player, who then has not solved it
    this.mode = 0;
    this.crossing = false; // whether clicks and drags make crosses, as those of the right button
    this.crossNext = false; // whether the next arrow makes one
    this.colour = 1;
    this.cursor = null; // the stop of the keyboard, as {entry, place}: of the mode and its stops
    this.selection = new Set();
    /** @type {{draw(): void}[]} */
    this.lists = [];
    this.#prepareIdle();
    this.game.changed = (number, place) => this.#placeChanged(number, place);
  }

  /** The entries that a solution has. */
  get own() {
    return this.entries.slice(0, -1);
  }

  get entry() {
    return this.modes[this.mode];
  }

  #prepareModes() {
    const cells = this.puzzle.scenes[0]?.cells ?? [];
    const clues = { name: "clues", kind: "clues", scene: 0, number: -1, places: cells, fixed: {} };
    const colours = this.entries.at(-1);
    this.clues = clues;
    this.modes = this.own;
    if (this.options.clue && cells.length) {
      const { index, stops, stopIndex } = colours;
      const isFirst = colours.scene === 0;
      if (isFirst) this.modes = [...this.modes, { ...clues, index, stops, stopIndex }];
    }
    if (colours.places.length) this.modes = [...this.modes, colours];
  }

  #firstMarks() {
    const { marks } = this.puzzle;
    const { blanks } = this.game;
    const own = this.own.map((entry, n) =>
      marks ? marksOf(entry, blanks[n], marks[n]) : blanks[n],
    );
    const { state } = this.options;
    const first = (state && fittingMarks(this.own, blanks, state)) || own;
    return [...first, blanks.at(-1)];
  }

  #prepareIdle() {
    this.idle = new Idle();
    this.idle.isPaused = () => Boolean(this.game.open);
    this.idle.add(() => this.grids.some((grid) => grid.labelNext()));
    this.idle.add(() => {
      if (!this.settings.conflicts || !this.judge.waiting.size) return false;
      const isMore = this.judge.evaluate();
      if (!isMore) this.checks.showConflicts();
      return isMore;
    });
  }

  #placeChanged(number, place) {
    const entry = this.entries[number];
    this.painter.changed(number, place);
    this.judge.changed(number, place);
    this.grids[entry.scene]?.changed(entry, place, this.size);
  }

  // ---- changes ----------------------------------------------------------------------------------

  /** Change the board in one step. */
  change(action) {
    this.game.begin();
    action();
    return this.commit();
  }

  /** End a step: judge and keep the board. Returns whether anything changed. */
  commit() {
    if (this.settings.thin) this.#thin();
    const step = this.game.end();
    if (!step) {
      this.refresh();
      return false;
    }
    if (this.cursor?.entry === this.mode)
      this.parts.heard.textContent = this.spoken.label(this.entry, this.cursor.place);
    this.judged();
    if (this.solved) this.seen();
    this.keeper.keep(this.game.past.length - 1);
    this.options.changed?.();
    return true;
  }

  /** Take away notes that the values of this step exclude. */
  #thin() {
    for (const key of [...(this.game.open?.keys() ?? [])]) {
      const [number, place] = key.split(" ").map(Number);
      if (!this.game.at(number, place).held) continue;
      for (const [entry, at, fields] of this.judge.thinned(number, place))
        this.game.set(entry, at, fields);
    }
  }

  judged() {
    this.checks.faulty = [];
    this.outlines.light([]);
    this.painter.colourParts(this.settings.parts);
    this.solved = this.judge.isSolved();
    this.say(this.solved ? this.solvedText() : ""); // what was said of another board is old
    this.root.classList.toggle("solved", this.solved);
    this.refresh();
  }

  solvedText() {
    const isShown = JSON.stringify(this.playedBoards()) === this.shown;
    return isShown ? "This is a solution." : `Solved in ${this.keeper.clock()}.`;
  }

  /** The boards of the entries that a solution has, as other scripts have them. */
  playedBoards() {
    return this.own.map((_, number) => boardOf(this.game.marks[number]));
  }

  undo() {
    if (!this.game.undo()) return false;
    this.#travelled();
    return true;
  }

  redo() {
    if (!this.game.redo()) return false;
    this.#travelled();
    return true;
  }

  #travelled() {
    this.judged();
    this.keeper.keep(this.game.past.length);
  }

  doUndo() {
    (this.options.undo ?? (() => this.undo()))();
  }

  doRedo() {
    (this.options.redo ?? (() => this.redo()))();
  }

  clear() {
    this.cursor = null;
    this.selection.clear();
    this.change(() => {
      this.game.blanks.forEach((row, entry) =>
        row.forEach((blank, place) => this.game.replace(entry, place, blank)),
      );
      this.game.trials = [];
    });
  }

  try() {
    this.game.try();
    this.refresh();
    this.keeper.keep();
    this.say(`Trial ${this.game.trials.length}: keep it or drop it.`);
    this.seen();
  }

  keepTrial() {
    this.game.keepTrial();
    this.painter.all();
    this.refresh();
    this.keeper.keep();
  }

  dropTrial() {
    this.game.dropTrial();
    this.painter.all();
    this.judged();
    this.keeper.keep();
  }

  // ---- what others do with the board ------------------------------------------------------------

  enterBoards(boards) {
    const { game } = this;
    this.change(() => {
      this.own.forEach((entry, number) => {
        const marks = marksOf(entry, game.blanks[number], boards[number]);
        marks.forEach((mark, place) => game.replace(number, place, mark));
      });
      this.shown = JSON.stringify(this.playedBoards());
    });
  }

  /** Enter the marks of a board, as one step. */
  enterMarks(marks) {
    this.change(() =>
      marks.forEach((row, entry) =>
        row.forEach((mark, place) => this.game.replace(entry, place, mark)),
      ),
    );
  }

  /** Make moves, and enter what eliminations leave, as one step. Returns whether anything changed. */
  moves(moves, notes = []) {
    return this.change(() => {
      this.apply(moves);
      for (const left of notes) applyNotes(this.game, this.entries, left);
    });
  }

  /** Make moves, within a step. */
  apply(moves) {
    for (const move of moves) applyMove(this.game, this.entries, move);
  }

  /** Show a board, and moves from there, without a step of the history. */
  present(boards, moves) {
    const marks = fittingMarks(this.own, this.game.blanks, boards);
    this.game.begin();
    marks?.forEach((row, number) =>
      row.forEach((mark, place) => this.game.replace(number, place, mark)),
    );
    this.apply(moves);
    if (moves.length) this.shown = JSON.stringify(this.playedBoards());
    else this.game.settle();
    this.judged();
  }

  learn(facts) {
    Object.assign(this.puzzle, facts);
    this.judged();
  }

  // ---- where the player is ----------------------------------------------------------------------

  /** The places that are written to. */
  places() {
    if (this.cursor?.entry !== this.mode) return [];
    const { entry } = this;
    if (this.selection.size && !entry.moved)
      return [...this.selection].filter((stop) => isOpen(entry, stop));
    return isOpen(entry, this.cursor.place) ? [this.cursor.place] : [];
  }

  choose(mode) {
    this.mode = mode;
    this.cursor = null;
    this.selection.clear();
    this.hand.leaveTrace();
    this.refresh();
  }

  select(places) {
    this.selection = new Set(places);
    this.refresh();
  }

  moveCursor(stop, { extend = false, focus = true } = {}) {
    const before = this.cursor?.entry === this.mode ? this.cursor.place : -1;
    this.writer.typist.begun = null; // the text there has ended
    if (!extend && !this.entry.moved) this.selection.clear();
    else if (extend && before >= 0) this.selection.add(before);
    if (extend || this.entry.typed) this.selection.add(stop);
    this.cursor = { entry: this.mode, place: stop };
    this.refresh();
    const [, , x, y] = this.entry.stops[stop];
    this.views[this.entry.scene]?.reveal(x, y, this.size);
    if (focus) this.focus();
  }

  focus() {
    if (this.cursor) this.grids[this.entry.scene]?.focus(this.cursor.place);
  }

  toggleCrossing() {
    this.crossing = !this.crossing;
    this.refresh();
  }

  chooseColour(colour) {
    this.colour = colour;
    this.refresh();
  }

  choosing(name, choice) {
    this.settings[name] = choice;
    choicesKept.write("options", this.settings);
    if (name === "parts") this.painter.colourParts(choice);
    if (name === "conflicts") this.checks.showConflicts();
    this.parts.bar.dataset.kept = "no";
    this.refresh();
    delete this.parts.bar.dataset.kept;
  }

  // ---- what is shown ----------------------------------------------------------------------------

  say(text) {
    this.parts.said.textContent = text;
  }

  /** On a small screen, what is said may be below it. */
  seen() {
    this.parts.said.scrollIntoView({ block: "nearest" });
  }

  refreshBar() {
    drawBar(this, this.parts.bar);
  }

  /** Show all that is not drawn place by place. */
  refresh() {
    this.refreshBar();
    drawTools(this, this.parts.tools);
    drawKeys(this, this.parts.keys);
    for (const list of this.lists) list.draw();
    this.outlines.pointAtCursor();
    this.outlines.outline();
    this.idle.wake();
  }

  state() {
    const { game, solved } = this;
    const { seconds } = this.keeper;
    const entries = this.entries.map((entry, number) => {
      const { name, kind } = entry;
      return { name, kind, ...boardOf(game.marks[number]) };
    });
    const { length } = game.past;
    const drawn = this.painter.drawn();
    return {
      entries,
      undo: length,
      redo: game.future.length,
      trials: game.trials,
      solved,
      seconds,
      drawn,
    };
  }
}
