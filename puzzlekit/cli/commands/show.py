"""`puzzlekit show`: the page of a type, and what its rules become for a spec."""

from __future__ import annotations

import textwrap
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from puzzlekit.cli.options import SpecPath, TypeName, load_puzzle
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, Stopped, printable
from puzzlekit.lang.type_sections import sections_of
from puzzlekit.options import Option
from puzzlekit.processes import command
from puzzlekit.sentences.formatting import counted

if TYPE_CHECKING:
    from puzzlekit.api import Puzzle
    from puzzlekit.lang import PuzzleType
    from puzzlekit.lang.puzzle_type import Picture
    from puzzlekit.model import Constraint

COLUMNS = 80
FIELD = 36  # columns of a field before its text
INDENT = " " * 4  # of the second line of an item
EXAMPLE_SECONDS = (
    2.0  # in which data that are made up are bound, for the picture of a type that states none
)
FIRST = 3  # conditions of a rule that are shown


def show(
    type_name: TypeName,
    spec: SpecPath = None,
    rules: Annotated[bool, Option("show what each rule becomes for the spec")] = False,
) -> None:
    """Show what a type is about and which fields its specs have; with --rules, what its rules
    become.
    """
    if rules:
        _show_rules(load_puzzle(type_name, spec, Clock(None, command.began())))
        return
    if spec is not None:
        raise InputError(
            "show TYPE takes a spec only with --rules",
            help="puzzlekit draw TYPE SPEC draws its puzzle",
        )
    _show_type(type_name)


def _wrapped(head: str, about: str) -> str:
    """An item of a list, wrapped; a head that is too long for its column stands alone."""
    if len(head) > FIELD + 1:
        first = textwrap.fill(f"  {head.rstrip()}", COLUMNS, subsequent_indent=INDENT)
        lines = [
            first,
            *textwrap.wrap(about, COLUMNS, initial_indent=INDENT, subsequent_indent=INDENT),
        ]
        return "\n".join(lines)
    indent = " " * (2 + len(head)) if head else INDENT
    return textwrap.fill(
        f"  {head}{about}".rstrip(), COLUMNS, subsequent_indent=indent, replace_whitespace=False
    )


def _show_type(name: str) -> None:
    """Print a type's page: what it is about, the fields of its specs, its rules and goals."""
    from puzzlekit.catalogue import find
    from puzzlekit.lang import read_type
    from puzzlekit.lang.puzzle_type import Shown
    from puzzlekit.render.default_picture import as_section, fields_below

    kind = read_type(find(name))
    print(printable(f"{kind.name}: {kind.title}" if kind.title else kind.name))
    if kind.aliases:
        print(printable(textwrap.fill(f"Also called {', '.join(kind.aliases)}", COLUMNS)))
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
            print(
                printable(
                    _wrapped("", f"{goal.name}: {' '.join(goal.expression.text.value.split())}")
                )
            )
        if kind.default_goal():
            print(f"The default goal is {kind.default_goal()}; --goal none drops it")
    if kind.rank:
        print(f"Solutions are ranked by {kind.rank}; --rank takes another goal, or none")
    pictures = kind.pictures or _inferred(kind)
    below = kind.below or (
        () if kind.below is not None or not pictures else map(Shown, fields_below(kind, pictures))
    )
    if pictures or kind.below:
        print("\nPicture:" if kind.pictures else "\nPicture, inferred:")
        print(textwrap.indent(printable(as_section(pictures, tuple(below))), "  "))
    for section in sections_of(kind):
        if summary := section.summary():
            print(f"\n{summary}")
    print(f"\n{kind.source.path}")


def _inferred(kind: PuzzleType) -> tuple[Picture, ...]:
    """The pictures of a type that states none, as data that are made up show its unknowns."""
    from puzzlekit.api import load
    from puzzlekit.lang.schema import example_data
    from puzzlekit.render.default_picture import inferred, pictures_of

    with suppress(InputError, Stopped):
        if (values := example_data(kind)) is not None:
            return pictures_of(
                load(Path(kind.source.path), values, timeout=EXAMPLE_SECONDS).instance
            )
    return inferred(kind)


def _show_rules(puzzle: Puzzle) -> None:
    """Print each rule: how many conditions it became, the first of them, how long it took."""
    from puzzlekit.lang.expressions.values import display_text
    from puzzlekit.model.formatting import term_text

    model, seconds = puzzle.model, puzzle.instance.rule_seconds
    print(
        printable(
            f"{puzzle.title}: {len(model.visible()):,} unknowns, {len(model.constraints):,} conditions"
        )
    )
    of_place: dict[object, list[Constraint]] = {}
    for stated in model.constraints:
        of_place.setdefault(stated.origin.position, []).append(stated)
    for name, place, spent in seconds:
        made = of_place.get(place, [])
        number = counted(len(made), "condition") if made else "no condition"
        print(printable(f"\n{textwrap.shorten(name, COLUMNS)}\n  {number}, {spent:.3f} s"))
        for constraint in made[:FIRST]:
            origin, text = constraint.origin, term_text(constraint.condition, display_text)
            which = ", ".join(
                f"{variable} = {display_text(value)}" for variable, value in origin.bindings
            )
            if which or origin.rule != name:  # a name with loop variables shows them
                text = f"{which or origin.rule}: {text}"
            print(
                printable(
                    textwrap.fill(
                        text,
                        COLUMNS,
                        initial_indent="  - ",
                        subsequent_indent="    ",
                        max_lines=3,
                        placeholder=" …",
                    )
                )
            )
