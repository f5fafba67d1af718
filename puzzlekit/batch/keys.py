"""Keys of jobs and of their results: digests of all that a result depends on.

The key of a job covers what is known before its puzzle is loaded: the request without its bounds,
the spec, and the content of its type if that does not ship. Loading reads more: lexicons, the types
that are solved next, files of libraries. A worker records what was read, and the result has these
files with their digests. So a result holds as long as they are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from stat import S_ISREG

from puzzlekit.catalogue import find, shipped
from puzzlekit.errors import InputError
from puzzlekit.lang import read_text
from puzzlekit.options import LoadOptions
from puzzlekit.query import Query

KNOWN = 4_096  # types and files whose digests are kept
BESIDE = "./"  # begins the path of a file that stands in the spec's folder, or below
Files = Mapping[str, str]  # digests by paths; an empty digest is a file that is not there


class CacheKeys:
    """The keys of jobs of one request: what is asked, on which backend, and how puzzles are loaded."""

    def __init__(self, query: Query | None, backend: str, loading: LoadOptions) -> None:
        self._own_type = lru_cache(KNOWN)(_own_type)
        self._request = digest(repr((query, backend, loading)))

    def of(self, text: str, type_name: str, folder: Path) -> str:
        """The key of a spec of a type, whose relative paths begin in a folder."""
        return digest(self._request, text, self._own_type(type_name, folder))

    def unread(self, name: str, problem: str) -> str:
        """The key of a spec that cannot be read."""
        return digest(self._request, name, problem)


def key_of_result(job: str, files: Files) -> str:
    """The key of a result of the job with this key."""
    return f"{job}-{digest(repr(sorted(files.items())))}" if files else job


def files_of(paths: Iterable[Path], folder: Path) -> Files:
    """What was read, but for files that ship; `folder` is the spec's."""
    found = {}
    for path in sorted(paths):
        if not _ships(path.absolute()):
            beside = path.is_relative_to(folder)
            found[f"{BESIDE}{path.relative_to(folder)}" if beside else str(path)] = content(path)
    return found


def still_hold(files: Files, folder: Path) -> bool:
    """Whether what was read for a spec in another folder, perhaps, is the same for one in this
    folder.
    """
    return all(
        content(folder / path.removeprefix(BESIDE) if path.startswith(BESIDE) else Path(path))
        == known
        for path, known in files.items()
    )


def content(path: Path) -> str:
    """A digest of a file; empty if there is none."""
    with suppress(OSError, ValueError):
        state = path.stat()
        return (
            _content(path.absolute(), state.st_mtime_ns, state.st_size)
            if S_ISREG(state.st_mode)
            else "-"
        )
    return ""


@lru_cache(KNOWN)
def _content(path: Path, changed: int, size: int) -> str:
    with path.open("rb") as stream:
        made = blake2b(digest_size=12)
        while part := stream.read(1 << 20):
            made.update(part)
    return made.hexdigest()


@lru_cache(KNOWN)
def _ships(path: Path) -> bool:
    return path.resolve().is_relative_to(shipped().resolve())


def _own_type(name: str, folder: Path) -> str:
    """A digest of the file of a type that does not ship."""
    with suppress(InputError, OSError):
        file = find(name, folder)
        return "" if _ships(file.absolute()) else digest(read_text(file))
    return ""


def digest(*parts: str) -> str:
    """A digest of some texts."""
    made = blake2b(digest_size=12)
    for part in parts:
        data = part.encode(errors="surrogatepass")
        made.update(b"%d:" % len(data) + data)
    return made.hexdigest()
