"""Structural keys of terms, which are compared by identity themselves."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from puzzlekit.model.terms import Sum, Term, Variable, field_names

ATOMS = frozenset({bool, int, str, type(None)})


def key_of(term: Any, keys: dict[int, Hashable] | None = None) -> Hashable:
    """Return a key that is equal for terms of the same structure over the same variables.

    Args:
        term: The term, or the value of a field of a term. Its variables must live as long as the
            key, which holds their identities.
        keys: Keys of subterms by identity, for terms that share subterms. They are used and added
            to; the subterms must live as long as this dictionary.

    Raises:
        TypeError: The term holds a value that cannot be hashed.

    Examples:
        >>> from puzzlekit.model import Not
        >>> a, b = Variable("a"), Variable("b")
        >>> key_of(Not(a)) == key_of(Not(a)), key_of(Not(a)) == key_of(Not(b))
        (True, False)
    """
    return _KeyBuilder(keys).key(term)


class _KeyBuilder:
    """Makes the keys of a term and of its subterms. It keeps no reference to itself."""

    __slots__ = ("keys",)

    def __init__(self, keys: dict[int, Hashable] | None) -> None:
        self.keys = keys

    def key(self, operand: Any) -> Hashable:
        operand_class: Any = type(operand)
        if operand_class is Variable:
            return id(operand)
        if operand_class in ATOMS:  # the most frequent ones
            return operand_class, operand
        if isinstance(operand, Term):
            return self._key_of_node(operand, operand_class)
        if isinstance(operand, tuple):
            return operand_class, *map(self.key, operand)
        if isinstance(operand, np.ndarray):
            return operand.shape, operand.dtype.str, operand.tobytes()
        if isinstance(operand, Mapping):
            return tuple((self.key(name), self.key(entry)) for name, entry in operand.items())
        hash(operand)  # raises TypeError
        return operand_class, operand

    def _key_of_node(self, node: Term, node_class: Any) -> Hashable:
        if self.keys is not None and id(node) in self.keys:
            return self.keys[id(node)]
        structure: tuple[Hashable, ...]
        if node_class is Sum:  # the most frequent long one
            sum_node: Any = node
            weighted = [(weight, self.key(term)) for weight, term in sum_node.weighted]
            structure = (node_class, sum_node.constant, *weighted)
        else:
            fields = [self.key(getattr(node, name)) for name in field_names(node_class)]
            structure = (node_class, *fields)
        if self.keys is not None:
            self.keys[id(node)] = structure
        return structure
