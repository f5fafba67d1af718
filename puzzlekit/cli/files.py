"""Files that commands write, completely or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from stat import S_ISREG, S_ISSOCK

from puzzlekit.errors import InputError
from puzzlekit.processes import uninterrupted

SUFFIXES = {"--svg": ".svg", "--html": ".html", "--png": ".png", "--pdf": ".pdf"}


def writable(option: str, path: Path) -> None:
    """Raise InputError if no file can be written at the path of this option; tries it.

    `-` is no file, and a path that ends as another option says is most likely a mistake.
    """
    if str(path) == "-":
        raise InputError(
            f"{option} -: expected a file; a picture is not written to standard output"
        )
    suffix = path.suffix.lower()
    expected = SUFFIXES.get(option, suffix)
    if suffix in SUFFIXES.values() and suffix != expected:
        raise InputError(f"{option} {path}: expected a file that ends in {expected}")
    try:
        target = _resolved(path)
        if target.is_dir() or not target.parent.is_dir():
            raise InputError(f"{option} {path}: expected a file in an existing folder")
        if target.exists() and not os.access(target, os.W_OK):
            raise InputError(f"{option} {path}: cannot write a file here")
        if _replaceable(target):
            _temporary_beside(target).unlink()
        elif S_ISSOCK(target.stat().st_mode):
            raise InputError(f"{option} {path}: expected a file, got a socket")
    except (OSError, RuntimeError) as error:  # a cyclic link raises one or the other
        raise InputError(f"{option} {path}: cannot write a file here: {_reason(error)}") from None


def write(path: Path, content: str | bytes) -> None:
    """Write a complete file or none: under a temporary name first, then rename it.

    Links are followed; devices and pipes are written to directly. Raises InputError on failure.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        target = _resolved(path)
        if _replaceable(target):
            _replace(target, data)
        else:
            target.write_bytes(data)
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError) as error:
        help = "the previous file is kept" if path.is_file() else "no file was written"
        raise InputError(f"{path}: cannot write the file: {_reason(error)}", help=help) from None


@uninterrupted
def write_new(path: Path, text: str) -> None:
    """Write a complete file that does not exist yet, or that has this text already.

    Of several processes that write different texts, one writes its own.

    Raises:
        InputError: The file has another text, or cannot be written.
    """
    data = text.encode()
    try:
        temporary = _temporary_in(path.parent)
        try:
            temporary.write_bytes(data)
            _set_mode(temporary)
            _rename_new(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except FileExistsError:
        if path.is_file() and path.read_bytes() == data:
            return
        help = "name another folder or another seed, or remove the file"
        raise InputError(f"{path}: the file exists and has another text", help=help) from None
    except OSError as error:
        help = "no file was written"
        raise InputError(f"{path}: cannot write the file: {_reason(error)}", help=help) from None


def _rename_new(temporary: Path, path: Path) -> None:
    """Rename a file. Raises FileExistsError if there is one of the new name."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # of a file system without links
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        temporary.replace(path)


def _temporary_beside(target: Path) -> Path:
    """Make a file with a short name in the same folder: a longer name may be too long."""
    if not target.exists():
        # Raises OSError if the name is invalid
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        target.unlink()
    return _temporary_in(target.parent)


def _temporary_in(folder: Path) -> Path:
    import tempfile  # here, as most commands write no file

    handle, name = tempfile.mkstemp(prefix=".puzzlekit-", dir=folder)
    os.close(handle)
    return Path(name)


def _resolved(path: Path) -> Path:
    """Return the path that links lead to. Raises RuntimeError or OSError for a cyclic link."""
    target = path.resolve()
    if target.is_symlink():  # Python 3.13 raises nothing
        raise RuntimeError
    return target


def _replaceable(target: Path) -> bool:
    """Whether it is a regular file or does not exist yet."""
    return not target.exists() or S_ISREG(target.stat().st_mode)


@uninterrupted
def _replace(target: Path, data: bytes) -> None:
    temporary = _temporary_beside(target)
    try:
        temporary.write_bytes(data)
        _set_mode(temporary)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def _set_mode(temporary: Path) -> None:
    """Give a temporary file the mode of other new files."""
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)


def _reason(error: OSError | RuntimeError) -> str:
    system_text = error.strerror if isinstance(error, OSError) else None
    return system_text or "the link leads to itself"
