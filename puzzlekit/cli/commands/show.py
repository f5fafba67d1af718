"""`puzzlekit show`: the page of a type."""

from __future__ import annotations

import textwrap

from puzzlekit.catalogue import find
from puzzlekit.errors import printable
from puzzlekit.lang import read_type
from puzzlekit.lang.picture_inference import as_section, fields_below, inferred
from puzzlekit.lang.puzzle_type import Shown

COLUMNS = 80
FIELD = 36  # columns of a field before its text
INDENT = " " * 4  # of the second line of an item


def _wrapped(head: str, about: str) -> str:
    """An item of a list, wrapped; a head that is too long for its column stands alone."""
    if len(head) > FIELD + 1:
        first = textwrap.fill(f"  {head.rstrip()}", COLUMNS, subsequent_indent=INDENT)
        lines = [first, *textwrap.wrap(about, COLUMNS, initial_indent=INDENT, subsequent_indent=INDENT)]
        return "\n".join(lines)
    indent = " " * (2 + len(head)) if head else INDENT
    return textwrap.fill(f"  {head}{about}".rstrip(), COLUMNS, subsequent_indent=indent, replace_whitespace=False)


def show_type(name: str) -> None:
    """A type's page: what it is about, the fields of its specs, its rules and goals."""
    kind = read_type(find(name))
    print(printable(f"{kind.name}: {kind.title}" if kind.title else kind.name))
    if kind.also:
        print(printable(textwrap.fill(f"Also called {', '.join(kind.also)}", COLUMNS)))
    if kind.about:
        print(f"\n{printable(textwrap.fill(kind.about, COLUMNS))}")
    if kind.fields:
        print("\nA spec gives:")
    for field in kind.fields.values():
        print(printable(_wrapped(f"{field!s:<{FIELD}} ", field.about)))
    if kind.rules:
        print("\nRules:")
    for rule in dict.fromkeys(rule.name for rule in kind.rules):
        print(printable(_wrapped("", rule)))
    if kind.goals:
        print("\nGoals:")
        for goal in kind.goals.values():
            print(printable(_wrapped("", f"{goal.name}: {' '.join(goal.expression.text.value.split())}")))
        if kind.default_goal():
            print(f"The default goal is {kind.default_goal()}; --goal none drops it")
    if kind.rank:
        print(f"Solutions are ranked by {kind.rank}; --rank takes another goal, or none")
    pictures = kind.pictures or inferred(kind)
    below = kind.below or (() if kind.below is not None or not pictures else map(Shown, fields_below(kind, pictures)))
    if pictures or kind.below:
        print("\nPicture:" if kind.pictures else "\nPicture, inferred:")
        print(textwrap.indent(printable(as_section(pictures, tuple(below))), "  "))
    if kind.then:
        print(f"\nThen, from each solution: {', '.join(then.name for then in kind.then)}")
    print(f"\n{kind.source.path}")
