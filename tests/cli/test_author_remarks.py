"""What `check` tells the author of a type, and small things that authors and readers met."""

import re
from pathlib import Path

import pytest

from puzzlekit.api import chapter_of, load
from puzzlekit.api.drawings import book_examples
from puzzlekit.catalogue import example_specs
from puzzlekit.errors import InputError
from puzzlekit.render.html_page import DocumentItem
from puzzlekit.render.sections import sections_of
from tests.commands import Command
from tests.shipped import ROOT

TYPE = """\
puzzle: remarks
variables: {a: "between(1, 9)", b: "between(1, 9)"}
rules:
  it is odd: a % 2 == 1
"""


def checked(text: str, tmp_path: Path, puzzlekit: Command) -> str:
    file = tmp_path / "remarks.yaml"
    file.write_text(text, encoding="utf-8")
    done = puzzlekit("check", str(file))
    return done.stdout + done.stderr


def test_an_unknown_that_no_rule_uses_is_named(tmp_path: Path, puzzlekit: Command) -> None:
    text = checked(TYPE, tmp_path, puzzlekit)
    assert "a valid type" in text and "= no rule uses the unknown b\n" in text
    assert "unknown a" not in text and "this rule" not in text


@pytest.mark.parametrize(
    ("rule", "remark"),
    [
        ("a + b > 1", "this rule always holds: second"),
        ("a > b + 8", "this rule can never hold: second"),
    ],
)
def test_a_rule_that_decides_nothing_is_named(
    rule: str, remark: str, tmp_path: Path, puzzlekit: Command
) -> None:
    assert remark in checked(f"{TYPE}  second: {rule}\n", tmp_path, puzzlekit)


def test_made_up_clues_are_no_reason_for_a_remark(tmp_path: Path, puzzlekit: Command) -> None:
    """They are the same in all cells, which few rules take."""
    text = """\
puzzle: remarks
data: {n: "int in 1..", cages: "grid[int]"}
variables: {"a[c]": "between(1, 9) for c in cages.cells"}
rules:
  the number is the sum: sum(a[row]) == n for row in cages.rows
  no number is a clue: a[c] != cages[c] + 20 for c in cages.cells
"""
    said = checked(text, tmp_path, puzzlekit)
    assert "run on data that were made up" in said and "this rule" not in said


def test_one_impossible_clue_does_not_make_a_rule_impossible(
    tmp_path: Path, puzzlekit: Command
) -> None:
    text = """\
puzzle: remarks
data: {sums: "list[int]"}
variables: {a: "between(1, 9)", b: "between(1, 9)"}
rules:
  there is a sum: a + b > n for n in sums
"""
    spec = tmp_path / "first.yaml"
    spec.write_text("puzzle: remarks\nsums: 20 5\n", encoding="utf-8")
    assert "this rule" not in checked(text, tmp_path, puzzlekit)
    spec.write_text("puzzle: remarks\nsums: 20 19\n", encoding="utf-8")
    assert "this rule can never hold: there is a sum" in checked(text, tmp_path, puzzlekit)


def test_a_spec_of_a_type_with_errors_says_so(tmp_path: Path, puzzlekit: Command) -> None:
    type_, spec = tmp_path / "remarks.yaml", tmp_path / "first.yaml"
    type_.write_text(f"{TYPE}data: {{n: {{type: int, default: 1}}}}\n", encoding="utf-8")
    spec.write_text("puzzle: remarks\n", encoding="utf-8")
    done = puzzlekit("check", str(spec))
    said = "a valid spec; it has no expect; its type has errors: see puzzlekit check"
    assert done.stdout.startswith(f"{spec}: {said} ")


def test_settings_in_python_are_called_as_there() -> None:
    for settings in ({"n:1": 3}, {"size": "x"}, {3: 4}):
        with pytest.raises(InputError) as error:
            load("queens", settings=settings)  # type: ignore[arg-type]
        assert str(error.value).startswith("settings") and "--" not in str(error.value)


def test_a_remainder_by_an_unknown_says_what_to_write(tmp_path: Path, puzzlekit: Command) -> None:
    text = checked(f"{TYPE}  second: a % b == 1\n", tmp_path, puzzlekit)
    assert "the right side of % cannot depend on an unknown" in text
    cure = "any(b == k and a % k == 1 for k in range(1, 10))"
    assert "a valid type" in checked(f"{TYPE}  second: {cure}\n", tmp_path, puzzlekit)


