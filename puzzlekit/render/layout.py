"""Render pictures as lines of text, with boards side by side if there is room."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.cells import cell_len
from rich.text import Text

from puzzlekit.render.scene import Group, Line, Part, Scene, Spot, Table
from puzzlekit.render.table import table_lines
from puzzlekit.render.terminal import scene_lines
from puzzlekit.render.theme import REGIONS

BETWEEN = 3  # blanks between boards side by side
INDENT = "  "  # of tables, which stand below their name


def text_lines(parts: Iterable[Part], wide: int = 80, coloured: bool = False) -> list[Line]:
    """The lines of a picture, at most `wide` characters where possible.

    Signs replace colours unless `coloured`.
    """
    lines: list[Line] = []
    for part in parts:
        if isinstance(part, Scene):
            lines += _titled(part, wide, coloured)
        elif isinstance(part, Group):
            lines += _group(part, wide, coloured)
        elif isinstance(part, Table):
            lines += ([Spot(INDENT), *line] for line in table_lines(part, wide - len(INDENT)))
        else:
            lines.append(part)
    return lines


def _group(group: Group, wide: int, coloured: bool) -> list[Line]:
    """Boards side by side, with a blank line below each row of boards."""
    blocks = [_titled(scene, wide, coloured) for scene in group.scenes]
    lines: list[Line] = []
    row: list[list[Line]] = []
    for block in blocks:
        if row and sum(map(_width, [*row, block])) + BETWEEN * len(row) > wide:
            lines += [*_beside(row), [Spot("")]]
            row = []
        row.append(block)
    return [*lines, *_beside(row), [Spot("")]] if row else lines


def _titled(scene: Scene, wide: int, coloured: bool) -> list[Line]:
    """A board with its title above it."""
    title: list[Line] = [[Spot(f" {scene.title.text} ", scene.title.colour)]] if scene.title.text else []
    return [*title, *scene_lines(scene, wide, coloured)]


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


STYLES = {
    "green": "bold white on green",
    "yellow": "bold black on yellow",
    "grey": "white on bright_black",
    "found": "reverse",
    "given": "bold reverse",
    "block": "bold reverse",
    **{f"region {number}": f"black on {colour}" for number, colour in enumerate(REGIONS)},
    **{f"line {number}": f"bold {colour}" for number, colour in enumerate(REGIONS)},
}
INKS = {"given": "bold", "found": "cyan", "faint": "dim"}


def draw(parts: Sequence[Part], colour: bool, wide: int = 80) -> list[Text]:
    """A picture as rich text, indented by two blanks, for a terminal of this width."""
    lines = text_lines(parts, wide - 2, colour)
    drawn = [Text("  ").append_text(_line(line, colour)) for line in lines]
    widest = _width(lines) + 2
    if widest > wide and any(isinstance(part, Scene | Group | Table) for part in parts):
        note = f"({widest} columns: widen the window, or use draw --svg, --html, --png or --pdf)"
        drawn += (Text(f"  {line}") for line in wrap(note, max(20, min(wide, 80) - 2)))
    for text in () if colour else drawn:
        text.rstrip()
    return drawn


def _line(line: Line, colour: bool) -> Text:
    if not colour:
        return Text("".join(spot.text for spot in line).rstrip())
    return Text.assemble(*((spot.text, STYLES.get(spot.colour) or INKS.get(spot.ink, "")) for spot in line))
