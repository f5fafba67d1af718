"""Read links and notations of other programs."""

from __future__ import annotations

from puzzlekit import links
from puzzlekit.api.sources import Given, open_type
from puzzlekit.links import ParsedPuzzle


def read_link(
    text: str,
    type: Given | None = None,  # noqa: A002
    ignore_symbols: bool = False,
) -> list[ParsedPuzzle]:
    """Read the puzzles in a link, or in the text of a file of another program.

    Args:
        text: The link, or the text.
        type: The type, which some notations do not name.
        ignore_symbols: Whether puzzles are read that have symbols which no field stands for.

    Returns:
        The puzzles: each has the name of its `type`, its `fields`, and the `text` of its spec, of
        which `load` makes a puzzle.

    Raises:
        InputError: No notation has such a text, or it has an error, whose position is named.

    Examples:
        >>> import puzzlekit
        >>> line = "1" + 80 * "."
        >>> [puzzle.fields["givens"][0] for puzzle in puzzlekit.read_link(line)]
        ['1........']
    """
    return links.read(text, None if type is None else open_type(type, None), ignore_symbols)
