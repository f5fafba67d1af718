"""Measures how long one puzzle takes to make, beside Simon Tatham's generators (Debian's
sgt-puzzles) if they are there.

    python -m benchmarks.making [--count N] [TYPE …]

Prints rows of a table for docs/making.md: seconds of the processor for the set-up of a type and
size and, after that, for one puzzle, the mean of N; then those of the other program, started once
for ten puzzles.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from time import process_time
from types import SimpleNamespace

from puzzlekit.catalogue import find
from puzzlekit.cli.generation import base_puzzle
from puzzlekit.lang import read_type
from puzzlekit.making import PuzzleNumber, RuleGenerator, Tools

OTHER = 10  # puzzles of the other program
ROWS = (  # type, size, the other program and its parameters
    ("sudoku", "9x9", "solo", "3x3"),
    ("skyscrapers", "5x5", "towers", "5de"),
    ("tents", "10x10", "tents", "10x10de"),
    ("nonogram", "10x10", "pattern", "10x10"),
    ("akari", "10x10", "lightup", "10x10b20s2d0"),
    ("slitherlink", "10x10", "loopy", "10x10t0de"),
    ("masyu", "10x10", "pearl", "10x10de"),
    ("heyawake", "8x8", None, ""),
    ("kakuro", "10x10", None, ""),
    ("yajilin", "10x10", None, ""),
    ("numberlink", "7x7", None, ""),
    ("hitori", "8x8", "singles", "8x8de"),
    ("fillomino", "8x8", None, ""),
    ("nurikabe", "10x10", None, ""),
    ("star_battle", "10x10", None, ""),
    ("killer", "9x9", None, ""),
    ("kenken", "6x6", "keen", "6de"),
    ("dominosa", "7x8", "dominosa", "6t"),
    ("hashi", "10x10", "bridges", "10x10"),
    ("slant", "10x10", "slant", "10x10de"),
    ("shikaku", "10x10", "rect", "10x10"),
)


def own(name: str, size: str, count: int) -> tuple[float, float, int]:
    """Return the seconds of the set-up and of one puzzle, and how many of them were found."""
    kind = read_type(find(name))
    options = SimpleNamespace(
        size=size, like=None, set=[], symmetry=None, density=None, minimal=False, level=None
    )
    began = process_time()
    maker = RuleGenerator(base_puzzle(kind, options))
    maker.begin(options, Tools(kind, 1, lambda message: None))
    ready = process_time()
    found = sum(maker.generated(PuzzleNumber(number)) is not None for number in range(1, count + 1))
    return ready - began, (process_time() - ready) / count, found


def other(program: str | None, parameters: str) -> float | None:
    """Return the seconds of one puzzle of the other program; None if it is not there."""
    path = shutil.which(f"sgt-{program}", path="/usr/games:/usr/bin")
    if program is None or path is None:
        return None
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [path, "--generate", str(OTHER), parameters], stdout=subprocess.DEVNULL, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / OTHER


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("types", nargs="*")
    asked = parser.parse_args()
    print(
        "| type | size | set-up | a puzzle | found | sgt-puzzles |\n"
        "| --- | --- | ---: | ---: | ---: | ---: |"
    )
    for name, size, program, parameters in ROWS:
        if asked.types and name not in asked.types:
            continue
        began, each, found = own(name, size, asked.count)
        beside = other(program, parameters)
        told = "–" if beside is None else f"{beside:.3f}"
        print(
            f"| {name} | {size.replace('x', '×')} | {began:.2f} | {each:.2f} | "
            f"{found}/{asked.count} | {told} |"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
