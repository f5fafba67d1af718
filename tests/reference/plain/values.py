"""Plain values, and where they are not as in Python: texts meet rows,
families and boards are rows of their values.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import total_ordering
from typing import Any


class Wrong(Exception):
    """What docs/language.md calls an error."""


@total_ordering
class Mark:
    """grey < yellow < green; a mark equals no number and no text."""

    def __init__(self, name: str, rank: int) -> None:
        self.name, self.rank = name, rank

    def __lt__(self, other: "Mark") -> bool:
        return self.rank < other.rank

    def __repr__(self) -> str:
        return self.name


GREY, YELLOW, GREEN = (Mark(name, rank) for rank, name in enumerate(("grey", "yellow", "green")))


class Runs(tuple):  # type: ignore[type-arg]
    """Lengths of runs: no runs are () or (0,)."""


class Groups(dict[Any, Any]):
    """Rows by key, empty ones for all other keys."""

    def __missing__(self, key: Any) -> Any:
        return ()


class VariableArray:
    """Unknowns of one name with their values; a bare key where there is one index,
    a tuple where there are several.
    """

    def __init__(self, arity: int, members: dict[Any, Any]) -> None:
        self.arity, self.members = arity, members

    def __len__(self) -> int:
        return len(self.members)

    def __iter__(self) -> Any:
        return iter(self.members.values())


def is_row(value: object) -> bool:
    """Whether it is a row, be it one of letters that is written as text."""
    return isinstance(value, tuple | range | str | VariableArray)


def row(value: Any) -> tuple[Any, ...]:
    """What a loop goes through, in order."""
    if isinstance(value, frozenset | set):
        return tuple(sorted(value))
    if isinstance(value, int | bool | Mark) or value is None:
        raise Wrong(f"{value!r} is no collection")
    return tuple(value)


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal; a text is a row of letters where it meets a row."""
    if isinstance(a, str) and isinstance(b, str):
        return a == b
    if hasattr(a, "pair") != hasattr(b, "pair") and isinstance(
        a if hasattr(b, "pair") else b, tuple
    ):
        a, b = (getattr(x, "pair", x) for x in (a, b))  # a cell meets a pair
    if is_row(a) and is_row(b):
        left, right = (tuple(x) for x in (a, b))
        if isinstance(a, Runs) or isinstance(b, Runs):
            left, right = (() if x == (0,) else x for x in (left, right))
        return len(left) == len(right) and all(same(x, y) for x, y in zip(left, right))
    return bool(a == b)


def within(value: Any, items: Any) -> bool:
    """`in`: a member of a row, a letter of a text, a key of a mapping, a word of a lexicon."""
    if hasattr(items, "has_word"):
        return bool(items.has_word(value))
    members = items if isinstance(items, Mapping | set | frozenset) else row(items)
    return any(same(value, item) for item in members)


def _ordered(a: Any, b: Any) -> bool:
    """Whether two values have an order: a number and a text have none,
    so no comparison of them holds.
    """
    return {isinstance(a, str), isinstance(b, str)} != {True, False} or not any(
        isinstance(x, int) for x in (a, b)
    )


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "Eq": same,
    "NotEq": lambda a, b: not same(a, b),
    "Lt": lambda a, b: _ordered(a, b) and bool(a < b),
    "LtE": lambda a, b: _ordered(a, b) and bool(a <= b),
    "Gt": lambda a, b: _ordered(a, b) and bool(a > b),
    "GtE": lambda a, b: _ordered(a, b) and bool(a >= b),
    "In": within,
    "NotIn": lambda a, b: not within(a, b),
}


def chain(signs: Iterable[str], first: Any, *others: Callable[[], Any]) -> bool:
    """A chained comparison, worked out from the left and only as far as needed."""
    left = first
    for sign, other in zip(signs, others):
        right = other()
        if not COMPARE[sign](left, right):
            return False
        left = right
    return True


def plus(a: Any, b: Any) -> Any:
    """Numbers are added, texts, rows and mappings joined."""
    if isinstance(a, Mapping) or isinstance(b, Mapping):
        one, other = (side.members if isinstance(side, VariableArray) else side for side in (a, b))
        if not one.keys().isdisjoint(other):
            raise Wrong("a key is in both")
        return {**one, **other}
    if isinstance(a, str) and isinstance(b, str):
        return a + b
    return row(a) + row(b) if is_row(a) or is_row(b) else a + b


def times(a: Any, b: Any) -> Any:
    """Numbers are multiplied, texts and rows repeated."""
    for one, other in ((a, b), (b, a)):
        if is_row(one) and not isinstance(one, str):
            return row(one) * other
    return a * b


def minus(a: Any, b: Any) -> Any:
    """Numbers are subtracted, a set is taken from a set."""
    return a - b


def at(base: Any, key: Any) -> Any:
    """What stands at an index: a KeyError or an IndexError where nothing does."""
    if isinstance(key, slice) and not isinstance(base, str | tuple | list | range):
        raise Wrong("no row to take a slice of")
    if isinstance(base, VariableArray):
        return _of_family(base, key)
    if isinstance(base, Mapping):
        return base[key]
    if hasattr(base, "at_cell"):
        return (
            tuple(base.at_cell(cell) for cell in key)
            if isinstance(key, tuple)
            else base.at_cell(key)
        )
    return base[key] if isinstance(base, str | range) else row(base)[key]


def at_or(base: Any, key: Any, default: Any) -> Any:
    """What stands at a key, else the default; None is no key, and positions count from 0."""
    if isinstance(base, Groups):
        return base.get(key, default)
    if key is None or (isinstance(base, str | range | tuple) and key < 0):
        return default
    try:
        return base.members[key] if isinstance(base, VariableArray) else at(base, key)
    except LookupError:
        return default


def _of_family(family: VariableArray, key: Any) -> Any:
    if key is ... or (isinstance(key, tuple) and ... in key):
        parts = key if isinstance(key, tuple) else (key,)
        parts = parts + (...,) * (family.arity - len(parts))
        keys = [k if family.arity > 1 else (k,) for k in family.members]
        chosen = [all(p is ... or p == q for p, q in zip(parts, k)) for k in keys]
        if not any(chosen) and parts != (...,) * family.arity:
            raise KeyError(key)
        return tuple(value for value, here in zip(family.members.values(), chosen) if here)
    if isinstance(key, tuple | list | range) and key not in family.members:
        if (
            family.arity > 1
            and len(key) == family.arity
            and not all(isinstance(part, tuple) for part in key)
        ):
            raise KeyError(key)
        return tuple(_of_family(family, part) for part in key)
    return family.members[key]
