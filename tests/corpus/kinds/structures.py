"""Regions of unknown number, bridges, and sides of loops."""

from typing import Any

from tests.corpus.notation import Answer, Case, Kind, Page, Refused, cell, path, values

COLOURS = {"x": "b", "o": "w"}


def fillomino(problem: Page, solution: Page) -> Case:
    return {"clues": problem.cells()}, values("number", solution)


def hashi(problem: Page, solution: Page) -> Case:
    """The solution has 1 or 2 in cells below bridges that run across,
    a or b in cells below those that run down.
    """
    islands, board = problem.cells(), solution.board()
    found = {}
    for r, row in enumerate(islands):
        for c in (c for c, word in enumerate(row) if word is not None):
            for down, right, signs in ((0, 1, "12"), (1, 0, "ab")):
                y, x = r + down, c + right
                while y < len(board) and x < len(row) and islands[y][x] is None:
                    y, x = y + down, x + right
                if y >= len(board) or x >= len(row):
                    continue
                if (y, x) == (r + down, c + right):
                    raise Refused(
                        "two islands are neighbours: the collection does not show the bridges "
                        "between them"
                    )
                sign = board[r + down][c + right]
                found[f"({cell(r + 1, c + 1)}, {cell(y + 1, x + 1)})"] = (
                    signs.find(sign) + 1 if sign != "-" else 0
                )
    return {"islands": islands}, Answer(found, lambda json: json["bridges"])


def castle_wall(problem: Page, solution: Page) -> Case:
    """A clue is a number and its direction, then x for a black cell and o for a white one."""
    clues = [["" if word == "-" else word for word in row] for row in problem.board()]

    def board(part: Any) -> list[list[str | None]]:
        return [[(part(word) or None) if word else None for word in row] for row in clues]

    fields = {
        "colours": board(lambda word: COLOURS.get(word[-1], "g")),
        "numbers": board(lambda word: "".join(filter(str.isdigit, word))),
        "arrows": board(lambda word: "".join(sign for sign in word if sign in "nesw")),
    }
    return fields, path("line", solution)


KINDS: dict[str, Kind] = {
    "Fillomino": Kind("fillomino", fillomino),
    "Hashi": Kind("hashi", hashi),
    "CastleWall": Kind("castle_wall", castle_wall),
}
