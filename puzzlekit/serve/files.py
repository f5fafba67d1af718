"""The types and specs in one folder: their names, and reading and saving them."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any
from unicodedata import category

from puzzlekit.catalogue import YAML
from puzzlekit.errors import InputError
from puzzlekit.reading import read_text

LISTED = 500  # files
SEEN = 50_000  # files and folders that are visited
DEEP = 6  # levels of folders below the one that is served
NAME_CHARACTERS = 200  # of a path in the folder
HIDING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}  # categories of what is not seen as written
JOINERS = "\u200c\u200d"  # which some scripts are written with


class Changed(InputError):
    """Somebody else has changed the file."""


class Folder:
    """A folder and what lies below it. No path leads out of it, nor does a symbolic link.

    Args:
        path: The folder.

    Attributes:
        title: The name by which a page calls it.
        id: A text that no other folder has.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        self.title = self.path.name or str(self.path)
        self.id = _version(str(self.path))[:16]

    def names(self) -> list[str]:
        """Return the types and specs below the folder, as paths from there.

        Those in hidden folders are left out.
        """
        names: list[str] = []
        seen = 0
        for path, folders, files in os.walk(self.path):
            below = Path(path).relative_to(self.path)
            visible = sorted(name for name in folders if name[0] != ".")
            if len(below.parts) >= DEEP:
                visible = []
            folders[:] = visible  # which os.walk enters
            specs = [name for name in sorted(files) if name[0] != "." and name.endswith(YAML)]
            names += [(below / name).as_posix() for name in specs]
            seen += len(files) + len(folders)
            if len(names) >= LISTED or seen > SEEN:
                break
        return names[:LISTED]

    def read(self, name: str) -> dict[str, Any]:
        """Return the text of a file and its version. Raises InputError."""
        text = read_text(self._path(name))
        return {"name": name, "text": text, "version": _version(text)}

    def versions(self, names: list[str]) -> dict[str, str | None]:
        """Return the versions of files as they are now; None of those that are gone."""
        versions: dict[str, str | None] = {}
        for name in names:
            versions[name] = None
            with suppress(InputError):
                versions[name] = self.read(name)["version"]
        return versions

    def save(self, name: str, text: str, version: str | None) -> dict[str, Any]:
        """Save a file that has this version, or is new if the version is None.

        Raises:
            Changed: It has another version.
            InputError: It cannot be written, or is outside the folder, or the file that is there
                cannot be read.
        """
        path = self._path(name)
        if not path.exists() and not _is_plain(name):
            raise InputError("a name has no line breaks and no characters that hide or turn text")
        version_now = self.read(name)["version"] if path.exists() else None
        if version_now != version:
            message = f"there is a file {name}"
            if version:
                message = f"{name} has changed on the disk"
            raise Changed(message)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, text.encode())
        except OSError as error:
            raise InputError(f"{name} cannot be saved: {error.strerror or error}") from None
        return {"name": name, "version": _version(text)}

    def _path(self, name: str) -> Path:
        """Return the file of a name. Raises InputError if it is no YAML file below the folder."""
        if len(name) > NAME_CHARACTERS:
            raise InputError(f"a name has at most {NAME_CHARACTERS} characters")
        try:
            path = (self.path / name).resolve()
            path.exists()
        except (OSError, ValueError, RuntimeError):
            raise InputError("this is no name of a file") from None
        is_hidden = any(component[0] == "." for component in Path(name).parts)
        if is_hidden or not name.endswith(YAML) or not path.is_relative_to(self.path):
            raise InputError(f"expected a name in {self.title} that ends in .yaml")
        if path.suffix not in YAML:  # the target of a link
            raise InputError(f"{name} leads to a file that is no YAML")
        return path


def _is_plain(name: str) -> bool:
    """Return whether a name is seen as it is written."""
    return all(category(sign) not in HIDING or sign in JOINERS for sign in name)


def _write(path: Path, content: bytes) -> None:
    """Write a file by way of another one, so that it is never written in part."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    handle, temporary_name = tempfile.mkstemp(dir=path.parent, prefix=".")
    temporary = Path(temporary_name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        temporary.chmod(mode)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _version(text: str) -> str:
    return sha256(text.encode()).hexdigest()
