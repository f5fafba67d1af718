"""Where the values of a spec are written: each field, and each single value in it, by its path."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.errors import Place

Path = tuple[Any, ...]  # a field's name; then the position, the cell or the key at which a part stands in the whole


class Key(NamedTuple):
    """The step of a path that leads to a key of a mapping, and not to what stands there."""

    key: Any


class Places:
    """Where values are written; a place is worked out when it is asked for."""

    def __init__(self) -> None:
        self._at: dict[Path, Callable[[], Place]] = {}

    def note(self, path: Path, place: Callable[[], Place]) -> None:
        """Keep where the value of this path is written."""
        self._at[path] = place

    def __call__(self, path: Path) -> Place | None:
        """Where the value is written, or the nearest whole around it that has a place of its own."""
        found = next((self._at[path[:end]] for end in range(len(path), 0, -1) if path[:end] in self._at), None)
        return None if found is None else found()


def parts(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """What a collection of the data holds, each with its path; nothing of a single value."""
    if isinstance(value, Grid):
        yield from (((*path, cell), part) for cell, part in value.values.items())
    elif isinstance(value, Mapping):
        yield from (((*path, key), part) for key, part in value.items())
    elif type(value) is tuple:
        yield from (((*path, at), part) for at, part in enumerate(value))


def singles(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """The single values in a value, each with its path. Keys of mappings are none."""
    if not isinstance(value, Grid | Mapping) and type(value) is not tuple:
        yield path, value
    for inner, part in parts(value, path):
        yield from singles(part, inner)


def nested(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    """The value, all that it holds, and the keys of its mappings, each with its path."""
    yield path, value
    if isinstance(value, Mapping):
        yield from (((*path, Key(key)), key) for key in value)
    for inner, part in parts(value, path):
        yield from nested(part, inner)


def path_of(wanted: Sequence[Any], value: Any, path: Path) -> Path | None:
    """The path of the first part of a value that is wanted, or stands in a cell that is; a group is its first cell."""
    cells = {part if isinstance(part, Cell) else part[0] for part in wanted if isinstance(part, Cell | Cells) and part}
    others = [part for part in wanted if isinstance(part, str | tuple)]
    for inner, part in nested(value, path):
        if inner != path and (any(part is other for other in others) or inner[-1] in cells):
            return inner
    return None
