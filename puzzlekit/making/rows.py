"""Puzzles by the thousand: a line of JSON for each, made by several processes, and gone on with
where it was ended.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from queue import Queue
from types import SimpleNamespace
from typing import Any

from puzzlekit.api import Puzzle
from puzzlekit.api.pictures import puzzle_parts
from puzzlekit.boards import Cell, Grid
from puzzlekit.errors import InputError
from puzzlekit.lang import read_type
from puzzlekit.links import addresses
from puzzlekit.making.by_rules import RATED, RuleGenerator, GeneratedPuzzle, levels
from puzzlekit.making.fields import FieldCell, base_of
from puzzlekit.making.generators import Tools
from puzzlekit.making.quality import quality
from puzzlekit.processes.worker_process import Worker, WorkerCrashed
from puzzlekit.render.layout import plain_text, text_lines

Row = dict[str, Any]


@dataclass(frozen=True)
class Order:
    """What the rows of one type have in common.

    Attributes:
        type: The file of the type.
        base: The text of a spec with the fields that all puzzles have.
        options: The options of the command, which say how the puzzles are made.
        seed: The seed.
        source: The command that makes them.
    """

    type: str
    base: str
    options: tuple[tuple[str, Any], ...]
    seed: int
    source: str


@dataclass
class RowCounts:
    """What became of the rows of a file: those that it had, that were added, that were duplicates,
    that were not found.
    """

    before: int = 0
    added: int = 0
    duplicates: int = 0
    not_found: int = 0


def write_rows(file: Path, orders: Sequence[Order], count: int, workers: int) -> RowCounts:
    """Add rows to a file until it has one for each number of each order, without duplicates.

    A row follows from its type, options, seed and number alone, but for a rating that took too
    long. A line that is not whole is cut off.

    Raises:
        InputError: The file cannot be read or written, or is none of rows.
    """
    written = RowCounts()
    known, hashes = _read(file)
    written.before = len(known)
    jobs = (
        (order, n)
        for n in range(1, count + 1)
        for order in orders
        if (order.source, n) not in known
    )
    left = enumerate(jobs)
    found: Queue[tuple[int, Row] | BaseException | None] = Queue()
    waiting: dict[
        int, Row
    ] = {}  # so that they are written in order, and the first of duplicates stays
    lock, ended = threading.Lock(), threading.Event()
    pool = [Worker(fresh=True) for _ in range(workers)]
    threads = [
        threading.Thread(target=_ask, args=(worker, left, lock, ended, found), daemon=True)
        for worker in pool
    ]
    for thread in threads:
        thread.start()
    try:
        with file.open("ab") as out:
            running, following = len(threads), 0
            while running:
                item = found.get()
                if item is None:
                    running -= 1
                    continue
                if isinstance(item, BaseException):
                    raise item
                waiting[item[0]] = item[1]
                while (row := waiting.pop(following, None)) is not None:
                    following += 1
                    if "error" in row:
                        raise InputError(row["error"], help=row["help"])
                    if "spec" not in row:
                        written.not_found += 1
                    elif row["hash"] in hashes:
                        written.duplicates += 1
                    else:
                        hashes.add(row["hash"])
                        out.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
                        out.flush()
                        written.added += 1
    except OSError as error:
        raise InputError(f"{file}: cannot write the rows: {error.strerror or error}") from None
    finally:
        ended.set()
        for worker in pool:
            worker.end()
    return written


def _read(file: Path) -> tuple[set[tuple[str, int]], set[str]]:
    """Return which rows a file has, by the command that makes them and their number, and the
    hashes.

    Cuts off a line that is not whole.
    """
    known, hashes = set[tuple[str, int]](), set[str]()
    if not file.exists():
        return known, hashes
    try:
        content = file.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.truncate(file, len(whole))
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                row = json.loads(line)
                known.add((row["source"], row["number"]))
                hashes.add(row["hash"])
            except (ValueError, KeyError, TypeError):
                raise InputError(f"{file}:{number}: this is no row of puzzlekit generate") from None
    except OSError as error:
        raise InputError(f"{file}: cannot read the rows: {error.strerror or error}") from None
    return known, hashes


def _ask(
    worker: Worker,
    left: Iterator[tuple[int, tuple[Order, int]]],
    lock: threading.Lock,
    ended: threading.Event,
    found: Queue[tuple[int, Row] | BaseException | None],
) -> None:
    """Ask a worker for one row after the other. Without any left, put None."""
    try:
        while not ended.is_set():
            with lock:
                job = next(left, None)
            if job is None:
                break
            worker.ask(_row, job[1])
            found.put((job[0], worker.only_item()))
    except Exception as error:  # also of a worker that is ended meanwhile
        if not ended.is_set():
            found.put(
                InputError(f"a worker {error}")
                if isinstance(error, WorkerCrashed | OSError)
                else error
            )
    finally:
        found.put(None)


# In a worker's process ----------------------------------------------------------------------------

_begun: dict[Order, RuleGenerator] = {}


def _row(order: Order, number: int) -> Iterator[Row]:
    """Yield the row of a number; one without a spec if no puzzle was found, one with the error if
    the type cannot make any.
    """
    try:
        if order not in _begun:
            _begun[order] = _begin(order)
        made = _begun[order]
        found = made.generated(number)
        yield {} if found is None else row_of(made, found, order.seed, number)
    except InputError as error:
        yield {"error": str(error), "help": error.help}


def _begin(order: Order) -> RuleGenerator:
    options = SimpleNamespace(**dict(order.options))
    options.level = levels(options.level) if options.level else None
    base = base_of(read_type(Path(order.type)), order.base, bool(options.like))
    made = RuleGenerator(base)
    made.begin(options, Tools(base.type, order.seed, lambda message: None))
    return made


def row_of(made: RuleGenerator, found: GeneratedPuzzle, seed: int, number: int) -> Row:
    """Return all that is known of a puzzle, as plain data."""
    text = made.spec(found, number)
    puzzle = made.tools.puzzle(text)
    rating = found.rating or made.rated(found)
    return {
        "type": puzzle.type.name,
        "source": made.source,
        "seed": seed,
        "number": number,
        "spec": text,
        "rules": puzzle.type.about,
        "board": plain_text(text_lines(puzzle_parts(puzzle.instance))),
        "solution": found.solution.json(),
        "level": rating.level,
        "score": rating.score if rating.solved else None,
        "tier": rating.tier if rating.solved else None,
        "clues": len(found.clues),
        "quality": quality(puzzle, RATED),
        "links": dict(addresses(puzzle.instance)),
        "hash": symmetric_hash(puzzle, found.clues),
    }


def symmetric_hash(puzzle: Puzzle, clues: Mapping[FieldCell, Any]) -> str:
    """Return a hash that is the same for boards that are turned or mirrored images of each other."""
    boards = {
        name: value for name, value in puzzle.instance.data.items() if isinstance(value, Grid)
    }
    others = sorted(
        (name, str(value)) for name, value in puzzle.instance.data.items() if name not in boards
    )
    listed = any(
        not isinstance(key, Cell) for _, key in clues
    )  # clues outside: images are not compared
    height = max((board.height for board in boards.values()), default=0)
    width = max((board.width for board in boards.values()), default=0)
    images = []
    for image in range(1 if listed else 8):
        cells = []
        for name, board in boards.items():
            for (row, column), value in board.values.items():
                down, right = (
                    (height + 1 - row if image & 1 else row),
                    (width + 1 - column if image & 2 else column),
                )
                cells.append((name, *((right, down) if image & 4 else (down, right)), str(value)))
        images.append(sorted(cells))
    return hashlib.sha256(repr((puzzle.type.name, others, min(images))).encode()).hexdigest()[:24]
