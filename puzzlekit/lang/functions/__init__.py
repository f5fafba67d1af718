"""The functions of the core language, in classes by topic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from puzzlekit.lang.expressions.runtime import Runtime


class Functions:
    """Functions of the language: each public method is one, under its own name.

    Attributes:
        runtime: The run of expressions that calls them. It counts steps and knows the kinds of
            unknowns.
        items: Returns the items of a collection as a row, as `runtime.items` does.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.items: Callable[[Any], tuple[Any, ...]] = runtime.items

    @classmethod
    def names(cls) -> list[str]:
        """Return the names of the functions."""
        own = (base for base in cls.__mro__ if issubclass(base, Functions) and base is not Functions)
        return sorted(
            {name for base in own for name, part in vars(base).items() if not name.startswith("_") and callable(part)}
        )
