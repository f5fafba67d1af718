"""Chains as a reader follows them, who knows more than the steps did when they made the chain:
steps that only strike values are told when they are needed.
"""

from __future__ import annotations

from dataclasses import replace

from puzzlekit.reasons.deductions import Card, ForcingChain, Line
from puzzlekit.reasons.marks import Marks


def chain_as_displayed(chain: ForcingChain, board: Marks) -> ForcingChain:
    """Return a chain without what is displayed already, and which ends as soon as a line says the
    opposite of what is displayed.

    Args:
        chain: The chain.
        board: The board as it is displayed.
    """
    displayed = board.trail
    lines: list[Line] = []
    for line in chain.lines:
        is_of_card = isinstance(line.source, Card) and line.graph_reason is None
        if is_of_card and any(-literal in displayed for literal in line.literals):
            return _ended(chain, lines, replace(line, literals=()), board)
        new = tuple(literal for literal in line.literals if literal not in displayed)
        if new:
            lines.append(replace(line, literals=new))
    branches = tuple(chain_as_displayed(branch, board) for branch in chain.branches)
    return replace(chain, lines=tuple(lines), branches=branches)


def _ended(
    chain: ForcingChain, lines: list[Line], contradiction: Line, board: Marks
) -> ForcingChain:
    """Return a chain that ends with a contradiction, with those of the lines that it needs for
    what they say, or strike without a word.
    """
    needed = set(contradiction.parents)
    remaining: list[Line] = []
    for line in reversed(lines):
        if not needed.isdisjoint(board.consequences(line.literals)):
            remaining.append(line)
            needed.update(line.parents)
    return replace(
        chain,
        lines=tuple(reversed(remaining)),
        contradiction=contradiction,
        split=None,
        branches=(),
    )
