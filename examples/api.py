"""The Python API: run it from the project's root."""

import puzzlekit

puzzle = puzzlekit.load("examples/magic_square.yaml", "examples/magic_square_4.yaml")
for solution in puzzle.solve(backend="z3"):
    for row in solution["number"]:
        print(*(f"{number:2}" for number in row))
print("solutions:", puzzle.count())

board = puzzlekit.load("sanalouhos", "specs/sanalouhos/first.yaml")
fewest = board.best("least_words")
assert fewest is not None, "the board has no solution"
print("fewest words:", *("/".join(tile["words"]) for tile in fewest["use"]))
