"""Writes links of puzz.link."""

from __future__ import annotations

from typing import Any

import yaml

from puzzlekit.boards import Cell, Grid
from puzzlekit.encodings import ENCODINGS, EncodingError, Extent
from puzzlekit.errors import InputError
from puzzlekit.lang import BoundPuzzle, LinkForm, PuzzleType, Size
from puzzlekit.lang.data.scalars import Reading
from puzzlekit.lang.link_forms import HOLES, Settings
from puzzlekit.links.board_layers import Cells, cell_at, regions_of
from puzzlekit.links.link_layers import places_of
from puzzlekit.links.places import Given

SITE = "https://puzz.link/p?"


def write(puzzle: BoundPuzzle) -> str:
    """Return the link of a puzzle.

    Raises:
        InputError: The type has no links, or a link cannot carry all of the puzzle.
    """
    kind, form = puzzle.puzzle, puzzle.puzzle.links
    if form is None:
        raise InputError(f"{kind.name} has no links of puzz.link\n     = docs/links.md lists the types that have them")
    sizes = (places_of(layer, kind).size(puzzle.data) for layer in form.layers)
    width, height = next((size for size in sizes if size is not None), (0, 0))
    name, flags = _carried(puzzle, form, width, height)
    given = Given(width, height, data=puzzle.data)
    _number_regions(form, given)
    _refuse_holes(puzzle, form, given)
    body = _body(form, kind, given)
    end = "" if not body or body[-1].isalnum() else "/"
    return f"{SITE}{name}/{flags + '/' if flags else ''}{width}/{height}/{body}{end}"


def _carried(puzzle: BoundPuzzle, form: LinkForm, width: int, height: int) -> tuple[str, str]:
    """Return the name and the flags that a link states. Raises InputError for fields that it cannot carry."""
    kind = puzzle.puzzle
    if form.sizes and (width != height or width not in form.sizes):
        raise InputError(f"a link of {kind.name} has a square board with a side of {', '.join(map(str, form.sizes))}")

    def holds(settings: Settings) -> bool:
        return all(puzzle.data[field] == _value(kind, field, node) for field, node in settings.items())

    flags = [flag for flag, settings in form.flags.items() if settings and holds(settings)]
    flagged = {field: node for flag in flags for field, node in form.flags[flag].items()}
    names = [name for name, settings in form.names.items() if holds({**settings, **flagged})]
    stated = {**form.names[names[0] if names else next(iter(form.names))], **flagged, **form.sizes.get(width, {})}
    layers = {field for layer in form.layers for field in layer.fields}
    left = [field for field in kind.fields if field not in layers and not is_stated(puzzle, field, stated)]
    if left:
        given = [field for field in left if not is_stated(puzzle, field, {})] or left  # defaults only if there is nothing else
        raise InputError(f"a link of {kind.name} cannot carry {' and '.join(_shown(puzzle, field) for field in given)}")
    return names[0], "".join(flags)


def is_stated(puzzle: BoundPuzzle, field: str, stated: Settings) -> bool:
    """Return whether a field has the value that a link stands for: a stated one, or the default."""
    node = stated.get(field, puzzle.puzzle.fields[field].default)
    return bool(puzzle.data[field] == (None if node is None else _value(puzzle.puzzle, field, node)))


def _shown(puzzle: BoundPuzzle, field: str) -> str:
    """Return a field for a message, with its value if that is short."""
    value = puzzle.data[field]
    return f"{field}: {str(value).lower()}" if isinstance(value, int | str | Size) else field


def _value(kind: PuzzleType, field: str, node: yaml.Node) -> Any:
    """Return the value of a field that a node states."""
    return kind.fields[field].type.read(node, Reading(kind.source))


def _number_regions(form: LinkForm, given: Given) -> None:
    """Number the regions. Raises InputError if the cells of one are not connected."""
    layer = next((layer for layer in form.layers if layer.places == "edges" and layer.fields), None)
    if layer is None:
        return
    (name,) = layer.fields
    labels: dict[str, int] = {}
    for number, place in enumerate(given.cells()):
        label = given.text(name, place)
        alone = label is None or label == HOLES
        given.regions[place] = -1 - number if alone else labels.setdefault(str(label), len(labels))
    joined = regions_of(given, [pair for pair in given.edges() if given.regions[pair[0]] == given.regions[pair[1]]])
    if len(set(joined.values())) > len(set(given.regions.values())):
        raise InputError(f"a link cannot carry a region of {name} whose cells are not connected")


def _refuse_holes(puzzle: BoundPuzzle, form: LinkForm, given: Given) -> None:
    """Raise InputError if a board has holes and no layer carries them."""
    if any(layer.fields == (HOLES,) for layer in form.layers):
        return
    for layer in form.layers:
        places = places_of(layer, puzzle.puzzle)
        for name in layer.fields:
            board = puzzle.data[name]
            if not isinstance(places, Cells) or not isinstance(board, Grid) or HOLES in layer.values.get(name, {}):
                continue
            hole = next((p for p in given.cells(places.more) if Cell(p[0] + 1, p[1] + 1) not in board.values), None)
            if hole is not None:
                raise InputError(f"a link of {puzzle.puzzle.name} cannot carry the hole of {name} at {cell_at(hole)}")


def _body(form: LinkForm, kind: PuzzleType, given: Given) -> str:
    """Return the body of a link. Raises InputError for what it cannot carry."""
    written: list[tuple[str, bool]] = []  # with whether it may be left out at the end
    for layer in form.body:
        if layer is None:
            written.append(("/", False))
            continue
        places = places_of(layer, kind)
        values = places.take(given)
        blank = layer.optional and all(value is None for value in values)
        try:
            extent = Extent(given.width, given.height, len(values))
            written.append((ENCODINGS[layer.encoding].encoding.write(values, extent), blank))
        except EncodingError as error:
            fields = " and ".join(layer.fields)
            raise InputError(f"a link cannot carry {fields}{places.where(error.at, given)}: {error}") from None
    while written and written[-1][1]:
        written.pop()
    return "".join(text for text, _ in written)
