"""`puzzlekit solve --backbone`: output and exit code."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Unpack

from rich.console import Console

from puzzlekit.api import Means, Puzzle, Query, plain
from puzzlekit.api.backbone import Backbone, Difference
from puzzlekit.api.pictures import picture
from puzzlekit.cli.process import shared_page
from puzzlekit.cli.screen import console, progress, show_lines
from puzzlekit.lang import Family
from puzzlekit.limits import limits
from puzzlekit.model import Value, Variable
from puzzlekit.render import value

OPEN, UNSETTLED = "?", "~"  # in the picture: several values; not known
BASIS = {"all": "all {} solutions", "sample": "{} solutions drawn at random", "first": "the first {} solutions"}


def backbone(puzzle: Puzzle, query: Query, as_json: bool, no_color: bool, **means: Unpack[Means]) -> int:
    """Print what all solutions share, as text or JSON; returns the exit code."""
    with progress(puzzle.title):
        found = Backbone(puzzle, query, **means)
    shared_page.stop_after(None)
    if as_json:
        print(json.dumps(report(found), ensure_ascii=False))
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
    families = {family.name: family for family in found.families()}
    letters = all(isinstance(value, str) for values in found.seen.values() for value in values)
    for shown in found.puzzle.type.show:
        if shown.name in families:
            _show_family(screen, found, families[shown.name])
        elif shown.expression is not None and letters:  # signs can replace letters
            marked = {variable: _mark(found, variable) for variable in found.seen}
            made = found.puzzle.instance.evaluate(shown.expression, {**(found.first or {}), **marked})
            show_lines(screen, value(shown.name, made))


def _show_family(screen: Console, found: Backbone, family: Family) -> None:
    """Print the unknowns of one family as a picture."""
    truths = all(isinstance(value, bool) for variable in family for value in found.seen[variable])
    plainly = truths and family.arity > 0 and not family.over_cells()
    members = {
        index: False if plainly and variable not in found.fixed else _mark(found, variable)
        for index, variable in family.members.items()
    }
    show_lines(screen, picture(Family(family.name, members, family.arity), None, found.puzzle.instance))
    if plainly:
        _show_rest(screen, found, family)


def _show_rest(screen: Console, found: Backbone, family: Family) -> None:
    """Print, below what is true in all solutions, what is true in some."""
    most = limits().reporting.named_indexes
    for sign, variables in (("true in some solutions", set(found.open)), ("not settled", set(found.unsettled))):
        indexes = [str(index) for index, variable in family.members.items() if variable in variables]
        if indexes:
            more = f" and {len(indexes) - most:,} more" if len(indexes) > most else ""
            screen.print(f"    {family.name}, {sign}: {', '.join(indexes[:most])}{more}")


def _mark(found: Backbone, variable: Variable) -> Value:
    """The value of a fixed unknown, or the sign of an open or unsettled one."""
    if variable in found.fixed:
        return next(iter(found.seen[variable]))
    return OPEN if len(found.seen[variable]) > 1 else UNSETTLED


def _print_differences(screen: Console, found: Backbone) -> None:
    """Print how many unknowns are fixed, and the most informative differences."""
    unsettled = f", {len(found.unsettled):,} not settled ({UNSETTLED})" if found.unsettled else ""
    best = f" with the best {found.goal.name}: {found.value}" if found.goal else ""
    screen.print(f"\nin all solutions{best}: {len(found.fixed):,} fixed, {len(found.open):,} open ({OPEN}){unsettled}")
    differences = found.differences()
    if differences:
        screen.print(f"most informative, in {BASIS[found.basis].format(f'{len(found.solutions):,}')}:")
    for difference in differences[: limits().reporting.telling_facts]:
        screen.print(f"    {difference.bits:5.2f} bits  {difference.what}: {_counts(difference.values)}")


def _counts(values: Counter[str]) -> str:
    most = values.most_common(limits().reporting.named_values)
    more = f", {len(values) - len(most):,} more" if len(values) > len(most) else ""
    return ", ".join(f"{value} ({count:,})" for value, count in most) + more


def _closing(found: Backbone) -> str:
    took = f"{found.solver.name}, {found.seconds:.2f} s"
    if found.status != "complete":
        return f"{found.status}: {found.reason}{'' if found.any else '; no solution yet'} · {took}"
    if not found.any:
        return f"no solution, proven{f': {found.conflict}' if found.conflict else ''} · {took}"
    which = {0: "several solutions", 1: "the only solution"}.get(
        len(found.solutions), f"all {len(found.solutions):,} solutions"
    )
    return f"{which if found.basis == 'all' else 'several solutions'} · {took}"


def exit_code(found: Backbone) -> int:
    """0 solutions found, 1 none, 3 stopped early, 130 interrupted."""
    if found.interrupted:
        return 130
    if found.status != "complete":
        return 3
    return 0 if found.any else 1


def report(found: Backbone) -> dict[str, object]:
    """The backbone as the object that --json prints."""
    goal = None if found.goal is None or found.value is None else {"name": found.goal.name, "value": found.value}
    return {
        "puzzle": found.puzzle.type.name,
        "spec": found.puzzle.spec.source.path,
        "backend": found.solver.name,
        "status": found.status,
        "reason": None if found.reason is None else str(found.reason),
        "goal": goal,
        "any": found.any,
        "fixed": _by_family(found, found.fixed),
        "open": _by_family(found, found.open),
        "unsettled": _by_family(found, found.unsettled),
        "basis": found.basis,
        "solutions": len(found.solutions),
        "tells": [_difference(difference) for difference in found.differences()],
        "seconds": round(found.seconds, 4),
    }


def _by_family(found: Backbone, variables: Iterable[Variable]) -> dict[str, dict[str, list[object]]]:
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
    return {"what": found.what, "bits": round(found.bits, 4), "values": dict(found.values.most_common())}
