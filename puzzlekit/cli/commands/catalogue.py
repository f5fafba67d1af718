"""`puzzlekit list`, `examples`, `schema` and `new`: the catalogue of types and examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlekit.cli import completion
from puzzlekit.cli.files import writable, write
from puzzlekit.cli.messages import report
from puzzlekit.cli.options import TypeName, argument_type
from puzzlekit.cli.wrapping import wrapped
from puzzlekit.errors import InputError, closest, installing, printable
from puzzlekit.options import Option
from puzzlekit.sentences import NoTypeFor, NumberOfTypes, counted

if TYPE_CHECKING:
    from puzzlekit.catalogue import Header

OTHERS = "other"  # the heading of types without a group
EXAMPLES = "examples"  # the folder of types and scripts that the docs show


def list_types(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORD…", help="a group, a name, or words about the puzzle"),
    ] = None,
) -> int:
    """List the puzzle types by groups, and the backends; with words, only the types that all of
    them fit.
    """
    return _list_matches(words) if words else _list_all()


def _list_all() -> int:
    """Print the names of the types by groups, and the backends."""
    from puzzlekit.catalogue import headers, types

    groups: dict[str, list[str]] = {}
    all_headers = headers(types())
    for name, header in all_headers.items():
        if header is not None and header.is_type:
            groups.setdefault(header.group or OTHERS, []).append(name)
    width = max(map(len, groups), default=0) + 2
    for group in sorted(groups, key=lambda group: (group == OTHERS, group)):
        print(printable(_labelled(group, [", ".join(groups[group])], width)))
    for name, path in types().items():
        if all_headers[name] is None:
            print(printable(f"{path.stem}  (has errors: puzzlekit check {path})"))
    number = sum(map(len, groups.values()))
    total = str(NumberOfTypes(counted(number, "type")))
    print(f"\n{wrapped(total)}")
    _list_backends()
    return 0


def _labelled(label: str, lines: Sequence[str], width: int) -> str:
    """Return wrapped lines beside a label in a column of this width."""
    indent = " " * width
    text = "\n".join(wrapped(line, indent, indent) for line in lines)
    return text.replace(indent, f"{label:<{width}}", 1)


def _list_backends() -> None:
    """Print the backends, and those whose extra is not installed."""
    from puzzlekit.backends import BACKENDS, missing_extra

    extras = {name: missing_extra(name) for name in BACKENDS}
    installed = ", ".join(name for name, extra in extras.items() if not extra)
    line = f"backends: {installed}; auto selects one for each puzzle"
    print(wrapped(line))
    missing = {name: extra for name, extra in extras.items() if extra}
    if missing:
        print(wrapped(f"not installed: {', '.join(missing)}"))
        print(f"     = {installing(*missing.values())}")


def _list_matches(words: list[str]) -> int:
    """Print the types that fit all words, with their aliases and tags.

    Returns 1 if there is none, else 0.
    """
    from puzzlekit.catalogue import type_headers

    matches = type_headers(words)
    if not matches:
        message = NoTypeFor(" ".join(words), _suggestion(words, type_headers()))
        report(str(message))
        return 1
    width = max(map(len, matches)) + 2
    for name, header in matches.items():
        print(printable(_entry(name, header, width)))
    return 0


def _suggestion(words: Sequence[str], type_headers: Mapping[str, Header]) -> str:
    """Return what could be meant by the first word that fits no type; empty if each fits one."""
    vocabulary: set[str] = set()
    for name, header in type_headers.items():
        vocabulary |= {name, *header.aliases, header.group, *header.tags}
    for word in words:
        if not any(header.matches(word) for header in type_headers.values()):
            return closest(word, sorted(vocabulary))
    return ""


def _entry(name: str, header: Header, width: int) -> str:
    """Return a type with its title and aliases, and its group and tags on the next line."""
    title = header.title
    if header.aliases:
        title += f" (also {', '.join(header.aliases)})"
    lines = [title]
    labels = [label for label in (header.group, *header.tags) if label]
    if labels:
        lines.append(", ".join(labels))
    return _labelled(name, lines, width)


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
    from puzzlekit.catalogue import example_specs, find

    if name is not None:
        name = find(name).stem
        if not example_specs(name):
            help = f"puzzlekit new spec {name} prints a spec to begin with"
            raise InputError(f"no examples ship for {name}", help=help)
    if to is not None:
        _copy(name, to)
    elif name is None:
        _count_examples()
    else:
        _list_examples(name)


def _count_examples() -> None:
    """Print the number of examples of each type."""
    from puzzlekit.catalogue import example_specs, types

    for type_name in types():
        count = len(example_specs(type_name))
        if count:
            print(printable(f"{count:>3}  {type_name}"))
    print("\npuzzlekit examples TYPE lists those of a type; --to DIR copies them into a folder")


def _list_examples(type_name: str) -> None:
    """Print the titles of the examples of a type."""
    from puzzlekit.catalogue import example_specs, headers

    paths = sorted(example_specs(type_name))
    by_file = headers({path.name: path for path in paths})
    width = max(map(len, by_file))
    for file, header in by_file.items():
        title = header.title if header else ""
        print(printable(f"{file:<{width}}  {title}".rstrip()))
    print(f"\n{paths[0].parent}")


def _copy(name: str | None, to: Path) -> None:
    """Copy the specs of a type, or all examples, into specs/TYPE below a folder.

    The paths are printed. Raises InputError before it writes anything if another file is in the
    way.
    """
    contents = _example_contents(name, to)
    differing = [
        path for path, content in contents.items() if path.exists() and not _has(path, content)
    ]
    if differing:
        more = ""
        if len(differing) > 1:
            more = f", and {len(differing) - 1} more files"
        message = f"{differing[0]} exists and differs from the example{more}"
        raise InputError(message, help="copy into another folder: --to DIR")
    for path, content in contents.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(
                f"--to {to}: cannot make the folder {path.parent}: {error.strerror}"
            ) from None
        if not path.exists():
            write(path, content)
            print(path)


def _example_contents(name: str | None, to: Path) -> dict[Path, bytes]:
    """Return what to write for the specs of a type, or for all examples, by path."""
    from puzzlekit.reading import shipped

    source = shipped().parent
    if name is not None:
        folders = [source / "specs" / name]
    else:
        folders = [source / "specs", source / EXAMPLES]
    contents = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                contents[to / path.relative_to(source)] = path.read_bytes()
    return contents


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
    from puzzlekit.api import schema as schema_of

    text = schema_of(None if type_name is None else argument_type(type_name))
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
    from puzzlekit import api

    text = api.new_type(name, "" if out is None else str(out))
    _print_or_write(text, out, "type.schema.json", None)


def new_spec(
    type_name: TypeName,
    size: Annotated[str | None, Option("the rows and columns of its boards", "RxC")] = None,
    out: Out = None,
) -> None:
    """Print a spec of a type, with a comment on each field."""
    from puzzlekit import api

    type_ = api.load_type(argument_type(type_name))
    text = api.new_spec(argument_type(type_name), size)
    _print_or_write(text, out, f"{type_.name}.schema.json", argument_type(type_name))


def _print_or_write(text: str, out: Path | None, schema_name: str, type_: Path | None) -> None:
    """Print the text, or write it and its schema beside it."""
    from puzzlekit.api import schema as schema_of

    if out is None:
        print(text, end="")
        return
    if out.exists():
        raise InputError(f"--out {out}: there is such a file; choose another name")
    schema_path = out.parent / schema_name
    writable("--out", out)
    writable("--out", schema_path)
    write(schema_path, schema_of(type_))
    write(out, text)
    print(out)
    print(schema_path)


def new() -> None:
    """Make a type or a spec to begin with."""


PARTS = {"new": {"type": new_type, "spec": new_spec}}
