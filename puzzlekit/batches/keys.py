"""Keys of jobs and of their results: digests of all that a result depends on.

The key of a job covers what is there before its puzzle is loaded: the request without its bounds,
the spec, and the content of its type if that does not ship. Loading reads more: lexicons, the types
that are solved next, files of libraries. A worker records what was read, and the result has these
files with their digests. So a result is valid as long as they are the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from stat import S_ISREG

from puzzlekit.catalogue import find
from puzzlekit.errors import InputError
from puzzlekit.lang import read_text
from puzzlekit.options import LoadOptions
from puzzlekit.query import Query
from puzzlekit.reading import shipped

CACHED = 4_096  # types and files whose digests are cached
RELATIVE = "./"  # begins the path of a file in the spec's folder, or below
Files = Mapping[str, str]  # digests by paths; an empty digest is a file that is not there


class CacheKeys:
    """The keys of jobs of one request.

    Args:
        query: What is asked of each puzzle; None to check its solutions.
        backend: The name of the backend.
        load_options: How puzzles are loaded.
    """

    def __init__(self, query: Query | None, backend: str, load_options: LoadOptions) -> None:
        self._type_digest = lru_cache(CACHED)(_type_digest)
        self._request = digest(repr((query, backend, load_options)))

    def of(self, text: str, type_name: str, folder: Path) -> str:
        """Return the key of a spec of a type, whose relative paths begin in a folder."""
        return digest(self._request, text, self._type_digest(type_name, folder))

    def unread(self, name: str, problem: str) -> str:
        """Return the key of a spec that cannot be read."""
        return digest(self._request, name, problem)


def key_of_result(job: str, files: Files) -> str:
    """Return the key of a result.

    Args:
        job: The key of its job.
        files: What was read while the puzzle was loaded.
    """
    if not files:
        return job
    return f"{job}-{digest(repr(sorted(files.items())))}"


def files_of(paths: Iterable[Path], folder: Path) -> Files:
    """Return the files that were read, except those that ship; `folder` is the spec's."""
    files = {}
    for path in sorted(paths):
        if _ships(path.absolute()):
            continue
        name = str(path)
        if path.is_relative_to(folder):
            name = f"{RELATIVE}{path.relative_to(folder)}"
        files[name] = content(path)
    return files


def are_unchanged(files: Files, folder: Path) -> bool:
    """Return whether files are the same for a spec in this folder.

    They were read for the same spec, perhaps in another folder.
    """
    for name, earlier in files.items():
        path = Path(name)
        if name.startswith(RELATIVE):
            path = folder / name.removeprefix(RELATIVE)
        if content(path) != earlier:
            return False
    return True


def content(path: Path) -> str:
    """Return a digest of a file; empty if there is none."""
    with suppress(OSError, ValueError):
        state = path.stat()
        if not S_ISREG(state.st_mode):
            return "-"
        return _content(path.absolute(), state.st_mtime_ns, state.st_size)
    return ""


@lru_cache(CACHED)
def _content(path: Path, changed: int, size: int) -> str:
    hasher = blake2b(digest_size=12)
    with path.open("rb") as stream:
        while chunk := stream.read(1 << 20):
            hasher.update(chunk)
    return hasher.hexdigest()


@lru_cache(CACHED)
def _ships(path: Path) -> bool:
    return path.resolve().is_relative_to(shipped().resolve())


def _type_digest(name: str, folder: Path) -> str:
    """Return a digest of the file of a type; empty if it ships, or there is none."""
    with suppress(InputError, OSError):
        file = find(name, folder)
        if not _ships(file.absolute()):
            return digest(read_text(file))
    return ""


def digest(*texts: str) -> str:
    """Return a digest of texts."""
    hasher = blake2b(digest_size=12)
    for text in texts:
        encoded = text.encode(errors="surrogatepass")
        hasher.update(b"%d:" % len(encoded) + encoded)
    return hasher.hexdigest()
