"""Reports the fields and the values of a spec that nothing in its type uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError, Problem
from puzzlekit.lang.aliases import Condition, DataValue, Operand
from puzzlekit.lang.data.scalars import Key, ValuePath
from puzzlekit.lang.data_checks import nested, parts
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import display_text
from puzzlekit.lang.instance import Instance
from puzzlekit.lang.puzzle_type import PuzzleType
from puzzlekit.lang.type_sections import sections_of
from puzzlekit.model import Term

# functions that only read items of their arguments, which `iterate` records
BY_ITEMS = frozenset({"len", "zip", "enumerate", "reversed", "first", "pairs", "distinct"})
PRINCIPLE = "remove it from the spec, or use it in the type: each value of a spec must be used"


def unused_fields(type_: PuzzleType) -> list[Problem]:
    """Return a problem for each field that nothing in the type uses."""
    used = {*type_.fields_behind(_names(_stated(type_)))}
    used |= {
        name
        for entry in type_.fields.values()
        for name in (entry.like, entry.columns)
        if name is not None
    }
    help = "no requirement, rule, goal, info or picture uses it"
    lacking = (entry for entry in type_.fields.values() if entry.name not in used)
    return [
        Problem(f"the field {entry.name} is not used", type_.source.start(entry.node), help)
        for entry in lacking
    ]


def unused_values(instance: Instance) -> list[Problem]:
    """Return a problem for each value of the spec that no expression reads and no picture shows.

    A value that is read may still have no effect. One that is not read certainly has none.
    """
    watching = _Watching(instance.data)
    try:
        Instance(instance.type, instance.data, instance.positions, watching)
    except InputError:  # as when watching takes more steps than there are
        return []
    kind = instance.type
    shown_later = [
        *(shown.expression for shown in kind.show),
        *(shown.colour for shown in kind.show),
        *(
            layer.expression
            for picture in kind.pictures
            for layer in picture.layers
            if layer.variant != "clues"
        ),
        *(part for section in sections_of(kind) for part in section.expressions()),
    ]
    for name in kind.fields_behind(_names(shown_later)):
        watching.wholly(instance.data[name])
    if (
        not kind.pictures
        and instance.grids
        and not all(family.over_cells() for family in instance.families.values())
    ):
        background = next(value for value in instance.data.values() if isinstance(value, Grid))
        watching.wholly(background)
    problems = []
    for name, value in instance.data.items():
        place = instance.positions((name,))
        if place is not None and place.path != kind.source.path:  # a default belongs to the type
            for path, part in _unread(value, (name,), watching.read)[0]:
                problems.append(
                    Problem(
                        f"this value is not used: {display_text(part)}",
                        instance.positions(path),
                        PRINCIPLE,
                    )
                )
    return problems


def _stated(kind: PuzzleType) -> Iterator[Expression | None]:
    """Yield every expression of a type except those of `let`."""
    for rule in (*kind.requirements, *kind.info, *kind.rules, *kind.goals.values()):
        yield rule.expression
    for within in kind.within:
        yield from within.ends
    for unknowns in kind.unknowns:
        yield unknowns.domain
    for definition in kind.definitions:
        yield definition.expression
    for drawn in kind.show:
        yield from (drawn.expression, drawn.colour)
    for picture in kind.pictures:
        yield from picture.expressions
    for printed in kind.below or ():
        yield printed.expression
    for section in sections_of(kind):
        yield from section.expressions()


def _names(expressions: Iterable[Expression | None]) -> set[str]:
    return {
        name for expression in expressions if expression is not None for name in expression.names
    }


def _unread(
    value: DataValue, path: ValuePath, read: set[ValuePath]
) -> tuple[list[tuple[ValuePath, DataValue]], bool]:
    """Return the parts of a collection that were not read, and whether any was read.

    A part of which nothing was read is returned instead of its own parts.
    """
    unread: list[tuple[ValuePath, Any]] = []
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


def _is_whole(value: DataValue) -> bool:
    """Return whether the value is a collection, which has parts."""
    return isinstance(value, Grid | Mapping) or type(value) is tuple


class _Watching(Interpreter):
    """A run of expressions that records which parts of the data it reads.

    If an operation reads a whole, all its parts count as read: a part that matters is never
    reported.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.read: set[ValuePath] = set()
        whole = [
            (path, part)
            for name, value in data.items()
            for path, part in nested(value, (name,))
            if _is_whole(part)
        ]
        self._paths = {id(part): path for path, part in whole}

    def wholly(self, value: Operand) -> None:
        """Count a value and all its parts as read."""
        if (path := self._paths.get(id(value))) is not None:
            self.read.update(inner for inner, _ in nested(value, path))
        elif type(value) is tuple:
            for part in value:
                self.wholly(part)

    def _items(self, value: Operand) -> None:
        """Count the items of a collection, or the keys of a mapping, as read; not their parts."""
        if (path := self._paths.get(id(value))) is not None:
            mapping = isinstance(value, Mapping)
            self.read.update(
                (*path, Key(inner[-1])) if mapping else inner for inner, _ in parts(value, path)
            )

    def index(self, group: Operand, key: Operand) -> Operand:
        path = self._paths.get(id(group))
        if type(key) is tuple:
            self.wholly(key)
        if path is not None:
            if isinstance(key, Term):
                self.wholly(group)
            elif isinstance(group, tuple) and isinstance(key, int | slice):
                places = (
                    range(len(group))[key]
                    if isinstance(key, slice)
                    else [key % len(group) if group else 0]
                )
                self.read.update((*path, place) for place in places)
            elif isinstance(group, Mapping) or isinstance(key, Cell):
                self.read |= {(*path, key), (*path, Key(key))}
            elif isinstance(key, tuple):  # of cells
                self.read.update(
                    found for cell in key for found in ((*path, cell), (*path, Key(cell)))
                )
        return super().index(group, key)

    def iterate(self, group: Operand, weight: int = 1) -> Iterable[Operand]:
        self._items(group)
        if type(group) is tuple:
            for item in group:  # `for a, b in …` takes a row apart without an operation
                self.wholly(item)
        return super().iterate(group, weight)

    def compare(self, sign: str, left: Operand, right: Operand) -> Condition:
        path = self._paths.get(id(right))
        if path is not None and isinstance(right, Mapping) and not self.symbolic(left):
            self.read.add((*path, Key(left)))
        elif left is not None and right is not None:
            self.wholly(left)
            self.wholly(right)
        return super().compare(sign, left, right)

    def binary(self, sign: str, left: Operand, right: Operand) -> Operand:
        for side in (left, right):
            self._items(side)
            if isinstance(side, Mapping):
                self.wholly(side)
        return super().binary(sign, left, right)

    def attribute(self, value: Operand, name: str) -> Operand:
        if name in ("given", "regions"):
            self.wholly(value)
        elif name == "numbers" and isinstance(value, Grid):
            self._cells(value, value.numbers)
        return super().attribute(value, name)

    def _cells(self, board: Grid, cells: Iterable[Cell]) -> None:
        """Count the values of these cells as read."""
        if (path := self._paths.get(id(board))) is not None:
            self.read.update((*path, cell) for cell in cells)

    def call(self, function: Operand, /, *arguments: Operand, **words: Operand) -> Operand:
        if getattr(function, "__name__", "") not in BY_ITEMS and not isinstance(
            getattr(function, "__self__", None), Grid
        ):
            for value in (*arguments, *words.values()):
                self.wholly(value)
        result = super().call(function, *arguments, **words)
        board = getattr(function, "__self__", None)
        if isinstance(board, Grid) and function.__name__ == "having":
            self._cells(board, result)
        return result
