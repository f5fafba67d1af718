"""The scene: a board and its layers, independent of the medium.

Points of a board are in half steps, so that cells, sides and corners share one plane: the centre of
the cell in row r and column c is (2r, 2c), its upper left corner (2r - 1, 2c - 1), the middle of
its upper side (2r - 1, 2c). A triangle has a corner at that point if its upper side is not level.
A hexagon has the middles of two of its sides where a square has a corner and a side; the corners of
hexagons have rows below 0: those above row r are (1 - 2r, k), where k is 2c - 1 for the upper left
corner of the cell in column c, and 2c for its top corner.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, fields, replace
from itertools import chain
from typing import Any, Literal, NamedTuple, TypeVar

from puzzlekit.dataclass import dataclass
from puzzlekit.model import connected_components

PALETTE = 12  # colours of pieces
FULL = "full"  # the tone of a cell that is filled without a colour

CellPos = tuple[int, int]  # the row and the column of a cell
Point = tuple[int, int]  # y and x in half steps
Side = Literal["top", "left", "right", "bottom"]
Form = Literal["square", "hexagon", "triangle"]


class TextSpan(NamedTuple):
    """A piece of text, its background, and how it is written.

    Attributes:
        text: The text.
        colour: Its background: that of a mark (`green`) or of a piece (`region 3`), `found` or
            `given` for a shaded cell, or none.
        ink: `given` or `found` where both occur in one picture, `faint`, or none.
    """

    text: str
    colour: str = ""
    ink: str = ""


NOTHING = TextSpan("")


def centre(cell: CellPos) -> Point:
    """Return the point of the centre of a cell."""
    row, column = cell
    return 2 * row, 2 * column


def corner(number: CellPos, form: Form = "square") -> Point:
    """Return the point of the corner of cells of this form with this row and column."""
    row, column = number
    if form == "hexagon":
        return 1 - 2 * row, column
    if form == "square":
        return 2 * row - 1, 2 * column - 1
    return 2 * row - 1, 2 * column


def middle(first: Point, second: Point) -> Point:
    """Return the point between two points: of the side between two corners."""
    y = first[0] + second[0]
    x = first[1] + second[1]
    if first[0] < 0:  # corners of hexagons
        return -y // 2, max(first[1], second[1])
    return y // 2, x // 2


def around(cell: CellPos) -> tuple[CellPos, CellPos, CellPos, CellPos]:
    """Return the cells above, right of, below and left of a cell, on the board or not."""
    row, column = cell
    above = (row - 1, column)
    right = (row, column + 1)
    below = (row + 1, column)
    left = (row, column - 1)
    return above, right, below, left


def sides(cell: CellPos) -> tuple[Point, Point, Point, Point]:
    """Return the middles of the four sides of a cell: top, right, bottom, left."""
    y, x = centre(cell)
    top = (y - 1, x)
    right = (y, x + 1)
    bottom = (y + 1, x)
    left = (y, x - 1)
    return top, right, bottom, left


def side_ends(side: Point) -> tuple[Point, Point]:
    """Return the corners of squares at the ends of the side with this middle."""
    y, x = side
    if y % 2:
        return (y, x - 1), (y, x + 1)
    return (y - 1, x), (y + 1, x)


def cells_beside(side: Point) -> tuple[CellPos, CellPos]:
    """Return the two cells, on the board or not, that a side lies between."""
    y, x = side
    first = (y // 2, x // 2)
    second = ((y + 1) // 2, (x + 1) // 2)
    return first, second


def areas(cells: Iterable[CellPos], borders: Collection[Point]) -> list[list[CellPos]]:
    """Return the connected areas of squares between borders, in the order of their first cells.

    Examples:
        >>> areas([(1, 1), (1, 2), (1, 3)], {(2, 3)})
        [[(1, 1)], [(1, 2), (1, 3)]]
    """
    board = list(cells)
    numbers = {cell: number for number, cell in enumerate(board)}
    links = []
    for cell, number in numbers.items():
        for neighbour, side in zip(around(cell), sides(cell)):
            if neighbour in numbers and side not in borders:
                links.append((number, numbers[neighbour]))
    components = connected_components(range(len(board)), links)
    return [[board[number] for number in sorted(component)] for component in components]


# the steps to the neighbours of a cell, by the parity of its row plus its column
STEPS: dict[tuple[Form, int], tuple[CellPos, ...]] = {
    ("square", 0): ((-1, 0), (0, 1), (1, 0), (0, -1)),
    ("hexagon", 0): ((-1, 0), (-1, 1), (0, 1), (1, 0), (1, -1), (0, -1)),
    ("triangle", 0): ((0, 1), (1, 0), (0, -1)),
    ("triangle", 1): ((-1, 0), (0, 1), (0, -1)),
}


def points_up(cell: CellPos) -> bool:
    """Return whether a triangle points up."""
    return sum(cell) % 2 == 0


def outline(groups: Iterable[Iterable[CellPos]], form: Form = "square") -> frozenset[Point]:
    """Return the sides between a cell of a group and a cell that is not in the same group."""
    even_steps = STEPS[form, 0]
    odd_steps = STEPS.get((form, 1), even_steps)
    points = set[Point]()
    for group in groups:
        cells = frozenset(group)
        for row, column in cells:
            for down, right in odd_steps if (row + column) % 2 else even_steps:
                neighbour = (row + down, column + right)
                if neighbour not in cells:
                    points.add((2 * row + down, 2 * column + right))
    return frozenset(points)


@dataclass(frozen=True)
class Layer:
    """Something drawn on a board; `is_given` if it is known before solving.

    The second field of each layer holds its elements.
    """

    is_given: bool

    @property
    def elements_field(self) -> str:
        """The name of the field that holds the elements."""
        return fields(self)[1].name

    @property
    def elements(self) -> Any:
        """What the layer draws: a mapping from cells or points, or a collection."""
        return getattr(self, self.elements_field)


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
    """Small texts in cells, such as candidates; those that are struck are crossed out."""

    texts: Mapping[CellPos, tuple[str, ...]]
    struck: Mapping[CellPos, Collection[str]] = field(default_factory=dict)


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
    """Clues outside the board, several for each row or column.

    Those of the `rim` are the numbers of the rows or columns.
    """

    clues: Sequence[Sequence[str]]
    side: Side
    rim: bool = False


@dataclass(frozen=True)
class Lines(Layer):
    """Lines between points, each with the number of lines side by side.

    The dots are the points where lines could meet.
    """

    links: Mapping[tuple[Point, Point], int]
    dots: frozenset[Point] = frozenset()


@dataclass(frozen=True)
class Diagonals(Layer):
    """One of the two diagonals of cells: true where it falls to the right."""

    falling: Mapping[CellPos, bool]


@dataclass(frozen=True)
class Symbols(Layer):
    """A sign at each of several points."""

    symbols: Mapping[Point, str]


class Path(NamedTuple):
    """A line through the centres of cells, in order, and its colour."""

    cells: Sequence[CellPos]
    colour: str = ""


@dataclass(frozen=True)
class Paths(Layer):
    """Lines through cells, and the names of their colours.

    The style is `round`, `bulb` (a bulb at the start), or `arrow` (an arrow at the end).
    """

    paths: Sequence[Path]
    style: str = "round"
    names: Mapping[str, str] = field(default_factory=dict)


class Piece(NamedTuple):
    """Cells that belong together, the name to write into them (or none), and their colour."""

    cells: Sequence[CellPos]
    name: str
    colour: str


@dataclass(frozen=True)
class Pieces(Layer):
    """Groups of cells, each filled with a colour.

    The legend has the letter and the name of each where names are too long for a cell.
    """

    pieces: Sequence[Piece]
    legend: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Highlight(Layer):
    """Points that a step of an explanation is about.

    The roles are `scope`, `reason`, `base`, `line` of a chain, its `contradiction`, `struck`,
    `assumed`, and `new`. The labels number the lines of a chain.
    """

    roles: Mapping[Point, str]
    labels: Mapping[Point, str] = field(default_factory=dict)


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
    # the first and the last row, the first and the last column
    extent: tuple[int, int, int, int] = field(init=False)

    def __post_init__(self) -> None:
        extent = (1, 0, 1, 0)
        if self.cells:
            rows = [row for row, _ in self.cells]
            columns = [column for _, column in self.cells]
            extent = (min(rows), max(rows), min(columns), max(columns))
        object.__setattr__(self, "extent", extent)

    @property
    def open(self) -> bool:
        """Whether lines run along the sides of the cells, so that these are not drawn."""
        return any(layer.dots for layer in self.of_type(Lines))

    def of_type(self, layer_type: type[L]) -> Iterator[L]:
        """Yield the layers of a type."""
        return (layer for layer in self.layers if isinstance(layer, layer_type))


def without_duplicates(scene: Scene) -> Scene:
    """Return the scene with at most one text in the middle of each cell.

    A text of the solution that is equal to the given one is dropped, in corners too. Where they
    differ in the middle, the given one moves into the corner.
    """
    given = _middle_texts(scene, is_given=True)
    solved = _middle_texts(scene, is_given=False)
    given_corners = set[tuple[CellPos, str]]()
    for layer in scene.of_type(Text):
        if layer.corner and layer.is_given:
            given_corners.update(layer.texts.items())

    def remains(layer: Text, cell: CellPos, text: str) -> bool:
        if layer.corner:
            return layer.is_given or (cell, text) not in given_corners
        if layer.is_given:
            return solved.get(cell, text) == text
        return given.get(cell) != text

    def remaining(layer: Layer) -> Layer:
        if not isinstance(layer, Text):
            return layer
        texts = layer.texts.items()
        return replace(
            layer, texts={cell: text for cell, text in texts if remains(layer, cell, text)}
        )

    layers = list(map(remaining, scene.layers))
    moved = {cell: text for cell, text in given.items() if solved.get(cell, text) != text}
    if moved:
        layers.append(Text(True, moved, corner=True))
    return replace(scene, layers=tuple(layers))


def _middle_texts(scene: Scene, is_given: bool) -> dict[CellPos, str]:
    """Return the texts in the middle of cells: the given ones, or those of the solution."""
    texts: dict[CellPos, str] = {}
    for layer in scene.of_type(Text):
        if not layer.corner and layer.is_given is is_given:
            texts |= layer.texts
    return texts


def given_cells(scene: Scene) -> frozenset[CellPos]:
    """Return the cells whose text is given, if the scene has texts of a solution; else none."""
    layers = [layer for layer in scene.of_type(Text) if not layer.corner]
    if all(layer.is_given or not layer.texts for layer in layers):
        return frozenset()
    cells = set[CellPos]()
    for layer in layers:
        if layer.is_given:
            cells.update(layer.texts)
    return frozenset(cells)


def signs_of(scene: Scene, given: bool) -> set[str]:
    """Return the names of the signs that are given, or of those of the solution."""
    names = set[str]()
    for layer in scene.of_type(Symbols):
        if layer.is_given is given:
            names.update(layer.symbols.values())
    return names


def outside_of(scene: Scene, side: str) -> list[tuple[tuple[str, bool], ...]]:
    """Return the clues on one side of the board, for each row or column.

    Each clue comes with whether it is a number of the rim. The clues of several layers are joined.
    """
    layers = [layer for layer in scene.of_type(Outside) if layer.side == side]
    by_layer = [[[(clue, layer.rim) for clue in line] for line in layer.clues] for layer in layers]
    return [tuple(chain.from_iterable(lines)) for lines in zip(*by_layer)]


def shades(scene: Scene) -> dict[CellPos, tuple[str, bool]]:
    """Return the tone of each filled cell, and whether it is given."""
    tones: dict[CellPos, tuple[str, bool]] = {}
    for layer in scene.of_type(Fill):
        for cell, tone in layer.tones.items():
            if tone:
                tones[cell] = (tone, layer.is_given)
    return tones


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
        headings = [heading for heading, _ in self.rows]
        texts = zip(*(texts for _, texts in self.rows))
        return Table(headings, list(zip(self.columns, map(tuple, texts))))


Line = Sequence[TextSpan]
PicturePart = Line | Scene | Group | Table
