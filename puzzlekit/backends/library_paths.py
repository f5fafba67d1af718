"""Where solver libraries look for their files: in their own packages, never in the current folder.

Left alone, three of them look there, and run what they find: z3 for its native library, ortools for libraries that its copy of
HiGHS needs, numba (below xcover) for `.numba_config.yaml`, which can name a folder of pickled code. Importing
`puzzlekit.backends` puts a finder before Python's own, which mends each library in the moment in which it is first imported.
What the environment names (`Z3_LIBRARY_PATH`, `NUMBA_CACHE_DIR`, `LD_LIBRARY_PATH`, …) is the user's own word and is left.
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

Folders = Sequence[str] | None  # of the package that holds the module
NUMBA_CONFIG = ".numba_config.yaml"
LOADED_FIRST = ("libpthread.so.0", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6")


class LibraryFinder(MetaPathFinder):
    """Mends a library before its module is found. It is Python's own finders that find modules."""

    def find_spec(self, fullname: str, path: Folders, target: ModuleType | None = None) -> ModuleSpec | None:
        mend = MENDS.get(fullname)
        return mend(fullname, path) if mend else None


def _z3(name: str, folders: Folders) -> None:
    """Name the folders in which z3 looks first, in the way that it has for this; its own list begins with the current one."""
    if not hasattr(builtins, "Z3_LIB_DIRS"):
        own = [Path(folder, part) for folder in folders or () for part in ("lib", "")]
        builtins.Z3_LIB_DIRS = [str(folder) for folder in (*own, Path(sys.prefix, "lib"))]  # type: ignore[attr-defined]


def _ortools(name: str, folders: Folders) -> None:
    """Load the system's libraries that libhighs needs: what is loaded is not looked for.

    The RUNPATH of libhighs in ortools 9.15 is `:::::::`: to the dynamic loader, eight times the current folder.
    """
    for library in LOADED_FIRST if sys.platform == "linux" else ():
        with suppress(OSError):
            ctypes.CDLL(library)


def _numba(name: str, folders: Folders) -> ModuleSpec | None:
    """Have numba's configuration read no file: its name is a constant, and the module reads it while it is imported."""
    spec = PathFinder.find_spec(name, folders)
    if spec is not None:
        if not isinstance(spec.loader, SourceFileLoader):
            raise ImportError(f"{name} is no file of Python, so its look at {NUMBA_CONFIG} cannot be mended")
        spec.loader = _WithoutConfig(spec.loader.name, spec.loader.path)
    return spec


class _WithoutConfig(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType | None:
        code = super().get_code(fullname)
        if code is None or NUMBA_CONFIG not in code.co_consts:
            raise ImportError(f"this numba does not look at {NUMBA_CONFIG} in the way that is known, so it is not imported")
        return code.replace(co_consts=tuple(os.devnull if value == NUMBA_CONFIG else value for value in code.co_consts))


MENDS: dict[str, Callable[[str, Folders], ModuleSpec | None]] = {
    "z3.z3core": _z3,
    "ortools": _ortools,
    "numba.core.config": _numba,
}
sys.meta_path.insert(0, LibraryFinder())
