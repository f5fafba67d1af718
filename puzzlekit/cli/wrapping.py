"""Wraps texts to the width of the terminal."""

from __future__ import annotations

import textwrap
from shutil import get_terminal_size

MOST_COLUMNS = 80
LEAST_COLUMNS = 40


def terminal_width() -> int:
    """Return the width of wrapped text: that of the terminal, from 40 to 80."""
    return min(MOST_COLUMNS, max(LEAST_COLUMNS, get_terminal_size().columns))


def wrapped(text: str, start: str = "", indent: str = "") -> str:
    """Return a text on lines that fit the terminal.

    Args:
        text: The text, whose line breaks count as blanks.
        start: What the first line begins with.
        indent: What the other lines begin with.
    """
    return textwrap.fill(
        text,
        terminal_width(),
        initial_indent=start,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
