"""`puzzlekit list` and `show`: what there is."""

from __future__ import annotations

import textwrap
from pathlib import Path

from puzzlekit.backends import BACKENDS, missing_extra
from puzzlekit.catalogue import find, types
from puzzlekit.errors import PuzzlekitError, printable
from puzzlekit.lang import is_type, read_type


def list_all() -> None:
    """The types, with their titles, and the backends."""
    titles: dict[str, str] = {}
    for name, path in types().items():
        try:
            titles[name] = read_type(path).title
        except PuzzlekitError:
            if not _is_spec(path):
                titles[name] = f"(has problems: puzzlekit check {path})"
    width = max(map(len, titles), default=0)
    for name, title in titles.items():
        print(printable(f"{name:<{width}}  {title}"))
    lacking = {name: extra for name in BACKENDS if (extra := missing_extra(name))}
    there = ", ".join(name for name in BACKENDS if name not in lacking)
    print(f"\nbackends: {there}; auto takes the best of them for what the puzzle holds")
    if lacking:
        print(f"not installed: {', '.join(lacking)} (pip install 'puzzlekit-yaml[{','.join(lacking.values())}]')")


def _is_spec(path: Path) -> bool:
    """Whether it is a spec that stands beside types."""
    try:
        return not is_type(path)
    except PuzzlekitError:
        return False


def show_type(name: str) -> None:
    """A type's page: what it is about, the fields of its specs, its rules and goals."""
    kind = read_type(find(name))
    print(printable(f"{kind.name}: {kind.title}\n"))
    print(printable(textwrap.fill(kind.about, 100)))
    print("\nA spec gives:")
    for field in kind.fields.values():
        print(printable(f"  {field!s:<36} {field.about}".rstrip()))
    print("\nRules:")
    for rule in dict.fromkeys(rule.name for rule in kind.rules):
        print(printable(f"  {rule}"))
    if kind.goals:
        first = f" ({kind.default_goal()} is the default; --goal none drops it)" if kind.default_goal() else ""
        print(f"\nGoals: {', '.join(kind.goals)}{first}")
    if kind.rank:
        print(f"Solutions are ranked by {kind.rank}; --rank takes another goal, or none")
    if kind.then:
        print(f"\nThen, from each answer: {', '.join(then.name for then in kind.then)}")
    print(f"\n{kind.source.path}")
