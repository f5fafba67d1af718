// What is typed at the cursor of a session, or entered with the keys of the page.
import { Typist } from "./typing.js";

export class Writer {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.typist = new Typist(session.game);
    this.pencil = ""; // which notes are typed: notes, centre or none
    this.heading = "ArrowRight"; // where a word goes that is being spelt
  }

  /** Let words go the other way. */
  turn() {
    this.heading = turned(this.heading);
  }

  toggleNotes(field) {
    this.pencil = this.pencil === field ? "" : field;
    this.session.refresh();
  }

  type(character) {
    const { entry } = this.session;
    const places = this.session.places();
    if (!places.length) return;
    if (this.pencil) return this.note(character, this.pencil);
    let goesOn = false;
    this.session.change(() => (goesOn = this.typist.type(entry, places, character)));
    if (goesOn) this.#advance(entry, places[0]);
  }

  note(character, field) {
    const places = this.session.places();
    if (places.length)
      this.session.change(() => this.typist.note(this.session.entry, places, character, field));
  }

  /** Enter a token with a key of the page. */
  enter(token, text) {
    const places = this.session.places();
    if (!places.length) return;
    if (this.pencil) return this.note(text, this.pencil);
    this.session.change(() => this.typist.token(this.session.entry, places, token));
    if (places.length === 1) this.#advance(this.session.entry, places[0]);
  }

  erase() {
    this.session.change(() => this.typist.erase(this.session.entry, this.session.places()));
  }

  writeClue(text) {
    const [row, column] = this.session.clues.places[this.session.cursor.place];
    this.session.options.clue(row / 2, column / 2, text);
  }

  /** Go to the next cell of a word that is not given. */
  #advance(entry, place) {
    if (!this.session.puzzle.spelt) return;
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
    if (to !== undefined) this.session.moveCursor(to);
  }
}

const turned = (way) => (way === "ArrowRight" ? "ArrowDown" : "ArrowRight");
