"""Exact covers with colours, in the notation of Knuth's programs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from string import ascii_letters, digits

import numpy as np

from puzzlekit.backends.base import Budget
from puzzlekit.backends.exact_cover import COVER_FORMS
from puzzlekit.errors import InputError
from puzzlekit.exports.file_format import ABSENT, Assigned, Claim, FileFormat, Printed, Written
from puzzlekit.lowering.cover import PLAIN, to_cover
from puzzlekit.lowering.planner import Supports
from puzzlekit.model import Model, Table, Value, Variable

LONE = "p0"  # an item, and an option that covers it
COLOURS = digits[1:] + ascii_letters  # Knuth's programs read colours of one character


class ColouredCover(FileFormat):
    """Items on one line, the secondary ones after a bar; then an option per line.

    A variable is a secondary item, `v12`; its colours are the values. Options with `v12:3` give it
    the third value; if it has none, its value is its default.
    """

    name = "xcc"
    about = "exact cover with colours for Knuth's XCC programs, xcover and others"
    comment = "|"
    supports = Supports(forms=COVER_FORMS, at_once=True, levels=True, product="cover with colours")
    goals = False

    def write(self, model: Model, kept: Sequence[Variable], budget: Budget) -> Written:
        cover, decoder = to_cover(model)
        budget.check()
        number = {variable: f"v{place}" for place, variable in enumerate(model.domains)}
        inside = {
            term
            for c in model.constraints
            if isinstance(c.condition, Table)
            for term in c.condition.terms
        }
        tabled = [variable for variable in model.domains if variable in inside]
        others = dict.fromkeys(
            v for v in kept if v not in inside and len(model.domains.get(v, ())) > 1
        )
        defaults = dict(decoder.defaults)
        # the first secondary items are those of the variables of tables
        names = [f"p{item}" for item in range(cover.primary)] + [
            number[variable] for variable in tabled
        ]
        names += [f"s{item}" for item in range(len(names), cover.items)]
        colours = np.zeros(cover.items, dtype=np.int64)
        np.maximum.at(colours, cover.item, cover.colour + 1)
        colours[cover.primary : cover.primary + len(tabled)] = [
            len(model.domains[variable]) for variable in tabled
        ]

        def place(variable: Variable, value: Value) -> Assigned:
            domain = model.domains[variable]
            default = variable in defaults and defaults[variable] == value
            return number[variable], ABSENT if default else _colour(
                domain.index(value), len(domain)
            )

        def entry(item: int, colour: int) -> str:
            return (
                names[item]
                if colour == PLAIN
                else f"{names[item]}:{_colour(colour, int(colours[item]))}"
            )

        def body() -> Iterator[str]:
            primary = names[: cover.primary] or [
                LONE
            ]  # no program reads a file without primary items
            secondary = [*names[cover.primary :], *(number[variable] for variable in others)]
            yield " ".join([*primary, *(["|", *secondary] if secondary else [])])
            yield from () if cover.primary else (LONE,)
            for option in range(cover.options):
                own = (
                    ":".join(place(*pair))
                    for pair in decoder.assignments[option]
                    if pair[0] in others
                )
                yield " ".join([*(entry(*pair) for pair in cover.entries(option)), *own])

        return Written((), body(), place)

    def read(self, text: str, names: Collection[str]) -> Printed:
        """Read options, a line each; a blank line, or a line such as `2:`, ends a solution."""
        found: list[dict[str, str] | None] = [None]  # None before the first option of a solution
        for line in map(str.strip, text.splitlines()):
            option = re.fullmatch(r"((?:[psv]\d+(?::\w+)?(?:\s+|$))+)(?:\(.*)?", line)
            if option is None:
                found += [None] if not line or re.match(r"\d+:$", line) else []
                continue
            solution = found[-1] if found[-1] is not None else {}
            found[-1] = solution
            for name, colour in re.findall(r"(v\d+):(\w+)", option[1]):
                if solution.setdefault(name, colour) != colour:
                    raise InputError(
                        f"two options of a solution give the item {name} different colours"
                    )
        solutions = tuple(solution for solution in found if solution is not None)
        if solutions:
            return Printed(Claim.SOLUTION, solutions)
        if re.search(r"\b0 solutions\b", text):
            return Printed(Claim.NONE)
        raise InputError(
            "expected the options of a cover, a line each, or 0 solutions; found neither"
        )


def _colour(code: int, number: int) -> str:
    return COLOURS[code] if number <= len(COLOURS) else str(code + 1)
