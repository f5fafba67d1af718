"""The cache on disk of what is built from files of words."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol, Self, TypeVar
from unicodedata import unidata_version

import numpy as np
from numpy.typing import NDArray

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
