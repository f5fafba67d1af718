"""The engines. Each is one module and one line of this table; its library is imported when the engine is asked for."""

from __future__ import annotations

from importlib import import_module

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.errors import InputError, nearest

BACKENDS = {  # name: (module, class), in the order in which `compare` runs them
    "exact-cover": ("exact_cover", "ExactCover"),
    "z3": ("smt", "Z3"),
    "dlx": ("dancing_links", "DancingLinks"),
}
AUTO = "exact-cover"  # what `auto` stands for: docs/performance.md has the measurements


def backend(name: str) -> Backend:
    """The engine of this name; `auto` is the one that is best by measurement. Raises InputError for an unknown name."""
    wanted = AUTO if name == "auto" else name
    if wanted not in BACKENDS:
        raise InputError(f"no backend is called {name}; {nearest(name, ['auto', *BACKENDS])}")
    module, kind = BACKENDS[wanted]
    engine: Backend = getattr(import_module(f"puzzlekit.backends.{module}"), kind)()
    return engine


__all__ = ["AUTO", "BACKENDS", "Backend", "Budget", "backend"]
