"""The pen of SVG: each layer of a scene as elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import hypot

from rich.cells import cell_len

from puzzlekit.render.ground import Ground
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
    Pieces,
    Point,
    Scene,
    Shade,
    Signs,
    Small,
    Split,
    Text,
    centre,
    outline,
    shades,
    signs_of,
)
from puzzlekit.render.svg_shapes import cage_svg, path_svg, square
from puzzlekit.render.svg_signs import sign_svg

Escape = Callable[[str], str]
BASE = 0.35  # of the size of a text: how far its base line lies below its middle
ON_PEARLS = {"black_circle": " on on-full-given", "white_circle": " on", "grey_circle": " on"}  # the classes of texts
# which layers are drawn below others
DEPTH = {Shade: 0, Pieces: 0, Split: 0, Paths: 1, Cages: 2, Borders: 3, Lines: 4, Diagonals: 4, Signs: 5}


def scene_svg(scene: Scene, size: float, escape: Escape, by_cell: bool = False) -> tuple[float, float, str]:
    """Return the width, the height and the elements of a scene.

    Args:
        scene: The scene.
        size: The side of a square.
        escape: Escapes text.
        by_cell: Whether the background and the texts of a cell name it in `data-cell`.
    """
    ground = Ground(scene, size)
    pen = _Pen(ground, escape, by_cell)
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
        kinds[layer.given].append(type(layer).__name__.lower())
    said = [
        f"{what}: {', '.join(dict.fromkeys(kinds[known]))}"
        for known, what in ((True, "given"), (False, "found"))
        if kinds[known]
    ]
    name = f"{scene.title.text}, a board" if scene.title.text else "A board"
    return f"{name} of {bottom - top + 1} rows and {right - left + 1} columns{'; ' if said else ''}{'; '.join(said)}."


def _has_both(scene: Scene) -> bool:
    """Return whether some texts are found and some clues given, so that they look different."""
    found = any(isinstance(layer, Text) and layer.texts and not layer.given for layer in scene.layers)
    clues = (layer for layer in scene.layers if isinstance(layer, Text | Split | Cages | Outside) and layer.given)
    return found and any(not isinstance(layer, Outside) or not layer.rim for layer in clues)


class _Pen:
    """Draws the layers of one scene."""

    def __init__(self, ground: Ground, escape: Escape, by_cell: bool) -> None:
        self.ground = ground
        self.scene = ground.scene
        self.size = ground.size
        self.escape = escape
        self.by_cell = by_cell
        self.fills = self._fills()
        self.under = self._signs_under_texts()
        self.crossed = {  # places that a line runs through
            place
            for layer in self.scene.layers
            for place in (
                map(centre, layer.falling)
                if isinstance(layer, Diagonals)
                else (end for link, wide in layer.links.items() if wide for end in link)
                if isinstance(layer, Lines)
                else ()
            )
        }
        self.given = _has_both(self.scene)
        self.both = signs_of(self.scene, True) & signs_of(self.scene, False)
        # whether texts leave room above
        self.low = any(isinstance(layer, Cages) or (isinstance(layer, Text) and layer.corner) for layer in self.scene.layers)

    def _fills(self) -> dict[Point, str]:
        """Return the class of the background of each cell that has one."""
        found: dict[Point, str] = {}
        for layer in self.scene.layers:
            if isinstance(layer, Pieces):
                found |= {cell: piece.colour for piece in layer.pieces for cell in piece.cells}
            elif isinstance(layer, Split):
                found |= dict.fromkeys(layer.clues, "full-given")
        for cell, (tone, given) in shades(self.scene).items():
            found[cell] = f"full-{'given' if given else 'found'}" if tone == FULL else tone
        return {cell: colour.replace(" ", "-") for cell, colour in found.items()}

    def _signs_under_texts(self) -> dict[At, str]:
        """Return the sign below each text in the middle of a cell."""
        texts = [
            layer for layer in self.scene.layers if isinstance(layer, Small) or (isinstance(layer, Text) and not layer.corner)
        ]
        written = {centre(cell) for layer in texts for cell in layer.texts}
        signs = (layer.signs for layer in self.scene.layers if isinstance(layer, Signs))
        return {place: name for own in signs for place, name in own.items() if place in written}

    def draw(self, layer: Layer) -> Iterator[str]:
        """Yield the elements of a layer."""
        match layer:
            case Borders():
                yield from (self._side(side, layer.given, self.size / 13) for side in sorted(layer.sides))
            case Cages():
                yield from self._cages(layer)
            case Split():
                yield from (part for cell, clues in layer.clues.items() for part in self._split(cell, *clues))
            case Lines():
                yield from self._lines(layer)
            case Diagonals():
                for cell, falls in layer.falling.items():
                    y, x = centre(cell)
                    one, other = ((y - 1, x - 1), (y + 1, x + 1)) if falls else ((y - 1, x + 1), (y + 1, x - 1))
                    yield self._line(one, other, layer.given, self.size / 13)
            case Signs():
                yield from self._signs(layer)
            case Paths():
                for path in layer.paths:
                    yield from path_svg(self.ground, path, layer.style, layer.given, self._written(), self.fills)
            case Pieces():
                yield from self._pieces(layer)
            case Text():
                for cell, text in layer.texts.items():
                    yield self._corner(cell, text, layer.given) if layer.corner else self._letter(cell, text, layer.given)
            case Small():
                for cell, parts in layer.texts.items():
                    yield from self._small(cell, parts)
            case _:
                pass

    def cells(self) -> Iterator[str]:
        """Yield the cells: one path for all that are not filled, but no squares where lines run along their sides.

        With `by_cell`, each has a path of its own.
        """
        inset = set() if self.scene.form != "square" else {cell for cell, fill in self.fills.items() if fill == "full-found"}
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

    def _ring(self, cell: Point) -> str:
        """Return the outline of a cell as a part of a path."""
        if self.scene.form != "square":
            first, *rest = self.ground.polygon(cell)
            return f"M{first[0]:.1f} {first[1]:.1f}L{' '.join(f'{x:.1f} {y:.1f}' for x, y in rest)}z"
        x, y = self.ground.at((2 * cell[0] - 1, 2 * cell[1] - 1))
        return f"M{x:g} {y:g}h{self.size:g}v{self.size:g}h-{self.size:g}z"

    def frame(self) -> Iterator[str]:
        """Yield the outline of the board."""
        if not self.scene.open:
            yield self._outline([self.scene.cells], self.size / 24)

    def _outline(self, groups: Sequence[Sequence[Point]], width: float, kind: str = "outline") -> str:
        """Return the outlines of groups of cells as one element."""
        ends = (self.ground.side(side) for side in sorted(outline(groups, self.scene.form)))
        steps = "".join(f"M{a:.1f} {b:.1f}L{c:.1f} {d:.1f}" for (a, b), (c, d) in ends)
        return f'<path class="{kind}" stroke-width="{width:.1f}" d="{steps}"/>'

    def _side(self, side: At, given: bool, width: float) -> str:
        (a, b), (c, d) = self.ground.side(side)
        kind = "side" if given else "side found"
        return f'<line class="{kind}" stroke-width="{width:.1f}" x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>'

    def _line(self, one: At, other: At, given: bool, width: float, aside: float = 0.0) -> str:
        (a, b), (c, d) = self.ground.at(one), self.ground.at(other)
        far = hypot(c - a, d - b) or 1.0
        right, down = aside * (d - b) / far, aside * (a - c) / far
        kind = "side" if given else "side found"
        ends = f'x1="{a + right:.1f}" y1="{b + down:.1f}" x2="{c + right:.1f}" y2="{d + down:.1f}"'
        return f'<line class="{kind}" stroke-width="{width:.1f}" {ends}/>'

    def _cages(self, layer: Cages) -> Iterator[str]:
        for cells, clue in layer.groups:
            yield self._outline([cells], 1, "cage") if self.scene.form != "square" else cage_svg(self.ground, cells)
            if clue:
                x, y = self.ground.corner(cells[0])
                size = self.size * 0.25
                yield self._word(clue, x + self.size * 0.12, y + self.size * 0.12 + size * 0.75, size, "small left")

    def _split(self, cell: Point, below: str, right: str) -> Iterator[str]:
        if not below and not right:
            return
        y, x = centre(cell)
        (a, b), (c, d) = self.ground.at((y - 1, x - 1)), self.ground.at((y + 1, x + 1))
        yield f'<line class="divide" x1="{a:.1f}" y1="{b:.1f}" x2="{c:.1f}" y2="{d:.1f}"/>'
        size, fill = self.size * 0.3, self._on(cell)
        if right:
            yield self._word(right, c - self.size * 0.08, b + size * 1.02, size, f"right given{fill}", cell)
        if below:
            yield self._word(below, a + self.size * 0.08, d - size * 0.3, size, f"left given{fill}", cell)

    def _signs(self, layer: Signs) -> Iterator[str]:
        """Yield signs; what is given stands on grey if the same sign is also found."""
        for at, name in layer.signs.items():
            x, y = self.ground.at(at)
            size = self.size * (1 if at[0] % 2 == at[1] % 2 == 0 else 0.5)
            if layer.given and name in self.both:
                yield f'<rect class="set" {square(x - size * 0.44, y - size * 0.44, size * 0.88)}/>'
            drawn = sign_svg(name, x, y, size, layer.given, upright=at[0] % 2 == 1)
            yield f'<g class="under">{drawn}</g>' if at in self.under else drawn

    def _lines(self, layer: Lines) -> Iterator[str]:
        for dot in sorted(layer.dots):
            x, y = self.ground.at(dot)
            yield f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="1.8"/>'
        for (one, other), count in sorted(layer.links.items()):
            width = self.size / (8 if layer.given else 12)
            if count == 1:
                yield self._line(one, other, layer.given, width)
            else:
                yield from (self._line(one, other, layer.given, width * 0.8, aside) for aside in (-width, width))

    def _pieces(self, layer: Pieces) -> Iterator[str]:
        traced = any(isinstance(other, Paths) for other in self.scene.layers)
        if not traced:
            yield self._outline([piece.cells for piece in layer.pieces], self.size / 16, "seam")
        written = self._written()
        for piece in layer.pieces if not traced else ():
            for cell in piece.cells:
                if piece.name and cell not in written:
                    yield self._letter(cell, piece.name, True)

    def _written(self) -> set[Point]:
        """Return the cells with a text."""
        return {cell for layer in self.scene.layers if isinstance(layer, Text) for cell in layer.texts}

    def _letter(self, cell: Point, text: str, given: bool) -> str:
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

    def _corner(self, cell: Point, text: str, given: bool) -> str:
        x, y = self.ground.corner(cell)
        size = self.size * 0.28
        kind = f"corner {'given' if given else 'found'}{self._on(cell)}"
        return self._word(text, x + self.size * 0.08, y + self.size * 0.06 + size * 0.8, size, kind, cell)

    def _small(self, cell: Point, parts: Sequence[str]) -> Iterator[str]:
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
        layers = [layer for layer in self.scene.layers if isinstance(layer, Outside) and layer.side == side]
        rows = (
            [(clue, own.rim) for own, clues in zip(layers, row) for clue in clues]
            for row in zip(*(own.clues for own in layers))
        )
        step = self.ground.clue
        top, bottom, _, _ = self.scene.extent
        for number, clues in enumerate(rows):
            if side in ("top", "bottom"):
                x = self.ground.at((0, 2 * (number + 1)))[0]
                end = self.ground.at((2 * top - 1, 0))[1] if side == "top" else self.ground.at((2 * bottom + 1, 0))[1]
                for place, (clue, rim) in enumerate(clues):
                    far = len(clues) - place if side == "top" else place + 1
                    yield self._clue(clue, rim, x, end - step * (far - 0.5) if side == "top" else end + step * (far - 0.5))
                continue
            x, y = self.ground.end_of_row(number + 1, side == "left")
            x = x if side == "left" else x + self.ground.margin
            for clue, rim in reversed(clues) if side == "left" else clues:
                wide = self.ground.clue_width(clue)
                yield self._clue(clue, rim, x + (-wide if side == "left" else wide) / 2, y)
                x += -wide if side == "left" else wide

    def _clue(self, clue: str, rim: bool, x: float, y: float) -> str:
        """Return a clue outside, or the number of a row or column, with its middle here."""
        size = self.size * (0.3 if rim else 0.42)
        return self._word(clue, x, y + size * BASE, size, "rim" if rim else "")

    def _on(self, cell: Point) -> str:
        fill = self.fills.get(cell)
        return f" on on-{fill}" if fill else ""

    def _name(self, cell: Point | None) -> str:
        return f' data-cell="r{cell[0]}c{cell[1]}"' if self.by_cell and cell else ""

    def _word(self, text: str, x: float, y: float, size: float, kind: str, cell: Point | None = None) -> str:
        kinds = f"letter {kind}".strip()
        return (
            f'<text class="{kinds}"{self._name(cell)} x="{x:.1f}" y="{y:.1f}" font-size="{size:.1f}">{self.escape(text)}</text>'
        )
