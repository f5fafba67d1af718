"""Files of pictures that are stated by the runs of their lines: `.non`, and webpbn's XML.

A type says which fields have the runs: `non: {rows: FIELD, columns: FIELD}`, or `webpbn:` with the
same keys. Such a field is a list with a list of numbers for each line; 0 stands for no run.
Pictures of more than one colour are refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import BOARD_SIDE, Instance, PuzzleType, read_type
from puzzlekit.links import ParsedPuzzle, type_with
from puzzlekit.links.link_format import links_of
from puzzlekit.links.tokens import UNKNOWN

NO_RUN = "0"
Lines = Sequence[Sequence[str]]  # the runs of each line


def clue_type(notation: str, puzzle_type: PuzzleType | None) -> PuzzleType:
    """Return the type of the puzzles of a notation: the given one, or the one that names it.

    Raises:
        InputError: The given type has no such files.
    """
    if puzzle_type is None:
        return read_type(find(type_with(notation)))
    if notation not in links_of(puzzle_type).boards:
        raise InputError(f"{puzzle_type.name} is not read from {notation}")
    return puzzle_type


def puzzle_of(
    notation: str, puzzle_type: PuzzleType, about: Mapping[str, str], rows: Lines, columns: Lines
) -> ParsedPuzzle:
    """Return the puzzle of the runs of rows and columns. Raises InputError for a board that is too
    large, or for runs that do not fit.
    """
    for name, lines, length in (("row", rows, len(columns)), ("column", columns, len(rows))):
        if not 1 <= len(lines) <= BOARD_SIDE:
            raise InputError(f"expected from 1 to {BOARD_SIDE} {name}s, got {len(lines)}")
        for number, runs in enumerate(lines, 1):
            _check_runs(f"{name} {number}", runs, length)
    names = links_of(puzzle_type).boards[notation]
    fields: dict[str, Any] = {key: text for key, text in about.items() if text}
    fields[names["rows"]] = [" ".join(runs) or NO_RUN for runs in rows]
    fields[names["columns"]] = [" ".join(runs) or NO_RUN for runs in columns]
    return ParsedPuzzle(puzzle_type.name, fields)


def _check_runs(where: str, runs: Sequence[str], length: int) -> None:
    """Raise InputError for runs that are no numbers or longer than their line."""
    for run in runs:
        if not re.fullmatch(r"[0-9]{1,4}", run):
            raise InputError(f"{where}: expected numbers, got {run[:20]!r}")
    needed = sum(map(int, runs)) + len(runs) - 1
    if needed > length:
        raise InputError(f"{where}: its runs take {needed} cells, and it has {length}")


def runs_of(notation: str, puzzle: Instance) -> tuple[Lines, Lines]:
    """Return the runs of the rows and of the columns of a puzzle.

    Raises:
        InputError: The notation cannot carry all of the puzzle.
    """
    names = links_of(puzzle.type).boards.get(notation)
    if names is None or puzzle.bound_from is None:
        raise InputError(f"{puzzle.type.name} is not written as {notation}")
    _, spec, settings, *_ = puzzle.bound_from
    extra = {*spec.nodes, *(settings or {})} - set(names.values())
    if extra:
        raise InputError(f"a file of {notation} cannot carry {min(extra)}")
    rows, columns = (_lines_of(notation, name, puzzle.data[name]) for name in names.values())
    return rows, columns


def _lines_of(notation: str, name: str, lines: Sequence[Sequence[Any] | None]) -> Lines:
    texts = []
    for number, runs in enumerate(lines, 1):
        if runs is None or UNKNOWN in runs:
            raise InputError(
                f"a file of {notation} cannot carry line {number} of {name}: it is {UNKNOWN}"
            )
        texts.append([str(run) for run in runs if run != 0])
    return texts
