"""The same for programs as for the command line: load a puzzle, solve it, count it, find its best answer."""

from puzzlekit.api.answers import Answer, plain
from puzzlekit.api.puzzle import Puzzle, Run, load
from puzzlekit.api.request import Request

__all__ = ["Answer", "Puzzle", "Request", "Run", "load", "plain"]
