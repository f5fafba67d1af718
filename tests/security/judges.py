"""Who sees what a command does in a folder: inotify, which sees what is opened, and strace,
which sees what is looked for.
"""

import ctypes
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LONGEST = 600  # seconds for a command, on a machine that does other work
OPEN, ACCESS = 0x20, 0x1  # of inotify
CALL = re.compile(r"^(?:\d+ +)?(\w+)\((?:(?:AT_FDCWD|\d+)(?:<([^>]*)>)?, )?\"((?:[^\"\\]|\\.)*)\"")
PLACE = frozenset({"getcwd", "statfs"})  # they ask about the folder, and look at nothing in it


@dataclass
class Seen:
    """What a command did: its exit code and output,
    and the files of the watched folders that it touched.
    """

    code: int
    output: str
    opened: set[str] = field(default_factory=set)
    looked_for: set[str] = field(default_factory=set)
    executed: set[str] = field(default_factory=set)


@cache
def strace() -> str | None:
    """The program strace, if it works here.

    With PUZZLEKIT_STRACE=required a missing one fails; with `off` it is not used.
    """
    wanted = os.environ.get("PUZZLEKIT_STRACE")
    found = shutil.which("strace") if wanted != "off" else None
    if found is not None:
        tried = subprocess.run(
            [found, "-qq", "-o", os.devnull, "true"], capture_output=True, check=False
        )
        found = found if tried.returncode == 0 else None
    assert found or wanted != "required", (
        "PUZZLEKIT_STRACE=required, and strace is missing or may not trace"
    )
    return found


def watched(
    command: list[str],
    cwd: Path,
    folders: Collection[Path],
    log: Path,
    environment: dict[str, str],
    stdin: str = "",
) -> Seen:
    """Run a command in a folder, and see what it touches in these folders.

    Programs that it starts are part of it.
    """
    tracer = strace()
    traced = (
        [
            tracer,
            "-f",
            "--seccomp-bpf",
            "-qq",
            "-y",
            "-s",
            "4096",
            "-e",
            "trace=%file",
            "-o",
            str(log),
            *command,
        ]
        if tracer
        else command
    )
    with _opened(folders) as opened:
        pipes: Any = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.STDOUT,
            "encoding": "utf-8",
        }
        with subprocess.Popen(
            traced, cwd=cwd, env=environment, start_new_session=True, **pipes
        ) as process:
            try:
                output, _ = process.communicate(stdin, timeout=LONGEST)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
    seen = Seen(process.returncode, output, opened)
    for call, path in _calls(log, cwd) if tracer else ():
        for folder in folders:
            if path.is_relative_to(folder) and call not in PLACE:
                (seen.executed if call.startswith("exec") else seen.looked_for).add(
                    path.relative_to(folder).as_posix()
                )
    return seen


def _calls(log: Path, cwd: Path) -> Iterator[tuple[str, Path]]:
    """Each call of the system that names a path, with the path;
    a relative one begins where strace says, or in `cwd`.
    """
    for line in log.read_text("utf-8", "replace").splitlines():
        if (found := CALL.match(line)) and found[3]:
            yield found[1], Path(os.path.normpath(Path(found[2] or cwd) / found[3]))


@contextmanager
def _opened(folders: Collection[Path]) -> Iterator[set[str]]:
    """The names of the files that are opened in these folders and in what is in them,
    while the context lasts.
    """
    opened: set[str] = set()
    if sys.platform != "linux":
        pytest.skip("inotify and strace are Linux's")
    system = ctypes.CDLL(None, use_errno=True)
    handle = system.inotify_init1(os.O_NONBLOCK)
    assert handle >= 0, os.strerror(ctypes.get_errno())
    names: dict[int, str] = {}
    for folder in folders:
        for place in (folder, *(path for path in folder.rglob("*") if path.is_dir())):
            watch = system.inotify_add_watch(handle, os.fsencode(place), OPEN | ACCESS)
            assert watch >= 0, os.strerror(ctypes.get_errno())
            names[watch] = place.relative_to(folder).as_posix()
    try:
        yield opened
        while True:
            try:
                events = os.read(handle, 1 << 16)
            except BlockingIOError:
                break
            while events:
                watch, _, _, length = struct.unpack_from("iIII", events)
                name = events[16 : 16 + length].rstrip(b"\0").decode("utf-8", "replace")
                opened.add(os.path.normpath(os.path.join(names[watch], name)))  # noqa: PTH118
                events = events[16 + length :]
    finally:
        os.close(handle)
