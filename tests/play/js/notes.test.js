import assert from "node:assert/strict";
import { test } from "node:test";
import { noteTexts } from "../../../puzzlekit/play/static/notes.js";

const NINE = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
const NONE = { low: false, corner: false };
const numbers = Array.from({ length: 40 }, (_, n) => String(n + 1));

/** The lowest and the highest point of texts, and how far they reach to the side. */
function box(lines) {
  const high = Math.min(...lines.map(([, , down, height]) => down - height / 2));
  const low = Math.max(...lines.map(([, , down, height]) => down + height / 2));
  const wide = Math.max(...lines.map(([text, , , height]) => text.length * height * 0.6));
  return { high, low, wide };
}

test("a digit always stands at the same point of a cell", () => {
  const [first] = noteTexts(NINE, { notes: ["5"] }, NONE);
  assert.deepEqual(first.slice(0, 2), ["5", 0]);
  assert.ok(Math.abs(first[2]) < 0.001);
  const [, last] = noteTexts(NINE, { notes: ["1", "9"] }, NONE);
  assert.ok(last[1] > 0 && last[2] > 0);
});

test("notes stay below a clue in the corner, and within the cell", () => {
  for (const list of [NINE, numbers.slice(0, 4), numbers.slice(8, 20), numbers])
    for (const mark of [{ notes: list }, { centre: list }, { notes: list, centre: list }])
      for (const low of [false, true]) {
        const { high, low: bottom, wide } = box(noteTexts(numbers, mark, { low, corner: false }));
        const most = list.length > 20 ? 1 : 0; // too many for any cell
        assert.ok(high >= (low ? -0.21 : -0.47) - most, `${list.length} ${high}`);
        assert.ok(bottom <= 0.47 + most, `${list.length} ${bottom}`);
        assert.ok(wide <= 1);
      }
});

test("candidates for a corner stand in it, above those for the cell", () => {
  const letters = noteTexts(
    ["A", "B", "C", "D"],
    { notes: ["B", "A"] },
    { low: true, corner: true },
  );
  assert.deepEqual(
    letters.map(([text]) => text),
    ["AB"],
  );
  const digits = noteTexts(
    ["1", "2", "3", "4"],
    { notes: ["1", "4"] },
    { low: true, corner: false },
  );
  assert.ok(box(letters).low <= box(digits).high + 0.001);
});

test("numbers of several digits are in order, with gaps, in as many rows as they need", () => {
  const texts = noteTexts(numbers, { centre: ["2", "11", "1", "12"] }, NONE).map(([text]) => text);
  assert.deepEqual(texts.join(" ").split(" "), ["1", "2", "11", "12"]);
});
