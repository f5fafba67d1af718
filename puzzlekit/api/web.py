"""JSON from a service or a file: with a timeout, some retries, a bound on its size, and errors that say what happened."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from puzzlekit.errors import InputError, Unreachable
from puzzlekit.lang import read_bytes
from puzzlekit.words.cache import cache_folder, write_whole

LARGEST = 2_000_000  # bytes of an answer
TRIES = 3
AGAIN = (429, 500, 502, 503, 504)  # what a service answers that may answer otherwise soon


@dataclass(frozen=True)
class Web:
    """How services are asked: seconds to wait for an answer, and before a second try; `refresh` asks even what is kept."""

    timeout: float = 10.0
    pause: float = 0.5
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
        for number in range(TRIES):
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
            f"{address}: cannot be fetched: {said} ({TRIES} tries)\n     = is this machine online? --base names another address"
        )


def _body(answer: Any, address: str, until: float) -> bytes:
    """What a service sent, if it is what was asked for and all there in time."""
    import httpx

    if answer.status_code == 404:
        raise InputError(f"{address}: the service has nothing there (404)")
    if answer.status_code != 200:
        raise InputError(f"{address}: the service answers {answer.status_code}")
    found = b""
    for part in answer.iter_bytes():
        found += part
        if time.monotonic() > until:
            raise httpx.ReadTimeout("it takes too long")
        if len(found) > LARGEST:
            raise InputError(f"{address}: the answer is longer than {LARGEST:,} bytes")
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
    data = read_bytes(path, LARGEST)
    if len(data) > LARGEST:
        raise InputError(f"{path}: is longer than {LARGEST:,} bytes")
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
