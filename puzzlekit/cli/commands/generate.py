"""`puzzlekit generate`: new puzzles of a type. The type's generator reads the options."""

from __future__ import annotations

from typing import Annotated

import typer

from puzzlekit.cli import completion

SETTINGS = {
    "context_settings": {
        "allow_extra_args": True,
        "ignore_unknown_options": True,
        "help_option_names": [],
    },
    "add_help_option": False,
    "options_metavar": "",
}


def generate(
    context: typer.Context,
    type_name: Annotated[
        str,
        typer.Argument(
            metavar="TYPE", autocompletion=completion.types, help="a type with a generator"
        ),
    ],
) -> int:
    """Generate puzzles of a type; `generate TYPE --help` lists the options."""
    from puzzlekit.cli.generation import generate_puzzles

    return generate_puzzles(type_name, context.args)
