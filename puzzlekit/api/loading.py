"""Load puzzles."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.sources import FileText, Given, open_spec, open_type
from puzzlekit.catalogue import is_spec, same_name
from puzzlekit.clock import LOADING, Clock, choose_clock
from puzzlekit.errors import InputError, Problem, Problems
from puzzlekit.lang import (
    PuzzleType,
    Spec,
    bind,
    check_sections,
    settings_of_values,
    spec_of_values,
)
from puzzlekit.options import LoadOptions
from puzzlekit.python_settings import gc_paused


def load(
    type: str | Path | Mapping[str, Any] | None = None,  # noqa: A002
    spec: str | Path | FileText | Mapping[str, Any] | None = None,
    lexicon: str | None = None,
    settings: Mapping[str, Any] | None = None,
    fold_accents: bool = False,
    timeout: float | None = None,
    clock: Clock | None = None,
    max_evaluations: int | None = None,
    ignore_symbols: bool = False,
) -> Puzzle:
    """Load a puzzle: bind a type to the data of a spec.

    The type and the spec are each given as a file, as YAML text, or as a mapping of Python values.
    A `pathlib.Path` is always a file. A `str` is YAML text if it has a line break or a colon
    followed by a blank, and otherwise a path.

    Args:
        type: The type: its name, the path of its file, its YAML text, or a mapping of its sections.
            None if the spec names its type under `puzzle`.
        spec: The spec: the path of its file (`"-"` is standard input), its YAML text, a link to a
            puzzle (`docs/links.md`), a mapping of its fields, or a `FileText`, a file that was read
            elsewhere. A board is a list of rows, each a `str` or a list of cells, with None for an
            empty cell. None if `settings` and the defaults of the type give all data.
        lexicon: A lexicon instead of the spec's: a name or a path; `a+b` joins two.
        settings: Fields instead of the spec's, with values as in a mapping of the spec. Text is
            read as `--set` reads it.
        fold_accents: Whether letters lose their accents, in the spec and in its lexicons.
        timeout: Seconds for loading.
        clock: A running clock, instead of `timeout`.
        max_evaluations: The most evaluations of all expressions together, from 1; None for no bound
            but that on time and memory. An evaluation is a turn of a loop, an operation, or a part
            of a value that is made or searched. Unlike time, they are the same on every machine.
        ignore_symbols: Whether a link is read that has symbols which no field stands for. They are
            left out.

    Returns:
        The puzzle.

    Raises:
        Problems: The type or the data has errors. Each problem has its place: line and column in a
            text or a file, the expression of the value (`spec['givens'][2]`) in a mapping.
        InputError: There is no such type, or a file cannot be read.
        Stopped: The time is up.

    Examples:
        >>> import puzzlekit
        >>> puzzlekit.load("examples/magic_square.yaml", "examples/magic_square_4.yaml").count()
        1
        >>> givens = [[2, None, 6], [None, None, None], [None, None, None]]
        >>> puzzlekit.load("examples/magic_square.yaml", {"size": 3, "givens": givens}).count()
        1
        >>> pair = {
        ...     "puzzle": "pair",
        ...     "data": {"total": "int"},
        ...     "variables": {"x": "between(1, 9)", "y": "between(1, 9)"},
        ...     "rules": {"they make the total": "x + y == total", "the first is less": "x < y"},
        ... }
        >>> [dict(solution) for solution in puzzlekit.load(pair, "total: 4").solve()]
        [{'x': 1, 'y': 3}]
    """
    clock = choose_clock(timeout, clock)
    began = time.perf_counter()
    with gc_paused(), clock.stage(LOADING), clock.running():
        options = LoadOptions(
            lexicon,
            fold_accents,
            {} if settings is None else settings,
            max_evaluations,
            ignore_symbols,
        )
        puzzle = _load(type, spec, options)
        clock.check()  # loading a small puzzle never looks at the clock
    puzzle.seconds = time.perf_counter() - began
    return puzzle


def _load(
    type_given: Given | None, spec_given: Given | FileText | None, options: LoadOptions
) -> Puzzle:
    most = options.max_evaluations
    if most is not None and not (isinstance(most, int) and most >= 1):
        raise InputError(f"expected a number of evaluations from 1, got {most!r}")
    if not isinstance(options.settings, Mapping):
        raise InputError(f"expected settings as a mapping, got {options.settings!r}")
    type_given = None if type_given == "" else type_given
    spec, folder = open_spec(spec_given, type_given, options.ignore_symbols)
    if type_given is None and not spec.text("puzzle"):
        if spec_given is None:
            raise InputError("a type or a spec is required")
        message = "this spec does not name its type"
        start = spec.source.position(0, 0)
        raise Problems([Problem(message, start, "add: puzzle: the type's name")])
    type_ = _open_type(type_given, spec, folder, spec_given is None)
    if isinstance(spec_given, Mapping):
        spec = spec_of_values(spec_given, type_.fields)  # now that the boards are known
    _check_name(spec, type_)
    check_sections(type_)
    settings = settings_of_values(options.settings, type_.fields)
    instance = bind(
        type_,
        spec,
        settings,
        folder,
        options.max_evaluations,
        lexicon=options.lexicon,
        fold_accents=options.fold_accents,
    )
    return Puzzle(type_, spec, instance, options=options)


def _open_type(
    type_given: Given | None, spec: Spec, folder: Path | None, without_spec: bool
) -> PuzzleType:
    """Open the given type, or the one that the spec names."""
    try:
        return open_type(spec.text("puzzle") if type_given is None else type_given, folder)
    except Problems:
        if without_spec and isinstance(type_given, (str, Path)) and is_spec(Path(type_given)):
            raise InputError(
                f"{type_given} is a spec, not a type",
                help="load(None, spec) reads a spec that names its type",
            ) from None
        raise
    except InputError as error:
        if type_given is not None:
            raise
        spec.source.problem(str(error), spec.about["puzzle"], error.help)
        spec.source.raise_problems()
        raise


def _check_name(spec: Spec, type_: PuzzleType) -> None:
    """Raise Problems if the spec names another type."""
    named = spec.text("puzzle")
    if not named or Path(named).name == Path(type_.source.path).name:
        return
    if any(same_name(named, name) for name in (type_.name, *type_.aliases)):
        return
    spec.source.problem(f"this spec is for {named}, not for {type_.name}", spec.about["puzzle"])
    spec.source.raise_problems()
