"""Puzzles from where they are published. A fetcher is a small file of Python beside a type that ships."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Protocol, cast

from puzzlekit.api.generate import load_beside
from puzzlekit.api.web import Web, is_web, keep
from puzzlekit.catalogue import fetcher
from puzzlekit.errors import InputError, Problems
from puzzlekit.lang import bind, read_spec


class Fetcher(Protocol):
    """What the file of a fetcher defines."""

    BASE: str
    """The address of the service; empty where what is asked for is a file or a whole address."""

    def address(self, which: str) -> str:
        """The address, below that of the service, of the puzzle that is asked for. Raises InputError."""

    def spec(self, data: Any, which: str, source: str) -> str:
        """The text of a spec, made of the JSON that was found at `source`. Raises InputError where it has another shape."""


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
    text = found.spec(data, which, address)
    spec = read_spec("<fetched>", text)
    try:
        bind(kind, spec)
    except Problems as error:
        raise InputError(f"{address}: what was found there makes no puzzle:\n{error}") from None
    if is_web(address):
        keep(address, data)
    return text


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


def letter_rows(data: Any, address: str) -> list[str]:
    """Rows of letters: JSON has them as a list of rows, each a text or a list of letters, or as one list of letters: one row.

    Raises InputError where it has them otherwise.
    """
    rows = data.splitlines() if isinstance(data, str) else data
    if isinstance(rows, list) and rows and all(isinstance(row, str) and len(row) == 1 for row in rows):
        rows = ["".join(rows)]
    made = ["".join(row) if isinstance(row, list) and all(isinstance(x, str) for x in row) else row for row in rows or ()]
    if not made or not all(isinstance(row, str) and row.strip() for row in made):
        raise InputError(
            f"{address}: the shape has changed: letters are a list of rows or of letters, and this is {str(data)[:80]!r}"
        )
    return made
