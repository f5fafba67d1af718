"""The program: its commands, in modules of `cli/commands/`. Only that of the command line's first
word is loaded.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn, cast

import typer
from typer.core import TyperGroup

from puzzlekit import __version__
from puzzlekit.cli import completion
from puzzlekit.cli.options import flat
from puzzlekit.errors import (
    BackendBug,
    InputError,
    PuzzlekitError,
    Unsupported,
    printable,
    with_help,
)
from puzzlekit.processes.command import interrupts
from puzzlekit.renamed import OPTIONS, renaming

COMMANDS = (
    *(
        "solve",
        "draw",
        "compare",
        "batch",
        "generate",
        "fetch",
        "import",
        "export",
        "read-solution",
        "list",
        "show",
        "check",
    ),
    *("hint", "explain", "conflict", "rate", "serve"),
    *("words", "schema", "examples", "new", "upgrade"),
)
LISTING = {"--help", "-h", "--version"}  # words beside which no command is run
FUNCTIONS = {
    "import": "import_puzzles",
    "list": "list_types",
}  # of commands whose names are Python's, too
MODULES = dict.fromkeys(
    ("list", "schema", "examples", "new"), "catalogue"
)  # of commands that share one
Work = Callable[[], int | None]  # a command; returns the exit code, None for 0


class Commands(TyperGroup):
    """The commands. The error of an unknown option gives its new name, or a command that has it."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            if type(error).__name__ == "NoSuchOption":  # its module depends on typer's version
                _help_with_option(cast(Any, error))
            raise


def _help_with_option(error: Any) -> None:
    """Add to the message about an unknown option its new name, or a command that has it."""
    old: str = error.option_name
    option = OPTIONS.get(old, old)
    every = cast(TyperGroup, typer.main.get_command(program())).commands.items()
    having = [
        name for name, command in every if any(option in known.opts for known in command.params)
    ]
    if old in OPTIONS:
        error.message = renaming(old, option)
        error.possibilities = None
        if error.ctx.info_name not in having:
            error.message += f", an option of {having[0]}{' and others' * (len(having) > 1)}"
    elif having:
        error.message += f", but {having[0]} {'has' if len(having) == 1 else 'and others have'} it"
        error.possibilities = None


def program(names: Iterable[str] = COMMANDS, names_only: bool = False) -> typer.Typer:
    """Return the program with these commands; without their options, if they are only `listed`,
    which takes half the time.
    """
    made = typer.Typer(
        cls=Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        help="Solve, count, optimise and generate constraint puzzles written in YAML.\n\n"
        "Exit codes: 0 solutions found, 1 no solution, 2 invalid input or a backend that does not support the puzzle, "
        "3 stopped early, 130 interrupted.",
    )
    made.callback()(_options)
    for name in names:
        function = FUNCTIONS.get(name, name.replace("-", "_"))
        module = import_module(f"puzzlekit.cli.commands.{MODULES.get(name, function)}")
        parts = getattr(module, "PARTS", {}).get(name)
        if parts is None:
            _add(made, name, getattr(module, function), getattr(module, "SETTINGS", {}), names_only)
            continue
        below = typer.Typer(no_args_is_help=True, help=getattr(module, function).__doc__)
        for part, one in parts.items():
            _add(below, part, one, {}, names_only)
        made.add_typer(below, name=name)
    return made


def _add(
    made: typer.Typer,
    name: str,
    function: Callable[..., int | None],
    settings: dict[str, Any],
    listed: bool,
) -> None:
    if listed:
        made.command(name, help=function.__doc__)(lambda: None)
        return
    run = flat(function)

    @wraps(run)
    def ended(**given: Any) -> NoReturn:
        raise typer.Exit(finish(lambda: run(**given)))

    made.command(name, **settings)(ended)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(__version__)
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")
    ] = False,
) -> None: ...


# How a command ends: every error is a message and an exit code ------------------------------------


def finish(work: Work) -> int:
    """Run a command and write all that it printed; returns the exit code."""
    try:
        code = answer(work)
        sys.stdout.flush()
    except OSError as error:
        code = unwritten(error)
    return code


def answer(work: Work) -> int:
    """Run a command, and report its errors; returns the exit code. Raises OSError if it cannot
    print.
    """
    try:
        with interrupts.at_work():
            return work() or 0
    except InputError as error:
        report(str(error), error.help)
        return 2
    except Unsupported as error:
        if error.everywhere:
            report(f"no installed backend supports the puzzle: {error}")
        else:
            report(
                f"this backend does not support the puzzle: {error}",
                help="use --backend auto to select one that does",
            )
        return 2
    except BackendBug as error:
        report(f"this is a bug in puzzlekit, please report it: {error}")
        return 70
    except PuzzlekitError as error:
        report(str(error), error.help)
        return 3
    except KeyboardInterrupt:
        report("interrupted")
        return 130
    except MemoryError:
        report("not enough memory")
        return 3


def unwritten(error: OSError) -> int:
    """Report a failed write, discard the rest of the buffer, and return the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # the reader stopped reading
        return 141
    if error.filename is not None:
        from puzzlekit.reading import name_of

        report(f"{name_of(error.filename)}: {error.strerror or error}")
    else:
        report(
            f"cannot write to standard output: {error.strerror or error}",
            help="the rest of the output is lost",
        )
    return 2


def report(message: str, help: str = "") -> None:
    """Print a message and its help on standard error, if it can be written."""
    with contextlib.suppress(OSError):
        try:
            print(printable(with_help(message, help)), file=sys.stderr, flush=True)
        except MemoryError:  # the bound of --memory is met, so that not even this can be printed
            os.write(2, b"not enough memory\n")


# The process --------------------------------------------------------------------------------------


def main() -> None:
    """Run the command line in this process."""
    os.environ["PYTHONSAFEPATH"] = "1"  # children do not import from the working folder
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 (None if closed at start)
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    completing = completion.VARIABLE in os.environ
    if completing:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    words = completion.words() if completing else sys.argv[1:]
    try:
        try:
            named = words[:1] if words and words[0] in COMMANDS else []
            program(named or COMMANDS, not named and (completing or {*words} <= LISTING))()
        except Exception:
            if not completing:  # a shell shows no error while somebody types
                raise
        finally:
            sys.stdout.flush()  # of --help, too
    except OSError as error:
        sys.exit(unwritten(error))
