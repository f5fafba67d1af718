"""Find puzzle types: by path, on PUZZLEKIT_PATH, in ./puzzles, and among the shipped types."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from puzzlekit.errors import InputError, nearest
from puzzlekit.lang import is_type
from puzzlekit.lang.source import read_text

HERE = Path(__file__).resolve().parent
SHIPPED = (HERE / "puzzles", HERE.parent / "puzzles")  # in an installed package, in a checkout

READ = 100  # files beside a spec whose type is not found


def folders() -> Iterator[Path]:
    """The folders that hold types, in order of precedence."""
    for entry in os.environ.get("PUZZLEKIT_PATH", "").split(os.pathsep):
        if entry:
            yield Path(entry)
    yield Path("puzzles")
    yield next((folder for folder in SHIPPED if folder.is_dir()), SHIPPED[0])


def types() -> dict[str, Path]:
    """The types by name, with their files. A spec does not hide a type in a later folder."""
    found: dict[str, Path] = {}
    for folder in folders():
        for path in sorted(folder.glob("*.yaml")) if folder.is_dir() else ():
            if path.stem not in found or (_is_spec(found[path.stem]) and not _is_spec(path)):
                found[path.stem] = path
    return dict(sorted(found.items()))


def is_path(name: str) -> bool:
    """Whether a type is given by the path of its file, not by name."""
    return name.endswith((".yaml", ".yml")) or "/" in name or os.sep in name


def find(name: str, beside: Path | None = None) -> Path:
    """The file of a type, given its name or path; `beside` is searched last. Raises InputError."""
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
    file = next((f"{name}{end}" for end in (".yaml", ".yml") if name and _is_file(Path(f"{name}{end}"))), "")
    near = _types_in(beside) if beside is not None else {}
    if declared := next((path for path, own in near.items() if own == name != path.stem), None):
        hint = f"{declared.name} declares it, but the type {name} is looked for in {name}.yaml: rename the file"
    else:
        hint = f"did you mean {file}?" if file else nearest(name, [*(path.stem for path in near), *types()])
    raise InputError(f"there is no puzzle type {name or 'without a name'}; {hint}")


def _types_in(folder: Path) -> dict[Path, str]:
    """The files of a folder that are types, with the names that they declare; the first few files are read."""
    found: dict[Path, str] = {}
    with suppress(OSError):
        for path in sorted(folder.glob("*.yaml"))[:READ]:
            if _is_file(path) and not _is_spec(path):
                with suppress(InputError):
                    own = re.search(r"^puzzle:[ \t]*(\w+)", read_text(path), re.MULTILINE)
                    found[path] = own[1] if own else path.stem
    return found


def _is_file(path: Path) -> bool:
    """Whether there is a file; false for a name that is too long."""
    try:
        return path.is_file()
    except OSError:
        return False


def _is_spec(path: Path) -> bool:
    """Whether the file is readable and not a type. Shipped files are types and are not read."""
    if path.resolve().parent in SHIPPED:
        return False
    try:
        return not is_type(path)
    except InputError:
        return False


def generator(name: str) -> Path:
    """The generator module of a shipped type. Raises InputError."""
    return _beside(name, "generator", "cannot generate puzzles of {}")


def fetcher(name: str) -> Path:
    """The fetcher module of a shipped type. Raises InputError."""
    return _beside(name, "fetcher", "cannot fetch puzzles of {}")


def _beside(name: str, what: str, cannot: str) -> Path:
    """The file `NAME_generator.py` or `NAME_fetcher.py` of a shipped type.

    Other folders are not searched, so that no foreign code runs.
    """
    shipped = next((folder for folder in SHIPPED if folder.is_dir()), SHIPPED[0])
    known = {path.name.removesuffix(f"_{what}.py"): path for path in sorted(shipped.glob(f"*_{what}.py"))}
    if name in known:
        return known[name]
    reason = f"it has no {what}" if name in types() else "there is no such puzzle type"
    raise InputError(f"{cannot.format(name or 'nothing')}: {reason}; {nearest(name, known)}")
