"""The backbone of a puzzle, which all its solutions share, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console

from puzzlekit.api import (
    NAMED_VALUES,
    Backbone,
    Difference,
    Puzzle,
    Query,
    common_parts,
    drawable,
    picture,
    plain,
    together,
)
from puzzlekit.boards import Grid
from puzzlekit.cli.run_report import exit_code
from puzzlekit.cli.screen import console, of_backbone, print_json, progress, show_lines
from puzzlekit.clock import Clock
from puzzlekit.lang import Expression, Stacked, VariableArray
from puzzlekit.model import Value, Values, Variable
from puzzlekit.options import RunOptions
from puzzlekit.processes import end_command_after
from puzzlekit.render import (
    as_mapping,
    drawn_unknowns,
    scenes_of,
    shared,
    table_entries,
    value_picture,
)
from puzzlekit.scene import CellPos
from puzzlekit.sentences import (
    Ending,
    Interrupted,
    NamedMembers,
    NoSolutionProven,
    NotSettled,
    Sentence,
    Settled,
    WithBest,
    comma_list,
    every_solution,
)

NAMED_INDEXES = 8  # printed of those that are true in some solutions
TELLING_FACTS = 5  # differences that are printed, the most informative ones
COMPARED_SOLUTIONS = 100  # whose pictures are compared

OPEN, UNSETTLED = "?", "~"  # signs of unknowns with several values, and of unknown values
BASIS = {"sample": "{} solutions drawn at random", "first": "the first {} solutions"}


def print_backbone(
    puzzle: Puzzle, query: Query, means: RunOptions, clock: Clock, as_json: bool, no_color: bool
) -> int:
    """Print what all solutions share, as text or JSON; return the exit code."""
    with progress(puzzle.title):
        backbone = Backbone(puzzle, query, means.backend, clock=clock, isolated=means.isolated)
    end_command_after(None)
    if as_json:
        print_json(report(backbone))
        backbone.raise_unsupported()
        return exit_code(backbone)
    screen = console(no_color)
    screen.print(puzzle.title)
    backbone.raise_unsupported()
    if backbone.any:
        _show(screen, backbone)
        _print_differences(screen, backbone)
    screen.print(_closing(backbone))
    return exit_code(backbone)


def _show(screen: Console, backbone: Backbone) -> None:
    """Print what the type shows, with signs for open and unsettled unknowns."""
    families = {family.name: family for family in backbone.families()}
    drawn = _show_picture(screen, backbone, families)
    has_letters = _has_only_letters(backbone)
    for entry in backbone.puzzle.type.show:
        name = entry.name
        if name in drawn:
            if _is_list(backbone, families[name]):
                _show_undecided(screen, backbone, families[name])
        elif name in families:
            _show_family(screen, backbone, families[name])
        elif entry.expression is not None:
            if has_letters:  # signs can replace letters
                _show_with_signs(screen, backbone, name, entry.expression)
            else:
                _show_expression(screen, backbone, name, entry.expression)


def _show_picture(
    screen: Console, backbone: Backbone, families: Mapping[str, VariableArray]
) -> set[str]:
    """Print the picture; return the names of the unknowns in it."""
    instance = backbone.puzzle.instance
    pictures = drawable(instance)
    drawn = drawn_unknowns(pictures, instance)
    if not drawn:
        show_lines(screen, common_parts(instance))
        return drawn
    drawn_families = [families[name] for name in sorted(drawn & families.keys())]
    signs = _unsettled_cells(drawn_families, backbone)
    by_example = [scenes_of(instance, values, pictures) for values in _examples(backbone)]
    scenes = [shared(list(variants), signs, OPEN) for variants in zip(*by_example)]
    show_lines(screen, together(scenes))
    return drawn


def _has_only_letters(backbone: Backbone) -> bool:
    """Whether each value of an unknown is a text of one character."""
    letters = (letter for values in backbone.seen.values() for letter in values)
    return all(type(letter) is str and len(letter) == 1 for letter in letters)


def _examples(backbone: Backbone) -> list[Values]:
    """Return solutions in which each open unknown takes different values, and some others."""
    return [*backbone.witnesses, *backbone.solutions[:COMPARED_SOLUTIONS]]


def _unsettled_cells(families: Iterable[VariableArray], backbone: Backbone) -> dict[CellPos, str]:
    """Return the sign of unsettled unknowns, by cell."""
    unsettled = set(backbone.unsettled)
    signs = {}
    for family in families:
        if family.over_cells():
            for cell, variable in family.members.items():
                if variable in unsettled:
                    signs[cell] = UNSETTLED
    return signs


def _show_with_signs(
    screen: Console, backbone: Backbone, name: str, expression: Expression
) -> None:
    """Print an output of letters, with signs in place of those that are open or unsettled."""
    signs = {variable: _sign_or_value(backbone, variable) for variable in backbone.seen}
    values = {**(backbone.first or {}), **signs}
    show_lines(screen, value_picture(name, backbone.puzzle.instance.evaluate(expression, values)))


def _show_expression(
    screen: Console, backbone: Backbone, name: str, expression: Expression
) -> None:
    """Print an output, as far as it is the same in all solutions."""
    unsettled = set(backbone.unsettled)
    for family in backbone.families():
        if family.name in expression.names and not unsettled.isdisjoint(family):
            screen.print(f"    {name}: {UNSETTLED}")
            return
    instance = backbone.puzzle.instance
    outputs = [instance.evaluate(expression, values) for values in _examples(backbone)]
    show_lines(screen, value_picture(name, _common(outputs)))


def _common(outputs: Sequence[Any]) -> Any:
    """Return what an output has in common in several solutions, with a sign where they differ."""
    first = outputs[0]
    if isinstance(first, Grid | VariableArray):
        return _common([as_mapping(output) for output in outputs])
    if isinstance(first, Mapping) and all(isinstance(output, Mapping) for output in outputs):
        keys = dict.fromkeys(key for output in outputs for key in output)
        return {key: _common([output.get(key) for output in outputs]) for key in keys}
    if isinstance(first, tuple) and all(_is_alike(output, first) for output in outputs):
        members = tuple(map(_common, zip(*outputs)))
        return Stacked(members) if isinstance(first, Stacked) else members
    return first if all(output == first for output in outputs) else OPEN


def _is_alike(output: object, first: tuple[Any, ...]) -> bool:
    """Whether an output is a tuple of the same type and length."""
    return type(output) is type(first) and len(output) == len(first)


def _show_family(screen: Console, backbone: Backbone, family: VariableArray) -> None:
    """Print the unknowns of one family beside the picture."""
    is_list = _is_list(backbone, family)
    members: dict[Any, Value] = {}
    for index, variable in family.members.items():
        if is_list and variable not in backbone.fixed:
            members[index] = False
        else:
            members[index] = _sign_or_value(backbone, variable)
    marked = VariableArray(family.name, members, family.arity)
    show_lines(screen, picture(marked, None, backbone.puzzle.instance))
    if is_list:
        _show_undecided(screen, backbone, family)


def _is_list(backbone: Backbone, family: VariableArray) -> bool:
    """Whether only the true unknowns are shown: on lines or pieces, not in cells or tables."""
    if family.arity == 0 or family.over_cells() or table_entries(family):
        return False
    seen = [value for variable in family for value in backbone.seen[variable]]
    return all(isinstance(value, bool) for value in seen)


def _show_undecided(screen: Console, backbone: Backbone, family: VariableArray) -> None:
    """Print which unknowns are true in only some solutions, and which are not settled."""
    undecided = {"true in some solutions": backbone.open, "not settled": backbone.unsettled}
    for label, unknowns in undecided.items():
        variables = set(unknowns)
        indexes = [
            str(index) for index, variable in family.members.items() if variable in variables
        ]
        if indexes:
            members = NamedMembers(family.name, label, comma_list(indexes, NAMED_INDEXES))
            screen.print(f"    {members}")


def _sign_or_value(backbone: Backbone, variable: Variable) -> Value:
    """Return the value of a fixed unknown, or the sign of an open or unsettled one."""
    values = backbone.seen[variable]
    if variable in backbone.fixed:
        return next(iter(values))
    return OPEN if len(values) > 1 else UNSETTLED


def _print_differences(screen: Console, backbone: Backbone) -> None:
    """Print how many unknowns are fixed, and the most informative differences."""
    others: NotSettled | str = ""
    if backbone.unsettled:
        others = NotSettled(f"{len(backbone.unsettled):,}", UNSETTLED)
    best = None
    if backbone.goal:
        best = WithBest(backbone.goal.name, str(backbone.value))
    fixed = f"{len(backbone.fixed):,}"
    opened = f"{len(backbone.open):,}"
    screen.print(f"\n{Settled(fixed, opened, OPEN, others, best)}")
    differences = backbone.differences()
    if differences:
        screen.print(f"most informative, in {_basis(backbone)}:")
    for difference in differences[:TELLING_FACTS]:
        bits = f"{difference.bits:5.2f} bits"
        screen.print(f"    {bits}  {difference.subject}: {_counts(difference.values)}")


def _counts(values: Counter[str]) -> str:
    most_common = values.most_common(NAMED_VALUES)
    texts = [f"{value} ({count:,})" for value, count in most_common]
    if len(values) > len(most_common):
        texts.append(f"{len(values) - len(most_common):,} more")
    return ", ".join(texts)


def _closing(backbone: Backbone) -> str:
    return str(Ending(_outcome(backbone), backbone.solved_by, f"{backbone.seconds:.2f}"))


def _outcome(backbone: Backbone) -> str | Sentence:
    """Return how many solutions there are, as far as that is known."""
    if backbone.status != "complete":
        solutions = "" if backbone.any else "no solution yet"
        return Interrupted(backbone.status, str(backbone.reason), solutions)
    if not backbone.any:
        return NoSolutionProven(str(backbone.conflict or ""))
    number = len(backbone.solutions)
    if backbone.basis != "all" or not number:
        return "several solutions"
    return "the only solution" if number == 1 else every_solution(number)


def report(backbone: Backbone) -> dict[str, object]:
    """Return the backbone as the object that --json prints."""
    goal = None
    if backbone.goal is not None and backbone.value is not None:
        goal = {"name": backbone.goal.name, "value": backbone.value}
    reason = None
    if backbone.reason is not None:
        reason = str(backbone.reason)
    unknowns: dict[str, object] = {
        "fixed": _by_family(backbone, backbone.fixed),
        "open": _by_family(backbone, backbone.open),
        "unsettled": _by_family(backbone, backbone.unsettled),
    }
    puzzle = backbone.puzzle
    return of_backbone(
        puzzle=puzzle.type.name,
        spec=puzzle.spec.source.path,
        backend=backbone.solved_by,
        status=backbone.status,
        reason=reason,
        goal=goal,
        any=backbone.any,
        **unknowns,
        **_comparison(backbone),
        seconds=round(backbone.seconds, 4),
    )


def _comparison(backbone: Backbone) -> dict[str, object]:
    """Return how the compared solutions differ, as plain data."""
    return {
        "basis": backbone.basis,
        "solutions": len(backbone.solutions),
        "tells": [_difference(difference) for difference in backbone.differences()],
    }


def _by_family(
    backbone: Backbone, variables: Iterable[Variable]
) -> dict[str, dict[str, list[object]]]:
    """Return the values of these variables, by unknown and index."""
    selected = set(variables)
    families = {}
    for family in backbone.families():
        members = {}
        for index, variable in family.members.items():
            if variable in selected:
                key = str(index) if family.arity else ""
                members[key] = [plain(value) for value in backbone.seen[variable]]
        if members:
            families[family.name] = members
    return families


def _difference(difference: Difference) -> dict[str, object]:
    return {
        "what": difference.subject,
        "bits": round(difference.bits, 4),
        "values": dict(difference.values.most_common()),
    }


def _basis(backbone: Backbone) -> str:
    """Return the solutions that were compared, in words."""
    count = len(backbone.solutions)
    if backbone.basis == "all":
        return every_solution(count)
    return BASIS[backbone.basis].format(f"{count:,}")
