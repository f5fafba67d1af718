// What the keyboard does.
import { CROSS, crossAfter, freshPiece, nextState, setState, stateOf } from "./entering.js";
import { between, isOpen } from "./entries.js";
import { travel } from "./geometry.js";
import { WAYS } from "./spoken.js";

const ARROWS = { ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right" };
/** Letters that go like arrows, and those at their corners, which go diagonally. */
const LETTERS = {
  w: "up",
  a: "left",
  s: "down",
  d: "right",
  q: "up left",
  e: "up right",
  z: "down left",
  c: "down right",
};

/** Hear the keys of an element. */
export function listenToKeys(target, session, signal) {
  target.addEventListener("keydown", (event) => new Key(event, session).act(), { signal });
}

/** One key that was pressed. */
class Key {
  constructor(event, session) {
    this.event = event;
    this.session = session;
    this.entry = session.modes[session.mode];
    const { cursor } = session;
    this.isThere = cursor?.entry === session.mode; // whether there is a cursor
    this.stop = this.isThere ? cursor.place : 0;
    this.control = event.ctrlKey || event.metaKey;
  }

  act() {
    const { event, entry } = this;
    if (event.target.matches?.("input:not([type=checkbox]), select, textarea, summary")) return;
    if (this.#history()) return event.preventDefault();
    const isInGrid = event.target.matches?.("td *"); // which has its own keys
    if (event.altKey || isInGrid || entry.kind === "words") return;
    if (this.#moves() || this.#notes()) return event.preventDefault();
    const isPressed = event.key === " " || event.key === "Enter";
    const isForButton = event.target.matches?.("button") && isPressed;
    if (this.control || isForButton) return;
    if (this.#enters()) event.preventDefault();
  }

  /** Keys that move the cursor or choose places. */
  #moves() {
    const way = this.#way();
    if (way) this.#travel(WAYS[way]);
    return way || this.#jump() || this.#selectAll();
  }

  /** Keys that enter something, or choose what is entered. */
  #enters() {
    const { event } = this;
    if (this.isThere && isOpen(this.entry, this.stop)) return this.#write();
    if (event.key === " ") return this.isThere;
    if (event.key.length === 1) this.#letter();
    return false;
  }

  #history() {
    const key = this.event.key.toLowerCase();
    if (!this.control || (key !== "z" && key !== "y")) return false;
    if (key === "y" || this.event.shiftKey) this.session.doRedo();
    else this.session.doUndo();
    return true;
  }

  #way() {
    const { event, entry } = this;
    if (event.key in ARROWS) return ARROWS[event.key];
    const letter = event.key.toLowerCase();
    const isFree =
      !this.control && !((entry.typed || entry.moved) && entry.spelt) && entry.kind !== "clues";
    return isFree && letter in LETTERS ? LETTERS[letter] : null;
  }

  #travel(way) {
    const { session, entry, stop, event } = this;
    const { size } = session;
    session.writer.heading = way[0] ? "ArrowDown" : "ArrowRight";
    const to = this.isThere ? travel(entry.stops, entry.stopIndex, stop, way, size) : stop;
    const draws = event.shiftKey || session.crossNext;
    if (draws && to !== stop) this.#draw(to);
    else session.hand.leaveTrace();
    const stays = draws && entry.kind === "sides";
    session.crossNext = false;
    const extends_ = event.shiftKey && entry.typed;
    session.moveCursor(stays ? stop : to, { extend: extends_ });
  }

  /** Draw a line or a border, or join two cells, in the direction of an arrow. */
  #draw(to) {
    const { session, entry, stop } = this;
    const { game } = session;
    if (entry.kind === "pieces")
      session.change(() => {
        const piece = game.at(entry.number, stop).held || freshPiece(game, entry);
        game.set(entry.number, stop, { held: piece });
        game.set(entry.number, to, { held: piece });
      });
    else if (entry.kind === "lines" || entry.kind === "sides") {
      const link = between(entry, stop, to, session.size);
      if (link < 0) return;
      const state = session.crossNext
        ? crossAfter(game, entry, link)
        : nextState(game, entry, link);
      session.change(() => setState(game, entry, link, state));
    } else if (entry.kind === "paths") session.hand.trace(stop, to);
  }

  #jump() {
    const { event, session, entry } = this;
    if (event.key !== "Home" && event.key !== "End") return false;
    const { stops } = entry;
    const [row] = stops[this.stop];
    const order = (a, b) => stops[a][0] - stops[b][0] || stops[a][1] - stops[b][1];
    const all = [...stops.keys()].sort(order);
    const line = this.control ? all : all.filter((stop) => stops[stop][0] === row);
    session.moveCursor(event.key === "Home" ? line[0] : line.at(-1), {
      extend: event.shiftKey && entry.typed,
    });
    return true;
  }

  #selectAll() {
    const { session, entry } = this;
    if (!this.control || this.event.key.toLowerCase() !== "a" || !entry.typed) return false;
    session.select([...entry.places.keys()].filter((place) => !(place in entry.fixed)));
    return true;
  }

  /** Ctrl with a character makes a note in the middle, Shift with a digit one in a corner. */
  #notes() {
    const { event, session, entry } = this;
    const [, digit] = /^(?:Digit|Numpad)(\d)$/.exec(event.code) ?? [];
    const isTyped = this.isThere && entry.typed && entry.kind === "cells";
    if (!isTyped || digit === undefined || (!this.control && !event.shiftKey)) return false;
    session.writer.note(digit, this.control ? "centre" : "notes");
    return true;
  }

  /** Keys that enter something where the cursor stands. Returns whether the key is used. */
  #write() {
    const { event, session, entry } = this;
    const { key } = event;
    const isErased = key === "Backspace" || key === "Delete";
    if (entry.kind === "clues") {
      if (key.length !== 1 && !isErased) return false;
      session.writer.writeClue(isErased ? "" : key);
      return true;
    }
    if (isErased) return this.#erase();
    if (key === " " || key === "Enter") return this.#press();
    if (key.length !== 1) return false;
    return this.#type(key);
  }

  #erase() {
    const { session, entry, stop } = this;
    const { game } = session;
    if (entry.kind === "cells") session.writer.erase();
    else if (entry.kind === "pieces" || entry.kind === "colours")
      session.change(() => game.set(entry.number, stop, { held: 0 }));
    return true;
  }

  #press() {
    const { session, entry, stop, event } = this;
    const { game } = session;
    if (entry.moved) session.hand.pick();
    else if (entry.kind === "cells" && !entry.typed) {
      const state = nextState(game, entry, stop, event.shiftKey);
      session.change(() => setState(game, entry, stop, state));
    } else if (entry.kind === "pieces") {
      const piece = game.at(entry.number, stop).held ? 0 : freshPiece(game, entry);
      session.change(() => game.set(entry.number, stop, { held: piece }));
    } else if (entry.kind === "colours") {
      const colour = game.at(entry.number, stop).held === session.colour ? 0 : session.colour;
      session.change(() => game.set(entry.number, stop, { held: colour }));
    } else if (entry.kind === "paths") session.hand.endTrace();
    else if (entry.typed && event.key === "Enter" && !entry.free) this.#turn();
    else if (entry.typed) session.writer.toggleNotes("notes");
    return true;
  }

  /** The next value in all chosen cells, as a click does where there are few. */
  #turn() {
    const { session, entry, stop, event } = this;
    const { game } = session;
    const state = nextState(game, entry, stop, event.shiftKey);
    session.change(() => {
      for (const place of session.places()) setState(game, entry, place, state);
    });
  }

  #type(key) {
    const { session, entry, stop } = this;
    const { game } = session;
    if (entry.kind === "colours" && /^[0-9]$/.test(key)) {
      session.colour = Math.min(6, Number(key)) || session.colour;
      session.change(() => game.set(entry.number, stop, { held: Math.min(6, Number(key)) }));
      return true;
    }
    const isText = entry.texts.some((text) => text.toLowerCase() === key.toLowerCase());
    if (
      entry.kind === "cells" &&
      (isText || (entry.typed && session.writer.typist.accepts(entry, key)))
    ) {
      session.writer.type(key);
      return true;
    }
    if (key.toLowerCase() === "x" && entry.crossed) return this.#cross();
    return this.#letter();
  }

  /** A cross in a cell; on a line or a side, one in the direction of the next arrow. */
  #cross() {
    const { session, entry } = this;
    const { game } = session;
    if (entry.kind !== "cells") session.crossNext = true;
    else
      session.change(() => {
        for (const place of session.places())
          setState(game, entry, place, stateOf(game, entry, place) === CROSS ? 0 : CROSS);
      });
    return true;
  }

  #letter() {
    const { session, entry, event } = this;
    if (event.key === "." && entry.dotted) session.toggleCrossing();
    else if (event.key === "m" && session.modes.length > 1)
      session.choose((session.mode + 1) % session.modes.length);
    else return false;
    return true;
  }
}
