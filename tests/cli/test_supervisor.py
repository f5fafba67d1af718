"""The process that watches the command: time, memory, signals, crashes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from puzzlekit.processes import system
from tests.commands import ROOT
from tests.interrupts import CASES, COMMANDS, attempt, struck

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere the command runs without a supervisor"
)
PROGRAM = """
import sys
from puzzlekit.cli import main, program
from puzzlekit.processes import supervisor
from puzzlekit.processes.command import end_command_after, report_if_ended
{more}
program.main = work
main()
"""


def supervised(more: str, **options: object) -> subprocess.Popen[str]:
    """A supervised process that does `work()`."""

    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, "-c", PROGRAM.format(more=more)]
    hear = lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL)  # noqa: E731  what nohup starts ignores it
    return subprocess.Popen(command, **pipes, text=True, cwd=ROOT, preexec_fn=hear, **options)  # type: ignore[call-overload,no-any-return]


def ended(more: str) -> tuple[int, str, str]:
    with supervised(more) as process:
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err


DEAF = """
import ctypes, os, time
def deaf():
    ctypes.PyDLL(None).sleep(60)  # native code that lets no line of Python run
"""


def test_exit_codes_and_output_are_passed_on() -> None:
    assert ended("def work(): print('said'); sys.exit(7)") == (7, "said\n", "")
    assert ended("def work(): sys.exit('a message')") == (1, "", "a message\n")
    code, out, err = ended("def work(): print('said', end=''); raise ValueError('why')")
    assert (code, out) == (1, "said") and "ValueError: why" in err


def test_work_that_is_deaf_to_the_clock_is_ended() -> None:
    began = time.monotonic()
    code, out, err = ended(
        DEAF + "def work(): print('half', end='', flush=True); end_command_after(1.0); deaf()"
    )
    assert (code, out) == (3, "half\n")
    assert err.startswith("stopped: the time is up; the command did not stop and was ended")
    assert "what was printed so far is valid" in err
    assert time.monotonic() - began < 30


def test_json_that_cannot_be_written_any_more_is_a_report_that_says_so() -> None:
    form = "from puzzlekit.cli.screen import of_solve\n"
    code, out, _ = ended(
        DEAF
        + form
        + "def work(): report_if_ended(of_solve(backend='sat')); end_command_after(0.1); deaf()"
    )
    report = json.loads(out)
    assert (code, report["status"], report["solutions"], report["backend"]) == (
        3,
        "stopped",
        [],
        "sat",
    )
    assert "the time is up" in report["reason"] and report["seconds"]["total"] > 0.1
    code, out, err = ended(
        DEAF
        + form
        + (
            "def work():\n report_if_ended(of_solve(backend='sat')); end_command_after(0.1)\n"
            " print('{', flush=True); deaf()"
        )
    )
    assert (code, out) == (3, "{\n") and "standard output is incomplete" in err


def test_who_waits_for_its_reader_is_not_late() -> None:
    with supervised("def work(): end_command_after(0.2); print('x' * 1_000_000)") as process:
        time.sleep(3)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, len(out), err) == (0, 1_000_001, "")


def test_standard_input_that_never_ends_is_stopped() -> None:
    command = [sys.executable, "-m", "puzzlekit", "solve", "-", "--timeout", "0.5", "--json"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, cwd=ROOT) as process:
        assert process.wait(timeout=60) == 3
        assert process.stdout is not None
        assert json.loads(process.stdout.read())["status"] == "stopped"


HOG = """
import time
supervisor.system.machine_memory = lambda: 400 * 2**20
def hog():
    held = []
    for _ in range(60):
        held.append(b"x" * 10 * 2**20)
        time.sleep(0.02)
    time.sleep(60)
"""


def test_memory_is_bounded_without_an_option() -> None:
    code, _, err = ended(HOG + "def work(): hog()")
    assert code == 3
    assert err.startswith(
        "stopped: the command uses more than three quarters of the machine's memory (0.3 GB)"
    )


def test_a_backend_that_takes_too_much_is_ended_alone() -> None:
    backend = """
from puzzlekit.backends import Budget
from puzzlekit.backends.streams import streamed
from puzzlekit.errors import Stopped
def stream():
    hog()
    yield 1
def work():
    try:
        list(streamed(stream, (), Budget()))
    except Stopped as reason:
        print(reason)
