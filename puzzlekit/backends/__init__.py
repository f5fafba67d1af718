"""The backends: one module and one line of this table each.

Libraries are imported on demand, and so is the base of the backends: lists and completions need
only the names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

# before any library: it keeps them out of the current folder
from puzzlekit.backends import library_paths  # noqa: F401
from puzzlekit.errors import (
    DISTRIBUTION,
    BackendBug,
    InputError,
    MissingExtra,
    Stopped,
    installing,
    nearest,
)
from puzzlekit.lazy_imports import door

# name: (module, class, the extra that installs its library), in the order of `compare`
BACKENDS = {
    "exact-cover": ("exact_cover", "ExactCover", None),
    "sat": ("sat", "Sat", None),
    "asp": ("asp", "Asp", None),
    "z3": ("z3_backend", "Z3", None),
    "dlx": ("dlx_backend", "DancingLinks", None),
    "csp": ("csp", "Csp", None),
    "cp-sat": ("cp_sat", "CpSat", "cp-sat"),
    "xcover": ("xcover_backend", "DancingCells", "fast"),
}


def missing_extra(name: str) -> str | None:
    """Return the extra that a backend needs and that is not installed, or None.

    This looks at installed packages only, because importing some libraries takes a second.
    """
    from importlib.metadata import PackageNotFoundError, distribution, requires

    extra = BACKENDS[name][2]
    if extra is None:
        return None
    extra_marker = re.compile(rf"extra\s*==\s*['\"]{extra}['\"]")
    try:
        for requirement in requires(DISTRIBUTION) or []:
            if extra_marker.search(requirement):
                package = re.split(r"[^\w.-]", requirement)[0]
                distribution(package)
    except PackageNotFoundError:
        return extra
    return None


def load_backend(name: str, isolated: bool = False) -> Backend:
    """Return the backend with this name.

    With `isolated`, and if memory is bounded, another process tries to import its library first.

    Raises: InputError for an unknown name; MissingExtra if the library of the backend is
    not installed; Stopped if the library cannot be loaded; BackendBug if the class is not there or
    lacks an attribute, or if no passes lower a model to what the backend supports.
    """
    from puzzlekit.lowering import chain
    from puzzlekit.processes import memory_is_bounded

    if name not in BACKENDS:
        raise InputError(f"unknown backend {name}; {nearest(name, ['auto', *BACKENDS])}")
    # a library that does not fit into memory may crash: let another process crash
    if isolated and memory_is_bounded():
        from puzzlekit.backends.base import Budget
        from puzzlekit.backends.streams import streamed

        module, _, _ = BACKENDS[name]
        list(streamed(_loaded, (module,), Budget()))
    backend = _backend_class(name)()
    try:
        chain(backend.supports)
    except TypeError as wrong:
        raise BackendBug(f"the backend {name}: {wrong}") from None
    return backend


def _backend_class(name: str) -> type[Backend]:
    """Import the class of a backend, and check that it is complete."""
    from puzzlekit.backends.base import Backend

    module, class_name, extra = BACKENDS[name]
    try:
        imported = import_module(f"puzzlekit.backends.{module}")
    except ModuleNotFoundError as missing:
        if (missing.name or "").startswith("puzzlekit"):
            raise BackendBug(f"the backend {name}: {missing}") from missing
        if extra is None:
            raise MissingExtra(f"the backend {name} is not installed: {missing}") from None
        raise MissingExtra(f"the backend {name} requires an extra: {installing(extra)}") from None
    except (ImportError, OSError, SystemError) as error:  # for example under a memory limit
        if isinstance(error.__cause__ or error.__context__, KeyboardInterrupt):
            # Ctrl-C in compiled code that reports it as a failed import
            raise KeyboardInterrupt from error
        raise Stopped(f"the library of {name} cannot be loaded: {error}") from error
    backend_class: object = getattr(imported, class_name, None)
    if not (isinstance(backend_class, type) and issubclass(backend_class, Backend)):
        raise BackendBug(
            f"the backend {name}: its module {module} has no class {class_name} that is a Backend"
        )
    missing_names = [
        attribute for attribute in Backend.__annotations__ if not hasattr(backend_class, attribute)
    ]
    missing_names += sorted(backend_class.__abstractmethods__)
    if missing_names:
        raise BackendBug(
            f"the backend {name}: its class {class_name} lacks {', '.join(missing_names)}"
        )
    return backend_class


def _loaded(module: str) -> Iterator[None]:
    with suppress(ImportError, OSError, MemoryError, SystemError):  # load_backend reports these
        import_module(f"puzzlekit.backends.{module}")
    yield None


__all__ = ["BACKENDS", "Backend", "Budget", "load_backend", "missing_extra"]

if TYPE_CHECKING:
    from puzzlekit.backends.asp import Asp as Asp, GroundProgram as GroundProgram
    from puzzlekit.backends.base import (
        Backend as Backend,
        Budget as Budget,
        bounded as bounded,
        goal_of as goal_of,
    )
    from puzzlekit.backends.clauses import (
        CNF_SUPPORTS as CNF_SUPPORTS,
        FALSE as FALSE,
        NAMED as NAMED,
        TRUE as TRUE,
        Choice as Choice,
        CnfBuilder as CnfBuilder,
    )
    from puzzlekit.backends.count_propagator import CountPropagator as CountPropagator
    from puzzlekit.backends.cover_search import CoverSearch as CoverSearch
    from puzzlekit.backends.exact_cover import (
        COVER_FORMS as COVER_FORMS,
        list_covers as list_covers,
    )
    from puzzlekit.backends.hitting_sets import HittingSets as HittingSets
    from puzzlekit.backends.incremental_solver import (
        ConflictBudgetExceeded as ConflictBudgetExceeded,
        IncrementalSolver as IncrementalSolver,
        free_if_short as free_if_short,
    )
    from puzzlekit.backends.pb_encodings import at_most_one as at_most_one
    from puzzlekit.backends.sat import (
        Clauses as Clauses,
        LiteralShape as LiteralShape,
        Sat as Sat,
        UniqueSolutionSolver as UniqueSolutionSolver,
    )
    from puzzlekit.backends.statistics import Statistics as Statistics
    from puzzlekit.backends.streams import streamed as streamed
else:
    __getattr__ = door(
        __name__,
        {
            "asp": ("Asp", "GroundProgram"),
            "base": ("Backend", "Budget", "bounded", "goal_of"),
            "clauses": ("CNF_SUPPORTS", "Choice", "CnfBuilder", "FALSE", "NAMED", "TRUE"),
            "count_propagator": ("CountPropagator",),
            "cover_search": ("CoverSearch",),
            "exact_cover": ("COVER_FORMS", "list_covers"),
            "hitting_sets": ("HittingSets",),
            "incremental_solver": ("ConflictBudgetExceeded", "IncrementalSolver", "free_if_short"),
            "pb_encodings": ("at_most_one",),
            "sat": ("Clauses", "LiteralShape", "Sat", "UniqueSolutionSolver"),
            "statistics": ("Statistics",),
            "streams": ("streamed",),
        },
    )
