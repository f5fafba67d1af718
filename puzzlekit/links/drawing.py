"""What a page of a drawing program shows: marks at the places of a board of squares.

Places are in half steps, as in `render.scene`: the centre of the cell in row r and column c is
(2r, 2c), a corner or the middle of a side lies between. Marks outside the board are clues.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from puzzlekit.model.structures import pieces
from puzzlekit.render.scene import (
    FULL,
    At,
    Borders,
    Cages,
    Diagonals,
    Layer,
    Lines,
    Outside,
    Paths,
    Point,
    Scene,
    Shade,
    Signs,
    Small,
    Split,
    Text,
    around,
    centre,
    sides,
)

Margins = tuple[int, int, int, int]
SHADE = "shade"  # the mark of a cell that is filled with a dark colour


@dataclass
class Drawing:
    """The marks of a page.

    Attributes:
        height: The number of rows of the board.
        width: The number of columns.
        holes: The cells of that rectangle that are not on the board.
        colours: The colour of each filled cell, by number; the dark ones are in `DARK`.
        texts: The text at each place.
        small: The small texts of each cell, by quarter: 0 upper left, 1 upper right, 2 lower left, 3 lower right.
        signs: The names of the signs at each place.
        borders: The middles of the sides that are thick.
        lines: The pairs of places that a line joins.
        cages: The cells of each cage.
        bulbs: The cells of each line from a bulb on.
        arrows: The cells of each arrow, from its circle on.
        paths: The cells of each other line.
    """

    height: int
    width: int
    holes: set[Point] = field(default_factory=set)
    colours: dict[Point, int] = field(default_factory=dict)
    texts: dict[At, str] = field(default_factory=dict)
    small: dict[Point, dict[int, str]] = field(default_factory=dict)
    signs: dict[At, list[str]] = field(default_factory=dict)
    borders: set[At] = field(default_factory=set)
    lines: set[tuple[At, At]] = field(default_factory=set)
    cages: list[list[Point]] = field(default_factory=list)
    bulbs: list[list[Point]] = field(default_factory=list)
    arrows: list[list[Point]] = field(default_factory=list)
    paths: list[list[Point]] = field(default_factory=list)

    def cells(self) -> Iterator[Point]:
        """Yield the cells of the board, row by row."""
        for row in range(1, self.height + 1):
            for column in range(1, self.width + 1):
                if (row, column) not in self.holes:
                    yield row, column

    def regions(self) -> dict[Point, int]:
        """Return the number of the region of each cell, counted in the order of their first cells."""
        board = list(self.cells())
        numbers = {cell: number for number, cell in enumerate(board)}
        links = (
            (number, numbers[near])
            for cell, number in numbers.items()
            for near, side in zip(around(cell), sides(cell))
            if near in numbers and side not in self.borders
        )
        return {board[at]: number for number, piece in enumerate(pieces(range(len(board)), links)) for at in piece}

    def outside(self, side: str) -> list[list[str]]:
        """Return the texts outside on one side, for each row or column, in reading order."""
        across = side in ("left", "right")
        lines: list[list[tuple[int, str]]] = [[] for _ in range(self.height if across else self.width)]
        for (y, x), text in self.texts.items():
            line, depth, most = (y, x, self.width) if across else (x, y, self.height)
            before = side in ("left", "top")
            if line % 2 or depth % 2 or not 1 <= line // 2 <= len(lines):
                continue
            if depth < 1 if before else depth > 2 * most:
                lines[line // 2 - 1].append((depth, text))
        return [[text for _, text in sorted(line)] for line in lines]


COLOURS = {FULL: 4, "given": 4, "green": 2, "yellow": 7, "grey": 8}  # of tones
REGIONS = (3, 5, 6, 7, 9, 2, 10, 11, 12)  # of the tones `region 0`, …
DARK = (1, 3, 4, 8)  # dark grey, light grey, black, grey: what stands for a shaded cell


def marks_at(drawing: Drawing, cell: Point) -> list[str]:
    """Return the names of the signs of a cell, with `SHADE` for a dark one."""
    shade = [SHADE] if drawing.colours.get(cell) in DARK else []
    return [*drawing.signs.get(centre(cell), ()), *shade]


def drawing_of_scene(scene: Scene) -> tuple[Drawing, Margins]:
    """Return the drawing, and how many rows and columns its clues outside need: top, bottom, left, right."""
    first_row, last_row, first_column, last_column = scene.extent
    assert first_row >= 1 and first_column >= 1, "boards begin at row 1 and column 1"
    drawing = Drawing(last_row, last_column)
    drawing.holes = set(drawing.cells()) - set(scene.cells)
    depths = dict.fromkeys(("top", "bottom", "left", "right"), 0)
    for layer in scene.layers:
        if isinstance(layer, Outside):
            if not layer.rim:
                depths[layer.side] += _outside(drawing, layer, depths[layer.side])
        else:
            _draw(drawing, layer)
    return drawing, (depths["top"], depths["bottom"], depths["left"], depths["right"])


def _draw(drawing: Drawing, layer: Layer) -> None:
    match layer:
        case Shade(tones=tones):
            drawing.colours |= {cell: _colour(tone) for cell, tone in tones.items() if tone}
        case Text(texts=texts, corner=True):
            _small(drawing, 0, texts.items())
        case Text(texts=texts):
            drawing.texts |= {centre(cell): text for cell, text in texts.items()}
        case Small(texts=several):
            _small(drawing, 0, ((cell, " ".join(texts)) for cell, texts in several.items()))
        case Borders(sides=sides):
            drawing.borders |= sides
        case Cages(groups=groups):
            drawing.cages += [list(cells) for cells, _ in groups]
            _small(drawing, 0, ((min(cells), clue) for cells, clue in groups if clue))
        case Split(clues=clues):
            drawing.colours |= dict.fromkeys(clues, COLOURS[FULL])
            _small(drawing, 2, ((cell, below) for cell, (below, _) in clues.items() if below))
            _small(drawing, 1, ((cell, right) for cell, (_, right) in clues.items() if right))
            for row, column in clues:
                drawing.lines.add(((2 * row - 1, 2 * column - 1), (2 * row + 1, 2 * column + 1)))
        case Lines(links=links):
            drawing.lines |= {(min(pair), max(pair)) for pair in links}
        case Signs(signs=signs):
            for place, name in signs.items():
                drawing.signs.setdefault(place, []).append(name)
        case Paths(paths=paths, style=style):
            kept = {"bulb": drawing.bulbs, "arrow": drawing.arrows}.get(style, drawing.paths)
            kept += [list(path.cells) for path in paths]
        case Diagonals(falling=falling):
            for (row, column), falls in falling.items():
                left, right = (2 * row - falls * 2 + 1, 2 * column - 1), (2 * row + falls * 2 - 1, 2 * column + 1)
                drawing.lines.add((min(left, right), max(left, right)))
        case _:  # pieces, which are only found
            pass


def _small(drawing: Drawing, quarter: int, texts: Iterable[tuple[Point, str]]) -> None:
    for cell, text in texts:
        drawing.small.setdefault(cell, {})[quarter] = text


def _colour(tone: str) -> int:
    kind, _, number = tone.partition(" ")
    return REGIONS[int(number) % len(REGIONS)] if kind == "region" and number.isdigit() else COLOURS.get(tone, 8)


def _outside(drawing: Drawing, layer: Outside, before: int) -> int:
    """Add clues outside, those nearest to the board last above and on the left; returns how deep they are."""
    deep = max(map(len, layer.clues), default=0)
    for line, clues in enumerate(layer.clues, 1):
        for number, clue in enumerate(clues):
            away = before + (len(clues) - number if layer.side in ("top", "left") else number + 1)
            match layer.side:
                case "top":
                    cell = (1 - away, line)
                case "bottom":
                    cell = (drawing.height + away, line)
                case "left":
                    cell = (line, 1 - away)
                case "right":
                    cell = (line, drawing.width + away)
            drawing.texts[centre(cell)] = clue
    return deep
