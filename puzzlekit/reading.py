"""Files and standard input as bytes and as text, which files a thread has read, and assignments.

Also the folder of the types that ship.
"""

from __future__ import annotations

import sys
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from threading import local

from puzzlekit.errors import COMPARED, InputError, Problem, Problems, SourcePos, closest_name
from puzzlekit.source import FILE_CHARACTERS

HERE = Path(__file__).resolve().parent
SHIPPED = (HERE / "puzzles", HERE.parent / "puzzles")  # in an installed package, in a checkout
FILE_BYTES = 4 * FILE_CHARACTERS + 3  # four bytes per character, and a byte order mark
PATH_CHARACTERS = 300  # a longer name in a message is shortened
STDIN = "<stdin>"
BINARY = {  # what files that are no text begin with
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"%PDF": "a PDF document",
    b"PK\x03\x04": "a ZIP archive",
    b"\x1f\x8b": "gzip data",
    b"\xfd7zXZ": "xz data",
    b"ACROSS&DOWN": "a file of Across Lite",
}


def shipped() -> Path:
    """Return the folder of the types that ship."""
    return next((folder for folder in SHIPPED if folder.is_dir()), SHIPPED[0])


def ships(path: Path) -> bool:
    """Return whether a file is one of the types that ship."""
    return path.resolve().parent in SHIPPED


class _Thread(local):
    """The files that a thread reads, if somebody records them."""

    files: set[Path] | None = None


_thread = _Thread()


@contextmanager
def recorded() -> Iterator[set[Path]]:
    """Give the set of the files that this thread reads, or looks for in vain, during this block."""
    outer = _thread.files
    files: set[Path] = set()
    _thread.files = files
    try:
        yield files
    finally:
        _thread.files = outer


_folders: tuple[Path, ...] = ()  # the only ones whose files this process reads; none for all


def confine(*folders: str | Path) -> None:
    """Restrict this process to files in these folders and below. Links are followed."""
    global _folders
    _folders = tuple(Path(folder).resolve() for folder in folders)


def reads(path: Path) -> None:
    """Record that a file is read, or looked for. Also call it if its content is cached.

    `batch` solves a puzzle anew when a file has changed that was read while the puzzle was loaded.

    Raises:
        InputError: This process may not read the file.
    """
    if _folders and not any(map(path.resolve().is_relative_to, _folders)):
        raise InputError(f"{name_of(path)}: only files in the folder that is served are read")
    if _thread.files is not None:
        _thread.files.add(path)


def read_text(path: Path) -> str:
    """Return the text of a type or spec file.

    Raises:
        InputError: The file cannot be read, or is too large.
        Problems: The text is not UTF-8.
    """
    content = read_bytes(path, FILE_BYTES, "write - to read a spec from standard input")
    return _decoded(str(path), content)


def read_stdin() -> str:
    """Return the text of a spec on standard input. Raises the errors of `read_text`."""
    if sys.stdin is None:
        raise InputError("standard input is closed: there is no spec to read")
    try:
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:
            return sys.stdin.read(FILE_CHARACTERS + 1)
        return _decoded(STDIN, stream.read(FILE_BYTES + 1))
    except OSError as error:
        raise InputError(f"cannot read standard input: {error.strerror or error}") from error


def _similar_file(path: Path) -> str:
    """Return a file of a similar name in the same folder, as help; empty without one."""
    files: dict[str, str] = {}  # by the name without the suffix, which many files share
    with suppress(OSError, ValueError):
        for entry in islice(path.parent.iterdir(), COMPARED):
            if entry.is_file():
                files.setdefault(entry.stem, entry.name)
    stem = closest_name(path.stem, files)
    return f"did you mean {files[stem]}?" if stem else ""


def read_bytes(path: Path, most: int, help: str = "") -> bytes:
    """Return the bytes of a regular file, or the first `most` + 1 of a larger one.

    Pipes and devices are refused: opening one may wait, and reading one may never end.

    Args:
        path: The file.
        most: The greatest size that the caller accepts.
        help: What to suggest instead of a pipe or a device.

    Raises:
        InputError: The file cannot be read.
    """
    reads(path)
    try:
        mode = path.stat().st_mode
        if S_ISDIR(mode):
            raise InputError(f"{path}: expected a file, got a folder")
        if not S_ISREG(mode):
            raise InputError(f"{path}: expected a file, got a pipe or a device", help=help)
        with path.open("rb") as stream:
            return stream.read(most + 1)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file", help=_similar_file(path)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{name_of(path)}: cannot read the file: {reason}") from error


def _decoded(path: str, content: bytes) -> str:
    """Return the text of a file. Raises Problems if it is not UTF-8."""
    if len(content) > FILE_BYTES:
        raise InputError(f"{path}: a type or spec has at most {FILE_CHARACTERS:,} characters")
    content = content.removeprefix(BOM_UTF8)
    try:
        return content.decode().replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        for begin_of_file, name in BINARY.items():
            if content.startswith(begin_of_file):
                raise InputError(f"{path}: expected text, got {name}") from None
        *lines, begin = content[: error.start].decode().split("\n")
        end = content[error.start :].split(b"\n", 1)[0].decode(errors="replace")
        position = SourcePos(path, len(lines) + 1, len(begin) + 1, begin + end)
        message = f"this is not UTF-8 text (byte 0x{content[error.start]:02X})"
        problem = Problem(message, position, "save the file as UTF-8")
        raise Problems([problem]) from None


def name_of(path: object) -> str:
    """Return the name of a file for a message.

    A name that is longer than a path can be is shortened: it may be any text.
    """
    name = str(path)
    return name if len(name) < PATH_CHARACTERS else f"{name[:80]}…"


def assigned_settings(assignments: Sequence[str] | None) -> dict[str, str]:
    """Return the fields that --set assigns, by name.

    Raises:
        InputError: An assignment has no name or no value, or a field is set twice.
    """
    values: dict[str, str] = {}
    for assignment in assignments or ():
        name, equals, value = assignment.partition("=")
        name = name.strip()
        if not (name and equals):
            raise InputError(f"--set {assignment}: expected FIELD=VALUE")
        if name in values:
            raise InputError(f"--set {assignment}: {name} is set twice")
        values[name] = value
    return values
