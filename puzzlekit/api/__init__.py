"""The Python API: load a puzzle, list, count, sample and rank its solutions, find the best one."""

from typing import TYPE_CHECKING, Any

from puzzlekit.api.loading import load
from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Sequel, Solution
from puzzlekit.api.values import plain
from puzzlekit.options import LoadOptions, RunOptions
from puzzlekit.query import Presolve, Query, QueryOptions, Task

if TYPE_CHECKING:
    from puzzlekit.api.run import Run
else:

    def __getattr__(name: str) -> Any:
        """Import what solves only when it is used: `load` does without."""
        if name != "Run":
            raise AttributeError(f"module 'puzzlekit.api' has no attribute {name!r}")
        from puzzlekit.api.run import Run

        return Run


__all__ = [
    "LoadOptions",
    "Presolve",
    "Puzzle",
    "Query",
    "QueryOptions",
    "Run",
    "RunOptions",
    "Sequel",
    "Solution",
    "Task",
    "load",
    "plain",
]
