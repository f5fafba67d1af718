"""`puzzlekit schema`: JSON Schemas of specs and types, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from puzzlekit.cli import completion
from puzzlekit.cli.files import writable, write
from puzzlekit.options import Option

if TYPE_CHECKING:
    from puzzlekit.lang import PuzzleType

MOST = 2  # examples of a field
LONGEST = 300  # characters of an example


def schema(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="TYPE", autocompletion=completion.types, help="a type's name or path; omit it for types themselves"
        ),
    ] = None,
    out: Annotated[Path | None, Option("write the schema to this file", "FILE")] = None,
) -> None:
    """Print a JSON Schema of a type's specs, or of types, with which editors complete and check them."""
    from puzzlekit.catalogue import find
    from puzzlekit.lang import read_type

    text = schema_text(None if kind is None else read_type(find(kind)))
    if out is None:
        print(text, end="")
    else:
        writable("--out", out)
        write(out, text)
        print(out)


def schema_text(kind: PuzzleType | None) -> str:
    """The schema of a type's specs, or of types, as JSON."""
    from puzzlekit.lang import spec_schema, type_schema

    made = type_schema() if kind is None else spec_schema(kind, examples_of(kind))
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def examples_of(kind: PuzzleType) -> dict[str, list[Any]]:
    """Values of each field in the example specs that ship for the type, short ones."""
    from puzzlekit.catalogue import example_specs
    from puzzlekit.lang import read_spec, read_text
    from puzzlekit.lang.schema import plain

    found: dict[str, list[Any]] = {}
    for path in example_specs(kind.name):
        for name, (_, node) in read_spec(str(path), read_text(path)).nodes.items():
            value, own = plain(node), found.setdefault(name, [])
            if len(own) < MOST and value not in own and len(str(value)) <= LONGEST:
                own.append(value)
    return found
