"""`puzzlekit show TYPE SPEC --rules`: what each rule became."""

from __future__ import annotations

import textwrap

from puzzlekit.api import Puzzle
from puzzlekit.cli.commands.show import COLUMNS
from puzzlekit.errors import printable
from puzzlekit.lang.expressions.values import shown
from puzzlekit.model import Constraint
from puzzlekit.model.term_text import term_text

FIRST = 3  # conditions that are shown


def show_rules(puzzle: Puzzle) -> int:
    """Print each rule: how many conditions it became, the first of them, how long it took.

    Returns:
        The exit code.
    """
    model, seconds = puzzle.model, puzzle.instance.rule_seconds
    print(printable(f"{puzzle.title}: {len(model.visible()):,} unknowns, {len(model.constraints):,} conditions"))
    of_place: dict[object, list[Constraint]] = {}
    for stated in model.constraints:
        of_place.setdefault(stated.origin.place, []).append(stated)
    for name, place, spent in seconds:
        made = of_place.get(place, [])
        number = f"{len(made):,} condition{'s' * (len(made) != 1)}" if made else "no condition"
        print(printable(f"\n{textwrap.shorten(name, COLUMNS)}\n  {number}, {spent:.3f} s"))
        for constraint in made[:FIRST]:
            origin, text = constraint.origin, term_text(constraint.condition, shown)
            which = ", ".join(f"{variable} = {shown(value)}" for variable, value in origin.bindings)
            if which or origin.rule != name:  # a name with loop variables shows them
                text = f"{which or origin.rule}: {text}"
            print(
                printable(
                    textwrap.fill(text, COLUMNS, initial_indent="  - ", subsequent_indent="    ", max_lines=3, placeholder=" …")
                )
            )
    return 0
