"""The old names of keys and options that were renamed, each with the new one."""

from __future__ import annotations

from collections.abc import Mapping

TYPE_SECTIONS: Mapping[str, str] = {
    "also": "aliases",
    "uses": "libraries",
    "checks": "require",
    "facts": "info",
}
MAKE_KEYS: Mapping[str, str] = {
    "give": "fields",
    "whole": "keep_all",
    "vary": "reshape",
    "likely": "bias",
    "without": "drop_rules",
}
SPEC_KEYS: Mapping[str, str] = {"made": "generated_by", "marks": "progress"}
OPTIONS: Mapping[str, str] = {
    "--marks": "--progress",
    "--ignore-marks": "--ignore-symbols",
    "--steps": "--max-evaluations",
    "--words": "--lexicon",
    "--conflicts": "--most",
}
UPGRADE_HINT = "puzzlekit upgrade FILE writes the new keys"


def renaming(old: str, new: str) -> str:
    """Return the message about an old name.

    Examples:
        >>> renaming("also", TYPE_SECTIONS["also"])
        'also is called aliases now'
    """
    return f"{old} is called {new} now"
