"""Measure `puzzlekit batch`: overhead, throughput, memory and kills, as docs/batch.md has them.

    python benchmarks/batch.py                      # everything, in ten minutes on an idle machine
    python benchmarks/batch.py overhead throughput  # these only
    python benchmarks/batch.py memory --puzzles 100000
    python benchmarks/batch.py kills --kills 50

Each measurement prints the load of the machine before it: on a busy machine the clock says little.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

TINY = """
puzzle: tiny
data:
  total: int
variables:
  x: between(1, 9)
rules:
  it is the total: x == total
"""
LOAD = Path("/proc/loadavg")


def main() -> None:
    """Run the measurements that are named."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("puzzles").mkdir()
        Path("puzzles/tiny.yaml").write_text(TINY)
        for name in options.names or MEASUREMENTS:
            load = LOAD.read_text().split()[0] if LOAD.exists() else "unknown"
            print(f"{name} (load {load}, {os.cpu_count()} processors)", flush=True)
            MEASUREMENTS[name](options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "python benchmarks/batch.py", description="Measure puzzlekit batch."
    )
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        choices=[*MEASUREMENTS, []],
        help=", ".join(MEASUREMENTS),
    )
    parser.add_argument(
        "--puzzles", type=int, default=100_000, help="of the measurement of memory (100,000)"
    )
    parser.add_argument("--kills", type=int, default=50, help="of the measurement of kills (50)")
    return parser.parse_args()


# Puzzles ------------------------------------------------------------------------------------------


def tiny(number: int) -> Path:
    """Puzzles that presolve solves in a millisecond."""
    return _written(
        f"tiny{number}.jsonl", ({"puzzle": "tiny", "total": total} for total in range(number))
    )


def sudokus(number: int) -> Path:
    """Sudokus of some 30 givens each, which differ in their digits."""
    draw = random.Random(1)
    solved = [
        "".join(str((3 * row + row // 3 + column) % 9 + 1) for column in range(9))
        for row in range(9)
    ]

    def given() -> dict[str, object]:
        names = dict(zip("123456789", draw.sample("123456789", 9)))
        rows = [[names[digit] if draw.random() < 0.4 else "." for digit in row] for row in solved]
        return {"puzzle": "sudoku", "givens": ["".join(row) for row in rows]}

    return _written("sudokus.jsonl", (given() for _ in range(number)))


def _written(name: str, specs: object) -> Path:
    path = Path(name)
    path.write_text("".join(json.dumps(spec) + "\n" for spec in specs))  # type: ignore[attr-defined]
    return path


# Measurements -------------------------------------------------------------------------------------


def batch(specs: Path, out: str, *options: str) -> subprocess.Popen[bytes]:
    """Start a batch."""
    command = [
        sys.executable,
        "-P",
        "-m",
        "puzzlekit",
        "batch",
        str(specs),
        "--unique",
        "--out",
        out,
        *options,
    ]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL)


def seconds(specs: Path, *options: str) -> tuple[float, list[float], float]:
    """The seconds from the first result of a batch to its end, those of each puzzle,
    and the batch's own of a processor.
    """
    out = Path("out.jsonl")
    out.unlink(missing_ok=True)
    process = batch(specs, str(out), *options)
    while process.poll() is None and not (out.exists() and out.stat().st_size):
        time.sleep(0.01)
    began, own, before = time.monotonic(), 0.0, _processor(process.pid)
    while process.poll() is None:
        own = max(own, _processor(process.pid) - before)
        time.sleep(0.05)
    assert process.returncode == 0
    took = time.monotonic() - began
    return took, [json.loads(line)["seconds"] for line in out.read_text().splitlines()], own


def overhead(options: argparse.Namespace) -> None:
    """What a batch takes beyond its puzzles, with a warm worker."""
    number = 5_000
    for _ in range(3):
        took, each, own = seconds(tiny(number), "--workers", "1")
        beside = took - sum(each)
        parts = "{:.2f} ms each, {:.2f} ms beside it; the batch works {:.2f} ms"
        print(
            f"  {number:,} puzzles, 1 worker:",
            parts.format(*(1000 * part / number for part in (sum(each), beside, own))),
        )


def throughput(options: argparse.Namespace) -> None:
    """How many puzzles a second, with one and two workers, here and on a local cluster."""
    for name, specs, number in (("sudoku", sudokus(1_000), 1_000), ("tiny", tiny(5_000), 5_000)):
        for cluster in ((), ("--cluster", "local")):
            rates = {}
            for workers in (1, 2):
                took, _, own = seconds(specs, "--workers", str(workers), *cluster)
                rates[workers] = number / took
            where = "local cluster" if cluster else "this machine"
            times = (
                f"{rates[1]:.0f} a second, {rates[2]:.0f} with two ({rates[2] / rates[1]:.2f} "
                f"times)"
            )
            print(f"  {name}, {where}: {times}; the batch works {1000 * own / number:.2f} ms")


def memory(options: argparse.Namespace) -> None:
    """The memory of the batch and of its worker while it runs."""
    process, looked = batch(tiny(options.puzzles), "memory.jsonl", "--workers", "1"), 0
    out = Path("memory.jsonl")
    while process.poll() is None:
        time.sleep(0.2)
        done = _lines(out)
        if done >= looked + options.puzzles // 10:
            looked = done
            sizes = ", ".join(f"{size / 2**20:.0f}" for size in _resident(process.pid))
            print(f"  {done:,} puzzles: {sizes} MB (supervisor, batch, worker)", flush=True)
    assert process.wait() == 0


def kills(options: argparse.Namespace) -> None:
    """Kill a batch at random moments, and start it again, until it is done."""
    number, draw = 200 * options.kills, random.Random()
    specs, out = tiny(number), Path("killed.jsonl")
    killed = 0
    while killed < options.kills:
        process, before = batch(specs, str(out), "--workers", "2"), _lines(out)
        while process.poll() is None and _lines(out) < before + 1:
            time.sleep(0.01)
        time.sleep(draw.random() / 4)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
        elif killed < options.kills:
            number += 10_000
            specs = tiny(number)
    assert batch(specs, str(out), "--workers", "2").wait() == 0
    keys = [json.loads(line)["key"] for line in out.read_text().splitlines()]
    print(
        f"  {killed} kills: {len(keys):,} lines of {number:,} puzzles, "
        f"{len(keys) - len(set(keys))} twice"
    )


def _processor(supervisor: int) -> float:
    """The seconds of a processor that the batch has used, without its workers."""
    for child in Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split():
        fields = Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _resident(pid: int) -> list[int]:
    """The resident bytes of a process and of its descendants."""
    found, page = [], os.sysconf("SC_PAGE_SIZE")
    processes = [pid]
    for process in processes:
        for task in Path(f"/proc/{process}/task").iterdir():
            processes += map(int, (task / "children").read_text().split())
        found.append(int(Path(f"/proc/{process}/statm").read_text().split()[1]) * page)
    return found


MEASUREMENTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "overhead": overhead,
    "throughput": throughput,
    "memory": memory,
    "kills": kills,
}

if __name__ == "__main__":
    main()
