"""Which clues a symmetry is about, and which of them have no partner in a puzzle."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from puzzlekit.boards import Grid, Symmetry, images
from puzzlekit.errors import InputError, option
from puzzlekit.lang import PuzzleType
from puzzlekit.making.fields import FieldCell, clue_fields


def require_removable_clues(
    symmetry: Symmetry, type_: PuzzleType, data: Mapping[str, Any], keep_all: Collection[str]
) -> None:
    """Raise InputError if no board has clues that could be taken away together.

    Args:
        symmetry: The symmetry that is wished.
        type_: The type.
        data: The fields of all puzzles.
        keep_all: The fields from which no clue is taken away.
    """
    names = [name for name in clue_fields(type_, data) if isinstance(data[name], Grid)]
    if not names:
        reason = f"{type_.name} has no clues in the cells of a board"
    elif all(name in keep_all for name in names):
        reason = f"all clues on the board of {type_.name} stay"
    else:
        return
    flag = option("symmetry")
    raise InputError(
        f"{flag} {symmetry}: {reason}, so it would change nothing", help=f"omit {flag}"
    )


def clues_without_partner(
    symmetry: Symmetry, data: Mapping[str, Any], spots: Collection[FieldCell]
) -> list[FieldCell]:
    """Return the clues on boards that have no clue at an image of their cell."""
    lone = []
    for name, cell in spots:
        board = data[name]
        if not isinstance(board, Grid):
            continue
        image_cells = images(cell, board.height, board.width, symmetry)
        if any((name, image) not in spots for image in image_cells):
            lone.append((name, cell))
    return lone
