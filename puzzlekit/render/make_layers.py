"""Makes the layers of a scene from the values of their expressions: boards, unknowns, mappings,
rows of cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple

from puzzlekit.boards import Cell, Corner, Grid, Side
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.expressions.values import (
    ExpressionError,
    VariableArray,
    display_text,
    value_type,
)
from puzzlekit.lang.show_reader import SIGNS
from puzzlekit.render.grouping import as_mapping, cells_of, groups, is_cell
from puzzlekit.scene import (
    FULL,
    PALETTE,
    Borders,
    Cages,
    CellPos,
    ClueCell,
    Diagonals,
    Fill,
    Grouped,
    Layer,
    Lines,
    Outside,
    Path,
    Paths,
    PencilMarks,
    Pieces,
    Point,
    SideLabels,
    Symbols,
    Text,
    cell_text,
    centre,
    coloured,
    corner,
    middle,
    outline,
    texts_of,
    upper,
)

SHIFTS = {"round": 0, "bulb": 7, "arrow": 10}  # of the colours of lines of this style


def _holding(value: Any) -> Mapping[Any, Any] | None:
    """Return what a value has at each of its keys; each of a row of keys holds."""
    return dict.fromkeys(value, True) if isinstance(value, tuple | frozenset) else as_mapping(value)


def by_pair(value: Any) -> Mapping[tuple[Any, Any], Any]:
    """Return what unknowns or a mapping have at each pair of keys, if these are not on a board;
    else nothing.

    A mapping of mappings has its values at pairs, too.
    """
    found = as_mapping(value)
    if not found or (isinstance(value, VariableArray) and value.arity != 2):
        return {}
    if all(isinstance(inner, Mapping) and inner for inner in found.values()):
        found = {
            (key, other): what for key, inner in found.items() for other, what in inner.items()
        }
    return found if all(map(_is_named_pair, found)) else {}


def _is_named_pair(key: Any) -> bool:
    return type(key) is tuple and len(key) == 2 and not any(map(_on_board, key))


def _on_board(value: Any) -> bool:
    return (
        isinstance(value, tuple | frozenset)
        or point_of(value) is not None
        or cells_of(value) is not None
    )


def of_cells(value: Any, what: str) -> dict[CellPos, Any]:
    """Return the value of each cell: of a board, of unknowns over cells, or true for cells in a
    row.

    Raises:
        ExpressionError: The value has none. `what` names the layer in the message.
    """
    found = _holding(value)
    if found is None or not all(map(is_cell, found)):
        help = "such as a board, unknowns over its cells, {c: … for c in board.cells}, or cells"
        raise ExpressionError(
            f"expected a value of each cell for {what}, got {display_text(value)}", help=help
        )
    return dict(found)


def tone(value: Any, categories: dict[Any, int]) -> str:
    """Return how a cell of this value is filled: with the colour of its type, or of its category."""
    if value is None or value is False:
        return ""
    if value is True:
        return FULL
    known = value_type(value)
    if known is not None and known.colour is not None:
        return known.colour(value)
    return f"region {categories.setdefault(value, len(categories)) % PALETTE}"


def point_of(value: Any) -> Point | None:
    """Return the place of a cell, a corner, a side or a pair of neighbouring cells; None of others."""
    if isinstance(value, Cell):
        return centre(value)
    if isinstance(value, Corner):
        return corner((value.row, value.column), value.form)
    if is_link(value):
        one, other = (point_of(end) for end in value)
        if one is not None and other is not None:
            return middle(one, other)
    return None


def is_link(value: Any) -> bool:
    """Return whether the value is the side of a cell or a pair of cells or corners, along which a
    line may run.
    """
    pair = (
        isinstance(value, tuple)
        and len(value) == 2
        and all(isinstance(end, Cell | Corner) for end in value)
    )
    return pair or isinstance(value, Side)


class LayerValue(NamedTuple):
    """A layer of a picture: its kind and its part, the value of its expression, whether that is
    given.
    """

    name: str
    variant: str
    value: Any
    is_given: bool
    expression: Expression | None = None


def make_layer(stated: Sequence[LayerValue], board: Grid) -> Layer:
    """Return the layer that values make; several if they are parts of one layer.

    Raises:
        ExpressionError: A value is nothing that such a layer shows.
    """
    first = stated[0]
    return _cages(stated) if first.name == "cages" else MAKERS[first.name](first, board)


def _shade(one: LayerValue, board: Grid) -> Layer:
    categories: dict[Any, int] = {}
    values = of_cells(one.value, "shade")
    for value in sorted(
        {v for v in values.values() if isinstance(v, int | str) and not isinstance(v, bool)},
        key=repr,
    ):
        categories[value] = len(categories)
    return Fill(one.is_given, {cell: tone(value, categories) for cell, value in values.items()})


def _text(one: LayerValue, board: Grid) -> Layer:
    if one.variant == "between":
        return SideLabels(
            one.is_given,
            {at: _joined(value) for at, value in _at_places(one.value, "text, between").items()},
        )
    values = of_cells(one.value, "text")
    if one.variant == "small":
        parts = {
            cell: value if isinstance(value, tuple | frozenset | range) else (value,)
            for cell, value in values.items()
        }
        texts = {
            cell: tuple(upper(p) for p in part if p is not None) for cell, part in parts.items()
        }
        return PencilMarks(one.is_given, {cell: text for cell, text in texts.items() if text})
    return Text(one.is_given, texts_of(values), one.variant == "corner")


def _joined(value: Any) -> str:
    """Return a value, or the parts of a row one after the other, as text."""
    return "".join(map(cell_text, value)) if isinstance(value, tuple) else cell_text(value)


def _borders(one: LayerValue, board: Grid) -> Layer:
    found = groups(one.value, "borders")
    return Borders(one.is_given, outline((group.cells for group in found), board.form))


def _cages(stated: Sequence[LayerValue]) -> Layer:
    """Make cages of a label for each cell, or of groups, each with its clue."""
    by_part = {one.variant: one for one in stated}
    whole = by_part.get("") or by_part.get("cells")
    if whole is None:
        raise ExpressionError(
            "cages require cells: the label of each cell", help="write cages: {cells: …, clues: …}"
        )
    found = as_mapping(whole.value)
    clues = found if found is not None and not all(map(is_cell, found)) else {}
    if "clues" in by_part:
        clues = as_mapping(by_part["clues"].value) or {}
    cages = [(tuple(sorted(g.cells)), _clue(g, clues)) for g in groups(whole.value, "cages")]
    return Cages(all(one.is_given for one in stated), cages)


def _clue(group: Grouped, clues: Any) -> str:
    found = clues.get(group.key, clues.get(group.cells[0] if group.cells else None))
    return "" if found is None or isinstance(found, bool) else upper(found)


def _split(one: LayerValue, board: Grid) -> Layer:
    found = {}
    for cell, value in of_cells(one.value, "split").items():
        if value is None:
            continue
        if not isinstance(value, tuple) or len(value) != 2:
            raise ExpressionError(
                f"expected two values of each blocked cell for split, got {display_text(value)}"
            )
        found[cell] = (
            "" if value[0] is None else upper(value[0]),
            "" if value[1] is None else upper(value[1]),
        )
    return ClueCell(one.is_given, found)


def _outside(one: LayerValue, board: Grid) -> Layer:
    side, found = one.variant, as_mapping(one.value)
    stated = tuple(found.values()) if found is not None else one.value
    if not isinstance(stated, tuple | range):
        help = "such as rows with rows: list[int | None]"
        raise ExpressionError(
            f"expected a row of clues for outside, {side}, got {display_text(one.value)}", help=help
        )
    rows = [tuple(_clues(clue)) for clue in stated]
    lines, what = (board.width, "column") if side in ("top", "bottom") else (board.height, "row")
    if len(rows) != lines:
        raise ExpressionError(
            f"expected a clue for each of the {lines} {what}s on the {side}, got {len(rows)}",
            help="write None for a line without a clue",
        )
    return Outside(one.is_given, rows, side)  # type: ignore[arg-type]


def _clues(clue: Any) -> Iterable[str]:
    """Return the clues of a line: one or several; none where there is None."""
    parts = clue if isinstance(clue, tuple | range) and not is_cell(clue) else (clue,)
    return (upper(part) for part in parts if part is not None)


def _lines(one: LayerValue, board: Grid) -> Layer:
    """Make lines of the number at each pair; where corners are linked, all places that could be
    have dots.
    """
    found = _holding(one.value)
    if found is None or not all(map(is_link, found)):
        help = "such as line with line[e]: bool for e in board.adjacent, or for e in board.edges"
        raise ExpressionError(
            f"expected pairs of cells or corners for lines, got {display_text(one.value)}",
            help=help,
        )
    counts: dict[tuple[Point, Point], int] = {}
    places = set[Point]()
    for key, count in found.items():
        first, last = sorted(place for end in key if (place := point_of(end)) is not None)
        places |= {first, last}
        if isinstance(count, int) and count:
            counts[first, last] = int(count)
    corners = any(isinstance(end, Corner) for key in found for end in key)
    return Lines(one.is_given, counts, frozenset(places) if corners else frozenset())


def _diagonals(one: LayerValue, board: Grid) -> Layer:
    falling = {}
    for cell, value in of_cells(one.value, "diagonals").items():
        if value is None:
            continue
        if not isinstance(value, bool) and value not in ("\\", "/"):
            raise ExpressionError(
                f"expected \\ or /, or a condition, as the diagonal of {cell}, got {display_text(value)}"
            )
        falling[cell] = value in (True, "\\")
    return Diagonals(one.is_given, falling)


def _signs(one: LayerValue, board: Grid) -> Layer:
    signs: dict[Point, str] = {}
    for place, value in _at_places(one.value, "signs").items():
        name = one.variant or (str(value) if type(value) is int else value)
        if not isinstance(name, str) or name not in SIGNS:
            raise ExpressionError(
                f"expected the name of a sign, got {display_text(value)}",
                help=f"the signs are {', '.join(SIGNS)}",
            )
        signs[place] = name
    return Symbols(one.is_given, signs)


def _at_places(value: Any, what: str) -> dict[Point, Any]:
    """Return what a value has at each cell, side or corner, except nothing and false."""
    found = _holding(value)
    places = None if found is None else [(point_of(key), own) for key, own in found.items()]
    if places is None or any(place is None for place, _ in places):
        help = "such as star with star[c]: bool for c in board.cells"
        raise ExpressionError(
            f"expected cells, sides or corners for {what}, got {display_text(value)}", help=help
        )
    return {
        place: own
        for place, own in places
        if place is not None and own is not None and own is not False
    }


def _paths(one: LayerValue, board: Grid) -> Layer:
    found, style = as_mapping(one.value), one.variant or "round"
    if found and all(isinstance(key, str) for key in found):  # rows by what kind of line they are
        colours = {
            name: f"region {(at + SHIFTS[style]) % PALETTE}" for at, name in enumerate(found)
        }
        paths = [
            Path(cells_of(row) or (), colours[name]) for name, rows in found.items() for row in rows
        ]
        return Paths(
            one.is_given,
            paths,
            style,
            {colours[name]: name for name, rows in found.items() if rows},
        )
    rows = [key for key, true in found.items() if true] if found is not None else one.value
    if not isinstance(rows, tuple | list) or any(cells_of(row) is None for row in rows):
        help = "such as [(a, b, c), …] with cells in order"
        raise ExpressionError(
            f"expected rows of cells for paths, got {display_text(one.value)}", help=help
        )
    return Paths(one.is_given, [Path(cells_of(row) or ()) for row in rows], style)


def _pieces(one: LayerValue, board: Grid) -> Layer:
    found = as_mapping(one.value) or {}
    names = list(dict.fromkeys(str(key.piece) for key in found if hasattr(key, "piece")))
    pieces = sorted(
        coloured(groups(one.value, "pieces"), names), key=lambda piece: sorted(piece.cells)
    )
    if all(len(piece.name) < 2 for piece in pieces):
        return Pieces(one.is_given, [piece._replace(name=upper(piece.name)) for piece in pieces])
    letters = (
        f"{letter}{number or ''}" for number in range(len(pieces)) for letter in ascii_uppercase
    )
    lettered = [piece._replace(name=letter) for piece, letter in zip(pieces, letters)]
    return Pieces(
        one.is_given, lettered, [(new.name, old.name) for new, old in zip(lettered, pieces)]
    )


MAKERS: dict[str, Callable[[LayerValue, Grid], Layer]] = {
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
