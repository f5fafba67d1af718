"""`puzzlekit upgrade`: write the new keys of types and specs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from puzzlekit.cli.files import write
from puzzlekit.errors import InputError, printable
from puzzlekit.options import Option


def upgrade(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE…", help="types and specs; a folder stands for all of them in it"
        ),
    ],
    check: Annotated[bool, Option("only print what would change")] = False,
) -> int:
    """Replace the old keys of types and specs in place; comments and layout stay."""
    from puzzlekit.api import files_in

    code = 0
    for name in files:
        path = Path(name)
        changed = False
        try:
            paths = files_in(path) if path.is_dir() else [path]
        except InputError as error:
            code = _refused(error)
            continue
        for file in paths:
            try:
                changed |= _upgraded(file, check)
            except InputError as error:
                code = _refused(error)
                changed = True
        if not changed:
            print(printable(f"{name}: nothing to change"))
    return code


def _upgraded(file: Path, check: bool) -> bool:
    """Rewrite a file, or only check it, and print each change; returns whether there is one."""
    from puzzlekit.api import upgrade as upgraded

    new = upgraded(file)
    if new and not check:
        write(file, new.text)
    for key in new.keys:
        print(printable(f"{file}:{key.line}: {key.old} -> {key.new}"))
    return bool(new)


def _refused(error: InputError) -> int:
    """Report why a file is not rewritten; returns the exit code for it."""
    from puzzlekit.cli.messages import report

    report(str(error))
    return 2
