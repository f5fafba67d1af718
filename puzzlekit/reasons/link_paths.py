"""Lines of a loop as people see them: paths from cell to cell, and loops that are closed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Cell, Corner
from puzzlekit.reasons.places import are_beside, is_link

Ends = Mapping[Any, Sequence[Any]]  # the ends to which links lead from an end


def are_beside_cells(links: Iterable[Any]) -> bool:
    """Return whether links lead from cells to cells beside them."""
    for link in links:
        if not is_link(link) or not all(isinstance(end, Cell) for end in link):
            return False
        if not are_beside(*link):
            return False
    return True


def path_text(path: Sequence[Cell]) -> str:
    """Return a path by its ends and the cells at which it turns.

    Examples:
        >>> path_text([Cell(1, 1), Cell(1, 2), Cell(1, 3), Cell(2, 3)])
        'r1c1–r1c3–r2c3'
    """
    corners = []
    for before, cell, after in zip(path, path[1:], path[2:]):
        if before.row != after.row and before.column != after.column:
            corners.append(cell)
    return "–".join(map(str, (path[0], *corners, path[-1])))


def path_texts(links: Sequence[tuple[Cell, Cell]]) -> list[str]:
    """Return links as paths that are as long as possible; one that forks is told link by link.

    Examples:
        >>> path_texts([(Cell(1, 2), Cell(1, 3)), (Cell(1, 1), Cell(1, 2))])
        ['r1c1–r1c3']
    """
    ends = _ends(links)
    texts: dict[str, None] = {}
    for first, second in links:
        there, back = _walk(ends, first, second), _walk(ends, second, first)
        path = [first, second]
        if there and back:
            path = [*reversed(back), *there[2:]]
        texts[path_text(min(path, path[::-1]))] = None
    return list(texts)


def closed_loop(links: Iterable[Any], through: Any) -> list[Any]:
    """Return the ends of the closed loop of links that a link is on; empty if there is none.

    Args:
        links: The links.
        through: One of them.
    """
    ends = _ends(links)
    start, second = through
    loop = [start, second]
    while loop[-1] != start:
        onward = [end for end in ends.get(loop[-1], ()) if end != loop[-2]]
        if len(onward) != 1 or len(loop) > len(ends):
            return []
        loop += onward
    return loop[1:]


def loop_location(loop: Collection[Any]) -> str:
    """Return where a loop is: a cell inside of it, if it runs along the sides of squares, or else
    its first and its last cell; empty on boards of another form.
    """
    first = min(loop)
    if isinstance(first, Corner):
        return f"around {Cell(first.row, first.column)}" if first.form == "square" else ""
    return f"through {first} and {max(loop)}"


def _ends(links: Iterable[Any]) -> dict[Any, list[Any]]:
    ends: dict[Any, list[Any]] = {}
    for first, second in links:
        ends.setdefault(first, []).append(second)
        ends.setdefault(second, []).append(first)
    return ends


def _walk(ends: Ends, start: Cell, second: Cell) -> list[Cell]:
    """Return the path from a link on to its end; empty if it forks or comes back."""
    path = [start, second]
    while len(ends[path[-1]]) == 2:
        (following,) = (end for end in ends[path[-1]] if end != path[-2])
        if following == start:
            return []
        path.append(following)
    return path if len(ends[path[-1]]) == 1 else []
