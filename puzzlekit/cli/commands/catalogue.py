"""`puzzlekit list`, `examples`, `schema` and `new`: what there is of types and specs, and one to
begin with.
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlekit.cli import completion
from puzzlekit.cli.files import writable, write
from puzzlekit.cli.options import TypeName
from puzzlekit.errors import InputError, closest, installing, printable
from puzzlekit.options import Option
from puzzlekit.sentences.formatting import counted
from puzzlekit.sentences.reports import NoTypeFor, NumberOfTypes

if TYPE_CHECKING:
    from puzzlekit.catalogue import Header

COLUMNS = 80
OTHERS = "other"  # the heading of types without a group
OWN = "examples"  # the folder of types and scripts that the docs show


def list_types(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORD…", help="a group, a name, or words about the puzzle"),
    ] = None,
) -> int:
    """List the puzzle types by groups, and the backends; with words, only the types that all of
    them fit.
    """
    return _found(words) if words else _all()


def _all() -> int:
    """Print the names of the types by groups, and the backends."""
    from puzzlekit.backends import BACKENDS, missing_extra
    from puzzlekit.catalogue import headers, types

    groups: dict[str, list[str]] = {}
    known = headers(types())
    for name, header in known.items():
        if header is not None and header.is_type:
            groups.setdefault(header.group or OTHERS, []).append(name)
    width = max(map(len, groups), default=0) + 2
    for group in sorted(groups, key=lambda group: (group == OTHERS, group)):
        line = textwrap.fill(", ".join(groups[group]), COLUMNS - width, break_on_hyphens=False)
        print(
            printable(
                textwrap.indent(line, " " * width).replace(" " * width, f"{group:<{width}}", 1)
            )
        )
    for path in (path for name, path in types().items() if known[name] is None):
        print(printable(f"{path.stem}  (has errors: puzzlekit check {path})"))
    number = sum(map(len, groups.values()))
    print(f"\n{NumberOfTypes(counted(number, 'type'))}")
    lacking = {name: extra for name in BACKENDS if (extra := missing_extra(name))}
    there = ", ".join(name for name in BACKENDS if name not in lacking)
    print(
        textwrap.fill(
            f"backends: {there}; auto selects one for each puzzle", COLUMNS, break_on_hyphens=False
        )
    )
    if lacking:
        print(f"not installed: {', '.join(lacking)} ({installing(*lacking.values())})")
    return 0


def _found(words: list[str]) -> int:
    """Print the types that fit all of the words, with their other names and tags; returns 1 if
    there is none.
    """
    from puzzlekit.catalogue import headers, types

    known = {
        name: header
        for name, header in headers(types()).items()
        if header is not None and header.is_type
    }
    found = {name: header for name, header in known.items() if all(map(header.matches, words))}
    if not found:
        every = {
            word
            for name, header in known.items()
            for word in (name, *header.aliases, header.group, *header.tags)
        }
        odd = (word for word in words if not any(header.matches(word) for header in known.values()))
        suggestion = next((closest(word, sorted(every)) for word in odd), "")
        print(printable(str(NoTypeFor(" ".join(words), suggestion))), file=sys.stderr)
        return 1
    width = max(map(len, found)) + 2
    for name, header in found.items():
        print(printable(_item(name, header, width)))
    return 0


def _item(name: str, header: Header, width: int) -> str:
    """A type with its title and other names, and its group and tags on the next line."""
    title = header.title + f" (also {', '.join(header.aliases)})" * bool(header.aliases)
    lines = [title, *filter(None, [", ".join(filter(None, (header.group, *header.tags)))])]
    indent = " " * width
    wrapper = textwrap.TextWrapper(
        COLUMNS, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    texts = map(wrapper.fill, lines)
    return "\n".join(texts).replace(indent, f"{name:<{width}}", 1)


# puzzlekit examples -------------------------------------------------------------------------------


def examples(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="TYPE",
            autocompletion=completion.types,
            help="a type's name; without it, all types",
        ),
    ] = None,
    to: Annotated[
        Path | None, Option("copy them into this folder, below specs/TYPE", "DIR")
    ] = None,
) -> None:
    """List the example specs that ship with a type, or copy them."""
    from puzzlekit.catalogue import example_specs, find, headers, types

    if name is not None:
        name = find(name).stem
        if not example_specs(name):
            raise InputError(
                f"no examples ship for {name}",
                help=f"puzzlekit new spec {name} prints a spec to begin with",
            )
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
    """Copy the specs of a type, or all examples, into specs/TYPE below a folder, and print the
    paths.

    Raises InputError before it writes anything if another file is in the way.
    """
    from puzzlekit.catalogue import shipped

    source = shipped().parent
    below = [source / "specs" / name] if name is not None else [source / "specs", source / OWN]
    files = [
        path
        for folder in below
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".pyc"
    ]
    wanted = {to / path.relative_to(source): path.read_bytes() for path in files}
    changed = [
        path for path, content in wanted.items() if path.exists() and not _has(path, content)
    ]
    if changed:
        more = f", and {len(changed) - 1} more files" if len(changed) > 1 else ""
        raise InputError(
            f"{changed[0]} exists and differs from the example{more}",
            help="copy into another folder: --to DIR",
        )
    for path, content in wanted.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"--to {to}: cannot make the folder {path.parent}: {error.strerror}"
            ) from None
        if not path.exists():
            write(path, content)
            print(path)


def _has(path: Path, content: bytes) -> bool:
    try:
        return path.read_bytes() == content
    except OSError:
        return False


# puzzlekit schema ---------------------------------------------------------------------------------


def schema(
    type_name: Annotated[
        str | None,
        typer.Argument(
            metavar="TYPE",
            autocompletion=completion.types,
            help="a type's name or path; omit it for types themselves",
        ),
    ] = None,
    out: Annotated[Path | None, Option("write the schema to this file", "FILE")] = None,
) -> None:
    """Print a JSON Schema of a type's specs, or of types, with which editors complete and check
    them.
    """
    from puzzlekit.catalogue import find
    from puzzlekit.cli.templates import schema_text
    from puzzlekit.lang import read_type

    text = schema_text(None if type_name is None else read_type(find(type_name)))
    if out is None:
        print(text, end="")
    else:
        writable("--out", out)
        write(out, text)
        print(out)


# puzzlekit new ------------------------------------------------------------------------------------

Out = Annotated[Path | None, Option("write it to this file, and its schema beside it", "FILE")]


def new_type(
    name: Annotated[str, typer.Argument(metavar="NAME", help="the name of the type")],
    out: Out = None,
) -> None:
    """Print a small type that works, with comments, to change into another one."""
    from puzzlekit.cli.templates import give_type

    give_type(name, out)


def new_spec(
    type_name: TypeName,
    size: Annotated[str | None, Option("the rows and columns of its boards", "RxC")] = None,
    out: Out = None,
) -> None:
    """Print a spec of a type, with a comment on each field."""
    from puzzlekit.cli.templates import give_spec

    give_spec(type_name, size, out)


def new() -> None:
    """Make a type or a spec to begin with."""


PARTS = {"new": {"type": new_type, "spec": new_spec}}
