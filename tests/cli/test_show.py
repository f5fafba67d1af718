"""`puzzlekit show`: the page of a type, and what its rules become."""

from pathlib import Path

from puzzlekit import generate
from puzzlekit.api import load
from tests.commands import Command, called


def test_show_says_what_ranks_and_what_is_the_default(puzzlekit: Command) -> None:
    shown = puzzlekit("show", "waffle").stdout
    assert "\nGoals:\n  common: minimise(" in shown
    assert "\nSolutions are ranked by common; --rank takes another goal, or none\n" in shown
    assert (
        "The default goal is least_words; --goal none drops it"
        in puzzlekit("show", "sanalouhos").stdout
    )
    unwordle = puzzlekit("show", "unwordle").stdout
    assert (
        "marking: choice(wordle, set) = wordle" in unwordle
        and "every guess earns its colours" in unwordle
    )
    sudoku = puzzlekit("show", "Sudoku").stdout
    for field in (
        "box: size = 3x3  ",
        "corners: list[cell in givens] = [r1c1]\n",
        "sums: map[symbol, int in 1..] = {}  ",
    ):
        assert f"\n  {field}" in sudoku


def test_show_prints_no_blank_lines_for_what_a_type_lacks(
    puzzlekit: Command, tmp_path: Path
) -> None:
    path = tmp_path / "bare.yaml"
    path.write_text("puzzle: bare\nvariables: {x: 'between(1, 2)'}\n")
    assert puzzlekit("show", str(path)).stdout == f"bare\n\n{path}\n"


def test_show_rules_says_what_each_rule_became(puzzlekit: Command) -> None:
    done = puzzlekit("show", "masyu", "specs/masyu/tiny.yaml", "--rules")
    assert done.returncode == 0
    parts = {part.split("\n")[0]: part.split("\n")[1:] for part in done.stdout.split("\n\n")[1:]}
    assert parts["the lines make one closed loop"][0].startswith("  1 condition, 0.")
    assert parts["the lines make one closed loop"][1].startswith(
        "  - single_loop(line[r1c1–r1c2], "
    )
    number = int(parts["the loop turns on the black pearl at {c}"][0].split()[0])
    model = load("masyu", Path("specs/masyu/tiny.yaml")).model
    assert (
        number
        == sum(
            constraint.origin.rule.startswith("the loop turns on the black pearl at ")
            for constraint in model.constraints
        )
        > 0
    )
    assert parts["the loop turns on the black pearl at {c}"][1].startswith("  - c = r")
    assert all(sum(line.startswith("  - ") for line in lines) <= 3 for lines in parts.values())
    assert all(len(line) <= 80 for line in done.stdout.split("\n"))


def test_rules_have_their_names_after_equal_puzzles() -> None:
    for _ in range(4):
        puzzle = load("masyu", Path("specs/masyu/tiny.yaml"))
        assert "the loop turns on the black pearl at {c}" in [rule.name for rule in puzzle.rules()]
        list(puzzle.solve(limit=2))


def test_show_rules_has_those_that_a_board_before_has_run() -> None:
    words = ("show", "masyu", "specs/masyu/tiny.yaml", "--rules")
    (_,) = generate("masyu", seed=3, size="6x6")
    assert "\n\nthe lines make one closed loop\n" in called(*words).stdout
