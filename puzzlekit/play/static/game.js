// The state of a game: what stands at each place, its history as deltas, and trials.
// Nothing here needs a browser.

/**
 * What stands at a place.
 *
 * held: the number of a token, any text, or the number of a piece. crossed: whether it is crossed
 * out. notes and centre: small candidates in the corners and in the middle. out: the numbers of
 * the tokens that are crossed out.
 *
 * @typedef {{held: number | string, crossed?: boolean, notes?: string[], centre?: string[],
 *   out?: number[]}} Mark
 */

/** A change: the number of the entry and the place, with the mark before and after.
 * @typedef {[number, number, Mark, Mark]} Delta */

const listed = (texts) => (texts ?? []).join(" ");

/** Whether two marks say the same. */
export function sameMark(a, b) {
  return (
    a === b ||
    (a.held === b.held &&
      !a.crossed === !b.crossed &&
      listed(a.notes) === listed(b.notes) &&
      listed(a.centre) === listed(b.centre) &&
      listed(a.out) === listed(b.out))
  );
}

/** A mark with other fields, and without those that say nothing. */
export function changedMark(mark, fields) {
  const { held, crossed, notes, centre, out } = { ...mark, ...fields };
  return {
    held,
    ...(crossed && { crossed }),
    ...(notes?.length && { notes }),
    ...(centre?.length && { centre }),
    ...(out?.length && { out }),
  };
}

const keyOf = (entry, place) => `${entry} ${place}`;
const ofKey = (key) => key.split(" ").map(Number);

export class Game {
  /** @param {Mark[][]} blanks What stands at each place of each entry of an empty board. */
  constructor(blanks) {
    this.blanks = blanks;
    this.marks = blanks.map((row) => [...row]);
    /** @type {Delta[][]} */
    this.past = [];
    /** @type {Delta[][]} */
    this.future = [];
    /** @type {number[]} How many steps there were when each trial began. */
    this.trials = [];
    /** @type {Map<string, Mark> | null} The marks before the step that is going on. */
    this.open = null;
    /** @type {(entry: number, place: number) => void} Is called for each mark that changes. */
    this.changed = () => {};
    this.tried = { depth: -1, length: 0, marks: new Map() };
  }

  at(entry, place) {
    return this.marks[entry][place];
  }

  begin() {
    this.open ??= new Map();
  }

  /** Change fields of a mark, within a step. */
  set(entry, place, fields) {
    this.replace(entry, place, changedMark(this.at(entry, place), fields));
  }

  /** Put a mark in the place of another, within a step. */
  replace(entry, place, mark) {
    const before = this.at(entry, place);
    if (sameMark(before, mark)) return;
    const key = keyOf(entry, place);
    if (!this.open.has(key)) this.open.set(key, before);
    this.#put(entry, place, mark);
  }

  /** End a step. Returns its deltas, or null if nothing changed. */
  end() {
    /** @type {Delta[]} */
    const step = [];
    for (const [key, before] of this.open ?? []) {
      const [entry, place] = ofKey(key);
      const after = this.at(entry, place);
      if (!sameMark(before, after)) step.push([entry, place, before, after]);
    }
    this.open = null;
    if (!step.length) return null;
    this.past.push(step);
    this.future = [];
    return step;
  }

  /** Take back what the step that is going on has changed. */
  cancel() {
    const open = this.open ?? [];
    this.open = null;
    for (const [key, before] of open) {
      const [entry, place] = ofKey(key);
      this.#put(entry, place, before);
    }
  }

  /** End a step that has changed nothing after all; one that has goes on. */
  settle() {
    for (const [key, before] of this.open ?? []) {
      const [entry, place] = ofKey(key);
      if (!sameMark(before, this.at(entry, place))) return;
    }
    this.open = null;
  }

  undo() {
    this.cancel();
    const step = this.past.pop();
    if (!step) return false;
    for (const [entry, place, before] of [...step].reverse()) this.#put(entry, place, before);
    this.future.push(step);
    this.trials = this.trials.filter((depth) => depth <= this.past.length);
    return true;
  }

