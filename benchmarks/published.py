"""Measure published puzzles of the sizes that were promised,
each on `auto` from its spec to the proof of its uniqueness.

    python -m benchmarks.published FOLDER                       # everything, in some minutes
    python -m benchmarks.published FOLDER kakuro nurikabe/50x50 # these rows only
    python -m benchmarks.published FOLDER --plain               # without the packages of extras

FOLDER is the public collection (docs/testing.md). A row takes the boards of its size there and in
specs/, or the closest of the collection if there is none. Each board has a process of its own, in
which the smallest one of the type was solved before.
"""

from __future__ import annotations

import argparse
import gc
import importlib.metadata
import json
import os
import pkgutil
import signal
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from math import log, prod
from pathlib import Path
from typing import Any

os.environ.setdefault(
    "OPENBLAS_NUM_THREADS", "1"
)  # boards are measured in forks: no thread may run before

import puzzlekit
from benchmarks.measure import processor
from puzzlekit.query import Query, Task
from tests.corpus.runner import KINDS, read, spec_of

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = ("ortools", "xcover")  # backends that the default installation lacks
BOUND, LEAST, MOST = 4, 5.0, 90.0  # times of what is wanted, and seconds
UNIQUE = Query(limit=2)


@dataclass(frozen=True)
class Row:
    """Boards of one type and size, and the seconds that are wanted for each."""

    type: str
    size: str
    wanted: float
    specs: tuple[str, ...] = ()  # in specs/, beside the one that is named after its size
    query: Query = UNIQUE
    fields: Mapping[str, Any] | None = (
        None  # the data of the only board, if it is no puzzle of the collection
    )


@dataclass(frozen=True)
class Board:
    """A spec, as a path or as fields."""

    name: str
    spec: Path | Mapping[str, Any]


EMPTY = {"givens": ["." * 9] * 9}
LATTICE = {"board": [".........", ".#.#.#.#."] * 4 + ["........."], "words": "english"}
ROWS = (
    Row("hidato", "10x10", 0.5),
    Row("doppelblock", "7x7", 0.5),
    Row("doppelblock", "8x8", 2),
    Row("nanro", "14x14", 1),
    Row("cave", "15x15", 1),
    Row("cave", "18x18", 5),
    Row("cave", "25x25", 30),
    Row("dominosa", "31x32", 0.8),
    Row("nurikabe", "15x15", 2, ("medium", "large")),
    Row("nurikabe", "31x45", 8, ("giant",)),
    Row("nurikabe", "50x50", 30),
    Row("numberlink", "15x15", 1),
    Row("numberlink", "20x20", 5, ("24x30",)),
    Row("numberlink", "35x48", 60),
    Row("fillomino", "10x10", 1),
    Row("fillomino", "17x17", 5),
    Row("spiral_galaxies", "20x36", 2),
    Row("lits", "17x22", 1),
    Row("lits", "31x45", 5),
    Row("kakuro", "31x46", 0.1),
    Row("nonogram", "50x50", 0.3),
    Row("masyu", "20x36", 0.15),
    Row("masyu", "40x58", 1),
    Row("heyawake", "20x36", 0.1),
    Row("hitori", "25x25", 0.03, ("giant",)),
    Row("star_battle", "14x14", 0.015),
    Row("crossword", "9x9", 1, query=Query(limit=2, ordered=False), fields=LATTICE),
    Row("sudoku", "empty", 1, query=Query(Task.SAMPLE, 1, seed=1), fields=EMPTY),
    Row("pentominoes", "6x10", 5, query=Query(Task.COUNT)),
)


def boards(row: Row, folder: Path) -> Iterator[Board]:
    """The boards of a row: specs, puzzles of the collection,
    the closest of these if there is neither.
    """
    if row.fields is not None:
        yield Board("made here", row.fields)
        return
    paths = [
        path
        for name in (row.size, *row.specs)
        if (path := ROOT / "specs" / row.type / f"{name}.yaml").exists()
    ]
    yield from (Board(f"specs/{row.type}/{path.name}", path) for path in paths)
    entries = [
        entry
        for kind in KINDS
        if KINDS[kind][0].type == row.type
        for entry in read(folder / f"{kind}.json")[1]
    ]
    far = {entry: abs(log(_cells(entry.name) / _cells(f"_{row.size}"))) for entry in entries}
    nearest = 0.0 if paths else min(far.values(), default=0.0)
    yield from (Board(entry.name, spec_of(entry)) for entry in entries if far[entry] == nearest)


