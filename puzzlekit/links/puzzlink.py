"""Links of puzz.link and of the sites that share its notation.

A type says under `links` which layers a link of it has; `docs/links.md` describes the notation.
"""

from __future__ import annotations

import re

from puzzlekit.links.puzzlink_reader import read
from puzzlekit.links.puzzlink_writer import write

LINK = re.compile(r"\s*(?:https?://)?[\w.-]+(?::\d+)?/[^\s?#]*\?(?:[\w.]+=[^&/]*&)*[\w.-]+(?:/|%2[Ff])\S*\s*")


def recognises(text: str) -> bool:
    """Return whether the text is a link whose query begins with a name and a slash."""
    return LINK.fullmatch(text) is not None


__all__ = ["read", "recognises", "write"]
