"""Render pictures as lines of text, with boards side by side if there is room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from rich.cells import cell_len
from rich.text import Text

from puzzlekit.render.picture import REGIONS, Figure, Group, Line, Part, Point, Spot

GLYPHS = "·╵╶└╷│┌├╴┘─┴┐┤┬┼"  # by the sum of directions: up 1, right 2, down 4, left 8
SLANTS = {(1, 1): "╲", (1, -1): "╱"}
BETWEEN = 3  # blanks between boards side by side

Canvas = dict[int, dict[int, Spot]]  # by line, then by column


def text_lines(parts: Iterable[Part], wide: int = 80) -> list[Line]:
    """The lines of a picture, at most `wide` characters where possible."""
    lines: list[Line] = []
    for part in parts:
        if isinstance(part, Figure):
            lines += _figure(part)
        elif isinstance(part, Group):
            lines += _group(part, wide)
        else:
            lines.append(part)
    return lines


def _group(group: Group, wide: int) -> list[Line]:
    """Boards side by side, with a blank line below each row of boards."""
    blocks = [_titled(figure) for figure in group.figures]
    lines: list[Line] = []
    row: list[list[Line]] = []
    for block in blocks:
        if row and sum(map(_width, [*row, block])) + BETWEEN * len(row) > wide:
            lines += [*_beside(row), [Spot("")]]
            row = []
        row.append(block)
    return [*lines, *_beside(row), [Spot("")]] if row else lines


def _titled(figure: Figure) -> list[Line]:
    """A board with its title above it."""
    return [[Spot(f" {figure.title.text} ", figure.title.colour)], *_figure(figure)]


def _beside(blocks: list[list[Line]]) -> list[Line]:
    """Blocks of lines side by side."""
    lines: list[Line] = []
    for number in range(max(map(len, blocks))):
        line: list[Spot] = []
        for place, block in enumerate(blocks):
            own = list(block[number]) if number < len(block) else []
            last = place == len(blocks) - 1
            line += [*own, *([] if last else [Spot(" " * (_width(block) - _length(own) + BETWEEN))])]
        lines.append(line)
    return lines


def _width(block: list[Line]) -> int:
    return max(map(_length, block), default=0)


def _length(line: Line) -> int:
    return sum(cell_len(spot.text) for spot in line)


def _figure(figure: Figure) -> list[Line]:
    if figure.sides or figure.corners:
        return _lines(_bordered(figure))
    if figure.paths is not None:
        return _lines(_traced(figure))
    return _lines(_plain(figure))


def _plain(figure: Figure) -> Canvas:
    """A board with one line per row."""
    wide = max((cell_len(spot.text) for spot in figure.cells.values()), default=1)
    pitch = wide + 2 + (figure.slanted and wide % 2)
    canvas: Canvas = {}
    for (row, column), spot in figure.cells.items():
        text = " " * (wide - cell_len(spot.text)) + spot.text
        x = pitch * column + (pitch // 2 * row if figure.slanted else 0)
        canvas.setdefault(row, {})[x] = Spot(f" {text} ", spot.colour)
    return canvas


def _bordered(figure: Figure) -> Canvas:
    """A board with lines along the sides of its cells."""
    gap = 2 + max((cell_len(spot.text) for spot in figure.cells.values()), default=1)
    corners = figure.corners | {corner for side in figure.sides for corner in side}
    canvas: Canvas = {}
    for row, column in corners:
        ways = [frozenset(((row, column), other)) in figure.sides for other in _round((row, column))]
        line, below = canvas.setdefault(2 * row, {}), canvas.setdefault(2 * row + 1, {})
        x = (gap + 1) * column
        line[x] = Spot(GLYPHS[_sum(ways)] if any(ways) or (row, column) in figure.corners else " ")
        if ways[1]:
            line[x + 1] = Spot("─" * gap)
        if ways[2]:
            below[x] = Spot("│")
    for (row, column), spot in figure.cells.items():
        canvas.setdefault(2 * row + 1, {})[(gap + 1) * column + 1] = Spot(f"{spot.text:^{gap}}", spot.colour)
    return canvas


def _traced(figure: Figure) -> Canvas:
    """A board with lines between cell centres; a cell without text shows its lines."""
    thick = max(1, *(cell_len(spot.text) for spot in figure.cells.values()), 1)
    steps = _steps(figure)
    canvas: Canvas = {}
    pitch = thick + 3
    for at, spot in figure.cells.items():
        x = pitch * at[1] + (pitch // 2 * at[0] if figure.slanted else 0)
        ways = [(at, other) in steps for other in _round(at)]
        canvas.setdefault(2 * at[0], {})[x] = Spot(_node(spot.text, ways, thick), spot.colour)
        below = canvas.setdefault(2 * at[0] + 1, {})
        for (one, other), colour in steps.items():
            if one == at and other[0] == at[0] and other[1] > at[1]:
                canvas[2 * at[0]][x + thick] = Spot("───", _thin(colour))
            elif one == at and other[0] > at[0]:
                _down(below, x, other[1] - at[1], pitch, thick, figure.slanted, _thin(colour))
    return canvas


def _down(below: dict[int, Spot], x: int, aside: int, pitch: int, thick: int, slanted: bool, colour: str) -> None:
    """The step to a cell in the next row: straight, diagonal, or ╳ where two cross."""
    if slanted:
        place, sign = (x + thick, "╲") if aside == 0 else (x - 1, "╱")
    elif aside == 0:
        below[x] = Spot(f"{'│':^{thick}}", colour)
        return
    else:
        place, sign = (x + thick + 1 if aside > 0 else x - 2), SLANTS[1, aside]
    below[place] = Spot("╳" if place in below else sign, "" if place in below else colour)


def _steps(figure: Figure) -> Mapping[tuple[Point, Point], str]:
    """Each step of the paths in both directions, with its colour."""
    found: dict[tuple[Point, Point], str] = {}
    for path in figure.paths or ():
        for one, other in pairwise(map(tuple, path.cells)):
            found[one, other] = found[other, one] = path.colour  # type: ignore[index]
    return found


def _thin(colour: str) -> str:
    """The colour of a line in a region of this colour."""
    return colour.replace("region", "line")


def _lines(canvas: Canvas) -> list[Line]:
    """The lines of a canvas, cropped to its content."""
    drawn = {y: line for y, line in canvas.items() if line}
    left = min((x for line in drawn.values() for x in line), default=0)
    lines: list[Line] = []
    for y in range(min(drawn, default=0), max(drawn, default=-1) + 1):
        line: list[Spot] = []
        at = left
        for x, spot in sorted(drawn.get(y, {}).items()):
            line += [*([Spot(" " * (x - at))] if x > at else []), spot]
            at = x + cell_len(spot.text)
        lines.append(line)
    return lines


def _round(at: Point) -> tuple[Point, ...]:
    row, column = at
    return (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)


def _sum(ways: Iterable[bool]) -> int:
    return sum(way << place for place, way in enumerate(ways))


def _node(text: str, ways: list[bool], thick: int) -> str:
    shown = text or GLYPHS[_sum(ways)]
    left, right = ("─" if ways[3] else " "), ("─" if ways[1] else " ")
    before = (thick - cell_len(shown)) // 2
    return left * before + shown + right * (thick - cell_len(shown) - before)


STYLES = {
    "green": "bold white on green",
    "yellow": "bold black on yellow",
    "grey": "white on bright_black",
    **{f"region {number}": f"black on {colour}" for number, colour in enumerate(REGIONS)},
    **{f"line {number}": f"bold {colour}" for number, colour in enumerate(REGIONS)},
}
SIGNS = {"green": "[{}]", "yellow": "({})"}


def draw(parts: Iterable[Part], colour: bool, wide: int = 80) -> list[Text]:
    """A picture as rich text, indented by two blanks, for a terminal of this width."""
    drawn = [Text("  ").append_text(_line(line, colour)) for line in text_lines(parts, wide - 2)]
    for text in () if colour else drawn:
        text.rstrip()
    return drawn


def _line(line: Line, colour: bool) -> Text:
    if not colour:
        return Text("".join(map(_signed, line)).rstrip())
    return Text.assemble(*((spot.text, STYLES.get(spot.colour, "")) for spot in line))


def _signed(spot: Spot) -> str:
    sign = SIGNS.get(spot.colour)
    return sign.format(spot.text[1:-1]) if sign else spot.text
