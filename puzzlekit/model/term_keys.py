"""Structural keys of terms, which are compared by identity themselves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np

from puzzlekit.model.terms import Term, Variable, field_names


def key_of(
    term: Term,
    stand_in: Callable[[Term], Hashable | None] | None = None,
    keys: dict[int, Hashable] | None = None,
) -> Hashable:
    """Return a key that is equal for terms of the same structure over the same variables.

    Args:
        term: The term. Its variables must live as long as the key, which holds their identities.
        stand_in: Returns the key of a subterm where it is not the structural one, else None.
        keys: Keys of subterms by identity, for terms that share subterms. They are used and added
            to; the subterms must live as long as this dictionary.

    Raises:
        TypeError: The term holds a value that cannot be hashed.

    Examples:
        >>> from puzzlekit.model import Not
        >>> a, b = Variable("a"), Variable("b")
        >>> key_of(Not(a)) == key_of(Not(a)), key_of(Not(a)) == key_of(Not(b))
        (True, False)
        >>> key_of(Not(a), {a: 0}.get) == key_of(Not(b), {b: 0}.get)
        True
    """

    def key(operand: Any) -> Hashable:
        kind: Any = type(operand)
        if isinstance(operand, Term):
            if stand_in is not None and (stated := stand_in(operand)) is not None:
                return stated
            return id(operand) if kind is Variable else key_of_node(operand, kind)
        if isinstance(operand, tuple):
            return kind, *map(key, operand)
        if isinstance(operand, np.ndarray):
            return operand.shape, operand.dtype.str, operand.tobytes()
        if isinstance(operand, Mapping):
            return tuple((key(name), key(entry)) for name, entry in operand.items())
        hash(operand)
        return kind, operand

    def key_of_node(operand: Term, kind: Any) -> Hashable:
        if keys is not None and id(operand) in keys:
            return keys[id(operand)]
        structure = (kind, *[key(getattr(operand, name)) for name in field_names(kind)])
        if keys is not None:
            keys[id(operand)] = structure
        return structure

    return key(term)
