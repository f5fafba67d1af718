// Whether a board is right: compared with hashes of the solution, and by rules that the page
// evaluates. Nothing here needs a browser.
import { isUnmoved, keyAt, piecesOf } from "./entering.js";
import { sha256 } from "./hash.js";
import { canHold, possible, unknownsOf } from "./rules.js";

const DIGITS = 10; // of a hash
const LARGE = 400; // unknowns of a rule that is only evaluated when it is asked for
const SHORT = 60; // unknowns of a rule that thins notes out

export class Judge {
  /**
   * @param {any} puzzle What the page knows of the puzzle: its facts may come later.
   * @param {any[]} entries The entries that a solution has.
   * @param {import("./game.js").Game} game
   */
  constructor(puzzle, entries, game) {
    this.puzzle = puzzle;
    this.entries = entries;
    this.game = game;
    this.hashes = new Map();
    this.witness = [0, 0]; // a place that was wrong when it was last looked at
    const { rules } = puzzle.check;
    const unknowns = unknownsOfCheck(puzzle.check);
    /** @type {any[][]} For each unknown its places: [entry, place, values by token]. */
    this.unknowns = unknowns;
    /** @type {Map<string, number[]>} The unknowns that are entered at a place. */
    this.unknownsAt = new Map();
    unknowns.forEach((places, unknown) => {
      for (const [entry, place] of places) append(this.unknownsAt, `${entry} ${place}`, unknown);
    });
    /** @type {number[][]} The unknowns of each rule. */
    this.ofRule = rules.map(([, term]) => [...unknownsOf(term)]);
    /** @type {Map<number, number[]>} The rules with an unknown. */
    this.rulesOf = new Map();
    this.ofRule.forEach((numbers, rule) => {
      for (const unknown of numbers) append(this.rulesOf, unknown, rule);
    });
    /** @type {any[]} The values that each unknown may still take; undefined if it has changed. */
    this.may = unknowns.map(() => undefined);
    // rules that were not evaluated since they changed, without and with many unknowns
    this.waiting = new Set();
    this.waitingLarge = new Set();
    for (const rule of rules.keys()) this.#wait(rule);
    /** @type {Map<number, number[]>} The broken rules, with the unknowns to blame. */
    this.broken = new Map();
  }

  hash(text) {
    let digits = this.hashes.get(text);
    if (digits === undefined) {
      digits = sha256(`${this.puzzle.id}|${text}`).slice(0, DIGITS);
      this.hashes.set(text, digits);
    }
    return digits;
  }

  /** Note that something else stands at a place. */
  changed(entry, place) {
    for (const unknown of this.unknownsAt.get(`${entry} ${place}`) ?? []) {
      this.may[unknown] = undefined;
      for (const rule of this.rulesOf.get(unknown) ?? []) this.#wait(rule);
    }
  }

