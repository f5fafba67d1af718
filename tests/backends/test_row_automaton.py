"""The automaton that replaces a large table: the same rows, and no state too many."""

from itertools import product
from random import Random

import numpy as np
import pytest

from puzzlekit.lowering.decomposition import ACCEPTING, row_automaton


@pytest.mark.parametrize("seed", range(40))
def test_it_accepts_the_rows_alone_and_is_the_smallest(seed: int) -> None:
    random = Random(seed)
    columns, values = random.randint(1, 4), random.randint(1, 3)
    rows = {tuple(random.choices(range(values), k=columns)) for _ in range(random.randint(1, 30))}
    moves, start = row_automaton(np.array(random.sample(sorted(rows), len(rows))))
    steps = {(state, value): after for state, value, after in moves}
    assert len(steps) == len(moves)
    accepted = set()
    for row in product(range(values), repeat=columns):
        state: int | None = start
        for value in row:
            state = None if state is None else steps.get((state, value))
        if state == ACCEPTING:
            accepted.add(row)
    assert accepted == rows
    ends = {
        frozenset(row[at:] for row in rows if row[:at] == first[:at])
        for first in rows
        for at in range(columns + 1)
    }
    assert len({state for state, _, _ in moves} | {ACCEPTING}) == len(ends)


def test_cp_sat_finds_the_same_solutions_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ortools")
    from puzzlekit.api import Query, load
    from puzzlekit.backends import cp_sat_terms

    spec = (
        "letters: ['. . .', '. . .', '. . .']\nwords: [abc, bca, cab, acb, cba, bac, aab, bba, "
        "aca]\ndouble: yes\n"
    )
    made = []

    def seen(rows: np.ndarray) -> tuple[list[tuple[int, int, int]], int]:
        made.append(rows)
        return row_automaton(rows)

    monkeypatch.setattr(cp_sat_terms, "row_automaton", seen)

    def solutions(largest: int) -> set[str]:
        monkeypatch.setattr(cp_sat_terms, "LARGEST_TABLE", largest)
        run = load("word_square", spec).run(Query(goal="none"), "cp-sat")
        return {str(solution["letter"]) for solution in run}

    plain = solutions(100_000)
    assert len(plain) > 1 and not made
    assert solutions(0) == plain and made
