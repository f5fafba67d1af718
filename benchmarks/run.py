"""Measure named sets on named backends: a table, and with --svg a chart.

    python benchmarks/run.py                        # everything
    python benchmarks/run.py --quick                # the small sizes only
    python benchmarks/run.py slitherlink queens --backends sat,asp --limit 60
    python benchmarks/run.py by_hand                # hand-written encodings; by_hand:queens for one

Each measurement has a process of its own, on one core, so that its memory is its own and its time
can be limited. A backend that does not finish a size is not asked for a larger one of the set.
Times are of this machine, in this run: compare within it. Nothing is asserted here;
docs/measurements.md keeps the numbers, docs/performance.md a summary (--docs writes both).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from public import DATA
from report import COLUMNS, HAND, cells, hand_cells, into_docs, line, summary, svg, written
from sets import ASKS, BY_HAND, SETS, Case, Files, spec

from puzzlekit.backends import BACKENDS, missing_extra

ROOT = Path(__file__).resolve().parents[1]
DISTRIBUTIONS = {  # of the libraries of backends, whose versions are printed
    "exact-cover": "numpy",
    "sat": "python-sat",
    "asp": "clingo",
    "z3": "z3-solver",
    "dlx": "dlx",
    "csp": "python-constraint2",
    "cp-sat": "ortools",
    "xcover": "xcover",
}
GRACE = 60  # seconds beside the limit for loading and warming up
Row = dict[str, Any]


class Bench:
    """Measures cases and keeps their rows."""

    def __init__(self, limit: float, cpu: bool) -> None:
        self.limit = limit
        self.cpu = cpu
        self.rows: list[Row] = []
        self.given_out: set[tuple[str, ...]] = set()

    def case(self, case: Case, backend: str) -> None:
        """One case on one backend, unless that could not do a smaller one."""
        key = (case.set, case.question, backend)
        if key not in self.given_out:
            row = self.measured({**asdict(case), "question": case.question, "backend": backend})
            if row["status"] != "complete":
                self.given_out.add(key)
            print(line(cells(row)), flush=True)

    def by_hand(
        self, name: str, backends: Sequence[str], quick: bool, packages: list[str], warm: str
    ) -> None:
        """One set against its hand-written encodings, with more time."""
        encodings = import_module(f"by_hand.{name}").ENCODINGS
        for file, size in BY_HAND[name][: 1 if quick else None]:
            for encoding, (backend, _) in encodings.items():
                key = (f"by hand: {name}", encoding)
                if backend in backends and key not in self.given_out:
                    what = {"set": name, "size": size, "specs": [spec(name, file)], "warm": warm}
                    what |= {
                        "ask": ASKS.get(name, "all"),
                        "question": "by hand",
                        "then": False,
                        "limit": 1.5 * self.limit,
                    }
                    what |= {
                        "kind": "by hand",
                        "encoding": encoding,
                        "backend": backend,
                        "packages": packages,
                    }
                    row = self.measured(what)
                    row["set"] = key[0]
                    if row["status"] != "complete":
                        self.given_out.add(key)
                    print(line(hand_cells(row)), flush=True)

    def measured(self, case: Row) -> Row:
        """The case's row, measured in another process."""
        case = {"limit": self.limit, **case, "cpu": self.cpu}
        command = [sys.executable, str(ROOT / "benchmarks" / "measure.py"), json.dumps(case)]
        limit = (case["limit"] * max(3, len(case["specs"]) // 10) + GRACE) * (4 if self.cpu else 1)
        row = {key: case[key] for key in ("set", "size", "question", "backend")} | {
            "encoding": case.get("encoding", "")
        }
        try:
            run = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=limit)
            row |= (
                json.loads(run.stdout)
                if run.returncode == 0
                else {"status": f"died: {told(run.stderr)}"}
            )
        except subprocess.TimeoutExpired:
            row["status"] = "stopped"
        row["limit"] = case["limit"]
        self.rows.append(row)
        return row


def told(error: str) -> str:
    """The last line of a traceback."""
    return next((text for text in reversed(error.splitlines()) if text.strip(" ^~")), "")


def installed() -> list[str]:
    """The backends whose library is installed."""
    return [name for name in BACKENDS if missing_extra(name) is None]


def machine() -> str:
    """Where this runs, and with what."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    model = next(
        (text.split(":")[1].strip() for text in lines if text.startswith("model name")),
        platform.processor(),
    )
    libraries = [DISTRIBUTIONS[name] for name in installed() if name in DISTRIBUTIONS]
    versions = ", ".join(f"{name} {metadata.version(name)}" for name in libraries)
    load = f"load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"Measured on {time.strftime('%Y-%m-%d')}: {model}, "
        f"one of {os.cpu_count()} cores ({load} at the start), "
        f"{platform.system()}, Python {platform.python_version()}, {versions}."
    )


def parsed() -> argparse.Namespace:
    """The arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "sets",
        nargs="*",
        metavar="SET",
        help=f"of {', '.join(SETS)}, by_hand or by_hand:SET; default all",
    )
    parser.add_argument(
        "--backends", help="names with commas; default all whose library is installed"
    )
    parser.add_argument(
        "--limit",
        type=float,
        help="seconds for one solution to a question; default 10, with --quick 3",
    )
    parser.add_argument("--quick", action="store_true", help="only the smaller sizes")
    parser.add_argument(
        "--cpu",
        action="store_true",
        help="count seconds of the processor, not of the clock: for a busy machine",
    )
    parser.add_argument(
        "--again",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="measure nothing: write anew what --json has kept",
    )
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public puzzles")
    parser.add_argument(
        "--packages",
        action="append",
        default=[],
        help="a folder with packages to compare with, such as exact-cover",
    )
    parser.add_argument("--json", type=Path, help="write the numbers to this file")
    parser.add_argument("--svg", type=Path, help="write the chart to this file")
    parser.add_argument(
        "--docs",
        action="store_true",
        help="write docs/measurements.md, and the summary and chart of docs/performance.md, anew",
    )
    options = parser.parse_args()
    for name in options.sets:
        if name not in (*SETS, "by_hand", *(f"by_hand:{name}" for name in BY_HAND)):
            parser.error(f"no set is called {name}")
    return options


