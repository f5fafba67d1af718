"""Files that commands write, whole or not at all, and those of `solve`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from stat import S_ISREG, S_ISSOCK

from rich.cells import cell_len

from puzzlekit.api import Puzzle, Query, Run, Solution
from puzzlekit.api.pictures import common_parts, puzzle_parts, solution_parts
from puzzlekit.errors import InputError
from puzzlekit.limits import limits
from puzzlekit.links import addresses
from puzzlekit.render import Group, Part, Scene, Sheet, drawing, page

SUFFIXES = {"--svg": ".svg", "--html": ".html", "--png": ".png", "--pdf": ".pdf"}


def writable(option: str, path: Path) -> None:
    """Raise InputError if no file can be written at the path of this option; tries it.

    `-` is no file, and a path that ends as another option says is most likely a mistake.
    """
    if str(path) == "-":
        raise InputError(f"{option} -: expected a file; a picture is not written to standard output")
    if path.suffix.lower() in SUFFIXES.values() and SUFFIXES.get(option, path.suffix.lower()) != path.suffix.lower():
        raise InputError(f"{option} {path}: expected a file that ends in {SUFFIXES[option]}")
    try:
        target = _resolved(path)
        if target.is_dir() or not target.parent.is_dir():
            raise InputError(f"{option} {path}: expected a file in an existing folder")
        if target.exists() and not os.access(target, os.W_OK):
            raise InputError(f"{option} {path}: cannot write a file here")
        if _replaceable(target):
            _made_beside(target).unlink()
        elif S_ISSOCK(target.stat().st_mode):
            raise InputError(f"{option} {path}: expected a file, got a socket")
    except (OSError, RuntimeError) as error:  # a cyclic link raises one or the other
        raise InputError(f"{option} {path}: cannot write a file here: {_reason(error)}") from None


def write(path: Path, content: str | bytes) -> None:
    """Write a file whole: under a temporary name first, then rename it.

    Links are followed; devices and pipes are written to directly. Raises InputError on failure.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        target = _resolved(path)
        if _replaceable(target):
            _replace(target, data)
        else:
            target.write_bytes(data)
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError) as error:
        kept = "the previous file is kept" if path.is_file() else "no file was written"
        raise InputError(f"{path}: cannot write the file: {_reason(error)}\n     = {kept}") from None


def _resolved(path: Path) -> Path:
    """Return the path that links lead to. Raises RuntimeError or OSError for a cyclic link."""
    target = path.resolve()
    if target.is_symlink():  # Python 3.13 raises nothing
        raise RuntimeError
    return target


def _replaceable(target: Path) -> bool:
    """Whether it is a regular file or does not exist yet."""
    return not target.exists() or S_ISREG(target.stat().st_mode)


def _made_beside(target: Path) -> Path:
    """Make a file with a short name in the same folder: a longer name may be too long."""
    if not target.exists():
        os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL))  # the name may be invalid
        target.unlink()
    handle, name = tempfile.mkstemp(prefix=".puzzlekit-", dir=target.parent)
    os.close(handle)
    return Path(name)


def _replace(target: Path, data: bytes) -> None:
    part = _made_beside(target)
    try:
        part.write_bytes(data)
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)
        part.replace(target)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def _reason(error: OSError | RuntimeError) -> str:
    return (error.strerror if isinstance(error, OSError) else "") or "the link leads to itself"


@dataclass
class Pictures:
    """The requested files and the pictures to write into them."""

    svg: Path | None = None
    html: Path | None = None
    solutions: list[list[Part]] = field(default_factory=list)
    left_out: int = 0

    def check(self, query: Query) -> None:
        """Raise InputError if a file cannot be written or the query has nothing to draw."""
        if self.svg or self.html:
            query.require_drawable()
        for option, path in (("--svg", self.svg), ("--html", self.html)):
            if path is not None:
                writable(option, path)

    def add(self, solution: Solution) -> None:
        """Keep the picture of a solution, if a file is requested."""
        if self.svg is None and self.html is None:
            return
        if len(self.solutions) == limits().reporting.pictured_solutions:
            self.left_out += 1
            return
        self.solutions.append(solution_parts(solution))

    def write(self, puzzle: Puzzle, head: str, foot: str) -> None:
        """Write each file whole."""
        if self.svg is None and self.html is None:
            return
        more = f"; {self.left_out:,} more not drawn" if self.left_out else ""
        common = common_parts(puzzle.instance)
        alone = [] if common else puzzle_parts(puzzle.instance)
        boards = [part for part in alone if isinstance(part, Scene | Group)]
        sheet = Sheet(puzzle.title, head, self.solutions, foot + more, boards, common)
        if self.svg is not None:
            write(self.svg, drawing(sheet.title, sheet.parts()))
        if self.html is not None:
            write(self.html, page(replace(sheet, links=addresses(puzzle.instance))))


def head(puzzle: Puzzle, run: Run) -> str:
    """The heading: the facts of the type, and the number of solutions if quickly counted.

    The number is left out where the closing line has it: all solutions are shown, and there is no goal.
    Facts that are mappings follow on lines of their own.
    """
    if not puzzle.instance.facts:
        return ""
    facts = puzzle.instance.facts
    lines = [_fact(name, what) for name, what in facts.items() if not isinstance(what, Mapping)]
    tables = [f"{name}:\n{_table(what)}" for name, what in facts.items() if isinstance(what, Mapping) and what]
    most = limits().reporting.counting_seconds
    limit = run.query.limit
    if run.total is None:
        lines.append(f"solutions: not counted in {most:g} s")
    elif run.goal is not None or run.total == 0 or (limit is not None and 1 < run.total >= limit):
        lines.append(f"solutions: {run.total:,}")
    return "\n".join((*([" · ".join(lines)] if lines else []), *tables))


def _fact(name: str, what: object) -> str:
    return f"{name}: {what:,}" if isinstance(what, int) else f"{name}: {_in_words(what)}"


def _in_words(what: object) -> str:
    return " ".join(map(str, what)) if isinstance(what, tuple) else str(what)


def _table(what: Mapping[object, object]) -> str:
    wide = max(cell_len(str(key)) for key in what)
    return "\n".join(f"  {key}{' ' * (wide - cell_len(str(key)))}  {_in_words(item)}" for key, item in what.items())
