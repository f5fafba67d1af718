"""Finds libraries: those that ship, and those that other distributions offer by an entry point.

It looks for them when a type or a spec is read, once per process, and never in the current folder.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from yaml.nodes import Node, ScalarNode, SequenceNode

from puzzlekit.lang.functions import CORE
from puzzlekit.lang.functions.drawing import DRAWING
from puzzlekit.lang.library import Language, Library
from puzzlekit.source import Source

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SHIPPED = "puzzlekit.libraries"  # each package in it has a module `library` with LIBRARY
GROUP = "puzzlekit.libraries"  # the group of entry points of other distributions


@cache
def found() -> tuple[dict[str, Library], dict[str, str]]:
    """Return the libraries by name, and why others could not be loaded, by entry point."""
    libraries: dict[str, Library] = {}
    broken: dict[str, str] = {}
    for name in sorted(
        module.name for module in iter_modules(import_module(SHIPPED).__path__) if module.ispkg
    ):
        library = import_module(f"{SHIPPED}.{name}.library").LIBRARY
        libraries[library.name] = library
    for point in sorted(_entry_points(), key=lambda point: point.name):
        try:
            library = point.load()
        except Exception as error:  # types that do not use the library must not fail with it
            broken[point.name] = f"{type(error).__name__}: {error}"
            continue
        if why := _wrong(library, point.name, libraries):
            broken[point.name] = why
        else:
            libraries[library.name] = library
    for library in libraries.values():
        library.register()
    return libraries, broken


def _wrong(library: Any, name: str, libraries: dict[str, Library]) -> str:
    """Return what is wrong with the object of an entry point; empty if nothing is."""
    if not isinstance(library, Library):
        return f"the entry point names a {type(library).__name__}, not a Library"
    if library.name != name:
        return f"the entry point is called {name}, the library {library.name}"
    if name in libraries or name == CORE.name:
        return "another library has this name"
    taken = sorted({*library.names} & {*CORE.names}) + sorted(
        {*library.data_types} & {*CORE.data_types}
    )
    return f"{taken[0]} is a name of the core language" if taken else ""


def _entry_points() -> Iterator[EntryPoint]:
    """Yield the entry points of installed distributions, without the current folder's."""
    folders = [folder for folder in _installed() if _may_offer(Path(folder))]
    if not folders:  # the usual case, in which importlib.metadata need not be loaded
        return
    from importlib.metadata import distributions

    seen: set[str] = set()
    for distribution in distributions(path=folders):
        name = (
            distribution.metadata["Name"]
            if GROUP in (distribution.read_text("entry_points.txt") or "")
            else None
        )
        if name is not None and name not in seen:
            seen.add(name)
            yield from distribution.entry_points.select(group=GROUP)


def _may_offer(folder: Path) -> bool:
    """Return whether a distribution in this folder may have entry points of libraries; true of what is no folder."""
    files = (
        file
        for kind in ("dist-info", "egg-info")
        for file in folder.glob(f"*.{kind}/entry_points.txt")
    )
    return folder.is_file() or any(
        GROUP.encode() in file.read_bytes() for file in files if file.is_file()
    )


def _installed() -> list[str]:
    """Return the folders that modules are imported from, without the current one."""
    try:
        here = Path.cwd().resolve()
    except OSError:  # the folder was deleted
        here = None
    return [
        entry for entry in sys.path if Path(entry).is_absolute() and Path(entry).resolve() != here
    ]


def used_language(source: Source, node: Node | None) -> Language:
    """Return the core language with the libraries under `libraries`; without it, with all. Problems are noted."""
    if node is None:
        return language()
    libraries, broken = found()
    names: list[str] = []
    before = len(source.problems)
    for part in node.value if isinstance(node, SequenceNode) else [node]:
        name = source.text_of(part, "libraries") or ""
        if name in libraries:
            names.append(name)
        elif name in broken:
            source.problem(f"the library {name} is not loaded: {broken[name]}", part)
        elif name or isinstance(part, ScalarNode):
            source.unknown_key(name, part, "there is no library", list(libraries))
    if len(source.problems) == before:
        return language(names)
    return language(incomplete=True)  # names of the missing one are not reported as well


def language(
    uses: Sequence[str] | None = None, incomplete: bool = False, drawing: bool = False
) -> Language:
    """Return the core language with libraries.

    Args:
        uses: The names of the libraries; None for all that are found.
        incomplete: Whether another one is missing.
        drawing: Whether expressions may draw at random.

    Raises:
        KeyError: There is no library of this name.
    """
    return _language(None if uses is None else tuple(sorted(set(uses))), incomplete, drawing)


@lru_cache(maxsize=32)
def _language(uses: tuple[str, ...] | None, incomplete: bool, drawing: bool) -> Language:
    libraries, broken = found()
    chosen = [libraries[name] for name in (libraries if uses is None else uses)]
    own = [CORE, *chosen, *([DRAWING] if drawing else [])]
    return Language(
        own,
        [library for library in libraries.values() if library not in chosen],
        broken,
        incomplete,
    )
