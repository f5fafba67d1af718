"""The API as programs use it: load, solve, count, best; plain data; where types are found."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from inspect import signature
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import puzzlekit
from puzzlekit.api import LoadOptions, Puzzle, Query, QueryOptions, RunOptions, load, outcome, plain
from puzzlekit.backends import BACKENDS, Backend, Budget, load_backend
from puzzlekit.boards import Cell, Grid
from puzzlekit.catalogue import find, types
from puzzlekit.errors import BackendBug, InputError, Problems, Stopped
from puzzlekit.libraries.words import MARKINGS
from puzzlekit.lowering.planner import PRESOLVED, Supports
from puzzlekit.model import Model, Values
from puzzlekit.solve.search import ModelSearch
from puzzlekit.solve.solvers import LoweredSolver

ROOT = Path(__file__).resolve().parents[2]
EMPTY = "puzzle: sudoku\nbox: 2x2\ngivens: |\n" + "  ....\n" * 4

LARGE = "puzzle: sudoku\ngivens: |\n" + "  .........\n" * 9

ROOMS = """
puzzle: rooms
data:
  most: int
variables:
  chosen[i]: bool for i in range(4)
  size[i]: between(0, most) for i in range(3)
  whole: between(0, 3 * most)
auxiliary:
  spare: between(1, 2)
rules:
  whole is the sum: whole == sum(size)
  something is chosen: any(chosen)
goals:
  small: minimise(whole + sum(chosen))
  large: maximise(whole + sum(chosen))
show:
  chosen:
  double: 2 * whole
"""


@pytest.fixture
def spec(tmp_path: Path) -> Any:
    def write(text: str, name: str = "spec.yaml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_the_three_verbs(spec: Any) -> None:
    puzzle = puzzlekit.load("sudoku", spec(EMPTY))
    assert puzzle.count() == 288
    assert len(list(puzzle.solve(limit=5))) == 5
    assert len({solution.key() for solution in puzzle.solve(backend="z3")}) == 288
    with pytest.raises(InputError, match="sudoku has no goal"):
        puzzle.best()


@pytest.mark.parametrize("name", BACKENDS)
def test_goals_counts_and_auxiliary_unknowns(spec: Any, name: str) -> None:
    puzzle = load(str(spec(ROOMS, "rooms.yaml")), spec("most: 2\n"))
    assert puzzle.count(name) == 15 * 27
    small, large = puzzle.best("small", name), puzzle.best("large", name)
    assert small is not None
    assert large is not None
    assert (small["whole"], len(small["chosen"])) == (0, 1)
    assert large.json() == {"chosen": [0, 1, 2, 3], "size": [2, 2, 2], "whole": 6, "double": 12}
    assert sorted(solution["chosen"] for solution in puzzle.solve(name, goal="small")) == [
        [0],
        [1],
        [2],
        [3],
    ]
    assert puzzle.count(name, goal="small") == 4


def test_a_run_that_stops_says_so(spec: Any) -> None:
    puzzle = load(None, spec(LARGE))
    with pytest.raises(Stopped):
        list(puzzle.solve(timeout=0.0))
    run = puzzle.run(Query(), timeout=0.2)
    found = list(run)
    assert (run.status, run.counted, len(found)) == ("stopped", False, run.count)


class Liar(Backend):
    """A backend that gives every variable its first value."""

    name = "liar"
    about = "wrong"

    supports = Supports(PRESOLVED)

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Values]:
        yield {variable: domain[0] for variable, domain in model.domains.items()}


def test_a_wrong_solution_is_never_seen(spec: Any) -> None:
    puzzle = load(None, spec(EMPTY))
    with pytest.raises(BackendBug, match="row"):
        list(ModelSearch(puzzle.model, LoweredSolver(Liar()), Budget()).run(Query()))
    run = puzzle.run(Query(limit=1))
    run.solver = LoweredSolver(Liar())
    with pytest.raises(BackendBug):
        list(run)


class Sparing(Liar):
    """A backend that gives values to no variable."""

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Values]:
        yield {}


def test_a_solution_without_a_value_is_a_bug_of_the_backend(spec: Any) -> None:
    search = ModelSearch(load(None, spec(EMPTY)).model, LoweredSolver(Sparing()), Budget())
    with pytest.raises(BackendBug, match=r"a solution has no value for \w+\["):
        list(search.run(Query()))


def test_the_text_of_the_rules_is_run_on_solutions(spec: Any) -> None:
    puzzle = load(None, spec(EMPTY))
    (solution,) = puzzle.solve(limit=1)
    assert puzzle.instance.check(solution.assignment) is None
    wrong = dict.fromkeys(solution.assignment, 1)
    broken = puzzle.instance.check(wrong)
    assert broken is not None
    assert broken.rule == "every row holds each digit once"


IMPOSSIBLE = """
puzzle: impossible
data:
  most: int
