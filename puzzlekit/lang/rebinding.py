"""Binds a type again to a board of the same shape: only what reads a field that differs is run.

When a second spec has the shape of an earlier one, its board is retained, and its fields are
watched to learn which of them each statement of the type reads. The values of a board are watched
apart from its cells, so that rules which only go over the cells are run once for all boards of that
shape. A statement that only reads a `let` depends on the value of that `let` (a length, a board of
so many cells), not on the fields behind it. Boards of a shape share the unknowns, constraints and
values of statements that depend on no differing field. All other statements are run on the new
data. The puzzle and its errors are therefore the same as if every statement had been run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import RLock
from types import GeneratorType, MethodType
from typing import Any, TypeVar

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.lang.aliases import DataValue, Operand
from puzzlekit.lang.expressions.values import VariableArray
from puzzlekit.lang.puzzle_type import AllowedValues, Definition, PuzzleType, Rule, VariableDecl

T = TypeVar("T")
TypeStatement = AllowedValues | Rule | VariableDecl | Definition
Data = Mapping[str, Any]

KEPT_SHAPES = 4  # of one type
MOST_KEPT = 20_000  # unknowns and constraints of a board that is retained
ALL_KEPT = 100_000  # of the boards of all types together: some 100 MB
ATOMS = frozenset({bool, int, str, range, type(None), Cell})
# after so many boards with the same cells but different unknowns, the type counts as one whose
# unknowns depend on clues
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
    watched = type(board).__new__(type(board))
    watched.cells = board.cells
    watched._around = {}
    watched.has_no_unknowns = True
    watched.values = WatchedValues(board.values, read)
    return watched


class Watch:
    """Notes which fields each statement reads, while a board is bound for the first time.

    Attributes:
        data: The data, with boards that are watched.
        reads: The fields that each statement depends on, by its identity; a `let` whose values can
            be compared stands for the fields behind it.
    """

    def __init__(self, puzzle: PuzzleType, data: Data) -> None:
        self.boards: dict[str, Grid] = {}
        for name, value in data.items():
            if isinstance(value, Grid):
                self.boards[name] = _watched(value, self._reader(name))
        self.data: dict[str, Any] = {**data, **self.boards}
        self.reads: dict[int, frozenset[str]] = {}
        self._behind: dict[str, frozenset[str]] = {
            name: frozenset({name}) for name in data if name not in self.boards
        }
        # those whose name others may use; that of a rule, a requirement or an info is only text
        named = (*puzzle.lets, *puzzle.unknowns, *puzzle.definitions)
        self._lets = {id(let) for let in puzzle.lets}
        self._named = {id(statement) for statement in named}
        self._seen: set[str] = set()  # boards whose values the current statement reads
        self._statement: TypeStatement | None = None

    def _reader(self, name: str) -> Callable[[], None]:
        return lambda: self._seen.add(name)

    def runs(self, statement: TypeStatement, scope: Data) -> bool:
        """Note that a statement begins: it is run.

        Args:
            statement: The statement.
            scope: The values of all names so far.
        """
        self.end(scope)
        self._statement = statement
        return True

    def end(self, scope: Data) -> None:
        """Note what the last statement read."""
        statement = self._statement
        self._statement = None
        if statement is None:
            return
        names = _names(statement)
        read = self._seen.union(*(self._behind.get(name, ()) for name in names))
        for name in self._seen:  # else the next statement would read them without being seen
            self.boards[name].forget_values()
        self._seen.clear()
        if isinstance(statement, AllowedValues):
            read |= {statement.field}
        elif id(statement) in self._named:
            read |= self._note_name(statement, scope.get(statement.name), frozenset(read))
        self.reads[id(statement)] = frozenset(read)

    def _note_name(
        self,
        statement: Rule | VariableDecl | Definition,
        value: Operand,
        read: frozenset[str],
    ) -> set[str]:
        """Note the fields on which the uses of a name depend.

        Args:
            statement: What declares the name.
            value: The value of the name.
            read: The fields that the statement read.

        Returns:
            The further fields on which the statement itself depends.
        """
        same_boards = {name for name, board in self.boards.items() if value is board}
        if same_boards:
            # another name of a board: what uses it reads the values, or does not
            self._behind[statement.name] = read
            return same_boards
        if id(statement) in self._lets and _equal(value, value):
            self._behind[statement.name] = frozenset({statement.name})
            return set()
        boards = set(self.boards) if self._may_read_board(value) else set()
        self._behind[statement.name] = read | boards
        return boards

    def _may_read_board(self, value: Operand) -> bool:
        """Return whether a value may look at a board later."""
        match value:
            case Grid():
                return isinstance(value.values, WatchedValues)
            case MethodType() | GeneratorType():
                return True
            case VariableArray():
                return any(map(self._may_read_board, value))
            case Mapping():
                return any(map(self._may_read_board, value.values()))
            case tuple() | frozenset():
                return any(map(self._may_read_board, value))
            case _:
                return False


def _names(statement: TypeStatement) -> frozenset[str]:
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
        compiled: What solving computes once for all boards that differ only in these fields.
        checked: The statements that are run on the solutions of such boards.
    """

    def __init__(self, bound: Any, reads: Mapping[int, frozenset[str]], data: Data) -> None:
        self.bound = bound  # an `Instance`, whose module imports this one
        self.data = data
        self._reads = reads
        self._sharing: dict[frozenset[str], frozenset[int]] = {}
        self._changing: dict[frozenset[str], tuple[frozenset[str], list[str]]] = {}
        self.size = len(bound.model.domains) + len(bound.model.constraints)
        statements = (*bound.type.unknowns, *bound.type.goals.values())
        self.fixed = frozenset[str]().union(*(reads[id(statement)] for statement in statements))
        self.compiled: dict[frozenset[str], Any] = {}
        # by the same fields: the identities of the statements that checks of solutions run
        self.checked: dict[frozenset[str], frozenset[int]] = {}

    def lend(self, data: Data) -> None:
        """Copy to boards what is computed from the same cells: rows, sides, neighbours."""
        for name, board in data.items():
            earlier = self.bound.data[name]
            if isinstance(board, Grid) and isinstance(earlier, Grid):
                vars(board).update(earlier.attributes_of_cells())

    def differing(self, data: Data) -> frozenset[str] | None:
        """Return the fields and values of `let` that may differ from those of this shape.

        Returns:
            Their names; None if the board has another shape.
        """
        fields = set()
        for name, value in data.items():
            earlier = self.data[name]
            if value is earlier:
                continue
            if not self._may_share_shape(name, earlier, value):
                return None
            if not _same(earlier, value):
                if name in self.fixed:
                    return None
                fields.add(name)
        changing, doubtful = self.changing(frozenset(fields))
        if doubtful and not self._are_equal_on(data, doubtful):
            return None
        return changing

    def _may_share_shape(self, name: str, earlier: DataValue, value: DataValue) -> bool:
        """Return whether a field may have both values on boards of one shape."""
        if isinstance(earlier, Grid):
            return isinstance(value, Grid) and value.cells == earlier.cells
        return not isinstance(value, Grid) or name not in self.fixed

    def _are_equal_on(self, data: Data, lets: list[str]) -> bool:
        """Return whether these `let` have the same values on other data."""
        scope = self.bound.scope
        values = self.bound.lets_on(data, lets)
        if any(name not in values for name in lets):
            return False
        return all(_equal(scope[name], values[name]) for name in lets)

    def changing(self, fields: frozenset[str]) -> tuple[frozenset[str], list[str]]:
        """Return which values of `let` may differ on boards that differ in these fields.

        Returns:
            The fields with the names of such `let`; and the names of `let` whose values may differ
            in general, but must be the same on boards of this shape.
        """
        if fields not in self._changing:
            changing = set(fields)
            doubtful = []
            for let in self.bound.type.lets:
                if changing.isdisjoint(self._reads[id(let)]):
                    continue
                if let.name in self.fixed:
                    doubtful.append(let.name)
                else:
                    changing.add(let.name)
            self._changing[fields] = frozenset(changing), doubtful
        return self._changing[fields]

    def behind(self) -> frozenset[str]:
        """Return the fields on which the unknowns and goals depend, also by values of `let`."""
        names = set(self.fixed)
        for let in reversed(self.bound.type.lets):
            if let.name in names:
                names |= self._reads[id(let)] - {let.name}
        return frozenset(names & self.data.keys())

    def sharing(self, fields: frozenset[str]) -> frozenset[int]:
        """Return the identities of the statements that depend on none of these fields."""
        if fields not in self._sharing:
            self._sharing[fields] = frozenset(
                identity for identity, read in self._reads.items() if fields.isdisjoint(read)
            )
        return self._sharing[fields]


