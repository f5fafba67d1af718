import assert from "node:assert/strict";
import { test } from "node:test";
import { blankMarks, preparedEntries } from "../../../puzzlekit/play/static/entries.js";
import { Game } from "../../../puzzlekit/play/static/game.js";
import { listenToKeys } from "../../../puzzlekit/play/static/keys.js";

const SIDE = 3;
const cells = Array.from({ length: SIDE * SIDE }, (_, n) => {
  const [row, column] = [Math.floor(n / SIDE), n % SIDE];
  return [2 * row, 2 * column, 40 * column, 40 * row];
});

/** A session with one entry and no page, and a function that presses a key. */
function keyboard(kind, tokens, places = cells) {
  const keys = tokens.map((token) => JSON.stringify(token));
  const data = { name: "e", kind, scene: 0, places, tokens, keys };
  const [entry] = preparedEntries({ cell: 40, scenes: [{ cells }], entries: [data] });
  const game = new Game([blankMarks(entry)]);
  const session = {
    game,
    size: 40,
    writer: { heading: "" },
    hand: { leaveTrace: () => {} },
    modes: [entry],
    mode: 0,
    cursor: { entry: 0, place: 0 },
    places: () => [session.cursor.place],
    moveCursor: (place) => (session.cursor = { entry: 0, place }),
    change: (action) => {
      game.begin();
      action();
      game.end();
    },
  };
  const target = new EventTarget();
  listenToKeys(target, session, new AbortController().signal);
  const press = (key, shiftKey = false) =>
    target.dispatchEvent(Object.assign(new Event("keydown"), { key, shiftKey, code: "" }));
  return { session, press, held: () => game.marks[0].map((mark) => mark.held) };
}

test("letters at the corners of WASD move and draw diagonally", () => {
  const [a, b, c, d] = [cells[0], cells[4], cells[1], cells[3]];
  const links = [
    [...a, ...b],
    [...c, ...d],
  ];
  const { session, press, held } = keyboard("lines", [[], [["line", "1"]]], links);
  const at = () => session.modes[0].stops[session.cursor.place].slice(0, 2);
  assert.deepEqual(at(), [0, 0]);
  press("C", true);
  assert.deepEqual(at(), [2, 2]);
  assert.deepEqual(held(), [1, 0]);
  press("w");
  assert.deepEqual(at(), [0, 2]);
  press("Z", true);
  assert.deepEqual(held(), [1, 1]);
  press("z");
  assert.deepEqual(at(), [2, 0]); // nothing is there
});

test("Enter goes through the values of a cell, for signs that no key types", () => {
  const tokens = [[], [["text", "○"]], [["text", "△"]], [["text", "□"]]];
  const { press, held } = keyboard("cells", tokens);
  const seen = [];
  for (let k = 0; k < 5; k++) {
    press("Enter");
    seen.push(held()[0]);
  }
  assert.deepEqual(seen, [1, 2, 3, 0, 0]); // a cross, then nothing
  press("Enter", true);
  press("Enter", true);
  assert.equal(held()[0], 3);
});
