"""Run puzzles of the collection: each in a process of its own, with its results appended to a file."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import pkgutil
import resource
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import astuple, dataclass
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

import yaml

import puzzlekit
from puzzlekit import catalogue
from puzzlekit.errors import InputError, PuzzlekitError
from tests.corpus import notation
from tests.corpus.kinds import kinds
from tests.corpus.notation import Answer, Refused, page

KINDS = kinds()
STATUSES = ("agree", "several", "differs", "stopped", "refused")
MEMORY = 3_000_000_000  # bytes of data of a worker
WAIT = 15  # seconds by the clock for each second of processor time, where other programs run, too


@dataclass(frozen=True)
class Entry:
    """A puzzle of the collection."""

    kind: str
    name: str
    problem: str
    solution: str

    def key(self) -> str:
        """What the result depends on: the entry, its converter, its type and the package."""
        return _digest(self.kind, self.name, self.problem, self.solution, *_made_by(self.kind))


@dataclass(frozen=True)
class Result:
    """What came of a puzzle; seconds are processor time."""

    status: str
    reason: str = ""
    seconds: float = 0.0


# Reading the collection ----------------------------------------------------------------------------


def read(file: Path) -> tuple[str, list[Entry], str]:
    """The kind of a file, its puzzles, and why it cannot be read (empty if it can)."""
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        return file.stem, [], f"{file.name} cannot be read: {error}"
    data = content.get("data", content) if isinstance(content, dict) else content
    kind = content.get("name", file.stem) if isinstance(content, dict) and "data" in content else file.stem
    if isinstance(data, list):
        data = {str(number): puzzle for number, puzzle in enumerate(data, 1)}
    if not isinstance(data, dict):
        return str(kind), [], f"{file.name} holds no puzzles"
    return str(kind), [_entry(str(kind), str(name), puzzle) for name, puzzle in data.items()], ""


def _entry(kind: str, name: str, puzzle: Any) -> Entry:
    parts = puzzle if isinstance(puzzle, dict) else {}
    return Entry(kind, name, *(str(parts.get(which) or "") for which in ("problem", "solution")))


def spec_of(entry: Entry) -> dict[str, Any]:
    """The spec of a puzzle, for `puzzlekit batch`. Raises whatever its converter raises."""
    if entry.kind not in KINDS:
        raise Refused("the kind has no converter")
    kind = KINDS[entry.kind][0]
    spec, _ = kind.convert(page(entry.problem), page(entry.solution))
    fields = yaml.load(spec, yaml.BaseLoader) if isinstance(spec, str) else spec
    return {"puzzle": kind.type, "title": f"{entry.kind} {entry.name}", **fields}


# A puzzle ------------------------------------------------------------------------------------------


def attempt(entry: Entry, seconds: float) -> tuple[str, str]:
    """The status of a puzzle and its reason."""
    try:
        if entry.kind not in KINDS:
            raise Refused("the kind has no converter")
        if not entry.problem.strip() or not entry.solution.strip():
            raise Refused(f"the collection has no {'solution' if entry.problem.strip() else 'problem'}")
        kind = KINDS[entry.kind][0]
        spec, answer = kind.convert(page(entry.problem), page(entry.solution))
    except Refused as refusal:
        return "refused", str(refusal)
    except Exception as error:  # a converter that meets a notation it does not know
        return "refused", f"the converter failed: {_named(error)}"
    try:
        puzzle = puzzlekit.load(kind.type, spec, timeout=seconds * WAIT)
        found = [solution.json() for solution in puzzle.solve(limit=2, timeout=seconds * WAIT)]
    except (puzzlekit.Stopped, puzzlekit.Undecided, MemoryError) as error:
        return "stopped", _named(error)
    except (InputError, puzzlekit.Unsupported) as error:
        return "refused", f"puzzlekit: {error}".split("\n")[0]
    except Exception as error:
        return "differs", f"puzzlekit failed: {_named(error)}"
    try:
        normal = [answer.found(solution) for solution in found]
    except Exception as error:
        return "refused", f"the solution could not be compared: {_named(error)}"
    if normal == [answer.expected]:
        return "agree", ""
    return _judged(normal, answer)


def _judged(normal: list[Any], answer: Answer) -> tuple[str, str]:
    """Why solutions, in the collection's normal form, are not its single one."""
    note = f"; {answer.note}" if answer.note else ""
    if not normal:
        return "differs", f"the type has no solution{note}"
    if len(normal) == 1:
        return "differs", f"the only solution is not the collection's: {_difference(normal[0], answer.expected)}{note}"
    if normal[0] == normal[1]:
        return "several", f"two solutions which are the same in the collection's notation{note}"
    which = "one of them" if answer.expected in normal else "neither"
    return "several", f"two solutions, {which} the collection's{note}"


def _difference(found: Any, expected: Any) -> str:
    """Where two normal forms differ first."""
    if isinstance(found, frozenset) and isinstance(expected, frozenset):
        return f"{len(found - expected)} lines or parts of ours, {len(expected - found)} of the collection's"
    if not isinstance(found, tuple) or not isinstance(expected, tuple):
        return f"{found}, not {expected}"
    if len(found) != len(expected):
        return f"{len(found)} rows or cells, not {len(expected)}"
    place = next(place for place, (a, b) in enumerate(zip(found, expected)) if a != b)
    return f"{place + 1}: {_difference(found[place], expected[place])}"