  #wait(rule) {
    const isLarge = this.ofRule[rule].length > LARGE;
    (isLarge ? this.waitingLarge : this.waiting).add(rule);
  }

  /** What stands at each place of an entry, or each piece, as a solution has it. */
  entered(entry) {
    const marks = this.game.marks[entry.number];
    if (entry.kind === "pieces") return piecesOf(marks);
    return marks.map((mark, place) => keyAt(entry, place, mark));
  }

  isSolved() {
    const { puzzle, entries } = this;
    if (!puzzle.facts) {
      if (!puzzle.answers.length) return false;
      const board = entries.map((entry) => this.entered(entry).join("|")).join("\n");
      return puzzle.answers.includes(this.hash(board));
    }
    return (
      this.#isPlaceRight(...this.witness) && entries.every((entry) => this.#isEntryRight(entry))
    );
  }

  #isEntryRight(entry) {
    const { number } = entry;
    if (entry.kind !== "pieces") {
      const wrong = entry.places.findIndex((_, place) => !this.#isPlaceRight(number, place));
      if (wrong >= 0) this.witness = [number, wrong];
      return wrong < 0;
    }
    const pieces = piecesOf(this.game.marks[number]);
    if (pieces.length !== this.puzzle.pieces[number]) return false;
    return pieces.every((piece) =>
      this.puzzle.facts[number].includes(this.hash(`${number}|${piece}`)),
    );
  }

  #isPlaceRight(number, place) {
    const entry = this.entries[number];
    if (!entry?.count || entry.kind === "pieces") return true;
    return this.isRight(entry, place, keyAt(entry, place, this.game.at(number, place)));
  }

  isRight(entry, place, key) {
    return this.puzzle.facts[entry.number][place] === this.hash(`${entry.number}|${place}|${key}`);
  }

  /** Whether a mark is a mistake: an empty place is none, a cross where something belongs is one. */
  isMistake(entry, place, mark) {
    if (isUnmoved(entry, place, mark)) return false;
    const key = keyAt(entry, place, mark);
    if (key) return !this.isRight(entry, place, key);
    return Boolean(mark.crossed) && !this.isRight(entry, place, "");
  }

  /** The places that are not those of the only solution, as [entry, place]. */
  wrong() {
    const places = [];
    for (const entry of this.entries) {
      const { number } = entry;
      if (entry.kind === "pieces")
        places.push(...this.#apart(entry).map((place) => [number, place]));
      else
        this.game.marks[number].forEach((mark, place) => {
          if (this.isMistake(entry, place, mark)) places.push([number, place]);
        });
    }
    return places;
  }

  /** The cells of pieces that the only solution does not put together. */
  #apart(entry) {
    const facts = new Set(this.puzzle.facts[entry.number]);
    const apart = new Set();
    for (const piece of piecesOf(this.game.marks[entry.number])) {
      const cells = piece.split(" ");
      cells.forEach((first, number) => {
        for (const second of cells.slice(number + 1))
          if (!facts.has(this.hash(`${entry.number}|${first}-${second}`)))
            apart.add(Number(second));
      });
    }
    return [...apart];
  }

  /** How many steps lead to the last board without a mistake; -1 if the first has one. */
  lastRight() {
    const { game } = this;
    const marks = game.marks;
    const solved = new Set(this.wrong().map(([entry, place]) => `${entry} ${place}`));
    const hasPieces = this.entries.some(({ kind }) => kind === "pieces");
    game.marks = marks.map((row) => [...row]);
    let depth = game.past.length;
    const isWrong = () => (hasPieces ? this.wrong().length > 0 : solved.size > 0);
    while (isWrong() && depth > 0) {
      depth--;
      for (const [number, place, before] of [...game.past[depth]].reverse()) {
        game.marks[number][place] = before;
        const entry = this.entries[number];
        if (!entry || entry.kind === "pieces") continue;
        if (this.isMistake(entry, place, before)) solved.add(`${number} ${place}`);
        else solved.delete(`${number} ${place}`);
      }
    }
    const last = isWrong() ? -1 : depth;
    game.marks = marks;
    return last;
  }

  /** The values that an unknown may still take. */
  #values(unknown) {
    return (this.may[unknown] ??= this.#entered(unknown));
  }

  #entered(unknown) {
    const places = this.unknowns[unknown];
    for (const [number, place, byToken] of places) {
      const entry = this.entries[number];
      const isFixed = place in entry.fixed;
      const mark = this.game.at(number, place);
      const entered = mark.crossed ? -1 : isUnmoved(entry, place, mark) ? 0 : mark.held;
      const token = isFixed ? entry.keys.indexOf(entry.fixed[place]) : entered;
      const values = token ? byToken[Math.max(0, token)] : isFixed ? byToken[0] : null;
      if (values) return values;
    }
    return anyValue(places);
  }

  /** Evaluate one rule that has changed and is not large. Returns whether others wait. */
  evaluate() {
    const [rule] = this.waiting;
    if (rule === undefined) return false;
    this.waiting.delete(rule);
    this.#evaluateRule(rule);
    return this.waiting.size > 0;
  }

  #evaluateRule(rule) {
    this.#load(rule);
    const [, term] = this.puzzle.check.rules[rule];
    if (canHold(possible(term, this.may))) this.broken.delete(rule);
    else this.broken.set(rule, this.#toBlame(rule));
  }

  #load(rule) {
    for (const unknown of this.ofRule[rule]) this.#values(unknown);
  }

  /** Evaluate all rules that have changed. Returns the numbers of those that are broken. */
  evaluateAll() {
    while (this.evaluate());
    for (const rule of this.waitingLarge) this.#evaluateRule(rule);
    this.waitingLarge.clear();
    return [...this.broken.keys()].sort((a, b) => a - b);
  }

  /** The unknowns of a broken rule without which it would not be broken. */
  #toBlame(rule) {
    const { check } = this.puzzle;
    const [, term] = check.rules[rule];
    const may = [...this.may];
    const needed = [];
    /** Leave unknowns open, if the rule is broken all the same. */
    const leaveOut = (unknowns) => {
      const values = unknowns.map((unknown) => may[unknown]);
      for (const unknown of unknowns) may[unknown] = anyValue(this.unknowns[unknown]);
      if (!canHold(possible(term, may))) return;
      unknowns.forEach((unknown, number) => (may[unknown] = values[number]));
      if (unknowns.length === 1) return void needed.push(...unknowns);
      const half = unknowns.length >> 1;
      leaveOut(unknowns.slice(0, half));
      leaveOut(unknowns.slice(half));
    };
    leaveOut(this.ofRule[rule]);
    return needed;
  }

  /** The places of the unknowns to blame for a broken rule, as [entry, place]. */
  blamed(rule) {
    const { unknowns } = this;
    return (this.broken.get(rule) ?? []).flatMap((unknown) => unknowns[unknown]);
  }

  /** The notes that rules exclude beside a place, as [entry, place, texts that remain]. */
  thinned(number, place) {
    const thin = [];
    const seen = new Set();
    for (const changed of this.unknownsAt.get(`${number} ${place}`) ?? [])
      for (const rule of this.rulesOf.get(changed) ?? []) {
        if (this.ofRule[rule].length > SHORT) continue;
        for (const unknown of this.ofRule[rule]) seen.add(unknown);
      }
    for (const unknown of seen)
      for (const [entry, at, byToken] of this.unknowns[unknown]) {
        const { notes, centre } = this.game.at(entry, at);
        if (!notes && !centre) continue;
        const may = (text) =>
          this.#mayBe(unknown, byToken[this.entries[entry].labels.indexOf(text)]);
        thin.push([entry, at, { notes: notes?.filter(may), centre: centre?.filter(may) }]);
      }
    return thin;
  }

  #mayBe(unknown, values) {
    if (!values) return true;
    return (this.rulesOf.get(unknown) ?? []).every((rule) => {
      if (this.ofRule[rule].length > SHORT) return true;
      this.#load(rule);
      const before = this.may[unknown];
      this.may[unknown] = values;
      const holds = canHold(possible(this.puzzle.check.rules[rule][1], this.may));
      this.may[unknown] = before;
      return holds;
    });
  }
}

/** The unknowns of rules, of which a page has runs. */
function unknownsOfCheck({ unknowns, tables }) {
  const withTable = ([entry, place, table]) => [entry, place, tables[table]];
  return unknowns.flatMap((places) => {
    if (Array.isArray(places[0])) return [places.map(withTable)];
    const [entry, first, count, table] = places;
    return Array.from({ length: count }, (_, number) => [
      withTable([entry, first + number, table]),
    ]);
  });
}

function append(map, key, number) {
  const numbers = map.get(key);
  if (numbers) numbers.push(number);
  else map.set(key, [number]);
}

/** The values that an unknown takes for some token. */
const anyValue = (places) => Object.values(places[0][2]).flat();
