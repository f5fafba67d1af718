"""The backends. Each is one module and one line of this table; its library is imported when the backend is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution, requires

from puzzlekit.backends import library_paths  # noqa: F401 (before any library: it keeps them out of the current folder)
from puzzlekit.backends.base import Backend, Budget
from puzzlekit.backends.child_process import memory_is_bounded, streamed
from puzzlekit.errors import InputError, MissingExtra, Stopped, nearest

BACKENDS = {  # name: (module, class, the extra that brings its library), in the order in which `compare` runs them
    "exact-cover": ("exact_cover.backend", "ExactCover", None),
    "sat": ("sat", "Sat", None),
    "asp": ("asp", "Asp", "asp"),
    "z3": ("z3_backend", "Z3", None),
    "dlx": ("dlx_backend", "DancingLinks", None),
    "csp": ("csp", "Csp", None),
    "cp-sat": ("cp_sat", "CpSat", "cp-sat"),
    "xcover": ("xcover_backend", "DancingCells", "fast"),
}


def missing_extra(name: str) -> str | None:
    """The extra that has to be installed before the backend of this name can be asked; None where nothing is missing.

    That is looked up, not tried: some libraries take a second to import.
    """
    extra = BACKENDS[name][2]
    try:
        needed = [r for r in requires("puzzlekit-yaml") or [] if re.search(rf"extra\s*==\s*['\"]{extra}['\"]", r)]
        for requirement in needed:
            distribution(re.split(r"[^\w.-]", requirement)[0])
    except PackageNotFoundError:
        return extra
    return None


def load_backend(name: str, isolated: bool = False) -> Backend:
    """The backend of this name. With `isolated` its library is tried in another process first, where memory is bounded.

    Raises: InputError for an unknown name; MissingExtra where the extra that brings the backend's library is not installed;
    Stopped where the library cannot be loaded.
    """
    if name not in BACKENDS:
        raise InputError(f"no backend is called {name}; {nearest(name, ['auto', *BACKENDS])}")
    module, kind, extra = BACKENDS[name]
    if isolated and memory_is_bounded():  # a library that does not fit may crash, and that is to be another process
        list(streamed(_loaded, (module,), Budget()))
    try:
        backend: Backend = getattr(import_module(f"puzzlekit.backends.{module}"), kind)()
    except ModuleNotFoundError as missing:
        if extra is None or (missing.name or "").startswith("puzzlekit"):
            raise
        raise MissingExtra(f"the backend {name} is an extra: pip install 'puzzlekit-yaml[{extra}]'") from None
    except (ImportError, OSError) as error:  # under a bound on memory, for one
        raise Stopped(f"the library of {name} cannot be loaded: {error}") from error
    return backend


def _loaded(module: str) -> Iterator[None]:
    with suppress(ImportError, OSError, MemoryError):  # they will be told where it is loaded for good
        import_module(f"puzzlekit.backends.{module}")
    yield None


__all__ = ["BACKENDS", "Backend", "Budget", "load_backend", "missing_extra"]
