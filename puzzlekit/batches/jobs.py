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
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO

from puzzlekit.batches.keys import CacheKeys
from puzzlekit.catalogue import Header, header_of, specs_in
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.lang import read_text
from puzzlekit.options import LoadOptions, RunOptions
from puzzlekit.processes import bytes_of
from puzzlekit.query import Query
from puzzlekit.reading import FILE_BYTES

JSON_LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
GZIP_MAGIC = b"\x1f\x8b"  # the first bytes of a gzip file


@dataclass(frozen=True)
class Request:
    """What is asked of each puzzle, and the bounds on each.

    Attributes:
        query: The query; None to check the solutions against `expect`.
        load_options: How each puzzle is loaded.
        run_options: The backend, the seconds for each puzzle, and the memory of each worker; None
            for an equal share of that of the machine.

    Raises:
        InputError: The memory is no size.
    """

    query: Query | None
    load_options: LoadOptions = LoadOptions()
    run_options: RunOptions = RunOptions()

    def __post_init__(self) -> None:
        self.bounds  # noqa: B018  it reads the size

    @property
    def memory(self) -> int | None:
        """The bytes for each worker."""
        memory = self.run_options.memory
        return None if memory is None else bytes_of(memory)

    @property
    def bounds(self) -> str:
        """The bounds as text: a puzzle that was stopped is done anew under others."""
        timeout = self.run_options.timeout
        text = "" if timeout is None else f"{timeout:g} s"
        if self.memory is not None:
            text += f" {self.memory:,} bytes"
        return text


@dataclass(frozen=True, slots=True)
class Job:
    """A spec to answer.

    Attributes:
        key: A digest of the request, the spec and its type.
        name: The spec's path, followed by the number of the line in a file of JSON lines.
        type: The name of its type, if the spec states it; else empty.
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
        """The folder of relative paths in the spec."""
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
        self.files = [file for argument in given for file in _files(argument)]
        self.total = _total(self.files)

    def __iter__(self) -> Iterator[Job]:
        keys = CacheKeys(
            self.request.query, self.request.run_options.backend, self.request.load_options
        )
        for file in self.files:
            if str(file) == "-" or file.name.endswith(JSON_LINES):
                yield from _of_lines(file, keys)
            else:
                yield _of_file(file, keys)


def _files(given: str) -> list[Path]:
    """Return the files of one input; those of a folder are specs, not types."""
    path = Path(given)
    if path.is_dir():
        return specs_in(path)
    if given == "-" or path.exists():
        return [path]
    if not glob.has_magic(given):
        raise InputError(f"{given}: there is no such file or folder")
    # Path.glob takes no absolute pattern
    names = sorted(glob.glob(given, recursive=True))  # noqa: PTH207
    if not names:
        raise InputError(f"{given}: no file fits this pattern")
    files: list[Path] = []
    for name in names:
        files += _files(name) if Path(name).is_dir() else [Path(name)]
    return files


def _total(files: Sequence[Path]) -> int | None:
    """Return the number of specs in files; None if that is not known."""
    total = 0
    for file in files:
        if str(file) == "-":
            return None
        if not file.name.endswith(JSON_LINES):
            total += 1
            continue
        if not S_ISREG(file.stat().st_mode):
            return None
        with suppress(OSError, EOFError, zlib.error), _opened(file) as stream:
            for line in _lines(stream):
                total += line is None or bool(line.strip())
    return total


# Jobs ---------------------------------------------------------------------------------------------


def _of_file(file: Path, keys: CacheKeys) -> Job:
    """Return the job of a spec file."""
    name = str(file)
    try:
        text = read_text(file)
    except InputError as error:
        return Job(keys.unread(name, str(error)), name, "", "", None, error)
    header = Header(file, False)
    with suppress(InputError):  # it is reported when the puzzle is loaded
        header = header_of(file, text)
    problem = None
    if header.is_type:
        problem = InputError(f"{file}: expected a spec, got a puzzle type")
    key = keys.of(text, header.name, file.parent)
    return Job(key, name, header.name, text, file, problem)


def _of_lines(file: Path, keys: CacheKeys) -> Iterator[Job]:
    """Yield the jobs of a file of JSON lines."""
    file_name = "<stdin>" if str(file) == "-" else str(file)
    number = 0
    try:
        with _opened(file) as stream:
            for number, line in enumerate(_lines(stream), 1):
                if line is None or line.strip():
                    yield _of_line(f"{file_name}:{number}", line, keys)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        message = f"cannot be read from here on: {reason}"
        yield _unread(f"{file_name}:{number + 1}", message, keys)


def _of_line(name: str, line: bytes | None, keys: CacheKeys) -> Job:
    """Return the job of a JSON line; None is a line that is too long."""
    if line is None:
        return _unread(name, f"expected at most {FILE_BYTES:,} bytes in a line", keys)
    try:
        text, type_name = _object(line)
    except ValueError as error:
        return _unread(name, str(error), keys)
    return Job(keys.of(text, type_name, Path()), name, type_name, text)


def _unread(name: str, message: str, keys: CacheKeys) -> Job:
    """Return the job of a line that cannot be read."""
    problem = InputError(f"{name}: {message}")
    return Job(keys.unread(name, message), name, "", "", None, problem)


@contextmanager
def _opened(file: Path) -> Iterator[BinaryIO]:
    """Give a file or standard input, unpacked if it is gzip."""
    raw: Any
    if str(file) != "-":
        raw = file.open("rb")
    elif sys.stdin is not None:
        raw = sys.stdin.buffer
    else:
        raise InputError("standard input is closed: there are no specs to read")
    stream = io.BufferedReader(raw)
    with stream:
        if stream.peek(2)[:2] == GZIP_MAGIC:
            with gzip.open(stream, "rb") as unpacked:
                yield unpacked
        else:
            yield stream


def _lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines; None for one that is too long."""
    most = FILE_BYTES
    while line := stream.readline(most + 1):
        if len(line) <= most:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(most)
        yield None


def _object(line: bytes) -> tuple[str, str]:
    """Return the text of a JSON object, and the name of its type. Raises ValueError."""
    try:
        text = line.decode("utf-8-sig").strip()
        spec = json.loads(text, object_pairs_hook=_once)
    except UnicodeDecodeError as error:
        byte = error.object[error.start]
        raise ValueError(f"this is not UTF-8 text (byte 0x{byte:02X})") from None
    except _GivenTwice as error:
        raise ValueError(f"the key `{error}` is given twice") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"expected a JSON object: {error}") from None
    if not isinstance(spec, dict):
        raise ValueError(f"expected a JSON object, got {type(spec).__name__}")
    return text, str(spec.get("puzzle") or "")


class _GivenTwice(ValueError):
    """A key of a JSON object that is given twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the mapping of these pairs. Raises _GivenTwice."""
    mapping: dict[str, Any] = {}
    for key, value in pairs:
        if key in mapping:
            raise _GivenTwice(key)
        mapping[key] = value
    return mapping
