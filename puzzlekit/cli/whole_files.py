"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG, S_ISSOCK

from puzzlekit.errors import InputError


def writable(option: str, path: Path) -> None:
    """Raise InputError where no file can be written under this path, which `option` names: that is tried in its folder."""
    try:
        target = path.resolve()
        if target.is_dir() or not target.parent.is_dir():
            raise InputError(f"{option} {path}: this is not a file in a folder that exists")
        if target.exists() and not os.access(target, os.W_OK):
            raise InputError(f"{option} {path}: files cannot be written here")
        if _replaceable(target):
            _made_beside(target).unlink()
        elif S_ISSOCK(target.stat().st_mode):
            raise InputError(f"{option} {path}: this is a socket, and no file")
    except (OSError, RuntimeError) as error:  # a link that leads to itself is one or the other
        raise InputError(f"{option} {path}: files cannot be written here: {_reason(error)}") from None


def write(path: Path, text: str) -> None:
    """Write a file whole: under another name first, so that nothing is ever there in half.

    Where a link leads, the file is written there; a device or a pipe is written to. Raises InputError where that fails.
    """
    try:
        target = path.resolve()
        if _replaceable(target):
            _replace(target, text)
        else:
            target.write_text(text, encoding="utf-8")
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError) as error:
        kept = "what was there before is kept" if path.is_file() else "nothing is there"
        raise InputError(f"{path}: cannot be written: {_reason(error)}\n     = the file is lost; {kept}") from None


def _replaceable(target: Path) -> bool:
    """Whether it is a file, or nothing yet; no device and no pipe."""
    return not target.exists() or S_ISREG(target.stat().st_mode)


def _made_beside(target: Path) -> Path:
    """A new file in the same folder, whose name is as short as can be: that of the target may be as long as any."""
    if not target.exists():
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL))  # the name itself may be none that can be had
        target.unlink()
    handle, name = tempfile.mkstemp(prefix=".puzzlekit-", dir=target.parent)
    os.close(handle)
    return Path(name)


def _replace(target: Path, text: str) -> None:
    part = _made_beside(target)
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def _reason(error: OSError | RuntimeError) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or "a link leads to itself"
