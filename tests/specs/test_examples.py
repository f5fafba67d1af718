"""The examples of the README: a type of one's own, a spec for it, and a script on the Python API."""

import subprocess
import sys
from pathlib import Path

import pytest

from puzzlekit.api import load
from puzzlekit.api.expect import unmet
from puzzlekit.backends import BACKENDS
from puzzlekit.cli.checking import check_files

ROOT = Path(__file__).parents[2]
TYPE = ROOT / "examples" / "magic_square.yaml"
SPEC = ROOT / "examples" / "magic_square_4.yaml"

PRINTED = """\
16  3  2 13
 5 10 11  8
 9  6  7 12
 4 15 14  1
answers: 1
fewest words: kevät lusikka maito pihlaja soitto
"""


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_finds_the_square(backend: str) -> None:
    assert unmet(load(str(TYPE), SPEC), backend) == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_there_is_one_square_of_three_by_three_in_eight_positions(backend: str, tmp_path: Path) -> None:
    spec = tmp_path / "three.yaml"
    spec.write_text("puzzle: magic_square\nsize: 3\n", encoding="utf-8")
    assert load(str(TYPE), spec).count(backend) == 8


def test_check_finds_the_type_sound(capsys: pytest.CaptureFixture[str]) -> None:
    assert check_files([TYPE], "auto", None) == 0
    assert capsys.readouterr().out == f"{TYPE}: a sound type: fields size, givens; unknowns number; 5 rules\n"


def test_the_type_fits_in_the_readme() -> None:
    assert len(TYPE.read_text(encoding="utf-8").splitlines()) <= 25


def test_the_script_runs_from_the_root() -> None:
    command = [sys.executable, "-W", "error", "-X", "utf8", "examples/api.py"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, PRINTED, "")
