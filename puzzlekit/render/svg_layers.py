"""The renderer of SVG: the layers of a scene as elements."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from rich.cells import cell_len

from puzzlekit.render.svg_shapes import (
    XY,
    Frame,
    cage_svg,
    class_of,
    direction,
    escape,
    line_svg,
    path_svg,
    sign_svg,
    square,
    step_end,
)
from puzzlekit.render.theme import HIGHLIGHTS, LABEL, STRIKE
from puzzlekit.scene import (
    FULL,
    Borders,
    Cages,
    CellPos,
    ClueCell,
    Diagonals,
    Fill,
    Highlight,
    Layer,
    Lines,
    Outside,
    Paths,
    PencilMarks,
    Pieces,
    Point,
    Scene,
    SideLabels,
    Symbols,
    Text,
    centre,
    corner,
    outline,
    outside_of,
    shades,
    signs_of,
)

Clues = Sequence[tuple[str, bool]]  # texts, and whether they are numbers of the rim
DIGITS = frozenset("123456789")
ROW_OF_MARKS = 3  # pencil marks side by side
BASE = 0.35  # of the size of a text: how far its base line lies below its middle
ON_PEARLS = {  # the classes of texts on signs
    "black_circle": " on on-full-given",
    "white_circle": " on",
    "grey_circle": " on",
}
# What types call the layers whose classes have other names.
LAYER_WORDS: dict[type[Layer], str] = {
    Fill: "shade",
    PencilMarks: "small",
    SideLabels: "notes",
    ClueCell: "split",
    Symbols: "signs",
}
DEPTH = {  # layers of a lower depth are drawn below others; those without one on top
    Fill: 0,
    Pieces: 0,
    ClueCell: 0,
    Paths: 1,
    Cages: 2,
    Highlight: 2,
    Borders: 3,
    Lines: 4,
    Diagonals: 4,
    Symbols: 5,
}


def scene_svg(scene: Scene, size: float, by_cell: bool = False) -> tuple[float, float, str]:
    """Return the width, the height and the elements of a scene.

    Args:
        scene: The scene.
        size: The side of a square.
        by_cell: Whether the background and the texts of a cell name it in `data-cell`.
    """
    frame = Frame(scene, size)
    return frame.width, frame.height, "".join(scene_elements(frame, by_cell))


def scene_elements(frame: Frame, by_cell: bool = False) -> list[str]:
    """Return the elements of the scene of a frame, the lowest first."""
    renderer = _Renderer(frame, by_cell)
    elements = [*renderer.cells()]
    for layer in sorted(frame.scene.layers, key=_depth):
        elements += renderer.layer(layer)
    elements += renderer.board_outline()
    for side in ("top", "left", "right", "bottom"):
        elements += renderer.outside(side)
    for highlight in frame.scene.of_type(Highlight):
        for point, label in highlight.labels.items():
            elements.append(renderer.label(point, label))
    return elements


def overlay_elements(scene: Scene, layers: Sequence[Layer], size: float) -> list[str]:
    """Return highlights and pencil marks as elements over the picture of a scene.

    What stands out has its role as a class, and the pencil marks of a cell are a group that names
    it in `data-cell`.

    Args:
        scene: The scene.
        layers: The highlights and pencil marks.
        size: The side of a square.
    """
    frame = Frame(replace(scene, layers=(*scene.layers, *layers)), size)
    renderer = _Renderer(frame, by_cell=False)
    elements = []
    for layer in layers:
        if isinstance(layer, Highlight):
            for role, element in renderer.highlights(layer):
                elements.append(f'<g class="lit {role}">{element}</g>')
        elif isinstance(layer, PencilMarks):
            for cell, marks in renderer.pencil_marks(layer):
                row, column = cell
                elements.append(f'<g data-cell="r{row}c{column}">{"".join(marks)}</g>')
    for layer in layers:
        if isinstance(layer, Highlight):
            elements += [renderer.label(point, label) for point, label in layer.labels.items()]
    return elements


def _depth(layer: Layer) -> int:
    return DEPTH.get(type(layer), len(DEPTH))


def described(scene: Scene) -> str:
    """Return a description of a scene in words."""
    top, bottom, left, right = scene.extent
    name = "A board"
    if scene.title.text:
        name = f"{scene.title.text}, a board"
    rows = bottom - top + 1
    columns = right - left + 1
    parts = [f"{name} of {rows} rows and {columns} columns"]
    for is_given, heading in ((True, "given"), (False, "found")):
        layers = [layer for layer in scene.layers if layer.is_given is is_given]
        words = dict.fromkeys(map(_layer_word, layers))
        if words:
            parts.append(f"{heading}: {', '.join(words)}")
    return "; ".join(parts) + "."


def _layer_word(layer: Layer) -> str:
    """Return what types call a layer."""
    return LAYER_WORDS.get(type(layer), type(layer).__name__.lower())


def _line_class(layer: Layer) -> str:
    return "side" if layer.is_given else "side found"


def _has_both(scene: Scene) -> bool:
    """Return whether the scene has texts of a solution and given clues, which look different."""
    if all(layer.is_given or not layer.texts for layer in scene.of_type(Text)):
        return False
    for layer in scene.layers:
        match layer:
            case Text(is_given=True) | ClueCell(is_given=True) | Cages(is_given=True):
                return True
            case SideLabels(is_given=True) | Outside(is_given=True, rim=False):
                return True
            case _:
                pass
    return False


class _Renderer:
    """Draws the layers of one scene.

    Attributes:
        fills: The class of the background of each cell that has one.
        under: The sign below each text in the middle of a cell.
        written: The cells with a text.
        crossed: The points that a line runs through.
        mixed: Whether texts of a solution and given clues look different.
        both: The names of the signs that are given and in the solution.
        low: Whether the texts of cells leave room above.
        crossed_out: The centres of cells with a pencil mark that is struck.
    """

    def __init__(self, frame: Frame, by_cell: bool) -> None:
        self.frame = frame
        self.xy = frame.xy
        self.centre = frame.centre
        self.scene = frame.scene
        self.size = frame.size
        self.by_cell = by_cell
        self.fills = self._fills()
        self.under = self._signs_under_texts()
        self.crossed = self._crossed()
        self.mixed = _has_both(self.scene)
        self.both = signs_of(self.scene, True) & signs_of(self.scene, False)
        marks = self.scene.of_type(PencilMarks)
        self.crossed_out = {centre(cell) for layer in marks for cell in layer.struck}
        text_layers = list(self.scene.of_type(Text))
        self.written = {cell for layer in text_layers for cell in layer.texts}
        has_corner_texts = any(layer.corner for layer in text_layers)
        # Corners of cells are taken, so that letters are smaller and stand lower.
        self.corners_taken = has_corner_texts or any(self.scene.of_type(Cages))

    def _fills(self) -> dict[CellPos, str]:
        colours: dict[CellPos, str] = {}
        for layer in self.scene.layers:
            if isinstance(layer, Pieces):
                for piece in layer.pieces:
                    colours |= dict.fromkeys(piece.cells, piece.colour)
            elif isinstance(layer, ClueCell):
                colours |= dict.fromkeys(layer.clues, "full-given")
        for cell, (tone, given) in shades(self.scene).items():
            full = "full-given" if given else "full-found"
            colours[cell] = full if tone == FULL else tone
        return {cell: class_of(colour) for cell, colour in colours.items()}

    def _signs_under_texts(self) -> dict[Point, str]:
        written = set[Point]()
        for layer in self.scene.layers:
            match layer:
                case PencilMarks() | Text(corner=False):
                    written.update(map(centre, layer.texts))
                case _:
                    pass
        signs: dict[Point, str] = {}
        for symbols in self.scene.of_type(Symbols):
            signs |= symbols.symbols
        return {point: name for point, name in signs.items() if point in written}

    def _crossed(self) -> set[Point]:
        points = set[Point]()
        for lines in self.scene.of_type(Lines):
            for ends, count in lines.links.items():
                if count:
                    points.update(ends)
        for diagonals in self.scene.of_type(Diagonals):
            points.update(map(centre, diagonals.falling))
        return points

    def layer(self, layer: Layer) -> Iterator[str]:
        """Yield the elements of a layer."""
        match layer:
            case Borders():
                yield from self._borders(layer)
            case Cages():
                yield from self._cages(layer)
            case ClueCell():
                for cell, clues in layer.clues.items():
                    yield from self._clue_cell(cell, *clues)
            case Lines():
                yield from self._lines(layer)
            case Diagonals():
                yield from self._diagonals(layer)
            case Symbols():
                yield from self._signs(layer)
            case Paths():
                looks = (layer.style, layer.is_given, self.written, self.fills)
                for path in layer.paths:
                    yield from path_svg(self.frame, path, *looks)
            case Pieces():
                yield from self._pieces(layer)
            case Text():
                draw = self._corner if layer.corner else self._letter
                for cell, text in layer.texts.items():
                    yield draw(cell, text, layer.is_given)
            case Highlight():
                for _, element in self.highlights(layer):
                    yield element
            case SideLabels():
                for point, text in layer.texts.items():
                    yield self._side_label(point, text)
            case PencilMarks():
                for _, marks in self.pencil_marks(layer):
                    yield from marks
            case _:
                pass

    def cells(self) -> Iterator[str]:
        """Yield the cells.

        All cells that are not filled are one path, or a path for each with `by_cell`. Squares are
        not drawn where lines run along their sides.
        """
        inset = set[CellPos]()  # cells that are filled up to a rim
        if self.scene.form == "square":
            inset = {cell for cell, fill in self.fills.items() if fill == "full-found"}
        plain = [cell for cell in self.scene.cells if cell not in self.fills or cell in inset]
        groups = [plain] if plain else []
        if self.scene.open and self.scene.form == "square":
            groups = []
        elif self.by_cell:
            groups = [[cell] for cell in plain]
        for cells in groups:
            rings = "".join(map(self._ring, cells))
            yield f'<path class="cell"{self._cell_name(cells[0])} d="{rings}"/>'
        for cell, fill in self.fills.items():
            if cell in inset:
                yield self._inset_fill(cell, fill)
            else:
                name = self._cell_name(cell)
                yield f'<path class="cell {fill}"{name} d="{self._ring(cell)}"/>'

    def _inset_fill(self, cell: CellPos, fill: str) -> str:
        """Return the fill of a square that leaves a rim: that of a solution."""
        x, y = self.xy(corner(cell))
        rim = self.size * 0.06
        inner = square(x + rim, y + rim, self.size - 2 * rim)
        return f'<rect class="{fill}"{self._cell_name(cell)} {inner} rx="{rim:.1f}"/>'

    def _ring(self, cell: CellPos) -> str:
        """Return the outline of a cell as steps of a path."""
        if self.scene.form != "square":
            start, *others = map(step_end, self.frame.polygon(cell))
            return f"M{start}L{' '.join(others)}z"
        x, y = self.xy(corner(cell))
        size = f"{self.size:g}"
        return f"M{x:g} {y:g}h{size}v{size}h-{size}z"

    def board_outline(self) -> Iterator[str]:
        """Yield the outline of the board, if it has one."""
        if not self.scene.open:
            yield self._outline([self.scene.cells], self.size / 24)

    def _outline(
        self, groups: Sequence[Sequence[CellPos]], width: float, css_class: str = "outline"
    ) -> str:
        """Return the outlines of groups of cells as one element."""
        steps = ""
        for side in sorted(outline(groups, self.scene.form)):
            start, end = map(step_end, self.frame.side(side))
            steps += f"M{start}L{end}"
        return f'<path class="{css_class}" stroke-width="{width:.1f}" d="{steps}"/>'

    def _borders(self, layer: Borders) -> Iterator[str]:
        for side in sorted(layer.sides):
            start, end = self.frame.side(side)
            yield line_svg(_line_class(layer), start, end, self.size / 13)

    def _diagonals(self, layer: Diagonals) -> Iterator[str]:
        for cell, falls in layer.falling.items():
            y, x = centre(cell)
            right = 1 if falls else -1
            start = self.xy((y - 1, x - right))
            end = self.xy((y + 1, x + right))
            yield line_svg(_line_class(layer), start, end, self.size / 13)

    def _cages(self, layer: Cages) -> Iterator[str]:
        for cells, clue in layer.groups:
            if self.scene.form == "square":
                yield cage_svg(self.frame, cells)
            else:
                yield self._outline([cells], 1, "cage")
            if clue:
                x, y = self.frame.corner(cells[0])
                inset = self.size * 0.12
                size = self.size * 0.25
                yield self._word(clue, x + inset, y + inset + size * 0.75, size, "small left")

    def _clue_cell(self, cell: CellPos, below: str, right: str) -> Iterator[str]:
        """Yield the clues of a blocked cell, with a diagonal between them."""
        if not below and not right:
            return
        y, x = centre(cell)
        start = self.xy((y - 1, x - 1))
        end = self.xy((y + 1, x + 1))
        yield line_svg("divide", start, end)
        size = self.size * 0.3
        inset = self.size * 0.08
        fill = self._on_fill(cell)
        if right:
            base = start[1] + size * 1.02
            yield self._word(right, end[0] - inset, base, size, f"right given{fill}", cell)
        if below:
            base = end[1] - size * 0.3
            yield self._word(below, start[0] + inset, base, size, f"left given{fill}", cell)

    def _signs(self, layer: Symbols) -> Iterator[str]:
        """Yield signs; what is given stands on grey if the solution has the same sign."""
        for point, name in layer.symbols.items():
            x, y = self.xy(point)
            size = self.size
            if not _is_centre(point):
                size *= 0.5
            if layer.is_given and name in self.both:
                half = size * 0.44
                box = square(x - half, y - half, size * 0.88)
                yield f'<rect class="set" {box}/>'
            upright = point[0] % 2 == 1
            sign = sign_svg(name, x, y, size, layer.is_given, upright)
            yield f'<g class="under">{sign}</g>' if point in self.under else sign

    def highlights(self, layer: Highlight) -> Iterator[tuple[str, str]]:
        """Yield the role and an element of each point that stands out, the lowest first."""
        for lowest_role in HIGHLIGHTS:
            for point, role in layer.roles.items():
                if role == lowest_role and (role != "line" or _is_centre(point)):
                    yield role, self._highlight(point, role)
        for point, role in layer.roles.items():
            if role == "struck" and point not in self.crossed_out:
                yield role, self._strike(point)

    def _highlight(self, point: Point, role: str) -> str:
        """Return a tint of a cell, or a spot on a side."""
        x, y = self.xy(point)
        look = HIGHLIGHTS[role]
        if not _is_centre(point):
            radius = self.size * 0.2
            return f'<circle {look} cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>'
        size = self.size
        if role != "scope":
            size *= 0.86
        tint = square(x - size / 2, y - size / 2, size)
        return f'<rect {look} {tint} rx="{self.size * 0.08:.1f}"/>'

    def _strike(self, point: Point) -> str:
        """Return a red cross."""
        x, y = self.xy(point)
        half = self.size * (0.28 if _is_centre(point) else 0.13)
        left = x - half
        right = x + half
        top = y - half
        bottom = y + half
        down = f"M{step_end((left, top))}L{step_end((right, bottom))}"
        up = f"M{step_end((left, bottom))}L{step_end((right, top))}"
        return f'<path {STRIKE} stroke-width="3" d="{down}{up}"/>'

    def label(self, point: Point, text: str) -> str:
        """Return the label of a point: in the corner of a cell, or on a side."""
        x, y = self.xy(point)
        if _is_centre(point):
            x += self.size * 0.42
            y -= self.size * 0.42
        size = self.size * 0.26
        width = size * (0.6 + 0.6 * cell_len(text))
        radius = size * 0.6
        left = x - width / 2
        top = y - radius
        box = f'x="{left:.1f}" y="{top:.1f}" width="{width:.1f}"'
        plate = f'<rect {LABEL} {box} height="{size * 1.2:.1f}" rx="{radius:.1f}"/>'
        return f"<g>{plate}{self._centred(text, x, y, size, 'on-full-found')}</g>"

    def _side_label(self, point: Point, text: str) -> str:
        """Return a text on a side or a corner, which hides what is below it."""
        x, y = self.xy(point)
        size = self.size * 0.3
        return self._centred(text, x, y, size, "over on")

    def _lines(self, layer: Lines) -> Iterator[str]:
        for _, dots in groupby(sorted(layer.dots), key=lambda dot: dot[0]):
            yield self._dots(dots)
        width = self.size / (8 if layer.is_given else 12)
        css_class = _line_class(layer)
        for (first, second), count in sorted(layer.links.items()):
            start = self.xy(first)
            end = self.xy(second)
            if count == 1:
                yield line_svg(css_class, start, end, width)
            else:
                yield from self._parallels(css_class, start, end, width, count)

    def _dots(self, dots: Iterable[Point]) -> str:
        """Return the dots of a row as one element: a large board has a thousand of them."""
        steps = ""
        for dot in dots:
            x, y = self.xy(dot)
            steps += f"M{round(x, 1):g} {round(y, 1):g}h.01"  # of which round caps make a dot
        return f'<path class="dots" d="{steps}"/>'

    def _parallels(
        self, css_class: str, start: XY, end: XY, width: float, count: int
    ) -> Iterator[str]:
        """Yield several lines side by side."""
        right, down = direction(start, end)
        for number in range(count):
            offset = width * (2 * number - count + 1)
            x = offset * down
            y = -offset * right
            first = (start[0] + x, start[1] + y)
            second = (end[0] + x, end[1] + y)
            yield line_svg(css_class, first, second, width * 0.8)

    def _pieces(self, layer: Pieces) -> Iterator[str]:
        """Yield the outlines of pieces and their names, in cells without a text.

        Where a path goes through its cells, the path shows what belongs together.
        """
        has_paths = any(self.scene.of_type(Paths))
        if has_paths:
            return
        groups = [piece.cells for piece in layer.pieces]
        yield self._outline(groups, self.size / 16, "seam")
        for piece in layer.pieces:
            for cell in piece.cells:
                if piece.name and cell not in self.written:
                    yield self._letter(cell, piece.name, True)

    def _letter(self, cell: CellPos, text: str, given: bool) -> str:
        """Return the text in the middle of a cell."""
        x, y = self.centre(cell)
        largest = 0.55
        if self.corners_taken:
            largest = 0.46
            y += self.size * 0.08
        letters = max(1, cell_len(text))
        size = self.size * min(largest, 1.4 / letters)
        css_class = ""
        if self.mixed:
            css_class = " given" if given else " found"
        css_class += self._background(cell)
        return self._centred(text, x, y, size, css_class.strip(), cell)

    def _background(self, cell: CellPos) -> str:
        """Return the classes of a text that depend on what is below it."""
        point = centre(cell)
        sign = self.under.get(point, "")
        if sign in ON_PEARLS:
            return ON_PEARLS[sign]
        on_fill = self._on_fill(cell)
        if on_fill:
            return on_fill
        return " over" if point in self.crossed else ""

    def _corner(self, cell: CellPos, text: str, given: bool) -> str:
        """Return the text in a corner of a cell."""
        x, y = self.frame.corner(cell)
        x += self.size * 0.08
        size = self.size * 0.28
        y = y + self.size * 0.06 + size * 0.8
        ink = "given" if given else "found"
        css_class = f"corner {ink}{self._on_fill(cell)}"
        return self._word(text, x, y, size, css_class, cell)

    def pencil_marks(self, layer: PencilMarks) -> Iterator[tuple[CellPos, Iterator[str]]]:
        """Yield the elements of the pencil marks of each cell."""
        for cell, texts in layer.texts.items():
            yield cell, self._pencil_marks(cell, texts, layer.struck.get(cell, ()))

    def _pencil_marks(
        self, cell: CellPos, texts: Sequence[str], struck: Collection[str]
    ) -> Iterator[str]:
        """Yield small texts: single digits like the keys of a telephone, others in rows."""
        x, y = self.centre(cell)
        size = self.size * 0.24
        pitch = self.size * 0.3
        if not struck and not DIGITS.issuperset(texts) and len(texts) <= ROW_OF_MARKS:
            yield self._centred(" ".join(texts), x, y, size, "small", cell)
            return
        for number, text in enumerate(texts):
            key = int(text) - 1 if DIGITS.issuperset(texts) else number
            row, column = divmod(key, ROW_OF_MARKS)
            middle_x = x + pitch * (column - 1)
            middle_y = y + pitch * (row - 1)
            yield self._centred(text, middle_x, middle_y, size, "small", cell)
            if text in struck:
                half = size * 0.55
                start = f"M{middle_x - half:.1f} {middle_y + half:.1f}"
                end = f"L{middle_x + half:.1f} {middle_y - half:.1f}"
                yield f'<path {STRIKE} stroke-width="2" d="{start}{end}"/>'

    def outside(self, side: str) -> Iterator[str]:
        """Yield the clues on one side of the board."""
        draw = self._column_clues if side in ("top", "bottom") else self._row_clues
        for number, clues in enumerate(outside_of(self.scene, side), 1):
            yield from draw(side, number, clues)

    def _column_clues(self, side: str, column: int, clues: Clues) -> Iterator[str]:
        """Yield the clues above or below a column."""
        x, _ = self.xy((0, 2 * column))
        top, bottom, _, _ = self.scene.extent
        edge = 2 * bottom + 1
        first = 0.5
        if side == "top":
            edge = 2 * top - 1
            first -= len(clues)
        _, end = self.xy((edge, 0))
        for number, (clue, rim) in enumerate(clues):
            distance = self.frame.clue * (number + first)
            yield self._clue(clue, rim, x, end + distance)

    def _row_clues(self, side: str, row: int, clues: Clues) -> Iterator[str]:
        """Yield the clues beside a row, from the board outwards."""
        x, y = self.frame.end_of_row(row, side == "left")
        away = -1
        if side == "left":
            clues = clues[::-1]
        else:
            away = 1
            x += self.frame.margin
        for clue, rim in clues:
            width = away * self.frame.clue_width(clue)
            yield self._clue(clue, rim, x + width / 2, y)
            x += width

    def _clue(self, clue: str, rim: bool, x: float, y: float) -> str:
        """Return a clue outside, or the number of a row or column, with its middle at a point."""
        size = self.size * (0.3 if rim else 0.42)
        return self._centred(clue, x, y, size, "rim" if rim else "")

    def _on_fill(self, cell: CellPos) -> str:
        """Return the classes of a text on the background of a cell; empty without one."""
        fill = self.fills.get(cell)
        return f" on on-{fill}" if fill else ""

    def _cell_name(self, cell: CellPos | None) -> str:
        if not self.by_cell or cell is None:
            return ""
        row, column = cell
        return f' data-cell="r{row}c{column}"'

    def _centred(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        css_class: str,
        cell: CellPos | None = None,
    ) -> str:
        """Return a text with its middle at a point."""
        return self._word(text, x, y + size * BASE, size, css_class, cell)

    def _word(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        css_class: str,
        cell: CellPos | None = None,
    ) -> str:
        """Return a text; `y` is its base line."""
        classes = f"letter {css_class}".strip()
        position = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}"'
        name = self._cell_name(cell)
        return f'<text class="{classes}"{name} {position}>{escape(text)}</text>'


def _is_centre(point: Point) -> bool:
    y, x = point
    return y % 2 == x % 2 == 0
