"""`dataclass` of the standard library, which makes a class in a quarter of the time.

The standard library compiles each method of each class, which takes 0.3 ms a class: 45 ms at the
start of a command. Here it compiles `__init__` alone, and the other methods are closures. Only type
checkers keep the objects of a frozen class from being changed.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any


def _dataclass(
    cls: type[Any] | None = None,
    /,
    *,
    frozen: bool = False,
    eq: bool = True,
    slots: bool = False,
) -> Any:
    """Make a dataclass, as the function of the standard library does for these arguments."""
    if cls is None:
        return lambda cls: _dataclass(cls, frozen=frozen, eq=eq, slots=slots)
    members = vars(cls)
    class_: Any = dataclasses.dataclass(repr=False, eq=False, slots=slots)(cls)
    if "__repr__" not in members:
        class_.__repr__ = _text
    if not eq:
        return class_
    compared = _compared_by(class_)
    if "__eq__" not in members:
        class_.__eq__ = _equality(compared)
    if members.get("__hash__") is None:  # it is in `members` if the class has `__eq__`
        class_.__hash__ = (lambda self: hash(compared(self))) if frozen else None
    return class_


@recursive_repr()
def _text(self: Any) -> str:
    texts = [
        f"{field.name}={getattr(self, field.name)!r}"
        for field in dataclasses.fields(self)
        if field.repr
    ]
    return f"{type(self).__qualname__}({', '.join(texts)})"


def _compared_by(cls: type[Any]) -> Callable[[Any], Any]:
    """Return the function that returns what objects of a class are compared by."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    return attrgetter(*names) if names else lambda _: ()


def _equality(compared: Callable[[Any], Any]) -> Callable[[Any, object], Any]:
    def is_equal(self: Any, operand: object) -> Any:
        if type(self) is not type(operand):
            return NotImplemented
        return compared(self) == compared(operand)

    return is_equal


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass
