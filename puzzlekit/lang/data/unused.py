"""What of the data is used: every value that a spec gives is read by something that its type states, or is an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError, Problem
from puzzlekit.lang.data.locations import Key, Path, nested, parts
from puzzlekit.lang.expressions.compiler import Expression
from puzzlekit.lang.expressions.runtime import Runtime
from puzzlekit.lang.expressions.values import shown
from puzzlekit.lang.instance import BoundPuzzle
from puzzlekit.lang.puzzle_type import PuzzleType
from puzzlekit.model import Term

BY_ITEMS = frozenset({"len", "zip", "enumerate", "reversed", "first", "pairs", "distinct"})  # what they read is seen as items
PRINCIPLE = "remove it from the spec, or use it in the type: each value of a spec must be used"


def unused_fields(kind: PuzzleType) -> list[Problem]:
    """A problem for each field of which nothing in the type speaks."""
    used = {*kind.fields_behind(_names(_stated(kind)))}
    used |= {name for entry in kind.fields.values() for name in (entry.like, entry.columns) if name is not None}
    hint = "no check, rule, goal, fact or picture uses it"
    lacking = (entry for entry in kind.fields.values() if entry.name not in used)
    return [Problem(f"the field {entry.name} is not used", kind.source.start(entry.place), hint) for entry in lacking]


def unused_values(instance: BoundPuzzle) -> list[Problem]:
    """A problem for each value of the spec that nothing reads while the puzzle is made, and no picture shows.

    A part that is read may still change nothing; of a part that is not, no value changes anything.
    """
    watching = _Watching(instance.data)
    try:
        BoundPuzzle(instance.puzzle, instance.data, instance.places, watching)
    except InputError:  # as where it takes twice the steps that there are
        return []
    kind = instance.puzzle
    shown_later = [
        *(shown.expression for shown in kind.show),
        *(shown.colour for shown in kind.show),
        *(rule.expression for then in kind.then for rule in then.data),
    ]
    for name in kind.fields_behind(_names(shown_later)):
        watching.wholly(instance.data[name])
    if instance.grids and not all(family.over_cells() for family in instance.families.values()):
        watching.wholly(next(value for value in instance.data.values() if isinstance(value, Grid)))  # the picture's background
    problems = []
    for name, value in instance.data.items():
        place = instance.places((name,))
        if place is not None and place.path != kind.source.path:  # a default is the type's own
            for path, part in _unread(value, (name,), watching.read)[0]:
                problems.append(Problem(f"this value is not used: {shown(part)}", instance.places(path), PRINCIPLE))
    return problems


def _stated(kind: PuzzleType) -> Iterator[Expression | None]:
    """Every expression of a type but those of `let`."""
    for rule in (*kind.checks, *kind.facts, *kind.rules, *kind.goals.values()):
        yield rule.expression
    for within in kind.within:
        yield from within.ends
    for unknowns in kind.unknowns:
        yield unknowns.domain
    for drawn in kind.show:
        yield from (drawn.expression, drawn.colour)
    for then in kind.then:
        yield from (rule.expression for rule in then.data)


def _names(expressions: Iterable[Expression | None]) -> set[str]:
    return {name for expression in expressions if expression is not None for name in expression.names}


def _unread(value: Any, path: Path, read: set[Path]) -> tuple[list[tuple[Path, Any]], bool]:
    """The parts of a collection that were not read, and whether any was. What is unread as a whole stands for its parts."""
    unread: list[tuple[Path, Any]] = []
    any_read = False
    for inner, part in parts(value, path):
        if _is_whole(part):
            below, touched = _unread(part, inner, read)
            if below and not touched:
                below = [(inner, part)]
        else:
            touched = inner in read
            below = [] if touched or part is None else [(inner, part)]
        if isinstance(value, Mapping) and not touched:
            key = Key(inner[-1])
            touched = (*path, key) in read
            below = below if touched else [((*path, key), key.key)]
        unread += below
        any_read = any_read or touched
    return unread, any_read


def _is_whole(value: Any) -> bool:
    """Whether the value is a collection of the data, which has parts."""
    return isinstance(value, Grid | Mapping) or type(value) is tuple


class _Watching(Runtime):
    """A run of expressions that keeps which parts of the data it reads.

    A part counts as read also where only what comes of the whole is looked at: it is never said of a part that matters that
    nothing reads it.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.read: set[Path] = set()
        whole = [(path, part) for name, value in data.items() for path, part in nested(value, (name,)) if _is_whole(part)]
        self._paths = {id(part): path for path, part in whole}

    def wholly(self, value: Any) -> None:
        """Count all that a value holds as read."""
        if (path := self._paths.get(id(value))) is not None:
            self.read.update(inner for inner, _ in nested(value, path))
        elif type(value) is tuple:
            for part in value:
                self.wholly(part)

    def _items(self, value: Any) -> None:
        """Count the items of a collection as read, or the keys of a mapping, but not what these hold."""
        if (path := self._paths.get(id(value))) is not None:
            mapping = isinstance(value, Mapping)
            self.read.update((*path, Key(inner[-1])) if mapping else inner for inner, _ in parts(value, path))

    def index(self, group: Any, key: Any) -> Any:
        path = self._paths.get(id(group))
        if path is not None:
            if isinstance(key, Term):
                self.wholly(group)
            elif isinstance(group, tuple) and isinstance(key, int | slice):
                places = range(len(group))[key] if isinstance(key, slice) else [key % len(group) if group else 0]
                self.read.update((*path, place) for place in places)
            elif isinstance(group, Mapping) or isinstance(key, Cell):
                self.read |= {(*path, key), (*path, Key(key))}
            elif isinstance(key, tuple):  # of cells of a board
                self.read.update(found for cell in key for found in ((*path, cell), (*path, Key(cell))))
        return super().index(group, key)

    def iterate(self, group: Any, weight: int = 1) -> Iterable[Any]:
        self._items(group)
        if type(group) is tuple:
            for item in group:  # a row may be taken apart by `for a, b in …`, where no operation is seen
                self.wholly(item)
        return super().iterate(group, weight)

    def compare(self, sign: str, left: Any, right: Any) -> Any:
        path = self._paths.get(id(right))
        if path is not None and isinstance(right, Mapping) and not self.symbolic(left):
            self.read.add((*path, Key(left)))
        elif left is not None and right is not None:
            self.wholly(left)
            self.wholly(right)
        return super().compare(sign, left, right)

    def binary(self, sign: str, left: Any, right: Any) -> Any:
        self._items(left)
        self._items(right)
        return super().binary(sign, left, right)

    def attribute(self, value: Any, name: str) -> Any:
        if name in ("given", "regions"):
            self.wholly(value)
        return super().attribute(value, name)

    def call(self, function: Any, /, *arguments: Any, **words: Any) -> Any:
        if getattr(function, "__name__", "") not in BY_ITEMS and not isinstance(getattr(function, "__self__", None), Grid):
            for value in (*arguments, *words.values()):
                self.wholly(value)
        return super().call(function, *arguments, **words)
