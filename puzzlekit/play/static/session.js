// A game on a page: its state, what the player does, and what the page shows of it.
import { drawBar, drawKeys, drawTools } from "./controls.js";
import { applyMove, boardOf, fittingMarks, marksOf } from "./entering.js";
import { blankMarks, isOpen, preparedEntries } from "./entries.js";
import { dense, Game, sparse } from "./game.js";
import { Idle } from "./idle.js";
import { Judge } from "./judge.js";
import { Painter } from "./paint.js";
import { Grid, SpokenBoard } from "./spoken.js";
import { choicesKept } from "./store.js";
import { beginStroke } from "./strokes.js";
import { isSound } from "./transfer.js";
import { Typist } from "./typing.js";

const SETTINGS = { conflicts: true, same: true, thin: false, parts: false, clock: true };
const TICK = 5; // seconds after which the clock is kept

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
    this.base = this.#firstMarks();
    this.game.start(this.base);
    this.judge = new Judge(puzzle, this.own, this.game);
    this.painter = new Painter(puzzle, this.entries, this.boards, this.game);
    this.typist = new Typist(this.game);
    const clueAt = (row, column) => options.clueAt(row, column);
    this.spoken = new SpokenBoard(puzzle, this.game, clueAt);
    const grid = (board) => new Grid(board, this.painter, this.spoken, puzzle.title);
    this.grids = this.boards.map(grid);
    /** @type {any[]} */
    this.views = [];
    this.seconds = 0;
    this.shown = ""; // the board that was shown to the player, who then has not solved it
    this.mode = 0;
    this.pencil = ""; // which notes are typed: notes, centre or none
    this.crossing = false; // whether clicks and drags make crosses, as those of the right button
    this.crossNext = false; // whether the next arrow makes one
    this.colour = 1;
    this.cursor = null; // the stop of the keyboard, as {entry, place}: of the mode and its stops
    this.selection = new Set();
    this.heading = "ArrowRight"; // where a word goes that is being spelt
    this.lit = []; // places that an answer is about, as [scene, x, y, className]
    this.spots = []; // the cell that somebody points at elsewhere
    this.faulty = []; // the places of a broken rule, as [entry, place]
    this.way = []; // the cells of a path that the keyboard traces
    this.store = null;
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
      if (!isMore) this.#showConflicts();
      return isMore;
    });
  }

  #placeChanged(number, place) {
    const entry = this.entries[number];
    this.painter.changed(number, place);
    this.judge.changed(number, place);
    this.grids[entry.scene]?.changed(entry, place, this.size);
  }

  // ---- the game, as it is kept ------------------------------------------------------------------

  /** Continue the game that was kept, if there is one. */
  async begin(store) {
    this.store = store;
    const kept = await store.load();
    if (kept) this.continue(kept, this.game.past);
    else if (this.game.past.length) this.#keep(0);
  }

  /** Continue a game. Returns false if it is none of this board. */
  continue({ header, steps }, meanwhile = []) {
    const { blanks } = this.game;
    if (!isSound({ ...header, steps }, blanks)) return false;
    this.base = dense(blanks, header.base);
    const { length } = this.game.trials;
    this.game.restore(header, steps, this.base, meanwhile);
    this.seconds = Math.max(this.seconds, header.seconds ?? 0);
    this.shown = header.shown ?? "";
    if (this.game.trials.length || length) this.painter.all();
    this.#judged();
    if (meanwhile.length) this.#keep(header.done);
    return true;
  }

  /** Follow another tab. */
  async follow() {
    if (this.game.open) return void setTimeout(() => this.follow(), 200);
    const kept = await this.store.load();
    if (kept) this.continue(kept);
  }

  header() {
    const { seconds, solved, shown } = this;
    const base = sparse(this.game.blanks, this.base);
    return { ...this.game.header(base), seconds, solved, shown };
  }

  #keep(from = this.game.past.length, isMove = true) {
    this.store?.save(this.header(), this.game, from, isMove);
  }

  tick() {
    if (this.solved) return;
    this.seconds++;
    const clock = this.parts.bar.querySelector(".clock");
    if (this.settings.clock && clock) clock.textContent = this.clock();
    if (this.seconds % TICK === 0 && this.game.past.length) this.#keep(undefined, false);
  }

  /** Keep the clock, when the page is left. */
  leave() {
    if (this.game.past.length || this.game.future.length) this.#keep(undefined, false);
  }

  clock() {
    const minutes = Math.floor(this.seconds / 60);
    return `${minutes}:${String(this.seconds % 60).padStart(2, "0")}`;
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
    this.#judged();
    if (this.solved) this.seen();
    this.#keep(this.game.past.length - 1);
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

  #judged() {
    this.faulty = [];
    this.lit = [];
    this.solved = this.judge.isSolved();
    this.say(this.solved ? this.#solvedText() : ""); // what was said of another board is old
    this.root.classList.toggle("solved", this.solved);
    this.refresh();
  }

  #solvedText() {
    const isShown = JSON.stringify(this.playedBoards()) === this.shown;
    return isShown ? "This is a solution." : `Solved in ${this.clock()}.`;
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
    this.#judged();
    this.#keep(this.game.past.length);
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
    this.#keep();
    this.say(`Trial ${this.game.trials.length}: keep it or drop it.`);
    this.seen();
  }

  keepTrial() {
    this.game.keepTrial();
    this.painter.all();
    this.refresh();
    this.#keep();
  }

  dropTrial() {
    this.game.dropTrial();
    this.painter.all();
    this.#judged();
    this.#keep();
  }

  revert() {
    const depth = this.judge.lastRight();
    const { game } = this;
    const marks = game.blanks.map((row) => [...row]);
    if (depth >= 0) {
      game.marks.forEach((row, entry) =>
        row.forEach((mark, place) => (marks[entry][place] = mark)),
      );
      for (const step of game.past.slice(depth).reverse())
        for (const [entry, place, before] of [...step].reverse()) marks[entry][place] = before;
    }
    this.enterMarks(marks);
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

  /** Open a game: in one that has begun, its last board is one more step. */
  openGame(opened) {
    const { game } = this;
    if (!game.past.length && !game.future.length) {
      this.continue(opened);
      this.#keep(0);
      return;
    }
    const scratch = new Game(game.blanks);
    scratch.restore(opened.header, opened.steps, dense(game.blanks, opened.header.base));
    this.enterMarks(scratch.marks);
  }

  moves(moves) {
    this.change(() => moves.forEach((move) => applyMove(this.game, this.entries, move)));
  }

  /** Show a board, and moves from there, without a step of the history. */
  present(boards, moves) {
    const marks = fittingMarks(this.own, this.game.blanks, boards);
    this.game.begin();
    marks?.forEach((row, number) =>
      row.forEach((mark, place) => this.game.replace(number, place, mark)),
    );
    moves.forEach((move) => applyMove(this.game, this.entries, move));
    if (moves.length) this.shown = JSON.stringify(this.playedBoards());
    else this.game.settle();
    this.#judged();
  }

  light(places) {
    this.lit = places;
    this.#outline();
  }

  spot(row, column) {
    const cells = this.clues.places.filter(([r, c]) => r === 2 * row && c === 2 * column);
    this.spots = cells.map(([, , x, y]) => [0, x, y, "spot"]);
    this.#outline();
  }

  learn(facts) {
    Object.assign(this.puzzle, facts);
    this.#judged();
  }

  // ---- where the player is ----------------------------------------------------------------------

  /** The places that are written to. */
  places() {
    if (this.cursor?.entry !== this.mode) return [];
    const { entry } = this;
    if (this.selection.size) return [...this.selection].filter((stop) => isOpen(entry, stop));
    return isOpen(entry, this.cursor.place) ? [this.cursor.place] : [];
  }

  choose(mode) {
    this.mode = mode;
    this.cursor = null;
    this.selection.clear();
    this.way = [];
    this.refresh();
  }

  select(places) {
    this.selection = new Set(places);
    this.refresh();
  }

  moveCursor(stop, { extend = false, focus = true } = {}) {
    const before = this.cursor?.entry === this.mode ? this.cursor.place : -1;
    if (!extend) this.selection.clear();
    else if (before >= 0) this.selection.add(before);
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

  toggleNotes(field) {
    this.pencil = this.pencil === field ? "" : field;
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
    if (name === "conflicts") this.#showConflicts();
    this.parts.bar.dataset.kept = "no";
    this.refresh();
    delete this.parts.bar.dataset.kept;
  }

  // ---- typing -----------------------------------------------------------------------------------

  type(character) {
    const { entry } = this;
    const places = this.places();
    if (!places.length) return;
    if (this.pencil) return this.note(character, this.pencil);
    let goesOn = false;
    this.change(() => (goesOn = this.typist.type(entry, places, character)));
    if (goesOn) this.#advance(entry, places[0]);
  }

  note(character, field) {
    const places = this.places();
    if (places.length) this.change(() => this.typist.note(this.entry, places, character, field));
  }

  /** Enter a token with a key of the page. */
  enter(token, text) {
    const places = this.places();
    if (!places.length) return;
    if (this.pencil) return this.note(text, this.pencil);
    this.change(() => this.typist.token(this.entry, places, token));
    if (places.length === 1) this.#advance(this.entry, places[0]);
  }

  erase() {
    this.change(() => this.typist.erase(this.entry, this.places()));
  }

  writeClue(text) {
    const [row, column] = this.clues.places[this.cursor.place];
    this.options.clue(row / 2, column / 2, text);
  }

  /** Go to the next cell of a word that is not given. */
  #advance(entry, place) {
    if (!this.puzzle.spelt) return;
    const cells = new Map(entry.places.map(([row, column], n) => [`${row},${column}`, n]));
    const next = (from, way, steps = 1) => {
      const [row, column] = entry.places[from];
      const [down, right] = way === "ArrowDown" ? [2 * steps, 0] : [0, 2 * steps];
      return cells.get(`${row + down},${column + right}`);
    };
    const isWord = (way) => [1, -1].some((steps) => next(place, way, steps) !== undefined);
    const way = isWord(this.heading) ? this.heading : turned(this.heading);
    let to = next(place, way);
    while (to !== undefined && to in entry.fixed) to = next(to, way);
    if (to !== undefined) this.moveCursor(to);
  }

  // ---- paths ------------------------------------------------------------------------------------

  /** The letters of cells, as the picture shows them. */
  spelling(entry, cells) {
    const { texts } = this.painter.layers[entry.scene];
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
  }

  /** End the path that the keyboard has traced; a single cell takes a word away. */
  endTrace() {
    const { entry } = this;
    const cells = this.way.length > 1 ? this.way : [this.cursor.place];
    this.way = [];
    const points = cells.map((cell) => entry.cells[cell].slice(2, 4));
    this.game.begin();
    const stroke = beginStroke(this.tools(), points[0][0], points[0][1]);
    Object.assign(stroke, { cells });
    this.#endPath(stroke);
    this.commit();
  }

  #endPath(stroke) {
    stroke.end();
    const isWord = stroke.cells.length > 1;
    if (stroke.entry.spells && isWord) {
      const text = this.spelling(stroke.entry, stroke.cells).toLowerCase();
      this.game.set(stroke.entry.number, 0, { held: text });
    } else if (stroke.place < 0 && isWord) {
      const text = this.spelling(stroke.entry, stroke.cells);
      this.parts.heard.textContent = `${text} is no word of this puzzle.`;
    }
    this.traced([]);
  }

  /** Show the cells of a path that is being traced. */
  traced(cells, entry = this.entry) {
    const outlines = cells.map((cell) => {
      const [, , x, y] = entry.cells[cell];
      return { scene: entry.scene, x, y, className: "traced" };
    });
    this.painter.outlines("traced", outlines);
  }

  // ---- strokes ----------------------------------------------------------------------------------

  tools(event) {
    const { game, size, entry, selection, colour } = this;
    const crossing = event?.button === 2 || this.crossing;
    const extend = Boolean(event?.ctrlKey || event?.metaKey || event?.shiftKey);
    if (entry.kind === "words") return { ...this.#spellingTools(entry), crossing };
    return { game, size, entry, crossing, selection, extend, colour };
  }

  /** What spells a word for a field by a drag over the letters of a board. */
  #spellingTools({ number }) {
    const { scene, places: cells, index } = this.entries.at(-1);
    const entry = { kind: "paths", spells: true, number, scene, cells, index };
    const { game, size, selection } = this;
    return { game, size, entry, selection, extend: false, colour: 0 };
  }

  /** Begin a stroke on a board; null where nothing can be entered. */
  beginStroke(event, board, x, y) {
    if (!this.#chooseBoard(board)) return null;
    const { entry } = this;
    this.game.begin();
    const had = this.cursor?.entry === this.mode ? this.cursor.place : -1;
    const stroke = beginStroke(this.tools(event), x, y);
    if (!stroke) {
      this.game.cancel();
      return null;
    }
    if (stroke.stop >= 0 && !["lines", "pieces", "words"].includes(entry.kind)) {
      if (stroke.stop === had) this.heading = turned(this.heading);
      this.cursor = { entry: this.mode, place: stroke.stop };
    }
    this.way = [];
    this.#pointAtCursor();
    this.#hearKeys();
    return stroke;
  }

  /** Choose a mode in which something is entered on a board. */
  #chooseBoard(board) {
    const isHere = ({ kind, scene }) => kind !== "words" && this.boards[scene] === board;
    if (isHere(this.entry)) return true;
    const { kind, free } = this.entry;
    if (kind === "words" && free && this.boards[this.entries.at(-1).scene] === board) return true;
    const mode = this.modes.findIndex(isHere);
    if (mode < 0 || this.modes[mode].kind === "colours") return false;
    this.mode = mode;
    this.selection.clear();
    this.refresh();
    return true;
  }

  /** Keep the keyboard on the board, if only its keys are heard. */
  #hearKeys() {
    const isLimited = this.options.keyboard === this.root;
    if (isLimited && this.cursor?.entry === this.mode) this.focus();
    const focused = document.activeElement;
    const isField = focused instanceof HTMLElement && focused.matches("input, select");
    if (isField && this.root.contains(focused)) focused.blur(); // it would take the keys
  }

  /** A stroke has gone on. */
  strokeDrawn(stroke) {
    if (stroke.cells) this.traced(stroke.cells, stroke.entry);
    const isTyped = this.entry.typed;
    if (isTyped && stroke.stop >= 0 && this.cursor?.place !== stroke.stop) {
      this.cursor = { entry: this.mode, place: stroke.stop };
      this.#pointAtCursor();
    }
  }

  holdStroke(stroke) {
    if (!stroke.entry.dotted) return;
    this.game.cancel();
    this.game.begin();
    stroke.hold();
    navigator.vibrate?.(15);
  }

  endStroke(stroke) {
    if (stroke.cells) this.#endPath(stroke);
    else stroke.end();
    const hasChanged = this.commit();
    if (stroke.entry.kind === "lines" && hasChanged) this.painter.colourParts(this.settings.parts);
    return hasChanged;
  }

  cancelStroke() {
    this.game.cancel();
    this.traced([]);
    this.refresh();
  }

  // ---- checks -----------------------------------------------------------------------------------

  say(text) {
    this.parts.said.textContent = text;
  }

  /** On a small screen, what is said may be below it. */
  seen() {
    this.parts.said.scrollIntoView({ block: "nearest" });
  }

  check() {
    this.#tell();
    this.seen();
  }

  #tell() {
    const { judge, puzzle } = this;
    if (this.solved) return this.say(this.#solvedText());
    const broken = judge.evaluateAll();
    if (broken.length) return this.#tellBroken(broken);
    if (!puzzle.facts) {
      const [checked, all] = puzzle.check.share;
      const isPart = checked < all;
      return this.say(
        isPart ? "None of the rules that this page checks is broken." : "No rule is broken.",
      );
    }
    const { length } = judge.wrong();
    if (!length) return this.say("Right so far.");
    this.say(`${length === 1 ? "One entry is" : `${length} entries are`} wrong. `);
    this.#offerRevert();
  }

  #tellBroken(broken) {
    const { names, rules } = this.puzzle.check;
    const [first, ...others] = [...new Set(broken.map((rule) => names[rules[rule][0]]))];
    this.faulty = this.judge.blamed(broken[0]);
    const also = others.length ? `Also: ${others.slice(0, 2).join("; ")}. ` : "";
    this.say(`This breaks the rule: ${first}. ${also}`);
    this.#outline();
    this.#showConflicts();
    if (this.puzzle.facts) this.#offerRevert();
  }

  #offerRevert() {
    const revert = document.createElement("button");
    revert.type = "button";
    revert.textContent = "Back to the last right board";
    revert.addEventListener("click", () => this.revert());
    this.parts.said.append(revert);
  }

  #showConflicts() {
    const { judge, settings } = this;
    const rules = settings.conflicts ? [...judge.broken.keys()] : [];
    const places = rules.flatMap((rule) => judge.blamed(rule));
    const isEntered = ([number, place]) => {
      const mark = this.game.at(number, place);
      return mark.held || mark.crossed;
    };
    this.painter.outlines("conflicts", this.#outlinesOf(places.filter(isEntered), "conflict"));
  }

  // ---- what is shown ----------------------------------------------------------------------------

  #outlinesOf(places, className) {
    const unique = new Map(
      places.map(([number, place]) => [`${number} ${place}`, [number, place]]),
    );
    return [...unique.values()].flatMap(([number, place]) => {
      const entry = this.entries[number];
      const at = entry.places[place];
      const { scene } = entry;
      if (scene < 0 || entry.kind === "paths") return [];
      if (entry.kind !== "lines") return [{ scene, x: at[2], y: at[3], className }];
      return [{ scene, x: 0, y: 0, className, ends: [at[2], at[3], at[6], at[7]] }];
    });
  }

  #outline() {
    this.painter.outlines("faulty", this.#outlinesOf(this.faulty, "faulty"));
    const lit = [...this.lit, ...this.spots].map(([scene, x, y, name]) => {
      const inset = name.endsWith("small-place") ? 0.4 : 0.94;
      return { scene, x, y, className: `lit ${name}`, inset };
    });
    this.painter.outlines("lit", lit);
  }

  #pointAtCursor() {
    const { entry, selection } = this;
    this.grids.forEach((grid, scene) => {
      const isHere = entry.kind !== "words" && entry.scene === scene;
      grid.show(isHere ? entry : null);
      if (isHere) grid.cursor(this.cursor?.entry === this.mode ? this.cursor.place : -1);
    });
    const outline = (stop, className) => {
      const [, , x, y] = entry.stops[stop];
      return { scene: entry.scene, x, y, className, inset: 1 };
    };
    const chosen = entry.typed && selection.size > 1 ? [...selection] : [];
    this.painter.outlines(
      "selected",
      chosen.map((stop) => outline(stop, "selected")),
    );
    this.painter.outlines(
      "same",
      this.#alike().map((stop) => outline(stop, "same")),
    );
  }

  /** The places with the same value as that of the cursor. */
  #alike() {
    const { entry, cursor, mode, game } = this;
    if (!this.settings.same || !entry.typed || entry.kind !== "cells") return [];
    const held = cursor?.entry === mode ? game.marks[entry.number][cursor.place]?.held : 0;
    if (!held) return [];
    return game.marks[entry.number].flatMap((mark, place) =>
      mark.held === held && place !== cursor.place ? [place] : [],
    );
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
    this.#pointAtCursor();
    this.#outline();
    this.idle.wake();
  }

  state() {
    const { game, solved, seconds } = this;
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

const turned = (way) => (way === "ArrowRight" ? "ArrowDown" : "ArrowRight");
