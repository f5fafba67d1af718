"""Numbers in rows and columns."""

from collections.abc import Sequence
from dataclasses import replace

from tests.corpus.notation import (
    Answer,
    Case,
    Kind,
    Page,
    Refused,
    cells,
    every,
    line,
    shaded,
    values,
)


def binairo(problem: Page, solution: Page) -> Case:
    """The digits are 1 and 2. Rows may be equal, and are in most of the solutions."""
    digits = {"1": "0", "2": "1"}
    givens = cells(problem.board(), **digits)
    expected = [[digits.get(word, word) for word in row] for row in solution.board()]
    return {"givens": givens, "lines_differ": False}, values(
        "digit", replace(solution, rows=expected)
    )


def bosanowa(problem: Page, solution: Page) -> Case:
    """A dot is a hole. No bound is given: twice the greatest number that is, and at least 40."""
    board = problem.board()
    greatest = max((int(word) for row in board for word in row if word.isdigit()), default=0)
    return {"givens": cells(board, **{".": "_"}), "largest": max(40, 2 * greatest)}, values(
        "number", solution
    )


def bricks(problem: Page, solution: Page) -> Case:
    """The problem does not say which rows begin with half a brick."""
    return {"givens": problem.cells()}, values("number", solution)


def eulero(problem: Page, solution: Page) -> Case:
    """The second digit of a cell stands for a letter; 0 is unknown."""
    words = [word for row in problem.board() + solution.board() for word in row]
    if wrong := next((word for word in words if len(word) != 2 or not word.isdigit()), None):
        raise Refused(f"{wrong} is not a pair of digits")
    numbers = [[word[0] if word[0] != "0" else None for word in row] for row in problem.board()]
    letters = [
        ["abcdefghi"[int(word[1]) - 1] if word[1] != "0" else None for word in row]
        for row in problem.board()
    ]
    first, second = ([[word[part] for word in row] for row in solution.board()] for part in (0, 1))
    named = [["abcdefghi"[int(word) - 1] for word in row] for row in second]
    return {"numbers": numbers, "letters": letters}, Answer(
        (_joined(first), _joined(named)),
        lambda json: (_joined(json["number"]), _joined(json["letter"])),
    )


def _joined(rows: Sequence[Sequence[object]]) -> tuple[str, ...]:
    return tuple("".join(map(str, row)) for row in rows)


def factors(problem: Page, solution: Page) -> Case:
    rooms = problem.board(1)
    return {"regions": rooms, "products": clues(problem.board(), rooms)}, values("number", solution)


def clues(board: list[list[str]], rooms: list[list[str]]) -> dict[str, str]:
    """The clue of each region, which stands in one of its cells."""
    found: dict[str, str] = {}
    for row, names in zip(board, rooms):
        for word, name in zip(row, names):
            if word not in "-.":
                if name in found:
                    raise Refused(f"the region {name} has two clues")
                found[name] = word
    return found


def fuzuli(problem: Page, solution: Page) -> Case:
    """The third number of the head is the highest one; empty cells are 0 in ours."""
    return {"givens": problem.cells(), "highest": highest(problem)}, values(
        "number", zeros(solution)
    )


def zeros(solution: Page) -> Page:
    """Empty cells are 0 in ours."""
    return replace(
        solution, rows=[["0" if word == "-" else word for word in row] for row in solution.board()]
    )


def highest(problem: Page) -> int:
    if len(problem.head) < 3 or not problem.head[2].isdigit():
        raise Refused("the first line does not say the highest number")
    return int(problem.head[2])


def kakkuru(problem: Page, solution: Page) -> Case:
    """The solution repeats the sums."""
    sums = problem.cells()
    filled = [
        ["-" if given else word for word, given in zip(*rows)]
        for rows in zip(solution.board(), sums)
    ]
    return {"sums": sums}, values("number", replace(solution, rows=filled))


def kenken(problem: Page, solution: Page) -> Case:
    cages = problem.board(1)
    return {"cages": cages, "clues": clues(problem.board(), cages)}, values("number", solution)


def mathrax(problem: Page, solution: Page) -> Case:
    """The clues are a row and a column smaller than the board above them."""
    marks = problem.rows[problem.height : 2 * problem.height - 1]
    return {"givens": problem.cells(), "clues": cells(marks)}, values("number", solution)


