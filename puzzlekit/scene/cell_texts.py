"""Values as texts in cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from puzzlekit.scene.scene import CellPos


def upper(value: Any) -> str:
    """Return a value as a cell shows it.

    A single letter is a capital if the capital has the same length. The values of a tuple stand
    side by side.
    """
    if type(value) is tuple:
        text = " ".join(map(upper, value))
    else:
        text = str(value)
    capital = text.upper()
    return capital if len(text) == 1 == len(capital) else text


def cell_text(value: Any) -> str:
    """Return a value as text in a cell; empty for None and false."""
    if value is None or value is False:
        return ""
    if value is True:
        return "■"
    return upper(value)


def texts_of(values: Mapping[Any, Any]) -> dict[CellPos, str]:
    """Return the texts of the cells whose text is not empty."""
    texts = {cell: cell_text(value) for cell, value in values.items()}
    return {cell: text for cell, text in texts.items() if text}
