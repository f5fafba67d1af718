import assert from "node:assert/strict";
import { test } from "node:test";
import { blankMarks, preparedEntries } from "../../../puzzlekit/play/static/entries.js";
import { Game } from "../../../puzzlekit/play/static/game.js";
import { beginStroke } from "../../../puzzlekit/play/static/strokes.js";

const SIDE = 9;
const at = (n) => 40 * n;
const cells = () => {
  const places = [];
  for (let row = 0; row < SIDE; row++)
    for (let column = 0; column < SIDE; column++)
      places.push([2 * row, 2 * column, at(column), at(row)]);
  return places;
};

function links() {
  const places = [];
  for (const [row, column, x, y] of cells()) {
    if (column < 2 * SIDE - 2) places.push([row, column, x, y, row, column + 2, x + 40, y]);
    if (row < 2 * SIDE - 2) places.push([row, column, x, y, row + 2, column, x, y + 40]);
  }
  return places;
}

/** A board with one entry, and the tools to draw on it. */
function board(kind, tokens, places = cells(), more = {}) {
  const scenes = [{ cells: cells() }];
  const keys = tokens.map((token) => JSON.stringify(token));
  const puzzle = {
    cell: 40,
    scenes,
    entries: [{ name: "e", kind, scene: 0, places, tokens, keys, ...more }],
  };
  const entries = preparedEntries(puzzle);
  const game = new Game(entries.map(blankMarks));
  const tools = {
    game,
    size: 40,
    entry: entries[0],
    crossing: false,
    selection: new Set(),
    extend: false,
    colour: 1,
  };
  return { game, tools };
}

function draw({ game, tools }, points) {
  game.begin();
  const [[x, y], ...others] = points;
  const stroke = beginStroke(tools, x, y);
  for (const point of others) stroke.move(point[0], point[1]);
  stroke.end();
  return game.end();
}

const count = (game) => game.marks[0].filter(({ held }) => held).length;
const LINE = [[], [["line", "1"]]];
const SHADE = [[], [["shade", "full"]]];
const LAMP = [[], [["sign", "bulb"]]];

test("a line between two far events has all its links", () => {
  const drawn = board("lines", LINE, links());
  draw(drawn, [
    [0, 80],
    [at(8), 80],
  ]);
  assert.equal(count(drawn.game), 8);
  assert.equal(drawn.game.past.length, 1);
});

test("a line goes around corners that the events cut", () => {
  const drawn = board("lines", LINE, links());
  draw(drawn, [
    [0, 0],
    [at(1) - 5, at(1) + 3],
    [at(4), at(4)],
  ]);
  const degree = new Map();
  drawn.game.marks[0].forEach(({ held }, link) => {
    if (!held) return;
    const [a, b, , , c, d] = links()[link];
    for (const end of [`${a},${b}`, `${c},${d}`]) degree.set(end, (degree.get(end) ?? 0) + 1);
  });
  assert.equal(degree.get("0,0"), 1);
  assert.equal(degree.get("8,8"), 1);
  assert.ok([...degree.values()].every((links_) => links_ <= 2));
  assert.equal(count(drawn.game), 8);
});

test("shades between two far events are all drawn, and the next stroke takes them away", () => {
  const drawn = board("cells", SHADE);
  const row = [
    [0, 40],
    [at(8), 40],
  ];
  draw(drawn, row);
  assert.equal(count(drawn.game), SIDE);
  drawn.game.undo();
  assert.equal(count(drawn.game), 0);
});

test("pieces between two far events are one piece", () => {
  const drawn = board("pieces", [[]]);
  draw(drawn, [
    [0, 0],
    [at(8), 0],
    [at(8), at(8)],
  ]);
  assert.equal(count(drawn.game), 17);
  assert.equal(new Set(drawn.game.marks[0].map(({ held }) => held)).size, 2);
});

test("a drag over typed cells chooses all of them", () => {
  const texts = ["1", "2", "3"].map((text) => [["text", text]]);
  const drawn = board("cells", [[], ...texts]);
  draw(drawn, [
    [0, 0],
    [at(8), 0],
  ]);
  assert.equal(drawn.tools.selection.size, SIDE);
  draw(drawn, [[at(3), at(3)]]);
  assert.equal(drawn.tools.selection.size, 1);
});

test("a drag of crosses that begins at a cross erases nothing", () => {
  for (const tokens of [SHADE, LAMP]) {
    const drawn = board("cells", tokens);
    drawn.tools.crossing = true;
    const crosses = () => drawn.game.marks[0].filter(({ crossed }) => crossed).length;
    draw(drawn, [[0, 0]]);
    draw(drawn, [
      [0, 0],
      [at(8), 0],
    ]);
    assert.equal(crosses(), SIDE);
    draw(drawn, [[0, 0]]); // a click takes it away
    assert.equal(crosses(), SIDE - 1);
  }
});

test("a long press makes a cross", () => {
  const { game, tools } = board("cells", SHADE);
  game.begin();
  const stroke = beginStroke(tools, 80, 80);
  assert.ok(stroke.hold());
  stroke.end();
  game.end();
  assert.equal(game.marks[0].filter(({ crossed }) => crossed).length, 1);
  assert.equal(count(game), 0);
});

test("a word is traced as it is drawn, from either end, and on a straight way by its ends", () => {
  const paths = [
    [0, 10, 20, 30],
    [0, 1, 2],
    [5, 4],
  ];
  const drawn = board("paths", [[], [["path", "1"]]], paths);
  const held = () => drawn.game.marks[0].map((mark) => mark.held);
  draw(drawn, [
    [at(3), at(3)],
    [0, 0],
  ]);
  assert.deepEqual(held(), [1, 0, 0]);
  draw(drawn, [
    [0, 0],
    [at(2), 0],
  ]);
  assert.deepEqual(held(), [1, 1, 0]);
  draw(drawn, [
    [0, at(4)],
    [at(2), at(4)],
  ]); // no word
  assert.deepEqual(held(), [1, 1, 0]);
  draw(drawn, [[at(1), at(1)]]); // a tap takes a word away
  assert.deepEqual(held(), [0, 1, 0]);
});
