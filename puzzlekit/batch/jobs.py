"""The inputs of a batch: specs, folders, globs and JSON lines become jobs, each with a key."""

from __future__ import annotations

import glob
import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO

from puzzlekit.batch.keys import CacheKeys
from puzzlekit.catalogue import Header, header_of, specs_in
from puzzlekit.errors import InputError
from puzzlekit.lang import read_text
from puzzlekit.options import LoadOptions, RunOptions
from puzzlekit.processes.system import bytes_of
from puzzlekit.query import Query
from puzzlekit.reading import FILE_BYTES

JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")


@dataclass(frozen=True)
class Request:
    """What is asked of each puzzle, and the bounds on each. Raises InputError for a memory that is
    no size.

    Attributes:
        query: The query; None to check the solutions against `expect`.
        loading: How each puzzle is loaded.
        means: The backend, the seconds for each puzzle, and the memory of each worker; None for its
            share of the machine.
    """

    query: Query | None
    loading: LoadOptions = LoadOptions()
    means: RunOptions = RunOptions()

    def __post_init__(self) -> None:
        self.bounds  # noqa: B018  it reads the size

    @property
    def memory(self) -> int | None:
        """The bytes for each worker."""
        return None if self.means.memory is None else bytes_of(self.means.memory)

    @property
    def bounds(self) -> str:
        """The bounds as text: a puzzle that was stopped is done anew under others."""
        seconds = "" if self.means.timeout is None else f"{self.means.timeout:g} s"
        return seconds + ("" if self.memory is None else f" {self.memory:,} bytes")


@dataclass(frozen=True, slots=True)
class Job:
    """A spec to answer.

    Attributes:
        key: A digest of the request, the spec and its type.
        name: The spec's path, followed by the number of the line in a file of JSON lines.
        type: The name of its type, as far as it is known.
        text: The spec: YAML, or one JSON object if it has no path.
        path: The spec's file.
        problem: Why the spec cannot be read; None if it can.
    """

    key: str
    name: str
    type: str
    text: str
    path: Path | None = None
    problem: InputError | None = None

    @property
    def folder(self) -> Path:
        """Where relative paths in the spec begin."""
        return Path() if self.path is None else self.path.parent


class Inputs:
    """The specs of a batch, as jobs.

    Attributes:
        total: How many there are; None if that is not known, as for standard input.

    Raises:
        InputError: An input is missing, or a glob fits no file.
    """

    def __init__(self, given: Sequence[str], request: Request) -> None:
        if given.count("-") > 1:
            raise InputError("standard input can be read only once, but - is given more than once")
        self.request = request
        self.files = [file for one in given for file in _files(one)]
        self.total = _total(self.files)

    def __iter__(self) -> Iterator[Job]:
        keys = CacheKeys(self.request.query, self.request.means.backend, self.request.loading)
        for file in self.files:
            if str(file) == "-" or file.name.endswith(JSON_LINES):
                yield from _of_lines(file, keys)
            else:
                yield _of_file(file, keys)


def _files(given: str) -> list[Path]:
    """The files of one input; those of a folder are specs, not types."""
    path = Path(given)
    if path.is_dir():
        return specs_in(path)
    if given == "-" or path.exists():
        return [path]
    if not glob.has_magic(given):
        raise InputError(f"{given}: there is no such file or folder")
    if not (names := sorted(glob.glob(given, recursive=True))):  # noqa: PTH207 (Path.glob takes no absolute pattern)
        raise InputError(f"{given}: no file fits this pattern")
    return [
        file for name in names for file in (_files(name) if Path(name).is_dir() else [Path(name)])
    ]


def _total(files: Sequence[Path]) -> int | None:
    total = 0
    for file in files:
        if not file.name.endswith(JSON_LINES) and str(file) != "-":
            total += 1
        elif str(file) == "-" or not S_ISREG(file.stat().st_mode):
            return None
        else:
            with suppress(OSError, EOFError, zlib.error), _opened(file) as stream:
                total += sum(1 for line in _lines(stream) if line is None or line.strip())
    return total


# Jobs ---------------------------------------------------------------------------------------------


def _of_file(file: Path, keys: CacheKeys) -> Job:
    try:
        text = read_text(file)
    except InputError as error:
        return Job(keys.unread(str(file), str(error)), str(file), "", "", None, error)
    header = Header(file, False)
    with suppress(InputError):  # it is reported when the puzzle is loaded
        header = header_of(file, text)
    problem = InputError(f"{file}: expected a spec, got a puzzle type") if header.is_type else None
    return Job(keys.of(text, header.name, file.parent), str(file), header.name, text, file, problem)


def _of_lines(file: Path, keys: CacheKeys) -> Iterator[Job]:
    name = "<stdin>" if str(file) == "-" else str(file)
    number = 0

    def unread(number: int, problem: str) -> Job:
        place = f"{name}:{number}"
        return Job(
            keys.unread(place, problem), place, "", "", None, InputError(f"{place}: {problem}")
        )

    try:
        with _opened(file) as stream:
            for number, line in enumerate(_lines(stream), 1):
                if line is None:
                    yield unread(number, f"expected at most {FILE_BYTES:,} bytes in a line")
                elif line.strip():
                    try:
                        text, kind = _object(line)
                    except ValueError as error:
                        yield unread(number, str(error))
                    else:
                        yield Job(keys.of(text, kind, Path()), f"{name}:{number}", kind, text)
    except (OSError, EOFError, zlib.error) as error:
        yield unread(
            number + 1, f"cannot be read from here on: {getattr(error, 'strerror', None) or error}"
        )


@contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    """A file or standard input, unpacked if it is gzip."""
    if str(file) == "-" and sys.stdin is None:
        raise InputError("standard input is closed: there are no specs to read")
    raw: Any = sys.stdin.buffer if str(file) == "-" else file.open("rb")
    stream = io.BufferedReader(raw)
    with stream:
        if stream.peek(2)[:2] == b"\x1f\x8b":
            with gzip.open(stream, "rb") as unpacked:
                yield unpacked
        else:
            yield stream


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """The lines; None for one that is too long."""
    most = FILE_BYTES
    while line := stream.readline(most + 1):
        if len(line) <= most:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(most)
        yield None


def _object(line: bytes) -> tuple[str, str]:
    """The text of a JSON object, and the name of its type. Raises ValueError."""
    try:
        text = line.decode("utf-8-sig").strip()
        found = json.loads(text, object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        raise ValueError(
            f"this is not UTF-8 text (byte 0x{error.object[error.start]:02X})"
        ) from None
    except _GivenTwice as error:
        raise ValueError(f"the key `{error}` is given twice") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"expected a JSON object: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"expected a JSON object, got {type(found).__name__}")
    return text, str(found.get("puzzle") or "")


class _GivenTwice(ValueError):
    """A key of a JSON object that is given twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The mapping of these pairs. Raises _GivenTwice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _GivenTwice(key)
        found[key] = value
    return found