def test_a_loop_without_for_is_told(tmp_path: Path, puzzlekit: Command) -> None:
    text = checked(f"{TYPE}  second: a != x x in [1, 2]\n", tmp_path, puzzlekit)
    assert "a loop begins with for" in text


def test_a_picture_of_solve_has_no_statistics(tmp_path: Path, puzzlekit: Command) -> None:
    picture, page = tmp_path / "a.svg", tmp_path / "a.html"
    spec = str(ROOT / "specs" / "queens" / "n4.yaml")
    done = puzzlekit("solve", spec, "--svg", str(picture), "--html", str(page))
    assert done.returncode == 0
    seconds = re.compile(r"\d s\b")
    assert seconds.search(page.read_text(encoding="utf-8"))
    assert not seconds.search(picture.read_text(encoding="utf-8"))


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("words", [(), ("loop",)])
def test_a_list_fits_the_terminal(columns: int, words: tuple[str, ...], puzzlekit: Command) -> None:
    done = puzzlekit("list", *words, COLUMNS=str(columns))
    assert max(map(len, done.stdout.splitlines())) <= columns


@pytest.mark.parametrize("columns", [60, 80])
def test_a_table_of_ratings_fits_the_terminal(columns: int, puzzlekit: Command) -> None:
    specs = [f"specs/{name}.yaml" for name in ("different_neighbours/tiny", "slitherlink/tiny")]
    done = puzzlekit("rate", *specs, COLUMNS=str(columns))
    assert all(spec in done.stdout for spec in specs) and "vertices" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= columns


@pytest.mark.parametrize("words", [("generate", "--help"), ("generate", "sudoku", "--help")])
def test_the_help_of_generate_fits_the_terminal(words: tuple[str, ...], puzzlekit: Command) -> None:
    done = puzzlekit(*words, COLUMNS="80")
    assert done.stdout and max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize("name", ["hashi", "star_battle"])
def test_a_page_of_rules_has_an_example_of_the_same_rules(name: str) -> None:
    spec = next(path for path in example_specs(name) if path.stem in ("medium", "12x12"))
    assert len(book_examples([load(None, spec)])) == 1


def test_in_a_book_a_harder_level_comes_later() -> None:
    def chapter(level: str, score: float, rank: int) -> DocumentItem:
        return DocumentItem("title", "", [], type_name="type", level=level, score=score, rank=rank)

    chapters = [chapter("hard", 23, 2), chapter("medium", 24, 1), chapter("medium", 20, 1)]
    (section,) = sections_of(chapters)
    scores = [(member.level, member.score) for member in section.chapters]
    assert scores == [("medium", 20), ("medium", 24), ("hard", 23)]


def test_the_rank_of_a_chapter_is_that_of_its_level() -> None:
    text = "size: 4\ngenerated_by: {level: hard, score: 3}\n"
    ranks = [chapter_of(load("queens", spec)).rank for spec in (text, "size: 4")]
    assert ranks == [2, 0]


OPTIONAL = """\
puzzle: optional
data:
  size: int in 1..
  left: list[int | None] | None
let: {rows: "[range(size * i, size * (i + 1)) for i in range(size)]"}
variables: {"x[i]": "between(0, 1) for i in range(size * size)"}
rules:
  sums: sum(x[c] for c in row) == n for row, n in zip(rows, LEFT) if n != None
"""


def test_a_list_that_may_be_absent_is_zipped_as_the_message_says(
    tmp_path: Path, puzzlekit: Command
) -> None:
    file = tmp_path / "optional.yaml"
    file.write_text(OPTIONAL.replace("LEFT", "left"), encoding="utf-8")
    words = ("solve", str(file), "--set", "size=2", "--count")
    done = puzzlekit(*words)
    assert "ys if ys != None else [None for x in xs]" in done.stderr
    cure = "left if left != None else [None for row in rows]"
    file.write_text(OPTIONAL.replace("LEFT", cure), encoding="utf-8")
    assert puzzlekit(*words).stdout.startswith("16 solutions")
    done = puzzlekit("generate", str(file), "--set", "size=2", "--seed", "1")
    assert "may be empty but left, which the puzzle does not have" in done.stderr
