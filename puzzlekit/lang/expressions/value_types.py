"""The types of value that libraries add to expressions: what is known of each stands in one place, and is looked up here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class ValueType:
    """A type of value that expressions compute with, and how its values leave them. Only `type` is required.

    Attributes:
        type: The Python class of the values.
        attributes: The attributes and methods that `value.name` may name. Methods take values that are known.
        shown: A value as an error message shows it.
        json: A value as plain data.
        spec: A value as the text of a field, for a type that follows (`then`). Where the field can take no text but the value
            itself, `handed_on` is set.
        handed_on: Whether a field of a type that follows takes the value itself.
        colour: The colour of a cell that is coloured by the value: `green`, `region 3`, …
        listed: The picture of several values that a type shows in a row.
        chosen: The picture of values that are indexes of unknowns, those of the unknowns that are true, and a board or None.
        unsolved: What is said of a value in the data where a puzzle has no solution.
        single: Whether a value is one thing in which no unknown can stand, so that nothing looks into it.
        collection: Whether loops run over a value, which has a length.
        contains: `item in value`, as a bool or a condition; it is called with the runtime, the item and the value.
        choosable: Whether unknowns may take such values.
        scale: Whether the values have an order among themselves, and meeting any other value is an error.
    """

    type: type
    attributes: Sequence[str] = ()
    shown: Callable[[Any], str] | None = None
    json: Callable[[Any], Any] | None = None
    spec: Callable[[Any], str] | None = None
    handed_on: bool = False
    colour: Callable[[Any], str] | None = None
    listed: Callable[[Sequence[Any]], Any] | None = None
    chosen: Callable[[Sequence[Any], Any], Any] | None = None
    unsolved: Callable[[Any], str] | None = None
    single: bool = False
    collection: bool = False
    contains: Callable[[Any, Any, Any], Any] | None = None
    choosable: bool = False
    scale: bool = False


_TYPES: dict[type, ValueType] = {}
_of_class: dict[type, ValueType | None] = {}  # what was looked up
ATOMS: set[type] = set()  # classes of values in which no unknown can stand, so that nothing looks into them


SCALES: set[frozenset[str] | None] = set()  # kinds of value that have an order among themselves, as unknowns take them


def kind_name(kind: type) -> str:
    """What messages call the values of a class: `marks`."""
    return f"{kind.__name__.lower()}s"


def register(value_type: ValueType) -> None:
    """Let expressions compute with values of this type. The last registration of a class counts."""
    _TYPES[value_type.type] = value_type
    if value_type.single:
        ATOMS.add(value_type.type)
    if value_type.scale:
        SCALES.add(frozenset({kind_name(value_type.type)}))
    _of_class.clear()


def value_type(value: Any) -> ValueType | None:
    """What is registered for the class of a value, or for the nearest class that it comes from; None for plain values."""
    return type_of_class(type(value))


def type_of_class(kind: type) -> ValueType | None:
    """What is registered for a class."""
    try:
        return _of_class[kind]
    except KeyError:
        found = _of_class[kind] = next((_TYPES[base] for base in kind.__mro__ if base in _TYPES), None)
        return found


def value_types() -> tuple[ValueType, ...]:
    """All that are registered."""
    return tuple(_TYPES.values())


def all_of_one_type(values: Any) -> ValueType | None:
    """What is registered for the type that all of the values have; None where they have several, or there are none."""
    found = {type_of_class(type(value)) for value in values}
    return found.pop() if len(found) == 1 else None
