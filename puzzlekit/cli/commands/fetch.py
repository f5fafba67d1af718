"""`puzzlekit fetch`: published puzzles as specs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from puzzlekit.cli import completion
from puzzlekit.cli.files import writable, write
from puzzlekit.options import Option


def fetch(
    type_name: Annotated[
        str,
        typer.Argument(
            metavar="TYPE", autocompletion=completion.types, help="a type with a fetcher"
        ),
    ],
    which: Annotated[
        str, typer.Argument(metavar="WHICH", help="which puzzle: a day, a file, an address")
    ],
    base: Annotated[str | None, Option("use another address of the service", "URL")] = None,
    out: Annotated[Path | None, Option("write the spec to this file", "FILE")] = None,
    timeout: Annotated[float, Option("seconds to wait for the service", "S", least=0.1)] = 10.0,
    refresh: Annotated[bool, Option("download again what is in the cache")] = False,
) -> None:
    """Fetch a published puzzle as a spec, by day (2024-04-18 or 18.4.2024), file or address."""
    from puzzlekit.api import Web, fetch
    from puzzlekit.cli.screen import progress

    if out is not None:
        writable("--out", out)
    with progress(f"fetching {which}"):
        text = fetch(type_name, which, base, Web(timeout=timeout, refresh=refresh))
    if out is None:
        print(text, end="")
    else:
        write(out, text)
        print(out)
