"""The Python API: load a puzzle, list, count, sample and rank its solutions, find the best one."""

from puzzlekit.api.puzzle import Puzzle, load
from puzzlekit.api.run import Means, Run
from puzzlekit.api.solution import Sequel, Solution, plain
from puzzlekit.query import Kind, Presolve, Query

__all__ = ["Kind", "Means", "Presolve", "Puzzle", "Query", "Run", "Sequel", "Solution", "load", "plain"]
