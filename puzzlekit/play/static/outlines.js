// The outlines on the boards of a session: the cursor, what is chosen, what an answer is about.

export class Outlines {
  /** @param {import("./session.js").Session} session */
  constructor(session) {
    this.session = session;
    this.spots = []; // the cell that somebody points at elsewhere
  }

  /**
   * Draw what an answer is about.
   *
   * @param {SVGElement[]} drawn For each board, an element with shapes.
   */
  light(drawn) {
    this.session.painter.overlay(drawn);
    this.glow([]);
  }

  /** Let squares of the first board glow, each with its middle and its side: what a phrase is about. */
  glow(squares) {
    this.session.painter.glow(squares);
  }

  spot(row, column) {
    const cells = this.session.clues.places.filter(([r, c]) => r === 2 * row && c === 2 * column);
    this.spots = cells.map(([, , x, y]) => ({ scene: 0, x, y, className: "spot" }));
    this.outline();
  }

  outline() {
    this.session.painter.outlines(
      "faulty",
      outlinesOf(this.session.entries, this.session.checks.faulty, "faulty"),
    );
    this.session.painter.outlines("spots", this.spots);
  }

  pointAtCursor() {
    const { entry, selection } = this.session;
    this.session.grids.forEach((grid, scene) => {
      const isHere = entry.kind !== "words" && entry.scene === scene;
      grid.show(isHere ? entry : null);
      if (isHere)
        grid.cursor(
          this.session.cursor?.entry === this.session.mode ? this.session.cursor.place : -1,
        );
    });
    const outline = (stop, className) => {
      const [, , x, y] = entry.stops[stop];
      return { scene: entry.scene, x, y, className, inset: className === "same" ? 1 : 0.94 };
    };
    const isShown = (entry.typed && selection.size > 1) || entry.moved;
    const chosen = isShown ? [...selection] : [];
    this.session.painter.outlines(
      "selected",
      chosen.map((stop) => outline(stop, "selected")),
    );
    this.session.painter.outlines(
      "same",
      this.#alike().map((stop) => outline(stop, "same")),
    );
  }

  /** The places with the same value as that of the cursor, and those that show the same unknown. */
  #alike() {
    const { entry, cursor, mode, game } = this.session;
    if (!this.session.settings.same || !entry.typed || entry.kind !== "cells") return [];
    if (cursor?.entry !== mode) return [];
    const marks = game.marks[entry.number];
    const held = marks[cursor.place]?.held;
    const linked = (entry.linked.get(cursor.place) ?? []).map(([place]) => place);
    const equal = held ? marks.flatMap((mark, place) => (mark.held === held ? [place] : [])) : [];
    return [...new Set([...linked, ...equal])].filter((place) => place !== cursor.place);
  }
}

/** The outlines of places, as [entry, place], each once. */
export function outlinesOf(entries, places, className) {
  const unique = new Map(places.map(([number, place]) => [`${number} ${place}`, [number, place]]));
  return [...unique.values()].flatMap(([number, place]) => {
    const entry = entries[number];
    const at = entry.places[place];
    const { scene } = entry;
    if (scene < 0 || entry.kind === "paths") return [];
    if (entry.kind !== "lines") return [{ scene, x: at[2], y: at[3], className }];
    return [{ scene, x: 0, y: 0, className, ends: [at[2], at[3], at[6], at[7]] }];
  });
}
