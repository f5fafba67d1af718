"""Random types as cases; those without solutions are kept rare."""

import re
from dataclasses import replace
from typing import Any

from tests.reference.compare import Case
from tests.reference.grammar.types import DECK, random_type
from tests.reference.plain.boards import Cell, Corner

TRIES = 5


def random_case(seed: int, most: int = 250) -> Case:
    """The same for the same seed: of a few random types the first that has solutions,
    and combinations that are none.
    """
    written = []
    for attempt in range(TRIES):
        text, spec = random_type(seed, most, attempt)
        case = Case(
            text, spec, f"seed {seed}, most {most}: {DECK[seed % len(DECK)][0]}, attempt {attempt}"
        )
        written.append(case)
        try:
            if case.read.size > 2 * most:
                continue
            if (
                len(case.reference.solutions) > 0
                and len(case.reference.right) < case.reference.size
            ):
                return with_start(case) if seed % 5 == 0 else case
        except Exception:
            continue  # the reference interpreter finds it wrong: so must the package
    return min(written, key=_size)


def _size(case: Case) -> int:
    try:
        return case.read.size
    except Exception:
        return 0


def with_start(case: Case) -> Case:
    """Its goals begin with a solution that is known, and reach their bound with it."""
    text = case.type
    if any("<" in place for place in _places(case)):
        return case  # of words or places, whose names are not written down
    for goal in case.reference.goals:
        value, combination = case.reference.best_combination(goal)
        sense = case.reference.senses.get(goal, "")
        found = re.search(rf"    {sense}\((.*)\)\n", text)
        if combination and found and "999" not in found[0]:
            start = ", ".join(
                f"({place}, {_text(v)})" for place, v in zip(_places(case), combination)
            )
            text = text.replace(
                found[0], f"    known_best({sense}({found[1]}), bound={value}, start=[{start}])\n"
            )
    return replace(case, type=text, name=case.name + ", with a start")


def _places(case: Case) -> list[str]:
    """The unknowns as they are written."""
    return [f"{name}[{_text(key)}]" if key != () else name for name, key in case.reference.cells]


def _text(value: Any) -> str:
    if isinstance(value, Cell):
        return f"cell({value.row}, {value.column})"
    if isinstance(value, Corner):
        return f"[c for c in b.corners if c.row == {value.row} and c.column == {value.column}][0]"
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))},)"
    return repr(value)
