"""How large pictures of boards are, and how long drawing takes beyond solving:
`python benchmarks/pictures.py`.

The boards have 40 × 40 cells. The first picture of a puzzle includes what is known before solving;
those of its further solutions reuse it. Seconds of the processor, the least of five.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from puzzlekit.api import Query, Solution, load, puzzle_parts, sections
from puzzlekit.render import draw, drawing

SIZE = 40
TYPES = {
    "numbers in boxes of 5 × 5": """
let: {boxes: "{c: ((c.row - 1) // 5, (c.column - 1) // 5) for c in board.cells}"}
variables: {"x[c]": "between(1, 9) for c in board.cells"}
rules: {they are so: "x[c] == board[c] for c in board.cells"}
show: {picture: {text: x, borders: boxes}}
""",
    "half of the cells shaded, clues on two sides": """
let: {high: "[[board[c] for c in row[:4]] for row in board.rows]"}
variables: {"x[c]": "bool for c in board.cells"}
rules: {they are so: "x[c] == (board[c] > 4) for c in board.cells"}
show: {picture: {shade: x, outside: {left: high, top: high}}}
""",
    "lines along half of the sides, a number in each cell": """
variables: {"x[e]": "bool for e in board.edges"}
rules: {they are so: "x[e] == (n % 2 == 0) for n, e in enumerate(board.edges)"}
show: {picture: {lines: x, text: board}}
""",
    "lines from half of the cells to the next, circles in a third": """
variables: {"x[p]": "bool for p in board.adjacent"}
rules: {they are so: "x[p] == (n % 2 == 0) for n, p in enumerate(board.adjacent)"}
show: {picture: {lines: x, signs: {white_circle: "{c: board[c] < 4 for c in board.cells}"}}}
""",
}
HEAD = """puzzle: measured
data: {board: "grid[int]"}
"""


def took(work: Callable[[], object]) -> float:
    """Return the seconds of the processor that some work takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def whole(solution: Solution) -> str:
    """Return the picture of a solution as SVG."""
    return drawing("", [part for _, parts in sections(solution) for part in parts])


def measured(text: str, board: list[list[int]]) -> tuple[list[int], list[float]]:
    """Return the bytes of the puzzle and of its solution, and the seconds of each drawing."""
    seconds: list[list[float]] = []
    for _ in range(5):
        puzzle = load(HEAD + text, {"board": board})
        (solution,) = puzzle.run(Query(limit=1))
        first, again = (took(lambda: whole(solution)) for _ in range(2))  # noqa: B023  it is called at once
        parts = [part for _, own in sections(solution) for part in own]
        seconds.append([first, again, took(lambda: draw(parts, colour=True, wide=400))])  # noqa: B023
    texts = drawing("", puzzle_parts(puzzle.instance)), whole(solution)
    return [len(text.encode()) for text in texts], list(map(min, zip(*seconds)))


def main() -> None:
    """Print the table."""
    random.seed(1)
    board = [[random.randint(1, 9) for _ in range(SIZE)] for _ in range(SIZE)]
    print("| board of 40 × 40 | puzzle | solution | first | further | terminal |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, text in TYPES.items():
        sizes, seconds = measured(text, board)
        numbers = [*(f"{size / 1000:.0f}" for size in sizes), *(f"{time:.3f}" for time in seconds)]
        print(f"| {name} | {' | '.join(numbers)} |")


if __name__ == "__main__":
    main()
