"""Names of the values of the language, for signatures.

Type checkers take `DataValue` and `Operand` as `Any`: the classes of values are open, because a
library may register its own.
"""

from typing import Any, TypeAlias

from puzzlekit.model import Term

DataValue: TypeAlias = Any
"""A value without unknowns: an int, a bool, a str or None; a cell, corner, side, size, shape or
placement; a row (a tuple), a set (a frozenset), a mapping (a dict) or a board (a `Grid`) of such
values; or a value of a type that a library has registered."""

Operand: TypeAlias = Any
"""What an operation or a function of the language takes or returns: a `DataValue`; a `Term`, which
contains unknowns; a `VariableArray` of unknowns; a row, mapping or board that has terms among its
values; or the values of a loop, as an iterator.
"""

Condition: TypeAlias = bool | Term
"""A truth value that the data determine, or a term that is true or false in each solution."""
