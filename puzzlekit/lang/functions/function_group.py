"""What functions of the language are made of: classes whose public methods are functions, made with the runtime."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from puzzlekit.lang.expressions.runtime import Runtime


class Functions:
    """Functions of the language: each public method is one, under its own name.

    `runtime` is the run of expressions that calls them: it counts what is spent, and says of what kind unknowns are.
    """

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        self.items: Callable[[Any], tuple[Any, ...]] = runtime.items

    @classmethod
    def names(cls) -> list[str]:
        """The names of the functions."""
        own = (base for base in cls.__mro__ if issubclass(base, Functions) and base is not Functions)
        return sorted(
            {name for base in own for name, part in vars(base).items() if not name.startswith("_") and callable(part)}
        )
