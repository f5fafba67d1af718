"""Writes plain values as the YAML text of a spec, as a person would."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from puzzlekit.errors import printable


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", printable(text), style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def spec_text(fields: Mapping[str, Any]) -> str:
    """Return the text of a spec with these fields; a list of texts is a board, one row per line.

    Examples:
        >>> fields = {"title": "a: b", "rows": ["ab", "c\\x1b"], "expect": {"solutions": 1}}
        >>> print(spec_text(fields), end="")
        title: 'a: b'
        rows: |
          ab
          c·
        expect:
          solutions: 1
    """
    return yaml.dump(_with_blocks(fields), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**6)


def _with_blocks(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _with_blocks(value) for key, value in data.items()}
    return "".join(f"{row}\n" for row in data) if isinstance(data, list) else data
