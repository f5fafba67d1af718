"""Checks the data of a spec by what its type says of them: the `in` of fields, and `checks`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from puzzlekit.errors import Place
from puzzlekit.lang.data.collections import path_of
from puzzlekit.lang.data.scalars import Places
from puzzlekit.lang.evaluation import Evaluator, named
from puzzlekit.lang.expressions.compiler import RUN_ERRORS, error_in, sides_of
from puzzlekit.lang.expressions.values import ExpressionError, shown
from puzzlekit.lang.puzzle_type import Rule, Within, breaches


def check_data(run: Evaluator, data: Mapping[str, Any], places: Places, beforehand: bool) -> None:
    """Raise Problems with all values that fields may not hold and all checks that fail.

    Conditions that use only fields are checked `beforehand`, the others after `let`.
    """
    source = run.puzzle.source
    lets, known = {let.name for let in run.puzzle.lets}, len(source.problems)
    for within in run.puzzle.within:
        if within.names.isdisjoint(lets) is beforehand:
            _hold(run, within, data[within.field], places)
    for rule in run.puzzle.checks:
        if rule.expression.names.isdisjoint(lets) is beforehand:
            _check(run, rule, data, places)
    if len(source.problems) > known:
        source.raise_problems()


def _hold(run: Evaluator, within: Within, value: Any, places: Callable[[Any], Place | None]) -> None:
    """Note the values of a field that it may not hold, each at its place."""
    source, ends = run.puzzle.source, list[Any]()
    if value is None or within.names & run.failed or run.runtime.exceeded:
        return
    at = next(end for end in within.ends if end is not None)
    declared = f"{run.puzzle.name} declares {run.puzzle.fields[within.field]}"
    try:
        for end in within.ends:
            at = end or at
            ends.append(None if end is None else end.run(run.scope))
        for path, wrong, hint in breaches(within, ends, value, run.runtime):
            source.problem(wrong, None if source.full else places(path), "" if source.full else hint() or declared)
    except RUN_ERRORS as error:
        error_in(at, error)


def _check(run: Evaluator, rule: Rule, data: Mapping[str, Any], places: Places) -> None:
    """Note a check that fails at what its loop variable is bound to, or else at a field."""
    puzzle = run.puzzle
    read = [name for name in rule.expression.read if name in puzzle.fields]
    fields = list(dict.fromkeys([*read, *puzzle.fields_behind(rule.expression.names)]))
    for bindings, holds in run.each(rule.expression, run.scope):
        if not isinstance(holds, bool):
            run.problem(rule.expression, ExpressionError(f"expected a condition as the check, got {shown(holds)}"))
            break
        if not holds:
            bound, full = tuple(zip(rule.expression.loops or (), bindings)), puzzle.source.full
            place = None if full else _place_of(run, fields, bindings, data, places)
            hint = ""
            with suppress(*RUN_ERRORS):  # no steps may be left
                hint = "" if full else sides_of(rule.expression, {**run.scope, **dict(bound)})
            puzzle.source.problem(f"this does not hold: {named(rule.name, bound)}", place, hint)


def _place_of(
    run: Evaluator, fields: Sequence[str], bindings: Sequence[Any], data: Mapping[str, Any], places: Places
) -> Place | None:
    """Return the place of what a loop variable is bound to in these fields.

    Without one, it is the place of the first field that is not a default.
    """
    path = next((path for name in fields if (path := path_of(bindings, data[name], (name,)))), None)
    if path is not None:
        return places(path)
    found = [place for name in fields if (place := places((name,)))]
    return next((place for place in found if place.path != run.puzzle.source.path), found[0] if found else None)
