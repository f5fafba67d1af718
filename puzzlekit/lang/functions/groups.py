"""Functions that sort things into groups, and groups by the things in them."""

from __future__ import annotations

from typing import Any

from puzzlekit.lang.expressions.values import ATOMS, ExpressionError, Groups, is_row, shown
from puzzlekit.lang.library import Functions


class Grouping(Functions):
    """Mappings to rows, which are empty for keys that do not occur."""

    def through(self, groups: Any) -> Groups:
        """Return a mapping from each thing to the row of groups that have it."""
        return self.runtime.through(self.items(groups))

    def grouped(self, pairs: Any) -> Groups:
        """Return a mapping from each key to the row of its items, of pairs (key, item)."""
        found: dict[Any, list[Any]] = {}
        for pair in self.items(pairs):
            if not (type(pair) is tuple or is_row(pair)) or len(pair) != 2:
                raise ExpressionError(f"expected a pair (key, item), got {shown(pair)}", "write grouped((key, x) for x in …)")
            key, item = pair
            if type(key) not in ATOMS:
                key = self.runtime.known(key, "a key")
            try:
                found.setdefault(key, []).append(item)
            except TypeError:
                raise ExpressionError(f"{shown(key)} cannot be a key") from None
        return Groups((key, tuple(items)) for key, items in found.items())
