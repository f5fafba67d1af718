"""Puzzles from where they are published. A fetcher is a small file of Python beside a type that ships."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, cast

import yaml

from puzzlekit.api.generate import load_beside
from puzzlekit.catalogue import fetcher
from puzzlekit.errors import InputError, Problems, Unreachable, printable
from puzzlekit.lang import bind, read_bytes, read_spec
from puzzlekit.libraries.words.sources import cache_folder, write_whole
from puzzlekit.limits import limits

AGAIN = (429, 500, 502, 503, 504)  # what a service answers that may answer otherwise soon


@dataclass(frozen=True)
class Web:
    """How services are asked: seconds to wait for an answer, and before a second try; `refresh` asks even what is kept."""

    timeout: float = field(default_factory=lambda: limits().web.answer_seconds)
    pause: float = field(default_factory=lambda: limits().web.pause_seconds)
    refresh: bool = False

    def json(self, address: str) -> Any:
        """What the address holds: one of the web, or the path of a file.

        Raises InputError for what is not there or no JSON, Unreachable where the service cannot be asked or fails.
        """
        if not is_web(address):
            return _parsed(_file(Path(address)), address)
        kept = None if self.refresh else _kept(address)
        return _parsed(self._asked(address), address) if kept is None else kept

    def _asked(self, address: str) -> bytes:
        """The answer of a service; a second and third try where it does not answer, or says that it cannot now."""
        import httpx

        said = ""
        tries = limits().web.tries
        for number in range(tries):
            if number:
                time.sleep(self.pause * 2 ** (number - 1))
            until = time.monotonic() + self.timeout
            try:
                with httpx.stream("GET", address, timeout=self.timeout, follow_redirects=True) as answer:
                    if answer.status_code not in AGAIN:
                        return _body(answer, address, until)
                    said = f"it answers {answer.status_code}"
            except httpx.TimeoutException:
                said = f"no answer within {self.timeout:g} s"
            except (httpx.InvalidURL, httpx.UnsupportedProtocol, ValueError) as error:  # of a port, of a name
                raise InputError(f"{address}: this is no address: {error}") from None
            except httpx.HTTPError as error:
                said = str(error) or type(error).__name__
        raise Unreachable(
            f"{address}: cannot be fetched: {said} ({tries} tries)\n     = is this machine online? --base names another address"
        )


def _body(answer: Any, address: str, until: float) -> bytes:
    """What a service sent, if it is what was asked for and all there in time."""
    import httpx

    if answer.status_code == 404:
        raise InputError(f"{address}: the service has nothing there (404)")
    if answer.status_code != 200:
        raise InputError(f"{address}: the service answers {answer.status_code}")
    found, most = b"", limits().web.answer_bytes
    for part in answer.iter_bytes():
        found += part
        if time.monotonic() > until:
            raise httpx.ReadTimeout("it takes too long")
        if len(found) > most:
            raise InputError(f"{address}: the answer is longer than {most:,} bytes")
    return found


def _parsed(data: bytes, address: str) -> Any:
    """The JSON; a list, where each line is JSON of its own."""
    with suppress(ValueError, RecursionError):
        return json.loads(data)
    with suppress(ValueError, RecursionError):
        if lines := [json.loads(line) for line in data.splitlines() if line.strip()]:
            return lines
    start = data[:40].decode("utf-8", "replace").strip().replace("\n", " ")
    raise InputError(f"{address}: this is no JSON: {f'it begins with {start!r}' if start else 'it is empty'}")


def _file(path: Path) -> bytes:
    most = limits().web.answer_bytes
    data = read_bytes(path, most)
    if len(data) > most:
        raise InputError(f"{path}: is longer than {most:,} bytes")
    return data


def is_web(address: str) -> bool:
    """Whether an address is one of the web, and no path."""
    return address.startswith(("http://", "https://"))


def keep(address: str, data: Any) -> None:
    """Keep what an address of the web holds, in the cache folder, so that it need not be asked again."""
    with suppress(OSError, RuntimeError):
        write_whole(_place(address), json.dumps(data, ensure_ascii=False).encode())


def _kept(address: str) -> Any:
    """What was kept of an address; None where there is nothing, or it is damaged."""
    with suppress(OSError, RuntimeError, InputError):
        return _parsed(_place(address).read_bytes(), address)
    return None


def _place(address: str) -> Path:
    return cache_folder() / "fetched" / f"{sha256(address.encode()).hexdigest()[:24]}.json"


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
