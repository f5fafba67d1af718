"""Puzzles from where they are published. A fetcher is a small file of Python beside a type that ships."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Protocol, cast

import yaml

from puzzlekit.api.generate import load_beside
from puzzlekit.api.web import Web, is_web, keep
from puzzlekit.catalogue import fetcher
from puzzlekit.errors import InputError, Problems, printable
from puzzlekit.lang import bind, read_spec


class Fetcher(Protocol):
    """What the file of a fetcher defines."""

    BASE: str
    """The address of the service; empty where what is asked for is a file or a whole address."""

    def address(self, which: str) -> str:
        """The address, below that of the service, of the puzzle that is asked for. Raises InputError."""

    def spec(self, data: Any, which: str, source: str) -> Mapping[str, Any]:
        """What a spec says, made of the JSON that was found at `source`. Raises InputError where it has another shape.

        It is written as YAML here: whatever text the JSON holds is the value that it is given for, and no more.
        """


def fetch(name: str, which: str, base: str | None = None, web: Web | None = None) -> str:
    """The spec of a puzzle that is published. `base` is another address of the service.

    Raises InputError for what is not there or has another shape, Unreachable where the service cannot be asked.
    """
    module, kind = load_beside(fetcher(name), name)
    found = cast(Fetcher, module)
    base = base or os.environ.get(f"PUZZLEKIT_{name.upper()}_BASE") or found.BASE
    if base and not re.match(r"https?://[^/]", base):
        raise InputError(f"{base} is no address of a service: http://… or https://… is wanted")
    place = found.address(which)
    address = place if is_web(place) or not base else f"{base.rstrip('/')}/{place}"
    data = (web or Web()).json(address)
    try:
        text = spec_text(found.spec(data, which, address))
        bind(kind, read_spec("<fetched>", text))
    except RecursionError:
        raise InputError(f"{address}: the shape has changed: what was found there is nested too deep") from None
    except Problems as error:
        raise InputError(f"{address}: what was found there makes no puzzle:\n{error}") from None
    if is_web(address):
        keep(address, data)
    return text


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, a line a row."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", printable(text), style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)


def spec_text(fields: Mapping[str, Any]) -> str:
    """The text of a spec that says this: plain data, of which a list of texts is a board, a line a row.

    >>> print(spec_text({"title": "a: b", "rows": ["ab", "c\\x1b"], "expect": {"solutions": 1}}), end="")
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


def read_date(text: str) -> date:
    """A day, written as 2024-04-18 or 18.4.2024. Raises InputError.

    >>> str(read_date("18.4.2024"))
    '2024-04-18'
    """
    found = re.fullmatch(r"(?P<y>\d{4})-(?P<m>\d\d?)-(?P<d>\d\d?)|(?P<D>\d\d?)\.(?P<M>\d\d?)\.(?P<Y>\d{4})", text.strip())
    if found is None:
        raise InputError(f"{text} is no date: write 2024-04-18 or 18.4.2024")
    year, month, day = (int(found[small] or found[large]) for small, large in ("yY", "mM", "dD"))
    try:
        return date(year, month, day)
    except ValueError as error:
        raise InputError(f"{text} is no date: {error}") from None


def part(data: Any, *names: str, address: str) -> Any:
    """What stands in JSON below these names, one inside the other. Raises InputError, with what stands there instead."""
    for number, name in enumerate(names):
        if not isinstance(data, Mapping) or name not in data:
            inside = ".".join(names[:number]) or "the answer"
            there = ", ".join(map(str, data))[:200] if isinstance(data, Mapping) else type(data).__name__
            raise InputError(f"{address}: the shape has changed: {inside} has no {name}; there is: {there or 'nothing'}")
        data = data[name]
    return data


def seen(data: Any) -> str:
    """What stands in JSON as a message shows it: short, whatever it is.

    >>> seen({"a": [1]}), seen("a" * 100)[-4:]
    ("{'a': [1]}", 'aaa…')
    """
    try:
        text = repr(data) if not isinstance(data, str) else repr(data[:80])[:79]
    except (RecursionError, ValueError):  # nested deep, or a number of many digits
        text = type(data).__name__
    return text if len(text) < 79 else f"{text[:79]}…"


def letter_rows(data: Any, address: str) -> list[str]:
    """Rows of letters: JSON has them as a list of rows, each a text or a list of letters, or as one list of letters: one row.

    Raises InputError where it has them otherwise.
    """
    rows = data.splitlines() if isinstance(data, str) else data if isinstance(data, list) else []
    if rows and all(isinstance(row, str) and len(row) == 1 for row in rows):
        rows = ["".join(rows)]
    made = ["".join(row) if isinstance(row, list) and all(isinstance(x, str) for x in row) else row for row in rows]
    if not made or not all(isinstance(row, str) and row.strip() and len(row.splitlines()) == 1 for row in made):
        raise InputError(
            f"{address}: the shape has changed: letters are a list of rows or of letters, and this is {seen(data)}"
        )
    return made
