"""Makes the layers of a scene from values: boards, unknowns, mappings, rows of cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import Any, NamedTuple

from puzzlekit.boards import Cell, Corner, Grid, Side
from puzzlekit.lang import (
    SIGNS,
    Expression,
    ExpressionError,
    VariableArray,
    display_text,
    value_type,
)
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


def _by_key(value: Any) -> Mapping[Any, Any] | None:
    """Return a value as a mapping of its keys; each key of a row is true."""
    if isinstance(value, tuple | frozenset):
        return dict.fromkeys(value, True)
    return as_mapping(value)


def table_entries(value: Any) -> Mapping[tuple[Any, Any], Any]:
    """Return the entries of a table by row and column, neither of which is on a board.

    They are those of unknowns with two indexes, of a mapping by pairs, or of a mapping of mappings.
    The result is empty if the value is none of these.
    """
    mapping = as_mapping(value)
    if not mapping or (isinstance(value, VariableArray) and value.arity != 2):
        return {}
    if all(isinstance(inner, Mapping) and inner for inner in mapping.values()):
        pairs: dict[tuple[Any, Any], Any] = {}
        for first, inner in mapping.items():
            pairs |= {(first, second): content for second, content in inner.items()}
        mapping = pairs
    return mapping if all(map(_is_named_pair, mapping)) else {}


def _is_named_pair(key: Any) -> bool:
    if type(key) is not tuple or len(key) != 2:
        return False
    return not any(map(_on_board, key))


def _on_board(key: Any) -> bool:
    if isinstance(key, tuple | frozenset):
        return True
    return point_of(key) is not None or cells_of(key) is not None


def of_cells(value: Any, layer: str) -> dict[CellPos, Any]:
    """Return the value of each cell: of a board or of unknowns; true for the cells of a row.

    Raises:
        ExpressionError: The value has no cells. `layer` names the layer in the message.
    """
    values = _by_key(value)
    if values is None or not _are_cells(values):
        raise ExpressionError(
            f"expected a value of each cell for {layer}, got {display_text(value)}",
            help="such as a board, unknowns over its cells, {c: … for c in board.cells}, or cells",
        )
    return dict(values)


def tone(value: Any, categories: dict[Any, int]) -> str:
    """Return the tone of a cell with this value: the colour of its type, or of its category."""
    if value is None or value is False:
        return ""
    if value is True:
        return FULL
    library_type = value_type(value)
    if library_type is not None and library_type.colour is not None:
        return library_type.colour(value)
    category = categories.setdefault(value, len(categories))
    return f"region {category % PALETTE}"


def point_of(value: Any) -> Point | None:
    """Return the point of a cell, a corner, a side or a pair of neighbours; None of others."""
    if isinstance(value, Cell):
        return centre(value)
    if isinstance(value, Corner):
        return corner((value.row, value.column), value.form)
    if is_link(value):
        first, second = map(point_of, value)
        if first is not None and second is not None:
            return middle(first, second)
    return None


def is_link(value: Any) -> bool:
    """Return whether a line may run along the value.

    It is the side of a cell, or a pair of cells or corners.
    """
    if isinstance(value, Side):
        return True
    return _is_pair(value) and all(isinstance(end, Cell | Corner) for end in value)


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2


class LayerValue(NamedTuple):
    """The value of the expression of a layer.

    Attributes:
        name: The name of the layer.
        variant: Its variant, such as `corner`; empty without one.
        value: The value.
        is_given: Whether the value is known before solving.
        expression: The expression.
    """

    name: str
    variant: str
    value: Any
    is_given: bool
    expression: Expression | None = None


def make_layer(values: Sequence[LayerValue], board: Grid) -> Layer:
    """Return the layer of a value; cages may have several values.

    Raises:
        ExpressionError: The layer cannot show a value.
    """
    first = values[0]
    if first.name == "cages":
        return _cages(values)
    return MAKERS[first.name](first, board)


def _shade(layer: LayerValue, board: Grid) -> Layer:
    values = of_cells(layer.value, "shade")
    names = {value for value in values.values() if _is_category(value)}
    ordered = sorted(names, key=repr)
    categories = {name: number for number, name in enumerate(ordered)}
    tones = {cell: tone(value, categories) for cell, value in values.items()}
    return Fill(layer.is_given, tones)


def _are_cells(keys: Iterable[Any]) -> bool:
    return all(map(is_cell, keys))


def _is_category(value: Any) -> bool:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _text(layer: LayerValue, board: Grid) -> Layer:
    if layer.variant == "between":
        at_points = _at_points(layer.value, "text, between")
        labels = {point: _joined(value) for point, value in at_points.items()}
        return SideLabels(layer.is_given, labels)
    values = of_cells(layer.value, "text")
    if layer.variant == "small":
        rows = {cell: _small_texts(value) for cell, value in values.items()}
        texts = {cell: row for cell, row in rows.items() if row}
        return PencilMarks(layer.is_given, texts)
    return Text(layer.is_given, texts_of(values), layer.variant == "corner")


def _small_texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, tuple | frozenset | range):
        value = (value,)
    return tuple(upper(member) for member in value if member is not None)


def _joined(value: Any) -> str:
    """Return a value as text; the values of a tuple are joined."""
    if isinstance(value, tuple):
        return "".join(map(cell_text, value))
    return cell_text(value)


def _borders(layer: LayerValue, board: Grid) -> Layer:
    regions = [group.cells for group in groups(layer.value, "borders")]
    return Borders(layer.is_given, outline(regions, board.form))


def _cages(values: Sequence[LayerValue]) -> Layer:
    """Make cages of a label for each cell, or of groups, each with its clue."""
    by_variant = {layer.variant: layer for layer in values}
    cells = by_variant.get("") or by_variant.get("cells")
    if cells is None:
        raise ExpressionError(
            "cages require cells: the label of each cell", help="write cages: {cells: …, clues: …}"
        )
    mapping = as_mapping(cells.value)
    clues: Mapping[Any, Any] = {}
    if "clues" in by_variant:
        clues = as_mapping(by_variant["clues"].value) or {}
    elif mapping is not None and not _are_cells(mapping):
        clues = mapping
    cell_groups = groups(cells.value, "cages")
    cages = [(tuple(sorted(group.cells)), _clue(group, clues)) for group in cell_groups]
    return Cages(all(layer.is_given for layer in values), cages)


def _clue(group: Grouped, clues: Mapping[Any, Any]) -> str:
    """Return the clue of a cage: at its key, or at its first cell."""
    first_cell = group.cells[0] if group.cells else None
    clue = clues.get(group.key, clues.get(first_cell))
    if clue is None or isinstance(clue, bool):
        return ""
    return upper(clue)


def _split(layer: LayerValue, board: Grid) -> Layer:
    clues = {}
    for cell, value in of_cells(layer.value, "split").items():
        if value is None:
            continue
        if not _is_pair(value):
            raise ExpressionError(
                f"expected two values of each blocked cell for split, got {display_text(value)}"
            )
        below, right = map(_upper_or_empty, value)
        clues[cell] = (below, right)
    return ClueCell(layer.is_given, clues)


def _upper_or_empty(value: Any) -> str:
    return "" if value is None else upper(value)


def _outside(layer: LayerValue, board: Grid) -> Layer:
    side = layer.variant
    mapping = as_mapping(layer.value)
    rows = layer.value if mapping is None else tuple(mapping.values())
    if not isinstance(rows, tuple | range):
        raise ExpressionError(
            f"expected a row of clues for outside, {side}, got {display_text(layer.value)}",
            help="such as rows with rows: list[int | None]",
        )
    count = board.height
    name = "rows"
    if side in ("top", "bottom"):
        count = board.width
        name = "columns"
    if len(rows) != count:
        raise ExpressionError(
            f"expected a clue for each of the {count} {name} on the {side}, got {len(rows)}",
            help="write None for a line without a clue",
        )
    clues = [tuple(_clues(row)) for row in rows]
    return Outside(layer.is_given, clues, side)  # type: ignore[arg-type]


def _clues(clue: Any) -> Iterable[str]:
    """Return the clues of a line: one or several; none where there is None."""
    clues = (clue,)
    if isinstance(clue, tuple | range) and not is_cell(clue):
        clues = tuple(clue)
    return (upper(member) for member in clues if member is not None)


def _lines(layer: LayerValue, board: Grid) -> Layer:
    """Make lines of the number at each pair.

    Where corners are linked, all points that a line may reach have dots.
    """
    numbers = _by_key(layer.value)
    if numbers is None or not all(map(is_link, numbers)):
        raise ExpressionError(
            f"expected pairs of cells or corners for lines, got {display_text(layer.value)}",
            help="such as line with line[e]: bool for e in board.adjacent, or for e in board.edges",
        )
    counts: dict[tuple[Point, Point], int] = {}
    points = set[Point]()
    has_corners = False
    for ends, number in numbers.items():
        first, second = sorted(filter(None, map(point_of, ends)))
        points |= {first, second}
        if isinstance(number, int) and number:
            counts[first, second] = int(number)
        has_corners = has_corners or any(isinstance(end, Corner) for end in ends)
    return Lines(layer.is_given, counts, frozenset(points) if has_corners else frozenset())


def _diagonals(layer: LayerValue, board: Grid) -> Layer:
    falling = {}
    for cell, value in of_cells(layer.value, "diagonals").items():
        if value is None:
            continue
        if not isinstance(value, bool) and value not in ("\\", "/"):
            raise ExpressionError(
                f"expected \\ or /, or a condition, as the diagonal of {cell}, "
                f"got {display_text(value)}"
            )
        falling[cell] = value in (True, "\\")
    return Diagonals(layer.is_given, falling)


def _signs(layer: LayerValue, board: Grid) -> Layer:
    signs: dict[Point, str] = {}
    for point, value in _at_points(layer.value, "signs").items():
        name = layer.variant
        if not name:
            name = str(value) if type(value) is int else value
        if not isinstance(name, str) or name not in SIGNS:
            raise ExpressionError(
                f"expected the name of a sign, got {display_text(value)}",
                help=f"the signs are {', '.join(SIGNS)}",
            )
        signs[point] = name
    return Symbols(layer.is_given, signs)


def _at_points(value: Any, layer: str) -> dict[Point, Any]:
    """Return the value at each cell, side or corner, except None and false."""
    by_key = _by_key(value)
    points = [None] if by_key is None else list(map(point_of, by_key))
    if by_key is None or None in points:
        raise ExpressionError(
            f"expected cells, sides or corners for {layer}, got {display_text(value)}",
            help="such as star with star[c]: bool for c in board.cells",
        )
    contents = zip(points, by_key.values())
    return {point: content for point, content in contents if point and _is_present(content)}


def _is_present(content: Any) -> bool:
    return content is not None and content is not False


def _paths(layer: LayerValue, board: Grid) -> Layer:
    style = layer.variant or "round"
    mapping = as_mapping(layer.value)
    if mapping and all(isinstance(key, str) for key in mapping):
        return _named_paths(mapping, style, layer.is_given)
    rows = layer.value
    if mapping is not None:
        rows = [key for key, is_path in mapping.items() if is_path]
    if not isinstance(rows, tuple | list) or not all(map(_has_cells, rows)):
        raise ExpressionError(
            f"expected rows of cells for paths, got {display_text(layer.value)}",
            help="such as [(a, b, c), …] with cells in order",
        )
    paths = [Path(cells_of(row) or ()) for row in rows]
    return Paths(layer.is_given, paths, style)


def _has_cells(row: Any) -> bool:
    return cells_of(row) is not None


def _named_paths(rows_by_name: Mapping[str, Any], style: str, is_given: bool) -> Layer:
    """Return rows by the name of their type of line, each name in a colour."""
    paths = []
    names = {}
    for number, (name, rows) in enumerate(rows_by_name.items(), SHIFTS[style]):
        colour = f"region {number % PALETTE}"
        paths += [Path(cells_of(row) or (), colour) for row in rows]
        if rows:
            names[colour] = name
    return Paths(is_given, paths, style, names)


def _pieces(layer: LayerValue, board: Grid) -> Layer:
    mapping = as_mapping(layer.value) or {}
    placements = [key for key in mapping if hasattr(key, "piece")]
    names = list(dict.fromkeys(str(placement.piece) for placement in placements))
    pieces = coloured(groups(layer.value, "pieces"), names)
    pieces.sort(key=lambda piece: sorted(piece.cells))
    if all(len(piece.name) < 2 for piece in pieces):
        capitals = [piece._replace(name=upper(piece.name)) for piece in pieces]
        return Pieces(layer.is_given, capitals)
    lettered = []
    legend = []
    for number, piece in enumerate(pieces):
        round_number, index = divmod(number, len(ascii_uppercase))
        letter = f"{ascii_uppercase[index]}{round_number or ''}"
        lettered.append(piece._replace(name=letter))
        legend.append((letter, piece.name))
    return Pieces(layer.is_given, lettered, legend)


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
