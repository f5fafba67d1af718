"""Native solvers are few, and a lack of memory is an error of ours."""

import gc
import subprocess
import sys

import pytest

import puzzlekit
from puzzlekit.backends import IncrementalSolver
from puzzlekit.reasons.solver_pool import MOST_SOLVERS, POOL, SolverPool
from tests.shipped import SPECS

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")
MANY_PUZZLES = """
import puzzlekit, resource, sys
from pathlib import Path

number, limit = int(sys.argv[2]), int(sys.argv[3])
if limit:
    resource.setrlimit(resource.RLIMIT_DATA, (limit << 20, limit << 20))
puzzles = [puzzlekit.load("hidato", sys.argv[1]) for _ in range(number)]
try:
    steps = {len(list(puzzle.explain())) for puzzle in puzzles}
except (puzzlekit.Stopped, MemoryError) as error:
    sys.exit(f"{type(error).__name__}: {error}")
status = Path("/proc/self/status").read_text()
data = next(line for line in status.split("\\n") if line.startswith("VmData"))
print(*steps, int(data.split()[1]) // 1024)
"""


class Clauses:
    """Clauses that own a solver, and how often it was built."""

    def __init__(self, *clauses: list[int]) -> None:
        self.clauses = clauses
        self.count = 0

    def build(self) -> IncrementalSolver:
        self.count += 1
        return IncrementalSolver(self.clauses)


def explained(number: int, limit: int = 0) -> subprocess.CompletedProcess[str]:
    """The run of a program that explains and retains so many puzzles within so many megabytes."""
    spec = str(SPECS["hidato/tiny"])
    arguments = [sys.executable, "-c", MANY_PUZZLES, spec, str(number), str(limit)]
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def test_the_least_recently_used_solver_is_freed() -> None:
    pool = SolverPool(2)
    first, second, third = Clauses([1]), Clauses([-1]), Clauses([1, 2], [-1])
    for owner in (first, second, first, third, first, second):
        solver = pool.solver(owner, owner.build)
        assert solver.is_satisfiable([1]) == (owner is first)
        assert len(pool) <= 2
    assert [owner.count for owner in (first, second, third)] == [1, 2, 1]


def test_a_solver_is_freed_with_its_owner() -> None:
    pool = SolverPool(2)
    owner = Clauses([1])
    pool.solver(owner, owner.build)
    del owner
    gc.collect()
    assert len(pool) == 0


def test_a_puzzle_retains_few_solvers_and_says_the_same_without_them() -> None:
    puzzle = puzzlekit.load(None, SPECS["hidato/tiny"])
    steps = list(map(str, puzzle.explain()))
    assert len(POOL) <= MOST_SOLVERS
    wrong = {"number": {"r1c2": 5}}
    verdict = puzzle.check(wrong)
    POOL.clear()
    assert str(puzzle.check(wrong)) == str(verdict)
    assert list(map(str, puzzle.explain())) == steps


@LINUX
def test_a_lack_of_memory_is_an_error_of_ours() -> None:
    megabytes = int(explained(1).stdout.split()[1])
    for limit in (megabytes - 40, megabytes - 100):
        run = explained(1, limit)
        assert run.returncode in (0, 1), run.stderr  # it is not aborted
        if run.returncode:
            assert run.stderr.startswith(("Stopped: the memory is used up", "MemoryError: "))
    assert run.returncode == 1


@LINUX
@pytest.mark.slow
def test_a_hundred_puzzles_are_explained_in_little_memory() -> None:
    run = explained(100)
    steps, megabytes = map(int, run.stdout.split())
    assert steps > 20 and megabytes < 300
