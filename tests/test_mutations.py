"""The mutants break code that is there: their texts are not stale."""

from __future__ import annotations

from tests.mutations import mutants, stale


def test_no_mutant_is_stale() -> None:
    assert [*stale(mutants())] == []
