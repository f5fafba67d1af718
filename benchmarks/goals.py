"""Goals on `auto`, on single backends, and on MiniZinc's Gecode: `python -m benchmarks.goals`.

Each type of `examples/suites/goals` is solved by each in turn, in a process of its own. What is
printed is the best value and the seconds of the processor, start-up included, as other work on the
machine changes the time by the wall. `≥` stands before a value that is not proven.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "examples" / "suites" / "goals"
BACKENDS = ("sat", "cp-sat")
COMMAND = (sys.executable, "-m", "puzzlekit")
LIMIT = 90.0  # seconds by the wall for each


@dataclass(frozen=True)
class Measured:
    """What came of a puzzle: a value, whether it is proven, and the seconds of the processor."""

    value: str
    is_proven: bool
    seconds: float

    def __str__(self) -> str:
        mark = "" if self.is_proven else "not proven "
        return f"{mark}{self.value} · {self.seconds:.1f}"


def run(command: Sequence[str], limit: float) -> tuple[str, float]:
    """Return what a command prints, and its seconds of the processor, with those of children."""
    before = os.times()
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=2 * limit + 30, cwd=ROOT, check=False
    )
    after = os.times()
    seconds = after.children_user + after.children_system
    return done.stdout, seconds - before.children_user - before.children_system


def by_backend(spec: Path, backend: str, limit: float) -> Measured:
    """Solve a spec by a backend, or by `auto`."""
    command = [*COMMAND, "solve", str(spec), "--json", "--backend", backend]
    printed, seconds = run([*command, "--timeout", str(limit)], limit)
    report = json.loads(printed)
    is_proven = report["status"] == "complete"
    if report["goal"] is not None:
        return Measured(str(report["goal"]["value"]), is_proven, seconds)
    return Measured("solved" if report["count"] else "none", is_proven, seconds)


def by_gecode(spec: Path, limit: float) -> Measured | None:
    """Solve the exported model by MiniZinc and Gecode; None if the model is not exported."""
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "model.mzn")
        exported, _ = run([*COMMAND, "export", str(spec), "--format", "mzn"], limit)
        if not exported:
            return None
        model.write_text(exported, encoding="utf-8")
        milliseconds = str(int(1000 * limit))
        options = ("--solver", "gecode", "--time-limit", milliseconds, "--output-objective", "-a")
        printed, seconds = run(["minizinc", *options, str(model)], limit)
    values = re.findall(r"_objective = (-?\d+);", printed)
    is_proven = "==========" in printed or "UNSATISFIABLE" in printed
    solved = "solved" if "----------" in printed else "none"
    return Measured(values[-1] if values else solved, is_proven, seconds)


def main(words: Sequence[str]) -> None:
    """Print a table of all specs, or of those with one of the words in their name."""
    names = (*BACKENDS, "gecode") if shutil.which("minizinc") else BACKENDS
    print("|".join(("", "puzzle", "auto", *names, "")))
    print("|---" * (2 + len(names)) + "|")
    for spec in sorted(FOLDER.glob("*_1.yaml")):
        if words and not any(word in spec.name for word in words):
            continue
        cells: list[object] = [spec.stem.removesuffix("_1"), by_backend(spec, "auto", LIMIT)]
        cells += [by_backend(spec, backend, LIMIT) for backend in BACKENDS]
        if "gecode" in names:
            cells.append(by_gecode(spec, LIMIT) or "not exported")
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
