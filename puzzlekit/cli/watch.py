"""`--watch`: run a command again each time one of its files is saved."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import watchfiles

from puzzlekit.catalogue import find, read_header
from puzzlekit.cli.program import Work, answer
from puzzlekit.errors import InputError, PuzzlekitError, printable
from puzzlekit.lang import read_type, sections_of
from puzzlekit.processes import end_command_after
from puzzlekit.sentences import Watching, counted

LOOK = 0.5  # seconds between two looks, if the system reports no change
STEADY = 0.05  # seconds without a change after which a file counts as saved
MISSING = 2.0  # seconds that a file may be missing, or empty, while an editor saves it
ENDED = (130, 141)  # exit codes after which the command is not run again
CLEAR = "\x1b[2J\x1b[H"
# The time, size and number of a file, which change when it is saved; None if it is missing or empty
Stamp = tuple[int, int, int] | None


def watched(work: Work, files: Sequence[Path], as_json: bool) -> int:
    """Run a command, and again after each change of its files, until Ctrl-C; return the exit code.

    Args:
        work: The command.
        files: The files that the user named. Their types are watched, too.
        as_json: Whether the command prints JSON, which cannot be watched.

    Raises:
        InputError: There is no such file at the beginning, or none that can be watched.
    """
    if as_json:
        raise InputError("--watch cannot be combined with --json")
    if not files or Path("-") in files:
        raise InputError("--watch requires a file, not standard input or only the name of a type")
    for path in files:
        if not path.is_file():
            raise InputError(f"{path}: there is no such file")
    try:
        return _until_the_end(work, files)
    except KeyboardInterrupt:
        return 130


def _until_the_end(work: Work, files: Sequence[Path]) -> int:
    while True:
        dependencies = (dependency for path in files for dependency in _dependencies(path))
        watched = list(dict.fromkeys(dependencies))
        before = _stamps(watched)
        code = answer(work)
        end_command_after(None)
        if code in ENDED:
            return code
        more = len(watched) - 1
        others = counted(more, "more file") if more else ""
        print(f"\n{printable(str(Watching(str(watched[0]), others)))}", flush=True)
        _wait(watched, before)
        if sys.stdout.isatty():
            print(CLEAR, end="", flush=True)
        else:
            print(flush=True)


def _dependencies(path: Path) -> Iterator[Path]:
    """Yield a spec or type, the type of the spec, and the files that its sections depend on."""
    yield path
    with suppress(PuzzlekitError):
        header = read_header(path)
        if header.is_type or not header.name:
            type_path = path
        else:
            type_path = find(header.name, path.parent)
        yield type_path
        for section in sections_of(read_type(type_path)):
            yield from section.files()


def _stamps(paths: Iterable[Path]) -> dict[Path, Stamp]:
    return {path: _stamp(path) for path in paths}


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    if status.st_size == 0:
        return None
    return status.st_mtime_ns, status.st_size, status.st_ino


def _wait(paths: list[Path], before: dict[Path, Stamp]) -> None:
    """Return when a file has been saved since the stamps were taken."""
    missing_since: float | None = None
    for _ in _looks({path.parent for path in paths if path.parent.is_dir()}):
        now = _stamps(paths)
        if now == before:
            missing_since = None
            continue
        if any(now[path] is None and before[path] is not None for path in paths):
            missing_since = missing_since or time.monotonic()
            if time.monotonic() - missing_since < MISSING:
                continue
        time.sleep(STEADY)
        if _stamps(paths) == now:
            return


def _looks(folders: Iterable[Path]) -> Iterator[None]:
    """Yield after each change in a folder, and every now and then."""
    yield None  # what was saved during the run
    wait = int(LOOK * 1000)
    try:
        changes = watchfiles.watch(
            *folders,
            watch_filter=None,
            debounce=50,
            rust_timeout=wait,
            yield_on_timeout=True,
            recursive=False,
        )
        for _ in changes:
            yield None
    except (OSError, RuntimeError):  # the system has no watches left, or a folder is gone
        while True:
            time.sleep(LOOK)
            yield None
