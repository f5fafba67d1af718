"""The Python API: load a puzzle, list, count, sample and rank its solutions, find the best one."""

from puzzlekit.api.puzzle import Puzzle, load
from puzzlekit.api.run import Run
from puzzlekit.api.solution import Sequel, Solution
from puzzlekit.api.values import plain
from puzzlekit.options import Loading, Means
from puzzlekit.query import Asked, Kind, Presolve, Query

__all__ = [
    "Asked",
    "Kind",
    "Loading",
    "Means",
    "Presolve",
    "Puzzle",
    "Query",
    "Run",
    "Sequel",
    "Solution",
    "load",
    "plain",
]
