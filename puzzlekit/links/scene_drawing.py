"""Makes the drawing of a scene: what stands on the board before anything is found."""

from __future__ import annotations

from collections.abc import Iterable

from puzzlekit.links.drawing import Drawing
from puzzlekit.render.scene import (
    FULL,
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
    centre,
)

COLOURS = {FULL: 4, "given": 4, "green": 2, "yellow": 7, "grey": 8}  # of tones
REGIONS = (3, 5, 6, 7, 9, 2, 10, 11, 12)  # of the tones `region 0`, …
Margins = tuple[int, int, int, int]


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
