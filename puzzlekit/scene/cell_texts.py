"""Values as texts in cells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from puzzlekit.scene.scene import CellPos


def upper(value: Any) -> str:
    """Return a value as a cell shows it.

    A letter is a capital, if that has the same length; parts of a row stand side by side.
    """
    text = " ".join(map(upper, value)) if type(value) is tuple else str(value)
    return text.upper() if len(text) == 1 == len(text.upper()) else text


def cell_text(value: Any) -> str:
    """Return a value as text in a cell; empty for what is absent or false."""
    if value is None or value is False:
        return ""
    return "■" if value is True else upper(value)


def texts_of(values: Mapping[Any, Any]) -> dict[CellPos, str]:
    """Return the texts of the cells that have some."""
    return {cell: text for cell, value in values.items() if (text := cell_text(value))}
