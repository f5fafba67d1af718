"""The values of expressions besides plain ones: their comparison, their text, and the registry of
types of value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from types import GeneratorType
from typing import Any, TypeGuard

from puzzlekit.boards import Cell, Cells, Corner, Grid, Placement, Shape, Side, Size, edge
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, PuzzlekitError
from puzzlekit.lang.aliases import Condition, DataValue, Operand
from puzzlekit.model import Apply, Component, Term, Value, Variable
from puzzlekit.sentences import counted

POINTS = (Cell, Corner)
PRINTED = (Variable, Cell, Corner, Side, Size, Placement, Shape, range)  # messages use `str`
MOST_SHOWN = 60  # characters of a value in a message
MOST_MEMBERS = 6  # of a row or a set in a message


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
    guarded: dict[str, Any] = {}
    for name in ("display", "json", "spec", "colour", "unsolved"):
        function = getattr(value_type, name)
        if function is not None:
            guarded[name] = _guarded(name, function)
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
        registered = (_TYPES[base] for base in class_.__mro__ if base in _TYPES)
        _of_class[class_] = next(registered, None)
        return _of_class[class_]


def value_types() -> tuple[ValueType, ...]:
    return tuple(_TYPES.values())


def all_of_one_type(values: Iterable[DataValue]) -> ValueType | None:
    """Return the registered type that all values share; None if there is no such type."""
    types = {type_of_class(type(value)) for value in values}
    return types.pop() if len(types) == 1 else None


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

    An array without indexes has one member, at the index ().
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
        if self.arity == 0:
            return str(self.members[()])
        return str({str(index): member for index, member in self.members.items()})

    def filled(self, values: Mapping[Variable, Value]) -> VariableArray:
        """Return the same array with values instead of its variables."""
        members = map(values.__getitem__, self.members.values())
        return VariableArray(self.name, dict(zip(self.members, members)), self.arity)

    def over_cells(self) -> bool:
        if self.arity != 1 or not self.members:
            return False
        return all(isinstance(index, Cell) for index in self.members)

    def as_grid(self) -> Grid:
        return Grid(self.members)

    def lookup(self, key: DataValue) -> Operand:
        """Return the member at an index, or the tuple of members at a collection of indexes.

        `...` stands for any value in an index: `own[s, ...]` are the members whose index begins
        with s.

        Raises:
            UndefinedError: There is no member at the index.
            ExpressionError: The key has the wrong length, or is a slice.
        """
        try:
            if key in self.members:
                return self.members[key]
            if self.arity == 1 and type(key) in (tuple, Cells):  # most often a row of indexes
                return tuple(map(self.members.__getitem__, key))
        except (KeyError, TypeError):  # a key of the row is not an index, or the key cannot be one
            pass
        if isinstance(key, tuple) and any(value is Ellipsis for value in key):
            self._require_length(key)
            return self._matching(key)
        if isinstance(key, slice):
            help = f"write a range of indexes: {self.name}[range(a, b)]"
            raise ExpressionError(f"{self.name} has indexes, so it cannot be sliced", help=help)
        if self.arity == 1:
            return self._lookup_in_row(key)
        self._require_length(key)
        raise self._no_member(key, self._help_for_pairs(key))

    def _lookup_in_row(self, key: DataValue) -> Operand:
        """Return what `lookup` does where there is one index."""
        if key is Ellipsis:
            return tuple(self.members.values())
        if self._is_pair(key):
            help = f"write {self.name}[edge(a, b)] for the pair of a and b"
            raise self._no_member(key, help)
        if isinstance(key, tuple | frozenset | range | Grid) and not isinstance(key, POINTS):
            return tuple(self.lookup(index) for index in key)
        raise self._no_member(key, self._help_for_pairs(key))

    def _require_length(self, key: DataValue) -> None:
        """Raise ExpressionError if the key has another length than the indexes."""
        if isinstance(key, tuple) and len(key) == self.arity:
            return
        length = len(key) if isinstance(key, tuple) and not isinstance(key, Cell) else 1
        indexes = {0: "no index", 1: "1 index"}.get(self.arity, f"{self.arity} indexes")
        raise ExpressionError(f"{self.name} has {indexes}, not {length}")

    def _no_member(self, key: DataValue, help: str = "") -> UndefinedError:
        return UndefinedError(f"{self.name} has no member at {display_text(key)}", help=help)

    def _is_pair(self, key: DataValue) -> bool:
        """Return whether the key is two cells or corners, in any order, whose edge has a member."""
        if type(key) is not tuple or len(key) != 2:
            return False
        same_class = any(all(isinstance(end, class_) for end in key) for class_ in POINTS)
        return same_class and edge(*key) in self.members

    def _help_for_pairs(self, key: DataValue) -> str:
        """Return how to write an index for which a cell or a corner of a pair was given."""
        if type(key) not in POINTS:
            return ""
        for index in self.members:
            if is_row(index) and len(index) == 2 and key in index:
                return f"its indexes are pairs, as in {self.name}[edge(a, b)]"
        return ""

    def _matching(self, key: tuple[Operand, ...]) -> tuple[Operand, ...]:
        """Return the members whose indexes match a key in which `...` stands for any value."""
        fixed = tuple(position for position, value in enumerate(key) if value is not Ellipsis)
        if fixed not in self._groups:
            groups: dict[tuple[Any, ...], list[Any]] = {}
            for index, member in self.members.items():
                values = tuple(index[position] for position in fixed)
                groups.setdefault(values, []).append(member)
            self._groups[fixed] = {values: tuple(members) for values, members in groups.items()}
        values = tuple(key[position] for position in fixed)
        return self._groups[fixed].get(values, ())


class Groups(dict[Any, tuple[Any, ...]]):
    """Rows by key; every other key has the empty row."""


class Components(tuple[Term, ...]):
    """The components of a function of unknowns whose value is a tuple; `term` is the function."""

    term: Apply

    def __new__(cls, term: Apply, length: int) -> Components:
        components = super().__new__(cls, (Component(term, number) for number in range(length)))
        components.term = term
        return components


@dataclass(frozen=True, eq=False)
class Runs:
    """The lengths of the runs of true among conditions of which several may be unknown.

    Attributes:
        conditions: The conditions.
        cyclic: Whether the first condition comes after the last.
        ascending: Whether the lengths are sorted.
    """

    conditions: tuple[Any, ...]
    cyclic: bool = False
    ascending: bool = False


class Lengths(tuple[int, ...]):
    """The lengths of runs of fixed conditions. If there are none, `[0]` is equal to them, too."""


class Stacked(tuple[tuple[str, ...], ...]):
    """Rows of one length that are shown in columns, such as symbols above their letters."""


def is_row(value: Operand) -> bool:
    """Return whether the value is a row, and not a cell or corner, which are tuples in Python."""
    return isinstance(value, tuple) and not isinstance(value, POINTS)


def same(left: DataValue, right: DataValue) -> bool:
    """Return whether values are equal. Texts equal rows of their letters, at any depth."""
    if left == right:
        return True
    texts = isinstance(left, str), isinstance(right, str)
    if all(texts):
        return False
    for side, is_text in zip((left, right), texts):
        if not is_text and not is_row(side):
            return False
    return len(left) == len(right) and all(map(same, left, right))


def equality_keys(values: Sequence[Operand]) -> Sequence[Operand]:
    """Return hashable values in place of these, equal where these are the same.

    Examples:
        >>> equality_keys(["ab", ("a", "b"), "c", ("c",), 1])
        [('a', 'b'), ('a', 'b'), 'c', 'c', 1]
    """
    if not any(map(is_row, values)):
        return values
    return [_equality_key(value) for value in values]


def _equality_key(value: DataValue) -> DataValue:
    if isinstance(value, str):
        members: tuple[DataValue, ...] = tuple(value)
    elif is_row(value):
        members = tuple(map(_equality_key, value))
    else:
        return value
    if len(members) == 1 and isinstance(members[0], str):
        return members[0]
    return members


def is_number(value: Operand) -> TypeGuard[int]:
    """Return whether the value is an int or a bool, and not a member of an enumeration."""
    return type(value) is int or type(value) is bool


def display_text(value: Operand, depth: int = 2) -> str:
    """Return a value as error messages show it, in at most 60 characters and in little time."""
    text = _full_text(value, depth)
    if len(text) <= MOST_SHOWN:
        return text
    return text[: MOST_SHOWN - 1] + "…"


def _full_text(value: Operand, depth: int) -> str:
    type_ = value_type(value)
    if type_ is not None and type_.display is not None:
        return type_.display(value)
    if isinstance(value, PRINTED) or (isinstance(value, Cells) and _has_short_text(value)):
        return str(value)
    match value:
        case str():
            return repr(value[:MOST_SHOWN])
        case None:
            return "nothing (None)"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Term():
            return "an expression with unknowns"
        case Runs():
            return "the runs of unknowns"
        case VariableArray():
            return f"{value.name} (all of the unknowns of that name)"
        case Grid():
            return f"a board of {value.height} x {value.width}"
        case tuple() | frozenset():
            return _members_text(value, depth)
        case Mapping():
            return f"a mapping of {counted(len(value), 'key')}"
        case GeneratorType():
            return "the values of a loop"
        case _ if callable(value) and hasattr(value, "__name__"):
            return f"the function {value.__name__}"
        case _:
            return type(value).__name__


def _has_short_text(cells: Cells) -> bool:
    return bool(cells.label) or len(cells) == 2


def _members_text(group: Collection[Operand], depth: int) -> str:
    """Return the text of the first members of a row or a set."""
    first = islice(group, MOST_MEMBERS)
    texts = [display_text(member, depth - 1) if depth else "…" for member in first]
    if len(group) > MOST_MEMBERS:
        texts.append("…")
    return f"({', '.join(texts)})"


def in_order(group: frozenset[Operand]) -> list[Operand]:
    """Return the members of a set in an order that is the same in every run."""
    try:
        return sorted(group)
    except TypeError:
        return sorted(group, key=display_text)
