"""The start of a command imports few modules, and no more from one version to the next.

Imports take four fifths of a short command. The bounds are the numbers of modules on CPython 3.11,
with some room for other versions of Python and of the libraries.
"""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
COMMAND = "import sys; sys.argv = ['puzzlekit', *{words}]; from puzzlekit.cli import _main; _main()"
LOAD = "import puzzlekit; puzzlekit.load('sudoku', 'specs/sudoku/first.yaml')"
WORK = {
    "--help": (COMMAND.format(words=["--help"]), 200),
    "load": (LOAD, 330),
    "solve a sudoku": (COMMAND.format(words=["solve", "specs/sudoku/first.yaml"]), 490),
    "solve a slitherlink": (COMMAND.format(words=["solve", "specs/slitherlink/5x5.yaml"]), 515),
}
REPORT = "import atexit, sys; atexit.register(lambda: print('\\n', *sys.modules, file=sys.stderr))"
# Loaded only for what needs them
LAZY = ("numpy.ma", "puzzlekit.libraries.words", "puzzlekit_waffle", "puzzlekit.reasons", "httpx")


@pytest.mark.parametrize("name", WORK)
def test_few_modules_are_imported(name: str) -> None:
    work, most = WORK[name]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    modules = modules_of(work)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    print(f"{name}: {len(modules)} modules, {seconds / bare_seconds():.0f} times python -c pass")
    assert len(modules) <= most
    assert [module for module in LAZY if module in modules] == []


def modules_of(work: str) -> set[str]:
    """Return the modules that a new process has imported when it has done the work."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", f"{REPORT}\n{work}"]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
    )
    assert ended.returncode == 0, ended.stderr
    return {*ended.stderr.splitlines()[-1].split()}


def bare_seconds() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def test_classes_are_made_by_the_quick_dataclass() -> None:
    """`puzzlekit.dataclass` makes a class in a quarter of the time."""
    pattern = re.compile(r"^from dataclasses import .*\bdataclass\b", re.MULTILINE)
    modules = sorted((ROOT / "puzzlekit").rglob("*.py"))
    slow = [path.name for path in modules if pattern.search(path.read_text(encoding="utf-8"))]
    assert slow == ["query.py"]  # whose arguments the pages of the reference show
