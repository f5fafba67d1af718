"""Fetch the letters of a day from the publisher's service."""

from __future__ import annotations

from typing import Any

from puzzlekit.api import letter_rows, nested, read_date

BASE = "https://sanalouhos.datadesk.hs.fi"


def address(which: str) -> str:
    """Return the address of the puzzle of a day."""
    return f"api/game/{read_date(which)}"


def spec(data: Any, which: str, source: str) -> dict[str, Any]:
    """Return a spec with the letters in rows, or on one line if the service does not give rows."""
    rows = letter_rows(nested(data, "item", "gameCharArray", address=source), source)
    letters = rows[0] if len(rows) == 1 else rows
    return {
        "puzzle": "sanalouhos",
        "title": str(read_date(which)),
        "source": source,
        "letters": letters,
    }
