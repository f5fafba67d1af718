"""A program as somebody writes it, for mypy alone: it sees the mistakes, and nothing else.

`make test` runs mypy on this file. A comment `type: ignore` where mypy sees no mistake is an error.
"""

from pathlib import Path

import puzzlekit
from puzzlekit import Puzzle, Query, Run, Sequel, Solution, Stopped, Undecided, errors

puzzle: Puzzle = puzzlekit.load("type", {"rows": [[1, None]]}, settings={"n": 3})
same: Puzzle = puzzlekit.load({"puzzle": "p"}, Path("spec.yaml"), timeout=2.5)
number: int = puzzle.count(timeout=2.0)
best: Solution | None = puzzle.best()
run: Run = puzzle.run(Query(limit=2))
try:
    for solution in puzzle.solve(limit=3):
        values: dict[str, object] = dict(solution)
        then: Sequel = solution.sequels["next"]
except (Stopped, Undecided, errors.InputError):
    pass
puzzlekit.Answer  # type: ignore[attr-defined]  # noqa: B018
puzzlekit.lod("x")  # type: ignore[attr-defined]
puzzle.solv()  # type: ignore[attr-defined]
puzzlekit.load("type", spec=5)  # type: ignore[arg-type]