variables:
  x[i]: between(0, most) for i in range(3)
rules:
  they go up: x[i] <= x[i + 1] for i in range(2)
  {rule}
goals:
  small: minimise(sum(x))
"""
BROKEN = [
    "broken: x[i] > most for i in range(3)",
    "broken: value > most for value in x",
    "broken: x[0] > most",
]
ASKED: list[Callable[[puzzlekit.Puzzle], Any]] = [
    lambda puzzle: list(puzzle.solve(limit=1)),
    lambda puzzle: list(puzzle.solve()),
    lambda puzzle: list(puzzle.solve(rank="small")),
    lambda puzzle: list(puzzle.solve(goal="small")),
    lambda puzzle: puzzle.best("small"),
    lambda puzzle: puzzle.sample(1),
]


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize("rule", BROKEN)
def test_a_solution_that_breaks_the_text_of_a_rule_is_never_seen(
    rule: str, ask: Callable[[puzzlekit.Puzzle], Any], spec: Any
) -> None:
    """The model lacks the conditions of one rule, as if they did not say what the rule says:
    its text still shows it.
    """
    puzzle = load(
        str(spec(IMPOSSIBLE.format(rule=rule), "impossible.yaml")),
        spec("puzzle: impossible\nmost: 2"),
    )
    kept = tuple(c for c in puzzle.model.constraints if c.origin.rule != "broken")
    assert 0 < len(kept) < len(puzzle.model.constraints)
    puzzle.instance.model = replace(puzzle.model, constraints=kept)
    with pytest.raises(BackendBug, match="violates the rule: broken"):
        ask(puzzle)


def test_plain_data() -> None:
    assert plain(Grid({Cell(1, 1): "a", Cell(2, 2): "b"})) == ["a.", ".b"]
    assert plain(Grid({Cell(1, 1): 10, Cell(1, 3): 2})) == [[10, None, 2]]
    assert plain({"s": (Cell(1, 2), True, None)}) == {"s": ["r1c2", True, None]}


def test_types_are_found(spec: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert {"waffle", "swaps", "unwordle", "sanalouhos", "cipher", "sudoku"} <= set(types())
    spec(ROOMS, "rooms.yaml")
    monkeypatch.setenv("PUZZLEKIT_PATH", str(tmp_path))
    assert find("rooms") == tmp_path / "rooms.yaml"
    (tmp_path / "puzzles").mkdir()
    (tmp_path / "puzzles" / "mine.yaml").write_text(ROOMS)
    monkeypatch.chdir(tmp_path)
    assert find("mine") == Path("puzzles/mine.yaml")
    assert find("sudoku").name == "sudoku.yaml"
    with pytest.raises(InputError, match="there is no puzzle type nowhere"):
        find("nowhere")


def test_a_spec_must_name_a_type(spec: Any) -> None:
    with pytest.raises(Problems, match="does not name its type"):
        load(None, spec("givens: 1\n"))


def test_unknown_backend() -> None:
    with pytest.raises(InputError, match="did you mean exact-cover"):
        load_backend("exact-covr")


# words of the formats of other programs, which are fields or parts there
FOREIGN = {
    "penpa_format": {"kakuro", "sudoku"},
    "penpa_symbols": {"kakuro", "tents"},
    "fpuzzles_shapes": {"renban"},
    "section": {"renban"},
    "uniqueness": {"sudoku"},  # the title of a book
}


def test_no_puzzle_is_named_in_the_core() -> None:
    others = {*MARKINGS, "factors", "slant", "tracks"}  # names that are words of the core, too
    names = [path.stem for path in (ROOT / "puzzles").glob("*.yaml") if path.stem not in others]
    named = re.compile(rf"\b({'|'.join(names)})\b")
    for path in (ROOT / "puzzlekit").rglob("*.py"):
        found = {*named.findall(path.read_text(encoding="utf-8").lower())}
        assert found <= FOREIGN.get(path.stem, set()), path


def test_what_is_done_with_a_solution_counts_for_no_stage() -> None:
    run = load("queens", ROOT / "specs" / "queens" / "n4.yaml").run(Query())
    began = time.perf_counter()
    for _ in run:
        with run.aside():
            time.sleep(0.02)
    took = time.perf_counter() - began
    assert run.elsewhere >= 0.04
    assert run.seconds["presolve"] + run.seconds["search"] <= took - run.elsewhere


REQUESTS = [
    ({"limit": 0}, "limit requires a number of solutions from 1, got 0"),
    ({"limit": -3}, "limit requires a number of solutions from 1"),
    ({"limit": 2.5}, "limit requires a number of solutions from 1"),
    ({"sample": 0}, "a sample requires a number of solutions from 1"),
    ({"seed": 3}, "seed requires the task sample"),
    *(
        ({"rank": "low", **more}, "rank cannot be combined with")
        for more in ({"counting": True}, {"sample": 1}, {"goal": "low"})
    ),
]


@pytest.mark.parametrize(("what", "said"), REQUESTS)
def test_questions_that_make_no_sense_are_told(what: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        QueryOptions(**what).query()


def test_the_groups_of_options_have_the_names_of_arguments() -> None:
    for group, function, others in (
        (LoadOptions, load, set()),
        (RunOptions, Puzzle.run, {"memory"}),
        (
            QueryOptions,
            Puzzle.solve,
            {"everything", "counting", "sample", "seed", "uniform", "presolve"},
        ),
    ):
        assert {field.name for field in fields(group)} - others <= set(
            signature(function).parameters
        )


def test_each_two_ways_to_say_how_many_exclude_each_other() -> None:
    ways: list[dict[str, Any]] = [
        {"limit": 1},
        {"everything": True},
        {"counting": True},
        {"sample": 1},
    ]
    for one, other in combinations(ways, 2):
        with pytest.raises(
            InputError, match="limit, everything, counting and sample exclude each other"
        ):
            QueryOptions(**one, **other).query()
    for way in ways[:2]:
        QueryOptions(**way, rank="low", goal="none").query()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            ("guess",),
            "expected one of enumerate, count, optimise, sample, rank as the task of a query",
        ),
        (("count", 3), "a count cannot be combined with limit"),
        (("sample",), "a sample requires a number"),
        (("rank",), "the task rank requires the name of a goal"),
        (("optimise", 1, "none"), "nothing to optimise"),
    ],
)
def test_a_query_that_makes_no_sense_cannot_be_made(wrong: tuple[Any, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        Query(*wrong)


@pytest.mark.parametrize("timeout", [-1.0, float("nan")])
def test_a_timeout_is_a_number_of_seconds(timeout: float) -> None:
    queens = load("queens", ROOT / "specs" / "queens" / "n4.yaml")
    with pytest.raises(InputError, match="timeout requires a number of seconds from 0"):
        queens.run(Query(), timeout=timeout)


WRONG: list[tuple[Callable[[Any], object], str]] = [
    (lambda queens: queens.count(5), "backend requires the name of a backend, got 5"),
    (lambda queens: queens.run("count"), "expected a Query, got 'count'"),
    (lambda queens: queens.check("text"), "expected progress as a mapping, got str"),
    (lambda queens: queens.hint(5), "expected progress as a mapping, got int"),
    (lambda queens: queens.conflict(0), "most requires a number of conflicts from 1, got 0"),
    (lambda queens: queens.rate("long"), "timeout requires a number of seconds from 0, got 'long'"),
    (lambda queens: queens.count(clock=5), "clock requires a Clock, got 5"),
    (lambda queens: queens.sample(1, seed="x"), "seed requires a whole number, got 'x'"),
    (lambda queens: queens.count(goal=5), "goal requires the name of a goal, got 5"),
]


@pytest.mark.parametrize(("ask", "message"), WRONG)
def test_an_argument_of_another_type_is_an_input_error(
    ask: Callable[[Any], object], message: str
) -> None:
    queens = load("queens", ROOT / "specs" / "queens" / "n4.yaml")
    with pytest.raises(InputError) as error:
        ask(queens)
    assert str(error.value) == message


def test_a_solution_shows_no_auxiliary_unknowns() -> None:
    sudoku = load(None, ROOT / "specs" / "sudoku" / "six.yaml")
    assert [list(solution) for solution in sudoku.solve(limit=1)] == [["digit"]]


def test_a_limit_of_no_solutions_is_an_error_and_not_one_or_all() -> None:
    queens = load("queens", ROOT / "specs" / "queens" / "n4.yaml")
    with pytest.raises(InputError, match="limit requires a number of solutions from 1"):
        next(queens.solve(limit=0))
    assert [len(list(queens.solve(limit=limit))) for limit in (1, 2, 3, None)] == [1, 2, 2, 2]
    with pytest.raises(InputError, match="a sample requires a number of solutions"):
        queens.sample(0)


def test_a_spec_hides_no_type_of_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    specs, kinds = tmp_path / "specs", tmp_path / "types"
    for folder in (specs, kinds):
        folder.mkdir()
    (kinds / "own.yaml").write_text("puzzle: own\nvariables:\n  x: bool\n", encoding="utf-8")
    (specs / "own.yaml").write_text("puzzle: own\ntitle: variables\n", encoding="utf-8")
    monkeypatch.setenv("PUZZLEKIT_PATH", f"{specs}:{kinds}")
    assert find("own") == types()["own"] == kinds / "own.yaml"
    assert load(None, specs / "own.yaml").count() == 2
    monkeypatch.setenv("PUZZLEKIT_PATH", str(specs))
    assert find("own", kinds) == kinds / "own.yaml"
    (specs / "sudoku.yaml").write_text(EMPTY, encoding="utf-8")
    assert load(None, specs / "sudoku.yaml").count() == 288
    (kinds / "own.yaml").write_bytes(b"\xff")
    assert find("own", kinds) == kinds / "own.yaml"


@pytest.mark.parametrize("name", ["a" * 300, "./" + "a" * 300])
def test_a_name_that_is_too_long_names_no_type(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no puzzle type|there is no such type file"):
        find(name, tmp_path)


def test_thousands_of_parts_are_put_together(tmp_path: Path) -> None:
    """One for each unknown that no rule binds: more than Python lets functions call each other."""
    path = tmp_path / "loose.yaml"
    path.write_text("puzzle: loose\nvariables:\n  x[i]: range(i % 3, 3) for i in range(3000)\n")
    puzzle = load(str(path))
    first, second = (solution["x"] for solution in puzzle.solve(limit=2))
    assert sum(first[i] != second[i] for i in range(3000)) == 1
    assert puzzle.count() == 3**1_000 * 2**1_000


def test_an_interrupt_of_the_query_before_a_hint_ends_the_hint(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A run keeps an interrupt as its status, and does not raise it. No other test has a puzzle of
    this type, whose solutions would be known.
    """
    path = tmp_path / "interrupted.yaml"
    unknowns = "variables: {x: 'between(1, 3)', y: 'between(1, 3)'}"
    path.write_text(f"puzzle: interrupted\n{unknowns}\nrules: {{x is greater: x > y}}\n")

    def interrupted(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(outcome, "ModelSearch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load(str(path)).hint()
