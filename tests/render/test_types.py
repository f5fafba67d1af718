"""Every type with a picture shows what its specs give: a value in no layer fails."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from puzzlekit.api import Puzzle, load
from puzzlekit.api.pictures import puzzle_parts
from puzzlekit.api.values import is_library_value
from puzzlekit.boards import Cell, Grid
from puzzlekit.lang.expressions.values import all_of_one_type
from puzzlekit.render.default_picture import pictures_of
from puzzlekit.render.make_layers import tone
from puzzlekit.scene import (
    Borders,
    Cages,
    ClueCell,
    Fill,
    Group,
    Lines,
    Outside,
    Paths,
    PicturePart,
    Pieces,
    Scene,
    SideLabels,
    Symbols,
    Text,
    around,
    cell_text,
    centre,
    corner,
    sides,
    upper,
)
from tests.commands import ROOT

TYPES = sorted(path.stem for path in (ROOT / "specs").iterdir())


def specs_of(name: str) -> list[Path]:
    """The smallest and the median spec of a type."""
    found = sorted((ROOT / "specs" / name).glob("*.yaml"), key=lambda path: path.stat().st_size)
    return list(dict.fromkeys((found[0], found[len(found) // 2])))


def scenes_in(parts: list[PicturePart]) -> list[Scene]:
    """The scenes of a picture."""
    own = [part for part in parts if isinstance(part, Scene)]
    return own + [scene for part in parts if isinstance(part, Group) for scene in part.scenes]


def corners_of(cell: Cell) -> list[tuple[int, int]]:
    """The four corners of a cell, in half steps."""
    return [corner((cell.row + down, cell.column + right)) for down in (0, 1) for right in (0, 1)]


def is_sign(text: str) -> bool:
    """Whether a text has no letter and no digit, as the arrow that stands for the word `up`."""
    return not any(letter.isalnum() for letter in text)


def in_a_layer(scene: Scene, grid: Grid, cell: Cell, value: Any) -> bool:
    """Whether a layer shows the value of a cell: as text, sign or colour,
    or by the borders around it.
    """
    edges = {
        side
        for side, other in zip(sides(cell), around(cell))
        if grid.values.get(Cell(*other)) != value
    }
    for layer in scene.layers:
        if isinstance(layer, Text) and layer.texts.get(cell) == cell_text(value):
            return True
        if isinstance(layer, Fill | ClueCell) and (
            layer.tones if isinstance(layer, Fill) else layer.clues
        ).get(cell):
            return True
        if isinstance(layer, ClueCell) and cell in layer.clues:
            return True
        if isinstance(layer, Symbols) and any(
            {abs(a - b) for a, b in zip(at, centre(cell))} <= {0, 1} for at in layer.symbols
        ):
            return True
        if (
            isinstance(layer, Text)
            and layer.is_given
            and isinstance(value, str)
            and is_sign(layer.texts.get(cell, "a"))
        ):
            return True
        if (
            isinstance(layer, Lines)
            and layer.is_given
            and any(centre(cell) in link or {*link} <= {*corners_of(cell)} for link in layer.links)
        ):
            return True
        if isinstance(layer, Borders) and edges <= layer.sides:
            return True
        if isinstance(layer, SideLabels):
            lower_right = corners_of(cell)[-1]
            if layer.texts.get(lower_right) == cell_text(value):
                return True
        groups = [cells for cells, _ in layer.groups] if isinstance(layer, Cages) else []
        groups += [piece.cells for piece in layer.pieces] if isinstance(layer, Pieces) else []
        if any(
            cell in cells and all(grid.values[Cell(*c)] == value for c in cells) for cells in groups
        ):
            return True
    return False


def lines_of(scene: Scene) -> Iterator[tuple[str, ...]]:
    """The clues of each line outside the board, the colours of each row of cells, and its words,
    as rows and as texts.
    """
    for layer in scene.layers:
        if isinstance(layer, Outside):
            yield from map(tuple, layer.clues)
        if isinstance(layer, Paths):
            yield from (tuple(str(Cell(*cell)) for cell in path.cells) for path in layer.paths)
        if isinstance(layer, Fill):
            for row in range(scene.extent[0], scene.extent[1] + 1):
                own = [
                    (cell[1], tone) for cell, tone in sorted(layer.tones.items()) if cell[0] == row
                ]
                yield tuple(tone for _, tone in own)
        if isinstance(layer, Text):
            for row in range(scene.extent[0], scene.extent[1] + 1):
                texts = tuple(text for cell, text in sorted(layer.texts.items()) if cell[0] == row)
                yield from (texts, ("".join(texts).lower(),))


def shown_as(line: Any) -> tuple[str, ...]:
    """A row of values as a line of the picture shows it: colours where the values have them."""
    row = line if isinstance(line, tuple) else (line,)
    if all(isinstance(part, Cell) for part in row):
        return tuple(map(str, row))
    return tuple(tone(part, {}) if all_of_one_type(row) else upper(part) for part in row)


def hidden(name: str, grid: Grid, scenes: list[Scene], shift: int) -> list[str]:
    """The given cells that no scene shows, on a board that begins so many rows and columns before
    that of the data.
    """
    at = {cell: Cell(cell.row + shift, cell.column + shift) for cell in grid.given}
    return [
        f"{name} at {cell}"
        for cell in at
        if not any(in_a_layer(scene, grid, at[cell], grid[cell]) for scene in scenes)
    ]


def missing(puzzle: Puzzle) -> Iterator[str]:
    """The given values that are neither in a layer nor in a line of text."""
    parts = puzzle_parts(puzzle.instance)
    scenes = scenes_in(parts)
    said = " ".join(
        spot.text for part in parts if not isinstance(part, Scene | Group) for spot in part
    )
    clues = {
        clue
        for scene in scenes
        for layer in scene.layers
        if isinstance(layer, Cages)
        for _, clue in layer.groups
    }
    clues |= {
        text
        for scene in scenes
        for layer in scene.layers
        if isinstance(layer, Text)
        for text in layer.texts.values()
    }
    lines = {line for scene in scenes for line in lines_of(scene)}
    read = {
        name
        for picture in pictures_of(puzzle.instance)
        for e in picture.expressions
        for name in e.names
    }
    behind = puzzle.type.fields_behind(read)
    below = puzzle.type.below or ()
    stated = {shown.name for shown in below} | {
        n for shown in below if shown.expression for n in shown.expression.names
    }
    for name in puzzle.spec.nodes:
        value = puzzle.instance.data[name]
        if isinstance(value, Grid):
            if set(value) != {"#"}:  # which only gives the board its form
                yield from min((hidden(name, value, scenes, shift) for shift in (0, 1)), key=len)
        elif name in behind and type(value) is tuple and signs_between(value, scenes):
            continue
        elif name in behind and type(value) is tuple:
            yield from (
                f"{name}: {line}"
                for line in value
                if line is not None and shown_as(line) not in lines
            )
        elif (
            name in behind
            and isinstance(value, Mapping)
            and all(isinstance(rows, tuple) for rows in value.values())
        ):
            flat = {key: tuple(part for row in rows for part in row) for key, rows in value.items()}
            yield from (
                f"{name}: {key}" for key, line in flat.items() if shown_as(line) not in lines
            )
        elif name in behind and isinstance(value, Mapping) and name in stated:
            yield from (f"{name}: {key}" for key in value if str(key) not in said)
        elif name in behind and isinstance(value, Mapping):
            yield from (f"{name}: {key}" for key, clue in value.items() if upper(clue) not in clues)
        elif (
            is_switch(value)
            or (isinstance(value, str) and shown_as(tuple(value)) in lines)
            or (puzzle.type.below is not None and name not in stated)
        ):
            continue
        elif (
            (name not in behind or isinstance(value, str))
            and f"{name}:" not in said
            and not isinstance(value, Mapping)
        ):
            yield name


def signs_between(rows: tuple[Any, ...], scenes: list[Scene]) -> bool:
    """Whether as many signs stand between cells as there are rows of two cells and a sign."""
    signs = sum(
        len(layer.symbols)
        for scene in scenes
        for layer in scene.layers
        if isinstance(layer, Symbols)
    )
    return signs == len(rows) and all(
        isinstance(row, tuple) and sum(isinstance(part, Cell) for part in row) == 2 for row in rows
    )


def is_switch(value: Any) -> bool:
    """Whether a value only says which rules hold or which lexicon they read."""
    return isinstance(value, bool) or (is_library_value(value) and isinstance(value.as_data(), str))


@pytest.mark.sampled(40)
@pytest.mark.parametrize("name", TYPES)
def test_every_given_value_is_shown(name: str) -> None:
    for path in specs_of(name):
        puzzle = load(None, path)
        if scenes_in(puzzle_parts(puzzle.instance)):
            assert list(missing(puzzle)) == [], path


def test_a_value_in_no_layer_is_noticed() -> None:
    spec = ROOT / "specs/hitori/tiny.yaml"
    text = (ROOT / "puzzles/hitori.yaml").read_text(encoding="utf-8")
    hidden = text.replace("    text: numbers\n", "    board: numbers\n")
    assert len(list(missing(load(hidden, spec)))) == 25 and not list(missing(load(text, spec)))
