"""The same for programs as for the command line: load a puzzle, solve it, count it, find its best answer."""

from puzzlekit.api.answers import Answer, plain
from puzzlekit.api.puzzle import Puzzle, Request, Run, load

__all__ = ["Answer", "Puzzle", "Request", "Run", "load", "plain"]
