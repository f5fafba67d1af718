// A page with several puzzles: a list of them, how far each is played, and the puzzle that is played.
import { button, element } from "./elements.js";
import { sha256 } from "./hash.js";
import { choicesKept } from "./store.js";
import { puzzleOfLink } from "./transfer.js";

const SIGNS = { begun: "begun", solved: "✓ solved" };

export class Book {
  /**
   * @param {HTMLElement} main With a header, a list of links, and a section for each puzzle.
   * @param {any[]} puzzles What the page knows of each.
   * @param {typeof import("./board.js").mount} mount
   */
  constructor(main, puzzles, mount) {
    this.main = main;
    this.puzzles = puzzles;
    this.mount = mount;
    this.contents = /** @type {HTMLElement} */ (main.querySelector(".contents"));
    this.links = [...this.contents.querySelectorAll("a")];
    /** @type {any[]} */
    this.sections = [...main.querySelectorAll(":scope > section")];
    this.header = /** @type {HTMLElement} */ (main.querySelector("header"));
    this.number = 0; // of the puzzle that is played, from 1
    this.played = null;
    this.name = `book ${sha256(puzzles.map(({ id }) => id).join(" ")).slice(0, 16)}`;
    this.progress = choicesKept.read(this.name, {});
    this.bar = element("nav", { class: "pages", "aria-label": "Pages" });
    this.contents.before(this.bar);
    addEventListener("hashchange", () => this.open());
    this.open();
  }

  /** Open what the address names: a puzzle by its number, a board of one, or the list. */
  open() {
    const { hash } = location;
    const linked = puzzleOfLink(hash);
    const byLink = this.puzzles.findIndex(({ id }) => id === linked) + 1;
    const number = byLink || Number(hash.slice(1)) || 0;
    this.#leave();
    this.number = this.puzzles[number - 1] ? number : 0;
    this.contents.hidden = this.number > 0;
    this.header.hidden = this.number > 0;
    if (this.number) this.#play();
    this.#drawBar();
    this.#drawProgress();
    scrollTo(0, 0);
  }

  #leave() {
    if (!this.played) return;
    this.played.end();
    this.played = null;
    this.sections[this.number - 1].replaceWith(this.blank);
    this.sections[this.number - 1] = this.blank;
  }

  #play() {
    const { number } = this;
    const section = this.sections[number - 1];
    const puzzle = this.puzzles[number - 1];
    this.blank = section.cloneNode(true);
    section.hidden = false;
    const note = () => this.#note(puzzle.id, played.state());
    const played = this.mount(section, puzzle, { changed: note });
    this.played = played;
    Object.assign(window, { puzzlekit: played });
    played.ready.then(() => {
      if (this.played !== played) return;
      if (location.hash !== `#${number}`) history.replaceState(null, "", `#${number}`);
      note();
    });
  }

  #note(id, { undo, solved }) {
    const state = solved ? "solved" : undo > 0 ? "begun" : null;
    const isLess = this.progress[id] === "solved" && state === "begun";
    if (!state || isLess || this.progress[id] === state) return;
    // another tab may have noted some, too
    this.progress = { ...choicesKept.read(this.name, {}), [id]: state };
    choicesKept.write(this.name, this.progress);
    this.#drawProgress();
  }

  #drawProgress() {
    this.puzzles.forEach(({ id }, at) => {
      const state = this.progress[id];
      this.links[at].querySelector("i").textContent = SIGNS[state] ?? "";
      this.links[at].dataset.state = state ?? "";
    });
    const solved = this.puzzles.filter(({ id }) => this.progress[id] === "solved").length;
    const text = `${solved} of ${this.puzzles.length} solved`;
    this.main.querySelector(".progress").textContent = text;
  }

  #drawBar() {
    const { number } = this;
    if (!number) return this.bar.replaceChildren();
    const go = (to) => () => (location.hash = String(to || ""));
    const step = (to, text, label) => {
      const isThere = to > 0 && to <= this.puzzles.length;
      return button(text, go(to), { "aria-label": label, disabled: !isThere });
    };
    this.bar.replaceChildren(
      step(number - 1, "‹", "The puzzle before"),
      button(`All puzzles (${number} of ${this.puzzles.length})`, go(0)),
      step(number + 1, "›", "The next puzzle"),
    );
  }
}
