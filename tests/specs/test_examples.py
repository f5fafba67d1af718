"""The examples: a type of one's own, a spec for it, a script on the Python API,
and generated waffles with their pages.
"""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from puzzlekit.api import load
from puzzlekit.api.checks import unmet
from puzzlekit.backends import BACKENDS
from puzzlekit.cli.commands.check import check_files

ROOT = Path(__file__).parents[2]
TYPE = ROOT / "examples" / "magic_square.yaml"
SPEC = ROOT / "examples" / "magic_square_4.yaml"
GALLERY = runpy.run_path(str(ROOT / "docs" / "gallery.py"))
WAFFLES = sorted((ROOT / "examples" / "waffles").glob("*.yaml"))

PRINTED = """\
16  3  2 13
 5 10 11  8
 9  6  7 12
 4 15 14  1
solutions: 1
fewest words: kevät lusikka maito pihlaja soitto
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_finds_the_square(backend: str) -> None:
    assert unmet(load(str(TYPE), SPEC), backend) == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_there_is_one_square_of_three_by_three_in_eight_positions(
    backend: str, tmp_path: Path
) -> None:
    spec = tmp_path / "three.yaml"
    spec.write_text("puzzle: magic_square\nsize: 3\n", encoding="utf-8")
    assert load(str(TYPE), spec).count(backend) == 8


def test_check_finds_the_type_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_files([TYPE], "auto", None) == 0
    assert (
        capsys.readouterr().out
        == f"{TYPE}: a valid type: fields size, givens; unknowns number; 5 rules, run on 1 spec\n"
    )


def test_the_type_fits_in_the_readme() -> None:
    assert len(TYPE.read_text(encoding="utf-8").splitlines()) <= 25


def test_the_script_runs_from_the_root() -> None:
    command = [sys.executable, "-W", "error", "-X", "utf8", "examples/api.py"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, PRINTED, "")


@pytest.mark.parametrize("spec", WAFFLES, ids=lambda path: path.stem)
def test_a_generated_waffle_has_what_it_expects_and_a_page_that_plays_it(spec: Path) -> None:
    puzzle = load("waffle", spec)
    assert unmet(puzzle) == []
    page = spec.with_suffix(".html").read_text("utf-8")
    assert page == GALLERY["played"](spec), "run make gallery"
    found = re.search(r"^const puzzles = (.*);$", page, re.MULTILINE)
    assert found is not None
    (data,) = json.loads(found[1])
    letters = puzzle.instance.data["letters"].values
    assert dict(zip(map(tuple, data["cells"]), data["letters"])) == letters


def test_there_is_a_waffle_of_every_size() -> None:
    sizes = "11x11 3x3 5x5 5x7 7x5 7x7 9x9 royale solid"
    assert [spec.stem for spec in WAFFLES] == sizes.split()
