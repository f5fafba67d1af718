"""The program and its commands, which are in modules of `cli/commands/`.

Only the module of the command that the command line names is loaded.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn, cast

import typer
from typer.core import TyperGroup

from puzzlekit import __version__
from puzzlekit.cli import completion
from puzzlekit.cli.messages import report
from puzzlekit.cli.options import flat
from puzzlekit.errors import (
    BackendBug,
    InputError,
    PuzzlekitError,
    Unsupported,
    closest,
    options_of_shell,
)
from puzzlekit.processes import interrupts
from puzzlekit.renamed import OPTIONS, renaming

COMMANDS = (
    *("solve", "draw", "compare", "batch", "generate", "fetch", "import", "export"),
    *("read-solution", "list", "show", "check"),
    *("hint", "explain", "conflict", "rate", "serve"),
    *("words", "schema", "examples", "new", "upgrade"),
)
LISTING = {"--help", "-h", "--version"}  # words that print something and run no command
CORE = ("numpy", "puzzlekit.model", "puzzlekit.lang")  # each is built on those before it
NO_PUZZLE = {"list", "examples"}  # commands that read neither a type nor a puzzle
# The functions of commands whose names are Python's, and the module of commands that share one
FUNCTIONS = {"import": "import_puzzles", "list": "list_types"}
MODULES = dict.fromkeys(("list", "schema", "examples", "new"), "catalogue")
HELP = (
    "Solve, count, optimise and generate constraint puzzles written in YAML.\n\n"
    "Exit codes: 0 solutions found, 1 no solution, 2 invalid input or a backend that does not"
    " support the puzzle, 3 stopped early, 130 interrupted."
)
Work = Callable[[], int | None]  # a command; returns the exit code, None for 0


class Commands(TyperGroup):
    """The commands. The error of an unknown option says which one may be meant."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            if type(error).__name__ == "NoSuchOption":  # its module depends on typer's version
                _help_with_option(cast(Any, error))
            raise


def _help_with_option(error: Any) -> None:
    """Add to the message about an unknown option its new name, a command that has it, or the
    closest option.
    """
    old: str = error.option_name
    option = OPTIONS.get(old, old)
    every_command = cast(TyperGroup, typer.main.get_command(program())).commands
    having = []
    for name, command in every_command.items():
        if any(option in parameter.opts for parameter in command.params):
            having.append(name)
    if old in OPTIONS:
        error.message = renaming(old, option)
        if error.ctx.info_name not in having:
            others = " and others" if len(having) > 1 else ""
            error.message += f", an option of {having[0]}{others}"
    elif having:
        has = "has" if len(having) == 1 else "and others have"
        error.message += f", but {having[0]} {has} it"
    else:
        options = [name for parameter in error.ctx.command.params for name in parameter.opts]
        if suggestion := closest(option, options):
            error.message += f"; {suggestion}"
    error.possibilities = None


def program(names: Iterable[str] = COMMANDS, names_only: bool = False) -> typer.Typer:
    """Return the program with these commands.

    Args:
        names: The commands.
        names_only: Whether the commands have no options, as they are only listed. This takes half
            the time.
    """
    app = typer.Typer(
        cls=Commands,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
        help=HELP,
    )
    app.callback()(_options)
    for name in names:
        function_name = FUNCTIONS.get(name, name.replace("-", "_"))
        module_name = MODULES.get(name, function_name)
        module = import_module(f"puzzlekit.cli.commands.{module_name}")
        function = getattr(module, function_name)
        subcommands = getattr(module, "PARTS", {}).get(name)
        if subcommands is None:
            _add(app, name, function, getattr(module, "SETTINGS", {}), names_only)
            continue
        group = typer.Typer(no_args_is_help=True, help=function.__doc__)
        for subcommand_name, subcommand in subcommands.items():
            _add(group, subcommand_name, subcommand, {}, names_only)
        app.add_typer(group, name=name)
    return app


def _add(
    app: typer.Typer,
    name: str,
    function: Callable[..., int | None],
    settings: dict[str, Any],
    names_only: bool,
) -> None:
    if names_only:
        app.command(name, help=function.__doc__)(lambda: None)
        return
    run = flat(function)

    @wraps(run)
    def run_and_exit(**arguments: Any) -> NoReturn:
        def work() -> int | None:
            if name not in NO_PUZZLE:
                _load_core()
            _collect_garbage()
            return run(**arguments)

        raise typer.Exit(finish(work))

    app.command(name, **settings)(run_and_exit)


def _load_core() -> None:
    """Import what all puzzles need, from the bottom up.

    From the top down, these imports are nested twenty deep, beyond the first 16 KB of the stack
    that CPython 3.11 to 3.13 has for frames. It maps memory for the next 16 KB at each call that
    crosses the end, and releases it at the return: 1,500 times, or 15 ms.
    """
    for module in CORE:
        import_module(module)


def _collect_garbage() -> None:
    """Turn the collector on, which `cli.main` turned off, for what the command makes."""
    gc.freeze()
    gc.set_threshold(100_000)
    gc.enable()


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
    """Run a command and write all that it printed; return the exit code."""
    try:
        code = answer(work)
        sys.stdout.flush()
    except OSError as error:
        code = unwritten(error)
    return code


def answer(work: Work) -> int:
    """Run a command, and report its errors; return the exit code.

    Raises:
        OSError: The command cannot print.
    """
    try:
        with interrupts.at_work(), options_of_shell():
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
        _run_words(words, completing)
    except OSError as error:
        sys.exit(unwritten(error))


def _run_words(words: Sequence[str], completing: bool) -> None:
    """Run the program with the command that the first word names, or with all commands."""
    try:
        if words and words[0] in COMMANDS:
            app = program(words[:1])
        else:
            app = program(names_only=completing or set(words) <= LISTING)
        app()
    except Exception:
        if not completing:  # a shell shows no error while somebody types
            raise
    finally:
        sys.stdout.flush()  # of --help, too
