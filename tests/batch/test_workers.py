"""Workers that crash, hang or are killed, batches that are killed, and a Dask cluster."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from puzzlekit.batches.jobs import Inputs, Request
from puzzlekit.batches.results import Results
from puzzlekit.batches.runs import Batch
from puzzlekit.batches.workers import Cluster, Local
from puzzlekit.errors import InputError, Unreachable
from puzzlekit.options import RunOptions
from puzzlekit.processes import worker_process
from puzzlekit.query import Query
from tests.batch.making import lines, pairs, write
from tests.limits import replaced

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are killed by signals")
STUB = Path(__file__).with_name("stub_worker.py")
OUT = Path("out.jsonl")


def test_a_crash_a_hang_and_too_little_memory_cost_their_lines_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_process, "COMMAND", [sys.executable, "-P", str(STUB)])
    write(Path("some.jsonl"), pairs(2, 90, 91, 92, 10))
    request = Request(Query(limit=1), run_options=RunOptions(timeout=1.0))
    local, results = Local(request, 1), Results(OUT)
    with replaced(late_seconds=0.1, worker_deaths=2):
        Batch(Inputs(["some.jsonl"], request), results).run(local)
    local.end()
    results.close()
    found = {line["spec"][-1]: (line["status"], line["reason"]) for line in lines(OUT)}
    assert found == {
        "1": ("unique", None),
        "2": ("crashed", "2 workers died of SIGSEGV"),
        "3": ("stopped", "the time is up; the worker did not stop and was ended"),
        "4": ("stopped", "the memory is used up"),
        "5": ("several", None),
    }


def test_a_worker_that_cannot_start_ends_the_batch() -> None:
    write(Path("some.jsonl"), pairs(2))
    done = command("--memory", "1M").wait(60)
    assert done == 3 and not lines(OUT)


def command(*options: str, **streams: object) -> subprocess.Popen[bytes]:
    whole = [
        sys.executable,
        "-P",
        "-m",
        "puzzlekit",
        "batch",
        "some.jsonl",
        "--out",
        str(OUT),
        "--workers",
        "1",
        *options,
    ]
    null = subprocess.DEVNULL
    return subprocess.Popen(whole, **{"stdout": null, "stderr": null, **streams})  # type: ignore[call-overload,no-any-return]


def killed(number: int, puzzles: int, signals: tuple[signal.Signals, ...]) -> None:
    """Run a batch that is killed so many times, when some more puzzles are done."""
    draw = random.Random(number)
    write(Path("some.jsonl"), pairs(*range(puzzles)))
    for kill in range(number):
        size = OUT.stat().st_size if OUT.exists() else 0
        process = command()
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until:
            if OUT.exists() and OUT.stat().st_size > size + draw.randrange(3_000):
                break
            time.sleep(0.01)
        assert running(str(Path.cwd())) or not Path("/proc").exists()
        assert process.poll() is None, "the batch has ended before it was killed"
        process.send_signal(signals[kill % len(signals)])
        assert process.wait(60) in (130, -signal.SIGKILL)
        until = time.monotonic() + 30
        while running(str(Path.cwd())) and time.monotonic() < until:
            time.sleep(0.02)
        assert not running(str(Path.cwd())), "workers end with the batch"
    assert command().wait(120) == 0
    assert len({line["key"] for line in lines(OUT)}) == len(lines(OUT)) == puzzles


def test_a_batch_that_is_interrupted_and_killed_loses_nothing_and_does_nothing_twice() -> None:
    killed(2, 400, (signal.SIGINT, signal.SIGKILL))


@pytest.mark.slow
def test_so_does_one_that_is_killed_fifty_times() -> None:
    killed(50, 5_000, (signal.SIGKILL,))


def running(folder: str) -> list[int]:
    """The workers in this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (
                b"puzzlekit.processes.worker_process" in (process / "cmdline").read_bytes()
                and str((process / "cwd").readlink()) == folder
            ):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def test_a_cluster_that_is_not_there_is_reported() -> None:
    pytest.importorskip("distributed")
    request = Request(Query(limit=1))
    with (
        replaced(cluster_seconds=0.2),
        pytest.raises(Unreachable, match=r"the cluster tcp://127.0.0.1:1 does not answer"),
    ):
        Cluster(request, "tcp://127.0.0.1:1", 1)
    with pytest.raises(
        InputError,
        match="cluster nowhere://: expected local or an address such as tcp://host:8786",
    ):
        Cluster(request, "nowhere://", 1)


@pytest.mark.slow
def test_a_cluster_does_the_puzzles_of_a_worker_that_dies() -> None:
    pytest.importorskip("distributed")
    write(Path("some.jsonl"), pairs(*range(200)))
    request = Request(Query(limit=1), run_options=RunOptions(timeout=60.0))
    results = Results(OUT)
    with replaced(sent_work_seconds=0.1):
        cluster = Cluster(request, "local", 3)
    try:
        first = next(iter(cluster._client.run(os.getpid).values()))
        batch = Batch(Inputs(["some.jsonl"], request), results)
        append = results.append

        def appended(line: bytes) -> None:
            append(line)
            if batch.progress.done == 20:
                os.kill(first, signal.SIGKILL)

        results.append = appended  # type: ignore[method-assign]
        batch.run(cluster)
    finally:
        cluster.end()
        results.close()
    assert len({line["key"] for line in lines(OUT)}) == len(lines(OUT)) == 200
    assert all(line["status"] != "crashed" for line in lines(OUT))


@pytest.mark.slow
def test_an_interrupted_cluster_ends_quietly_and_leaves_no_file(tmp_path: Path) -> None:
    """A terminal sends Ctrl-C to the processes of the cluster, too."""
    pytest.importorskip("distributed")
    write(Path("some.jsonl"), pairs(*range(2_000)))
    folder = tmp_path / "temporary"
    folder.mkdir()
    environment = {**os.environ, "TMPDIR": str(folder)}
    process = command(
        "--cluster", "local", stderr=subprocess.PIPE, start_new_session=True, env=environment
    )
    until = time.monotonic() + 60
    while not (OUT.exists() and OUT.stat().st_size) and time.monotonic() < until:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors.decode().startswith("interrupted: ") and "Traceback" not in errors.decode()
    assert not [*folder.iterdir()]
