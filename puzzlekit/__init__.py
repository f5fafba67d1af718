"""puzzlekit: constraint puzzles as a page of YAML, solved, counted, proven and checked on interchangeable engines.

>>> import puzzlekit
>>> puzzle = puzzlekit.load("sudoku", "specs/sudoku/first.yaml")
>>> for answer in puzzle.solve(backend="z3"):
...     print(answer["digit"][0])
534678912
"""

from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`load`, `Puzzle` and `Answer`, read from the API when they are first asked for, so that `--help` stays quick."""
    if name in ("load", "Puzzle", "Answer"):
        from puzzlekit import api

        return getattr(api, name)
    raise AttributeError(f"module 'puzzlekit' has no attribute {name!r}")