class Likeness:
    """A board of a retained shape that is bound: which of its statements are run.

    Attributes:
        shape: The shape.
        changed: The fields and values of `let` that may differ.
    """

    def __init__(self, shape: KeptShape, changed: frozenset[str]) -> None:
        self.shape = shape
        self.changed = changed
        self._shared = shape.sharing(changed)

    def runs(self, statement: TypeStatement, scope: Data) -> bool:
        """Return whether a statement is run, rather than taken from the shape."""
        return id(statement) not in self._shared


def shapes_of(puzzle: PuzzleType) -> Shapes:
    """Return the retained shapes of a type."""
    shapes: Shapes = puzzle.cache.setdefault("shapes", Shapes())
    return shapes


def _same(first: DataValue, second: DataValue) -> bool:
    """Return whether two values of a field are the same, the order of mappings included."""
    if type(first) is not type(second):
        return False
    if isinstance(first, Grid):
        return _same(first.values, second.values)
    if isinstance(first, Mapping):
        if len(first) != len(second):
            return False
        return all(map(_same, first.items(), second.items()))
    if isinstance(first, tuple):
        if len(first) != len(second):
            return False
        return all(map(_same, first, second))
    return bool(first == second)


def _equal(first: DataValue, second: DataValue) -> bool:
    """Return whether two values of a `let` can be compared and are the same in each respect."""
    type_ = type(first)
    if type_ is not type(second):
        return False
    if type_ in ATOMS:
        return bool(first == second)
    if type_ is Grid:
        if type(first.values) is not dict or first.cells != second.cells:
            return False
        return _equal(first.values, second.values)
    if type_ is dict:
        if len(first) != len(second):
            return False
        return all(map(_equal, first.items(), second.items()))
    if type_ is Cells and first.label != second.label:
        return False
    if type_ in (tuple, frozenset, Cells):
        return len(first) == len(second) and all(map(_equal, first, second))
    return False


