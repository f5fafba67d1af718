"""The same for programs as for the command line: load a puzzle, solve it, count it, find its best solution."""

from puzzlekit.api.puzzle import Puzzle, load
from puzzlekit.api.query import Query
from puzzlekit.api.run import Run
from puzzlekit.api.solution import Solution, plain

__all__ = ["Puzzle", "Query", "Run", "Solution", "load", "plain"]
