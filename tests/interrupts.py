"""Random interrupts of all commands and backends: `python -m tests.interrupts --runs 500 --jobs 2`.
`--commands 30` interrupts each of twelve long commands so often, and prints the slowest of each:
by the wall, and, with `--jobs 1`, by the processor, which other work on the machine does not slow.

Each run starts a command, sends Ctrl-C at a random moment, to the first process alone or to the
whole group as a terminal does, sometimes twice. It must end soon, with exit code 130 and nothing on
standard error but `interrupted`, leave no process behind, and print whole JSON or none. If it had
ended before, it must have its usual code and output. Interrupts that fall into the start of Python
itself, before any line of puzzlekit is run, are counted apart.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from puzzlekit.backends import BACKENDS

ROOT = Path(__file__).resolve().parents[1]
COMMAND = (sys.executable, "-m", "puzzlekit")
MILLIONS, QUEENS, WAFFLE = (
    "specs/unwordle/millions.yaml",
    "specs/queens/n8.yaml",
    "specs/waffle/first.yaml",
)
SMALL, TILES, SUDOKU = (
    "specs/slitherlink/small.yaml",
    "specs/pentominoes/6x10.yaml",
    "specs/sudoku/first.yaml",
)
CASES: list[tuple[str, ...]] = [
    *(("solve", MILLIONS, "--all", "--rank", "none", "--backend", name) for name in BACKENDS),
    *(
        ("solve", MILLIONS, "--all", "--rank", "none", "--json", "--backend", name)
        for name in BACKENDS
    ),
    *(("solve", TILES, "--count", "--backend", name) for name in BACKENDS),
    *(("solve", SMALL, "--limit", "2", "--backend", name) for name in BACKENDS),
    *(("solve", WAFFLE, "--backend", name) for name in BACKENDS),
    *(("solve", QUEENS, "--backbone", "--backend", name) for name in BACKENDS),
    ("solve", MILLIONS, "--sample", "50"),
    ("solve", MILLIONS, "--rank", "common", "--all"),
    ("solve", SUDOKU, "--html", "{folder}/page.html", "--svg", "{folder}/picture.svg"),
    ("solve", QUEENS, "--all", "--html", "{folder}/page.html"),
    ("solve", QUEENS, "--all", "--memory", "2G"),
    ("solve", "-"),
    ("compare", QUEENS, "--all"),
    ("compare", TILES, "--count", "--json"),
    ("check", SUDOKU, WAFFLE, QUEENS, SMALL, "puzzles/sudoku.yaml"),
    ("generate", "waffle", "--count", "1000", "--seed", "1"),
    ("generate", "waffle", "--count", "1000", "--seed", "1", "--out", "{folder}"),
    ("words", "english"),
    ("words",),
    ("list",),
    ("show", "waffle"),
    ("--help",),
]
# Twelve commands that take seconds
SPECS = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("specs/[a-c]*/*.yaml"))
HARD, NURIKABE, KILLER = (
    "specs/sudoku/easter_monster.yaml",
    "specs/nurikabe/large.yaml",
    "specs/killer/hardest.yaml",
)
MANY = ("slant,masyu,suguru", "--size", "6", "--count", "200", "--seed", "1", "--out")
COMMANDS: dict[str, tuple[str, ...]] = {
    "solve": ("solve", TILES, "--all", "--backend", "sat", "--svg", "{folder}/tiles.svg"),
    "solve, goal": ("solve", "examples/suites/goals/peaceable_queens.yaml", "--set", "size=8"),
    "solve, sample": ("solve", MILLIONS, "--sample", "200000", "--json"),
    "compare": ("compare", TILES, "--all", "--json"),
    "generate": ("generate", *MANY, "{folder}/made"),
    "generate, rows": ("generate", *MANY, "{folder}/rows.jsonl"),
    "hint": ("hint", "specs/nurikabe/giant.yaml"),
    "explain": ("explain", NURIKABE),
    "conflict": ("conflict", "queens", "--set", "size=10"),
    "rate": ("rate", KILLER, HARD, NURIKABE),
    "check": ("check", *SPECS),
    "batch": ("batch", *SPECS, "--out", "{folder}/results.jsonl"),
}
OURS = re.compile(
    r'/puzzlekit/cli/__init__\.py", line \d+, in main|/puzzlekit/(?!cli/__init__|__init__|__main__)'
)
SAID = re.compile(
    r"(interrupted|seed \d+|the default ranking is dropped: "
    r".*|too many fills to list.*|\d+ kept.*|interrupted: \d+ of \d+ puzzles done"
    r"|     = start the same command again to go on from here)?"
)
# seconds from the interrupt to the end: after 3 the supervisor ends what has not ended,
# and the machine may be busy
SLOWEST = 6.0
LATE = 0.5  # seconds that a command may take to stop
LONG_RUN = 10.0  # seconds after which a command is not waited for


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
    took: float = 0.0  # seconds from the first interrupt
    busy: float = 0.0  # seconds of the processor from it, if nothing else was run
    left: tuple[int, ...] = ()  # processes that it left behind
    broken: str = ""  # a file that is half written


def run(
    case: Sequence[str], moment: float | None, group: bool = False, again: float | None = None
) -> Ended:
    """Run a command, and interrupt it after so many seconds, and `again` so many later."""
    before = _waited_seconds()
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [*COMMAND, *(part.format(folder=folder) for part in case)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            start_new_session=True,
            preexec_fn=lambda: signal.signal(
                signal.SIGINT, signal.SIG_DFL
            ),  # a job in the background is deaf to it
        )
        with ThreadPoolExecutor(1) as reader:
            ended = reader.submit(_read, process)
            sent = time.monotonic() + (moment or 0.0)
            worked = 0.0
            for wait in (moment, again):
                if wait is not None:
                    time.sleep(wait)
                    worked = worked or _processor_seconds(process.pid)
                    try:
                        (os.killpg if group else os.kill)(process.pid, signal.SIGINT)
                    except ProcessLookupError:
                        break
            out, err, at = ended.result()
        left = _left(process.pid)
        broken = _half_written(Path(folder))
        busy = _waited_seconds() - before - worked
        return Ended(process.returncode, out.decode(), err.decode(), at - sent, busy, left, broken)


def _waited_seconds() -> float:
    """Seconds of the processor of all processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _processor_seconds(process: int) -> float:
    """Seconds of the processor of a process and its descendants so far, with those that ended."""
    ticks: dict[int, int] = {}
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            children.setdefault(int(fields[1]), []).append(int(folder.name))
            ticks[int(folder.name)] = sum(map(int, fields[11:15]))
    tree = [process]
    for member in tree:
        tree += children.get(member, [])
    return sum(ticks.get(member, 0) for member in tree) / os.sysconf("SC_CLK_TCK")


