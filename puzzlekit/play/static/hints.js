// Hints of a page that has the steps of an explanation: the next step that is not on the board.
import { hasNotes, stateOf } from "./entering.js";
import { button, element, parsedShapes } from "./elements.js";
import { phrased } from "./phrases.js";

export class Hints {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    const { shapes, steps } = session.puzzle.hints;
    this.shapes = shapes;
    this.steps = steps;
    /** @type {Set<number>} Steps that the player has seen, and wants to go past. */
    this.passed = new Set();
  }

  /** Show the next hint, first only where to look. */
  show() {
    const { session } = this;
    const isWrong = session.puzzle.facts && session.judge.wrong().length > 0;
    if (session.solved || isWrong) return session.checks.check();
    const number = this.next();
    if (number < 0) return session.say("Nothing more follows.");
    this.#where(number);
    session.seen();
  }

  /** The number of the first step that is not on the board; -1 if there is none. */
  next() {
    const { steps } = this;
    const done = new Map();
    const isDone = (number) => {
      if (!done.has(number)) done.set(number, this.#isDone(number, isDone));
      return done.get(number);
    };
    return steps.findIndex((_, number) => !isDone(number));
  }

  /** An elimination is done when what it strikes is no note, or when no step needs it any more. */
  #isDone(number, isDone) {
    const { moves, explained, notes, for: later } = this.steps[number];
    const { game, entries } = this.session;
    if (this.passed.has(number)) return true;
    if (explained) return moves.slice(0, explained).every((move) => this.#isEntered(move));
    if (later.length && later.every(isDone)) return true;
    return notes.length > 0 && notes.every((each) => hasNotes(game, entries, each));
  }

  /** Whether a move is on the board: a token, a cross, or the cells of a piece. */
  #isEntered([number, place, token]) {
    const { entries, game } = this.session;
    const entry = entries[number];
    if (place in entry.fixed) return true;
    if (!Array.isArray(token)) return stateOf(game, entry, place) === token;
    const held = token.map((cell) => game.at(number, cell).held);
    const { length } = game.marks[number].filter((mark) => mark.held === held[0]);
    return Boolean(held[0]) && new Set(held).size === 1 && length === token.length;
  }

  #where(number) {
    const { where } = this.steps[number];
    this.#tell(
      where,
      button("Show the pattern", () => this.#pattern(number)),
    );
  }

  #pattern(number) {
    const { pattern } = this.steps[number];
    this.#tell(
      pattern,
      button("Show the step", () => this.#step(number)),
    );
  }

  #step(number) {
    const { session, shapes } = this;
    const step = this.steps[number];
    const { outlines } = session;
    const text = phrased(step, (squares) => outlines.glow(squares));
    const enter = button("Enter it", () => this.#enter(number));
    const next = button("Next step", () => this.#pass(number));
    const canEnter = step.moves.length + step.notes.length > 0;
    this.#tell(text, ...(canEnter ? [enter, next] : [next]));
    outlines.light(
      step.drawn.map((numbers) => parsedShapes(numbers.map((n) => shapes[n]).join(""))),
    );
  }

  /** Say something, with buttons: the last of them has the focus. */
  #tell(text, ...buttons) {
    const { said } = this.session.parts;
    said.replaceChildren(text, " ", element("span", { class: "degrees" }, ...buttons));
    buttons.at(0).focus({ preventScroll: true });
  }

  #enter(number) {
    const { moves, notes } = this.steps[number];
    if (!this.session.moves(moves, notes)) this.#pass(number);
  }

  #pass(number) {
    this.passed.add(number);
    this.session.outlines.light([]);
    this.show();
  }
}
