"""Exact covers with colours, in the notation of Knuth's programs."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from string import ascii_letters, digits

import numpy as np

from puzzlekit.backends import COVER_FORMS, Budget
from puzzlekit.errors import InputError
from puzzlekit.exports.file_format import ABSENT, Claim, FileFormat, FileLiteral, Printed, Written
from puzzlekit.lowering import PLAIN, Supports, to_cover
from puzzlekit.model import Model, Table, Term, Value, Variable

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

    def write(self, model: Model, reported: Sequence[Variable], budget: Budget) -> Written:
        cover, decoder = to_cover(model)
        budget.check()
        names = {variable: f"v{number}" for number, variable in enumerate(model.domains)}
        in_tables = set(_table_variables(model))
        # the first secondary items are those of the variables of tables
        tabled = [variable for variable in model.domains if variable in in_tables]
        items = [f"p{item}" for item in range(cover.primary)]
        items += [names[variable] for variable in tabled]
        items += [f"s{item}" for item in range(len(items), cover.items)]
        untabled = [variable for variable in reported if variable not in in_tables]
        unfixed = [variable for variable in untabled if len(model.domains.get(variable, ())) > 1]
        extra_items = {variable: names[variable] for variable in unfixed}
        colour_counts = np.zeros(cover.items, dtype=np.int64)
        np.maximum.at(colour_counts, cover.item, cover.colour + 1)
        sizes = [len(model.domains[variable]) for variable in tabled]
        colour_counts[cover.primary : cover.primary + len(tabled)] = sizes
        defaults = dict(decoder.defaults)

        def file_literal(variable: Variable, value: Value) -> FileLiteral:
            name = names[variable]
            if variable in defaults and defaults[variable] == value:
                return name, ABSENT
            domain = model.domains[variable]
            return name, _colour(domain.index(value), len(domain))

        def entry(item: int, colour: int) -> str:
            if colour == PLAIN:
                return items[item]
            count = int(colour_counts[item])
            return f"{items[item]}:{_colour(colour, count)}"

        def body() -> Iterator[str]:
            # no program reads a file without primary items
            primary = items[: cover.primary] or [LONE]
            secondary = [*items[cover.primary :], *extra_items.values()]
            bar = ["|"] if secondary else []
            yield " ".join([*primary, *bar, *secondary])
            if not cover.primary:
                yield LONE
            for option in range(cover.options):
                texts = [entry(item, colour) for item, colour in cover.entries(option)]
                for variable, value in decoder.assignments[option]:
                    if variable in extra_items:
                        texts.append(":".join(file_literal(variable, value)))
                yield " ".join(texts)

        return Written((), body(), file_literal)

    def read(self, text: str, names: Collection[str]) -> Printed:
        """Read options, a line each; a blank line, or a line such as `2:`, ends a solution."""
        solution: dict[str, str] | None = None  # None before its first option
        solutions: list[dict[str, str]] = []
        for line in map(str.strip, text.splitlines()):
            option = re.fullmatch(r"((?:[psv]\d+(?::\w+)?(?:\s+|$))+)(?:\(.*)?", line)
            if option is None:
                if not line or re.match(r"\d+:$", line):
                    solution = None
                continue
            if solution is None:
                solution = {}
                solutions.append(solution)
            for name, colour in re.findall(r"(v\d+):(\w+)", option[1]):
                if solution.setdefault(name, colour) != colour:
                    raise InputError(
                        f"two options of a solution give the item {name} different colours"
                    )
        if solutions:
            return Printed(Claim.SOLUTION, tuple(solutions))
        if re.search(r"\b0 solutions\b", text):
            return Printed(Claim.NONE)
        raise InputError(
            "expected the options of a cover, a line each, or 0 solutions; found neither"
        )


def _table_variables(model: Model) -> Iterator[Term]:
    """Yield the variables of tables."""
    for constraint in model.constraints:
        if isinstance(constraint.condition, Table):
            yield from constraint.condition.terms


def _colour(code: int, count: int) -> str:
    """Return a colour, one of so many."""
    if count <= len(COLOURS):
        return COLOURS[code]
    return str(code + 1)
