"""Make a type or a spec to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from puzzlekit.cli.options import TypeName
from puzzlekit.options import Option

Out = Annotated[Path | None, Option("write it to this file, and its schema beside it", "FILE")]


def new_type(name: Annotated[str, typer.Argument(metavar="NAME", help="the name of the type")], out: Out = None) -> None:
    """Print a small type that works, with comments, to change into another one."""
    from puzzlekit.cli.templates import give_type

    give_type(name, out)


def new_spec(
    kind: TypeName,
    size: Annotated[str | None, Option("the rows and columns of its boards", "RxC")] = None,
    out: Out = None,
) -> None:
    """Print a spec of a type, with a comment on each field."""
    from puzzlekit.cli.templates import give_spec

    give_spec(kind, size, out)


PARTS = {"type": new_type, "spec": new_spec}
