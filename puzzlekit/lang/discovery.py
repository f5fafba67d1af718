"""Finds libraries: those that ship, and those that other distributions offer by an entry point.

It looks for them when a type or a spec is read, once per process.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from yaml.nodes import Node, ScalarNode

from puzzlekit import plugins
from puzzlekit.lang.functions import CORE
from puzzlekit.lang.functions.drawing import DRAWING
from puzzlekit.lang.library import Language, Library
from puzzlekit.source import SourceFile, several

SHIPPED = "puzzlekit.libraries"  # each package in it has a module `library` with LIBRARY


@cache
def installed_libraries() -> tuple[dict[str, Library], dict[str, str]]:
    """Return the libraries by name, and why others could not be loaded, by entry point."""
    libraries: dict[str, Library] = {}
    failures: dict[str, str] = {}
    modules = iter_modules(import_module(SHIPPED).__path__)
    for name in sorted(module.name for module in modules if module.ispkg):
        library = import_module(f"{SHIPPED}.{name}.library").LIBRARY
        libraries[library.name] = library
    for point in plugins.offered(plugins.LIBRARIES):
        try:
            library = point.load()
        except Exception as error:  # types that do not use the library must not fail with it
            failures[point.name] = f"{type(error).__name__}: {error}"
            continue
        fault = _fault(library, point.name, libraries)
        if fault:
            failures[point.name] = fault
        else:
            libraries[library.name] = library
    for library in libraries.values():
        library.register()
    return libraries, failures


def _fault(library: Any, name: str, libraries: dict[str, Library]) -> str:
    """Return what is wrong with the object of an entry point; empty if nothing is."""
    if not isinstance(library, Library):
        return f"the entry point names a {type(library).__name__}, not a Library"
    if library.name != name:
        return f"the entry point is called {name}, the library {library.name}"
    if name in libraries or name == CORE.name:
        return "another library has this name"
    shared_names = sorted({*library.names} & {*CORE.names})
    shared_types = sorted({*library.data_types} & {*CORE.data_types})
    shared = shared_names + shared_types
    return f"{shared[0]} is a name of the core language" if shared else ""


def used_language(source: SourceFile, node: Node | None) -> Language:
    """Return the core language with the libraries under `libraries`; without it, with all.

    Problems are noted.
    """
    if node is None:
        return language()
    libraries, failures = installed_libraries()
    names: list[str] = []
    before = len(source.problems)
    for name_node in several(node):
        name = source.text_of(name_node, "libraries") or ""
        if name in libraries:
            names.append(name)
        elif name in failures:
            source.problem(f"the library {name} is not loaded: {failures[name]}", name_node)
        elif name or isinstance(name_node, ScalarNode):
            source.unknown_key(name, name_node, "there is no library", list(libraries))
    if len(source.problems) == before:
        return language(names)
    return language(incomplete=True)  # names of the missing one are not reported as well


@cache
def core_language() -> Language:
    """Return the language without libraries, none of which is imported.

    No library has a name of the core, so what is in the core language means the same with all.
    """
    return Language([CORE])


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
    names = None if uses is None else tuple(sorted(set(uses)))
    return _language(names, incomplete, drawing)


@lru_cache(maxsize=32)
def _language(uses: tuple[str, ...] | None, incomplete: bool, drawing: bool) -> Language:
    libraries, failures = installed_libraries()
    chosen = [libraries[name] for name in (libraries if uses is None else uses)]
    others = [library for library in libraries.values() if library not in chosen]
    used = [CORE, *chosen]
    if drawing:
        used = [*(library.for_drawing() for library in used), DRAWING]
    return Language(used, others, failures, incomplete)