def import_all() -> None:
    """Import the package with its backends once, not in each process."""
    for module in pkgutil.walk_packages(puzzlekit.__path__, "puzzlekit."):
        if not module.name.startswith(("puzzlekit.__main__", "puzzlekit.cli")):
            with suppress(ImportError):  # the library of a backend that is not installed
                importlib.import_module(module.name)


def _cells(name: str) -> int:
    return prod(map(int, name.rsplit("_", 1)[1].split("x")))


def measured(row: Row, board: Board) -> dict[str, Any]:
    """Seconds and status of a board, in a process of its own."""
    sys.stdout.flush()
    bound = min(MOST, max(LEAST, BOUND * row.wanted))
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.setsid()  # what it starts ends with it
        signal.alarm(round(bound) + 60)
        try:
            os.write(writing, json.dumps(_solved(row, board, bound)).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as file:
        written = file.read()
    os.waitpid(child, 0)
    return (
        json.loads(written)
        if written
        else {"clock": bound, "processor": bound, "status": "the process died"}
    )


def _solved(row: Row, board: Board, bound: float) -> dict[str, Any]:
    """Solve the smallest spec of the type, then measure this board."""
    small = min((ROOT / "specs" / row.type).glob("*.yaml"), key=lambda path: path.stat().st_size)
    list(puzzlekit.load(row.type, small).solve(limit=2, timeout=bound))
    gc.collect()
    gc.freeze()
    clock, used = time.perf_counter(), processor()
    try:
        run = puzzlekit.load(row.type, board.spec, timeout=bound).run(row.query, timeout=bound)
        found = sum(1 for _ in run)
        run.raise_reason()
        one = "unique" if found == 1 else f"{found} solutions"
        status = {Task.COUNT: f"{run.count:,}", Task.SAMPLE: "sampled"}.get(row.query.task, one)
    except puzzlekit.PuzzlekitError as reason:
        status = str(reason).split("\n")[0]
    return {"clock": time.perf_counter() - clock, "processor": processor() - used, "status": status}


def least(row: Row, board: Board, runs: int) -> dict[str, Any]:
    """The fastest of several runs; what takes longer than a second runs once."""
    found = [measured(row, board)]
    while len(found) < runs and found[-1]["clock"] < 1:
        found.append(measured(row, board))
    return min(found, key=lambda run: float(run["clock"]))


def hide(packages: tuple[str, ...]) -> None:
    """Make packages look as if they were not installed."""
    installed = importlib.metadata.distribution

    def distribution(name: str) -> importlib.metadata.Distribution:
        if name in packages:
            raise importlib.metadata.PackageNotFoundError(name)
        return installed(name)

    importlib.metadata.distribution = distribution
    sys.modules.update(dict.fromkeys(packages))  # type: ignore[arg-type]  # None: cannot be imported


def main() -> None:
    """Print a line for each board of the rows that are named."""
    names = {row.type: None for row in ROWS} | {f"{row.type}/{row.size}": None for row in ROWS}
    parser = argparse.ArgumentParser(
        "python -m benchmarks.published", description="Measure the speed at published sizes."
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path, help="the public collection")
    parser.add_argument(
        "rows", metavar="ROW", nargs="*", help="a type, or a type and a size: nurikabe/50x50"
    )
    parser.add_argument(
        "--plain", action="store_true", help=f"hide what extras install: {', '.join(EXTRAS)}"
    )
    parser.add_argument(
        "--runs",
        type=int,
        default=3,
        metavar="N",
        help="runs of what is short; the least counts (3)",
    )
    options = parser.parse_intermixed_args()
    if not any(options.folder.glob("*.json")):
        parser.error(f"{options.folder} has no JSON files")
    if unknown := [name for name in options.rows if name not in names]:
        parser.error(f"there is no row {unknown[0]}; the rows are {', '.join(names)}")
    if options.plain:
        hide(EXTRAS)
    import_all()
    print("| kind | board | wanted | clock | processor | status |\n|---|---|---:|---:|---:|---|")
    for row in ROWS:
        if not options.rows or {row.type, f"{row.type}/{row.size}"} & {*options.rows}:
            for board in boards(row, options.folder):
                found = least(row, board, options.runs)
                seconds = f"{row.wanted:g} | {found['clock']:.3f} | {found['processor']:.3f}"
                print(
                    f"| {row.type} {row.size} | {board.name} | {seconds} | {found['status']} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
