"""`puzzlekit export` and `puzzlekit read-solution`, as a person types them."""

import json
from pathlib import Path

import pytest

from tests.commands import ROOT, Command

SPEC = "specs/cryptarithm/two.yaml"
PAIR = (
    "puzzle: pair\ndata: {most: int}\nvariables: {x: 'between(1, most)', y: 'between(1, most)'}\n"
    "rules: {less: x < y}\n"
)


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    """The files of a type and a spec."""
    (tmp_path / "pair.yaml").write_text(PAIR)
    (tmp_path / "spec.yaml").write_text("most: 4\n")
    return [str(tmp_path / "pair.yaml"), str(tmp_path / "spec.yaml")]


def test_a_solution_is_drawn(puzzlekit: Command, tmp_path: Path, pair: list[str]) -> None:
    model, printed = str(tmp_path / "model.mzn"), tmp_path / "out.txt"
    done = puzzlekit("export", *pair, "--format", "mzn", "--out", model)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{model}\n", "")
    printed.write_text("x = 1;\ny = 3;\n----------\n")
    done = puzzlekit("read-solution", model, str(printed))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("\nthe solution keeps all rules\n")
    done = puzzlekit("read-solution", model, str(printed), "--json")
    assert json.loads(done.stdout)["solutions"] == [{"x": 1, "y": 3}]


def test_exit_codes(puzzlekit: Command, tmp_path: Path, pair: list[str]) -> None:
    model, printed = str(tmp_path / "model.cnf"), tmp_path / "out.txt"
    puzzlekit("export", *pair, "--format", "dimacs", "--out", model)
    for text, code, message in (
        (
            "s UNSATISFIABLE\n",
            1,
            "no solution, the other solver reports; puzzlekit has not proven it",
        ),
        ("s UNKNOWN\n", 3, "the other solver gave up"),
        ("nothing\n", 2, f"{printed}: expected a line such as s SATISFIABLE"),
    ):
        printed.write_text(text)
        done = puzzlekit("read-solution", model, str(printed))
        assert (done.returncode, message in done.stdout + done.stderr) == (code, True)


def test_a_changed_or_moved_spec(puzzlekit: Command, tmp_path: Path, pair: list[str]) -> None:
    model, printed = str(tmp_path / "model.cnf"), tmp_path / "out.txt"
    puzzlekit("export", *pair, "--format", "dimacs", "--out", model)
    printed.write_text("s UNSATISFIABLE\n")
    moved = Path(pair[1]).rename(tmp_path / "moved.yaml")
    assert puzzlekit("read-solution", model, str(printed)).returncode == 2
    assert puzzlekit("read-solution", model, str(printed), pair[0], str(moved)).returncode == 1
    moved.write_text("most: 5\n")
    done = puzzlekit("read-solution", model, str(printed), pair[0], str(moved))
    assert (done.returncode, "has changed since the file was exported" in done.stderr) == (2, True)


def test_unknown_formats_and_files(puzzlekit: Command, tmp_path: Path) -> None:
    done = puzzlekit("export", str(ROOT / SPEC), "--format", "dimac")
    assert (done.returncode, done.stderr) == (
        2,
        "--format dimac: there is no such format; did you mean dimacs?\n",
    )
    done = puzzlekit("read-solution", str(tmp_path / "missing.cnf"), str(tmp_path / "missing.txt"))
    assert (done.returncode, "missing.cnf" in done.stderr) == (2, True)
    done = puzzlekit("read-solution", str(ROOT / SPEC), str(ROOT / SPEC))
    assert (done.returncode, "expected a file of puzzlekit export" in done.stderr) == (2, True)


def test_a_rule_that_a_format_cannot_express(puzzlekit: Command, pair: list[str]) -> None:
    Path(pair[0]).write_text(PAIR.replace("x < y", "x * 1000003 + y * 999983 + x * x * y != 7"))
    Path(pair[1]).write_text("most: 500\n")
    done = puzzlekit("export", *pair, "--format", "xcc")
    assert done.returncode == 2
    assert "the format xcc cannot express the puzzle: less" in done.stderr
