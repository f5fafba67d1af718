"""Where the values of a spec are written: each field and each value in it, by its path."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.errors import Place

Path = tuple[Any, ...]  # the name of a field, then the positions, cells or keys that lead to a part


class Key(NamedTuple):
    """The step of a path to a key of a mapping, and not to the value at this key."""

    key: Any


class Places:
    """The places of values. A place is computed only when it is requested."""

    def __init__(self) -> None:
        self._at: dict[Path, tuple[Callable[[Any], Place], Any]] = {}

    def note(self, path: Path, place: Callable[[Any], Place], of: Any) -> None:
        """Set the place of the value at this path to `place(of)`."""
        self._at[path] = place, of

    def __call__(self, path: Path) -> Place | None:
        """Return the place of a value, or of the nearest value around it that has one."""
        found = next((self._at[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self._at), None)
        return None if found is None else found[0](found[1])


def parts(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield the parts of a collection with their paths. A single value has no parts."""
    if isinstance(value, Grid):
        yield from (((*path, cell), part) for cell, part in value.values.items())
    elif isinstance(value, Mapping):
        yield from (((*path, key), part) for key, part in value.items())
    elif type(value) is tuple:
        yield from (((*path, at), part) for at, part in enumerate(value))


def singles(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield the single values in a value with their paths, without the keys of mappings."""
    if not isinstance(value, Grid | Mapping) and type(value) is not tuple:
        yield path, value
    for inner, part in parts(value, path):
        yield from singles(part, inner)


def nested(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """Yield the value, all values in it, and the keys of mappings, with their paths."""
    yield path, value
    if isinstance(value, Mapping):
        yield from (((*path, Key(key)), key) for key in value)
    for inner, part in parts(value, path):
        yield from nested(part, inner)


def path_of(wanted: Sequence[Any], value: Any, path: Path) -> Path | None:
    """Return the path of the first part of a value that is in `wanted`, or at a cell in it.

    A group of cells counts as its first cell.
    """
    cells = {part if isinstance(part, Cell) else part[0] for part in wanted if isinstance(part, Cell | Cells) and part}
    others = [part for part in wanted if isinstance(part, str | tuple)]
    for inner, part in nested(value, path):
        if inner != path and (any(part is other for other in others) or inner[-1] in cells):
            return inner
    return None
