"""Rows of tables, and what a notebook shows."""

import pytest

import puzzlekit
from puzzlekit import InputError

PAIR = {
    "puzzle": "pair",
    "title": "<b>Pair</b>",
    "variables": {"x": "between(1, 3)", "y": "between(1, 3)"},
    "rules": {"x is <i>greater</i>": "x > y", "x is not 3": "x != 3"},
    "goals": {"high": "maximise(x)"},
}
QUEENS = {"size": 4}


def test_pandas_takes_solutions_and_puzzles() -> None:
    pandas = pytest.importorskip("pandas")
    puzzle = puzzlekit.load("queens", QUEENS)
    solutions = pandas.DataFrame(puzzlekit.to_records(puzzle.solve(backend="exact-cover")))
    assert list(solutions.columns) == ["queen"] and len(solutions) == 2
    sizes = pandas.DataFrame(
        puzzlekit.to_records(puzzlekit.load("queens", {"size": size}) for size in (4, 5))
    )
    assert list(sizes["size"]) == [4, 5]


def test_ranked_solutions_have_their_value() -> None:
    rows = puzzlekit.to_records(puzzlekit.load(PAIR | {"rules": {}}).solve(rank="high", limit=1))
    assert [(row["value"], row["x"]) for row in rows] == [(3, 3)]


def test_a_comparison_has_a_row_for_each_backend() -> None:
    comparison = puzzlekit.compare(puzzlekit.load("queens", QUEENS), ["sat", "z3"])
    rows = puzzlekit.to_records(comparison)
    assert [(row["backend"], row["status"]) for row in rows] == [
        ("sat", "complete"),
        ("z3", "complete"),
    ]
    assert rows[0].keys() == rows[1].keys()


def test_another_object_has_no_row() -> None:
    with pytest.raises(InputError, match="expected solutions, puzzles or comparisons, got str"):
        puzzlekit.to_records(["text"])  # type: ignore[list-item]


def test_a_notebook_shows_hints_explanations_comparisons_and_generated_puzzles() -> None:
    puzzle = puzzlekit.load(PAIR)
    explanation = puzzle.explain()
    before = explanation._repr_html_()
    steps = list(explanation)
    assert before.count("<li>") == len(steps)
    comparison = puzzlekit.compare(puzzle, ["sat"])
    generated = next(puzzlekit.generate("futoshiki", seed=1, size="4x4"))
    pages = [before, explanation._repr_html_(), puzzle.hint()._repr_html_()]
    pages += [comparison._repr_html_(), generated._repr_html_(), puzzle.draw()._repr_html_()]
    pages.append(puzzle.hint({"x": 1})._repr_html_())
    assert steps and all(page.startswith("<figure") for page in pages)
    assert not [page for page in pages if "<b>Pair" in page or "<i>" in page]
    assert "&lt;b&gt;Pair" in comparison._repr_html_() and "<table" in comparison._repr_html_()
