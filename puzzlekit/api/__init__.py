"""The same for programs as for the command line: load a puzzle, solve it, count it, find its best answer."""

from puzzlekit.api.puzzle import Puzzle, Run, load
from puzzlekit.api.query import Request
from puzzlekit.api.solution import Answer, plain

__all__ = ["Answer", "Puzzle", "Request", "Run", "load", "plain"]
