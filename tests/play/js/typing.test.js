import assert from "node:assert/strict";
import { test } from "node:test";
import { blankMarks, preparedEntries } from "../../../puzzlekit/play/static/entries.js";
import { Game } from "../../../puzzlekit/play/static/game.js";
import { Typist } from "../../../puzzlekit/play/static/typing.js";

const cells = [0, 1, 2].map((column) => [0, 2 * column, 40 * column, 0]);

/** A row of cells with numbers from 1 to 12. */
function row(fixed = {}) {
  const texts = Array.from({ length: 12 }, (_, n) => String(n + 1));
  const tokens = [[], ...texts.map((text) => [["text", text]])];
  const keys = ["", ...texts.map((text) => `text:${text}`)];
  const data = { name: "e", kind: "cells", scene: 0, places: cells, tokens, keys, fixed };
  const [entry] = preparedEntries({ cell: 40, scenes: [{ cells }], entries: [data] });
  const game = new Game([blankMarks(entry)]);
  const typist = new Typist(game);
  const step = (action) => {
    game.begin();
    action();
    game.end();
  };
  const type = (places, text) =>
    step(() => [...text].forEach((character) => typist.type(entry, places, character)));
  return { entry, typist, step, type, held: () => game.marks[0].map((mark) => mark.held) };
}

test("a number of two digits goes to all chosen cells that are open", () => {
  const { type, held } = row({ 1: "text:7" });
  type([0, 1, 2], "12");
  assert.deepEqual(held(), [12, 7, 12]);
});

test("a digit that goes on with no number begins another, as it does after the cursor has moved", () => {
  const { type, typist, held } = row();
  type([0], "15");
  assert.equal(held()[0], 5);
  type([0], "1");
  typist.begun = null;
  type([0], "2");
  assert.equal(held()[0], 2);
});

test("a note is made at all chosen cells, and taken away if it stands at all", () => {
  const { entry, typist, step } = row();
  const notes = () => [0, 1, 2].map((place) => typist.game.at(0, place).notes ?? []);
  step(() => typist.note(entry, [0], "12", "notes"));
  step(() => typist.note(entry, [0, 1], "12", "notes"));
  assert.deepEqual(notes(), [["12"], ["12"], []]);
  step(() => typist.note(entry, [0, 1], "12", "notes"));
  assert.deepEqual(notes(), [[], [], []]);
});
