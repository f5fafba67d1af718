"""What a solve has made is freed when it ends: it is in no reference cycle, and in no cache.

With the collector at rest, cyclic garbage would stay until the next full collection. A batch of
thousands of puzzles would hold the models of most of them.
"""

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import puzzlekit
from puzzlekit.api.backbone import Backbone
from puzzlekit.backends import BACKENDS
from puzzlekit.errors import bare
from puzzlekit.model import Term
from puzzlekit.query import Query, Task

SPECS = Path(__file__).parents[1] / "specs"
QUERIES = [
    *[
        ("queens/n4", query)
        for query in (Query(), Query(Task.COUNT), Query(Task.SAMPLE, 2, seed=1))
    ],
    ("waffle/ring", Query(limit=2)),  # its swaps are counted after the words are found
    ("nurikabe/medium", Query(limit=2)),
    ("slitherlink/fifteen", Query(limit=2)),
    ("fillomino/small", Query(limit=2)),
    ("swaps/row", Query(Task.OPTIMISE, 1)),
    ("word_ladder/tiny", Query(Task.OPTIMISE, 1)),
    ("word_ladder/tiny", Query(Task.RANK, 2, goal="fewest_changes")),
]


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    gc.collect()
    gc.freeze()  # what other tests have left is not looked at again
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()


def cyclic(work: Callable[[], object]) -> Counter[str]:
    """The classes of this package of the objects that only a collector would free."""
    work()  # once for imports and caches
    gc.collect()
    work()
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    return Counter(
        type(each).__name__ for each in gc.garbage if type(each).__module__.startswith("puzzlekit")
    )


def solve(spec: str, query: Query, backend: str = "auto", timeout: float = 20) -> None:
    puzzle = puzzlekit.load(spec.split("/")[0], SPECS / f"{spec}.yaml")
    run = puzzle.run(query, backend=backend, timeout=timeout)
    list(run)
    run.raise_reason()


@pytest.mark.parametrize(
    ("spec", "query"), QUERIES, ids=lambda part: part if isinstance(part, str) else part.task
)
def test_a_query_leaves_no_cyclic_garbage(spec: str, query: Query, no_collector: None) -> None:
    assert not cyclic(lambda: solve(spec, query))


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("spec", ["hitori/tiny", "masyu/tiny"])
def test_no_backend_leaves_cyclic_garbage(backend: str, spec: str, no_collector: None) -> None:
    assert not cyclic(lambda: solve(spec, Query(limit=2), backend))


def test_a_puzzle_without_a_solution_leaves_none(no_collector: None) -> None:
    contradiction = {"givens": ["11.......", *["." * 9] * 8]}
    assert not cyclic(lambda: list(puzzlekit.load("sudoku", contradiction).solve()))


def test_a_solve_that_is_stopped_leaves_none(no_collector: None) -> None:
    def stopped() -> None:
        with pytest.raises(puzzlekit.Stopped):
            list(puzzlekit.load("nurikabe", SPECS / "nurikabe/giant.yaml").solve(timeout=0.05))

    assert not cyclic(stopped)


def test_a_backbone_that_is_not_found_leaves_none(no_collector: None) -> None:
    def stopped() -> None:
        found = Backbone(
            puzzlekit.load("nurikabe", SPECS / "nurikabe/giant.yaml"), Query(limit=1), timeout=0.05
        )
        assert found.status == "stopped"

    def unsupported() -> None:
        found = Backbone(
            puzzlekit.load("cryptarithm", SPECS / "cryptarithm/cross.yaml"), Query(limit=1), "dlx"
        )
        with pytest.raises(puzzlekit.Unsupported):
            found.raise_unsupported()

    assert not cyclic(stopped)
    assert not cyclic(unsupported)


def test_solutions_that_nobody_takes_leave_none(no_collector: None) -> None:
    assert not cyclic(
        lambda: next(iter(puzzlekit.load("queens", SPECS / "queens/n6.yaml").solve()))
    )


def test_no_cache_holds_a_model(no_collector: None) -> None:
    solve("nurikabe/medium", Query(limit=2))
    gc.collect()
    before = {id(each) for each in gc.get_objects() if isinstance(each, Term)}
    solve("nurikabe/medium", Query(limit=2))
    assert not [
        each for each in gc.get_objects() if isinstance(each, Term) and id(each) not in before
    ]


def test_the_reason_of_a_run_holds_no_frames() -> None:
    def ends() -> None:
        try:
            raise puzzlekit.Stopped("the trial is over")
        except puzzlekit.Stopped:
            raise puzzlekit.Stopped("the time is up")  # noqa: B904  as a check of the budget does

    with pytest.raises(puzzlekit.Stopped) as caught:
        ends()
    reason = bare(caught.value)
    assert (str(reason), reason.__context__, reason.__traceback__) == ("the time is up", None, None)
