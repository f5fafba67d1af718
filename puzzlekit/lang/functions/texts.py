"""Functions of rows and texts: their parts, and how rows are shown."""

from __future__ import annotations

from typing import Any

from puzzlekit.lang.expressions.values import ExpressionError, Stacked
from puzzlekit.lang.functions.function_group import Functions


class Texts(Functions):
    """Texts, and rows that are shown one above the other."""

    def split(self, xs: Any, at: Any) -> tuple[Any, ...]:
        """The parts of a row, or of a text, between the items that equal `at`; empty parts are left out."""
        items = self.runtime.known(self.items(xs), "what is split")
        parts: list[list[Any]] = [[]]
        for item in items:
            if item == at:
                parts.append([])
            else:
                parts[-1].append(item)
        self.runtime.spend(len(items))
        return tuple("".join(part) if isinstance(xs, str) else tuple(part) for part in parts if part)

    def stacked(self, *rows: Any) -> Stacked:
        """Rows of one length that are shown one under the other, their items in columns."""
        made = [tuple(map(str, self.runtime.known(self.items(row), "what is shown"))) for row in rows]
        if len(set(map(len, made))) != 1:
            lengths = ", ".join(str(len(row)) for row in made)
            raise ExpressionError(f"rows shown in columns must have the same length, got {lengths}")
        self.runtime.spend(sum(map(len, made)))
        return Stacked(made)
