"""`puzzlekit examples`: the specs that ship with the types, listed and copied."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from puzzlekit.cli import completion
from puzzlekit.cli.files import write
from puzzlekit.errors import InputError, printable
from puzzlekit.options import Option

OWN = "examples"  # the folder of types and scripts that the docs show


def examples(
    name: Annotated[
        str | None, typer.Argument(metavar="TYPE", autocompletion=completion.types, help="a type's name; without it, all types")
    ] = None,
    to: Annotated[Path | None, Option("copy them into this folder, below specs/TYPE", "DIR")] = None,
) -> None:
    """List the example specs that ship with a type, or copy them."""
    from puzzlekit.catalogue import example_specs, find, headers, types

    if name is not None:
        name = find(name).stem
        if not example_specs(name):
            raise InputError(f"no examples ship for {name}\n     = puzzlekit new spec {name} prints a spec to begin with")
    if to is not None:
        _copy(name, to)
    elif name is None:
        counts = {kind: len(example_specs(kind)) for kind in types()}
        for kind, count in counts.items():
            print(printable(f"{count:>3}  {kind}")) if count else None
        print("\npuzzlekit examples TYPE lists those of a type; --to DIR copies them into a folder")
    else:
        paths = sorted(example_specs(name))
        found = headers({path.name: path for path in paths})
        width = max(map(len, found))
        for file, header in found.items():
            print(printable(f"{file:<{width}}  {header.title if header else ''}".rstrip()))
        print(f"\n{paths[0].parent}")


def _copy(name: str | None, to: Path) -> None:
    """Copy the specs of a type, or all examples, into specs/TYPE below a folder, and print the paths.

    Raises InputError before it writes anything if another file is in the way.
    """
    from puzzlekit.catalogue import shipped

    source = shipped().parent
    below = [source / "specs" / name] if name is not None else [source / "specs", source / OWN]
    files = [path for folder in below for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != ".pyc"]
    wanted = {to / path.relative_to(source): path.read_bytes() for path in files}
    changed = [path for path, content in wanted.items() if path.exists() and not _has(path, content)]
    if changed:
        more = f", and {len(changed) - 1} more files" if len(changed) > 1 else ""
        raise InputError(f"{changed[0]} exists and differs from the example{more}\n     = copy into another folder: --to DIR")
    for path, content in wanted.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"--to {to}: cannot make the folder {path.parent}: {error.strerror}") from None
        if not path.exists():
            write(path, content)
            print(path)


def _has(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False
