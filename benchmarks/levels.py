"""Whether puzzles of all levels are made, how long that takes, and whether images of a puzzle have
its level.

    python -m benchmarks.levels [--count N] [--rated N] [TYPE …]

Prints rows of a table for docs/making.md. Each puzzle is turned by 90 degrees, mirrored,
and both, and its digits are exchanged if its type allows it; then it is rated anew. Seconds are
those of the processor, the median, beside a puzzle without a level and with as few clues as can be.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from random import Random
from statistics import median
from time import process_time
from types import SimpleNamespace
from typing import Any

import puzzlekit
from puzzlekit.catalogue import find
from puzzlekit.lang import read_type
from puzzlekit.making import PuzzleNumber, RuleGenerator, Tools, base_puzzle, levels
from puzzlekit.reasons import LEVELS

SIZES = {
    "sudoku": "9x9",
    "slitherlink": "10x10",
    "masyu": "10x10",
    "heyawake": "8x8",
    "akari": "10x10",
    "binairo": "8x8",
    "kakurasu": "6x6",
    "tents": "8x8",
    "skyscrapers": "5x5",
    "hitori": "7x7",
    "kuromasu": "7x7",
    "slant": "8x8",
    "minesweeper": "8x8",
    "mosaic": "8x8",
    "nurimisaki": "7x7",
    "yin_yang": "7x7",
    "creek": "8x8",
    "cave": "7x7",
    "canal_view": "7x7",
    "geradeweg": "7x7",
    "squaro": "7x7",
    "suguru": "6x6",
    "hashi": "10x10",
}
ON_DIAGONAL = ("kakurasu",)  # whose columns and rows have weights, so that only these change places
RELABELLED = {"sudoku": "givens"}
SIDES = {"top": "right", "right": "bottom", "bottom": "left", "left": "top"}
SECONDS = 60.0

Fields = dict[str, Any]


def generator(name: str, size: str, level: str | None) -> RuleGenerator:
    """Return the generator of a type; without a level, of puzzles with as few clues as can be."""
    type_ = read_type(find(name))
    options = SimpleNamespace(
        size=size, like=None, set=[], symmetry=None, density=None, minimal=level is None
    )
    options.level = levels(level) if level else None
    rules = RuleGenerator(base_puzzle(type_, options))
    rules.begin(options, Tools(type_, 1, lambda message: None))
    return rules


def stated(puzzle: puzzlekit.Puzzle) -> Fields:
    """Return the fields that the spec of a puzzle states."""
    return {name: field for name, field in puzzle.items() if name in puzzle.spec.nodes}


def is_board(field: Any) -> bool:
    """Return whether a field is a board, as rows of members or of letters."""
    return isinstance(field, list) and all(isinstance(row, list | str) for row in field)


def mirrored(fields: Mapping[str, Any]) -> Fields:
    """Return the fields of a puzzle that is mirrored left to right."""
    image = dict(fields)
    for name, field in fields.items():
        if is_board(field):
            image[name] = [row[::-1] for row in field]
        elif isinstance(field, list) and name in ("top", "bottom", "columns"):
            image[name] = field[::-1]
    if {"left", "right"} <= image.keys():
        image["left"], image["right"] = image["right"], image["left"]
    return image


def turned(fields: Mapping[str, Any]) -> Fields:
    """Return the fields of a puzzle that is turned by 90 degrees."""
    image = dict(fields)
    for name, field in fields.items():
        if is_board(field):
            columns = zip(*field[::-1])
            image[name] = ["".join(row) if isinstance(field[0], str) else [*row] for row in columns]
    if {"rows", "columns"} <= fields.keys():
        image["rows"], image["columns"] = fields["columns"], fields["rows"][::-1]
    for side, target in SIDES.items():
        if fields.get(side) is not None:
            image[target] = fields[side][::-1] if side in ("left", "right") else fields[side]
    return image


def relabelled(fields: Mapping[str, Any], name: str, random: Random) -> Fields:
    """Return the fields of a puzzle whose digits are exchanged."""
    digits = sorted({each for row in fields[name] for each in row if each is not None})
    exchanged = dict(zip(digits, random.sample(digits, len(digits))))
    board = [[exchanged.get(each) for each in row] for row in fields[name]]
    return {**fields, name: board}


def images(name: str, fields: Fields, random: Random) -> Iterator[Fields]:
    """Yield images of a puzzle that are as hard."""
    yield mirrored(turned(fields))
    if name in ON_DIAGONAL:
        return
    yield mirrored(fields)
    yield turned(fields)
    if name in RELABELLED:
        yield relabelled(turned(mirrored(fields)), RELABELLED[name], random)


def row(name: str, size: str, count: int, most_rated: int) -> tuple[int, int]:
    """Print the rows of a type; return how many images have the level, and of how many.

    Args:
        name: The type.
        size: The size of its board.
        count: How many puzzles of each level are made.
        most_rated: Of how many of these the images are rated.
    """
    plain: float | None = None
    random = Random(1)
    hits = tried = 0
    for level in (None, *LEVELS[:4]):
        rules = generator(name, size, level)
        seconds = []
        puzzles = []
        for number in range(1, count + 1):
            began = process_time()
            generated = rules.generated(PuzzleNumber(number))
            seconds.append(process_time() - began)
            if generated is not None:
                puzzles.append(puzzlekit.load(None, rules.spec(generated)))
        if plain is None:
            plain = median(seconds)
            continue
        of_level = 0
        rated = 0
        for puzzle in puzzles[:most_rated]:
            for fields in images(name, stated(puzzle), random):
                rated += 1
                of_level += puzzlekit.load(name, fields).rate(SECONDS).level == level
        hits, tried = hits + of_level, tried + rated
        ratio = median(seconds) / plain
        print(
            f"| {name} | {size} | {level} | {len(puzzles)}/{count} | {median(seconds):.2f} "
            f"| {ratio:.1f} | {of_level}/{rated} |",
            flush=True,
        )
    return hits, tried


def main() -> None:
    """Print the table."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--rated", type=int, default=5, help="puzzles whose images are rated")
    parser.add_argument("types", nargs="*")
    asked = parser.parse_args()
    print("| type | size | level | found | seconds | times plain | images |")
    print("|---" * 7 + "|")
    hits = tried = 0
    for name, size in SIZES.items():
        if not asked.types or name in asked.types:
            of_type, tried_of_type = row(name, size, asked.count, asked.rated)
            hits, tried = hits + of_type, tried + tried_of_type
    print(f"{hits} of {tried} images have the level", file=sys.stderr)


if __name__ == "__main__":
    main()
