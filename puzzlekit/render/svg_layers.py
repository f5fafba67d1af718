"""The pen of SVG: each layer of a scene as elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from puzzlekit.render.svg_shapes import (
    Frame,
    cage_svg,
    class_of,
    direction,
    escape,
    line_svg,
    path_svg,
    sign_svg,
    square,
)
from puzzlekit.render.theme import HIGHLIGHTS
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
    outline,
    outside_of,
    shades,
    signs_of,
)

BASE = 0.35  # of the size of a text: how far its base line lies below its middle
ON_PEARLS = {
    "black_circle": " on on-full-given",
    "white_circle": " on",
    "grey_circle": " on",
}  # the classes of texts
# which layers are drawn below others
DEPTH = {
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
    ground = Frame(scene, size)
    pen = _Pen(ground, by_cell)
    drawn = [*pen.cells()]
    for layer in sorted(scene.layers, key=lambda layer: DEPTH.get(type(layer), len(DEPTH))):
        drawn += pen.draw(layer)
    drawn += pen.frame()
    for side in ("top", "left", "right", "bottom"):
        drawn += pen.outside(side)
    return ground.width, ground.height, "".join(drawn)


def described(scene: Scene) -> str:
    """Return what a scene shows, in words."""
    top, bottom, left, right = scene.extent
    kinds = {True: list[str](), False: list[str]()}
    for layer in scene.layers:
        kinds[layer.is_given].append(type(layer).__name__.lower())
    said = [
        f"{what}: {', '.join(dict.fromkeys(kinds[known]))}"
        for known, what in ((True, "given"), (False, "found"))
        if kinds[known]
    ]
    name = f"{scene.title.text}, a board" if scene.title.text else "A board"
    return f"{name} of {bottom - top + 1} rows and {right - left + 1} columns{'; ' if said else ''}{'; '.join(said)}."


def _side(layer: Layer) -> str:
    """Return the class of a line."""
    return "side" if layer.is_given else "side found"


def _has_both(scene: Scene) -> bool:
    """Return whether some texts are found and some clues given, so that they look different."""
    found = any(layer.texts and not layer.is_given for layer in scene.of_type(Text))
    clues = (
        layer
        for layer in scene.layers
        if isinstance(layer, Text | ClueCell | Cages | Outside) and layer.is_given
    )
    return found and any(not isinstance(layer, Outside) or not layer.rim for layer in clues)


class _Pen:
    """Draws the layers of one scene."""

    def __init__(self, ground: Frame, by_cell: bool) -> None:
        self.ground = ground
        self.scene = ground.scene
        self.size = ground.size
        self.by_cell = by_cell
        self.fills = self._fills()
        self.under = self._signs_under_texts()
        self.written = {cell for layer in self.scene.of_type(Text) for cell in layer.texts}
        linked = (
            link
            for layer in self.scene.of_type(Lines)
            for link, wide in layer.links.items()
            if wide
        )
        self.crossed = {end for link in linked for end in link}  # places that a line runs through
        self.crossed |= {
            centre(cell) for layer in self.scene.of_type(Diagonals) for cell in layer.falling
        }
        self.given = _has_both(self.scene)
        self.both = signs_of(self.scene, True) & signs_of(self.scene, False)
        cornered = any(layer.corner for layer in self.scene.of_type(Text))
        self.low = cornered or any(self.scene.of_type(Cages))  # whether texts leave room above

    def _fills(self) -> dict[CellPos, str]:
        """Return the class of the background of each cell that has one."""
        found: dict[CellPos, str] = {}
        for layer in self.scene.layers:
            if isinstance(layer, Pieces):
                found |= {cell: piece.colour for piece in layer.pieces for cell in piece.cells}
            elif isinstance(layer, ClueCell):
                found |= dict.fromkeys(layer.clues, "full-given")
        for cell, (tone, given) in shades(self.scene).items():
            found[cell] = f"full-{'given' if given else 'found'}" if tone == FULL else tone
        return {cell: class_of(colour) for cell, colour in found.items()}

    def _signs_under_texts(self) -> dict[Point, str]:
        """Return the sign below each text in the middle of a cell."""
        texts: list[PencilMarks | Text] = [
            *self.scene.of_type(PencilMarks),
            *(layer for layer in self.scene.of_type(Text) if not layer.corner),
        ]
        written = {centre(cell) for layer in texts for cell in layer.texts}
        signs = (layer.symbols for layer in self.scene.of_type(Symbols))
        return {place: name for own in signs for place, name in own.items() if place in written}

    def draw(self, layer: Layer) -> Iterator[str]:
        """Yield the elements of a layer."""
        match layer:
            case Borders():
                for side in sorted(layer.sides):
                    yield line_svg(_side(layer), *self.ground.side(side), self.size / 13)
            case Cages():
                yield from self._cages(layer)
            case ClueCell():
                yield from (
                    part
                    for cell, clues in layer.clues.items()
                    for part in self._split(cell, *clues)
                )
            case Lines():
                yield from self._lines(layer)
            case Diagonals():
                for cell, falls in layer.falling.items():
                    y, x = centre(cell)
                    one, other = (
                        ((y - 1, x - 1), (y + 1, x + 1))
                        if falls
                        else ((y - 1, x + 1), (y + 1, x - 1))
                    )
                    yield line_svg(
                        _side(layer), self.ground.at(one), self.ground.at(other), self.size / 13
                    )
            case Symbols():
                yield from self._signs(layer)
            case Paths():
                for path in layer.paths:
                    yield from path_svg(
                        self.ground, path, layer.style, layer.is_given, self.written, self.fills
                    )
            case Pieces():
                yield from self._pieces(layer)
            case Text():
                for cell, text in layer.texts.items():
                    yield (
                        self._corner(cell, text, layer.is_given)
                        if layer.corner
                        else self._letter(cell, text, layer.is_given)
                    )
            case Highlight():
                for place, kind in sorted(
                    layer.kinds.items(), key=lambda item: [*HIGHLIGHTS].index(item[1])
                ):
                    yield self._highlight(place, kind)
            case SideLabels():
                for at, text in layer.texts.items():
                    yield self._note(at, text)
            case PencilMarks():
                for cell, parts in layer.texts.items():
                    yield from self._small(cell, parts)
            case _:
                pass

    def cells(self) -> Iterator[str]:
        """Yield the cells: one path for all that are not filled, but no squares where lines run
        along their sides.

        With `by_cell`, each has a path of its own.
        """
        inset = (
            set()
            if self.scene.form != "square"
            else {cell for cell, fill in self.fills.items() if fill == "full-found"}
        )
        plain = [cell for cell in self.scene.cells if cell not in self.fills or cell in inset]
        if plain and not (self.scene.open and self.scene.form == "square"):
            for cells in [[cell] for cell in plain] if self.by_cell else [plain]:
                yield f'<path class="cell"{self._name(cells[0])} d="{"".join(map(self._ring, cells))}"/>'
        for cell, fill in self.fills.items():
            if cell not in inset:
                yield f'<path class="cell {fill}"{self._name(cell)} d="{self._ring(cell)}"/>'
            else:  # what is found leaves a rim
                x, y = self.ground.at((2 * cell[0] - 1, 2 * cell[1] - 1))
                edge = self.size * 0.06
                inner = square(x + edge, y + edge, self.size - 2 * edge)
                yield f'<rect class="{fill}"{self._name(cell)} {inner} rx="{edge:.1f}"/>'

    def _ring(self, cell: CellPos) -> str:
        """Return the outline of a cell as a part of a path."""
        if self.scene.form != "square":
            first, *rest = self.ground.polygon(cell)
            return (
                f"M{first[0]:.1f} {first[1]:.1f}L{' '.join(f'{x:.1f} {y:.1f}' for x, y in rest)}z"
            )
        x, y = self.ground.at((2 * cell[0] - 1, 2 * cell[1] - 1))
        return f"M{x:g} {y:g}h{self.size:g}v{self.size:g}h-{self.size:g}z"

    def frame(self) -> Iterator[str]:
        """Yield the outline of the board."""
        if not self.scene.open:
            yield self._outline([self.scene.cells], self.size / 24)

    def _outline(
        self, groups: Sequence[Sequence[CellPos]], width: float, kind: str = "outline"
    ) -> str:
        """Return the outlines of groups of cells as one element."""
        ends = (self.ground.side(side) for side in sorted(outline(groups, self.scene.form)))
        steps = "".join(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for (a, b), (c, d) in ends)
        return f'<path class="{kind}" stroke-width="{width:.1f}" d="{steps}"/>'

    def _cages(self, layer: Cages) -> Iterator[str]:
        for cells, clue in layer.groups:
            yield (
                self._outline([cells], 1, "cage")
                if self.scene.form != "square"
                else cage_svg(self.ground, cells)
            )
            if clue:
                x, y = self.ground.corner(cells[0])
                size = self.size * 0.25
                yield self._word(
                    clue,
                    x + self.size * 0.12,
                    y + self.size * 0.12 + size * 0.75,
                    size,
                    "small left",
                )

    def _split(self, cell: CellPos, below: str, right: str) -> Iterator[str]:
        if not below and not right:
            return
        y, x = centre(cell)
        (a, b), (c, d) = self.ground.at((y - 1, x - 1)), self.ground.at((y + 1, x + 1))
        yield line_svg("divide", (a, b), (c, d))
        size, fill = self.size * 0.3, self._on(cell)
        if right:
            yield self._word(
                right, c - self.size * 0.08, b + size * 1.02, size, f"right given{fill}", cell
            )
        if below:
            yield self._word(
                below, a + self.size * 0.08, d - size * 0.3, size, f"left given{fill}", cell
            )

    def _signs(self, layer: Symbols) -> Iterator[str]:
        """Yield signs; what is given stands on grey if the same sign is also found."""
        for at, name in layer.symbols.items():
            x, y = self.ground.at(at)
            size = self.size * (1 if at[0] % 2 == at[1] % 2 == 0 else 0.5)
            if layer.is_given and name in self.both:
                yield f'<rect class="set" {square(x - size * 0.44, y - size * 0.44, size * 0.88)}/>'
            drawn = sign_svg(name, x, y, size, layer.is_given, upright=at[0] % 2 == 1)
            yield f'<g class="under">{drawn}</g>' if at in self.under else drawn

    def _highlight(self, place: Point, kind: str) -> str:
        """Return a tint of a cell, or a spot on a side; a ring, too, but for the scope."""
        x, y = self.ground.at(place)
        if place[0] % 2 == place[1] % 2 == 0:
            size = self.size * (1 if kind == "scope" else 0.86)
            return f'<rect {HIGHLIGHTS[kind]} {square(x - size / 2, y - size / 2, size)} rx="{self.size * 0.08:.1f}"/>'
        return f'<circle {HIGHLIGHTS[kind]} cx="{x:.1f}" cy="{y:.1f}" r="{self.size * 0.2:.1f}"/>'

    def _note(self, at: Point, text: str) -> str:
        """Return a text on a side or a corner, which is wiped clean below it."""
        (x, y), size = self.ground.at(at), self.size * 0.3
        return self._word(text, x, y + size * BASE, size, "over on")

    def _lines(self, layer: Lines) -> Iterator[str]:
        for dot in sorted(layer.dots):
            x, y = self.ground.at(dot)
            yield f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="1.8"/>'
        for (one, other), count in sorted(layer.links.items()):
            width = self.size / (8 if layer.is_given else 12)
            ends = self.ground.at(one), self.ground.at(other)
            if count == 1:
                yield line_svg(_side(layer), *ends, width)
                continue
            for number in range(count):  # side by side
                aside = width * (2 * number - count + 1)
                right, down = direction(*ends)
                (a, b), (c, d) = ((x + aside * down, y - aside * right) for x, y in ends)
                yield line_svg(_side(layer), (a, b), (c, d), width * 0.8)

    def _pieces(self, layer: Pieces) -> Iterator[str]:
        if any(self.scene.of_type(Paths)):
            return
        yield self._outline([piece.cells for piece in layer.pieces], self.size / 16, "seam")
        for piece in layer.pieces:
            for cell in piece.cells:
                if piece.name and cell not in self.written:
                    yield self._letter(cell, piece.name, True)

    def _letter(self, cell: CellPos, text: str, given: bool) -> str:
        x, y = self.ground.centre(cell)
        size = self.size * min(0.46 if self.low else 0.55, 1.4 / max(1, cell_len(text)))
        y += self.size * 0.08 if self.low else 0.0
        ink = "" if not self.given else " given" if given else " found"
        on = (
            ON_PEARLS.get(self.under.get(centre(cell), ""))
            or self._on(cell)
            or (" over" if centre(cell) in self.crossed else "")
        )
        return self._word(text, x, y + size * BASE, size, f"{ink}{on}".strip(), cell)

    def _corner(self, cell: CellPos, text: str, given: bool) -> str:
        x, y = self.ground.corner(cell)
        size = self.size * 0.28
        kind = f"corner {'given' if given else 'found'}{self._on(cell)}"
        return self._word(
            text, x + self.size * 0.08, y + self.size * 0.06 + size * 0.8, size, kind, cell
        )

    def _small(self, cell: CellPos, parts: Sequence[str]) -> Iterator[str]:
        """Yield small texts: single digits in the places of a telephone, others in a row."""
        x, y = self.ground.centre(cell)
        size = self.size * 0.24
        if all(len(part) == 1 and part in "123456789" for part in parts):
            for part in parts:
                row, column = divmod(int(part) - 1, 3)
                right, down = (self.size * 0.3 * (step - 1) for step in (column, row))
                yield self._word(part, x + right, y + down + size * BASE, size, "small", cell)
        else:
            yield self._word(" ".join(parts), x, y + size * BASE, size, "small", cell)

    def outside(self, side: str) -> Iterator[str]:
        """Yield the clues on one side of the board."""
        step = self.ground.clue
        top, bottom, _, _ = self.scene.extent
        for number, clues in enumerate(outside_of(self.scene, side), 1):
            if side in ("top", "bottom"):
                x, end = (
                    self.ground.at((0, 2 * number))[0],
                    self.ground.at((2 * top - 1 if side == "top" else 2 * bottom + 1, 0))[1],
                )
                for place, (clue, rim) in enumerate(clues):
                    far = place - len(clues) + 0.5 if side == "top" else place + 0.5
                    yield self._clue(clue, rim, x, end + step * far)
                continue
            x, y = self.ground.end_of_row(number, side == "left")
            x = x if side == "left" else x + self.ground.margin
            for clue, rim in reversed(clues) if side == "left" else clues:
                wide = self.ground.clue_width(clue)
                yield self._clue(clue, rim, x + (-wide if side == "left" else wide) / 2, y)
                x += -wide if side == "left" else wide

    def _clue(self, clue: str, rim: bool, x: float, y: float) -> str:
        """Return a clue outside, or the number of a row or column, with its middle here."""
        size = self.size * (0.3 if rim else 0.42)
        return self._word(clue, x, y + size * BASE, size, "rim" if rim else "")

    def _on(self, cell: CellPos) -> str:
        fill = self.fills.get(cell)
        return f" on on-{fill}" if fill else ""

    def _name(self, cell: CellPos | None) -> str:
        return f' data-cell="r{cell[0]}c{cell[1]}"' if self.by_cell and cell else ""

    def _word(
        self, text: str, x: float, y: float, size: float, kind: str, cell: CellPos | None = None
    ) -> str:
        kinds = f"letter {kind}".strip()
        return f'<text class="{kinds}"{self._name(cell)} x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}">{escape(text)}</text>'