def _half_written(folder: Path) -> str:
    """The first file in a folder that is not complete."""
    for path in sorted(folder.rglob("*")):
        if path.is_dir():
            continue
        text = path.read_text(encoding="utf-8")
        if path.name.startswith(".") or not _is_complete(path.suffix, text):
            return path.name
    return ""


def _is_complete(suffix: str, text: str) -> bool:
    match suffix:
        case ".jsonl":
            return all(line.endswith("\n") and _is_json(line) for line in text.splitlines(True))
        case ".yaml":
            return text.endswith("\n") and "\nexpect:\n" in text
        case ".svg":
            return text.rstrip().endswith("</svg>")
        case _:
            return bool(text)


def _read(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes, float]:
    stdin, process.stdin = process.stdin, None  # it stays open: `solve -` waits for its spec
    assert stdin is not None
    try:
        out, err = process.communicate(timeout=60)
        return out, err, time.monotonic()
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        return out, err + b"\nnever ended", time.monotonic()
    finally:
        stdin.close()


def _left(session: int, patience: float = 3.0) -> tuple[int, ...]:
    """The processes of a session that are still there after a moment."""
    until = time.monotonic() + patience
    while (found := _of_session(session)) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def _of_session(session: int) -> tuple[int, ...]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(folder.name))
    return tuple(found)


@cache
def usual(case: tuple[str, ...]) -> Ended | None:
    """How the command ends when nobody interrupts it;
    None for one that takes longer than ten seconds.
    """
    ended = run(case, LONG_RUN)
    return None if ended.code == 130 else ended


def verdict(case: tuple[str, ...], ended: Ended) -> str:
    """What is to be said of an interrupted run: `130`, `had ended`, `start of Python`,
    or what is wrong.
    """
    if ended.broken:
        return f"{ended.broken} is half written"
    if ended.left:
        return f"left {len(ended.left)} processes behind"
    if "never ended" in ended.err:
        return "did not end"
    if ended.code == 130:
        if not all(SAID.fullmatch(line) for line in ended.err.splitlines()):
            return "130, but not quiet"
        if "--json" in case and ended.out and not _is_json(ended.out):
            return "130, but half of a JSON object"
        return "130" if ended.took < SLOWEST else "130, but late"
    if ended.code in (-signal.SIGINT, 1) and not ended.out and _before_main(ended.err):
        return "start of Python"
    known = usual(case)
    if (
        known is not None
        and ended.code == known.code
        and _plain(ended.out, case) == _plain(known.out, case)
    ):
        return "had ended"
    return f"exit {ended.code}"


def _before_main(err: str) -> bool:
    """Whether a traceback, or nothing at all, comes from before the first line of
    `puzzlekit.cli.main`.
    """
    return "interrupted" not in err and not OURS.search(err)


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def _plain(text: str, case: tuple[str, ...]) -> str:
    """The output without what differs between two runs: times, and what is drawn at random."""
    return (
        ""
        if "--sample" in case or "compare" in case
        else re.sub(r"\d+\.\d+", "", re.sub(r'"?/tmp/\S+', "", text))
    )


