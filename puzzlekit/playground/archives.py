"""Modules in archives that are loaded when something looks for one of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import invalidate_caches
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from io import BytesIO
from types import ModuleType
from zipfile import ZIP_DEFLATED, ZipFile


class ArchiveFinder(MetaPathFinder):
    """Unpacks an archive when one of its modules is looked for, so that the module is there.

    Args:
        archives: For each module, by its full name, the name of its archive.
        fetch: Returns the content of an archive.
        folder: The folder to unpack to.
    """

    def __init__(
        self, archives: Mapping[str, str], fetch: Callable[[str], bytes], folder: str
    ) -> None:
        self._archives = archives
        self._fetch = fetch
        self._folder = folder
        self._unpacked: set[str] = set()

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Unpack the archive of a module; return None, as the finders that follow find the module.

        Raises: whatever `fetch` raises; the next import then tries again.
        """
        archive = self._archives.get(fullname)
        if archive is None or archive in self._unpacked:
            return None
        content = self._fetch(archive)
        with ZipFile(BytesIO(content)) as files:
            files.extractall(self._folder)
        self._unpacked.add(archive)
        invalidate_caches()
        return None


def rehearse() -> None:
    """Load all modules that unpacking requires: they cannot be in an archive themselves."""
    stream = BytesIO()
    with ZipFile(stream, "w", ZIP_DEFLATED) as files:
        files.writestr("file", "content")
    with ZipFile(stream) as files:
        files.read("file")


def offer(archives: Mapping[str, str], fetch: Callable[[str], bytes], folder: str) -> None:
    """Offer the modules in archives to all imports that follow."""
    sys.meta_path.insert(0, ArchiveFinder(archives, fetch, folder))
