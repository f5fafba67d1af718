"""Puzzles by the thousand: a line of JSON for each, made by several processes, and gone on with
where it was ended.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from queue import Queue
from types import SimpleNamespace
from typing import Any, BinaryIO

from puzzlekit.api import Puzzle, puzzle_parts
from puzzlekit.boards import Cell, Grid
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, option, options_of_shell
from puzzlekit.lang import read_type
from puzzlekit.links import addresses
from puzzlekit.making.by_rules import GeneratedPuzzle, PuzzleNumber, RuleGenerator
from puzzlekit.making.climbs import RATED
from puzzlekit.making.clue_numbers import clue_numbers
from puzzlekit.making.fields import FieldCell, base_of
from puzzlekit.making.generators import Tools
from puzzlekit.making.leveller import levels
from puzzlekit.making.quality import quality
from puzzlekit.making.required_patterns import required_patterns
from puzzlekit.processes import Worker, WorkerCrashed, lock_file
from puzzlekit.reading import assigned_settings
from puzzlekit.render import plain_text, text_lines

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
    """What became of the rows of a file.

    Attributes:
        before: The rows that it had.
        added: Those that were added.
        duplicates: Those that were not added, since they are images of others.
        not_found: Those for which no puzzle was found, by type.
    """

    before: int = 0
    added: int = 0
    duplicates: int = 0
    not_found: Counter[str] = field(default_factory=Counter)


Job = tuple[int, tuple[Order, int]]  # its position among all, and the order and number of a row
Report = tuple[int, Row] | BaseException | None  # the row of a job; None for a worker that ended


def write_rows(file: Path, orders: Sequence[Order], count: int, workers: int) -> RowCounts:
    """Add rows to a file until it has one for each number of each order, without duplicates.

    A row follows from its type, options, seed and number alone, but for a rating that took too
    long. An incomplete last line is cut off.

    Raises:
        InputError: The file cannot be read or written, another process writes to it, or it is none
            of rows.
    """
    try:
        with file.open("ab") as out:
            if not lock_file(out.fileno()):
                raise InputError(f"{option('out')} {file}: another generate writes to this file")
            return _write_missing(file, out, _Request(orders, count, workers))
    except OSError as error:
        raise InputError(f"{file}: cannot write the rows: {error.strerror or error}") from None


@dataclass(frozen=True)
class _Request:
    orders: Sequence[Order]
    count: int
    workers: int


def _write_missing(file: Path, out: BinaryIO, request: _Request) -> RowCounts:
    """Add the rows that an open file does not have."""
    written, hashes = _read(file)
    counts = RowCounts(before=len(written))
    missing = []
    for number in range(1, request.count + 1):
        remaining = [order for order in request.orders if (order.source, number) not in written]
        missing += [(order, number) for order in remaining]
    pool = _Pool(missing, request.workers)
    try:
        for row in pool.rows():
            _write(row, out, hashes, counts)
    finally:
        pool.end()
    return counts


def _write(row: Row, out: BinaryIO, hashes: set[str], counts: RowCounts) -> None:
    """Write a row, unless it has no puzzle or is a duplicate; count it. Raises InputError."""
    if "error" in row:
        raise InputError(row["error"], help=row["help"])
    if "spec" not in row:
        counts.not_found[row["type"]] += 1
    elif row["hash"] in hashes:
        counts.duplicates += 1
    else:
        hashes.add(row["hash"])
        out.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
        out.flush()
        counts.added += 1


def _read(file: Path) -> tuple[set[tuple[str, int]], set[str]]:
    """Return which rows a file has, by the command that makes them and their number, and the
    hashes.

    Cuts off an incomplete last line.
    """
    written = set[tuple[str, int]]()
    hashes = set[str]()
    try:
        content = file.read_bytes()
        complete_lines = content[: content.rfind(b"\n") + 1]
        if len(complete_lines) < len(content):
            os.truncate(file, len(complete_lines))
    except OSError as error:
        raise InputError(f"{file}: cannot read the rows: {error.strerror or error}") from None
    for number, line in enumerate(complete_lines.splitlines(), 1):
        try:
            row = json.loads(line)
            written.add((row["source"], row["number"]))
            hashes.add(row["hash"])
        except (ValueError, KeyError, TypeError):
            raise InputError(f"{file}:{number}: this is no row of puzzlekit generate") from None
    return written, hashes


class _Pool:
    """Workers that make rows, each with a thread that asks it for one row after the other."""

    def __init__(self, missing: Iterable[tuple[Order, int]], workers: int) -> None:
        self.jobs: Iterator[Job] = enumerate(missing)
        self.reports: Queue[Report] = Queue()
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.workers = [Worker(fresh=True) for _ in range(workers)]
        for worker in self.workers:
            threading.Thread(target=self._ask, args=(worker,), daemon=True).start()

    def rows(self) -> Iterator[Row]:
        """Yield the rows in the order of the jobs, so that the first of duplicates stays."""
        waiting: dict[int, Row] = {}
        running = len(self.workers)
        next_position = 0
        while running:
            report = self.reports.get()
            if report is None:
                running -= 1
                continue
            if isinstance(report, BaseException):
                raise report
            position, row = report
            waiting[position] = row
            while next_position in waiting:
                yield waiting.pop(next_position)
                next_position += 1

    def _ask(self, worker: Worker) -> None:
        """Ask a worker for one row after the other. Without any left, put None."""
        try:
            while not self.ended.is_set():
                with self.lock:
                    job = next(self.jobs, None)
                if job is None:
                    break
                position, arguments = job
                worker.ask(_row, arguments)
                self.reports.put((position, worker.only_item()))
        except Exception as error:  # also of a worker that is ended meanwhile
            if not self.ended.is_set():
                is_of_worker = isinstance(error, WorkerCrashed | OSError)
                self.reports.put(InputError(f"a worker {error}") if is_of_worker else error)
        finally:
            self.reports.put(None)

    def end(self) -> None:
        self.ended.set()
        for worker in self.workers:
            worker.end()


# In a worker's process ----------------------------------------------------------------------------

_generators: dict[Order, RuleGenerator] = {}


def _row(order: Order, number: int) -> Iterator[Row]:
    """Yield the row of a number; one without a spec if no puzzle was found, one with the error if
    the type cannot make any.
    """
    try:
        if order not in _generators:
            _generators[order] = _generator(order)
        generator = _generators[order]
        puzzle = generator.generated(PuzzleNumber(number))
        if puzzle is None:
            yield {"type": generator.base.type.name}
        else:
            yield row_of(generator, puzzle, order.seed)
    except InputError as error:
        yield {"error": str(error), "help": error.help}


def _generator(order: Order) -> RuleGenerator:
    """Return the generator of an order. Raises InputError, whose message is for a shell."""
    options = SimpleNamespace(**dict(order.options))
    options.level = levels(options.level) if options.level else None
    options.require = required_patterns(options.require) if options.require else None
    options.clues = clue_numbers(options.clues) if options.clues else None
    assigned = assigned_settings(options.set)
    type_ = read_type(Path(order.type))
    base = base_of(type_, order.base, bool(options.like), assigned)
    generator = RuleGenerator(base)
    with options_of_shell():  # which are those of the process that wrote the order
        generator.begin(options, Tools(base.type, order.seed, lambda message: None))
    return generator


def row_of(generator: RuleGenerator, generated: GeneratedPuzzle, seed: int) -> Row:
    """Return all that is known of a puzzle, as plain data."""
    spec = generator.spec(generated)
    puzzle = generator.tools.puzzle(spec)
    rating = generated.rating or generator.rated(generated)
    origin = {
        "type": puzzle.type.name,
        "source": generator.source,
        "seed": seed,
        "number": generated.number.number,
        "spec": spec,
    }
    solved = {
        "rules": puzzle.type.about,
        "board": plain_text(text_lines(puzzle_parts(puzzle.instance))),
        "solution": generated.solution.json(),
    }
    score, patterns = None, None
    if rating.solved:
        score, patterns = rating.score, rating.json()["patterns"]
    difficulty = {"level": rating.level, "score": score, "patterns": patterns}
    clues = {
        "clues": len(generated.clues),
        "quality": quality(puzzle, RATED),
        "links": dict(addresses(puzzle.instance)),
        "hash": symmetric_hash(puzzle, generated.clues),
    }
    return {**origin, **solved, **difficulty, **clues}


def symmetric_hash(puzzle: Puzzle, clues: Mapping[FieldCell, Any]) -> str:
    """Return a hash that is the same for boards that are turned or mirrored images of each
    other.
    """
    data = puzzle.instance.data
    boards = {name: field for name, field in data.items() if isinstance(field, Grid)}
    plain_fields = sorted((name, str(field)) for name, field in data.items() if name not in boards)
    # clues outside the boards have no images
    has_outside_clues = any(not isinstance(key, Cell) for _, key in clues)
    images = [_image(boards, symmetry) for symmetry in range(1 if has_outside_clues else 8)]
    text = repr((puzzle.type.name, plain_fields, min(images)))
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _image(boards: Mapping[str, Grid], symmetry: int) -> list[tuple[str, int, int, str]]:
    """Return an image of boards: each cell with its board, its coordinates and its value.

    Args:
        boards: The boards.
        symmetry: Bits: 1 for flipped rows, 2 for mirrored columns, 4 for rows as columns.
    """
    height = max((board.height for board in boards.values()), default=0)
    width = max((board.width for board in boards.values()), default=0)
    cells = []
    for name, board in boards.items():
        for (row, column), value in board.values.items():
            down = height + 1 - row if symmetry & 1 else row
            right = width + 1 - column if symmetry & 2 else column
            if symmetry & 4:
                down, right = right, down
            cells.append((name, down, right, str(value)))
    return sorted(cells)
