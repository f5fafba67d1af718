"""Sums: what their combinations leave, and the sums that follow from houses."""

from itertools import permutations, product

import pytest

from puzzlekit.model import Variable
from puzzlekit.reasons.combinations import addition_sets, addition_support
from puzzlekit.reasons.deductions import Deduction, Pattern, SumGroup
from puzzlekit.reasons.literals import TRUE
from puzzlekit.reasons.marks import ViolatedInstance
from tests.reasons.deducing import Deducing


@pytest.mark.parametrize("distinct", [True, False])
@pytest.mark.parametrize("total", [5, 9, 12, 40])
def test_support_is_that_of_all_choices(distinct: bool, total: int) -> None:
    choices = ((1, 2, 3, 6), (2, 3), (1, 5, 7))
    rows = [row for row in product(*choices) if sum(row) == total]
    if distinct:
        rows = [row for row in rows if len({*row}) == len(row)]
    support = addition_support(choices, total, distinct)
    sets = {tuple(sorted(row)) for row in rows}
    if rows:
        assert support == tuple(frozenset(column) for column in zip(*rows))
    else:
        assert support is None
    assert {*addition_sets(choices, total, distinct)} == sets


def test_many_sets_are_not_told() -> None:
    digits = tuple(range(1, 10))
    assert addition_sets((digits,) * 2, 3, True) == ((1, 2),)
    assert len(addition_sets((digits,) * 4, 20, True)) == 12
    assert addition_sets((digits,) * 4, 20, False) == ()


@pytest.mark.parametrize(
    "name", ["kenken/first", "killer/6x6", "kakuro/4x4", "kakuro/small", "kakurasu/tiny"]
)
def test_each_deduction_follows_from_what_it_names(name: str) -> None:
    deducing = Deducing(name).run(40)
    assert deducing.deductions
    assert not deducing.unsound
    # the rule of 45 names all sums that it adds, also where other sums would do
    assert not [each for each in deducing.spare if each.pattern is not Pattern.REST_OF_GROUP]


def of_pattern(deducing: Deducing, pattern: Pattern) -> list[Deduction]:
    return [each for each in deducing.deductions if each.pattern is pattern]


def group_of(deduction: Deduction) -> SumGroup:
    assert deduction.sums is not None
    return deduction.sums


def test_products_are_told_by_their_sets() -> None:
    deducing = Deducing("kenken/first")
    products = [group for group in deducing.sums.groups if not group.is_sum]
    assert products
    told = [each for each in deducing.run(40).deductions if group_of(each) in products]
    assert told
    for deduction in told:
        assert deduction.instances[0].number in deducing.sums.consumed


def test_sets_are_those_of_the_open_cells() -> None:
    deducing = Deducing("kakuro/4x4")
    deducing._fill()
    for deduction in deducing.sums.deductions(deducing.marks):
        group = group_of(deduction)
        domains = [
            [
                deducing.model.literals.fact(literal).value
                for literal in deducing.marks.open_values(unknown)
            ]
            for unknown in group.unknowns
        ]
        rows = [row for row in product(*domains) if sum(row) == group.total]
        sets = {tuple(sorted(row)) for row in rows if len({*row}) == len(row)}
        if deduction.combinations:
            assert {*deduction.combinations} == sets


def test_rests_add_up_in_the_solution() -> None:
    deducing = Deducing("killer/6x6")
    model, solver = deducing.model, deducing.solver
    solution = {*solver.model(solver.all_selectors)}

    def value(unknown: Variable) -> int:
        literals = model.literals.of_all(unknown)
        literal = next(each for each in literals if each in solution)
        return model.literals.fact(literal).value

    derived = [group for group in deducing.sums.groups if group.derivation is not None]
    assert {group.derivation.is_cover for group in derived} == {True, False}
    for group in derived:
        assert sum(map(value, group.unknowns)) == group.total
        assert len(group.unknowns) <= 3
        assert len(group.derivation.outer) <= 3


def test_one_open_cell_is_placed() -> None:
    deducing = Deducing("killer/6x6").run(60)
    singles = of_pattern(deducing, Pattern.ONE_CELL_OF_SUM)
    assert singles
    for deduction in singles:
        assert len(deduction.literals) == 1
        assert not deducing.marks.is_denial(deduction.literals[0])


def test_a_sum_that_cannot_be_reached_is_a_violation() -> None:
    deducing = Deducing("kakuro/4x4")
    group = deducing.sums.groups[0]
    literals = deducing.model.literals
    for values in permutations(range(1, 10), len(group.unknowns)):
        if sum(values) != group.total:
            break
    facts = [literals.of(unknown, value) for unknown, value in zip(group.unknowns, values)]
    deducing.marks.trail.update(dict.fromkeys(facts, 0))
    with pytest.raises(ViolatedInstance):
        list(deducing.sums.deductions(deducing.marks))


def test_lines_of_chains_follow() -> None:
    deducing = Deducing("kakuro/small")
    list(deducing.sums.deductions(deducing.marks))
    trail = deducing.marks.trail
    lines = 0
    for unknown in deducing.sums.groups[0].unknowns:
        for literal in deducing.marks.open_values(unknown):
            extended = {**trail, literal: 0}
            for line in deducing.sums.consequences(extended, [literal]):
                group = line.source
                assert isinstance(group, SumGroup)
                assert line.parents == (literal,)
                facts = [*line.parents, *(each for each in trail if each != TRUE)]
                # no literals say that there is a contradiction
                assert deducing.follows(group.instances, facts, line.literals or (-literal,))
                lines += 1
    assert lines
