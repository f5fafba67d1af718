"""Binds a type again to a board of the same shape: only what reads a field that differs is run.

From the second spec of a shape on, one board is kept whose fields were watched: it is known which
of them each statement of the type reads. The values of a board are watched apart from its cells, so
that rules which only go over the cells are run once for all boards of that shape. What only reads a
`let` depends on the value of that, not on the fields behind it: a length, a board of so many cells.
Unknowns, constraints and values of these are shared; everything else is run on the new data, so
that a puzzle states the same, and has the same errors, as without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from threading import RLock
from types import GeneratorType, MethodType
from typing import Any

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.lang.aliases import DataValue, Operand
from puzzlekit.lang.expressions.values import VariableArray
from puzzlekit.lang.puzzle_type import AllowedValues, Definition, PuzzleType, Rule, VariableDecl

Statement = AllowedValues | Rule | VariableDecl | Definition
Data = Mapping[str, Any]

KEPT_SHAPES = 4  # of one type
OWN = frozenset({"values", "cells", "known"})  # what one board does not have from another one
MOST_KEPT = 20_000  # unknowns and constraints of a board that is kept
ALL_KEPT = 100_000  # of the boards of all types together: some 100 MB
ATOMS = frozenset({bool, int, str, range, type(None), Cell})
# boards with the same cells and other unknowns, after which the type counts as one whose unknowns
# depend on clues
VARIANTS = 4


class WatchedValues(Mapping[Cell, Any]):
    """The values of a board; `read` is called when one is looked at. The cells may be looked at."""

    def __init__(self, values: Mapping[Cell, Any], read: Callable[[], None]) -> None:
        self._values = values
        self._read = read

    def __getitem__(self, cell: Cell) -> DataValue:
        self._read()
        return self._values[cell]

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __contains__(self, cell: object) -> bool:
        return cell in self._values


def _watched(board: Grid, read: Callable[[], None]) -> Grid:
    """Return the same board, whose values are watched."""
    made = type(board).__new__(type(board))
    made.cells, made._around, made.has_no_unknowns = board.cells, {}, True
    made.values = WatchedValues(board.values, read)
    return made


class Watch:
    """Notes which fields each statement reads, while a board is bound for the first time.

    Attributes:
        data: The data, with boards that are watched.
        reads: The fields that each statement depends on, by its identity; a `let` whose values can
            be compared stands for the fields behind it.
    """

    def __init__(self, puzzle: PuzzleType, data: Data) -> None:
        self.boards = {
            name: _watched(value, self._reader(name))
            for name, value in data.items()
            if isinstance(value, Grid)
        }
        self.data: dict[str, Any] = {**data, **self.boards}
        self.reads: dict[int, frozenset[str]] = {}
        self._behind: dict[str, frozenset[str]] = {
            name: frozenset({name}) for name in data if name not in self.boards
        }
        # those whose name others may use; that of a rule, a requirement or an info is only text
        self._lets = {id(let) for let in puzzle.lets}
        self._named = {id(each) for each in (*puzzle.lets, *puzzle.unknowns, *puzzle.definitions)}
        self._seen: set[str] = set()  # boards whose values the current statement reads
        self._statement: Statement | None = None
        self._found: list[
            set[str]
        ] = []  # of each board, what was found out before the current statement

    def _reader(self, name: str) -> Callable[[], None]:
        return lambda: self._seen.add(name)

    def runs(self, statement: Statement, scope: Data) -> bool:
        """Note that a statement begins: it is run.

        Args:
            statement: The statement.
            scope: The values of all names so far.
        """
        self.end(scope)
        self._statement = statement
        self._found = [{*board.__dict__} for board in self.boards.values()]
        return True

    def end(self, scope: Data) -> None:
        """Note what the last statement read."""
        statement, self._statement = self._statement, None
        if statement is None:
            return
        names = _names(statement)
        read = self._seen.union(*(self._behind.get(name, ()) for name in names))
        if isinstance(statement, AllowedValues):
            read |= {statement.field}
        for board, found in zip(self.boards.values(), self._found):
            for name in board.__dict__.keys() - found if self._seen else ():
                del board.__dict__[
                    name
                ]  # else the next statement could read values without being seen
        self._seen.clear()
        if not isinstance(statement, AllowedValues) and id(statement) in self._named:
            value = scope.get(statement.name)
            if any(value is board for board in self.boards.values()):
                # another name of a board: what uses it reads the values, or does not
                self._behind[statement.name] = frozenset(read)
                read |= {name for name, board in self.boards.items() if value is board}
            elif id(statement) in self._lets and _equal(value, value):
                self._behind[statement.name] = frozenset({statement.name})
            else:
                if self._holds_board(value):
                    read |= self.boards.keys()
                self._behind[statement.name] = frozenset(read)
        self.reads[id(statement)] = frozenset(read)

    def _holds_board(self, value: Operand) -> bool:
        """Return whether a value may look at a board later."""
        match value:
            case Grid():
                return isinstance(value.values, WatchedValues)
            case MethodType() | GeneratorType():
                return True
            case VariableArray():
                return any(map(self._holds_board, value))
            case Mapping():
                return any(map(self._holds_board, value.values()))
            case tuple() | frozenset():
                return any(map(self._holds_board, value))
            case _:
                return False


def _names(statement: Statement) -> frozenset[str]:
    match statement:
        case AllowedValues():
            return statement.names
        case VariableDecl():
            return statement.domain.names
        case _:
            return statement.expression.names


class KeptShape:
    """A board that others of its shape are bound like.

    Attributes:
        bound: The board, whose fields were watched.
        fixed: The fields and values of `let` that the unknowns and goals depend on: other boards of
            this shape have the same.
        size: Its unknowns and constraints.
        compiled: What solving makes of what boards share that differ in these fields, once.
    """

    def __init__(self, bound: Any, reads: Mapping[int, frozenset[str]], data: Data) -> None:
        self.bound = bound  # a `BoundPuzzle`, which this module does not know
        self.data = data
        self._reads = reads
        self._sharing: dict[frozenset[str], frozenset[int]] = {}
        self._changing: dict[frozenset[str], tuple[frozenset[str], list[str]]] = {}
        self.size = len(bound.model.domains) + len(bound.model.constraints)
        kind = bound.type
        self.fixed = frozenset[str]().union(
            *(reads[id(each)] for each in (*kind.unknowns, *kind.goals.values()))
        )
        self.compiled: dict[frozenset[str], Any] = {}

    def lend(self, data: Data) -> None:
        """Let boards know what was found out about the same cells: rows, sides, neighbours."""
        for name, value in data.items():
            if isinstance(value, Grid) and isinstance(known := self.bound.data[name], Grid):
                value.__dict__.update(
                    {of: found for of, found in known.__dict__.items() if of not in OWN}
                )

    def differing(self, data: Data) -> frozenset[str] | None:
        """Return the fields and values of `let` that may differ from those of this shape; None if
        the shape does.
        """
        found = set()
        for name, value in data.items():
            known = self.data[name]
            if value is known:
                continue
            if isinstance(value, Grid) is not isinstance(known, Grid) and (
                isinstance(known, Grid) or name in self.fixed
            ):
                return None
            if isinstance(value, Grid) and isinstance(known, Grid) and value.cells != known.cells:
                return None
            if not _same(known, value):
                found.add(name)
                if name in self.fixed:
                    return None
        changing, doubtful = self.changing(frozenset(found))
        if doubtful:
            made = self.bound.lets_on(data, doubtful)
            if not all(
                name in made and _equal(self.bound.scope[name], made[name]) for name in doubtful
            ):
                return None
        return changing

    def changing(self, fields: frozenset[str]) -> tuple[frozenset[str], list[str]]:
        """Return these fields with the values of `let` that may differ where they do, and those
        that must not, but may.
        """
        if fields not in self._changing:
            changing, doubtful = set(fields), []
            for let in self.bound.type.lets:
                if not changing.isdisjoint(self._reads[id(let)]):
                    if let.name in self.fixed:
                        doubtful.append(let.name)
                    else:
                        changing.add(let.name)
            self._changing[fields] = frozenset(changing), doubtful
        return self._changing[fields]

    def behind(self) -> frozenset[str]:
        """Return the fields on which the unknowns and goals depend, also by values of `let`."""
        found = set(self.fixed)
        for let in reversed(self.bound.type.lets):
            if let.name in found:
                found |= self._reads[id(let)] - {let.name}
        return frozenset(found & self.data.keys())

    def sharing(self, fields: frozenset[str]) -> frozenset[int]:
        """Return the identities of the statements that depend on none of these fields."""
        if fields not in self._sharing:
            self._sharing[fields] = frozenset(
                of for of, read in self._reads.items() if fields.isdisjoint(read)
            )
        return self._sharing[fields]


class Likeness:
    """A board of a kept shape that is bound: which of its statements are run.

    Attributes:
        shape: The shape.
        changed: The fields and values of `let` that may differ.
    """

    def __init__(self, shape: KeptShape, changed: frozenset[str]) -> None:
        self.shape = shape
        self.changed = changed
        self._shared = shape.sharing(changed)

    def runs(self, statement: Statement, scope: Data) -> bool:
        """Return whether a statement is run, rather than taken from the shape."""
        return id(statement) not in self._shared


def shapes_of(puzzle: PuzzleType) -> Shapes:
    """Return the kept shapes of a type."""
    found: Shapes = puzzle.cache.setdefault("shapes", Shapes())
    return found


def _same(one: DataValue, other: DataValue) -> bool:
    """Return whether two values of a field are the same in each respect, the order of mappings
    included.
    """
    if type(one) is not type(other):
        return False
    if isinstance(one, Grid):
        return _same(one.values, other.values)
    if isinstance(one, Mapping):
        return len(one) == len(other) and all(map(_same, one.items(), other.items()))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)


def _equal(one: DataValue, other: DataValue) -> bool:
    """Return whether two values of a `let` are of kinds that can be compared, and the same in each
    respect.
    """
    kind = type(one)
    if kind is not type(other):
        return False
    if kind in ATOMS:
        return bool(one == other)
    if kind is Grid:
        return (
            type(one.values) is dict
            and one.cells == other.cells
            and _equal(one.values, other.values)
        )
    if kind is dict:
        return len(one) == len(other) and all(map(_equal, one.items(), other.items()))
    if kind in (tuple, frozenset, Cells):
        labels = one.label == other.label if kind is Cells else True
        return labels and len(one) == len(other) and all(map(_equal, one, other))
    return False


class Shapes:
    """The kept shapes of a type, for as long as the process runs.

    Attributes:
        why: Why boards of the type are not bound like each other; empty if they are.
    """

    def __init__(self) -> None:
        self.why = ""
        self._kept: list[KeptShape] = []
        self._alone: list[Data] = []  # of the last boards that were bound alone
        self._variants = 0
        self._lock = RLock()

    def __reduce__(self) -> tuple[type[Shapes], tuple[()]]:
        return Shapes, ()

    def like(self, data: Data) -> Likeness | None:
        """Return how a board is bound like another one; None if none is kept that has its shape."""
        for place, shape in enumerate(self._kept):
            changed = shape.differing(data)
            if changed is not None:
                if place:
                    with self._lock:
                        self._kept = [shape, *(other for other in self._kept if other is not shape)]
                shape.lend(data)
                with _lock:
                    _recent.pop(shape, None)
                    _recent[shape] = self
                return Likeness(shape, changed)
        return None

    def saw(self, bound: Any, watched: Callable[[], KeptShape]) -> None:
        """Note a board that was bound alone; the second one of a shape is bound again and kept."""
        data = bound.data
        if self.why or len(bound.model.domains) + len(bound.model.constraints) > MOST_KEPT:
            return
        with self._lock:
            last = next((other for other in self._alone if _alike(other, data)), None)
            self._alone = [data, *(other for other in self._alone if other is not last)][
                :KEPT_SHAPES
            ]
            if last is None:
                return
            shape = watched()
            if shape.differing(last) is None:
                differing = sorted(
                    name for name in shape.behind() if not _same(last[name], data[name])
                )
                self._variants += 1
                if self._variants == VARIANTS or any(
                    isinstance(data[name], Grid) for name in differing
                ):
                    self.why = f"the unknowns depend on {' and '.join(differing)}"
                    self._kept = []
                    return
            self._kept = [shape, *self._kept[: KEPT_SHAPES - 1]]
        with _lock:
            _recent[shape] = self
            while sum(one.size for one in _recent) > ALL_KEPT:
                oldest = next(iter(_recent))
                _recent.pop(oldest).forget(oldest)

    def forget(self, shape: KeptShape) -> None:
        """Keep a shape no longer."""
        self._kept = [other for other in self._kept if other is not shape]


_recent: dict[KeptShape, Shapes] = {}  # the kept shapes of all types, the last used at the end
_lock = RLock()


def _alike(one: Data, other: Data) -> bool:
    """Return whether two puzzles may have one shape: boards have the same cells; without boards,
    lists have one length.
    """
    if not any(isinstance(value, Grid) for value in one.values()):
        lengths = [
            [len(value) if isinstance(value, tuple) else -1 for value in data.values()]
            for data in (one, other)
        ]
        if lengths[0] != lengths[1]:
            return False
    for name, value in one.items():
        if isinstance(value, Grid):
            if not isinstance(other[name], Grid) or value.cells != other[name].cells:
                return False
        elif isinstance(other[name], Grid):
            return False
    return True
