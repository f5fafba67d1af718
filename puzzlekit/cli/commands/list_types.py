"""`puzzlekit list`: types and backends."""

from __future__ import annotations

import sys
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from puzzlekit.errors import installing, nearest, printable

if TYPE_CHECKING:
    from puzzlekit.catalogue import Header

COLUMNS = 80
OTHERS = "other"  # the heading of types without a group


def list_types(
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORD…", help="a group, a name, or words about the puzzle")
    ] = None,
) -> int:
    """List the puzzle types by groups, and the backends; with words, only the types that all of them fit."""
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
        print(printable(textwrap.indent(line, " " * width).replace(" " * width, f"{group:<{width}}", 1)))
    for path in (path for name, path in types().items() if known[name] is None):
        print(printable(f"{path.stem}  (has errors: puzzlekit check {path})"))
    number = sum(map(len, groups.values()))
    print(f"\n{number} type{'s' * (number != 1)}; puzzlekit list WORD… finds types, puzzlekit show TYPE describes one")
    lacking = {name: extra for name in BACKENDS if (extra := missing_extra(name))}
    there = ", ".join(name for name in BACKENDS if name not in lacking)
    print(textwrap.fill(f"backends: {there}; auto selects one for each puzzle", COLUMNS, break_on_hyphens=False))
    if lacking:
        print(f"not installed: {', '.join(lacking)} ({installing(*lacking.values())})")
    return 0


def _found(words: list[str]) -> int:
    """Print the types that fit all of the words, with their other names and tags; returns 1 if there is none."""
    from puzzlekit.catalogue import headers, types

    known = {name: header for name, header in headers(types()).items() if header is not None and header.is_type}
    found = {name: header for name, header in known.items() if all(map(header.matches, words))}
    if not found:
        every = {word for name, header in known.items() for word in (name, *header.also, header.group, *header.tags)}
        odd = (word for word in words if not any(header.matches(word) for header in known.values()))
        hint = next((nearest(word, sorted(every)) for word in odd), "")
        close = f"; {hint}" if hint.startswith("did you mean") else ""
        print(printable(f"there is no type for {' '.join(words)}{close}"), file=sys.stderr)
        return 1
    width = max(map(len, found)) + 2
    for name, header in found.items():
        print(printable(_item(name, header, width)))
    return 0


def _item(name: str, header: Header, width: int) -> str:
    """A type with its title and other names, and its group and tags on the next line."""
    title = header.title + f" (also {', '.join(header.also)})" * bool(header.also)
    lines = [title, *filter(None, [", ".join(filter(None, (header.group, *header.tags)))])]
    indent = " " * width
    wrapper = textwrap.TextWrapper(COLUMNS, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    texts = map(wrapper.fill, lines)
    return "\n".join(texts).replace(indent, f"{name:<{width}}", 1)
