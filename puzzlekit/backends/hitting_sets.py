"""Smallest hitting sets: a smallest set that has a member of each of the given sets."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from types import TracebackType

from pysat.examples.hitman import Hitman

from puzzlekit import clock
from puzzlekit.backends.base import Budget
from puzzlekit.backends.watching import watched


class HittingSets:
    """Sets, and a smallest set that hits each of them, by Hitman of PySAT (MaxSAT with RC2).

    The same sets in the same order give the same hitting set.
    """

    def __init__(self) -> None:
        self._hitman = Hitman(htype="sorted")
        self._oracle = self._hitman.oracle
        self._oracle.compute = partial(self._oracle.compute, expect_interrupt=True)

    def __enter__(self) -> HittingSets:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._hitman.delete()

    def add(self, members: Iterable[int]) -> None:
        """Add a set that must be hit."""
        self._hitman.hit(list(members))

    def smallest(self) -> list[int]:
        """Return a smallest set that hits all. Raises Stopped."""
        budget = Budget.on(clock.current())
        self._oracle.clear_interrupt()  # one that came after the end of the last call
        return sorted(watched(self._hitman.get, self._oracle.interrupt, budget) or ())
