"""One search path for types, for all commands and for Python."""

from functools import partial
from pathlib import Path

import pytest

import puzzlekit as package
from tests.commands import Command, called

TYPE = """\
puzzle: star_snake
data:
  givens: grid[int | None] in 1..n
let:
  n: len(givens.rows)
variables:
  number[c]: between(1, n) for c in givens.cells
rules:
  rows: all_different(number[row]) for row in givens.rows
  columns: all_different(number[column]) for column in givens.columns
  givens stay: number[c] == givens[c] for c in givens.given
"""
SPEC = "puzzle: star_snake\ngivens: |\n  12\n  ..\n"


@pytest.fixture
def puzzlekit(here: Path) -> Command:
    return partial(called, cwd=here)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "star_snake.yaml").write_text(TYPE, encoding="utf-8")
    (tmp_path / "spec.yaml").write_text(SPEC, encoding="utf-8")
    return tmp_path


COMMANDS = [
    ("solve", "spec.yaml"),
    ("show", "star_snake"),
    ("new", "spec", "star_snake", "--size", "4x4"),
    ("generate", "star_snake", "--size", "4x4", "--seed", "1"),
    ("check", "star_snake"),
    ("draw", "star_snake", "spec.yaml"),
    ("batch", "spec.yaml", "--out", "results.jsonl"),
    ("schema", "star_snake"),
]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_command_finds_a_type_in_the_working_folder(
    words: tuple[str, ...], here: Path, puzzlekit: Command
) -> None:
    done = puzzlekit(*words)
    assert done.returncode == 0, done.stderr


def test_generated_puzzles_are_solved_at_once(here: Path, puzzlekit: Command) -> None:
    words = ("star_snake", "--size", "4x4", "--seed", "1", "--out", "made/deep")
    (made,) = puzzlekit("generate", *words).stdout.split()
    assert made.startswith("made/deep/")
    assert puzzlekit("solve", made).returncode == 0
    assert puzzlekit("batch", "made", "--out", "results.jsonl").returncode == 0
    assert package.load(None, Path(made)).count() == 1


def test_a_type_that_is_named_by_its_path_generates_into_a_folder(
    here: Path, puzzlekit: Command
) -> None:
    (here / "types").mkdir()
    (here / "star_snake.yaml").rename(here / "types" / "star_snake.yaml")
    words = ("generate", "types/star_snake.yaml", "--size", "4x4", "--seed", "1")
    done = puzzlekit(*words, "--out", "made")
    assert (done.returncode, done.stdout) == (0, "made/star_snake-1-1.yaml\n"), done.stderr
    assert puzzlekit("solve", "made/star_snake-1-1.yaml").returncode == 0


def test_a_spec_on_standard_input_has_the_type_of_the_working_folder(
    here: Path, puzzlekit: Command
) -> None:
    (here / "picross.yaml").write_text(TYPE.replace("star_snake", "picross"), encoding="utf-8")
    done = puzzlekit("solve", "-", stdin=SPEC.replace("star_snake", "picross"))
    assert done.returncode == 0, done.stderr  # elsewhere, picross is another name of a type


def test_the_nearest_folder_comes_first(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = [Path("a/b"), Path("a"), Path(), Path("puzzles"), Path("path")]
    monkeypatch.setenv("PUZZLEKIT_PATH", "path")
    for number, folder in enumerate(folders):
        folder.mkdir(parents=True, exist_ok=True)
        text = TYPE.replace("puzzle:", f"title: number {number}\npuzzle:")
        (folder / "star_snake.yaml").write_text(text, encoding="utf-8")
    spec = Path("a/b/spec.yaml")
    spec.write_text(SPEC, encoding="utf-8")
    for number, folder in enumerate(folders):
        assert package.load(None, spec).title == f"number {number}"
        (folder / "star_snake.yaml").unlink()
    with pytest.raises(package.Problems, match="there is no puzzle type star_snake"):
        package.load(None, spec)


def test_above_a_spec_outside_of_the_working_folder_nothing_is_searched(
    here: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert package.load(None, here / "spec.yaml").count() == 1
    deep = here / "deep" / "spec.yaml"
    deep.parent.mkdir()
    deep.write_text(SPEC, encoding="utf-8")
    with pytest.raises(package.Problems, match="there is no puzzle type star_snake"):
        package.load(None, deep)
