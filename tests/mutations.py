"""Wrong on purpose: does a test notice when the meaning or the lowering of a node is broken?

Each mutant is one expression of the package exchanged for another, in a copy of the checkout in a temporary folder. A few of
the tests run against the copy; the mutant is killed when one of them fails. Exit status 1 where a mutant survives, or where its
text does not stand in the file exactly once.

python -m tests.mutations [part of a node, file or backend …]
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

import pytest

from tests.mutants import MUTANTS

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("puzzlekit", "puzzles", "tests", "pyproject.toml")
PRELOADED = ("hypothesis.strategies", "numpy", "z3", "pysat.solvers", "clingo", "ortools.sat.python.cp_model")
PATIENCE = 900  # seconds after which a run is ended; that is no kill
WORKERS = 2
OPTIONS = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "--hypothesis-profile=mutants"]
OPTIONS += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # of what is preloaded
MEANING, NODES = "tests/model/test_terms.py", "tests/backends/test_nodes.py"
AGREEMENT, EQUIVALENCE = "tests/backends/test_agreement.py", "tests/presolve/test_pass_equivalence.py"
CLAUSES = "tests/backends/test_sat.py"
PARTICULAR = tuple(
    f"tests/presolve/test_{name}.py"
    for name in ("bit_graph", "circuits", "counts", "literals", "meaning", "multiplicities", "normalise")
)
NUMBERS = ("Sum", "Operation", "IfElse", "Element", "Apply", "Regions")  # what may be a goal


@dataclass(frozen=True)
class Mutant:
    backend: str  # model, passes, or the backend that has the code
    path: str
    node: str  # or several, where one line is for all of them
    old: str
    new: str

    @property
    def changes_nothing(self) -> bool:
        """Whether the package stays unbroken."""
        return self.old == self.new

    def outcome(self, code: int) -> str:
        """The word for the exit code of the tests."""
        passed, failed = ("sound", "FAILED") if self.changes_nothing else ("SURVIVED", "killed")
        return {0: passed, 1: failed, -9: "NO END"}.get(code, f"NO RUN ({code})")

    def line(self, outcome: str, seconds: float) -> str:
        """What is printed at its end."""
        what = "the unbroken package" if self.changes_nothing else f"{self.path}: {self.old[:60]!r}"
        return f"{outcome:9} {self.backend:12} {'' if self.changes_nothing else self.node:24} {seconds:5.1f} s  {what}"

    def stages(self) -> list[list[str]]:
        """What may notice it: the tests of its nodes first, then all of its backend's.

        The passes are seen through exact-cover, z3 and sat, which between them take all of them.
        """
        if self.backend == "model":
            return [[MEANING]]
        backends = ["exact-cover", "z3", "sat"] if self.backend == "passes" else [self.backend]
        own = [
            f"{NODES}::{test}[quick-{node}-{backend}]"
            for node in self.node.split(", ")
            for backend in backends
            for test in tests_of(node)
        ]
        own += [f"{NODES}::test_a_goal_may_have_a_constant[{backend}]" for backend in backends if "Sum" in self.node]
        if self.backend == "passes":
            files = " or ".join(Path(path).stem for path in PARTICULAR)
            return [own, [NODES, EQUIVALENCE, *PARTICULAR, "-k", f"test_a_pass or {files} or -exact-cover] or -z3]"]]
        if self.backend == "sat":
            return [own, [NODES, AGREEMENT, CLAUSES, "-k", "([sat] or -sat] or test_sat.py) and not -cp-sat]"]]
        return [own, [NODES, AGREEMENT, "-k", f"[{self.backend}] or -{self.backend}]"]]


def tests_of(node: str) -> list[str]:
    meaning = "test_every_node_means_what_plain_search_says"
    return [meaning, "test_every_number_may_be_a_goal"] if node.startswith(NUMBERS) else [meaning]


def mutants() -> Iterator[Mutant]:
    for backend, files in MUTANTS.items():
        for path, edits in files.items():
            for node, old, new in edits:
                yield Mutant(backend, path, node, old, new)


def stale(mutants: Iterable[Mutant]) -> Iterator[str]:
    """Yield a line for each mutant whose text does not stand in the file exactly once."""
    for mutant in mutants:
        if (ROOT / "puzzlekit" / mutant.path).read_text(encoding="utf-8").count(mutant.old) != 1:
            yield f"stale     {mutant.backend:12} {mutant.path}: not there, or not only once: {mutant.old!r}"


def main(wanted: list[str]) -> int:
    every = [m for m in mutants() if not wanted or any(word in f"{m.backend} {m.path} {m.node}" for word in wanted)]
    if old := [*stale(every)]:
        print(*old, sep="\n")
        return 1
    for name in PRELOADED:
        import_module(name)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        copies = [copied(Path(folder) / str(number)) for number in range(WORKERS)]
        if set(judged(unbroken(every), copies).values()) != {"sound"}:
            print("the tests fail where nothing is broken")
            return 1
        outcomes = judged(every, copies)
    report(every, outcomes)
    number = sum(outcome == "killed" for outcome in outcomes.values())
    print(f"{number} of {len(every)} killed in {time.monotonic() - began:.0f} s")
    return 0 if number == len(every) else 1


def unbroken(every: Sequence[Mutant]) -> list[Mutant]:
    """A mutant for each backend that changes nothing, for all of its nodes: the tests must pass."""
    found = []
    for first in {mutant.backend: mutant for mutant in every}.values():
        nodes = dict.fromkeys(node for m in every if m.backend == first.backend for node in m.node.split(", "))
        found.append(replace(first, node=", ".join(nodes), new=first.old))
    return found


def copied(folder: Path) -> Path:
    folder.mkdir()
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)
    return folder


def judged(every: Sequence[Mutant], copies: list[Path]) -> dict[Mutant, str]:
    """Whether each mutant is killed: a process each, as many at once as there are copies."""
    waiting = list(reversed(every))
    running: dict[int, tuple[Mutant, Path, str, float]] = {}
    outcomes: dict[Mutant, str] = {}
    while waiting or running:
        while waiting and copies:
            mutant, copy = waiting.pop(), copies.pop()
            sound = broken(copy, mutant)
            running[started(copy, mutant.stages())] = (mutant, copy, sound, time.monotonic())
        time.sleep(0.05)
        for process, (mutant, copy, sound, began) in list(running.items()):
            seconds = time.monotonic() - began
            done, status = os.waitpid(process, os.WNOHANG)
            if not done and seconds < PATIENCE:
                continue
            if not done:
                os.kill(process, 9)
                os.waitpid(process, 0)
            code = os.waitstatus_to_exitcode(status) if done else -9
            outcomes[mutant] = mutant.outcome(code)
            print(mutant.line(outcomes[mutant], seconds), flush=True)
            (copy / "puzzlekit" / mutant.path).write_text(sound, encoding="utf-8")
            copies.append(copy)
            del running[process]
    return outcomes


def broken(copy: Path, mutant: Mutant) -> str:
    """Put the mutant into the copy; what stood there before is returned."""
    path = copy / "puzzlekit" / mutant.path
    sound = path.read_text(encoding="utf-8")
    path.write_text(sound.replace(mutant.old, mutant.new), encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        compiled.unlink()  # it goes by time and length, and both may be the same
    return sound


def started(copy: Path, stages: Sequence[Sequence[str]]) -> int:
    """The process in which the tests run on the copy, until a stage fails."""
    process = os.fork()
    if process:
        return process
    code = 3
    try:
        os.chdir(copy)
        sys.path[:] = [str(copy), *(place for place in sys.path if place not in ("", str(ROOT)))]
        for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
            del sys.modules[name]  # the copy has its own
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        for stage in stages:
            code = int(pytest.main([*OPTIONS, *stage]))
            if code:
                break
        if not sys.modules["puzzlekit"].__file__.startswith(str(copy)):  # type: ignore[union-attr]
            code = 3
    finally:
        os._exit(code)


def report(every: Sequence[Mutant], outcomes: dict[Mutant, str]) -> None:
    """How many mutants each backend and each node has, and how many are killed."""
    for what in ("backend", "node"):
        made: Counter[str] = Counter()
        dead: Counter[str] = Counter()
        for mutant in every:
            for name in getattr(mutant, what).split(", "):
                made[name] += 1
                dead[name] += outcomes[mutant] == "killed"
        print(", ".join(f"{name} {dead[name]}/{made[name]}" for name in sorted(made)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
