"""puzzlekit: constraint puzzles as a page of YAML, solved, counted, proven and checked on interchangeable backends.

>>> import puzzlekit
>>> puzzle = puzzlekit.load("examples/magic_square.yaml", "examples/magic_square_4.yaml")
>>> for solution in puzzle.solve(backend="z3"):
...     print(solution["number"][0])
[16, 3, 2, 13]
"""

TYPE_CHECKING = False  # nothing is imported before __main__ has seen to where modules are looked for
if TYPE_CHECKING:
    from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> "Any":
    """`load`, `Puzzle` and `Solution`, read from the API when they are first asked for, so that `--help` stays quick."""
    if name in ("load", "Puzzle", "Solution"):
        from puzzlekit import api

        return getattr(api, name)
    raise AttributeError(f"module 'puzzlekit' has no attribute {name!r}")
