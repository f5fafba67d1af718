"""Old keys and options: the error of each names the new one, and `upgrade` rewrites keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from puzzlekit import renamed
from puzzlekit.api.renaming import old_keys, with_new_keys
from puzzlekit.errors import Problems
from puzzlekit.lang import bind, read_spec, type_of_text
from puzzlekit.lang.making_section import making_of
from puzzlekit.lang.type_reader import MAKE_KEYS, SECTIONS, SPEC_KEYS
from tests.commands import Command

OLD_TYPE = """\
puzzle: lamps
also: [lights]  # how others call it
uses: []

data:
  size: int
"checks": {the board is not empty: size > 0}   # quoted
facts:
    cells: size * size
variables:
  lamp[c]: bool for c in board(size, size).cells
make: {give: {size: "3"}, bias: {lamp: 60}, without: []}
"""
NEW_TYPE = """\
puzzle: lamps
aliases: [lights]  # how others call it
libraries: []

data:
  size: int
"require": {the board is not empty: size > 0}   # quoted
info:
    cells: size * size
variables:
  lamp[c]: bool for c in board(size, size).cells
make: {fields: {size: "3"}, bias: {lamp: 60}, drop_rules: []}
"""
OLD_SPEC = "puzzle: sudoku\nmarks:\n  answer: 3\nnote: 'marks: 2'\nmade: {level: easy}\n"
NEW_SPEC = "puzzle: sudoku\nprogress:\n  answer: 3\nnote: 'marks: 2'\ngenerated_by: {level: easy}\n"
PLAIN = "puzzle: t\nvariables: {x: bool}\n"
FIELD_TYPE = "puzzle: walk\ndata: {marks: int}\nvariables: {x: 'between(1, marks)'}\n"


@pytest.mark.parametrize(("old", "new"), renamed.TYPE_SECTIONS.items())
def test_an_old_section_is_an_error_that_names_the_new_one(old: str, new: str) -> None:
    with pytest.raises(Problems) as raised:
        type_of_text("t.yaml", f"{PLAIN}{old}: {{}}\n")
    (problem,) = raised.value.problems
    assert problem.message == f"{old} is called {new} now"
    assert problem.position is not None and problem.position.line == 3
    assert "puzzlekit upgrade" in problem.help


@pytest.mark.parametrize(("old", "new"), renamed.MAKE_KEYS.items())
def test_an_old_key_of_make_is_an_error_that_names_the_new_one(old: str, new: str) -> None:
    with pytest.raises(Problems) as raised:
        type_of_text("t.yaml", f"{PLAIN}make:\n  {old}: x\n")
    (problem,) = raised.value.problems
    assert problem.message == f"{old} is called {new} now"
    assert problem.position is not None and (problem.position.line, problem.position.column) == (
        4,
        3,
    )


@pytest.mark.parametrize(("old", "new"), renamed.SPEC_KEYS.items())
def test_an_old_key_of_a_spec_is_an_error_that_names_the_new_one(old: str, new: str) -> None:
    with pytest.raises(Problems) as raised:
        bind(type_of_text("t.yaml", PLAIN), read_spec("s.yaml", f"puzzle: t\n{old}: {{}}\n"))
    (problem,) = raised.value.problems
    assert problem.message == f"{old} is called {new} now"
    assert problem.position is not None and problem.position.line == 2


@pytest.mark.parametrize("name", [*renamed.SPEC_KEYS, *renamed.TYPE_SECTIONS])
def test_a_field_may_have_the_name_of_an_old_key(name: str) -> None:
    type_ = type_of_text("t.yaml", f"{PLAIN}data: {{{name}: int}}\n")
    assert bind(type_, read_spec("s.yaml", f"{name}: 3\n")).data == {name: 3}


def test_the_new_names_are_the_keys_that_are_read() -> None:
    assert set(renamed.TYPE_SECTIONS.values()) <= {*SECTIONS}
    assert set(renamed.MAKE_KEYS.values()) <= {*MAKE_KEYS}
    assert set(renamed.SPEC_KEYS.values()) <= {*SPEC_KEYS}
    old = {*renamed.TYPE_SECTIONS, *renamed.MAKE_KEYS, *renamed.SPEC_KEYS}
    assert old.isdisjoint({*SECTIONS, *MAKE_KEYS, *SPEC_KEYS})


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("hint", "x", "--marks", "f"), "--marks is called --progress now"),
        (("check", "x", "--marks=f"), "--marks is called --progress now"),
        (("draw", "x", "--ignore-marks"), "--ignore-marks is called --ignore-symbols now"),
        (("check", "x", "--steps", "9"), "--steps is called --max-evaluations now"),
        (("solve", "x", "--words", "english"), "--words is called --lexicon now"),
        (("generate", "waffle", "--words", "english"), "--words is called --lexicon now"),
        (
            ("solve", "x", "--why", "--conflicts", "3"),
            "--conflicts is called --most now, an option of conflict",
        ),
        (
            ("solve", "x", "--marks", "f"),
            "--marks is called --progress now, an option of check and others",
        ),
    ],
)
def test_an_old_option_is_an_error_that_names_the_new_one(
    puzzlekit: Command, command: tuple[str, ...], message: str
) -> None:
    done = puzzlekit(*command)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.replace("│", " ").split())


@pytest.mark.parametrize(
    ("old", "new"), [(OLD_TYPE, NEW_TYPE), (OLD_SPEC, NEW_SPEC)], ids=["type", "spec"]
)
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["plain", "marked"])
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["unix", "windows"])
def test_only_old_keys_are_rewritten(
    puzzlekit: Command, old: str, new: str, mark: str, end: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.yaml"
    before, after = (f"{mark}{text}".replace("\n", end).encode() for text in (old, new))
    path.write_bytes(before)
    told = puzzlekit("upgrade", "--check", str(path))
    assert (told.returncode, path.read_bytes()) == (0, before)
    done = puzzlekit("upgrade", str(path))
    assert (done.returncode, done.stdout, path.read_bytes()) == (0, told.stdout, after)
    again = puzzlekit("upgrade", str(path))
    assert (again.returncode, again.stdout) == (0, f"{path}: nothing to change\n")
    assert path.read_bytes() == after


def test_each_change_is_told_with_its_line(puzzlekit: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(OLD_SPEC)
    done = puzzlekit("upgrade", str(path))
    assert done.stdout == f"{path}:2: marks -> progress\n{path}:5: made -> generated_by\n"


def test_what_is_rewritten_is_read() -> None:
    type_ = type_of_text("a.yaml", with_new_keys(OLD_TYPE, old_keys("a.yaml", OLD_TYPE)))
    assert (type_.aliases, [rule.name for rule in type_.info]) == (("lights",), ["cells"])
    assert making_of(type_).bias == {"lamp": 60}


def test_all_files_of_a_folder_are_rewritten(puzzlekit: Command, tmp_path: Path) -> None:
    below = tmp_path / "below"
    below.mkdir()
    (tmp_path / "lamps.yaml").write_text(OLD_TYPE)
    (below / "s.yml").write_text(OLD_SPEC)
    (below / "other.yaml").write_text("also: 3\nuses: something else\nmarks: 1\n")
    done = puzzlekit("upgrade", str(tmp_path))
    assert done.returncode == 0 and "other" not in done.stdout
    assert (tmp_path / "lamps.yaml").read_text() == NEW_TYPE
    assert (below / "s.yml").read_text() == NEW_SPEC
    assert puzzlekit("upgrade", str(tmp_path)).stdout == f"{tmp_path}: nothing to change\n"


def test_a_field_of_that_name_is_no_old_key(puzzlekit: Command, tmp_path: Path) -> None:
    (tmp_path / "walk.yaml").write_text(FIELD_TYPE)
    spec = tmp_path / "s.yaml"
    spec.write_text("puzzle: walk\nmarks: 3\nmade: {level: easy}\n")
    done = puzzlekit("upgrade", str(spec))
    assert done.stdout == f"{spec}:3: made -> generated_by\n"
    assert spec.read_text() == "puzzle: walk\nmarks: 3\ngenerated_by: {level: easy}\n"
    assert puzzlekit("check", str(tmp_path / "walk.yaml"), str(spec)).returncode == 0


def test_a_file_that_cannot_be_rewritten_stays_and_the_others_do_not(
    puzzlekit: Command, tmp_path: Path
) -> None:
    both, broken, fine = (tmp_path / f"{name}.yaml" for name in ("both", "broken", "fine"))
    texts: dict[Path, Any] = {
        both: "puzzle: sudoku\nmarks: {answer: 1}\nprogress: {answer: 1}\n",
        broken: "puzzle: [\n",
        fine: OLD_SPEC,
    }
    for path, text in texts.items():
        path.write_text(text)
    done = puzzlekit("upgrade", *map(str, texts), str(tmp_path / "missing.yaml"))
    assert done.returncode == 2
    assert f"{both}:2:1: marks is called progress now, and progress is there, too" in done.stderr
    assert f"{broken}:" in done.stderr and "missing.yaml: there is no such file" in done.stderr
    assert (both.read_text(), broken.read_text()) == (texts[both], texts[broken])
    assert fine.read_text() == NEW_SPEC


def test_no_file_that_ships_has_an_old_key(puzzlekit: Command) -> None:
    done = puzzlekit("upgrade", "--check", "puzzles/", "specs/", "examples/")
    assert done.stdout.splitlines() == [
        f"{folder}: nothing to change" for folder in ("puzzles/", "specs/", "examples/")
    ]
