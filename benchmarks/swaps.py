"""Fewest swaps, proven: how long it takes at every size of board,
on random boards and on the worst that a search finds.

Run as `python benchmarks/swaps.py [--seeds 50] [--tries 400] [--seed 1]`. Prints a table in
Markdown; times are of one core.

A random board has letters of English frequency (or all 26 alike), two green cells and all others
shuffled. The search for bad boards begins with random ones of the size and changes places of two
letters, or the letter of a cell; it keeps what takes more work, counted in steps and so the same on
every machine.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable

from puzzlekit_waffle.exchanges import most_cycles
from puzzlekit_waffle.exchanges.cycle_packing import STEPS, _most, _numbered
from puzzlekit_waffle.exchanges.cycle_prices import Work

SIZES = {"5×5": 21, "7×7": 40, "9×9": 65, "11×11": 96}
LETTERS = "etaoinshrdlucmfwypvbgkjqxz"
OFTEN = (12, 9, 8, 8, 7, 7, 6, 6, 6, 4, 4, 3, 3, 2, 2, 2, 2, 2, 1, 1, 2, 1, 1, 1, 1, 1)
GREEN = 2
Board = tuple[list[str], list[str]]


def english(source: random.Random, cells: int) -> Board:
    """A board of letters as English has them."""
    return shuffled(source, source.choices(LETTERS, OFTEN, k=cells))


def uniform(source: random.Random, cells: int) -> Board:
    """A board of letters that are all alike."""
    return shuffled(source, source.choices(LETTERS, k=cells))


def shuffled(source: random.Random, target: list[str]) -> Board:
    """The letters, those of all but the green cells shuffled."""
    return target[:GREEN] + source.sample(target[GREEN:], len(target) - GREEN), target


def arcs(board: Board) -> list[tuple[str, str]]:
    """From the letter that stands to the one that belongs, for the cells that move."""
    return [(a, b) for a, b in zip(*board) if a != b]


def seconds(board: Board) -> float:
    """How long the proof takes: the best of three, since the machine does other things, too."""
    took = []
    for _ in range(3):
        began = time.perf_counter()
        assert most_cycles(arcs(board)).proven
        took.append(time.perf_counter() - began)
    return min(took)


def steps(board: Board) -> int:
    """How much work the proof takes."""
    work = Work(STEPS)
    _most(_numbered(arcs(board))[1], work)
    return work.steps - work.left


def worst(
    source: random.Random, make: Callable[[random.Random, int], Board], cells: int, tries: int
) -> Board:
    """A board that takes much work: small changes, the better of two kept;
    half of the tries go to random beginnings.
    """
    found = max((make(source, cells) for _ in range(tries // 2)), key=steps)
    most = steps(found)
    for _ in range(tries - tries // 2):
        start, target = list(found[0]), list(found[1])
        a, b = source.sample(range(GREEN, cells), 2)
        if source.random() < 0.5:
            start[a], start[b] = start[b], start[a]
        else:  # one letter becomes another, where it stands and where one of its kind belongs
            place = target.index(start[a], GREEN)
            start[a] = target[place] = source.choice(LETTERS)
        work = steps((start, target))
        if work >= most:
            found, most = (start, target), work
    return found


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--tries", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    print(
        "| board | letters | cells that move | median | worst of the seeds | worst found by "
        "search |"
    )
    print("|---|---|---:|---:|---:|---:|")
    for size, cells in SIZES.items():
        for name, make in (("English", english), ("26 alike", uniform)):
            boards = [make(random.Random(seed), cells) for seed in range(chosen.seeds)]
            moving = [len(arcs(board)) for board in boards]
            took = [1_000 * seconds(board) for board in boards]
            bad = 1_000 * seconds(worst(random.Random(chosen.seed), make, cells, chosen.tries))
            times = f"{statistics.median(took):.2f} ms | {max(took):.1f} ms | {bad:.1f} ms"
            print(f"| {size} | {name} | {min(moving)}–{max(moving)} | {times} |", flush=True)


if __name__ == "__main__":
    main()