def munraito(problem: Page, solution: Page) -> Case:
    """A planet is a number of bits: 1 is lit from the right, 2 from below, 4 from the left,
    8 from above.
    """
    planets = [[None if word is None else _sides(word) for word in row] for row in problem.cells()]
    return {"planets": planets}, every(
        shaded("star", solution, "s"), shaded("cloud", solution, "x")
    )


def _sides(word: str) -> str:
    if not word.isdigit() or int(word) > 15:
        raise Refused(f"{word} is not a planet")
    return "".join(side for bit, side in enumerate("ESWN") if int(word) >> bit & 1) or "O"


def nanbaboru(problem: Page, solution: Page) -> Case:
    """0 is a cell that holds a number, x one that does not."""
    givens = cells(problem.board(), **{"0": "o"})
    return {"givens": givens, "highest": highest(problem)}, values("number", zeros(solution))


def one_to_x(problem: Page, solution: Page) -> Case:
    columns, rows = map(line, problem.rows[:2])
    fields = {
        "givens": problem.cells(after=2),
        "regions": problem.board(1, after=2),
        "columns": columns,
        "rows": rows,
    }
    return fields, values("number", solution)


def patchwork(problem: Page, solution: Page) -> Case:
    return {"givens": problem.cells(), "regions": problem.board(1)}, values("number", solution)


def pfeilzahlen(problem: Page, solution: Page) -> Case:
    """The board has a border, which the head of the problem counts; the arrows n, ne,
    e stand in it in the solution.
    """
    inner = [row[1:-1] for row in problem.cells()[1:-1]]
    ways = ["up", "up_right", "right", "down_right", "down", "down_left", "left", "up_left"]
    arrows = dict(zip(["n", "ne", "e", "se", "s", "sw", "w", "nw"], ways))
    rim = [[arrows.get(word, "-") for word in row] for row in solution.rows]
    return {"numbers": inner}, values("arrow", replace(solution, head=problem.head, rows=rim))


def renban(problem: Page, solution: Page) -> Case:
    return {"givens": problem.cells(), "regions": problem.board(1)}, values("number", solution)


def str8ts(problem: Page, solution: Page) -> Case:
    """The solution has - or the digit in a black cell, and ours nothing."""
    board = problem.cells()
    white = [
        ["-" if mark and "x" in mark else word for word, mark in zip(*rows)]
        for rows in zip(solution.board(), board)
    ]
    return {"board": board}, values("number", replace(solution, rows=white))


def sukoro(problem: Page, solution: Page) -> Case:
    """Empty cells are 0 in ours."""
    return {
        "givens": problem.cells(),
    }, values("number", zeros(solution))


def tenner_grid(problem: Page, solution: Page) -> Case:
    """The last row has the sums, in the solution too."""
    *board, sums = problem.board()
    digits = replace(solution, head=[str(len(board)), *solution.head[1:]])
    return {"givens": cells(board), "sums": line(sums)}, values("digit", digits)


def trinairo(problem: Page, solution: Page) -> Case:
    """A cell with an x, perhaps after its digit, has a mark."""
    board = problem.board()
    givens = [[word.rstrip("x-") or None for word in row] for row in board]
    marked = [["x" if word.endswith("x") else None for word in row] for row in board]
    return {"givens": givens, "marked": marked}, values("digit", solution)


KINDS = {
    "Binairo": Kind("binairo", binairo),
    "Bosanowa": Kind("bosanowa", bosanowa),
    "Bricks": Kind("bricks", bricks),
    "Eulero": Kind("graeco_latin_square", eulero),
    "Factors": Kind("factors", factors),
    "Fuzuli": Kind("fuzuli", fuzuli),
    "Kakkuru": Kind("kakkuru", kakkuru),
    "KenKen": Kind("kenken", kenken),
    "Mathrax": Kind("mathrax", mathrax),
    "Munraito": Kind("moonlight", munraito),
    "Nanbaboru": Kind("number_ball", nanbaboru),
    "OneToX": Kind("one_to_x", one_to_x),
    "Patchwork": Kind("patchwork", patchwork),
    "Pfeilzahlen": Kind("arrow_numbers", pfeilzahlen),
    "Renban": Kind("renban", renban),
    "Str8t": Kind("str8ts", str8ts),
    "Sukoro": Kind("sukoro", sukoro),
    "TennerGrid": Kind("tenner_grid", tenner_grid),
    "Trinairo": Kind("trinairo", trinairo),
}
