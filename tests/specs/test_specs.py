"""Every spec that ships, on every backend: its solutions are those that it expects.

`make test` has a small spec of each type on `auto`, that of every second type on another backend in
turn, and every twelfth one of the others on `auto`; `make test-slow` has the rest. What takes a
backend longer than two seconds is listed with its reason in `slow.txt`, and `make test-slow` tries
it for ten seconds: what it finds by then must be right. So nothing is left out unseen; a backend
whose library is missing fails.
"""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import pytest

from puzzlekit.api import Puzzle, load
from puzzlekit.api.checks import expected, unmet
from puzzlekit.api.values import matches
from puzzlekit.backends import BACKENDS
from puzzlekit.errors import Stopped, Unsupported
from tests.shipped import ROOT, SMALLEST, SPECS

TRIED = 10  # seconds
PATIENCE = 600  # seconds, for busy machines: a backend that never ends fails one test alone
NAMES = ("auto", *BACKENDS)
GROUPS = {"covers": ("exact-cover", "dlx", "xcover"), "all": NAMES}


def listed(refused: bool) -> dict[tuple[str, str], str]:
    """The reason for each pair of a spec and a backend in `slow.txt`: those that are refused,
    or those that are slow.
    """
    found = {}
    for line in Path(__file__).with_name("slow.txt").read_text("utf-8").splitlines():
        if not line.startswith("#") and line.startswith("refused ") == refused:
            specs, backends, reason = line.removeprefix("refused ").split(" | ")
            kind, names = specs.split("/")
            wanted = [name for word in backends.split() for name in GROUPS.get(word, (word,))]
            found.update(
                {
                    (f"{kind}/{name}", backend): reason
                    for name in names.split()
                    for backend in wanted
                }
            )
    return found


WHY_REFUSED, WHY_SLOW = listed(refused=True), listed(refused=False)
EVERY = [(spec, backend) for spec in SPECS for backend in NAMES]


def test_every_type_has_specs_of_two_sizes() -> None:
    lines: dict[str, set[tuple[int, int]]] = {}
    for name, path in SPECS.items():
        puzzle = path.read_text("utf-8").partition("\nexpect:")[0]
        lines.setdefault(name.split("/")[0], set()).add((len(puzzle.splitlines()), len(puzzle)))
    assert [kind for kind, sizes in lines.items() if len(sizes) < 2] == []
    assert {path.stem for path in (ROOT / "puzzles").glob("*.yaml")} <= lines.keys()


@lru_cache(maxsize=1)  # one backend after the other solves it
def loaded(spec: str) -> Puzzle:
    """The puzzle of a spec."""
    return load(None, SPECS[spec])


def in_make_test(spec: str, backend: str) -> bool:
    """Whether `make test` has this pair, and not `make test-slow` alone."""
    if spec not in SMALLEST:
        return backend == "auto" and [*SPECS].index(spec) % 12 == 0
    return backend == "auto" or (SMALLEST.index(spec) - NAMES.index(backend)) % 16 == 0


def lacks(puzzle: Puzzle, backend: str, timeout: float = PATIENCE) -> list[str]:
    """What is not as expected.

    Where one solution is, two are asked for; any other number is counted.
    """
    wanted = expected(puzzle)
    if wanted["solutions"] != "1":
        return unmet(puzzle, backend, timeout)
    solutions = list(puzzle.solve(backend, limit=2, timeout=timeout))
    if len(solutions) != 1:
        return [f"one solution expected, {'none' if not solutions else 'more'} found"]
    found, first = (
        solutions[0],
        next(unknowns.name for unknowns in puzzle.type.unknowns if not unknowns.auxiliary),
    )
    wrong = []
    for key, value in wanted.items():
        if key == "goal":
            best = {goal: puzzle.best(goal, backend, timeout) for goal in value}
            reached = {
                goal: solution and puzzle.instance.goals[goal].term.value(solution.assignment)
                for goal, solution in best.items()
            }
            wrong += [
                f"expected {goal} {value[goal]}, found {reached[goal]}"
                for goal in value
                if str(reached[goal]) != value[goal]
            ]
        elif key != "solutions":
            part = (
                found.sequels[key].get("count")
                if key in found.sequels
                else found.json()[first if key == "answer" else key]
            )
            wrong += [] if matches(value, part) else [f"expected {key} {value}, found {part}"]
    return wrong


def test_what_is_listed_exists() -> None:
    assert {*WHY_REFUSED, *WHY_SLOW} <= {*EVERY}
    assert not WHY_REFUSED.keys() & WHY_SLOW.keys()


@pytest.mark.parametrize(
    "spec", [spec for spec in SPECS if (spec, "auto") in WHY_SLOW]
)  # the others are solved below
def test_every_spec_says_how_many_solutions_to_expect(spec: str) -> None:
    assert "solutions" in expected(loaded(spec))


@pytest.mark.parametrize(
    ("spec", "backend"),
    [
        pytest.param(*case, marks=[] if in_make_test(*case) else [pytest.mark.slow])
        for case in EVERY
        if case not in WHY_SLOW and case not in WHY_REFUSED
    ],
)
def test_every_backend_gives_what_the_spec_expects(spec: str, backend: str) -> None:
    assert lacks(loaded(spec), backend) == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("spec", "backend"), WHY_REFUSED)
def test_what_a_backend_refuses_it_says(spec: str, backend: str) -> None:
    with pytest.raises(Unsupported, match=WHY_REFUSED[spec, backend]):
        lacks(loaded(spec), backend)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "backend"), WHY_SLOW)
def test_what_a_backend_finds_in_a_while_is_right(spec: str, backend: str) -> None:
    with suppress(Stopped):  # as the file says
        assert lacks(loaded(spec), backend, TRIED) == []
