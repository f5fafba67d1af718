"""What all solutions share, as text and as JSON, and the exit code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console

from puzzlekit.api import Puzzle, Query, plain
from puzzlekit.api.backbone import Backbone, Difference
from puzzlekit.api.checks import NAMED_VALUES
from puzzlekit.api.pictures import common_parts, drawable, picture, together
from puzzlekit.boards import Grid
from puzzlekit.cli.run_report import exit_code
from puzzlekit.cli.screen import console, of_backbone, print_json, progress, show_lines
from puzzlekit.clock import Clock
from puzzlekit.lang import VariableArray
from puzzlekit.lang.expressions import Expression
from puzzlekit.lang.expressions.values import Stacked
from puzzlekit.model import Value, Values, Variable
from puzzlekit.options import RunOptions
from puzzlekit.processes import command
from puzzlekit.render.build import drawn_unknowns, scenes_of
from puzzlekit.render.grouping import as_mapping
from puzzlekit.render.make_layers import by_pair
from puzzlekit.render.picture import value
from puzzlekit.render.svg_shared import shared
from puzzlekit.scene import CellPos
from puzzlekit.sentences.formatting import comma_list
from puzzlekit.sentences.reports import (
    Ending,
    Interrupted,
    NamedMembers,
    NoSolutionProven,
    NotSettled,
    Settled,
    WithBest,
    every_solution,
)
from puzzlekit.sentences.sentence import Sentence

NAMED_INDEXES = 8  # printed of what holds in some solutions
TELLING_FACTS = 5  # printed, the most informative differences
COMPARED_SOLUTIONS = 100  # for what all pictures of a backbone share

OPEN, UNSETTLED = "?", "~"  # in the picture: several values; not known
BASIS = {"sample": "{} solutions drawn at random", "first": "the first {} solutions"}


def print_backbone(
    puzzle: Puzzle, query: Query, means: RunOptions, clock: Clock, as_json: bool, no_color: bool
) -> int:
    """Print what all solutions share, as text or JSON; returns the exit code."""
    with progress(puzzle.title):
        found = Backbone(puzzle, query, means.backend, clock=clock, isolated=means.isolated)
    command.end_after(None)
    if as_json:
        print_json(report(found))
        found.raise_unsupported()
        return exit_code(found)
    screen = console(no_color)
    screen.print(puzzle.title)
    found.raise_unsupported()
    if found.any:
        _show(screen, found)
        _print_differences(screen, found)
    screen.print(_closing(found))
    return exit_code(found)


def _show(screen: Console, found: Backbone) -> None:
    """Print what the type shows, with signs for open and unsettled unknowns."""
    instance = found.puzzle.instance
    families = {family.name: family for family in found.families()}
    pictures = drawable(instance)
    drawn = drawn_unknowns(pictures, instance)
    if drawn:
        scenes = zip(*(scenes_of(instance, values, pictures) for values in _examples(found)))
        signs = _unsettled_cells(
            (families[name] for name in sorted(drawn & families.keys())), found
        )
        show_lines(screen, together([shared(list(several), signs, OPEN) for several in scenes]))
    else:
        show_lines(screen, common_parts(instance))
    letters = all(
        type(value) is str and len(value) == 1 for values in found.seen.values() for value in values
    )
    for shown in found.puzzle.type.show:
        if shown.name in drawn:
            _show_rest(screen, found, families[shown.name]) if _is_listed(
                found, families[shown.name]
            ) else None
        elif shown.name in families:
            _show_family(screen, found, families[shown.name])
        elif shown.expression is not None and letters:  # signs can replace letters
            marked = {variable: _mark(found, variable) for variable in found.seen}
            made = instance.evaluate(shown.expression, {**(found.first or {}), **marked})
            show_lines(screen, value(shown.name, made))
        elif shown.expression is not None:
            _show_expression(screen, found, shown.name, shown.expression)


def _examples(found: Backbone) -> list[Values]:
    """Solutions in which each open unknown takes different values, and more if they are known."""
    return [*found.witnesses, *found.solutions[:COMPARED_SOLUTIONS]]


def _unsettled_cells(families: Iterable[VariableArray], found: Backbone) -> dict[CellPos, str]:
    """The sign of unsettled unknowns, by cell."""
    unsettled = set(found.unsettled)
    return {
        cell: UNSETTLED
        for family in families
        if family.over_cells()
        for cell, variable in family.members.items()
        if variable in unsettled
    }


def _show_expression(screen: Console, found: Backbone, name: str, expression: Expression) -> None:
    """Print a value that a type shows, as far as it is the same in all solutions."""
    unsettled = set(found.unsettled)
    if any(
        v in unsettled
        for family in found.families()
        if family.name in expression.names
        for v in family
    ):
        screen.print(f"    {name}: {UNSETTLED}")
        return
    values = [found.puzzle.instance.evaluate(expression, example) for example in _examples(found)]
    show_lines(screen, value(name, _common(values)))


def _common(values: Sequence[Any]) -> Any:
    """What values of several solutions share, with a sign where they differ."""
    first = values[0]
    if isinstance(first, Grid | VariableArray):
        return _common([as_mapping(value) for value in values])
    if isinstance(first, Mapping) and all(isinstance(value, Mapping) for value in values):
        keys = dict.fromkeys(key for value in values for key in value)
        return {key: _common([value.get(key) for value in values]) for key in keys}
    if isinstance(first, tuple) and all(
        type(value) is type(first) and len(value) == len(first) for value in values
    ):
        parts = tuple(map(_common, zip(*values)))
        return Stacked(parts) if isinstance(first, Stacked) else parts
    return first if all(value == first for value in values) else OPEN


def _show_family(screen: Console, found: Backbone, family: VariableArray) -> None:
    """Print the unknowns of one family beside the picture."""
    listed = _is_listed(found, family)
    members = {
        index: False if listed and variable not in found.fixed else _mark(found, variable)
        for index, variable in family.members.items()
    }
    show_lines(
        screen,
        picture(VariableArray(family.name, members, family.arity), None, found.puzzle.instance),
    )
    if listed:
        _show_rest(screen, found, family)


def _is_listed(found: Backbone, family: VariableArray) -> bool:
    """Whether only those that are true are shown: on lines or pieces, not in cells or tables."""
    truths = all(isinstance(value, bool) for variable in family for value in found.seen[variable])
    return truths and family.arity > 0 and not family.over_cells() and not by_pair(family)


def _show_rest(screen: Console, found: Backbone, family: VariableArray) -> None:
    """Print, below what is true in all solutions, what is true in some."""
    most = NAMED_INDEXES
    for sign, variables in (
        ("true in some solutions", set(found.open)),
        ("not settled", set(found.unsettled)),
    ):
        indexes = [
            str(index) for index, variable in family.members.items() if variable in variables
        ]
        if indexes:
            named = comma_list(indexes, most)
            screen.print(f"    {NamedMembers(family.name, sign, named)}")


def _mark(found: Backbone, variable: Variable) -> Value:
    """The value of a fixed unknown, or the sign of an open or unsettled one."""
    if variable in found.fixed:
        return next(iter(found.seen[variable]))
    return OPEN if len(found.seen[variable]) > 1 else UNSETTLED


def _print_differences(screen: Console, found: Backbone) -> None:
    """Print how many unknowns are fixed, and the most informative differences."""
    unsettled = f"{len(found.unsettled):,}" if found.unsettled else ""
    others = NotSettled(unsettled, UNSETTLED) if unsettled else ""
    best = WithBest(found.goal.name, str(found.value)) if found.goal else None
    fixed, opened = f"{len(found.fixed):,}", f"{len(found.open):,}"
    screen.print(f"\n{Settled(fixed, opened, OPEN, others, best)}")
    differences = found.differences()
    if differences:
        screen.print(f"most informative, in {_basis(found)}:")
    for difference in differences[:TELLING_FACTS]:
        screen.print(
            f"    {difference.bits:5.2f} bits  {difference.subject}: {_counts(difference.values)}"
        )


def _counts(values: Counter[str]) -> str:
    most = values.most_common(NAMED_VALUES)
    more = f", {len(values) - len(most):,} more" if len(values) > len(most) else ""
    return ", ".join(f"{value} ({count:,})" for value, count in most) + more


def _closing(found: Backbone) -> str:
    return str(Ending(_outcome(found), found.solved_by, f"{found.seconds:.2f}"))


def _outcome(found: Backbone) -> str | Sentence:
    """How many solutions there are, as far as that is known."""
    if found.status != "complete":
        solutions = "" if found.any else "no solution yet"
        return Interrupted(found.status, str(found.reason), solutions)
    if not found.any:
        return NoSolutionProven(str(found.conflict or ""))
    number = len(found.solutions)
    if found.basis != "all" or not number:
        return "several solutions"
    return "the only solution" if number == 1 else every_solution(number)


def report(found: Backbone) -> dict[str, object]:
    """The backbone as the object that --json prints."""
    goal = (
        None
        if found.goal is None or found.value is None
        else {"name": found.goal.name, "value": found.value}
    )
    return of_backbone(
        puzzle=found.puzzle.type.name,
        spec=found.puzzle.spec.source.path,
        backend=found.solved_by,
        status=found.status,
        reason=None if found.reason is None else str(found.reason),
        goal=goal,
        any=found.any,
        fixed=_by_family(found, found.fixed),
        open=_by_family(found, found.open),
        unsettled=_by_family(found, found.unsettled),
        basis=found.basis,
        solutions=len(found.solutions),
        tells=[_difference(difference) for difference in found.differences()],
        seconds=round(found.seconds, 4),
    )


def _by_family(
    found: Backbone, variables: Iterable[Variable]
) -> dict[str, dict[str, list[object]]]:
    """The values found for these variables, by unknown and index."""
    chosen = set(variables)
    return {
        family.name: {
            str(index) if family.arity else "": [plain(value) for value in found.seen[variable]]
            for index, variable in family.members.items()
            if variable in chosen
        }
        for family in found.families()
        if any(variable in chosen for variable in family)
    }


def _difference(found: Difference) -> dict[str, object]:
    return {
        "what": found.subject,
        "bits": round(found.bits, 4),
        "values": dict(found.values.most_common()),
    }


def _basis(found: Backbone) -> str:
    """The solutions that were compared, in words."""
    count = len(found.solutions)
    return (
        every_solution(count) if found.basis == "all" else BASIS[found.basis].format(f"{count:,}")
    )
