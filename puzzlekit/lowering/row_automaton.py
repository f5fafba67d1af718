"""The smallest automaton that accepts the rows of a table, for engines that are slow at large tables.

Words of one length share their beginnings and ends: 53,000 words of nine letters are 481,000
entries of a table and 85,000 moves.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Move = tuple[int, int, int]  # a state, the number that is read there, the next state
ACCEPTING = 0


def row_automaton(rows: Ints) -> tuple[list[Move], int]:
    """Return the moves of the automaton and the state in which it starts; it accepts in state 0.

    `rows` has a row of numbers for each line of the table, at least one line and one column. States
    with the same ends are one state, so that no smaller automaton accepts the same rows.
    """
    rows = np.unique(rows, axis=0)
    # fresh[i, k]: row i + 1 does not share its first k + 1 numbers with row i
    fresh = np.logical_or.accumulate(rows[1:] != rows[:-1], axis=1)
    numbers: dict[bytes, int] = {}
    moves: list[Move] = []

    def state_of(steps: Ints) -> int:
        key = steps.tobytes()
        if key not in numbers:
            numbers[key] = len(numbers) + 1
            moves.extend((numbers[key], value, after) for value, after in steps.tolist())
        return numbers[key]

    begins = np.arange(len(rows))  # the first row of each beginning that is as long as `depth`
    states = np.full(len(rows), ACCEPTING)
    for depth in reversed(range(rows.shape[1])):
        steps = np.stack([rows[begins, depth], states], axis=1)
        parents = np.flatnonzero(np.r_[True, fresh[:, depth - 1]]) if depth else np.zeros(1, dtype=np.int64)
        cuts = [*np.searchsorted(begins, parents).tolist(), len(begins)]
        states = np.array([state_of(steps[start:end]) for start, end in pairwise(cuts)])
        begins = parents
    return moves, int(states[0])
