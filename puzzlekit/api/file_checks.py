"""Check files: a type or a spec, as the command line names it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from puzzlekit import links
from puzzlekit.api.checks import check_spec, check_type
from puzzlekit.api.loading import load
from puzzlekit.api.puzzle import Puzzle
from puzzlekit.catalogue import find, is_type, read_header, require_file, same_name
from puzzlekit.clock import Clock
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import PuzzlekitError, status_of
from puzzlekit.options import LoadOptions
from puzzlekit.reasons import Check


@dataclass(frozen=True)
class FileCheck:
    """The result of checking a file. It is true if there is no error.

    Attributes:
        status: "ok"; "wrong" if the progress of a spec is; "invalid" for an error; "stopped",
            "undecided" or "unsupported" if the solutions could not be compared with `expect`;
            "bug" for a wrong solution.
        message: The result in words.
        help: What to do about an error; empty if there is no help.
        puzzle: The puzzle of a spec; None if there is none, or it cannot be loaded.
        check: The verdict on the progress of the spec; None if it has none.
        is_type: Whether the file is a type.
    """

    status: str
    message: str
    help: str = ""
    puzzle: Puzzle | None = None
    check: Check | None = None
    is_type: bool = False

    def __bool__(self) -> bool:
        return self.status == "ok"

    def __str__(self) -> str:
        return self.message

    def json(self, path: str) -> dict[str, object]:
        """Return it as plain data, as `puzzlekit check --json` prints it for this path."""
        progress = None
        if self.check is not None:
            progress = self.check.json()
        return {
            "file": path,
            "status": self.status,
            "message": self.message,
            "help": self.help,
            "progress": progress,
        }


def check(
    file: str | Path,
    types: Sequence[str | Path] = (),
    backend: str = "auto",
    timeout: float | None = None,
    max_evaluations: int | None = None,
    ignore_symbols: bool = False,
) -> FileCheck:
    """Check a type, a spec or a link for errors, and the solutions of a spec against its `expect`.

    `Puzzle.check` is about an unfinished board of a puzzle that is loaded.

    Args:
        file: The path of a file, the name of a type, or a link to a puzzle.
        types: Types of which a spec may be: the last whose name it has, or the last of all if it
            names no type. Without them, the spec names its type.
        backend: The name of a backend, or "auto".
        timeout: Seconds.
        max_evaluations: The most evaluations of all expressions, as for `load`.
        ignore_symbols: Whether a link is read that has symbols which no field stands for.

    Returns:
        The result. An error in the file is not raised.

    Examples:
        >>> import puzzlekit
        >>> types = ["examples/magic_square.yaml"]
        >>> verdict = puzzlekit.check("examples/magic_square_4.yaml", types)
        >>> verdict.status, verdict.message
        ('ok', 'as expected')
    """
    name = str(file)
    loading = LoadOptions(max_evaluations=max_evaluations, ignore_symbols=ignore_symbols)
    of_type = False
    try:
        of_type = is_type(name)
        if of_type:
            path = Path(name)
            message = check_type(path if path.is_file() else find(name), timeout)
            return FileCheck("ok", message, is_type=True)
        clock = Clock(timeout)
        puzzle = _loaded(name, _type_of(name, list(map(str, types))), clock, loading)
    except PuzzlekitError as error:
        return FileCheck(status_of(error), str(error), error.help, is_type=of_type)
    try:
        message = check_spec(puzzle, backend, clock)
        if "progress" not in puzzle.spec.about:
            return FileCheck("ok", message, puzzle=puzzle)
        verdict = puzzle.check(clock=clock)
    except PuzzlekitError as error:
        return FileCheck(status_of(error), str(error), error.help, puzzle)
    return FileCheck("ok" if verdict else "wrong", message, puzzle=puzzle, check=verdict)


def _loaded(name: str, type_: str, clock: Clock, loading: LoadOptions) -> Puzzle:
    """Load a spec or a link, of a type if one is given."""
    options = {**vars(loading), "clock": clock}
    if "://" in name and not links.is_written(name):
        links.read(name)  # raises that this is a link of no known notation
    if not type_:
        require_file(name)
    is_path = name != "-" and not links.is_written(name)
    return load(find(type_) if type_ else None, Path(name) if is_path else name, **options)


def _type_of(path: str, types: Sequence[str]) -> str:
    """Return the type of a spec or a link among those before it; empty if there is none."""
    named = "" if path == "-" or links.is_written(path) else read_header(Path(path)).name
    for type_ in reversed(types):
        type_path = Path(type_)
        header = read_header(type_path if type_path.is_file() else find(type_))
        names = (header.name, header.path.stem, *header.aliases)
        if not named or any(same_name(named, name) for name in names):
            return type_
    return ""
