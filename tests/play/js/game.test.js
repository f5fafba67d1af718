import assert from "node:assert/strict";
import { test } from "node:test";
import { dense, Game, sparse } from "../../../puzzlekit/play/static/game.js";
import { boardOfLink, gameOf, gameText, linkOf } from "../../../puzzlekit/play/static/transfer.js";

const blanks = () => [Array.from({ length: 4 }, () => ({ held: 0 })), [{ held: "" }]];
const puzzle = { id: "one", title: "A puzzle" };

/** A pseudo-random number generator, so that a failure can be repeated. */
function generator(seed) {
  let state = seed;
  return (below) => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
}

function step(game, ...changes) {
  game.begin();
  for (const [entry, place, fields] of changes) game.set(entry, place, fields);
  return game.end();
}

test("a step that changes nothing in the end is none", () => {
  const game = new Game(blanks());
  assert.equal(step(game, [0, 1, { held: 2 }], [0, 1, { held: 0 }]), null);
  assert.equal(game.past.length, 0);
});

test("undo and redo lead through the same boards, whatever was entered", () => {
  const random = generator(5);
  const game = new Game(blanks());
  const boards = [JSON.stringify(game.marks)];
  while (boards.length < 200) {
    const fields = [
      { held: random(4) },
      { crossed: random(2) > 0 },
      { notes: ["1", "2"].slice(random(3)) },
    ];
    if (step(game, [0, random(4), fields[random(3)]], [0, random(4), { held: random(4) }]))
      boards.push(JSON.stringify(game.marks));
  }
  for (let n = boards.length - 2; n >= 0; n--) {
    assert.ok(game.undo());
    assert.equal(JSON.stringify(game.marks), boards[n]);
  }
  assert.ok(!game.undo());
  for (const board of boards.slice(1)) {
    assert.ok(game.redo());
    assert.equal(JSON.stringify(game.marks), board);
  }
});

test("a step that is taken back before it ends leaves no trace", () => {
  const game = new Game(blanks());
  step(game, [0, 0, { held: 1 }]);
  const before = JSON.stringify(game.marks);
  game.begin();
  game.set(0, 0, { held: 3 });
  game.set(1, 0, { held: "A" });
  game.cancel();
  assert.equal(JSON.stringify(game.marks), before);
  assert.equal(game.past.length, 1);
});

test("a dropped trial leaves the board on which it began, after any number of moves", () => {
  const game = new Game(blanks());
  step(game, [0, 0, { held: 1 }]);
  const before = JSON.stringify(game.marks);
  game.try();
  for (let n = 0; n < 340; n++) step(game, [0, n % 4, { held: 1 + ((n >> 2) % 3) }]);
  const kept = JSON.parse(
    JSON.stringify([game.header(sparse(game.blanks, game.blanks)), game.steps()]),
  );
  const again = new Game(blanks());
  again.restore(kept[0], kept[1], dense(again.blanks, kept[0].base));
  assert.ok(again.isTried(0, 1));
  again.dropTrial();
  assert.equal(JSON.stringify(again.marks), before);
  assert.equal(again.trials.length, 0);
});

test("steps made before a game was loaded come after its own", () => {
  const kept = new Game(blanks());
  step(kept, [0, 0, { held: 1 }]);
  const game = new Game(blanks());
  step(game, [0, 1, { held: 2 }]);
  game.restore(kept.header([]), kept.steps(), blanks(), game.past);
  assert.deepEqual(
    game.marks[0].map(({ held }) => held),
    [1, 2, 0, 0],
  );
  assert.equal(game.past.length, 2);
});

test("a move stays fast after 5,000 others", () => {
  const game = new Game(blanks());
  const begin = performance.now();
  for (let n = 0; n < 5000; n++) step(game, [0, n % 4, { held: 1 + (n % 3) }]);
  assert.ok((performance.now() - begin) / 5000 < 1);
});

test("a game goes through a file, and a board through a link", () => {
  const game = new Game(blanks());
  step(game, [0, 2, { held: 3, notes: ["1"] }], [1, 0, { held: "Ä" }]);
  step(game, [0, 1, { crossed: true }]);
  game.undo();
  const text = gameText(puzzle, game.header([]), game.steps());
  const { header, steps } = gameOf(text, puzzle, blanks());
  const again = new Game(blanks());
  again.restore(header, steps, dense(again.blanks, header.base));
  assert.deepEqual(again.marks, game.marks);
  assert.ok(again.redo());
  const marks = boardOfLink(`#${linkOf(puzzle, game.blanks, game.marks)}`, puzzle, blanks());
  assert.deepEqual(marks, game.marks);
});

test("files and links that are no games of this puzzle are refused", () => {
  const game = {
    format: "puzzlekit game",
    puzzle: "one",
    done: 0,
    trials: [],
    base: [],
    steps: [],
  };
  const damaged = [
    "",
    "{}",
    "[1]",
    JSON.stringify({ ...game, puzzle: "two" }),
    JSON.stringify({ ...game, done: 3 }),
    JSON.stringify({ ...game, base: [[0, 9, { held: 1 }]] }),
    JSON.stringify({ ...game, base: [[0, 0, { held: "1" }]] }),
    JSON.stringify({ ...game, steps: [[[0, 0, { held: 1 }, null]]] }),
    JSON.stringify({ ...game, steps: null }),
  ];
  for (const text of damaged) assert.throws(() => gameOf(text, puzzle, blanks()), /This file/);
  for (const hash of [
    "",
    "#game=",
    "#game=abc",
    "#x",
    `#${linkOf({ id: "two" }, blanks(), blanks())}`,
  ])
    assert.equal(boardOfLink(hash, puzzle, blanks()), null);
});
