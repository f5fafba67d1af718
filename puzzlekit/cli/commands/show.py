"""`puzzlekit show`: the page of a type, and what its rules become for a spec."""

from __future__ import annotations

import textwrap
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from puzzlekit.cli.options import SpecPath, TypeName, load_puzzle
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, Stopped, printable
from puzzlekit.options import Option
from puzzlekit.processes import command_start
from puzzlekit.sentences import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from puzzlekit.api import Puzzle
    from puzzlekit.lang import Picture, PuzzleType, ShowEntry

COLUMNS = 80
FIELD = 36  # columns of a field before its text
INDENT = " " * 4  # of the second line of an entry
EXAMPLE_SECONDS = 2.0  # for binding generated data, for the picture of a type that states none
FIRST = 3  # conditions of a rule that are printed


def show(
    type_name: TypeName,
    spec: SpecPath = None,
    rules: Annotated[bool, Option("show what each rule becomes for the spec")] = False,
) -> None:
    """Show what a type is about and which fields its specs have; with --rules, what its rules
    become.
    """
    if rules:
        _show_rules(load_puzzle(type_name, spec, Clock(None, command_start())))
        return
    if spec is not None:
        raise InputError(
            "show TYPE takes a spec only with --rules",
            help="puzzlekit draw TYPE SPEC draws its puzzle",
        )
    _show_type(type_name)


def _wrapped(head: str, about: str) -> str:
    """Return an entry of a list, wrapped; a head that is too long for its column stands alone."""
    if len(head) > FIELD + 1:
        first = textwrap.fill(f"  {head.rstrip()}", COLUMNS, subsequent_indent=INDENT)
        below = textwrap.wrap(about, COLUMNS, initial_indent=INDENT, subsequent_indent=INDENT)
        return "\n".join([first, *below])
    indent = " " * (2 + len(head)) if head else INDENT
    return textwrap.fill(
        f"  {head}{about}".rstrip(), COLUMNS, subsequent_indent=indent, replace_whitespace=False
    )


def _show_type(name: str) -> None:
    """Print a type's page: what it is about, the fields of its specs, its rules and goals."""
    from puzzlekit.catalogue import find
    from puzzlekit.lang import read_type, sections_of

    type_ = read_type(find(name))
    print(printable(f"{type_.name}: {type_.title}" if type_.title else type_.name))
    if type_.aliases:
        print(printable(textwrap.fill(f"Also called {', '.join(type_.aliases)}", COLUMNS)))
    if type_.about:
        print(f"\n{printable(textwrap.fill(type_.about, COLUMNS))}")
    if type_.fields:
        print("\nA spec gives:")
    for field in type_.fields.values():
        print(printable(_wrapped(f"{field!s:<{FIELD}} ", field.about)))
    if type_.rules:
        print("\nRules:")
    for rule in dict.fromkeys(rule.name for rule in type_.rules):
        print(printable(_wrapped("", rule)))
    _show_goals(type_)
    _show_picture(type_)
    for section in sections_of(type_):
        if summary := section.summary():
            print(f"\n{summary}")
    print(f"\n{type_.source.path}")


def _show_goals(type_: PuzzleType) -> None:
    """Print the goals of a type, and how its solutions are ranked."""
    if type_.goals:
        print("\nGoals:")
        for goal in type_.goals.values():
            expression = " ".join(goal.expression.text.value.split())
            print(printable(_wrapped("", f"{goal.name}: {expression}")))
        if type_.default_goal():
            print(f"The default goal is {type_.default_goal()}; --goal none drops it")
    if type_.rank:
        print(f"Solutions are ranked by {type_.rank}; --rank takes another goal, or none")


def _show_picture(type_: PuzzleType) -> None:
    """Print the picture of a type as a section, also if the type does not state it."""
    from puzzlekit.lang import ShowEntry
    from puzzlekit.render import as_section, fields_below

    pictures = type_.pictures or _default_pictures(type_)
    if not pictures and not type_.below:
        return
    below: Iterable[ShowEntry] = type_.below or ()
    if type_.below is None and pictures:
        below = map(ShowEntry, fields_below(type_, pictures))
    print("\nPicture:" if type_.pictures else "\nPicture, inferred:")
    print(textwrap.indent(printable(as_section(pictures, tuple(below))), "  "))


def _default_pictures(type_: PuzzleType) -> tuple[Picture, ...]:
    """Return the pictures of a type that states none, as generated data show its unknowns."""
    from puzzlekit.api import load
    from puzzlekit.lang import example_data
    from puzzlekit.render import inferred, pictures_of

    with suppress(InputError, Stopped):
        values = example_data(type_)
        if values is not None:
            puzzle = load(Path(type_.source.path), values, timeout=EXAMPLE_SECONDS)
            return pictures_of(puzzle.instance)
    return inferred(type_)


def _show_rules(puzzle: Puzzle) -> None:
    """Print each rule: how many conditions it became, the first of them, how long it took."""
    model = puzzle.model
    unknowns = f"{len(model.visible()):,} unknowns"
    conditions = f"{len(model.constraints):,} conditions"
    print(printable(f"{puzzle.title}: {unknowns}, {conditions}"))
    for rule in puzzle.rules():
        number = counted(rule.number, "condition") if rule.number else "no condition"
        name = textwrap.shorten(rule.name, COLUMNS)
        print(printable(f"\n{name}\n  {number}, {rule.seconds:.3f} s"))
        for text in islice(rule.texts(), FIRST):
            print(printable(_entry(text)))


def _entry(text: str) -> str:
    """Return a condition as an entry of a list."""
    return textwrap.fill(
        text,
        COLUMNS,
        initial_indent="  - ",
        subsequent_indent="    ",
        max_lines=3,
        placeholder=" …",
    )
