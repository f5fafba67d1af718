"""The budget and Ctrl-C stop every backend, whatever it is doing."""

import gc
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from random import Random
from threading import current_thread, main_thread

import pytest
import z3

import puzzlekit
from puzzlekit import backends
from puzzlekit.backends import (
    BACKENDS,
    Budget,
    HittingSets,
    IncrementalSolver,
    load_backend,
    watching,
)
from puzzlekit.backends.watching import watched
from puzzlekit.clock import Clock
from puzzlekit.errors import Stopped, Undecided
from puzzlekit.presolve.pipeline import presolve
from puzzlekit.query import Query
from tests.backends.hard_models import many, pigeons, run_to_the_end
from tests.model.asking import search

ROOT = Path(__file__).resolve().parents[2]
# seconds that may pass on a machine that does much else; it is to be one on a machine that does not
SOON = 10.0
INTERRUPTED_FORK = """
import os, signal, puzzlekit
model = puzzlekit.load("queens", {"size": 8})
os.register_at_fork(after_in_parent=lambda: os.kill(os.getpid(), signal.SIGINT))
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    list(model.solve("xcover"))
except KeyboardInterrupt:
    print("heard")
"""

ENDLESS = [
    ("pigeons", "enumerate"),
    ("pigeons", "optimise"),
    ("many", "enumerate"),
    ("many", "count"),
]
MORE = [
    ("sat", "pigeons"),
    ("sat", "many"),
    ("asp", "pigeons"),
    ("asp", "many"),
    ("csp", "pigeons"),
    ("cp-sat", "parities"),
    ("cp-sat", "many"),
    ("xcover", "pigeons"),
    ("xcover", "many"),
]
HARDER = {("cp-sat", "pigeons"): "parities"}  # where a backend sees through a model, another one
CASES = [
    (name, HARDER.get((name, model), model), kind) for name in BACKENDS for model, kind in ENDLESS
]
CASES += [("z3", "products", "enumerate")]


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "model", "kind"), CASES)
def test_the_clock_stops_a_backend(name: str, model: str, kind: str) -> None:
    load_backend(name)  # its library is loaded
    began = time.monotonic()
    with pytest.raises(Stopped, match="the time is up"):
        run_to_the_end(model, name, kind, Budget.of(0.4))
    assert time.monotonic() - began < 0.4 + SOON


def test_the_clock_stops_simplifying() -> None:
    calls = []

    def check() -> None:
        calls.append(None)
        if len(calls) == 100:
            raise Stopped("the time is up")

    model = puzzlekit.load("slitherlink", ROOT / "specs" / "slitherlink" / "large.yaml").model
    with pytest.raises(Stopped, match="the time is up"):
        presolve(model, check)
    with pytest.raises(Stopped, match="the time is up"):
        search(model, "sat", Budget.of(0.0))


@pytest.mark.parametrize("name", BACKENDS)
def test_steps_stop_a_backend(name: str) -> None:
    with pytest.raises(Stopped, match="the step budget is used up"):
        run_to_the_end("permutations", name, "enumerate", Budget(steps=20))


@pytest.mark.parametrize("name", BACKENDS)
def test_a_deadline_that_has_passed_stops_a_backend_before_it_begins(name: str) -> None:
    with pytest.raises(Stopped):
        run_to_the_end("pigeons", name, "enumerate", Budget.of(0))


@pytest.mark.skipif(not hasattr(os, "register_at_fork"), reason="there is no fork")
def test_an_interrupt_comes_through_while_a_process_starts() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_FORK],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("heard\n", "")


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("name", "model"),
    [("exact-cover", "pigeons"), ("z3", "pigeons"), ("z3", "many"), ("dlx", "pigeons"), *MORE],
)
def test_an_interrupt_comes_through(name: str, model: str) -> None:
    script = Path(__file__).parent / "hard_models.py"
    command = [sys.executable, str(script), model, name, "enumerate"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.2)  # any moment will do: it builds or searches
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        try:
            out, errors = process.communicate(timeout=SOON)
        finally:
            process.kill()
        assert out == "interrupted\n", errors
        assert time.monotonic() - sent < SOON


