"""Reports the fields and the values of a spec that nothing in its type uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError, Problem
from puzzlekit.lang.aliases import Condition, DataValue, Operand
from puzzlekit.lang.data.scalars import Key, ValuePath
from puzzlekit.lang.data_checks import members, nested
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import display_text
from puzzlekit.lang.instance import Instance
from puzzlekit.lang.puzzle_type import PuzzleType
from puzzlekit.lang.type_sections import sections_of
from puzzlekit.model import Term

# functions that only read members of their arguments, which `iterate` records
BY_ITEMS = frozenset({"len", "zip", "enumerate", "reversed", "first", "pairs", "distinct"})
PRINCIPLE = "remove it from the spec, or use it in the type: each value of a spec must be used"


def unused_fields(type_: PuzzleType) -> list[Problem]:
    """Return a problem for each field that nothing in the type uses."""
    used = {*type_.fields_behind(_names(_expressions_but_lets(type_)))}
    for field in type_.fields.values():
        used |= {name for name in (field.like, field.columns) if name is not None}
    unused = [(name, field) for name, field in type_.fields.items() if name not in used]
    help = "no requirement, rule, goal, info or picture uses it"
    return [
        Problem(f"the field {name} is not used", type_.source.start(field.node), help)
        for name, field in unused
    ]


def unused_unknowns(type_: PuzzleType) -> list[str]:
    """Return the unknowns that no rule, goal, definition or later section uses."""
    expressions: list[Expression | None] = [
        rule.expression for rule in (*type_.rules, *type_.goals.values())
    ]
    expressions += [definition.expression for definition in type_.definitions]
    for section in sections_of(type_):
        expressions += section.expressions()
    used = _names(expressions)
    return [unknowns.name for unknowns in type_.unknowns if unknowns.name not in used]


def unused_values(instance: Instance) -> list[Problem]:
    """Return a problem for each value of the spec that no expression reads and no picture shows.

    A value that is read may still have no effect. One that is not read certainly has none.
    """
    recorder = _ReadRecorder(instance.data)
    try:
        Instance(instance.type, instance.data, instance.positions, recorder)
    except InputError:  # as when recording takes more steps than there are
        return []
    type_ = instance.type
    for name in type_.fields_behind(_names(_expressions_of_solutions(type_))):
        recorder.read_all(instance.data[name])
    over_boards = all(family.over_cells() for family in instance.families.values())
    if not type_.pictures and instance.grids and not over_boards:
        boards = [value for value in instance.data.values() if isinstance(value, Grid)]
        recorder.read_all(boards[0])  # it is the background of the picture
    problems: list[Problem] = []
    for name, value in instance.data.items():
        position = instance.positions((name,))
        if position is None or position.path == type_.source.path:
            continue  # a default belongs to the type
        unread, _ = _unread(value, (name,), recorder.read)
        for path, unread_value in unread:
            message = f"this value is not used: {display_text(unread_value)}"
            problems.append(Problem(message, instance.positions(path), PRINCIPLE))
    return problems


def _expressions_of_solutions(type_: PuzzleType) -> Iterator[Expression | None]:
    """Yield the expressions that run only on solutions, or only for pictures."""
    for entry in type_.show:
        yield from (entry.expression, entry.colour)
    for picture in type_.pictures:
        for layer in picture.layers:
            if layer.variant != "clues":
                yield layer.expression
    for groups in type_.group_names:
        yield groups.expression
    for section in sections_of(type_):
        yield from section.expressions()


def _expressions_but_lets(type_: PuzzleType) -> Iterator[Expression | None]:
    """Yield every expression of a type except those of `let`."""
    for rule in (*type_.requirements, *type_.info, *type_.rules, *type_.goals.values()):
        yield rule.expression
    for groups in type_.group_names:
        yield groups.expression
    for limit in type_.within:
        yield from limit.ends
    for variables in type_.unknowns:
        yield variables.domain
    for definition in type_.definitions:
        yield definition.expression
    for entry in type_.show:
        yield from (entry.expression, entry.colour)
    for picture in type_.pictures:
        yield from picture.expressions
    for entry in type_.below or ():
        yield entry.expression
    for section in sections_of(type_):
        yield from section.expressions()


def _names(expressions: Iterable[Expression | None]) -> set[str]:
    names: set[str] = set()
    for expression in expressions:
        if expression is not None:
            names |= expression.names
    return names


def _unread(
    value: DataValue, path: ValuePath, read: set[ValuePath]
) -> tuple[list[tuple[ValuePath, DataValue]], bool]:
    """Return the values inside a collection that were not read, and whether any was read.

    A member inside which nothing was read is returned instead of the values inside it.
    """
    unread: list[tuple[ValuePath, Any]] = []
    any_read = False
    for inner, member in members(value, path):
        if _is_collection(member):
            unread_inside, member_read = _unread(member, inner, read)
            if unread_inside and not member_read:
                unread_inside = [(inner, member)]
        else:
            member_read = inner in read
            unread_inside = [] if member_read or member is None else [(inner, member)]
        if isinstance(value, Mapping) and not member_read:
            key = Key(inner[-1])
            member_read = (*path, key) in read
            if not member_read:
                unread_inside = [((*path, key), key.key)]
        unread += unread_inside
        any_read = any_read or member_read
    return unread, any_read


def _is_collection(value: DataValue) -> bool:
    return isinstance(value, Grid | Mapping) or type(value) is tuple


class _ReadRecorder(Interpreter):
    """A run of expressions that records which values of the data it reads.

    If an operation reads a collection as such, all its members count as read: a value that matters
    is never reported.
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__()
        self.read: set[ValuePath] = set()
        self._paths: dict[int, ValuePath] = {}  # of each collection, by its identity
        for name, value in data.items():
            for path, inside in nested(value, (name,)):
                if _is_collection(inside):
                    self._paths[id(inside)] = path

    def read_all(self, value: Operand) -> None:
        """Count a value and all values inside it as read."""
        path = self._paths.get(id(value))
        if path is not None:
            self.read.update(inner for inner, _ in nested(value, path))
        elif type(value) is tuple:
            for member in value:
                self.read_all(member)

    def _read_members(self, value: Operand) -> None:
        """Count the members of a collection, or the keys of a mapping, as read.

        What is inside the members does not count.
        """
        path = self._paths.get(id(value))
        if path is None:
            return
        paths = [inner for inner, _ in members(value, path)]
        if isinstance(value, Mapping):
            paths = [(*path, Key(inner[-1])) for inner in paths]
        self.read.update(paths)

    def index(self, group: Operand, key: Operand) -> Operand:
        path = self._paths.get(id(group))
        if type(key) is tuple:
            self.read_all(key)
        if path is not None:
            self._read_at(group, path, key)
        return super().index(group, key)

    def _read_at(self, group: Operand, path: ValuePath, key: Operand) -> None:
        """Count the members of a collection at a key as read."""
        if isinstance(key, Term):
            self.read_all(group)
        elif isinstance(group, tuple) and isinstance(key, slice):
            self.read.update((*path, index) for index in range(len(group))[key])
        elif isinstance(group, tuple) and isinstance(key, int):
            self.read.add((*path, key % len(group) if group else 0))
        elif isinstance(group, Mapping) or isinstance(key, Cell):
            self.read |= {(*path, key), (*path, Key(key))}
        elif isinstance(key, tuple):  # of cells
            for cell in key:
                self.read |= {(*path, cell), (*path, Key(cell))}

    def iterate(self, group: Operand, weight: int = 1) -> Iterable[Operand]:
        self._read_members(group)
        if type(group) is tuple:
            for member in group:  # `for a, b in …` takes a row apart without an operation
                self.read_all(member)
        return super().iterate(group, weight)

    def compare(self, sign: str, left: Operand, right: Operand) -> Condition:
        path = self._paths.get(id(right))
        if path is not None and isinstance(right, Mapping) and not self.symbolic(left):
            self.read.add((*path, Key(left)))
        elif left is not None and right is not None:
            self.read_all(left)
            self.read_all(right)
        return super().compare(sign, left, right)

    def binary(self, sign: str, left: Operand, right: Operand) -> Operand:
        for side in (left, right):
            self._read_members(side)
            if isinstance(side, Mapping):
                self.read_all(side)
        return super().binary(sign, left, right)

    def attribute(self, value: Operand, name: str) -> Operand:
        if name in ("given", "regions"):
            self.read_all(value)
        elif name == "numbers" and isinstance(value, Grid):
            self._read_cells(value, value.numbers)
        return super().attribute(value, name)

    def _read_cells(self, board: Grid, cells: Iterable[Cell]) -> None:
        """Count the values of these cells as read."""
        path = self._paths.get(id(board))
        if path is not None:
            self.read.update((*path, cell) for cell in cells)

    def call(self, function: Operand, /, *arguments: Operand, **words: Operand) -> Operand:
        name = getattr(function, "__name__", "")
        board = getattr(function, "__self__", None)
        if name not in BY_ITEMS and not isinstance(board, Grid):
            for argument in (*arguments, *words.values()):
                self.read_all(argument)
        returned = super().call(function, *arguments, **words)
        if isinstance(board, Grid) and name == "having":
            self._read_cells(board, returned)
        return returned