"""
    code, out, err = ended(HOG + backend)
    assert code == 0 and "the backend's process died of SIGKILL" in out
    assert err.startswith("the process of a backend was ended")


def test_the_machine_is_the_smallest_of_its_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "/proc/meminfo": "MemTotal:  1000 kB\nMemFree: 1 kB\n",
        "/proc/self/cgroup": "4:memory:/a/b\n3:cpu:/a\n0::/c\n",
        "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
        "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "600000\n",
        "/sys/fs/cgroup/c/memory.max": "max\n",
    }
    monkeypatch.setattr(system, "contents", lambda path: files.get(path, ""))
    assert system.machine_memory() == 600_000
    files["/sys/fs/cgroup/c/memory.max"] = "500000\n"
    assert system.machine_memory() == 500_000
    files.clear()
    assert system.machine_memory() is None


@pytest.mark.parametrize("kind", ["SIGSEGV", "SIGABRT"])
def test_a_native_crash_is_told_in_a_line(kind: str) -> None:
    code, _, err = ended(f"import os, signal\ndef work(): os.kill(os.getpid(), signal.{kind})")
    assert code == 3
    assert err == f"stopped: native code of a library crashed ({kind}); try another --backend\n"


COUNTING = """
import time
from puzzlekit.processes.command import interrupts
def work():
    heard, until = 0, time.monotonic() + 1.5
    with interrupts.at_work():
        while time.monotonic() < until:
            try:
                print("ready", flush=True) if not heard else None
                while time.monotonic() < until:
                    time.sleep(0.05)
            except KeyboardInterrupt:
                heard += 1
    print(heard)
