"""The public puzzles with their known solutions, where the data is: through the command's own path.

`make test` takes some of each kind, `make test-slow` the others.

The data is no part of the project, so these tests are left out where it is not;
the specs of the project stand in for it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from public import DATA, Case, ciphers, letter_covers, unwordles, waffles

from puzzlekit.api import Puzzle, Query, load
from puzzlekit.cli.run_report import nothing
from puzzlekit.libraries.words import boards_of
from puzzlekit.model import Table
from puzzlekit.presolve.domains import Inconsistent
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.query import Task

pytestmark = pytest.mark.skipif(
    not DATA.exists(), reason="the public puzzles are not beside this checkout"
)

LISTED_BY_Z3 = 60  # solutions up to which Z3 lists a board in seconds
LISTED_SLOWLY = 4_000  # and in minutes
LISTED_BY_DLX = 5_000
LISTED_QUICKLY = 1_000  # solutions of boards that every backend lists in seconds

Loader = Callable[..., Puzzle]


@pytest.fixture
def loaded(tmp_path: Path) -> Loader:
    def put(case: Case, **options: Any) -> Puzzle:
        path = tmp_path / "spec.yaml"
        path.write_text(case.spec, encoding="utf-8")
        return load(None, path, **options)

    return put


def cases(make: Callable[[], Any]) -> list[Any]:
    return [pytest.param(case, id=case.name) for case in make()] if DATA.exists() else []


def boards() -> list[Any]:
    """The boards of letters, of which those with many covers are slow."""
    quick = {True: (), False: pytest.mark.slow}
    return [
        pytest.param(case, id=case.name, marks=quick[case.known["solutions"] <= LISTED_QUICKLY])
        for case in (letter_covers() if DATA.exists() else ())
    ]


@pytest.mark.sampled(16)
@pytest.mark.parametrize("backend", ["exact-cover", "z3", "dlx"])
@pytest.mark.parametrize("case", cases(waffles))
def test_waffles(case: Case, backend: str, loaded: Loader, tmp_path: Path) -> None:
    words = None
    if case.name == "daily-662":  # yawny is in none of the lexicons here
        assert list(loaded(case).solve(backend)) == []
        (tmp_path / "more.txt").write_text("yawny\n")
        words = f"english+{tmp_path / 'more.txt'}"
    if case.name == "deluxe-2":  # seabass
        run = loaded(case).run(Query(limit=1), backend)
        assert list(run) == []
        assert "the next larger lexicon is english-wide" in nothing(run)
        words = "english-wide"
    solutions = list(loaded(case, lexicon=words).run(Query(), backend))
    found = {tuple(solution["answer"]): solution.json()["then"]["swaps"] for solution in solutions}
    swaps = found[tuple(case.known["solution"])]
    assert (swaps["count"], swaps["optimal"], len(swaps["steps"])) == (
        case.known["swaps"],
        True,
        case.known["swaps"],
    )
    assert_leads(case.known["letters"], case.known["solution"], swaps["steps"])


def assert_leads(start: list[str], target: list[str], steps: list[list[str]]) -> None:
    """Each step puts at least one letter where it belongs,
    and all of them make the one board the other.
    """
    board = [list(row) for row in start]
    for step in steps:
        (a, b), (c, d) = ((int(part) - 1 for part in cell[1:].split("c")) for cell in step)
        board[a][b], board[c][d] = board[c][d], board[a][b]
        assert board[a][b] == target[a][b] or board[c][d] == target[c][d]
    assert ["".join(row) for row in board] == target


@pytest.mark.sampled(16)
@pytest.mark.parametrize("backend", ["exact-cover", "z3", "dlx"])
@pytest.mark.parametrize("case", cases(unwordles))
def test_unwordles(case: Case, backend: str, loaded: Loader) -> None:
    assert loaded(case).count(backend) == case.known["count"]


@pytest.mark.parametrize("case", cases(unwordles)[::5])
def test_unwordles_by_their_solutions(case: Case, loaded: Loader) -> None:
    data = loaded(case).instance.data
    words = data["words"].of_length(len(data["answer"]))
    found = boards_of(data["board"], words, [data["answer"]], data["marking"])
    assert found.get(data["answer"], 0) == case.known["count"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", cases(ciphers))
@pytest.mark.parametrize("backend", ["exact-cover", "z3", "dlx"])
def test_ciphers(case: Case, backend: str, loaded: Loader) -> None:
    solutions = list(loaded(case).solve(backend))
    assert len(solutions) == case.known["solutions"]
    texts = {" ".join(solution["words"]) for solution in solutions}
    assert texts.issuperset(case.known.get("texts", ()))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", boards())
def test_letter_covers(case: Case, loaded: Loader) -> None:
    by_words = {
        int(words): count for words, count in case.known["solutions_by_number_of_words"].items()
    }
    puzzle = loaded(case)
    assert len(puzzle.instance.scope["tiles"]) == case.known["tiles"]
    assert puzzle.count() == case.known["solutions"]
    for goal, words in (("least_words", min(by_words)), ("most_words", max(by_words))):
        run = puzzle.run(Query(Task.COUNT, goal=goal))
        assert list(run) == []
        assert (run.value, run.count) == (words, by_words[words])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", boards())
def test_letter_covers_counted_by_z3(case: Case, loaded: Loader) -> None:
    assert loaded(case).count("z3") == case.known["solutions"]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", boards())
def test_letter_covers_by_z3(case: Case, loaded: Loader) -> None:
    """Z3 proves the fewest words of every board, and lists the boards that have few solutions."""
    by_words = {
        int(words): count for words, count in case.known["solutions_by_number_of_words"].items()
    }
    puzzle = loaded(case)
    best = puzzle.best("least_words", "z3")
    assert best is not None
    assert len(best["use"]) == min(by_words)
    if case.known["solutions"] <= LISTED_BY_Z3:
        assert sum(1 for _ in puzzle.solve("z3")) == case.known["solutions"]


@pytest.mark.slow
@pytest.mark.parametrize("case", cases(letter_covers))
def test_letter_covers_listed_by_z3(case: Case, loaded: Loader) -> None:
    """Z3 lists the boards of up to some thousand solutions,
    and counts those with the fewest words.
    """
    by_words = {
        int(words): count for words, count in case.known["solutions_by_number_of_words"].items()
    }
    puzzle = loaded(case)
    if case.known["tiles"] <= 1_000:
        assert puzzle.count("z3", goal="least_words") == by_words[min(by_words)]
    if LISTED_BY_Z3 < case.known["solutions"] <= LISTED_SLOWLY:
        assert sum(1 for _ in puzzle.solve("z3")) == case.known["solutions"]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", boards())
def test_letter_covers_by_dlx(case: Case, loaded: Loader) -> None:
    limit = None if case.known["solutions"] <= LISTED_BY_DLX else 50
    assert sum(1 for _ in loaded(case).solve("dlx", limit=limit)) == (
        limit or case.known["solutions"]
    )


@pytest.mark.sampled(12)
@pytest.mark.parametrize("case", cases(waffles))
def test_few_words_are_left_before_a_backend_is_asked(case: Case, loaded: Loader) -> None:
    """Presolve alone cuts each slot of a board to fewer than 200 words of the whole lexicon."""
    try:
        model = presolve(loaded(case).model)
    except Inconsistent:
        assert case.name in ("daily-662", "deluxe-2")
        return
    assert (
        max(
            (len(c.condition.rows) for c in model.constraints if isinstance(c.condition, Table)),
            default=0,
        )
        < 200
    )
