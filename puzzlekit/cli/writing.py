"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from puzzlekit.errors import InputError


def writable(option: str, path: Path) -> None:
    """Raise InputError where no file can be written under this path, which `option` names."""
    folder = path.absolute().parent
    if path.is_dir() or not folder.is_dir():
        raise InputError(f"{option} {path}: this is not a file in a folder that exists")
    if not os.access(folder, os.W_OK | os.X_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise InputError(f"{option} {path}: files cannot be written here")


def write(path: Path, text: str) -> None:
    """Write a file whole: under another name first, so that nothing is ever there in half.

    Where a link leads, the file is written there; a device or a pipe is written to.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        path.write_text(text, encoding="utf-8")
        return
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.absolute().parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        Path(name).chmod(0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
