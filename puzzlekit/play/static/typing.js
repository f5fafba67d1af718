// Texts and notes that are typed, into one place or into all that are selected. Nothing here
// needs a browser.
import { erase, put } from "./entering.js";
import { choices } from "./entries.js";

// keys that stand for signs which a keyboard lacks
const ALIKE = { ".": "·", "-": "−", "*": "×", "#": "■", "/": "÷" };

export class Typist {
  /** @param {import("./game.js").Game} game */
  constructor(game) {
    this.game = game;
    /** @type {{where: string, text: string} | null} A text of several characters. */
    this.begun = null;
  }

  /** Whether a character is a part of a text that may be entered, or of a note. */
  accepts(entry, character) {
    if (entry.free) return true;
    const lower = character.toLowerCase();
    return entry.texts.some(
      (text) => text.toLowerCase().includes(lower) || text === ALIKE[character],
    );
  }

  /** Type a character. Returns whether a place has its text, and the cursor can go on. */
  type(entry, places, character) {
    const lower = character.toLowerCase();
    const isPlain = entry.free || entry.texts.some((text) => text.toLowerCase().includes(lower));
    const typed = isPlain ? lower : (ALIKE[character] ?? lower);
    const open = places.filter((place) => !(place in entry.fixed));
    const longest = Math.max(1, ...entry.texts.map((text) => text.length));
    const tokens = new Set(open.flatMap((place) => choices(entry, place)));
    const texts = [...tokens].map((token) => entry.texts[token].toLowerCase());
    const goesOn = (text) => {
      if (entry.free) return text.length <= longest;
      return texts.some((whole) => whole && whole.startsWith(text));
    };
    const where = `${entry.number} ${open.join(" ")}`;
    const before = this.begun?.where === where ? this.begun.text : "";
    const text = goesOn(before + typed) ? before + typed : typed;
    this.begun = { where, text };
    const entered = open.filter((place) => this.#enter(entry, place, text));
    return places.length === 1 && entered.length === 1 && longest === 1;
  }

  #enter(entry, place, text) {
    const match = (token) => token && entry.texts[token].toLowerCase() === text;
    const token = entry.free ? text.toUpperCase() : choices(entry, place).find(match);
    if (token) put(this.game, entry, place, token);
    return Boolean(token);
  }

  /** Make a note, or take it away if it stands at all places. `field` is notes or centre. */
  note(entry, places, character, field) {
    const match = (text) => text.toLowerCase() === character.toLowerCase();
    const text = entry.free ? character.toUpperCase() : entry.labels.find((t) => t && match(t));
    if (!text) return;
    const open = places.filter((place) => !(place in entry.fixed));
    const notesOf = (place) => this.game.at(entry.number, place)[field] ?? [];
    const isEverywhere = open.every((place) => notesOf(place).includes(text));
    for (const place of open) {
      const others = notesOf(place).filter((note) => note !== text);
      const notes = isEverywhere ? others : [...others, text].sort();
      this.game.set(entry.number, place, { [field]: notes });
    }
  }

  /** Enter a token at all places. */
  token(entry, places, token) {
    for (const place of places) put(this.game, entry, place, token);
  }

  erase(entry, places) {
    this.begun = null;
    for (const place of places) erase(this.game, entry, place);
  }
}
