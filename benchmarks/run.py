"""Measure what the project promises, each as the median of several runs, and print a table in Markdown.

    python benchmarks/run.py [--data DIR] [--runs N]

Times are of this machine, in this run; compare within a run. Nothing here is asserted: docs/performance.md keeps the numbers.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from public import DATA, Case, ciphers, letter_covers, unwordles, waffles

from puzzlekit.api import Request, load
from puzzlekit.lang import bind, read_spec, type_of_text

ROOT = Path(__file__).resolve().parents[1]

THREE_CONDITIONS = """
puzzle: three_conditions
variables:
  on[c]: bool for c in b.cells
let:
  b: board(20, 20)
rules:
  few around: sum(on[n] for n in b.around(c)) <= 3 for c in b.cells
  never alone: implies(on[c], any(on[n] for n in b.around(c))) for c in b.cells
  no full square: not all(on[n] for n in w) for w in b.windows(2, 2)
  some beside: at_least(1, [on[n] for n in b.neighbours(c)]) for c in b.cells
"""


def timed(work: Callable[[], object], runs: int) -> list[float]:
    """The seconds that each of several runs takes, after one that is not counted."""
    work()
    seconds = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - began)
    return seconds


class Bench:
    """Rows of the table."""

    def __init__(self, runs: int, folder: Path) -> None:
        self.runs = runs
        self.folder = folder

    def row(self, what: str, seconds: list[float], note: str = "") -> None:
        """Print the median and the extremes."""
        low, middle, high = min(seconds), statistics.median(seconds), max(seconds)
        print(f"| {what} | {middle:.3f} | {low:.3f} | {high:.3f} | {note} |", flush=True)

    def spec(self, case: Case) -> Path:
        """The case's spec as a file."""
        path = self.folder / "spec.yaml"
        path.write_text(case.spec, encoding="utf-8")
        return path

    def puzzle(self, case: Case, request: Request) -> Callable[[], object]:
        """Everything from reading the spec to the last answer, and what follows from it."""
        path = self.spec(case)
        return lambda: [answer.json() for answer in load(None, path).run(request)]

    def set_of(self, what: str, cases: list[Case], request: Request) -> None:
        """One row for a set: each case's median."""
        medians = [statistics.median(timed(self.puzzle(case, request), 3)) for case in cases]
        self.row(what, medians, f"{len(cases)} boards, each the median of 3")

    def command(self, what: str, *arguments: str) -> None:
        """A whole process."""
        command = [str(Path(sys.executable).parent / "puzzlekit"), *arguments]
        run = lambda: subprocess.run(command, capture_output=True, check=True, cwd=ROOT)  # noqa: E731
        self.row(what, timed(run, self.runs), "whole process")


def machine() -> str:
    """A line on where this runs."""
    model = next(
        (line.split(":")[1].strip() for line in _lines("/proc/cpuinfo") if line.startswith("model name")), platform.processor()
    )
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _lines(path: str) -> list[str]:
    return Path(path).read_text().splitlines() if Path(path).exists() else []


def main() -> None:
    """Run all that can be run here."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public puzzles")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    print(f"{machine()}\n\n| what | median s | least | most | |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.runs, Path(folder))
        if options.data.exists():
            public(bench, options.data)
        else:
            print(f"(the public puzzles are not at {options.data})", file=sys.stderr)
        rules(bench)
        bench.command("puzzlekit --help", "--help")
        bench.command("puzzlekit solve, a 5×5 Waffle, warm lexicon", "solve", "waffle", "specs/waffle/first.yaml")


def public(bench: Bench, data: Path) -> None:
    """The public sets."""
    boards = list(waffles(data))
    for backend in ("exact-cover", "z3"):
        request = Request(backend, everything=True)
        small = [case for case in boards if len(case.known["letters"]) == 5]
        bench.set_of(f"Waffle 5×5, spec to last swap, {backend}", small, request)
        large = [case for case in boards if len(case.known["letters"]) == 7]
        bench.set_of(f"Waffle 7×7, spec to last swap, {backend}", large, request)
    slot_machine = next(iter(ciphers(data)))
    for backend, runs in (("exact-cover", bench.runs), ("dlx", 1), ("z3", 1)):
        seconds = timed(bench.puzzle(slot_machine, Request(backend, everything=True)), runs)
        bench.row(f"cipher, both answers, {backend}", seconds)
    bench.set_of("Unwordle, the count", list(unwordles(data)), Request(counting=True))
    for case in letter_covers(data):
        if case.known["rows"] * case.known["columns"] in (36, 49, 56) or case.known["answers"] in (439, 20097):
            size = f"{case.known['rows']}×{case.known['columns']}"
            count = timed(bench.puzzle(case, Request(counting=True)), 1)
            bench.row(f"Sanalouhos {size}, {case.known['answers']:,} covers: count", count)
            least = timed(bench.puzzle(case, Request(goal="least_words")), 1)
            bench.row(f"Sanalouhos {size}, {case.known['answers']:,} covers: fewest words, proven", least)


def rules(bench: Bench) -> None:
    """Running the rules of a 20×20 board with three conditions a cell."""
    kind = type_of_text("three_conditions.yaml", THREE_CONDITIONS)
    bench.row("rules of a 20×20 board, three conditions a cell", timed(lambda: bind(kind, read_spec("spec", "{}")), bench.runs))


if __name__ == "__main__":
    main()
