"""Make solver libraries look for files in their own packages, never in the current folder.

By default, three libraries look there and run what they find: z3 for its native library, ortools
for libraries that its copy of HiGHS needs, numba (below xcover) for `.numba_config.yaml`, which can
name a folder of pickled code. Importing `puzzlekit.backends` installs a finder before Python's own;
it patches each library when it is first imported. Paths that the environment sets
(`Z3_LIBRARY_PATH`, `NUMBA_CACHE_DIR`, `LD_LIBRARY_PATH`, …) are the user's choice and stay.
"""

from __future__ import annotations

import builtins
import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

Folders = Sequence[str] | None  # of the package that contains the module
NUMBA_CONFIG = ".numba_config.yaml"
LOADED_FIRST = ("libpthread.so.0", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6")


class LibraryFinder(MetaPathFinder):
    """Patches a library before its module is found; Python's own finders then find the module."""

    def find_spec(
        self, fullname: str, path: Folders, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        mend = MENDS.get(fullname)
        return mend(fullname, path) if mend else None


def _z3(name: str, folders: Folders) -> None:
    """Set where z3 looks first, by its own variable; its default starts with the current folder."""
    if not hasattr(builtins, "Z3_LIB_DIRS"):
        packaged = [
            Path(folder, subfolder) for folder in folders or () for subfolder in ("lib", "")
        ]
        paths = [*packaged, Path(sys.prefix, "lib")]
        builtins.Z3_LIB_DIRS = [str(path) for path in paths]  # type: ignore[attr-defined]


def _ortools(name: str, folders: Folders) -> None:
    """Load the system libraries that libhighs needs, so that the loader does not search for them.

    The RUNPATH of libhighs in ortools 9.15 is `:::::::`. To the dynamic loader, this is eight times
    the current folder.
    """
    if sys.platform == "linux":
        for library in LOADED_FIRST:
            with suppress(OSError):
                ctypes.CDLL(library)


def _numba(name: str, folders: Folders) -> ModuleSpec | None:
    """Prevent numba from reading a configuration file.

    The file name is a constant in the module that reads the file while it is imported.
    """
    spec = PathFinder.find_spec(name, folders)
    if spec is not None:
        if not isinstance(spec.loader, SourceFileLoader):
            raise ImportError(
                f"{name} is not a Python source file, so {NUMBA_CONFIG} cannot be disabled"
            )
        spec.loader = _WithoutConfig(spec.loader.name, spec.loader.path)
    return spec


class _WithoutConfig(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType | None:
        code = super().get_code(fullname)
        if code is None or NUMBA_CONFIG not in code.co_consts:
            raise ImportError(
                f"unknown version of numba: {NUMBA_CONFIG} cannot be disabled, "
                "so numba is not imported"
            )
        constants = [
            os.devnull if constant == NUMBA_CONFIG else constant for constant in code.co_consts
        ]
        return code.replace(co_consts=tuple(constants))


MENDS: dict[str, Callable[[str, Folders], ModuleSpec | None]] = {
    "z3.z3core": _z3,
    "ortools": _ortools,
    "numba.core.config": _numba,
}
sys.meta_path.insert(0, LibraryFinder())
