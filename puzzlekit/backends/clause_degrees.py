"""The degree of a vertex of a cycle as clauses: none of the edges that meet there is true, or two are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations


def none_or_two(literals: Sequence[int], true: int) -> Iterator[list[int]]:
    """Clauses that hold exactly where none of the literals is true, or two; one that stands there twice counts as two.

    `true` is the literal that always holds, and its opposite never does. For few literals: the clauses grow with their cube.
    """
    counts = Counter(literal for literal in literals if abs(literal) != true)
    held = literals.count(true)
    single = [literal for literal, count in counts.items() if count == 1]
    double = [literal for literal, count in counts.items() if count == 2]
    yield from ([-literal] for literal, count in counts.items() if count > 2)
    if held > 2:
        yield [-true]
    elif held == 2:
        yield from ([-literal] for literal in (*single, *double))
    elif held == 1:
        yield single or [-true]
        yield from ([-one, -other] for one, other in combinations(single, 2))
        yield from ([-literal] for literal in double)
    else:
        for place, one in enumerate(single):
            yield [-one, *single[:place], *single[place + 1 :]]
        yield from ([-one, -two, -three] for one, two, three in combinations(single, 3))
        for place, two in enumerate(double):
            yield from ([-two, -other] for other in (*single, *double[place + 1 :]))
