"""The types and specs in one folder: listed, read, and saved when somebody asks for it."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from puzzlekit.catalogue import YAML
from puzzlekit.errors import InputError
from puzzlekit.reading import read_text

LISTED = 500  # files
SEEN = 50_000  # files and folders that are looked at
DEEP = 6  # folders below the one that is served


class Changed(InputError):
    """Somebody else has changed the file."""


class Folder:
    """A folder and what lies below it. No path leads out of it, nor does a symbolic link.

    Args:
        path: The folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()

    def names(self) -> list[str]:
        """Return the types and specs below the folder, as paths from there; those in hidden folders
        are left out.
        """
        found: list[str] = []
        seen = 0
        for folder, folders, files in os.walk(self.path):
            below = Path(folder).relative_to(self.path)
            folders[:] = (
                sorted(name for name in folders if name[0] != ".")
                if len(below.parts) < DEEP
                else []
            )
            found += [
                (below / name).as_posix()
                for name in sorted(files)
                if name[0] != "." and name.endswith(YAML)
            ]
            seen += len(files) + len(folders)
            if len(found) >= LISTED or seen > SEEN:
                break
        return found[:LISTED]

    def read(self, name: str) -> dict[str, Any]:
        """Return the text of a file and its version. Raises InputError."""
        text = read_text(self._place(name))
        return {"name": name, "text": text, "version": _version(text)}

    def versions(self, names: list[str]) -> dict[str, str | None]:
        """Return the versions of files as they are now; None of those that are gone."""
        found: dict[str, str | None] = {}
        for name in names:
            found[name] = None
            with suppress(InputError):
                found[name] = self.read(name)["version"]
        return found

    def save(self, name: str, text: str, version: str | None) -> dict[str, Any]:
        """Save a file that has this version, or is new where that is None.

        Raises:
            Changed: It has another version.
            InputError: It cannot be written, or lies elsewhere, or what stands there cannot be
                read.
        """
        path = self._place(name)
        now = self.read(name)["version"] if path.exists() else None
        if now != version:
            raise Changed(
                f"{name} has changed on the disk" if version else f"there is a file {name}"
            )
        data = text.encode()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            handle, made = tempfile.mkstemp(dir=path.parent, prefix=".")
            try:
                with os.fdopen(handle, "wb") as stream:
                    stream.write(data)
                Path(made).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
                Path(made).replace(path)
            except BaseException:
                Path(made).unlink(missing_ok=True)
                raise
        except OSError as error:
            raise InputError(f"{name} cannot be saved: {error.strerror or error}") from None
        return {"name": name, "version": _version(text)}

    def _place(self, name: str) -> Path:
        """Return the file of a name. Raises InputError if it is no YAML file below the folder."""
        parts = Path(name).parts
        try:
            path = (self.path / name).resolve()
            path.exists()
        except (OSError, ValueError, RuntimeError):
            raise InputError("this is no name of a file") from None
        if (
            not name.endswith(YAML)
            or not path.is_relative_to(self.path)
            or any(part[0] == "." for part in parts)
        ):
            raise InputError(f"expected a name in {self.path.name or self.path} that ends in .yaml")
        if path.suffix not in YAML:  # where a link leads
            raise InputError(f"{name} leads to a file that is no YAML")
        return path


def _version(text: str) -> str:
    return sha256(text.encode()).hexdigest()
