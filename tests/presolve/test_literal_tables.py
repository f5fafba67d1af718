"""Tables of the truths of literals keep no state:
what they remove follows from the domains alone.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

import numpy as np
import pytest

from puzzlekit.model import Origin, Variable
from puzzlekit.presolve import state
from puzzlekit.presolve.domains import DomainStore, Inconsistent, no_clock
from puzzlekit.presolve.tables import LiteralTable

NAMES = [Variable(name) for name in "xyz"]
OWN, TWO_OF_X = (
    (0, 1, 2),
    (0, 0, 1),
)  # the unknowns of three literals, which are the values 0, 1 and 2
Row = tuple[bool, ...]


def _table(rows: Sequence[Row], places: Sequence[int]) -> LiteralTable:
    supports = [
        tuple(
            sum(1 << at for at, row in enumerate(rows) if row[i] is truth)
            for truth in (False, True)
        )
        for i in range(3)
    ]
    return LiteralTable(
        [(NAMES[at], 1 << i) for i, at in enumerate(places)], supports, len(rows), Origin("rule")
    )


def _cases(
    places: Sequence[int],
) -> Iterator[tuple[LiteralTable, set[tuple[int, ...]], list[tuple[int, ...]]]]:
    """Tables, the values that each allows, and domains for it as masks, in turn."""
    for seed in range(60):
        random = Random(seed)
        rows = random.sample([*product((False, True), repeat=3)], random.randint(1, 8))
        allowed = {
            values
            for values in product(range(4), repeat=3)
            if tuple(values[at] == i for i, at in enumerate(places)) in rows
        }
        yield (
            _table(rows, places),
            allowed,
            [tuple(random.randint(1, 15) for _ in NAMES) for _ in range(8)],
        )


def _domains(masks: Sequence[int]) -> DomainStore:
    domains = DomainStore(dict.fromkeys(NAMES, (0, 1, 2, 3)), no_clock)
    for variable, mask in zip(NAMES, masks):
        domains.restrict(variable, mask)
    return domains


def _within(allowed: set[tuple[int, ...]], masks: Sequence[int]) -> set[tuple[int, ...]]:
    return {
        values for values in allowed if all(mask >> value & 1 for mask, value in zip(masks, values))
    }


@pytest.mark.parametrize("places", [OWN, TWO_OF_X])
def test_no_value_that_may_stay_is_removed(places: Sequence[int]) -> None:
    removed = contradictions = 0
    for table, allowed, several in _cases(places):
        for masks in several:
            domains, left = _domains(masks), _within(allowed, masks)
            try:
                table.run(domains)
            except Inconsistent:
                assert not left
                contradictions += 1
                continue
            after = [domains.masks[variable] for variable in NAMES]
            assert _within(allowed, after) == left
            if places == OWN:
                assert left and after == [
                    sum({1 << values[at] for values in left}) for at in range(3)
                ]
            removed += after != list(masks)
    assert removed and contradictions


@pytest.mark.parametrize("places", [OWN, TWO_OF_X])
def test_a_table_is_full_only_if_all_that_is_left_is_allowed(places: Sequence[int]) -> None:
    found = 0
    for table, allowed, several in _cases(places):
        for masks in several:
            whole = len(_within(allowed, masks)) == len(
                _within({*product(range(4), repeat=3)}, masks)
            )
            full = table.full(_domains(masks))
            assert full == whole if places == OWN else full <= whole
            found += full
    assert found


def test_only_what_becomes_of_its_literals_wakes_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []
    monkeypatch.setattr(
        LiteralTable, "run", lambda table, domains: runs.append(domains.masks[NAMES[0]])
    )
    domains = _domains([15, 15, 15])
    domains.watch(_table([(True, True, True)], OWN))
    for left in (0b1111, 0b1011, 0b1001, 0b0001):  # the table is about the first value of x
        domains.restrict(NAMES[0], left)
        domains.propagate_to_fixpoint()
    domains.restrict(NAMES[1], 0b1101)
    domains.propagate_to_fixpoint()
    assert runs == [0b1111, 0b0001, 0b0001], (
        "at first, when it alone is left, and when a value of y goes"
    )


def test_rows_are_put_together_in_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [
        np.array([row * 7 % 5 for row in range(90)], dtype=np.uint32),
        np.array([row % 3 for row in range(90)], dtype=np.uint32),
    ]
    found = state._rows_with([5, 4], columns)
    monkeypatch.setattr(state, "ONE_BY_ONE", 1_000)
    assert found == state._rows_with([5, 4], columns)
    assert found[1] == {
        1 << code: sum(1 << row for row in range(90) if row % 3 == code) for code in range(4)
    }