def _named(error: BaseException) -> str:
    text = str(error).split("\n")[0]
    return text if isinstance(error, PuzzlekitError) and text else f"{type(error).__name__} {text}".strip()


# Workers -------------------------------------------------------------------------------------------


def run(entries: Iterable[Entry], seconds: float, workers: int) -> Iterator[tuple[Entry, Result]]:
    """The results in the order in which they are done. Each puzzle has a process of its own, so that none harms another."""
    waiting, running = iter(entries), dict[int, tuple[Entry, int]]()
    import_all()
    try:
        while True:
            while len(running) < workers and (entry := next(waiting, None)) is not None:
                pid, pipe = _start(entry, seconds)
                running[pid] = entry, pipe
            if not running:
                return
            pid, status, usage = os.wait4(-1, 0)
            if pid in running:
                entry, pipe = running.pop(pid)
                yield entry, _result(pipe, pid, status, usage.ru_utime + usage.ru_stime, seconds)
    finally:
        for pid in running:
            _kill(pid)
            with suppress(ChildProcessError):
                os.waitpid(pid, 0)


@cache
def import_all() -> None:
    """Import the package with its backends once, not in each worker."""
    for module in pkgutil.walk_packages(puzzlekit.__path__, "puzzlekit."):
        if not module.name.startswith(("puzzlekit.__main__", "puzzlekit.cli")):
            with suppress(ImportError):  # the library of a backend that is not installed
                importlib.import_module(module.name)


def _start(entry: Entry, seconds: float) -> tuple[int, int]:
    """Fork a worker. Returns its process id and the pipe that its result comes by."""
    sys.stdout.flush()
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    try:
        os.setsid()  # what the worker starts ends with it
        os.close(reading)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, seconds * WAIT + 60)
        resource.setrlimit(resource.RLIMIT_CPU, (ceil(seconds) + 1,) * 2)  # also of each process that it starts
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        status, reason = attempt(entry, seconds)
        os.write(writing, json.dumps([status, reason[:200]]).encode())
    except BaseException as error:
        with suppress(Exception):
            os.write(writing, json.dumps(["stopped", f"the worker failed: {_named(error)}"]).encode())
    finally:
        os._exit(0)


def _result(pipe: int, pid: int, status: int, used: float, seconds: float) -> Result:
    """What a worker wrote, or how it died."""
    _kill(pid)
    with os.fdopen(pipe, "rb") as file:
        written = file.read()
    used = round(used, 3)
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    if used > seconds or number in (signal.SIGXCPU, signal.SIGPROF):
        return Result("stopped", f"after {used:.1f} s of processor time", used)
    if number == signal.SIGALRM:
        return Result("stopped", f"by the clock, after {used:.1f} s of processor time", used)
    if not written:
        how = signal.Signals(number).name if number else f"exit code {os.waitstatus_to_exitcode(status)}"
        return Result("stopped", f"the worker died: {how}", used)
    status_of, reason = json.loads(written)
    return Result(status_of, reason, used)


def _kill(group: int) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


# Results -------------------------------------------------------------------------------------------


class Results:
    """A file of results, one JSON line for each puzzle that is done."""

    def __init__(self, path: Path) -> None:
        self.known: dict[str, tuple[Result, float]] = {}
        self.path = path
        with path.open("a+", encoding="utf-8") as file:
            file.seek(0)
            for line in file:
                with suppress(ValueError, TypeError, KeyError):  # a line that was being written when the run was killed
                    saved = json.loads(line)
                    self.known[saved["key"]] = Result(*saved["result"]), saved["limit"]

    def of(self, entry: Entry, seconds: float) -> Result | None:
        """The saved result, unless it was stopped earlier than it would be now."""
        result, limit = self.known.get(entry.key(), (None, 0.0))
        if result is None or (result.status == "stopped" and limit < seconds):
            return None
        if result.seconds > seconds:
            return Result("stopped", f"after {seconds:.1f} s of processor time", seconds)
        return result

    def add(self, entry: Entry, result: Result, seconds: float) -> None:
        """Append a result."""
        saved = {"kind": entry.kind, "puzzle": entry.name, "key": entry.key(), "limit": seconds}
        with self.path.open("a", encoding="utf-8") as file:
            file.write("\n" + json.dumps({**saved, "result": astuple(result)}))


_MADE: dict[str, tuple[str, ...]] = {}


def _made_by(kind: str) -> tuple[str, ...]:
    """Digests of the code and the type that a result of this kind depends on."""
    if "" not in _MADE:
        package = Path(puzzlekit.__file__).parent
        _MADE[""] = (_digest(*(file.read_text(encoding="utf-8") for file in sorted(package.rglob("*.py")))),)
    if kind not in _MADE:
        files = [Path(notation.__file__), Path(__file__)]
        if kind in KINDS:
            files.append(Path(str(KINDS[kind][1].__file__)))
            with suppress(InputError):
                files.append(catalogue.find(KINDS[kind][0].type))
        _MADE[kind] = (*_MADE[""], _digest(*(file.read_text(encoding="utf-8") for file in files)))
    return _MADE[kind]


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:20]
