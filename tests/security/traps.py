"""A folder full of traps: whatever a program might look for in the folder of a stranger,
and what shows that it took it.

Each trap that can be run writes its name into one file when it is run.
"""

import shutil
import site
import subprocess
import sys
import sysconfig
from importlib.metadata import packages_distributions
from pathlib import Path

CONFIGURATION = (
    *(
        ".env",
        ".netrc",
        "_netrc",
        "netrc",
        "pyproject.toml",
        "setup.cfg",
        "tox.ini",
        "pytest.ini",
        "conftest.txt",
        "Makefile",
    ),
    *(
        "pyvenv.cfg",
        "python._pth",
        "python311._pth",
        "pybuilddir.txt",
        ".python-version",
        "pip.conf",
        ".pydistutils.cfg",
    ),
    *(
        "puzzlekit.yaml",
        "puzzlekit.toml",
        ".puzzlekit",
        "config.yaml",
        "config.toml",
        "config.json",
        "settings.ini",
    ),
    *(
        "openssl.cnf",
        "cert.pem",
        "ca-bundle.crt",
        "hosts",
        "resolv.conf",
        "ld.so.cache",
        "ld.so.preload",
        "locale.alias",
    ),
    *(
        "site.cfg",
        ".numpy-site.cfg",
        "matplotlibrc",
        "z3.ini",
        "z3.cfg",
        "clingo.cfg",
        "gurobi.env",
        "gurobi.lic",
    ),
    *("english", "english-common", "finnish", "french", "system"),
    *(
        "xpauth.xpr",
        "cplex.log",
        "highs.opt",
        "cbc.par",
        "rich.ini",
        ".condarc",
        "words",
        "words.txt",
        "unigrams.txt",
    ),
)
PROGRAMS = (
    *(
        "ldconfig",
        "ld",
        "gcc",
        "cc",
        "clang",
        "objdump",
        "uname",
        "lscpu",
        "file",
        "sh",
        "git",
        "python",
        "python3",
    ),
    "less",
)
LIBRARIES = (
    *(
        "libz3.so.5.4",
        "libz3.so",
        "libz3.so.4",
        "libpthread.so.0",
        "libm.so.6",
        "libgcc_s.so.1",
        "libstdc++.so.6",
    ),
    "libc.so.6",
)
SYSTEM = (
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib",
)
SOURCE = """
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void caught(void) {
    int file = open(MARKER, O_WRONLY | O_APPEND | O_CREAT, 0600);
    if (file >= 0) { if (write(file, "a native library\\n", 17) < 0) _exit(99); close(file); }
}
"""
# modules of the standard library that `python -m` takes from the current folder before it runs
# anything
BEFORE_US = frozenset(
    {
        *(
            "importlib",
            "warnings",
            "contextlib",
            "collections",
            "keyword",
            "operator",
            "reprlib",
            "functools",
            "types",
        ),
        *("runpy", "pkgutil"),
    }
)


def module_names() -> set[str]:
    """The names under which modules are imported: Python's own, those of all that is installed,
    and Python's hooks.
    """
    return {
        *sys.stdlib_module_names,
        *packages_distributions(),
        "sitecustomize",
        "usercustomize",
        "cuda",
        "jieba",
        "MeCab",
        "puzzlekit_sanalouhos",
        "puzzlekit_waffle",
    }


def library_names() -> set[str]:
    """The names of the native libraries of what is installed, and of the system."""
    folders = [Path(folder) for folder in (*site.getsitepackages(), sysconfig.get_path("purelib"))]
    own = {path.name for folder in folders for path in folder.rglob("*.so*")}
    return (
        own
        | {path.name for folder in map(Path, SYSTEM) for path in folder.glob("lib*.so*")}
        | set(LIBRARIES)
    )


def lay_modules(folder: Path, marker: Path, names: set[str]) -> None:
    """Files of Python that write down that they were run."""
    for name in names:
        if name.isidentifier():
            (folder / f"{name}.py").write_text(
                f"with open({str(marker)!r}, 'a') as file:\n    file.write({name + chr(10)!r})\n"
            )


def lay(folder: Path, marker: Path) -> None:
    """Fill a folder with traps."""
    folder.mkdir(parents=True, exist_ok=True)
    lay_modules(folder, marker, module_names())
    for name in CONFIGURATION:
        (folder / name).write_text("# a stranger's\n")
    for kind in ("waffle", "sanalouhos", "queens", "stranger"):
        lay_modules(
            folder, marker, {f"{kind}_{what}" for what in ("generator", "fetcher", "board", "page")}
        )
    pickled = folder / "pickled"
    pickled.mkdir()
    (folder / ".numba_config.yaml").write_text(f"cache_dir: {pickled}\ndisable_jit: 0\n")
    for name in PROGRAMS:
        (folder / name).write_text(f"#!/bin/sh\necho program {name} >> {marker}\n")
        (folder / name).chmod(0o755)
    library = _library(folder, marker)
    for name in library_names():
        if not (folder / name).exists():
            (folder / name).hardlink_to(library)


def _library(folder: Path, marker: Path) -> Path:
    """A native library that writes down that it was loaded; without a compiler,
    a file that is only seen to be opened.
    """
    made = folder / "libtrap.so"
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        made.write_bytes(b"\x7fELF no library")
        return made
    command = [
        compiler,
        "-shared",
        "-fPIC",
        "-x",
        "c",
        "-",
        f'-DMARKER="{marker}"',
        "-o",
        str(made),
    ]
    subprocess.run(command, input=SOURCE, text=True, check=True)
    return made
