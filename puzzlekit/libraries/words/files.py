"""Files of words from anyone: read with care, and never quoted in an error."""

from pathlib import Path
from stat import S_ISDIR, S_ISREG

from puzzlekit.errors import LexiconError
from puzzlekit.limits import limits


def read_lines(path: Path) -> list[str]:
    """The lines of a UTF-8 text file, with or without a byte order mark.

    Raises LexiconError unless it is a regular file of at most 64 MB that can be read and decoded.
    """
    try:
        status = path.stat()
        if not S_ISREG(status.st_mode):
            # Opening a pipe waits for a writer and a device may never end: neither is touched.
            raise LexiconError(f"{shown(path)} is {'a folder' if S_ISDIR(status.st_mode) else 'no regular file'}")
        with path.open("rb") as stream:
            data = stream.read(limits().words.lexicon_bytes + 1)
    except (OSError, ValueError) as error:
        raise LexiconError(f"{shown(path)} cannot be read{_reason(error)}") from error
    most = limits().words.lexicon_bytes
    if len(data) > most:
        raise LexiconError(f"{shown(path)} has more than {most // 2**20} MB, too much for a file of words")
    try:
        return data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        # The error holds the file's content, so it goes no further.
        raise LexiconError(f"{shown(path)} is not UTF-8 text: see its byte {error.start + 1}") from None


def stamp(path: Path) -> tuple[str, int, int, int]:
    """What changes when the file does: where it is, its times and its size.

    Raises LexiconError if it cannot be looked at.
    """
    try:
        status = path.stat()
        return str(path.resolve()), status.st_mtime_ns, status.st_ctime_ns, status.st_size
    except (OSError, ValueError) as error:
        raise LexiconError(f"{shown(path)} cannot be read{_reason(error)}") from error


def exists(path: Path) -> bool:
    """Whether there is anything at this path that we may look at."""
    try:
        path.stat()
    except (OSError, ValueError):
        return False
    return True


def shown(text: object) -> str:
    r"""A name from a stranger, fit for a terminal: printable and not long.

    >>> shown("a\x1b[31m.txt")
    'a·[31m.txt'
    """
    line = "".join(char if char.isprintable() else "·" for char in str(text))
    return line if len(line) <= 200 else f"…{line[-199:]}"


def _reason(error: OSError | ValueError) -> str:
    """The system's words for it; a ValueError is about the name and would repeat it."""
    return f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