class Shapes:
    """The retained shapes of a type, for as long as the process runs.

    Attributes:
        reason: Why boards of the type are not bound like each other; empty if they are.
    """

    def __init__(self) -> None:
        self.reason = ""
        self._kept: list[KeptShape] = []
        self._alone: list[Data] = []  # of the last boards that were bound alone
        self._variants = 0
        self._lock = RLock()

    def __reduce__(self) -> tuple[type[Shapes], tuple[()]]:
        return Shapes, ()

    def like(self, data: Data) -> Likeness | None:
        """Return how a board is bound like another one; None if none is retained of its shape."""
        for index, shape in enumerate(self._kept):
            changed = shape.differing(data)
            if changed is not None:
                if index:
                    with self._lock:
                        self._kept = [shape, *_without(self._kept, shape)]
                shape.lend(data)
                with _lock:
                    _recent.pop(shape, None)
                    _recent[shape] = self
                return Likeness(shape, changed)
        return None

    def saw(self, bound: Any, watched: Callable[[], KeptShape]) -> None:
        """Note a board that was bound alone.

        The second one of a shape is bound again, watched, and retained.
        """
        data = bound.data
        size = len(bound.model.domains) + len(bound.model.constraints)
        if self.reason or size > MOST_KEPT:
            return
        with self._lock:
            last = next((earlier for earlier in self._alone if _alike(earlier, data)), None)
            self._alone = [data, *_without(self._alone, last)][:KEPT_SHAPES]
            if last is None:
                return
            shape = watched()
            if shape.differing(last) is None and not self._allow_variant(shape, last, data):
                return
            self._kept = [shape, *self._kept[: KEPT_SHAPES - 1]]
        with _lock:
            _recent[shape] = self
            while sum(recent.size for recent in _recent) > ALL_KEPT:
                oldest = next(iter(_recent))
                _recent.pop(oldest).forget(oldest)

    def _allow_variant(self, shape: KeptShape, last: Data, data: Data) -> bool:
        """Note two boards with the same cells that have different unknowns.

        Returns:
            Whether boards may still be bound like each other: their unknowns do not depend on the
            values of a board, and have not differed often.
        """
        names = [name for name in shape.behind() if not _same(last[name], data[name])]
        self._variants += 1
        depends_on_board = any(isinstance(data[name], Grid) for name in names)
        if depends_on_board or self._variants == VARIANTS:
            self.reason = f"the unknowns depend on {' and '.join(sorted(names))}"
            self._kept = []
            return False
        return True

    def forget(self, shape: KeptShape) -> None:
        """Release a shape."""
        self._kept = _without(self._kept, shape)


_recent: dict[KeptShape, Shapes] = {}  # the shapes of all types, the last used at the end
_lock = RLock()


def _without(members: Iterable[T], removed: T | None) -> list[T]:
    """Return the members without one of them, by its identity."""
    return [member for member in members if member is not removed]


def _alike(first: Data, second: Data) -> bool:
    """Return whether two puzzles may have one shape.

    Their boards have the same cells. Without boards, their lists have the same lengths.
    """
    has_board = any(isinstance(value, Grid) for value in first.values())
    if not has_board and _lengths(first) != _lengths(second):
        return False
    for name, value in first.items():
        board = second[name]
        if isinstance(value, Grid) is not isinstance(board, Grid):
            return False
        if isinstance(value, Grid) and value.cells != board.cells:
            return False
    return True


def _lengths(data: Data) -> list[int]:
    """Return the length of each value that is a list; -1 for any other one."""
    return [len(value) if isinstance(value, tuple) else -1 for value in data.values()]
