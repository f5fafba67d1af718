"""Files of words: read within limits, found in packages, and what is built from them cached on disk."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, Protocol, Self, TypeVar
from unicodedata import unidata_version

import numpy as np
from numpy.typing import NDArray

from puzzlekit.errors import LexiconError
from puzzlekit.limits import limits


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 text file, with or without a byte order mark.

    Raises:
        LexiconError: It is not a regular file that can be read and decoded, or it is larger than
            the limit on words.
    """
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            # Opening a pipe waits for a writer, and a device may never end, so open neither.
            raise LexiconError(f"{shown(path)} is {'a folder' if S_ISDIR(status.st_mode) else 'not a regular file'}")
        with path.open("rb") as stream:
            data = stream.read(limits().words.lexicon_bytes + 1)
    except (OSError, ValueError) as error:
        raise LexiconError(f"{shown(path)} cannot be read{_reason(error)}") from error
    most = limits().words.lexicon_bytes
    if len(data) > most:
        raise LexiconError(f"{shown(path)} is larger than {most // 2**20} MB, the limit for a file of words")
    try:
        return data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        # Drop the cause: it holds the content of the file.
        raise LexiconError(f"{shown(path)} is not UTF-8 text: see its byte {error.start + 1}") from None


def stamp(path: Path) -> tuple[str, int, int, int]:
    """The path, times and size of a file, which change when the file does.

    Raises LexiconError if they cannot be read.
    """
    try:
        status = path.stat()
        return str(path.resolve()), status.st_mtime_ns, status.st_ctime_ns, status.st_size
    except (OSError, ValueError) as error:
        raise LexiconError(f"{shown(path)} cannot be read{_reason(error)}") from error


def exists(path: Path) -> bool:
    """Whether something exists at this path and may be accessed."""
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def shown(text: object) -> str:
    r"""Make untrusted text safe to print: printable characters only, and at most 200 of them.

    Examples:
        >>> shown("a\x1b[31m.txt")
        'a·[31m.txt'
    """
    line = "".join(char if char.isprintable() else "·" for char in str(text))
    return line if len(line) <= 200 else f"…{line[-199:]}"


def version_of(package: str) -> str:
    """The version of a package; empty if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _reason(error: OSError | ValueError) -> str:
    """The reason that the system gives; none for a ValueError, whose text repeats the path."""
    return f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""


def package_file(package: str, name: str, lexicon: str) -> Path:
    """The path of a file in a package; the package is located but not imported.

    Raises LexiconError if the package is not installed.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        distribution = package.replace("_", "-")
        raise LexiconError(f"the lexicon {lexicon} needs the package {distribution}", f"pip install {distribution}")
    return Path(spec.submodule_search_locations[0], name)


FORMAT = 2  # raise it when the layout of a cached file or the words that a loader keeps change


class Arrays(Protocol):
    """What can be written as named arrays, and read from them."""

    def as_arrays(self) -> dict[str, Any]: ...

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self: ...


T = TypeVar("T", bound=Arrays)


def cache_folder() -> Path:
    """The folder in which lexicons are cached.

    It is `$PUZZLEKIT_CACHE`, else `puzzlekit` in `$XDG_CACHE_HOME` if that is absolute, else the
    usual place of the system.

    Raises:
        RuntimeError: The user has no home folder.
    """
    if own := os.environ.get("PUZZLEKIT_CACHE"):
        return Path(own)
    shared = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if shared.is_absolute():
        return shared / "puzzlekit"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "puzzlekit"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local") / "puzzlekit" / "Cache"
    return Path.home() / ".cache" / "puzzlekit"


def cached(kind: type[T], name: str, key: tuple[object, ...], build: Callable[[], T]) -> T:
    """Load something from the cache, or build it and store it there.

    Args:
        kind: Its class.
        name: Its name.
        key: Something that changes whenever the source of the words does.
        build: Builds it. What it raises is passed on, and nothing is cached.
    """
    try:
        path = cache_folder() / _file_name(name, key)
    except (OSError, RuntimeError):
        return build()
    # The file may be damaged, and numpy and zipfile report that by many exceptions: build anew.
    with suppress(Exception), np.load(BytesIO(path.read_bytes() if path.is_file() else b""), allow_pickle=False) as arrays:
        return kind.of_arrays(name, arrays)
    built = build()
    stream = BytesIO()
    np.savez(stream, **built.as_arrays())  # uncompressed, with checksums that detect damage
    with suppress(OSError):
        write_whole(path, stream.getvalue())
    return built


def _file_name(name: str, key: tuple[object, ...]) -> str:
    digest = sha256(repr((FORMAT, unidata_version, name, key)).encode("utf-8", "backslashreplace")).hexdigest()
    return f"{re.sub(r'[^A-Za-z0-9]+', '-', name)[:40]}-{digest[:24]}.npz"


def write_whole(path: Path, data: bytes) -> None:
    """Write a file atomically, even if another process writes the same one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
