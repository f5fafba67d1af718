"""Makes the layers of a scene from the values of their expressions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple

from puzzlekit.boards import Grid
from puzzlekit.lang.expressions.compiler import Expression
from puzzlekit.lang.expressions.values import ExpressionError, shown
from puzzlekit.lang.show_reader import SIGNS
from puzzlekit.render.colouring import coloured
from puzzlekit.render.readings import (
    Grouped,
    as_mapping,
    cells_of,
    clue_rows,
    groups,
    is_cell,
    linked_places,
    links,
    of_cells,
    place_of,
    texts_of,
    tone,
    upper,
)
from puzzlekit.render.scene import (
    At,
    Borders,
    Cages,
    Diagonals,
    Layer,
    Lines,
    Outside,
    Path,
    Paths,
    Pieces,
    Shade,
    Signs,
    Small,
    Split,
    Text,
    outline,
)


class Stated(NamedTuple):
    """A layer of a picture: its kind and its part, the value of its expression, whether that is given."""

    kind: str
    part: str
    value: Any
    given: bool
    expression: Expression | None = None


def made(stated: Sequence[Stated], board: Grid) -> Layer:
    """Return the layer that values make; several if they are parts of one layer.

    Raises:
        ExpressionError: A value is nothing that such a layer shows.
    """
    first = stated[0]
    if first.kind == "cages":
        return _cages(stated)
    return MAKERS[first.kind](first, board)


def _shade(one: Stated, board: Grid) -> Layer:
    categories: dict[Any, int] = {}
    values = of_cells(one.value, "shade")
    for value in sorted({v for v in values.values() if isinstance(v, int | str) and not isinstance(v, bool)}, key=repr):
        categories[value] = len(categories)
    return Shade(one.given, {cell: tone(value, categories) for cell, value in values.items()})


def _text(one: Stated, board: Grid) -> Layer:
    values = of_cells(one.value, "text")
    if one.part == "small":
        parts = {cell: value if isinstance(value, tuple | frozenset | range) else (value,) for cell, value in values.items()}
        texts = {cell: tuple(upper(p) for p in part if p is not None) for cell, part in parts.items()}
        return Small(one.given, {cell: text for cell, text in texts.items() if text})
    return Text(one.given, texts_of(values), one.part == "corner")


def _borders(one: Stated, board: Grid) -> Layer:
    found = groups(one.value, "borders")
    return Borders(one.given, outline((group.cells for group in found), board.form))


def _cages(stated: Sequence[Stated]) -> Layer:
    """Make cages of a label for each cell, or of groups, each with its clue."""
    by_part = {one.part: one for one in stated}
    whole = by_part.get("") or by_part.get("cells")
    if whole is None:
        raise ExpressionError("cages require cells: the label of each cell", "write cages: {cells: …, clues: …}")
    found = as_mapping(whole.value)
    clues = found if found is not None and not all(map(is_cell, found)) else {}
    if "clues" in by_part:
        clues = as_mapping(by_part["clues"].value) or {}
    cages = [(tuple(sorted(g.cells)), _clue(g, clues)) for g in groups(whole.value, "cages")]
    return Cages(all(one.given for one in stated), cages)


def _clue(group: Grouped, clues: Any) -> str:
    found = clues.get(group.key, clues.get(group.cells[0] if group.cells else None))
    return "" if found is None or isinstance(found, bool) else upper(found)


def _split(one: Stated, board: Grid) -> Layer:
    found = {}
    for cell, value in of_cells(one.value, "split").items():
        if value is None:
            continue
        if not isinstance(value, tuple) or len(value) != 2:
            raise ExpressionError(f"expected two values of each blocked cell for split, got {shown(value)}")
        found[cell] = ("" if value[0] is None else upper(value[0]), "" if value[1] is None else upper(value[1]))
    return Split(one.given, found)


def _outside(one: Stated, board: Grid) -> Layer:
    side = one.part
    rows = clue_rows(one.value, f"outside, {side}")
    lines, what = (board.width, "column") if side in ("top", "bottom") else (board.height, "row")
    if len(rows) != lines:
        raise ExpressionError(
            f"expected a clue for each of the {lines} {what}s on the {side}, got {len(rows)}",
            "write None for a line without a clue",
        )
    return Outside(one.given, rows, side)  # type: ignore[arg-type]


def _lines(one: Stated, board: Grid) -> Layer:
    counts, corners = links(one.value, "lines")
    return Lines(one.given, counts, linked_places(one.value) if corners else frozenset())


def _diagonals(one: Stated, board: Grid) -> Layer:
    falling = {}
    for cell, value in of_cells(one.value, "diagonals").items():
        if value is None:
            continue
        if not isinstance(value, bool) and value not in ("\\", "/"):
            raise ExpressionError(f"expected \\ or /, or a condition, as the diagonal of {cell}, got {shown(value)}")
        falling[cell] = value in (True, "\\")
    return Diagonals(one.given, falling)


def _signs(one: Stated, board: Grid) -> Layer:
    found = as_mapping(one.value)
    if found is None and isinstance(one.value, tuple | frozenset):
        found = dict.fromkeys(one.value, True)
    places = None if found is None else [(place_of(key), value) for key, value in found.items()]
    if places is None or any(place is None for place, _ in places):
        hint = "such as star with star[c]: bool for c in board.cells"
        raise ExpressionError(f"expected cells, sides or corners for signs, got {shown(one.value)}", hint)
    signs: dict[At, str] = {}
    for place, value in places:
        if value is None or value is False or place is None:
            continue
        name = one.part or (str(value) if type(value) is int else value)
        if not isinstance(name, str) or name not in SIGNS:
            raise ExpressionError(f"expected the name of a sign, got {shown(value)}", f"the signs are {', '.join(SIGNS)}")
        signs[place] = name
    return Signs(one.given, signs)


def _paths(one: Stated, board: Grid) -> Layer:
    found = as_mapping(one.value)
    rows = [key for key, true in found.items() if true] if found is not None else one.value
    if not isinstance(rows, tuple | list) or any(cells_of(row) is None for row in rows):
        hint = "such as [(a, b, c), …] with cells in order"
        raise ExpressionError(f"expected rows of cells for paths, got {shown(one.value)}", hint)
    return Paths(one.given, [Path(cells_of(row) or ()) for row in rows], one.part or "round")


def _pieces(one: Stated, board: Grid) -> Layer:
    found = as_mapping(one.value) or {}
    names = list(dict.fromkeys(str(key.piece) for key in found if hasattr(key, "piece")))
    pieces = sorted(coloured(groups(one.value, "pieces"), names), key=lambda piece: sorted(piece.cells))
    if all(len(piece.name) < 2 for piece in pieces):
        return Pieces(one.given, [piece._replace(name=upper(piece.name)) for piece in pieces])
    letters = (f"{letter}{number or ''}" for number in range(len(pieces)) for letter in ascii_uppercase)
    lettered = [piece._replace(name=letter) for piece, letter in zip(pieces, letters)]
    return Pieces(one.given, lettered, [(new.name, old.name) for new, old in zip(lettered, pieces)])


MAKERS: dict[str, Callable[[Stated, Grid], Layer]] = {
    "shade": _shade,
    "text": _text,
    "borders": _borders,
    "split": _split,
    "outside": _outside,
    "lines": _lines,
    "diagonals": _diagonals,
    "signs": _signs,
    "paths": _paths,
    "pieces": _pieces,
}
