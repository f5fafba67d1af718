"""`puzzlekit serve`: types and specs beside their board, in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from puzzlekit.errors import InputError, installing
from puzzlekit.options import Option


def serve(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="whose types and specs are opened and saved; by default this one"
        ),
    ] = Path(),
    *,
    port: Annotated[
        int | None, Option("the port; by default 8377, or a free one", "N", least=0)
    ] = None,
    host: Annotated[
        str,
        Option("the address to listen on; others than 127.0.0.1 open it to the network", "HOST"),
    ] = "127.0.0.1",
    no_open: Annotated[bool, Option("only print the address, and open no browser")] = False,
) -> None:
    """Write types and specs beside their board in a browser, and ask all that puzzlekit knows;
    requires an extra.
    """
    try:
        from puzzlekit.serve import serve as run
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise InputError(
            "serve requires starlette and uvicorn", help=f"{installing('serve')}"
        ) from None
    run(folder, host, port, not no_open)
