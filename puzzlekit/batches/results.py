"""Results of puzzles, and the file of their JSON lines, which a batch appends to and reads again.

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
from itertools import islice
from pathlib import Path
from stat import S_ISREG
from typing import Any

from puzzlekit.batches.jobs import Job, Request
from puzzlekit.batches.keys import Files, key_of_result
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, MissingExtra, installing, option
from puzzlekit.processes import lock_file

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
NO_RESULT = "results of a batch are appended to the file; remove the line, or name another file"
BLOCK_BYTES = 1 << 16  # that are searched at once for a line break


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
    **answer: Any,
) -> Result:
    """Return the result of a job.

    Args:
        job: The job.
        request: What was asked.
        status: A key of `CODES`.
        seconds: The time that it took, loading included.
        reason: Why it ended early; None if it did not.
        files: What was read while the puzzle was loaded.
        answer: `puzzle`, `count`, `counted`, `uniform`, `goal`, `solutions`, `backend` and `help`,
            as far as the job had them.
    """
    key = key_of_result(job.key, files)
    fields: dict[str, Any] = {
        "key": key,
        "spec": job.name,
        "puzzle": job.type or None,
        "status": status,
        "reason": reason,
        "help": None,
        "count": None,
        "counted": False,
        "uniform": None,
        "goal": None,
        "solutions": [],
        "backend": None,
    }
    fields |= answer
    if files:
        fields["files"] = files
    if status in UNFINISHED:
        fields["bounds"] = request.bounds
    fields["seconds"] = round(seconds, 4)
    line = json.dumps(fields, ensure_ascii=False).encode(errors="replace") + b"\n"
    type_name = str(fields["puzzle"] or "?")
    return Result(key, job.key, files, type_name, status, seconds, line)


@dataclass(frozen=True, slots=True)
class Record:
    """A line of the file.

    Attributes:
        key: The key of the result.
        type: The name of the puzzle's type.
        status: A key of `CODES`.
        seconds: The time that it took, loading included.
        bounds: The bounds of a puzzle that was stopped; empty for any other one.
        fields: All that the line states.
    """

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
        files: Files = self.fields.get("files") or EMPTY
        return files


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
                raise InputError(f"{option('out')} {path}: expected a file, got something else")
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
            self._file = os.open(path, flags, 0o666)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(
                f"{option('out')} {path}: cannot write a file here: {reason}"
            ) from None
        try:
            self._lock()
            self._mend()
        except BaseException:
            os.close(self._file)
            raise

    def _lock(self) -> None:
        """Lock the file until it is closed or this process ends."""
        if not lock_file(self._file):
            raise InputError(f"{option('out')} {self.path}: another batch writes to this file")

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
                f"{option('out')} {self.path}: expected results of a batch; the last line is none"
            )
        self._cut(end)

    def _cut(self, length: int) -> None:
        os.ftruncate(self._file, length)
        os.fsync(self._file)
        self.length = length

    def lines(self) -> Iterator[Record]:
        """Yield the records of complete lines. Raises InputError for one that is no result."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    record = _record(line)
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                    if b"\0" in line:  # it was never written: the machine lost its power
                        continue
                    raise InputError(
                        f"{option('out')} {self.path}:{number}: expected a result of a batch",
                        help=NO_RESULT,
                    ) from None
                yield record

    def latest(self, keys: Collection[str]) -> Iterator[Record]:
        """Yield a record for each of these keys.

        Of a puzzle that was stopped and done anew, it is the last one.
        """
        stopped: dict[str, Record] = {}
        for record in self.lines():
            if record.key not in keys:
                continue
            stopped.pop(record.key, None)
            if record.status in UNFINISHED:
                stopped[record.key] = record
            else:
                yield record
        yield from stopped.values()

    def append(self, line: bytes) -> None:
        """Append a line, completely or not at all. Raises InputError, as for a full disk."""
        unwritten = memoryview(line)
        try:
            while unwritten:
                unwritten = unwritten[os.write(self._file, unwritten) :]
            self.length += len(line)
            self._dirty = True
            self.sync(SYNC_SECONDS)
        except OSError as error:
            self._undo()
            raise self._error(error) from None
        except BaseException:  # Ctrl-C
            if unwritten:
                self._undo()
            raise

    def _undo(self) -> None:
        with suppress(OSError):  # the next batch mends it
            self._cut(self.length)

    def sync(self, after: float = 0.0) -> None:
        """Have the system write the file to the disk. Raises OSError.

        Args:
            after: The seconds that must have passed since the last time.
        """
        if self._dirty and time.monotonic() - self._synced >= after:
            os.fsync(self._file)
            self._dirty = False
            self._synced = time.monotonic()

    def close(self) -> None:
        """Sync and close the file. Raises InputError."""
        try:
            self.sync()
        except OSError as error:
            raise self._error(error) from None
        finally:
            os.close(self._file)

    def _error(self, error: OSError) -> InputError:
        reason = error.strerror or error
        message = f"{self.path}: cannot write the results: {reason}"
        return InputError(message, help=f"the file is whole; {AGAIN}")


def _record(line: bytes) -> Record:
    """Return the record of a line. Raises an error of its content if it is no result."""
    fields = json.loads(line)
    status = fields["status"]
    files = fields.get("files") or {}
    if status not in CODES or not isinstance(fields["key"], str) or not isinstance(files, dict):
        raise ValueError(status)
    type_name = fields["puzzle"] or "?"
    bounds = fields.get("bounds") or ""
    return Record(fields["key"], type_name, status, float(fields["seconds"]), bounds, fields)


def _end_of_lines(file: Any, length: int) -> int:
    """Return the offset after the last line break of a file; 0 if it has none."""
    end = length
    while end:
        start = max(0, end - BLOCK_BYTES)
        file.seek(start)
        offset = file.read(end - start).rfind(b"\n")
        if offset >= 0:
            return int(start + offset + 1)
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
        raise MissingExtra(
            f"{option('parquet')} requires an extra: {installing('parquet')}"
        ) from None


def parquet(records: Iterable[Record]) -> bytes:
    """Return the results as a Parquet file: a column for each key; goals and solutions are JSON.

    A count of 2⁶³ or more is null.
    """
    import pyarrow
    import pyarrow.parquet

    texts = ("key", "spec", "puzzle", "status", "reason", "help", "backend", "goal", "solutions")
    columns = dict.fromkeys(texts, pyarrow.string())
    columns |= {
        "count": pyarrow.int64(),
        "counted": pyarrow.bool_(),
        "uniform": pyarrow.bool_(),
        "seconds": pyarrow.float64(),
    }
    schema = pyarrow.schema(columns)
    file = io.BytesIO()
    rows = map(_row, records)
    with pyarrow.parquet.ParquetWriter(file, schema) as writer:
        while group := list(islice(rows, ROWS)):
            writer.write_table(pyarrow.Table.from_pylist(group, schema))
    return file.getvalue()


def _row(record: Record) -> dict[str, Any]:
    """Return the row of a record in a Parquet file."""
    row = dict(record.fields)
    for name in ("goal", "solutions"):
        if row.get(name) is not None:
            row[name] = json.dumps(row[name], ensure_ascii=False)
    count = row.get("count")
    if not isinstance(count, int) or count > LARGEST:
        row["count"] = None
    return row