"""


@pytest.mark.parametrize(
    "send", [lambda pid: os.kill(pid, signal.SIGINT), lambda pid: os.killpg(pid, signal.SIGINT)]
)
def test_an_interrupt_is_heard_once(send: Callable[[int], None]) -> None:
    with supervised(COUNTING, start_new_session=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        send(process.pid)
        assert process.stdout.readline() == "1\n"


def test_an_interrupt_of_the_command_alone_is_heard_too() -> None:
    with supervised(COUNTING) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        os.kill(child_of(process.pid), signal.SIGINT)
        assert process.stdout.readline() == "1\n"


def child_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text())


def test_who_is_deaf_to_an_interrupt_is_ended_quietly() -> None:
    with supervised(DEAF + "def work(): print('ready', flush=True); deaf()") as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        for _ in range(2):
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_whatever_ends_the_supervisor_ends_the_command(number: signal.Signals) -> None:
    with supervised(DEAF + "def work(): print('ready', flush=True); deaf()") as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        child = child_of(process.pid)
        process.send_signal(number)
        assert process.wait(timeout=30) == -number
    until = time.monotonic() + 10
    while Path(f"/proc/{child}").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert not Path(f"/proc/{child}").exists()


@pytest.mark.parametrize("seconds", [0.05, pytest.param(0.5, marks=pytest.mark.slow), 1.2])
def test_a_command_that_is_stopped_and_continued_goes_on(seconds: float) -> None:
    with supervised(
        "import time\ndef work(): print('ready', flush=True); time.sleep(0.5); print('done')",
        start_new_session=True,
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        for _ in range(3):
            os.killpg(process.pid, signal.SIGSTOP)
            time.sleep(seconds)
            os.killpg(process.pid, signal.SIGCONT)
            time.sleep(0.05)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "done\n", "")


IMPORTING = """
import importlib.abc, importlib.machinery, time
from puzzlekit.processes.command import interrupts
class Slow(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name == "slow" else None
    def exec_module(self, module):
        print("ready", flush=True)
        try:
            time.sleep(SECONDS)
        except KeyboardInterrupt:
            raise ImportError("the library is not installed")
sys.meta_path.insert(0, Slow())
def work():
    try:
        with interrupts.at_work():
            import slow
            time.sleep(5)
    except KeyboardInterrupt:
        print("heard after the import")
"""


@pytest.mark.parametrize(
    ("seconds", "code", "out"), [(0.1, 0, "heard after the import\n"), (20, 130, "")]
)
def test_an_interrupt_waits_for_an_import_to_end(seconds: float, code: int, out: str) -> None:
    """But not for one that takes long."""
    with supervised(IMPORTING.replace("SECONDS", str(seconds))) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert (process.communicate(timeout=15)[0], process.returncode) == (out, code)


REMOVING = """
import time
from pathlib import Path
from puzzlekit.processes import interrupts, uninterrupted
@uninterrupted
def write(path):
    path.touch()
    print("ready", flush=True)
    time.sleep(0.1)
    path.unlink()
def work():
    path = Path("FILE")
    try:
        with interrupts.at_work():
            write(path)
            time.sleep(5)
    except KeyboardInterrupt:
        print("heard", path.exists())
"""


def test_an_interrupt_waits_for_a_temporary_file_to_go(tmp_path: Path) -> None:
    with supervised(REMOVING.replace("FILE", str(tmp_path / "a"))) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30)[0] == "heard False\n"


STARTING = """
import os, signal, time
from puzzlekit.backends import Budget
from puzzlekit.processes import worker_process
from puzzlekit.processes.command import interrupts
def places():
    yield os.getpid()
    time.sleep(60)
def work():
    worker = worker_process.Worker()
    interrupt = lambda: (os.kill(os.getppid(), signal.SIGINT), time.sleep(0.3))
    os.register_at_fork(after_in_parent=interrupt)
    try:
        with interrupts.at_work():
            worker.ask(places, ())
            time.sleep(60)
    except KeyboardInterrupt:
        print("heard:", worker.receive(60)[0] == [worker._process.pid])
    worker.end()
"""


def test_an_interrupt_waits_for_a_worker_to_start() -> None:
    assert ended(STARTING) == (0, "heard: True\n", "")


def test_an_interrupt_that_python_drops_comes_again() -> None:
    dropping = """
import time
from puzzlekit.processes.command import interrupts
class Term:
    def __del__(self):
        raise KeyboardInterrupt
def work():
    try:
        with interrupts.at_work():
            Term()
            time.sleep(5)
    except KeyboardInterrupt:
        print("heard")
"""
    assert ended(dropping) == (0, "heard\n", "")


def test_a_process_that_ignores_interrupts_goes_on_to() -> None:
    ignoring = (
        "import os, signal\ndef work(): os.kill(os.getppid(), signal.SIGINT); "
        "print(signal.getsignal(signal.SIGINT))"
    )
    command = [sys.executable, "-c", PROGRAM.format(more=ignoring)]
    deaf = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)  # noqa: E731
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, preexec_fn=deaf, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


STRIKING = """
import _signal, sys
from puzzlekit.cli import main
def strike(frame, event, arg):
    # the callback of the lock of a module: its errors are dropped
    if event == "call" and frame.f_code.co_name == "cb":
        sys.setprofile(None)
        _signal.raise_signal(_signal.SIGINT)
sys.argv = ["puzzlekit", "list"]
sys.setprofile(strike)
main()
"""


def test_an_interrupt_at_the_first_import_is_not_lost() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STRIKING], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(6))
def test_random_interrupts_end_quietly(number: int) -> None:
    said, line = attempt(number, seed=4, longest=2.0)
    assert said in ("130", "had ended", "start of Python"), line


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", COMMANDS)
def test_long_commands_end_soon_and_write_nothing_by_halves(name: str) -> None:
    said, _, line = struck(name, number=7, longest=2.0)
    assert said in ("130", "had ended", "start of Python"), line


@pytest.mark.slow
@pytest.mark.parametrize("number", range(30))
@pytest.mark.parametrize("name", COMMANDS)
def test_many_interrupts_of_long_commands(name: str, number: int) -> None:
    said, took, line = struck(name, number)
    assert said in ("130", "had ended", "start of Python") and took < 2.0, line


@pytest.mark.slow
@pytest.mark.parametrize("number", range(500))
def test_many_random_interrupts_end_quietly(number: int) -> None:
    assert len(CASES) > 50
    said, line = attempt(number, seed=13)
    assert said in ("130", "had ended", "start of Python"), line


BEFORE_THE_FORK = """
import _signal, sys, time
from puzzlekit.cli import main
from puzzlekit.processes import supervisor
watch = supervisor._Supervisor.run
def late(self):
    time.sleep(1)  # as on a busy machine: the command ends before this
    watch(self)
supervisor._Supervisor.run = late
def strike(frame, event, arg):
    if event == "call" and frame.f_code is supervisor.run_supervised.__code__:
        sys.setprofile(None)
        _signal.raise_signal(_signal.SIGINT)
sys.argv = ["puzzlekit", "list"]
sys.setprofile(strike)
main()
"""


def test_an_interrupt_before_the_command_has_a_process_is_not_lost() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BEFORE_THE_FORK],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
