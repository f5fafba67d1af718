"""Pages of Penpa+ as authors draw them: points are numbered, and pages packed, as its format says.

Nothing here is shared with `puzzlekit.links`, which reads the pages.
"""

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

SHORT = {  # what stands for a name in the text of a page
    "z": "zZ", '"qa"': "z9", '"pu_q"': "zQ", '"pu_a"': "zA", '"grid"': "zG", '"edit_mode"': "zM",
    '"surface"': "zS", '"line"': "zL", '"lineE"': "zE", '"wall"': "zW", '"cage"': "zC",
    '"number"': "zN", '"symbol"': "zY", '"special"': "zP", '"board"': "zB",
    '"command_redo"': "zR", '"command_undo"': "zU", '"command_replay"': "z8", '"numberS"': "z1",
    '"freeline"': "zF", '"freelineE"': "z2", '"thermo"': "zT", '"arrows"': "z3",
    '"direction"': "zD", '"squareframe"': "z0", '"polygon"': "z5", '"deletelineE"': "z4",
    '"killercages"': "z6", '"nobulbthermo"': "z7", '"__a"': "z_", "null": "zO",
}  # fmt: skip
SITE = "https://swaroopg92.github.io/penpa-edit/#m=edit&p="
Square = tuple[int, int]  # a row and a column, counted from 1 on the board


class Sheet:
    """A page with a board of squares.

    Args:
        rows: The rows of the board.
        columns: Its columns.
        margin: The rows and columns around the board: above, below, left, right.
    """

    def __init__(self, rows: int, columns: int, margin: tuple[int, int, int, int] = (0, 0, 0, 0)):
        self.rows, self.columns, self.margin = rows, columns, margin
        above, below, left, right = margin
        self.across = columns + left + right + 4
        self.size = self.across * (rows + above + below + 4)
        self.removed: set[Square] = set()
        self.title, self.author, self.source, self.rules = "", "", "", ""
        self.tags: list[str] = []
        self.problem: dict[str, Any] = {}
        self.solution: dict[str, Any] = {}
        self.colours: dict[str, Any] = {}
        self.grid = "square"
        self.whole_grid = False  # whether the margins are cells, too

    def squares(self) -> list[Square]:
        rows, columns = range(1, self.rows + 1), range(1, self.columns + 1)
        return [(row, column) for row in rows for column in columns]

    def cell(self, square: Square) -> int:
        row, column = square
        return self.across * (row + 1 + self.margin[0]) + column + 1 + self.margin[2]

    def corner(self, square: Square) -> int:
        """Return the point at the lower right corner of a square."""
        return self.size + self.cell(square)

    def below(self, square: Square) -> int:
        return 2 * self.size + self.cell(square)

    def right(self, square: Square) -> int:
        return 3 * self.size + self.cell(square)

    def add(self, section: str, point: object, mark: object) -> None:
        self.problem.setdefault(section, {})[str(point)] = mark

    def text(self, square: Square, text: object, style: int = 1, mode: str = "1") -> None:
        self.add("number", self.cell(square), [text, style, mode])

    def small(self, square: Square, quarter: int, text: object, style: int = 1) -> None:
        """Write a small text: upper left 0, upper right 1, lower left 2, lower right 3."""
        self.add("numberS", 4 * (self.size + self.cell(square)) + quarter, [text, style])

    def symbol(self, square: Square, name: str, style: object, layer: int = 1) -> None:
        self.add("symbol", self.cell(square), [style, name, layer])

    def colour(self, square: Square, colour: int) -> None:
        self.add("surface", self.cell(square), colour)

    def edge(self, square: Square, side: str, style: int = 2) -> None:
        """Draw a side of a square."""
        row, column = square
        first, second = {
            "above": ((row - 1, column - 1), (row - 1, column)),
            "below": ((row, column - 1), (row, column)),
            "left": ((row - 1, column - 1), (row, column - 1)),
            "right": ((row - 1, column), (row, column)),
        }[side]
        self.add("lineE", f"{self.corner(first)},{self.corner(second)}", style)

    def box(self, square: Square, style: int = 2) -> None:
        for side in ("above", "below", "left", "right"):
            self.edge(square, side, style)

    def frame(self, first: Square, last: Square, style: int = 2) -> None:
        """Draw the sides of a rectangle."""
        for row in range(first[0], last[0] + 1):
            self.edge((row, first[1]), "left", style)
            self.edge((row, last[1]), "right", style)
        for column in range(first[1], last[1] + 1):
            self.edge((first[0], column), "above", style)
            self.edge((last[0], column), "below", style)

    def borders(self, labels: Mapping[Square, object], style: int = 2) -> None:
        """Draw the sides between squares of different labels."""
        for (row, column), label in labels.items():
            if labels.get((row, column + 1), label) != label:
                self.edge((row, column), "right", style)
            if labels.get((row + 1, column), label) != label:
                self.edge((row, column), "below", style)

    def group(self, section: str, squares: Iterable[Square]) -> None:
        self.problem.setdefault(section, []).append(list(map(self.cell, squares)))

    def link(self) -> str:
        """Return the link to the page."""
        text = "\n".join(self._lines())
        for name, code in SHORT.items():
            text = text.replace(name, code)
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(text.encode()) + packer.flush()
        return SITE + base64.b64encode(packed).decode()

    def _lines(self) -> list[str]:
        above, below, left, right = self.margin
        columns, rows = self.columns + left + right, self.rows + above + below
        about = (f"Title: {self.title}", f"Author: {self.author}", self.source, self.rules)
        coded = [text.replace(",", "%2C").replace("\n", "%2D") for text in about]
        coded[3] = coded[3].replace("&", "%2E").replace("=", "%2F")
        head = [self.grid, columns, rows, 38, 0, 1, 1, 38 * (columns + 1), 38 * (rows + 1)]
        head += [0, 0, 0, 0, 0, 0, *coded, "OFF", "false"]
        squares = [square for square in self.squares() if square not in self.removed]
        if self.whole_grid:
            down = range(1 - above, self.rows + below + 1)
            along = range(1 - left, self.columns + right + 1)
            squares = [(row, column) for row in down for column in along]
        cells = list(map(self.cell, squares))
        steps = [cell - before for before, cell in zip([0, *cells], cells)]
        tools = {"qa": "pu_a", "grid": ["1", "2", "1"], "pu_q": {}, "pu_a": {}}
        return [
            ",".join(map(str, head)),
            dumped(list(self.margin)),
            dumped(tools),
            dumped(layer(self.problem)),
            dumped(layer(self.solution)),
            dumped(steps),
            *("[]", "{}", '"x"', '"x"', "[3,2,1]", dumped(tools), '"x"'),
            "1" if self.colours else "0",
            dumped(self.colours),
            *("{}", "{}"),
            dumped(self.tags),
            "false",
        ]


def layer(sections: Mapping[str, Any]) -> dict[str, Any]:
    """Return a layer with all of its sections, as Penpa+ writes them."""
    commands = ("command_redo", "command_undo", "command_replay")
    marks = (
        "surface", "number", "numberS", "symbol", "freeline", "freelineE", "line", "lineE",
        "wall", "cage", "deletelineE",
    )  # fmt: skip
    groups = (
        "killercages", "nobulbthermo", "arrows", "direction", "squareframe", "thermo", "polygon",
    )  # fmt: skip
    empty: dict[str, Any] = {name: {"__a": []} for name in commands}
    empty |= {name: {} for name in marks} | {name: [] for name in groups}
    return empty | sections


def dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
