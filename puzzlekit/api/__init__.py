"""The Python API: load a puzzle, list, count, sample and rank its solutions, find the best one."""

from puzzlekit.api.loading import load
from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Sequel, Solution
from puzzlekit.api.values import plain
from puzzlekit.options import LoadOptions, RunOptions
from puzzlekit.query import Presolve, Query, QueryOptions, Task

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
