"""The core language stands alone, and shipped types name the libraries that they use."""

import subprocess
import sys
from pathlib import Path

import pytest

from puzzlekit.errors import Problems
from puzzlekit.lang import language, type_of_text
from puzzlekit.lang.functions import CORE
from puzzlekit.lang.library import Language, Library

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((ROOT / "puzzles").glob("*.yaml"))


def test_each_shipped_type_names_its_libraries(subtests: pytest.Subtests) -> None:
    for path in SHIPPED:
        with subtests.test(path.stem):
            names_its_libraries(path)


def names_its_libraries(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if "\nlibraries:" not in text:
        type_of_text(str(path), text + "libraries: []\n")
        return
    without = "".join(
        line for line in text.splitlines(keepends=True) if not line.startswith("libraries:")
    )
    with pytest.raises(Problems, match="add it to libraries:"):
        type_of_text(str(path), without + "libraries: []\n")


def test_the_core_knows_no_name_of_a_library() -> None:
    alone = language([])
    assert alone.libraries == [CORE]
    assert (
        not {"marks", "word", "rarity", "green", "best_cycles", "exchanges", "known_best"}
        & alone.names
    )
    assert not {"lexicon", "letter", "word", "mark", "marks"} & alone.data_types.keys()
    with pytest.raises(Problems, match=r"(?s)word.*is not a type.*library words"):
        type_of_text("t", "puzzle: t\nlibraries: []\ndata:\n  w: word\nvariables:\n  x: bool\n")


def test_the_core_is_imported_without_libraries() -> None:
    script = (
        "import sys, puzzlekit.lang; print([m for m in sys.modules "
        "if m.startswith('puzzlekit.libraries')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


def test_help_looks_for_no_libraries() -> None:
    script = (
        "import sys; from puzzlekit.cli.program import program; program(); "
        "print('importlib.metadata' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_a_shared_name_belongs_to_nobody() -> None:
    one, other = (
        Library(name, constants={"pi": value, name: value})
        for name, value in (("one", 3), ("other", 4))
    )
    both = Language([CORE, one, other])
    assert "pi" not in both.names
    assert {"one", "other"} <= both.names
    message, help = both.unknown("pi", both.names)
    assert (message, help) == (
        "several libraries define pi: one and other",
        "libraries: [one] chooses that of one",
    )
    assert Language([CORE, one], [other]).constants["pi"] == 3
    assert (
        Language([CORE], [one]).unknown("pi", ())[1]
        == "the library one defines it: add it to libraries:"
    )
