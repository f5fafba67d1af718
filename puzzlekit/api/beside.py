"""Python files beside the shipped types: generators, their pages, and fetchers."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

from puzzlekit.lang import PuzzleType, read_type

# the package of the files beside the shipped types, wherever their folder is
BESIDE = "puzzlekit.puzzles"


def load_beside(path: Path) -> tuple[ModuleType, PuzzleType]:
    """Return a generator, a fetcher or a page as a module, and its type.

    It may import other files beside it: `from .name import`.
    """
    beside = sys.modules.get(BESIDE)
    if beside is None or [*beside.__path__] != [str(path.parent)]:
        for name in [name for name in sys.modules if name.startswith(f"{BESIDE}.")]:
            del sys.modules[name]
        beside = sys.modules[BESIDE] = ModuleType(BESIDE)
        beside.__path__ = [str(path.parent)]
    module = import_module(f"{BESIDE}.{path.stem}")
    return module, read_type(path.with_name(f"{path.stem.rpartition('_')[0]}.yaml"))
