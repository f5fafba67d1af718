"""Names in a file for another solver: identifiers that all formats take, made of the names of a
model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from puzzlekit.backends import TRUE, CnfBuilder

LONGEST = 80  # characters: some solvers take 255
# words of MiniZinc, SMT-LIB, answer set programming and the LP format
RESERVED = frozenset(
    re.findall(
        r"\w+",
        """
    and ann annotation any array as assert bin binaries binary bool bound bounds case check
    constraint default diff distinct div else elseif end endif enum exists exit false float
    forall free function gen general generals if in include inf infinity int integer integers
    intersect ite let list match max maximise maximize maximum min minimise minimize minimum mod
    not obj of op opt or output par pop predicate push record reset satisfy select semi semis
    set show solve st store string subject subset such sup superset symdiff test that then to
    true tuple type union var where xor
    """,
    )
)


def readable(texts: Iterable[str]) -> list[str]:
    """Return an identifier for each text, all of them different; none is like x12 or c12, which
    files use for the rest.

    Examples:
        >>> readable(["digit[r1c4]", "line[r1c1–r1c2]", "line[r1c1, r1c2]", "Max", "x1", ""])
        ['digit_r1c4', 'line_r1c1_r1c2', 'line_r1c1_r1c2_2', 'max_', 'x1_', 'v']
    """
    names: dict[str, None] = {}
    numbers: dict[str, int] = {}  # the last that was added to a name
    for text in texts:
        base = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")[:LONGEST] or "v"
        if base[0].isdigit():
            base = f"v_{base}"
        base = base[0].lower() + base[1:]
        if base.lower() in RESERVED or re.fullmatch(r"[cex]\d+", base):
            base += "_"
        name = base
        number = numbers.get(base, 1)
        while name in names:
            number += 1
            name = f"{base}_{number}"
        numbers[base] = number
        names[name] = None
    return [*names]


def names_of(clauses: CnfBuilder) -> Mapping[int, str]:
    """Return a name for each literal that is no negation: after its variable and value, or x with
    its number.
    """
    texts: dict[int, str] = {}
    for variable, domain in clauses.domains.items():
        for value in domain:
            literal = clauses.literal(variable, value)
            if literal > TRUE:
                text = variable.name if value is True else f"{variable.name} is {value}"
                texts.setdefault(literal, text)
    names = {number: f"x{number}" for number in range(1, clauses.top + 1)}
    names.update(zip(texts, readable(texts.values())))
    return names
