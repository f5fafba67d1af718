"""Fetch published puzzles. Distributions offer fetchers by entry points."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, cast

from puzzlekit.api.plugin_modules import load_module, type_of
from puzzlekit.api.values import JsonValue
from puzzlekit.catalogue import fetcher
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, Problems, Unreachable, option
from puzzlekit.lang import bind, read_bytes, read_spec, spec_text
from puzzlekit.libraries.words import cache_folder, write_atomically

AGAIN = (429, 500, 502, 503, 504)  # status codes that are tried again
ANSWER_SECONDS = 10.0
ANSWER_BYTES = 2_000_000
TRIES = 3


@dataclass(frozen=True)
class Web:
    """Access to web services.

    Attributes:
        timeout: Seconds to wait for a response.
        pause: Seconds to wait before the first retry, doubled before each later one.
        refresh: Whether to skip the cache.
    """

    timeout: float = ANSWER_SECONDS
    pause: float = 0.5
    refresh: bool = False

    def json(self, address: str) -> JsonValue:
        """Return the JSON at a web address or in a file.

        Raises:
            InputError: The data is missing or not JSON.
            Unreachable: The service fails.
        """
        if not is_web(address):
            return _parsed(_file(Path(address)), address)
        cached = None if self.refresh else _cached(address)
        if cached is not None:
            return cached
        return _parsed(self._response(address), address)

    def _response(self, address: str) -> bytes:
        """Return the response of a service.

        A service that does not respond or is overloaded is asked again.
        """
        import httpx

        failure = ""
        for attempt in range(TRIES):
            if attempt:
                time.sleep(self.pause * 2 ** (attempt - 1))
            until = time.monotonic() + self.timeout
            try:
                with httpx.stream(
                    "GET", address, timeout=self.timeout, follow_redirects=True
                ) as response:
                    if response.status_code not in AGAIN:
                        return _body(response, address, until)
                    failure = f"the service returned status {response.status_code}"
            except httpx.TimeoutException:
                failure = f"no response within {self.timeout:g} s"
            except (httpx.InvalidURL, httpx.UnsupportedProtocol, ValueError) as error:
                raise InputError(f"{address}: invalid address: {error}") from None
            except httpx.HTTPError as error:
                failure = str(error) or type(error).__name__
        help = f"check the network, or set another address with {option('base')}"
        raise Unreachable(f"{address}: cannot fetch: {failure} ({TRIES} tries)", help=help)


def _body(response: Any, address: str, until: float) -> bytes:
    """Return the body of a response, if it is successful and complete in time."""
    import httpx

    if response.status_code == 404:
        raise InputError(f"{address}: not found (404)")
    if response.status_code != 200:
        raise InputError(f"{address}: the service returned status {response.status_code}")
    body = b""
    for chunk in response.iter_bytes():
        body += chunk
        if time.monotonic() > until:
            raise httpx.ReadTimeout("the response takes too long")
        if len(body) > ANSWER_BYTES:
            raise InputError(f"{address}: the response is longer than {ANSWER_BYTES:,} bytes")
    return body


def _parsed(data: bytes, address: str) -> JsonValue:
    """Return the parsed JSON; a list for JSON lines."""
    with suppress(ValueError, RecursionError):
        return json.loads(data)
    with suppress(ValueError, RecursionError):
        lines = [json.loads(line) for line in data.splitlines() if line.strip()]
        if lines:
            return lines
    start = data[:40].decode("utf-8", "replace").strip().replace("\n", " ")
    got = f"text that begins with {start!r}" if start else "nothing"
    raise InputError(f"{address}: expected JSON, got {got}")


def _file(path: Path) -> bytes:
    data = read_bytes(path, ANSWER_BYTES)
    if len(data) > ANSWER_BYTES:
        raise InputError(f"{path}: the file is longer than {ANSWER_BYTES:,} bytes")
    return data


def is_web(address: str) -> bool:
    """Whether this is a web address and not a path."""
    return address.startswith(("http://", "https://"))


def keep(address: str, data: JsonValue) -> None:
    """Store the data of a web address in the cache folder."""
    with suppress(OSError, RuntimeError):
        write_atomically(_cache_path(address), json.dumps(data, ensure_ascii=False).encode())


def _cached(address: str) -> JsonValue:
    """Return the cached data of an address; None if missing or damaged."""
    with suppress(OSError, RuntimeError, InputError):
        return _parsed(_cache_path(address).read_bytes(), address)
    return None


def _cache_path(address: str) -> Path:
    digest = sha256(address.encode()).hexdigest()[:24]
    return cache_folder() / "fetched" / f"{digest}.json"


class Fetcher(Protocol):
    """The interface of a fetcher module."""

    BASE: str
    """The address of the service; empty if puzzles are given as files or whole addresses."""

    def address(self, which: str) -> str:
        """The address of a puzzle, relative to that of the service. Raises InputError."""

    def spec(self, data: JsonValue, which: str, source: str) -> Mapping[str, Any]:
        """The fields of a spec, from the JSON found at `source`. Raises InputError for other JSON.

        The caller writes them as YAML, so text of the JSON can only become a value.
        """


def fetch(name: str, which: str, base: str | None = None, web: Web | None = None) -> str:
    """Fetch a published puzzle.

    Args:
        name: The type.
        which: Which puzzle, as the fetcher of the type reads it: a day, a file or an address.
        base: An address of the service instead of the fetcher's own.
        web: Access to the web.

    Returns:
        The text of the spec.

    Raises:
        InputError: The puzzle is missing, or its data has another format.
        Unreachable: The service fails.
    """
    point = fetcher(name)
    module = cast(Fetcher, load_module(point))
    type_ = type_of(point)
    base = base or os.environ.get(f"PUZZLEKIT_{type_.name.upper()}_BASE") or module.BASE
    if base and not re.match(r"https?://[^/]", base):
        raise InputError(
            f"expected http://… or https://… as the address of the service, got {base}"
        )
    address = module.address(which)
    if base and not is_web(address):
        address = f"{base.rstrip('/')}/{address}"
    data = (web or Web()).json(address)
    try:
        text = spec_text(module.spec(data, which, address))
        bind(type_, read_spec("<fetched>", text))
    except RecursionError:
        raise InputError(
            f"{address}: the format has changed: the data is nested too deep"
        ) from None
    except Problems as error:
        raise InputError(f"{address}: the data is not a valid puzzle:\n{error}") from None
    if is_web(address):
        keep(address, data)
    return text


def read_date(text: str) -> date:
    """Parse a day written as 2024-04-18 or 18.4.2024. Raises InputError.

    Examples:
        >>> str(read_date("18.4.2024"))
        '2024-04-18'
    """
    stripped = text.strip()
    year_first = re.fullmatch(r"(\d{4})-(\d\d?)-(\d\d?)", stripped)
    day_first = re.fullmatch(r"(\d\d?)\.(\d\d?)\.(\d{4})", stripped)
    if year_first is not None:
        year, month, day = map(int, year_first.groups())
    elif day_first is not None:
        day, month, year = map(int, day_first.groups())
    else:
        raise InputError(f"expected a date such as 2024-04-18 or 18.4.2024, got {text}")
    try:
        return date(year, month, day)
    except ValueError as error:
        raise InputError(f"invalid date {text}: {error}") from None


def nested(data: JsonValue, *names: str, address: str) -> JsonValue:
    """Return the member of JSON below these nested names.

    Raises:
        InputError: There is none; the message lists the names that there are.
    """
    for number, name in enumerate(names):
        if not isinstance(data, Mapping) or name not in data:
            outer = ".".join(names[:number]) or "the response"
            if isinstance(data, Mapping):
                names_there = ", ".join(map(str, data))[:200]
            else:
                names_there = type(data).__name__
            lacks = f"{outer} has no {name}; found {names_there or 'nothing'}"
            raise InputError(f"{address}: the format has changed: {lacks}")
        data = data[name]
    return data


def seen(data: JsonValue) -> str:
    """Return JSON data as a text that is short enough for a message.

    Examples:
        >>> seen({"a": [1]}), seen("a" * 100)[-4:]
        ("{'a': [1]}", 'aaa…')
    """
    try:
        text = repr(data) if not isinstance(data, str) else repr(data[:80])[:79]
    except (RecursionError, ValueError):  # nested too deep, or a number with too many digits
        text = type(data).__name__
    return text if len(text) < 79 else f"{text[:79]}…"


def letter_rows(data: JsonValue, address: str) -> list[str]:
    """Return rows of letters, from a list of rows (texts or lists of letters) or of letters.

    Raises:
        InputError: The data is something else.
    """
    rows: list[Any] = []
    if isinstance(data, str):
        rows = data.splitlines()
    elif isinstance(data, list):
        rows = data
    are_letters = all(isinstance(row, str) and len(row) == 1 for row in rows)
    if rows and are_letters:
        rows = ["".join(rows)]
    texts = [_joined(row) for row in rows]
    if not texts or not all(map(_is_line, texts)):
        got = seen(data)
        raise InputError(
            f"{address}: the format has changed: expected a list of rows or of letters, got {got}"
        )
    return texts


def _joined(row: Any) -> Any:
    """Return a list of texts as one text, and anything else as it is."""
    if isinstance(row, list) and all(isinstance(cell, str) for cell in row):
        return "".join(row)
    return row


def _is_line(row: object) -> bool:
    return isinstance(row, str) and bool(row.strip()) and len(row.splitlines()) == 1
