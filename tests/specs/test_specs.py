"""Every spec that ships, on every backend: its solutions are those that it expects.

`make test` has the smallest spec of each type on every backend, and each other one on `auto`;
`make test-slow` has the rest. What takes a backend longer than two seconds is listed with its
reason, and `make test-slow` tries it for ten seconds: what it finds by then must be right. So
nothing is left out unseen; a backend whose library is missing fails.
"""

from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import pytest

from puzzlekit.api import Puzzle, load
from puzzlekit.api.expect import expected, unmet
from puzzlekit.api.solution import matches
from puzzlekit.backends import BACKENDS
from puzzlekit.errors import Stopped, Unsupported

ROOT = Path(__file__).parents[2] / "specs"
SPECS = {str(path.relative_to(ROOT).with_suffix("")): path for path in sorted(ROOT.glob("*/*.yaml"))}
COVERS = "exact-cover dlx xcover"
TRIED = 10  # seconds
NAMES = ("auto", *BACKENDS)

SMALLEST = [  # of each type, by how many values all its unknowns may take before presolve
    *("cipher/small", "cryptarithm/two", "cryptogram/proverb", "hitori/tiny", "kakuro/tiny", "killer/tiny", "masyu/tiny"),
    *("nonogram/tiny", "nurikabe/tiny", "pentominoes/3x20", "queens/n4", "sanalouhos/some", "slitherlink/tiny"),
    *("star_battle/tiny", "strands/quarters", "sudoku/six", "swaps/row", "unwordle/no_word_twice", "unwordle_answers/one"),
    *("waffle/three", "word_search/first", "wordle/first", "zebra/tiny"),
]
REFUSED = [("cryptarithm/cross donald moon planets", COVERS, "a sum with more than 20000 totals")]
SLOW = [  # specs of a type, backends, why
    ("cryptarithm/planets", "sat z3", "one sum of large weights, which clauses do not narrow"),
    ("cryptogram/keeper", "dlx z3 cp-sat", "words that need not be in the lexicon, and how common they are"),
    ("cryptogram/professors", f"{COVERS} sat asp z3 cp-sat", "words of a large lexicon that need not be in it"),
    ("hitori/giant", "sat", "what hangs together is cut off piece by piece"),
    ("hitori/giant large medium seventeen", "exact-cover dlx", "what hangs together is forbidden one wrong solution at a time"),
    ("hitori/giant", "xcover", "what hangs together is forbidden one wrong solution at a time"),
    ("kakuro/eleven large wide", "dlx", "sums as chains of tables, and no colours"),
    ("killer/first harder hardest", "dlx", "sums as chains of tables, and no colours"),
    ("killer/hardest", "exact-cover csp xcover", "little is narrowed by sums of cages"),
    ("masyu/fifteen giant large", f"{COVERS} csp", "one loop is forbidden one wrong solution at a time"),
    ("masyu/stars", "dlx xcover", "one loop is forbidden one wrong solution at a time"),
    ("nonogram/twentyfive", COVERS, "rows and columns meet only in single cells, which a cover branches on"),
    ("nurikabe/giant large medium oblong small", f"{COVERS} csp", "a sea that hangs together, one wrong solution at a time"),
    ("nurikabe/giant large medium small", "cp-sat", "a sea that hangs together, one wrong solution at a time"),
    ("nurikabe/giant large", "z3", "a sea that hangs together, seen to lazily"),
    ("pentominoes/3x20", "sat asp z3 dlx csp cp-sat", "that there is no more is proven piece by piece"),
    ("pentominoes/4x15 5x12 6x10", " ".join(NAMES), "hundreds and thousands of solutions, or minutes for each"),
    ("pentominoes/8x8", " ".join(NAMES), "half a hundred solutions and more"),
    ("queens/n10", "asp z3 cp-sat xcover", "724 solutions are listed or counted by cases"),
    ("queens/n12", "sat asp z3 dlx csp cp-sat xcover", "14,200 solutions are listed or counted by cases"),
    ("sanalouhos/first five", "csp", "what a table leaves is looked at only value by value"),
    ("slitherlink/fifteen giant large small wide", COVERS, "one loop is forbidden one wrong solution at a time"),
    ("slitherlink/fifteen giant large small", "csp", "little is narrowed before a loop closes"),
    ("star_battle/fourteen large twelve two_stars", f"{COVERS} csp", "two stars a line: a cover has no counts of its own"),
    ("star_battle/medium nine", "dlx xcover", "two stars a line: a cover has no counts of its own"),
]


