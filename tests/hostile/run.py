"""Run hostile types on every backend at `--timeout 1`, and report by how much each overran.

    python -m tests.hostile.run [--backends a,b] [--types a,b] [--timeout 1] [--cold]
                                [--out results.jsonl] [-- more arguments]

The types in `types/` are small and legal, and ask for more than anybody has: each keeps some stage,
or some backend, at work for far longer than a second. A comment in the first line of one gives
further arguments of `solve`.

The command runs in a child of this process, which has loaded all libraries, so that the second is
spent on the type, without a supervisor, so that it must end by itself. With `--cold` the command is
started anew each time, as a user starts it.
"""

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from puzzlekit.backends import BACKENDS, load_backend
from puzzlekit.cli import program

TYPES = {path.stem: path for path in sorted((Path(__file__).parent / "types").glob("*.yaml"))}
PATIENCE = 30.0  # seconds after the timeout, after which a run is killed
REFUSED = "this backend does not support the puzzle"


@dataclass
class Result:
    """How a run ended: `over` the timeout by so many seconds, `late` of the processor after it;
    `memory` in MB.
    """

    name: str
    backend: str
    code: int
    over: float
    late: float
    processor: float
    memory: float
    said: str

    def line(self) -> str:
        """The result in a line."""
        how = (
            f"exit {self.code:3} over {self.over:6.2f} late {self.late:5.2f} of "
            f"{self.processor:5.2f} {self.memory:5.0f} MB"
        )
        return f"{self.name:18} {self.backend:12} {how}  {self.said}"


def measured(
    name: str, backend: str, timeout: float, arguments: Sequence[str] = (), cold: bool = False
) -> Result:
    """Run one type on one backend."""
    first = TYPES[name].read_text().splitlines()[0]
    own = first[1:].split() if first.startswith("#") else []
    command = [
        "solve",
        str(TYPES[name]),
        "--timeout",
        str(timeout),
        "--backend",
        backend,
        *own,
        *arguments,
    ]
    with tempfile.TemporaryFile("w+") as out:
        began = time.monotonic()
        process = (_started if cold else _forked)(command, out)
        code, before, usage = _ended(process, began + timeout)
        over = time.monotonic() - began - timeout
        out.seek(0)
        lines = [line.strip() for line in out.read()[-4_000:].splitlines() if line.strip()]
    said = next(
        (line for line in lines if line.startswith(("stopped", REFUSED))),
        lines[-1] if lines else "",
    )
    processor = usage.ru_utime + usage.ru_stime
    return Result(
        name,
        backend,
        code,
        over,
        max(0.0, processor - before),
        processor,
        usage.ru_maxrss / 1024,
        said[:150],
    )


def _started(command: list[str], out: IO[str]) -> int:
    process = subprocess.Popen(
        [sys.executable, "-m", "puzzlekit", *command],
        stdout=out,
        stderr=out,
        start_new_session=True,
    )
    process.returncode = 0  # it is waited for below
    return process.pid


def _forked(command: list[str], out: IO[str]) -> int:
    process = os.fork()
    if process == 0:
        os.setsid()
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
        os._exit(_code(lambda: _main(command)))
    return process


def _main(command: list[str]) -> None:
    sys.argv = ["puzzlekit", *command]
    program.main()


def _code(work: Callable[[], None]) -> int:
    code = 70
    try:
        work()
    except SystemExit as ended:
        code = int(ended.code or 0)
    sys.stdout.flush()
    return code


def _ended(process: int, until: float) -> tuple[int, float, resource.struct_rusage]:
    """The exit code, the processor seconds that were used until the time was up,
    and all that was used.
    """
    used = 0.0
    while True:
        found, status, usage = os.wait4(process, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status), used, usage
        now = time.monotonic()
        if now < until:
            used = _used(process)
        elif now > until + PATIENCE:
            os.killpg(process, signal.SIGKILL)
        time.sleep(0.005)


def _used(process: int) -> float:
    """The processor seconds of a process so far, and of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def table(results: Sequence[Result]) -> str:
    """A row for each backend."""
    rows = [
        f"{'backend':12} runs  ≤ 1 s  ≤ 2 s  worst  the worst                 processor  the worst"
    ]
    for backend in dict.fromkeys(result.backend for result in results):
        own = [result for result in results if result.backend == backend]
        worst, busiest = (
            max(own, key=lambda result: result.over),
            max(own, key=lambda result: result.late),
        )
        soon, late = (sum(1 for result in own if result.over <= bound) for bound in (1, 2))
        row = f"{backend:12} {len(own):4} {soon:6} {late:6} {worst.over:6.2f}  {worst.name:24}"
        rows.append(f"{row} {busiest.late:10.2f}  {busiest.name}")
    return "\n".join(rows)


def main() -> None:
    """Run what is asked for; a line for each run, then a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--backends", default=",".join(("auto", *BACKENDS)))
    parser.add_argument("--types", default=",".join(TYPES))
    parser.add_argument("--timeout", type=float, default=1.0)
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("arguments", nargs="*", help="more arguments of solve, after --")
    asked = parser.parse_args()
    for name in BACKENDS if not asked.cold else ():
        load_backend(name)
    from puzzlekit.cli import backbone_report  # noqa: F401

    results = []
    for name in asked.types.split(","):
        for backend in asked.backends.split(","):
            results.append(measured(name, backend, asked.timeout, asked.arguments, asked.cold))
            print(results[-1].line(), flush=True)
            if asked.out is not None:
                with asked.out.open("a") as lines:
                    lines.write(json.dumps(asdict(results[-1])) + "\n")
    print(f"\n{table(results)}")


if __name__ == "__main__":
    main()
