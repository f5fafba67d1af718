"""Results of puzzles, and their file: a JSON line for each puzzle, which a batch appends to and
reads again.

A line is handed to the system as soon as its puzzle is done, so it survives the end of the batch,
whatever ends it. The file is synced to the disk every second, so a machine that loses its power
loses the last second at most; the puzzles of that second are done again.
"""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import Any

from puzzlekit.batch.jobs import Job, Request
from puzzlekit.batch.keys import Files, key_of_result
from puzzlekit.errors import InputError, MissingExtra, installing

SYNC_SECONDS = 1.0  # between two syncs of the file of results

# each status with the exit code of `batch`; the last one that occurs counts
CODES = {
    # a solution that is proven best, drawn at random, or among those that were asked for
    "solved": 0,
    "unique": 0,
    "several": 0,
    "none": 0,
    "ok": 0,  # as `expect` says
    "stopped": 3,
    "undecided": 3,
    "crashed": 3,  # workers died
    "unsupported": 2,
    "invalid": 2,
    "bug": 70,
}
UNFINISHED = ("stopped", "undecided", "crashed")
BEGINNING = b'{"key": "'
EMPTY: Files = {}
AGAIN = "start the same command again to go on from here"


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a puzzle.

    Attributes:
        key: The key of the result.
        job: The key of its job.
        files: What was read while the puzzle was loaded.
        type: The name of the puzzle's type.
        status: A key of `CODES`.
        seconds: The time that it took, loading included.
        line: The result as a line of JSON.
    """

    key: str
    job: str
    files: Files
    type: str
    status: str
    seconds: float
    line: bytes


def build_result(
    job: Job,
    request: Request,
    status: str,
    seconds: float,
    reason: str | None = None,
    files: Files = EMPTY,
    **found: Any,
) -> Result:
    """The result of a job, with what was found: `puzzle`, `count`, `counted`, `uniform`, `goal`,
    `solutions`, `backend`.
    """
    bounds = {"bounds": request.bounds} if status in UNFINISHED else {}
    key = key_of_result(job.key, files)
    line: dict[str, Any] = {
        "key": key,
        "spec": job.name,
        "puzzle": job.type or None,
        "status": status,
    }
    line |= {
        "reason": reason,
        "help": None,
        "count": None,
        "counted": False,
        "uniform": None,
        "goal": None,
        "solutions": [],
        "backend": None,
    }
    line |= {**found, **({"files": files} if files else {}), **bounds, "seconds": round(seconds, 4)}
    written = json.dumps(line, ensure_ascii=False).encode(errors="replace") + b"\n"
    return Result(key, job.key, files, str(line["puzzle"] or "?"), status, seconds, written)


@dataclass(frozen=True, slots=True)
class Record:
    """A line of the file, as far as a batch needs it."""

    key: str
    type: str
    status: str
    seconds: float
    bounds: str
    fields: dict[str, Any]

    @property
    def job(self) -> str:
        """The key of the job."""
        return self.key.partition("-")[0]

    @property
    def files(self) -> Files:
        """What was read while the puzzle was loaded."""
        found: Files = self.fields.get("files") or EMPTY
        return found


class Results:
    """The file, open and locked.

    Raises:
        InputError: It cannot be opened, another batch writes to it, or it holds something else.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._synced = time.monotonic()
        self._dirty = False
        try:
            if path.exists() and not S_ISREG(path.stat().st_mode):
                raise InputError(f"--out {path}: expected a file, got something else")
            self._file = os.open(
                path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666
            )
        except OSError as error:
            raise InputError(
                f"--out {path}: cannot write a file here: {error.strerror or error}"
            ) from None
        try:
            self._lock()
            self._mend()
        except BaseException:
            os.close(self._file)
            raise

    def _lock(self) -> None:
        """Lock the file until it is closed or this process ends."""
        try:
            import fcntl
        except ImportError:  # no such locks on this platform
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"--out {self.path}: another batch writes to this file") from None

    def _mend(self) -> None:
        """Cut off a last line that was not written to its end."""
        self.length = os.fstat(self._file).st_size
        with self.path.open("rb") as file:
            end = _end_of_lines(file, self.length)
            if end == self.length:
                return
            file.seek(end)
            start = file.read(len(BEGINNING)).rstrip(b"\0")
        if not BEGINNING.startswith(start):
            raise InputError(
                f"--out {self.path}: expected results of a batch; the last line is none"
            )
        self._cut(end)

    def _cut(self, length: int) -> None:
        os.ftruncate(self._file, length)
        os.fsync(self._file)
        self.length = length

    def lines(self) -> Iterator[Record]:
        """The lines that are whole. Raises InputError for one that is no result."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    read = json.loads(line)
                    status, bounds = read["status"], read.get("bounds") or ""
                    known = (
                        read["key"],
                        read["puzzle"] or "?",
                        status,
                        float(read["seconds"]),
                        bounds,
                    )
                    if (
                        status not in CODES
                        or not isinstance(read["key"], str)
                        or not isinstance(read.get("files") or {}, dict)
                    ):
                        raise ValueError(status)
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    if b"\0" in line:  # it was never written: the machine lost its power
                        continue
                    help = "results of a batch are appended to the file; remove the line, or name another file"
                    raise InputError(
                        f"--out {self.path}:{number}: expected a result of a batch", help=help
                    ) from None
                yield Record(*known, read)

    def current(self, keys: Collection[str]) -> Iterator[Record]:
        """The lines with these keys, one for each: the last one of a puzzle that was stopped and
        done anew.
        """
        stopped: dict[str, Record] = {}
        for line in self.lines():
            if line.key not in keys:
                continue
            stopped.pop(line.key, None)
            if line.status in UNFINISHED:
                stopped[line.key] = line
            else:
                yield line
        yield from stopped.values()

    def append(self, line: bytes) -> None:
        """Append a line, whole or not at all. Raises InputError, as for a full disk."""
        data = memoryview(line)
        try:
            while data:
                data = data[os.write(self._file, data) :]
            self.length += len(line)
            self._dirty = True
            self.sync(SYNC_SECONDS)
        except OSError as error:
            self._undo()
            raise self._unwritten(error) from None
        except BaseException:  # Ctrl-C
            if data:
                self._undo()
            raise

    def _undo(self) -> None:
        with suppress(OSError):  # the next batch mends it
            self._cut(self.length)

    def sync(self, after: float = 0.0) -> None:
        """Have the system write the file to the disk, if the last time is so many seconds ago.
        Raises OSError.
        """
        if self._dirty and time.monotonic() - self._synced >= after:
            os.fsync(self._file)
            self._dirty, self._synced = False, time.monotonic()

    def close(self) -> None:
        """Sync and close the file. Raises InputError."""
        try:
            self.sync()
        except OSError as error:
            raise self._unwritten(error) from None
        finally:
            os.close(self._file)

    def _unwritten(self, error: OSError) -> InputError:
        return InputError(
            f"{self.path}: cannot write the results: {error.strerror or error}",
            help=f"the file is whole; {AGAIN}",
        )


def _end_of_lines(file: Any, length: int) -> int:
    """Where the last line break of a file ends; 0 if it has none."""
    end = length
    while end:
        start = max(0, end - (1 << 16))
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return int(start + found + 1)
        end = start
    return 0


# As a Parquet file --------------------------------------------------------------------------------


ROWS = 10_000  # of a group, which is compressed on its own
LARGEST = 2**63 - 1


def require_parquet() -> None:
    """Raise MissingExtra if the library is not installed."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtra(f"--parquet requires an extra: {installing('parquet')}") from None


def parquet(lines: Iterable[Record]) -> bytes:
    """The results as a Parquet file: a column for each key; goals and solutions are JSON.

    A count of 2⁶³ or more is null.
    """
    import pyarrow
    import pyarrow.parquet

    texts = ("key", "spec", "puzzle", "status", "reason", "help", "backend", "goal", "solutions")
    columns = {
        **dict.fromkeys(texts, pyarrow.string()),
        "count": pyarrow.int64(),
        "counted": pyarrow.bool_(),
    }
    schema = pyarrow.schema({**columns, "uniform": pyarrow.bool_(), "seconds": pyarrow.float64()})
    file, rows = io.BytesIO(), map(_row, lines)
    with pyarrow.parquet.ParquetWriter(file, schema) as writer:
        while some := list(islice(rows, ROWS)):
            writer.write_table(pyarrow.Table.from_pylist(some, schema))
    return file.getvalue()


def _row(line: Record) -> dict[str, Any]:
    row, count = line.fields, line.fields.get("count")
    texts = {
        name: None if row.get(name) is None else json.dumps(row[name], ensure_ascii=False)
        for name in ("goal", "solutions")
    }
    return {**row, **texts, "count": count if isinstance(count, int) and count <= LARGEST else None}