  redo() {
    this.cancel();
    const step = this.future.pop();
    if (!step) return false;
    for (const [entry, place, , after] of step) this.#put(entry, place, after);
    this.past.push(step);
    return true;
  }

  try() {
    this.trials.push(this.past.length);
  }

  keepTrial() {
    this.trials.pop();
  }

  /** Go back to the board on which the last trial began, and forget what came after it. */
  dropTrial() {
    const depth = this.trials.pop() ?? 0;
    if (depth >= this.past.length) return;
    while (this.past.length > depth) this.undo();
    this.future = [];
  }

  /** Whether a mark was entered since the last trial began. */
  isTried(entry, place) {
    if (!this.trials.length) return false;
    const key = keyOf(entry, place);
    const before = this.#tried().get(key) ?? this.open?.get(key);
    return before !== undefined && before.held !== this.at(entry, place).held;
  }

  /** The places that were changed since the last trial began, with the marks before. */
  #tried() {
    const depth = this.trials.at(-1);
    const { tried, past } = this;
    if (tried.depth !== depth || tried.length > past.length)
      this.tried = { depth, length: depth, marks: new Map() };
    const { marks } = this.tried;
    for (const step of past.slice(this.tried.length))
      for (const [entry, place, before] of step) {
        const key = keyOf(entry, place);
        if (!marks.has(key)) marks.set(key, before);
      }
    this.tried.length = past.length;
    return marks;
  }

  /** Begin with other marks, without a step. */
  start(marks) {
    this.blanks.forEach((row, entry) =>
      row.forEach((blank, place) => this.#put(entry, place, marks[entry]?.[place] ?? blank)),
    );
  }

  /** The game as data, without its steps: `base` has the marks with which it began. */
  header(base) {
    const { past, future, trials } = this;
    return { done: past.length, length: past.length + future.length, trials, base };
  }

  /** The steps from a number on, in their order: those that were taken back come last. */
  steps(from = 0) {
    const future = [...this.future].reverse();
    const { length } = this.past;
    return from < length ? [...this.past.slice(from), ...future] : future.slice(from - length);
  }

  /**
   * Continue a game that was kept. Steps that were made in the meantime come after it.
   *
   * @param {{done: number, trials: number[]}} header
   * @param {Delta[][]} steps All of its steps.
   * @param {Mark[][]} base The marks with which it began.
   * @param {Delta[][]} meanwhile
   */
  restore(header, steps, base, meanwhile = []) {
    this.cancel();
    this.past = steps.slice(0, header.done);
    this.future = steps.slice(header.done).reverse();
    const marks = base.map((row) => [...row]);
    for (const step of this.past)
      for (const [entry, place, , after] of step) marks[entry][place] = after;
    this.start(marks);
    this.trials = header.trials.filter((depth) => depth <= header.done);
    this.tried.depth = -1;
    for (const step of meanwhile) {
      this.begin();
      for (const [entry, place, , after] of step) this.replace(entry, place, after);
      this.end();
    }
  }

  #put(entry, place, mark) {
    if (sameMark(this.at(entry, place), mark)) return;
    this.marks[entry][place] = mark;
    this.changed(entry, place);
  }
}

/** The marks that differ from those of an empty board, as [entry, place, mark]. */
export function sparse(blanks, marks) {
  const different = [];
  marks.forEach((row, entry) =>
    row.forEach((mark, place) => {
      if (!sameMark(mark, blanks[entry][place])) different.push([entry, place, mark]);
    }),
  );
  return different;
}

/** The inverse of `sparse`; null if the places are not those of this board. */
export function dense(blanks, different) {
  const marks = blanks.map((row) => [...row]);
  for (const [entry, place, mark] of different) {
    if (!marks[entry]?.[place] || typeof mark?.held !== typeof blanks[entry][place].held)
      return null;
    marks[entry][place] = changedMark(mark, {});
  }
  return marks;
}
