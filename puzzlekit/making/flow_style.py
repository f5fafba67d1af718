"""Values in YAML's flow style, on lines of limited width."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from puzzlekit.boards import Cell, Shape
from puzzlekit.lang import value_type

WIDTH = 100  # columns of a line
SHORT = 40  # columns of a list that stays on one line
PLAIN = re.compile(r"\+?[A-Za-z0-9.][A-Za-z0-9.+*/]*")  # what needs no quotes in YAML
RESERVED = {"yes", "no", "on", "off", "true", "false", "null"}  # no texts for many readers of YAML


def entry_text(key: str, value: Any, indent: str = "") -> str:
    """Return an entry of a mapping as text: on one line, or on several that are not too wide.

    Examples:
        >>> print(entry_text("numbers", [*range(10**13, 10**13 + 6)]), end="")
        numbers: [10000000000000, 10000000000001, 10000000000002, 10000000000003, 10000000000004,
          10000000000005]
    """
    lines = [f"{indent}{key}:"]
    for piece in _pieces(value):
        if len(lines[-1]) + 1 + len(piece) > WIDTH:
            lines.append(f"{indent} ")
        lines[-1] += f" {piece}"
    return "\n".join(lines) + "\n"


def _pieces(value: Any) -> list[str]:
    """Return the text of a value in pieces, between which there may be a line break."""
    registered = value_type(value)
    if registered is not None and registered.spec is not None:
        return [registered.spec(value)]
    if isinstance(value, Mapping):
        return _enclosed("{", map(_entry_pieces, value.items()), "}")
    if isinstance(value, tuple | list) and not isinstance(value, Cell | Shape):
        return _enclosed("[", map(_pieces, value), "]")
    return [_scalar(value)]


def _entry_pieces(entry: tuple[Any, Any]) -> list[str]:
    key, value = entry
    first, *others = _pieces(value)
    return [f"{_scalar(key)}: {first}", *others]


def _enclosed(opening: str, members: Iterable[Sequence[str]], closing: str) -> list[str]:
    """Return the pieces of a collection."""
    pieces: list[str] = []
    for member in members:
        if pieces:
            pieces[-1] += ","
        pieces += member
    if not pieces:
        return [opening + closing]
    pieces[0] = opening + pieces[0]
    pieces[-1] += closing
    text = " ".join(pieces)
    return [text] if len(text) <= SHORT else pieces


def _scalar(value: Any) -> str:
    match value:
        case Shape():
            return json.dumps(str(value).replace("/", " "))
        case None:
            return "."
        case bool():
            return "yes" if value else "no"
        case _:
            text = str(value)
            is_plain = PLAIN.fullmatch(text) and text.lower() not in RESERVED
            return text if is_plain else json.dumps(text, ensure_ascii=False)
