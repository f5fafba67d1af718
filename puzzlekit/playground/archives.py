"""Packages in archives that are loaded when something looks for the package."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import invalidate_caches
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from io import BytesIO
from types import ModuleType
from zipfile import ZipFile


class ArchiveFinder(MetaPathFinder):
    """Unpacks the archive of a package when the package is looked for.

    Args:
        archives: The name of the archive of each package.
        fetch: Returns the content of an archive.
        folder: The folder to unpack to, one of those that Python imports from.
    """

    def __init__(
        self, archives: Mapping[str, str], fetch: Callable[[str], bytes], folder: str
    ) -> None:
        self._archives = dict(archives)
        self._fetch = fetch
        self._folder = folder

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the spec of a package in an archive; None if no archive has it.

        Raises: whatever `fetch` raises; the next import then tries again.
        """
        archive = self._archives.get(fullname)
        if archive is None or path is not None:
            return None
        content = self._fetch(archive)
        with ZipFile(BytesIO(content)) as files:
            files.extractall(self._folder)
        del self._archives[fullname]
        invalidate_caches()
        return PathFinder.find_spec(fullname)


def offer(archives: Mapping[str, str], fetch: Callable[[str], bytes], folder: str) -> None:
    """Offer packages in archives to all imports that follow, after those that are installed."""
    sys.meta_path.append(ArchiveFinder(archives, fetch, folder))
