"""Boards with clues at their sides."""

from tests.corpus.notation import Case, Kind, Page, Refused, line, shaded, values

SIDES = ("top", "bottom", "left", "right")


def lines(problem: Page) -> dict[str, list[int | None]]:
    """The clues of columns, then those of rows."""
    columns, rows = (
        line(problem.rows[number]) if number < len(problem.rows) else [] for number in (0, 1)
    )
    if (len(columns), len(rows)) != (problem.width, problem.height):
        raise Refused(
            f"{len(columns)} and {len(rows)} clues for {problem.width} columns "
            f"and {problem.height} rows"
        )
    return {"columns": columns, "rows": rows}


def only_lines(problem: Page) -> dict[str, list[int | None]]:
    """The clues of columns and rows of a board that has nothing given."""
    if any(word != "-" for row in problem.rows[2:] for word in row):
        raise Refused("something is given on the board")
    return lines(problem)


def abc_end_view(problem: Page, solution: Page) -> Case:
    """The third word of the head is the last letter."""
    letters = [chr(number) for number in range(ord("a"), ord(problem.head[2]) + 1)]
    sides = {
        side: [None if word == "-" else word for word in words]
        for side, words in zip(SIDES, problem.rows)
    }
    return {"letters": letters, **sides, **givens(problem, x="-")}, values("letter", solution)


def givens(problem: Page, **signs: str) -> dict[str, list[list[str | None]]]:
    """The board below four lines of clues, where there is one and it holds something."""
    board = problem.cells(after=4, **signs) if any(problem.rows[4:]) else []
    return {"givens": board} if any(word is not None for row in board for word in row) else {}


def doppelblock(problem: Page, solution: Page) -> Case:
    if int(problem.head[2]) != problem.width - 2:
        raise Refused(
            f"the highest number is {problem.head[2]} on a board of {problem.width} columns"
        )
    return only_lines(problem), values("number", solution, x="0")


def gappy(problem: Page, solution: Page) -> Case:
    return only_lines(problem), shaded("shaded", solution)


def number_cross(problem: Page, solution: Page) -> Case:
    return {"numbers": problem.board(after=2), **lines(problem)}, shaded("crossed_out", solution)


def skyscrapers(problem: Page, solution: Page) -> Case:
    """The head's third word is the highest building; a fourth, D, says that the diagonals differ,
    too.
    """
    highest, *words = problem.head[2:] or [str(problem.width)]
    if words not in ([], ["D"]):
        raise Refused(f"the first line has {' '.join(words)}")
    sides = {side: line(problem.rows[number]) for number, side in enumerate(SIDES)}
    fields = {"highest": highest, "diagonals": bool(words), **sides, **givens(problem)}
    return fields, values("height", solution)


KINDS: dict[str, Kind] = {
    "ABCEndView": Kind("abc_end_view", abc_end_view),
    "DoppelBlock": Kind("doppelblock", doppelblock),
    "Gappy": Kind("gappy", gappy),
    "Kakurasu": Kind("kakurasu", gappy),
    "NumberCross": Kind("number_cross", number_cross),
    "Skyscraper": Kind("skyscrapers", skyscrapers),
}
