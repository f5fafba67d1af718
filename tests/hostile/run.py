"""Run hostile types on every backend at `--timeout 1`, and report by how much each overran.

The types in `types/` are small and legal, and ask for more than anybody has: each keeps some stage, or some backend, at work for
far longer than a second. A comment in the first line of one gives further arguments of `solve`.

python tests/hostile/run.py [--backends a,b] [--types a,b] [--timeout 1] [--out results.jsonl] [-- more arguments]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

BACKENDS = ("auto", "exact-cover", "sat", "asp", "z3", "dlx", "csp", "cp-sat", "xcover")
TYPES = {path.stem: path for path in sorted((Path(__file__).parent / "types").glob("*.yaml"))}
PATIENCE = 60.0  # seconds after which a run is killed


@dataclass
class Result:
    """How a run ended: `seconds` by the clock on the wall, `processor` of it and its children, `memory` in MB."""

    name: str
    backend: str
    code: int
    seconds: float
    processor: float
    memory: float
    said: str


def measured(name: str, backend: str, timeout: float, arguments: Sequence[str] = ()) -> Result:
    """Run one type on one backend."""
    first = TYPES[name].read_text().splitlines()[0]
    own = first[1:].split() if first.startswith("#") else []
    command = [sys.executable, "-m", "puzzlekit", "solve", str(TYPES[name]), "--timeout", str(timeout)]
    command += ["--backend", backend, *own, *arguments]
    with tempfile.TemporaryFile("w+") as out:
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        code, usage = _ended(process, began + PATIENCE)
        seconds = time.monotonic() - began
        out.seek(0)
        lines = [line.strip() for line in out.read()[-4_000:].splitlines() if line.strip()]
    said = next((line for line in lines if line.startswith("stopped")), lines[-1] if lines else "")
    return Result(name, backend, code, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, said[:150])


def _ended(process: subprocess.Popen[str], until: float) -> tuple[int, resource.struct_rusage]:
    while True:
        found, status, usage = os.wait4(process.pid, os.WNOHANG)
        if found:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage
        if time.monotonic() > until:
            os.killpg(process.pid, 9)
            until += 1e9
        time.sleep(0.005)


def main() -> None:
    """Run what is asked for; a line for each run, then a table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--backends", default=",".join(BACKENDS))
    parser.add_argument("--types", default=",".join(TYPES))
    parser.add_argument("--timeout", type=float, default=1.0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("arguments", nargs="*", help="more arguments of solve, after --")
    asked = parser.parse_args()
    results = []
    for name in asked.types.split(","):
        for backend in asked.backends.split(","):
            result = measured(name, backend, asked.timeout, asked.arguments)
            results.append(result)
            over = result.seconds - asked.timeout
            print(
                f"{name:18} {backend:12} exit {result.code:4} over {over:6.2f} processor {result.processor:6.2f}"
                f" {result.memory:6.0f} MB  {result.said}",
                flush=True,
            )
            if asked.out is not None:
                with asked.out.open("a") as lines:
                    lines.write(json.dumps(asdict(result)) + "\n")
    print(f"\n{'backend':12} {'runs':>5} {'≤ 1 s':>6} {'≤ 2 s':>6} {'worst':>7}  the worst")
    for backend in asked.backends.split(","):
        over = {result.name: result.seconds - asked.timeout for result in results if result.backend == backend}
        worst = max(over, key=lambda name: over[name])
        soon, late = (sum(1 for seconds in over.values() if seconds <= bound) for bound in (1, 2))
        print(f"{backend:12} {len(over):5} {soon:6} {late:6} {over[worst]:7.2f}  {worst}")


if __name__ == "__main__":
    main()
