"""Marks in links: what a solver has entered is read again where the notation has a place for it."""

import pytest

import puzzlekit
from puzzlekit.api.spec_progress import progress_facts
from puzzlekit.links import WITH_PROGRESS, notation
from tests.commands import called
from tests.shipped import SPECS

MARKED = {
    "sudoku/six": "digit: {r2c1: 2, r4c3: 2}",
    "slitherlink/tiny": "line: [[+r1c1, +r1c2]], not: {line: [[+r1c2, +r1c3], [+r1c3, +r1c4]]}",
    "nurikabe/6x6": "answer: {r1c2: '#'}, not: {sea: [r4c3]}",
    "skyscrapers/tiny": "not: {height: {r1c1: [1, 3]}}",
}


@pytest.mark.parametrize("name", MARKED)
def test_penpa_carries_all_marks(name):
    puzzle = puzzlekit.load(None, f"{SPECS[name].read_text()}progress: {{{MARKED[name]}}}\n")
    (read,) = notation("penpa").read(notation("penpa").write(puzzle.instance))
    again = puzzlekit.load(None, read.text)
    assert progress_facts(puzzle) and list(map(str, progress_facts(again))) == list(
        map(str, progress_facts(puzzle))
    )
    assert again.check() == puzzle.check() and not read.unread


def test_fpuzzles_carries_values():
    puzzle = puzzlekit.load(
        None, f"{SPECS['sudoku/six'].read_text()}progress: {{{MARKED['sudoku/six']}}}\n"
    )
    (read,) = notation("fpuzzles").read(notation("fpuzzles").write(puzzle.instance))
    again = puzzlekit.load(None, read.text)
    assert (
        list(map(str, progress_facts(again))) == list(map(str, progress_facts(puzzle)))
        and again.check() == puzzle.check()
    )
    assert again.instance.data["givens"].values == puzzle.instance.data["givens"].values


def test_what_carries_no_marks_says_so(tmp_path):
    spec = tmp_path / "marked.yaml"
    spec.write_text(
        f"{SPECS['slitherlink/tiny'].read_text()}progress: {{{MARKED['slitherlink/tiny']}}}\n"
    )
    assert "penpa" in WITH_PROGRESS
    for form, said in (
        ("puzzlink", "the notation puzzlink carries no progress: it is left out\n"),
        ("penpa", ""),
    ):
        done = called("export", str(spec), "--format", form)
        assert (done.returncode, done.stderr) == (0, said)
