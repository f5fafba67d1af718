"""Exact covers, listed: puzzlekit's search beside the compiled packages that are installed.

Run as `python benchmarks/covers.py [--runs 5]`. Prints a table in Markdown: for each problem the
number of covers, and the least seconds of some runs in one process, from the options in memory to
the last cover. What a package compiles in its first run is not counted. `pip install exact-cover
exact-cover-py xcover` brings the packages.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

import puzzlekit
from puzzlekit.backends import Budget, CoverSearch, list_covers
from puzzlekit.lowering import PLAIN, Cover, to_cover
from puzzlekit.presolve import presolve, split

ROOT = Path(__file__).resolve().parent.parent


class Problem(NamedTuple):
    """Options as lists of items; the first items are primary, the others may be covered."""

    primary: int
    items: int
    options: list[list[int]]


def queens(n: int) -> Problem:
    """Queens on a board: every row and column has one, a diagonal at most one."""
    diagonals = 2 * n - 1
    cells = [(row, column) for row in range(n) for column in range(n)]
    options = [[r, n + c, 2 * n + r + c, 2 * n + diagonals + r - c + n - 1] for r, c in cells]
    return Problem(2 * n, 2 * n + 2 * diagonals, options)


def langford(n: int) -> Problem:
    """Langford pairs: two of each number up to n, with so many others between them;
    both directions count.
    """
    options = [
        [k - 1, n + at, n + at + k + 1] for k in range(1, n + 1) for at in range(2 * n - k - 1)
    ]
    return Problem(3 * n, 3 * n, options)


def pentominoes(name: str) -> Problem:
    """A spec of the type, after presolve."""
    model = presolve(
        puzzlekit.load("pentominoes", ROOT / "specs" / "pentominoes" / f"{name}.yaml").model
    )
    cover = to_cover(split(model)[1][0])[0]
    return Problem(
        cover.primary,
        cover.items,
        [[item for item, _ in cover.entries(o)] for o in range(cover.options)],
    )


def own(problem: Problem) -> Iterable[object]:
    """Puzzlekit's search."""
    option = np.repeat(np.arange(len(problem.options)), [len(items) for items in problem.options])
    item = np.array([one for items in problem.options for one in items])
    cover = Cover(
        problem.primary,
        problem.items,
        len(problem.options),
        option,
        item,
        np.full(len(item), PLAIN),
    )
    return list_covers(CoverSearch(cover, Budget()))


def by_xcover(problem: Problem) -> Iterable[object]:
    """xcover, compiled by numba."""
    from xcover import covers

    secondary = [*range(problem.primary, problem.items)]
    return covers(problem.options, primary=[*range(problem.primary)], secondary=secondary)


def _matrix(problem: Problem) -> np.ndarray:
    """The options as rows, with one more for each item that need not be covered."""
    matrix = np.zeros(
        (len(problem.options) + problem.items - problem.primary, problem.items), dtype=np.int32
    )
    for row, items in enumerate(
        [*problem.options, *([item] for item in range(problem.primary, problem.items))]
    ):
        matrix[row, items] = 1
    return matrix


def by_exact_cover_py(problem: Problem) -> Iterable[object]:
    """exact-cover-py, compiled by numba."""
    from exact_cover_py import exact_covers

    return exact_covers(_matrix(problem))


def by_exact_cover(problem: Problem) -> Iterable[object]:
    """exact-cover, written in C."""
    from exact_cover import get_all_solutions

    return get_all_solutions(_matrix(problem))


LISTERS: dict[str, Callable[[Problem], Iterable[object]]] = {
    "puzzlekit": own,
    "exact_cover_py": by_exact_cover_py,
    "xcover": by_xcover,
    "exact_cover": by_exact_cover,
}
PROBLEMS: dict[str, Callable[[], Problem]] = {
    "8 queens": lambda: queens(8),
    "10 queens": lambda: queens(10),
    "12 queens": lambda: queens(12),
    "Langford 8": lambda: langford(8),
    "Langford 11": lambda: langford(11),
    "pentominoes 3×20": lambda: pentominoes("3x20"),
    "pentominoes 8×8": lambda: pentominoes("8x8"),
    "pentominoes 6×10": lambda: pentominoes("6x10"),
}
LONG = 2.0  # seconds after which a problem is run once


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description="List exact covers with puzzlekit and other packages."
    )
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    listers = {name: lister for name, lister in LISTERS.items() if find_spec(name)}
    print("| problem | covers |", " | ".join(listers), "|\n|---|---:|" + "---:|" * len(listers))
    for lister in listers.values():  # what is compiled, is compiled now
        list(lister(queens(5)))
    for name, made in PROBLEMS.items():
        problem = made()
        numbers, cells = set(), []
        for lister in listers.values():
            took: list[float] = []
            while len(took) < runs and (not took or took[-1] < LONG):
                began = time.perf_counter()
                numbers.add(sum(1 for _ in lister(problem)))
                took.append(time.perf_counter() - began)
            cells.append(f"{min(took):.4f}" if min(took) < 0.1 else f"{min(took):.2f}")
        assert len(numbers) == 1, f"{name}: {numbers} covers"
        print(f"| {name} | {numbers.pop():,} |", " | ".join(cells), "|", flush=True)


if __name__ == "__main__":
    main()
