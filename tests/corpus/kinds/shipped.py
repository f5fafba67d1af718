"""The kinds of the first types."""

from dataclasses import replace
from itertools import product

from tests.corpus.notation import (
    Answer,
    Case,
    Kind,
    Page,
    Refused,
    cell,
    path,
    regions,
    shaded,
    values,
)


def hitori(problem: Page, solution: Page) -> Case:
    return {"numbers": problem.cells()}, shaded("shaded", solution)


def kakuro(problem: Page, solution: Page) -> Case:
    """0 is a white cell; a black one has the sum below it and that to its right,
    such as 16,23 or ,7.
    """
    board = [[None if word == "0" else _sums(word) for word in row] for row in problem.board()]
    return {"board": board, "gaps": True}, values("digit", solution)


def _sums(word: str) -> tuple[int | None, int | None]:
    below, _, right = word.partition(",") if word != "-" else ("", "", "")
    return int(below) if below else None, int(right) if right else None


def killer(problem: Page, solution: Page) -> Case:
    """A board of sums, each in one cell of its cage, then the board of cages."""
    sums, cages = problem.board(), problem.board(1)
    found: dict[str, int] = {}
    for r, c in product(range(problem.height), range(problem.width)):
        if sums[r][c] != "-":
            if cages[r][c] in found:
                raise Refused(f"the cage {cages[r][c]} has two sums")
            found[cages[r][c]] = int(sums[r][c])
    if missing := regions(cages).keys() - found.keys():
        raise Refused(f"{len(missing)} cages have no sum")
    return {"cages": cages, "sums": found, "box": box(problem.width)}, digits(solution)


def digits(solution: Page) -> Answer:
    """A sudoku's digits.

    The collection lost the note of some that their diagonals differ, so this says whether they do.
    """
    rows = solution.board()
    diagonals = [
        {row[i] for i, row in enumerate(rows)},
        {row[-1 - i] for i, row in enumerate(rows)},
    ]
    differ = all(len(diagonal) == len(rows) for diagonal in diagonals)
    return replace(
        values("digit", solution), note="the collection's diagonals differ" if differ else ""
    )


def box(size: int) -> tuple[int, int]:
    """The box of a sudoku of this size: as square as it can be, wider than high."""
    high = next(n for n in range(int(size**0.5), 0, -1) if size % n == 0)
    return high, size // high


def masyu(problem: Page, solution: Page) -> Case:
    """Pearls are w and b, in some entries 1 (white) and 2 (black)."""
    return {"pearls": problem.cells(**{"1": "w", "2": "b"})}, path("line", solution)


def nonogram(problem: Page, solution: Page) -> Case:
    """A line of runs for each column, then one for each row."""
    lines = problem.width + problem.height
    clues = [
        [int(word) for word in row] or [0] for row in problem.rows[:lines]
    ]  # an empty line has no runs
    if len(clues) < lines or any(problem.rows[lines:]):
        raise Refused(
            f"{len(problem.rows)} lines of clues for {problem.width} columns "
            f"and {problem.height} rows"
        )
    return {"columns": clues[: problem.width], "rows": clues[problem.width :]}, shaded(
        "black", solution
    )


def nurikabe(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells()}, shaded("sea", solution)


def slitherlink(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells()}, around(solution)


def around(solution: Page) -> Answer:
    """A loop along sides of cells, of which the solution marks those inside by x."""
    inside = {
        (r, c)
        for r, row in enumerate(solution.board(), 1)
        for c, word in enumerate(row, 1)
        if word == "x"
    }
    sides = dict[frozenset[str], int]()
    for r, c in inside:
        corners = [
            f"+{cell(r + down, c + right)}" for down, right in ((0, 0), (0, 1), (1, 1), (1, 0))
        ]
        for side in map(frozenset, zip(corners, [*corners[1:], corners[0]])):
            sides[side] = sides.get(side, 0) + 1
    loop = frozenset(side for side, cells in sides.items() if cells == 1)
    return Answer(loop, lambda json: frozenset(map(frozenset, json["line"])))


def star_battle(problem: Page, solution: Page) -> Case:
    """The third number of the head is how many stars; @ and # are cells of no region."""
    stars = int(problem.head[2])
    if any(row.count("x") != stars for row in solution.board()):
        raise Refused(
            f"the collection says {stars} stars in each row, and its solution has another number"
        )
    return {"regions": problem.cells(**{"@": None, "#": None}), "stars": stars}, shaded(
        "star", solution
    )


def sudoku(problem: Page, solution: Page) -> Case:
    return {"givens": problem.cells(), "box": box(problem.width)}, digits(solution)


KINDS = {
    "Hitori": Kind("hitori", hitori),
    "Kakuro": Kind("kakuro", kakuro),
    "KillerSudoku": Kind("killer", killer),
    "Masyu": Kind("masyu", masyu),
    "Nonogram": Kind("nonogram", nonogram),
    "Nurikabe": Kind("nurikabe", nurikabe),
    "Slitherlink": Kind("slitherlink", slitherlink),
    "Starbattle": Kind("star_battle", star_battle),
    "Sudoku": Kind("sudoku", sudoku),
}
