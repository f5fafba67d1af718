"""What backends report of their work: what they declare, known numbers,
and from a process that is stopped.
"""

import signal
from collections.abc import Generator
from pathlib import Path

import pytest

from puzzlekit.api import Presolve, Query, load
from puzzlekit.backends import BACKENDS, load_backend, streams
from puzzlekit.backends.base import Budget
from puzzlekit.backends.statistics import EFFORTS, SIZES, Statistics
from puzzlekit.model import AllDifferent, Cardinality, Constraint, Model, Origin, Variable
from puzzlekit.query import Task
from puzzlekit.solve.auto import solver
from puzzlekit.solve.search import ModelSearch
from puzzlekit.solve.solvers import Report, Solver, answers_and_report

ROOT = Path(__file__).resolve().parents[2]
QUEENS = load(None, ROOT / "specs/queens/n6.yaml")  # 4 solutions
KINDS = [Query(), Query(limit=1), Query("count")]


@pytest.mark.parametrize("isolated", [False, True])
@pytest.mark.parametrize("name", BACKENDS)
def test_each_backend_reports_what_it_declares(name: str, isolated: bool) -> None:
    declared = load_backend(name).supports.reports
    assert declared <= {*SIZES, *EFFORTS}
    for query in KINDS:
        run = QUEENS.run(query, name, statistics=True, isolated=isolated)
        list(run)
        assert run.statistics is not None
        known = run.statistics.reported()
        assert known.keys() - {"problems", "memory"} == declared, query
        assert known["problems"] >= bool(declared)
        assert all(known[size] > 0 for size in declared & {*SIZES})
        assert ("memory" in known) == isolated


def test_nothing_is_collected_unless_it_is_asked_for() -> None:
    run = QUEENS.run(Query(), "sat")
    assert len(list(run)) == 4 and run.statistics is None and run.budget.statistics is None


def given(model: Model, name: str) -> dict[str, int]:
    budget = Budget(statistics=Statistics())
    list(ModelSearch(model, solver(name), budget, Presolve.NONE).run(Query()))
    assert budget.statistics is not None
    return budget.statistics.reported()


def flags(number: int) -> list[Variable]:
    return [Variable(f"f{place}") for place in range(number)]


def test_the_sizes_of_small_models_are_known() -> None:
    three = flags(3)
    clause = Constraint(
        Cardinality(tuple((flag, True) for flag in three), 1, 3), Origin("one of them")
    )
    model = Model(dict.fromkeys(three, (False, True)), (clause,))
    known = given(
        model, "sat"
    )  # a literal that is always true, and one per flag; the clauses say so
    assert (known["variables"], known["clauses"], known["problems"]) == (4, 2, 1)
    numbers = flags(3)
    different = Constraint(AllDifferent(tuple(numbers)), Origin("all differ"))
    known = given(Model(dict.fromkeys(numbers, (1, 2, 3)), (different,)), "exact-cover")
    # an item for each variable and each value, an option for each variable with a value
    assert (known["items"], known["options"]) == (6, 9)
    assert known["nodes"] >= 6  # one for each solution, at least


def test_efforts_add_up_and_sizes_do_not() -> None:
    both = Statistics()
    for clauses, conflicts in ((10, 3), (7, 4)):
        one = Statistics()
        one.note_sizes(clauses=clauses)
        one.add_efforts(conflicts=conflicts)
        both.add(one)
    assert both.reported() == {"problems": 2, "clauses": 10, "conflicts": 7}


@pytest.mark.parametrize("name", ["exact-cover", "asp"])
def test_a_search_that_is_cut_short_reports_what_it_did(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = load(None, ROOT / "specs/pentominoes/8x8.yaml").run(
        Query(), name, isolated=True, statistics=True
    )
    monkeypatch.setattr(streams, "REPORT", 60.0)
    stream = iter(run)
    next(stream)
    stream.close()
    assert run.statistics is not None
    known = run.statistics.reported()
    assert known["problems"] == 1 and known["nodes" if name == "exact-cover" else "decisions"] > 10
    assert run.clock.reporting > 0


def test_no_answer_is_sent_after_the_process_is_asked_to_stop() -> None:
    def ready(
        solver: Solver, model: Model, query: Query, budget: Budget
    ) -> Generator[int, None, None]:
        yield from range(100)

    budget = Budget()
    handler = signal.getsignal(signal.SIGTERM)
    try:
        stream = answers_and_report(ready, solver("sat"), QUEENS.model, Query(), budget)
        assert next(stream) == 0
        budget.clock.asked_to_stop = True
        (report,) = stream
    finally:
        signal.signal(signal.SIGTERM, handler)
    assert isinstance(report, Report)


def test_the_first_solution_costs_less_than_all() -> None:
    efforts = []
    for query in (Query(limit=1), Query(limit=3), Query()):
        run = load(None, ROOT / "specs/queens/n10.yaml").run(
            query, "exact-cover", isolated=True, statistics=True
        )
        list(run)
        assert run.statistics is not None and run.statistics.nodes is not None
        efforts.append(run.statistics.nodes)
    assert efforts == sorted(efforts) and efforts[0] < efforts[2]
    assert efforts[2] > 10_000  # most of them in blocks
    assert Task.ENUMERATE in load_backend("exact-cover").supports.queries
