"""Where puzzle types are found: by path, on PUZZLEKIT_PATH, in ./puzzles, among those that ship, and beside what asks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from puzzlekit.errors import InputError, nearest
from puzzlekit.lang import is_type

HERE = Path(__file__).resolve().parent
SHIPPED = (HERE / "puzzles", HERE.parent / "puzzles")  # in an installed package, in a checkout


def folders() -> Iterator[Path]:
    """The folders that hold types, the first that has a name wins."""
    for entry in os.environ.get("PUZZLEKIT_PATH", "").split(os.pathsep):
        if entry:
            yield Path(entry)
    yield Path("puzzles")
    yield next((folder for folder in SHIPPED if folder.is_dir()), SHIPPED[0])


def types() -> dict[str, Path]:
    """Every type that a name can be given for, with its file. A spec of that name hides no type in a later folder."""
    found: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
            if path.stem not in found or (_is_spec(found[path.stem]) and not _is_spec(path)):
                found[path.stem] = path
    return dict(sorted(found.items()))


def is_path(name: str) -> bool:
    """Whether a type is meant by the path of its file, and not by name."""
    return name.endswith((".yaml", ".yml")) or "/" in name or os.sep in name


def find(name: str, beside: Path | None = None) -> Path:
    """The file of the type that a name or a path means; `beside` is a folder to look in last. Raises InputError."""
    if is_path(name):
        if not _is_file(Path(name)):
            raise InputError(f"{name}: there is no such type file")
        return Path(name)
    spec = None
    for folder in (*folders(), *([beside] if beside is not None and re.fullmatch(r"\w+", name) else [])):
        path = folder / f"{name}.yaml"
        if name and _is_file(path):
            if not _is_spec(path):
                return path
            spec = spec or path
    if spec is not None:
        return spec
    raise InputError(f"no puzzle type is called {name or 'nothing'}; {nearest(name, types())}")


def _is_file(path: Path) -> bool:
    """Whether there is a file; a name that is too long names none."""
    try:
        return path.is_file()
    except OSError:
        return False


def _is_spec(path: Path) -> bool:
    """Whether the file can be read, and states no type. Those that ship do, and are not read for it."""
    if path.resolve().parent in SHIPPED:
        return False
    try:
        return not is_type(path)
    except InputError:
        return False


def generator(name: str) -> Path:
    """The file of Python that makes puzzles of a type that ships. Raises InputError."""
    return _beside(name, "generator", "puzzles of {} cannot be generated")


def fetcher(name: str) -> Path:
    """The file of Python that fetches puzzles of a type that ships. Raises InputError."""
    return _beside(name, "fetcher", "puzzles of {} cannot be fetched")


def _beside(name: str, what: str, cannot: str) -> Path:
    """The file `NAME_generator.py` or `NAME_fetcher.py` beside a type that ships.

    It is looked for nowhere else, so that no code is run that merely lies in some folder.
    """
    shipped = next((folder for folder in SHIPPED if folder.is_dir()), SHIPPED[0])
    known = {path.name.removesuffix(f"_{what}.py"): path for path in sorted(shipped.glob(f"*_{what}.py"))}
    if name in known:
        return known[name]
    reason = f"no {what} comes with it" if name in types() else "no puzzle type is called so"
    raise InputError(f"{cannot.format(name or 'nothing')}: {reason}; {nearest(name, known)}")