def attempt(
    number: int, seed: int, cases: Sequence[tuple[str, ...]] = CASES, longest: float = 5.0
) -> tuple[str, str]:
    """One random interrupt: the verdict, and a line that tells which it was."""
    random = Random(f"{seed}-{number}")
    case = random.choice(cases)
    early = random.random() < 0.4
    moment = random.uniform(0.0, 0.4 if early else longest)
    group, again = (
        random.random() < 0.5,
        random.uniform(0.0, 1.0) if random.random() < 0.3 else None,
    )
    ended = run(case, moment, group, again)
    said = verdict(case, ended)
    more = ""
    if said not in ("130", "had ended"):
        more = (
            f"\n    exit {ended.code}, {ended.took:.2f} s; {ended.err[-1500:]!r}; "
            f"{ended.out[-200:]!r}"
        )
    twice = "" if again is None else f", again after {again:.2f} s"
    return (
        said,
        (
            f"{number:4} {said}: {' '.join(case)}: after {moment:.2f} s, "
            f"{'group' if group else 'one'}{twice}{more}"
        ),
    )


def struck(name: str, number: int, longest: float = 6.0) -> tuple[str, Ended, str]:
    """Interrupt one of the twelve commands: the verdict, how it ended, and a line."""
    case = COMMANDS[name]
    random = Random(f"{name}-{number}")
    uninterrupted = usual(case)
    if uninterrupted is not None:
        longest = min(longest, LONG_RUN + uninterrupted.took)
    moment = random.uniform(0.1, longest)
    ended = run(case, moment, group=random.random() < 0.5)
    said = verdict(case, ended)
    more = "" if said in ("130", "had ended") else f": exit {ended.code} {ended.err[-600:]!r}"
    return said, ended, f"{name} {number}: {said}, after {moment:.2f} s{more}"


def strike_all(number: int, jobs: int) -> None:
    """Interrupt each of the twelve commands so often, and print what came of it."""
    with ThreadPoolExecutor(jobs) as pool:
        for name in COMMANDS:
            tried = list(pool.map(lambda index, name=name: struck(name, index), range(number)))
            counts = Counter(said for said, _, _ in tried)
            stopped = [ended for said, ended, _ in tried if said == "130"]
            wall = [ended.took for ended in stopped]
            busy = [ended.busy for ended in stopped]
            print(
                f"{name:15} {dict(counts)}; by the wall {_spread(wall)};"
                f" by the processor {_spread(busy)}",
                flush=True,
            )
            for said, ended, line in tried:
                if said not in ("130", "had ended", "start of Python") or ended.busy > LATE:
                    print(
                        f"    {line}, took {ended.took:.2f} s, {ended.busy:.2f} s of the processor"
                    )


def _spread(seconds: Sequence[float]) -> str:
    """The median, the longest, and how many are late."""
    ordered = sorted(seconds) or [0.0]
    late = sum(second > LATE for second in ordered)
    middle = ordered[len(ordered) // 2]
    return f"median {middle:.2f} s, longest {ordered[-1]:.2f} s, {late} late"


def main() -> None:
    """Try many and count."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--crashes",
        action="store_true",
        help="only: list millions of solutions by cp-sat, stop after 3 to 5 s",
    )
    parser.add_argument("--commands", type=int, metavar="N", help="N of each long command")
    options = parser.parse_args()
    if options.commands:
        strike_all(options.commands, options.jobs)
        return
    os.nice(5)
    cases: Sequence[tuple[str, ...]] = CASES
    if options.crashes:
        cases = [("solve", MILLIONS, "--all", "--backend", "cp-sat")]
    counts: Counter[str] = Counter()
    with ThreadPoolExecutor(options.jobs) as pool:
        numbers = range(options.first, options.first + options.runs)
        tried = pool.map(
            lambda number: (
                _crash(number) if options.crashes else attempt(number, options.seed, cases)
            ),
            numbers,
        )
        for said, line in tried:
            counts[said] += 1
            print(line, flush=True)
    print(
        ", ".join(f"{said}: {count}" for said, count in counts.most_common()),
        f"({counts.total()} in all)",
    )
    sys.exit(0 if set(counts) <= {"130", "had ended", "start of Python"} else 1)


def _crash(number: int) -> tuple[str, str]:
    case = ("solve", MILLIONS, "--all", "--backend", "cp-sat")
    ended = run(case, Random(number).uniform(3.0, 5.0))
    said = verdict(case, ended)
    return (
        said,
        (
            f"{number:4} {said}: exit {ended.code}, {ended.took:.2f} s; "
            f"{ended.err[-500:]!r} {ended.out[-80:]!r}"
        ),
    )


if __name__ == "__main__":
    main()
