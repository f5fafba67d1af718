"""Puzzles as the arguments of a command name them: a type and specs, specs that name their type, or links."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from puzzlekit.api import Puzzle, load
from puzzlekit.api.sources import is_yaml
from puzzlekit.catalogue import find, is_known, read_header, types
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, closest
from puzzlekit.lang import read_type
from puzzlekit.links import is_written
from puzzlekit.options import Loading


def load_puzzle(kind: str, spec: str | None, clock: Clock, how: Loading = Loading()) -> Puzzle:
    """Load a type and a spec of it, or what the only argument names. Raises InputError, and Stopped."""
    given = {**vars(how), "clock": clock}
    if is_written(spec or kind):
        return load(None if spec is None else find(kind), spec or kind, **given)
    if spec is not None and Path(kind).is_file() and not read_header(Path(kind)).is_type:
        hint = "write TYPE SPEC, or a single SPEC that names its type"
        raise InputError(f"expected a puzzle type, got the spec {kind}\n     = {hint}")
    if spec is None and not _names_type(kind, bool(how.settings)):
        kind, spec = "", kind
        if spec == Path(spec).stem != "-" and not Path(spec).exists() and not Path(f"{spec}.yaml").exists():
            meant = closest(spec, [*types()]) or "puzzlekit list names the types"
            raise InputError(f"{spec}: there is no such file\n     = there is no such type, either; {meant}")
    # An argument is always a path, even if the API would read it as YAML text.
    type_ = find(kind) if is_yaml(kind) else kind or None
    return load(type_, spec if spec in (None, "-") else Path(spec), **given)


def load_puzzles(files: Sequence[str], clock: Clock, how: Loading) -> list[Puzzle]:
    """Load specs of one type, which comes first, or specs that name their types."""
    if files.count("-") > 1:
        raise InputError("standard input can be read only once, but - is given more than once")
    first, *rest = files
    if rest and not _is_spec(first):
        return [load_puzzle(first, spec, clock, how) for spec in rest]
    return [load_puzzle(file, None, clock, how) for file in files]


def _is_spec(file: str) -> bool:
    """Whether it is a spec, and not a type."""
    return file == "-" or is_written(file) or (Path(file).is_file() and not read_header(Path(file)).is_type)


def _names_type(kind: str, given: bool) -> bool:
    """Whether the only argument is a type, not a spec. Raises InputError if it requires fields."""
    if kind == "-" or not (read_header(Path(kind)).is_type if Path(kind).is_file() else is_known(kind)):
        return False
    if not given and (required := read_type(find(kind)).required()):
        raise InputError(
            f"expected a spec, got only the type {kind}\n     = write {kind} SPEC, or --set {required[0].name}=…;"
            f" puzzlekit show {kind} lists the fields of a spec"
        )
    return True