def listed(table: list[tuple[str, str, str]]) -> dict[tuple[str, str], str]:
    """The reason for each spec and backend."""
    found = {}
    for specs, backends, reason in table:
        kind, names = specs.split("/")
        found.update({(f"{kind}/{name}", backend): reason for name in names.split() for backend in backends.split()})
    return found


WHY_REFUSED, WHY_SLOW = listed(REFUSED), listed(SLOW)
EVERY = [(spec, backend) for spec in SPECS for backend in NAMES]


@lru_cache(maxsize=1)  # one backend after the other solves it
def loaded(spec: str) -> Puzzle:
    """The puzzle of a spec."""
    return load(None, SPECS[spec])


def in_make_test(spec: str, backend: str) -> bool:
    """Whether `make test` has this pair, and not `make test-slow` alone."""
    return spec in SMALLEST or backend == "auto"


def kind_of(spec: str) -> str:
    """The type of a spec."""
    return spec.split("/")[0]


def lacks(puzzle: Puzzle, backend: str, timeout: float | None = None) -> list[str]:
    """What is not as expected. Where one solution is, two are asked for; any other number is counted."""
    wanted = expected(puzzle)
    if wanted["solutions"] != "1":
        return unmet(puzzle, backend, timeout)
    solutions = list(puzzle.solve(backend, limit=2, timeout=timeout))
    if len(solutions) != 1:
        return [f"one solution expected, {'none' if not solutions else 'more'} found"]
    found, first = solutions[0], next(unknowns.name for unknowns in puzzle.type.unknowns if not unknowns.auxiliary)
    wrong = []
    for key, value in wanted.items():
        if key == "goal":
            best = {goal: puzzle.best(goal, backend, timeout) for goal in value}
            reached = {
                goal: solution and puzzle.instance.goals[goal].term.value(solution.assignment)
                for goal, solution in best.items()
            }
            wrong += [
                f"expected {goal} {value[goal]}, found {reached[goal]}" for goal in value if str(reached[goal]) != value[goal]
            ]
        elif key != "solutions":
            part = found.then[key].get("count") if key in found.then else found.json()[first if key == "answer" else key]
            wrong += [] if matches(value, part) else [f"expected {key} {value}, found {part}"]
    return wrong


def test_what_is_listed_exists() -> None:
    assert {*WHY_REFUSED, *WHY_SLOW} <= {*EVERY}
    assert not WHY_REFUSED.keys() & WHY_SLOW.keys()
    assert {*SMALLEST} <= {*SPECS} and sorted(map(kind_of, SMALLEST)) == sorted({*map(kind_of, SPECS)})


@pytest.mark.slow
@pytest.mark.parametrize("smallest", SMALLEST)
def test_the_smallest_of_a_type_is_the_smallest(smallest: str) -> None:
    size = {
        spec: sum(map(len, loaded(spec).instance.model.domains.values()))
        for spec in SPECS
        if kind_of(spec) == kind_of(smallest)
    }
    assert size[smallest] == min(size.values())


@pytest.mark.parametrize("spec", [spec for spec in SPECS if (spec, "auto") in WHY_SLOW])  # the others are solved below
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


@pytest.mark.parametrize(("spec", "backend"), WHY_REFUSED)
def test_what_a_backend_refuses_it_says(spec: str, backend: str) -> None:
    with pytest.raises(Unsupported, match=WHY_REFUSED[spec, backend]):
        lacks(loaded(spec), backend)


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "backend"), WHY_SLOW)
def test_what_a_backend_finds_in_a_while_is_right(spec: str, backend: str) -> None:
    with suppress(Stopped):  # as it is said in the table
        assert lacks(loaded(spec), backend, TRIED) == []
