"""The scene: a board and the layers that are drawn on it, independent of the medium.

Places on a board are in half steps, so that cells, sides and corners share one plane: the centre of
the cell in row r and column c is (2r, 2c), its upper left corner (2r - 1, 2c - 1), the middle of
its upper side (2r - 1, 2c). Triangles have a corner there where no
side is level. Hexagons have the middles of two sides in place of a corner and a side; their own
corners have rows below 0: those above row r are (1 - 2r, k), k being 2c - 1 for the upper left one
of the cell in column c, and 2c for its top one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, TypeVar

from puzzlekit.model.graphs import connected_components

PALETTE = 12  # colours of pieces
FULL = "full"  # the tone of a cell that is filled, in no colour of its own

CellPos = tuple[int, int]  # the row and the column of a cell
Point = tuple[int, int]  # a place in half steps
Side = Literal["top", "left", "right", "bottom"]
Form = Literal["square", "hexagon", "triangle"]


class TextSpan(NamedTuple):
    """A piece of text, its background, and how it is written.

    Attributes:
        text: The text.
        colour: Its background: of a mark (`green`), of a piece (`region 3`), `found` or `given` for
            a shaded cell; or none.
        ink: `given` or `found` where both occur in one picture, `faint`, or none.
    """

    text: str
    colour: str = ""
    ink: str = ""


NOTHING = TextSpan("")


def centre(cell: CellPos) -> Point:
    """Return the place of the centre of a cell."""
    return 2 * cell[0], 2 * cell[1]


def corner(number: CellPos, form: Form = "square") -> Point:
    """Return the place of the corner of cells of this form with this row and column."""
    row, column = number
    if form == "hexagon":
        return 1 - 2 * row, column
    return 2 * row - 1, 2 * column - (form == "square")


def middle(one: Point, other: Point) -> Point:
    """Return the place between two places: of the side between two corners."""
    if one[0] < 0:
        return -(one[0] + other[0]) // 2, max(one[1], other[1])
    return (one[0] + other[0]) // 2, (one[1] + other[1]) // 2


def around(cell: CellPos) -> tuple[CellPos, CellPos, CellPos, CellPos]:
    """Return the cells above, right of, below and left of a cell, on the board or not."""
    row, column = cell
    return (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)


def sides(cell: CellPos) -> tuple[Point, Point, Point, Point]:
    """Return the middles of the four sides of a cell: top, right, bottom, left."""
    y, x = centre(cell)
    return (y - 1, x), (y, x + 1), (y + 1, x), (y, x - 1)


def cells_beside(side: Point) -> tuple[CellPos, CellPos]:
    """Return the two cells, on the board or not, that a side lies between."""
    y, x = side
    return (y // 2, x // 2), ((y + 1) // 2, (x + 1) // 2)


def areas(cells: Iterable[CellPos], borders: Collection[Point]) -> list[list[CellPos]]:
    """Return the connected areas of squares between borders, in the order of their first cells.

    Examples:
        >>> areas([(1, 1), (1, 2), (1, 3)], {(2, 3)})
        [[(1, 1)], [(1, 2), (1, 3)]]
    """
    board = list(cells)
    number = {cell: n for n, cell in enumerate(board)}
    links = (
        (n, number[near])
        for cell, n in number.items()
        for near, side in zip(around(cell), sides(cell))
        if near in number and side not in borders
    )
    return [
        [board[n] for n in sorted(area)] for area in connected_components(range(len(board)), links)
    ]


STEPS: dict[
    tuple[Form, int], tuple[CellPos, ...]
] = {  # to the neighbours of a cell, by the parity of row plus column
    ("square", 0): ((-1, 0), (0, 1), (1, 0), (0, -1)),
    ("hexagon", 0): ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)),
    ("triangle", 0): ((0, 1), (1, 0), (0, -1)),
    ("triangle", 1): ((-1, 0), (0, 1), (0, -1)),
}


def points_up(cell: CellPos) -> bool:
    """Return whether a triangle points up."""
    return sum(cell) % 2 == 0


def outline(groups: Iterable[Iterable[CellPos]], form: Form = "square") -> frozenset[Point]:
    """Return the sides of the groups: where a cell of one meets no cell of the same."""
    even = STEPS[form, 0]
    odd = STEPS.get((form, 1), even)
    found = set[Point]()
    for group in groups:
        cells = frozenset(group)
        for row, column in cells:
            steps = odd if (row + column) % 2 else even
            found.update(
                (2 * row + r, 2 * column + c)
                for r, c in steps
                if (row + r, column + c) not in cells
            )
    return frozenset(found)


@dataclass(frozen=True)
class Layer:
    """Something drawn on a board; `given` if it is known before solving. The next field holds what
    is drawn.
    """

    is_given: bool

    @property
    def content(self) -> str:
        """The name of the field that holds what is drawn: by place, or one after the other."""
        return fields(self)[1].name

    @property
    def drawn(self) -> Any:
        """What is drawn."""
        return getattr(self, self.content)


L = TypeVar("L", bound=Layer)


@dataclass(frozen=True)
class Fill(Layer):
    """Cells that are filled: `FULL`, or in the colour of a mark or of a category."""

    tones: Mapping[CellPos, str]


@dataclass(frozen=True)
class Text(Layer):
    """A text in the middle of cells, or in their upper left corner."""

    texts: Mapping[CellPos, str]
    corner: bool = False


@dataclass(frozen=True)
class PencilMarks(Layer):
    """Small texts in cells, such as candidates."""

    texts: Mapping[CellPos, tuple[str, ...]]


@dataclass(frozen=True)
class SideLabels(Layer):
    """Texts on sides and corners."""

    texts: Mapping[Point, str]


@dataclass(frozen=True)
class Borders(Layer):
    """Thick lines along sides."""

    sides: frozenset[Point]


@dataclass(frozen=True)
class Cages(Layer):
    """Groups of cells with a dashed line inside their outline, and a clue in their first cell."""

    groups: Sequence[tuple[Sequence[CellPos], str]]


@dataclass(frozen=True)
class ClueCell(Layer):
    """Blocked cells with a clue for what is below and one for what is on the right."""

    clues: Mapping[CellPos, tuple[str, str]]


@dataclass(frozen=True)
class Outside(Layer):
    """Clues outside the board, several for each row or column; those of the `rim` are the numbers
    of these.
    """

    clues: Sequence[Sequence[str]]
    side: Side
    rim: bool = False


@dataclass(frozen=True)
class Lines(Layer):
    """Lines between places, each with its number of lines side by side, and the places where lines
    could meet.
    """

    links: Mapping[tuple[Point, Point], int]
    dots: frozenset[Point] = frozenset()


@dataclass(frozen=True)
class Diagonals(Layer):
    """One of the two diagonals of cells: true where it falls to the right."""

    falling: Mapping[CellPos, bool]


@dataclass(frozen=True)
class Symbols(Layer):
    """A sign at each of some places."""

    symbols: Mapping[Point, str]


class Path(NamedTuple):
    """A line through the centres of cells, in order, and its colour."""

    cells: Sequence[CellPos]
    colour: str = ""


@dataclass(frozen=True)
class Paths(Layer):
    """Lines through cells: `round`, with a `bulb` at the start, or with an `arrow` at the end; and
    their kinds, by colour.
    """

    paths: Sequence[Path]
    style: str = "round"
    kinds: Mapping[str, str] = field(default_factory=dict)


class Piece(NamedTuple):
    """Cells that belong together: their name, if it is to be written into them, and their colour."""

    cells: Sequence[CellPos]
    name: str
    colour: str


@dataclass(frozen=True)
class Pieces(Layer):
    """Groups of cells, each filled with a colour; and the letter and name of each, where names are
    too long for a cell.
    """

    pieces: Sequence[Piece]
    legend: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Highlight(Layer):
    """Places that a step of an explanation is about: its `scope`, a `reason`, or what is `new`."""

    kinds: Mapping[Point, str]


@dataclass(frozen=True)
class Scene:
    """A board with its layers.

    Attributes:
        cells: The cells. A hole is no cell.
        layers: What is drawn, the lowest first.
        form: The form of the cells. Each row of hexagons lies half a cell to the right of the one
            above.
        title: What is written above the board.
    """

    cells: Sequence[CellPos]
    layers: Sequence[Layer] = ()
    form: Form = "square"
    title: TextSpan = NOTHING
    extent: tuple[int, int, int, int] = field(
        init=False
    )  # first and last row, first and last column

    def __post_init__(self) -> None:
        rows, columns = [cell[0] for cell in self.cells], [cell[1] for cell in self.cells]
        ends = (min(rows), max(rows), min(columns), max(columns)) if self.cells else (1, 0, 1, 0)
        object.__setattr__(self, "extent", ends)

    @property
    def open(self) -> bool:
        """Whether lines run along the sides of the cells, so that these are not drawn."""
        return any(layer.dots for layer in self.of_type(Lines))

    def of_type(self, kind: type[L]) -> Iterator[L]:
        """Yield the layers of a type."""
        return (layer for layer in self.layers if isinstance(layer, kind))


def without_duplicates(scene: Scene) -> Scene:
    """Return the scene with one text in the middle of a cell: what is given stays.

    A found text that is equal to the given one is left out, in corners too. Where they differ in
    the middle, the given one moves into the corner.
    """
    middle = [layer for layer in scene.of_type(Text) if not layer.corner]
    given, found = (
        {c: t for layer in middle if layer.is_given is known for c, t in layer.texts.items()}
        for known in (True, False)
    )
    stays = {
        place
        for layer in scene.of_type(Text)
        if layer.corner and layer.is_given
        for place in layer.texts.items()
    }

    def remains(layer: Text, cell: CellPos, text: str) -> bool:
        if layer.corner:
            return layer.is_given or (cell, text) not in stays
        return found.get(cell, text) == text if layer.is_given else given.get(cell) != text

    layers: list[Layer] = []
    for layer in scene.layers:
        if isinstance(layer, Text):
            layers.append(
                replace(layer, texts={c: t for c, t in layer.texts.items() if remains(layer, c, t)})
            )
        else:
            layers.append(layer)
    if moved := {cell: text for cell, text in given.items() if found.get(cell, text) != text}:
        layers.append(Text(True, moved, corner=True))
    return replace(scene, layers=tuple(layers))


def given_cells(scene: Scene) -> frozenset[CellPos]:
    """Return the cells whose text is given, where other texts are found."""
    texts = [layer for layer in scene.of_type(Text) if not layer.corner]
    if not any(not layer.is_given and layer.texts for layer in texts):
        return frozenset()
    return frozenset(cell for layer in texts if layer.is_given for cell in layer.texts)


def signs_of(scene: Scene, given: bool) -> set[str]:
    """Return the names of the signs that are given, or of those that are found."""
    return {
        name
        for layer in scene.of_type(Symbols)
        if layer.is_given is given
        for name in layer.symbols.values()
    }


def outside_of(scene: Scene, side: str) -> list[tuple[tuple[str, bool], ...]]:
    """Return the clues on one side of the board, joined from all layers, and whether they are
    numbers of its rim.
    """
    layers = [layer for layer in scene.of_type(Outside) if layer.side == side]
    lines = zip(
        *([[(clue, layer.rim) for clue in line] for line in layer.clues] for layer in layers)
    )
    return [tuple(clue for part in line for clue in part) for line in lines]


def shades(scene: Scene) -> dict[CellPos, tuple[str, bool]]:
    """Return the tone of each filled cell, and whether it is given."""
    layers = scene.of_type(Fill)
    return {
        cell: (tone, layer.is_given)
        for layer in layers
        for cell, tone in layer.tones.items()
        if tone
    }


@dataclass(frozen=True)
class Group:
    """Boards side by side, as many as fit; `small` ones if they are many."""

    scenes: Sequence[Scene]
    small: bool = False


@dataclass(frozen=True)
class Table:
    """Values in rows and columns.

    Attributes:
        columns: The headings of the columns; none if the rows need none.
        rows: The heading of each row, and its texts, one for each column.
    """

    columns: Sequence[str]
    rows: Sequence[tuple[str, Sequence[str]]]

    def transposed(self) -> Table:
        """Return the table with its rows as columns."""
        texts = zip(*(own for _, own in self.rows))
        return Table(
            [heading for heading, _ in self.rows], list(zip(self.columns, map(tuple, texts)))
        )


Line = Sequence[TextSpan]
PicturePart = Line | Scene | Group | Table
