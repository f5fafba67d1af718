"""The same for programs as for the command line: load a puzzle, solve it, count it, find its best solution."""

from puzzlekit.api.puzzle import Puzzle, load
from puzzlekit.api.run import Means, Run
from puzzlekit.api.solution import Sequel, Solution, plain
from puzzlekit.query import Kind, Query

__all__ = ["Kind", "Means", "Puzzle", "Query", "Run", "Sequel", "Solution", "load", "plain"]