def main() -> None:
    """Measure, print and write; or write anew what was measured before."""
    options = parsed()
    backends = options.backends.split(",") if options.backends else installed()
    if options.again:
        known = [json.loads(path.read_text(encoding="utf-8")) for path in options.again]
        first = known[0]["where"]
        where = first if len(known) == 1 else first.partition(" The run took")[0]
        rows = [row for one in known for row in one["rows"]]
    else:
        where, rows = run(options, backends)
    report = written(rows, backends, where)
    print("\n" + report.split("## All numbers")[0])
    if options.json:
        options.json.write_text(
            json.dumps({"where": where, "rows": rows}, indent=1, ensure_ascii=False),
            encoding="utf-8",
        )
    if options.svg or options.docs:
        (options.svg or ROOT / "docs" / "performance.svg").write_text(
            svg(rows, backends), encoding="utf-8"
        )
    if options.docs:
        into_docs(report, "\n".join(summary(rows, backends)) + "\n")


def run(options: argparse.Namespace, backends: Sequence[str]) -> tuple[str, list[Row]]:
    """Measure what is asked for; gives where that was, and the rows."""
    names = options.sets or [*SETS, "by_hand"]
    where = machine() + (" Seconds of the processor, not of the clock." if options.cpu else "")
    bench = Bench(options.limit or (3 if options.quick else 10), options.cpu)
    began = time.monotonic()
    print(f"{where}\n\n{line(COLUMNS)}\n{line(['---'] * len(COLUMNS))}")
    with tempfile.TemporaryDirectory() as folder:
        files = Files(options.data, Path(folder))
        for name in (name for name in names if name in SETS):
            cases = SETS[name](files)
            for case in (
                cases[: max(2, len(cases) // 2)] if options.quick and name != "commands" else cases
            ):
                for backend in [""] if name == "commands" else backends:
                    bench.case(case, backend)
        hands = [name for name in BY_HAND if "by_hand" in names or f"by_hand:{name}" in names]
        if hands:
            print(f"\n{line(HAND)}\n{line(['---'] * len(HAND))}")
            for name in hands:
                bench.by_hand(name, backends, options.quick, options.packages, files.small(name))
    return f"{where} The run took {(time.monotonic() - began) / 60:.0f} minutes.", bench.rows


if __name__ == "__main__":
    main()
