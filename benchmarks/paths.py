"""Words traced on random boards of Finnish letters: seconds, tiles,
and memory at its peak for each tile.

python benchmarks/paths.py [--seeds N]
"""

from __future__ import annotations

import time
import tracemalloc
from argparse import ArgumentParser
from random import Random
from statistics import median

from puzzlekit.boards import Grid
from puzzlekit.libraries.words import Lexicon, load, word_paths

SIZES = ((6, 5), (10, 10), (20, 20))


def random_board(rows: int, columns: int, text: str, seed: int) -> Grid:
    """Letters as often as they stand in the words."""
    random = Random(seed)
    return Grid.of_rows(["".join(random.choice(text) for _ in range(columns)) for _ in range(rows)])


def measured(board: Grid, words: Lexicon) -> tuple[float, int, int]:
    """Seconds, tiles, and bytes at the peak in a second run, which is slower."""
    began = time.perf_counter()
    tiles = word_paths(board.values, board.around, words)
    seconds = time.perf_counter() - began
    tracemalloc.start()
    word_paths(board.values, board.around, words)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return seconds, len(tiles), peak


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    seeds = parser.parse_args().seeds
    words = load("finnish")
    text = "".join(words)
    print(f"{len(words):,} words; {seeds} boards a row\n")
    print("| board | median | worst | tiles | peak for a tile |\n|---|---:|---:|---:|---:|")
    for rows, columns in SIZES:
        runs = [measured(random_board(rows, columns, text, seed), words) for seed in range(seeds)]
        seconds, tiles, peaks = zip(*runs)
        each = median(peak / max(1, number) for peak, number in zip(peaks, tiles)) / 1000
        print(
            f"| {rows}×{columns} | {median(seconds):.3f} s | {max(seconds):.3f} s"
            f" | {min(tiles):,}–{max(tiles):,} | {each:.1f} kB |"
        )


if __name__ == "__main__":
    main()
