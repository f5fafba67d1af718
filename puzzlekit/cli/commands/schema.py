"""`puzzlekit schema`: JSON Schemas of specs and types, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from puzzlekit.catalogue import example_specs, find
from puzzlekit.cli.whole_files import writable, write
from puzzlekit.lang import PuzzleType, read_spec, read_text, read_type, spec_schema, type_schema
from puzzlekit.lang.schema import plain

MOST = 2  # examples of a field
LONGEST = 300  # characters of an example


def schema(name: str | None, out: Path | None) -> int:
    """Print or write the schema of a type's specs; without a name, that of types."""
    text = schema_text(None if name is None else read_type(find(name)))
    if out is None:
        print(text, end="")
    else:
        writable("--out", out)
        write(out, text)
        print(out)
    return 0


def schema_text(kind: PuzzleType | None) -> str:
    """The schema of a type's specs, or of types, as JSON."""
    made = type_schema() if kind is None else spec_schema(kind, examples_of(kind))
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def examples_of(kind: PuzzleType) -> dict[str, list[Any]]:
    """Values of each field in the example specs that ship for the type, short ones."""
    found: dict[str, list[Any]] = {}
    for path in example_specs(kind.name):
        for name, (_, node) in read_spec(str(path), read_text(path)).nodes.items():
            value, own = plain(node), found.setdefault(name, [])
            if len(own) < MOST and value not in own and len(str(value)) <= LONGEST:
                own.append(value)
    return found