def test_z3_runs_in_another_thread_where_no_interrupt_is_raised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In the main thread, ctypes makes another error of it,
    and Python drops it at the end of a term.
    """
    seen = []

    class Term:
        def __del__(self) -> None:
            seen.append(current_thread() is main_thread())

    def interrupted(self: z3.Solver) -> z3.CheckSatResult:
        self.term = Term()
        os.kill(os.getpid(), signal.SIGINT)
        return check(self)

    check = z3.Solver.check
    monkeypatch.setattr(z3.Solver, "check", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(search(pigeons(), "z3").run(Query()))
    gc.collect()
    assert seen == [False]


@pytest.mark.parametrize("number", [0, 3])
def test_a_stream_of_z3_may_be_closed_early(number: int) -> None:
    stream = search(many(), "z3").run(Query())
    assert len(list(islice(stream, number))) == number
    stream.close()  # type: ignore[attr-defined]


def test_an_interrupt_inside_an_import_is_made_plain_again(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: str) -> None:
        raise ImportError("initialization failed") from KeyboardInterrupt()

    monkeypatch.setattr(backends, "import_module", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load_backend("cp-sat")


def test_what_z3_cannot_decide_is_never_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(z3.Solver, "check", lambda _: z3.unknown)
    with pytest.raises(Undecided):
        list(search(pigeons(), "z3").run(Query()))


HOLDING = """
import ctypes, os, sys
from puzzlekit.backends.base import Budget
from puzzlekit.backends.streams import streamed

def hold():
    yield os.getpid()
    ctypes.PyDLL(None).sleep(60)  # compiled code that lets no thread of Python's run

stream = streamed(hold, (), Budget())
print(next(stream), flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere compiled code is not told that its parent is gone"
)
def test_compiled_code_ends_with_its_parent() -> None:
    command = [sys.executable, "-c", HOLDING]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        process.kill()
    until = time.monotonic() + 10
    while _runs(child) and time.monotonic() < until:
        time.sleep(0.05)
    assert not _runs(child)


def _runs(pid: int) -> bool:
    """Whether the process is there, and is no mere entry that nobody has asked for."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_a_thread_that_cannot_begin_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where memory is used up Python drops the thread; without a clock that was waited for,
    for ever.
    """
    monkeypatch.setattr(watching, "start_new_thread", lambda *_: None)
    monkeypatch.setattr(watching, "LATEST_BEGIN", 0.05)
    with pytest.raises(MemoryError, match="a thread could not begin"):
        watched(lambda: None, lambda: None, Budget())


def test_a_thread_that_is_refused_is_memory_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(watching, "start_new_thread", refused)
    with pytest.raises(MemoryError, match="can't start new thread"):
        watched(lambda: None, lambda: None, Budget())


def pigeonhole(holes: int) -> list[list[int]]:
    """Clauses that put one more pigeon than there are holes each into a hole of its own."""
    literal = lambda pigeon, hole: pigeon * holes + hole + 1  # noqa: E731
    clauses = [[literal(pigeon, hole) for hole in range(holes)] for pigeon in range(holes + 1)]
    for hole in range(holes):
        for second in range(holes + 1):
            pairs = [(first, second) for first in range(second)]
            clauses += [[-literal(pigeon, hole) for pigeon in pair] for pair in pairs]
    return clauses


def hard_question() -> Callable[[], object]:
    solver = IncrementalSolver(pigeonhole(11))
    return lambda: solver.is_satisfiable([])


def hard_hitting_set() -> Callable[[], object]:
    sets = HittingSets()
    random = Random(3)
    for _ in range(400):
        sets.add(random.sample(range(1, 90), 6))
    return sets.smallest


@pytest.mark.parametrize("make", [hard_question, hard_hitting_set])
def test_an_interrupt_of_native_code_is_pythons_and_leaves_the_solver_whole(
    make: Callable[[], Callable[[], object]],
) -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(os.getpid(), signal.SIGINT))
    try:
        call = make()
        for _ in range(2):
            signal.setitimer(signal.ITIMER_REAL, 0.3)
            began = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                call()
            assert time.monotonic() - began < SOON
        with Clock(0.3).running(), pytest.raises(Stopped):
            call()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGINT, before)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
