"""The values of expressions besides plain ones, how they are compared and shown, and the registry
of types of value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import GeneratorType
from typing import Any, TypeGuard

from puzzlekit.boards import Cell, Cells, Corner, Grid, Placement, Shape, Side, Size, edge
from puzzlekit.errors import InputError, PuzzlekitError
from puzzlekit.lang.aliases import Condition, DataValue, Operand
from puzzlekit.model import Apply, Component, Term, Value, Variable
from puzzlekit.sentences.formatting import counted

POINTS = (Cell, Corner)


@dataclass(frozen=True)
class ValueType:
    """A type of value that expressions compute with. Only `type` is required.

    Attributes:
        type: The Python class of the values.
        attributes: The attributes and methods that expressions may use. The arguments of methods
            must be known.
        shown: Returns a value as error messages show it.
        json: Returns a value as plain data.
        spec: Returns a value as the text of a field, for a puzzle that follows from a solution.
        handed_on: Whether a field of a type that follows takes the value itself, not a text.
        colour: Returns the colour of a cell that has this value: `green`, `region 3`, …
        listed: Returns the picture of several values that a type shows in a row.
        chosen: Returns the picture of values that are indexes of unknowns. It takes those whose
            unknowns are true, and a board or None.
        unsolved: Returns what to print about the values of the data, a list, if a puzzle has no
            solution.
        single: Whether a value contains no unknown, so that it is never searched for one.
        collection: Whether loops may run over a value. It then has a length.
        contains: Returns `item in value` as a bool or a condition. It takes the interpreter, the
            item and the value.
        choosable: Whether unknowns may take such values.
        scale: Whether the values have an order of their own, so that comparing one with a value
            of another type is an error.
    """

    type: type
    attributes: Sequence[str] = ()
    display: Callable[[Any], str] | None = None
    json: Callable[[Any], Any] | None = None
    spec: Callable[[Any], str] | None = None
    handed_on: bool = False
    colour: Callable[[Any], str] | None = None
    row_picture: Callable[[Sequence[Any]], Any] | None = None
    chosen: Callable[[Sequence[Any], Any], Any] | None = None
    unsolved: Callable[[Any], str] | None = None
    single: bool = False
    collection: bool = False
    contains: Callable[[Any, Operand, DataValue], Condition] | None = None
    choosable: bool = False
    scale: bool = False


_TYPES: dict[type, ValueType] = {}
_of_class: dict[type, ValueType | None] = {}  # the cache of type_of_class
ATOMS: set[type] = set()  # classes whose values contain no unknown and are never searched for one
SCALES: set[frozenset[str] | None] = set()  # kinds with an order of their own (`Kinds.of`)


def kind_name(class_: type) -> str:
    """Return what messages call the values of a class: `marks`."""
    return f"{class_.__name__.lower()}s"


def register(value_type: ValueType) -> None:
    """Register a type of value. It replaces an earlier one of the same class.

    Where one of its functions fails, the error becomes an InputError that names the value.
    """
    given = {
        name: getattr(value_type, name)
        for name in ("display", "json", "spec", "colour", "unsolved")
    }
    guarded: dict[str, Any] = {
        name: _guarded(name, function) for name, function in given.items() if function is not None
    }
    _TYPES[value_type.type] = replace(value_type, **guarded)
    if value_type.single:
        ATOMS.add(value_type.type)
    if value_type.scale:
        SCALES.add(frozenset({kind_name(value_type.type)}))
    _of_class.clear()


def _guarded(name: str, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def guarded(value: Any) -> Any:
        try:
            return function(value)
        except (PuzzlekitError, ExpressionError, MemoryError):
            raise
        except Exception as error:
            raise InputError(
                f"the library's function {name} failed for {value!r}: {error}"
            ) from error

    return guarded


def value_type(value: Operand) -> ValueType | None:
    """Return the registered type of a value or of a base class; None for plain values."""
    return type_of_class(type(value))


def type_of_class(class_: type) -> ValueType | None:
    """Return the registered type of a class or of its nearest base class; None if there is none."""
    try:
        return _of_class[class_]
    except KeyError:
        found = _of_class[class_] = next(
            (_TYPES[base] for base in class_.__mro__ if base in _TYPES), None
        )
        return found


def value_types() -> tuple[ValueType, ...]:
    return tuple(_TYPES.values())


def all_of_one_type(values: Iterable[DataValue]) -> ValueType | None:
    """Return the registered type that all values share; None if there is no such type."""
    found = {type_of_class(type(value)) for value in values}
    return found.pop() if len(found) == 1 else None


class ExpressionError(Exception):
    """An error in a running expression. Its place is found from the traceback.

    Attributes:
        help: What to write instead; empty if there is no help.
    """

    def __init__(self, message: str, *, help: str = "") -> None:
        self.help = help
        super().__init__(message)


class UndefinedError(ExpressionError):
    """There is no value at an index. A rule that evaluates such an index does not hold."""


class MissingDataError(ExpressionError):
    """Something that the data lack. A goal that needs it is dropped from the puzzle."""


class VariableArray:
    """The unknowns of one name by index: variables in a model, values in a solution.

    A family without indexes has one member, at the index ().
    """

    def __init__(self, name: str, members: Mapping[Any, Any], arity: int) -> None:
        self.name = name
        self.members = dict(members)
        self.arity = arity
        self._groups: dict[tuple[int, ...], dict[tuple[Any, ...], tuple[Any, ...]]] = {}

    def __iter__(self) -> Iterator[Operand]:
        return iter(self.members.values())

    def __len__(self) -> int:
        return len(self.members)

    def __repr__(self) -> str:
        return (
            str(self.members[()])
            if self.arity == 0
            else str({str(key): item for key, item in self.members.items()})
        )

    def filled(self, values: Mapping[Variable, Value]) -> VariableArray:
        """Return the same family with values instead of its variables."""
        return VariableArray(
            self.name,
            dict(zip(self.members, map(values.__getitem__, self.members.values()))),
            self.arity,
        )

    def over_cells(self) -> bool:
        return (
            self.arity == 1
            and bool(self.members)
            and all(isinstance(index, Cell) for index in self.members)
        )

    def as_grid(self) -> Grid:
        return Grid(self.members)

    def lookup(self, key: DataValue) -> Operand:
        """Return the member at an index, or the tuple of members at a collection of indexes.

        `...` stands for any part of an index: `own[s, ...]` are the members whose first part is s.

        Raises:
            NoValueError: There is no member at the index.
            ExpressionError: The key has the wrong number of parts, or is a slice.
        """
        try:
            if key in self.members:
                return self.members[key]
            if self.arity == 1 and type(key) in (tuple, Cells):  # most often a row of indexes
                return tuple(map(self.members.__getitem__, key))
        except (KeyError, TypeError):  # a part is not an index, or the key cannot be one
            pass
        if isinstance(key, tuple) and any(part is Ellipsis for part in key):
            if len(key) != self.arity:
                raise ExpressionError(f"{self.name} has {_indexes(self.arity)}, not {len(key)}")
            return self._along(key)
        if key is Ellipsis and self.arity == 1:
            return tuple(self.members.values())
        if self.arity == 1 and self._is_pair(key):
            raise UndefinedError(
                f"{self.name} has no member at {display_text(key)}",
                help=f"write {self.name}[edge(a, b)] for the pair of a and b",
            )
        if (
            self.arity == 1
            and isinstance(key, tuple | frozenset | range | Grid)
            and not isinstance(key, Cell | Corner)
        ):
            return tuple(self.lookup(part) for part in key)
        if isinstance(key, slice):
            help = f"write a range of indexes: {self.name}[range(a, b)]"
            raise ExpressionError(f"{self.name} has indexes, so it cannot be sliced", help=help)
        if self.arity != 1 and not (isinstance(key, tuple) and len(key) == self.arity):
            given = 1 if not isinstance(key, tuple) or isinstance(key, Cell) else len(key)
            raise ExpressionError(f"{self.name} has {_indexes(self.arity)}, not {given}")
        raise UndefinedError(
            f"{self.name} has no member at {display_text(key)}", help=self._help_at(key)
        )

    def _is_pair(self, key: DataValue) -> bool:
        """Return whether the key is two cells or corners whose edge has a member, in the other
        order or not.
        """
        ends = (
            type(key) is tuple
            and len(key) == 2
            and any(all(isinstance(end, kind) for end in key) for kind in (Cell, Corner))
        )
        return ends and edge(*key) in self.members

    def _help_at(self, key: DataValue) -> str:
        """Return how to write an index for which a cell or a corner of a pair was given."""
        pairs = (
            index
            for index in self.members
            if type(key) in (Cell, Corner) and isinstance(index, tuple)
        )
        if any(
            len(index) == 2 and key in index
            for index in pairs
            if not isinstance(index, Cell | Corner)
        ):
            return f"its indexes are pairs, as in {self.name}[edge(a, b)]"
        return ""

    def _along(self, key: tuple[Operand, ...]) -> tuple[Operand, ...]:
        fixed = tuple(place for place, part in enumerate(key) if part is not Ellipsis)
        if fixed not in self._groups:
            groups: dict[tuple[Any, ...], list[Any]] = {}
            for index, member in self.members.items():
                groups.setdefault(tuple(index[place] for place in fixed), []).append(member)
            self._groups[fixed] = {parts: tuple(members) for parts, members in groups.items()}
        return self._groups[fixed].get(tuple(key[place] for place in fixed), ())


def _indexes(arity: int) -> str:
    return "no index" if not arity else f"{arity} index{'es' if arity > 1 else ''}"


class Groups(dict[Any, tuple[Any, ...]]):
    """Rows by key; every other key has the empty row."""


class Components(tuple[Term, ...]):
    """The components of a function of unknowns whose value is a tuple; `term` is the function."""

    term: Apply

    def __new__(cls, term: Apply, length: int) -> Components:
        made = super().__new__(cls, (Component(term, position) for position in range(length)))
        made.term = term
        return made


@dataclass(frozen=True, eq=False)
class Runs:
    """The lengths of the runs of true among conditions of which some are unknown.

    Attributes:
        conditions: The conditions.
        cyclic: Whether the first condition comes after the last.
        ascending: Whether the lengths are sorted.
    """

    conditions: tuple[Any, ...]
    cyclic: bool = False
    ascending: bool = False


class Lengths(tuple[int, ...]):
    """The known lengths of runs. If there are none, `[0]` is equal to them, too."""


class Stacked(tuple[tuple[str, ...], ...]):
    """Rows of one length that are shown in columns, such as symbols above their letters."""


def is_row(value: Operand) -> bool:
    """Return whether the value is a row, and not a cell or corner, which are tuples in Python."""
    return isinstance(value, tuple) and not isinstance(value, POINTS)


def same(left: DataValue, right: DataValue) -> bool:
    """Return whether known values are equal. Texts equal rows of their letters, at any depth."""
    if left == right:
        return True
    if not all(is_row(side) or isinstance(side, str) for side in (left, right)) or len(left) != len(
        right
    ):
        return False
    if isinstance(left, str) and isinstance(right, str):
        return False
    return all(map(same, left, right))


def equality_keys(values: Sequence[Operand]) -> Sequence[Operand]:
    """Return hashable values in place of known ones, equal where these are the same.

    Examples:
        >>> equality_keys(["ab", ("a", "b"), "c", ("c",), 1])
        [('a', 'b'), ('a', 'b'), 'c', 'c', 1]
    """
    return [_equality_key(value) for value in values] if any(map(is_row, values)) else values


def _equality_key(value: DataValue) -> DataValue:
    if not (is_row(value) or isinstance(value, str)):
        return value
    parts = tuple(value) if isinstance(value, str) else tuple(map(_equality_key, value))
    return parts[0] if len(parts) == 1 and isinstance(parts[0], str) else parts


def is_number(value: Operand) -> TypeGuard[int]:
    """Return whether the value is an int or a bool, and not a member of an enumeration."""
    return type(value) is int or type(value) is bool


def display_text(value: Operand, depth: int = 2) -> str:
    """Return a value as error messages show it, in at most 60 characters and in little time."""
    known = value_type(value)
    match value:
        case _ if known is not None and known.display is not None:
            text = known.display(value)
        case Variable() | Cell() | Corner() | Side() | Size() | Placement() | Shape() | range():
            text = str(value)
        case Cells(label=label) if label or len(value) == 2:
            text = str(value)
        case str():
            text = repr(value[:60])
        case None:
            text = "nothing (None)"
        case int():
            text = "true" if value is True else "false" if value is False else str(value)
        case Term():
            text = "an expression with unknowns"
        case Runs():
            text = "the runs of unknowns"
        case VariableArray():
            text = f"{value.name} (all of the unknowns of that name)"
        case Grid():
            text = f"a board of {value.height} x {value.width}"
        case tuple() | frozenset():
            parts = [
                display_text(part, depth - 1) if depth else "…" for _, part in zip(range(6), value)
            ]
            text = f"({', '.join(parts)}{', …' if len(value) > 6 else ''})"
        case Mapping():
            text = f"a mapping of {counted(len(value), 'key')}"
        case GeneratorType():
            text = "the values of a loop"
        case _:
            text = (
                f"the function {value.__name__}"
                if callable(value) and hasattr(value, "__name__")
                else type(value).__name__
            )
    return text if len(text) <= 60 else text[:59] + "…"


def in_order(group: frozenset[Operand]) -> list[Operand]:
    """Return the members of a set in an order that is the same in every run."""
    try:
        return sorted(group)
    except TypeError:
        return sorted(group, key=display_text)
