"""Rules that are no cards, asked as a whole: each deduction follows from what it names, and none is
missed.
"""

import pytest

from puzzlekit.reasons.deductions import Pattern
from puzzlekit.reasons.joined_rules import JoinedRule
from tests.reasons.deducing import Deducing

MINIMAL = [
    "nonogram/rings",
    "skyscrapers/first",
    "futoshiki/first",
    "doppelblock/first",
    "magnets/tiny",
    "binairo/tiny",
    "slitherlink/tiny",
    "slant/tiny",
]
# where a step leaves out what it does not need only when it is taken
SHAPES = ["masyu/tiny", "fillomino/small", "fillomino/medium", "nurikabe/6x6", "nurikabe/small"]


@pytest.mark.parametrize("name", [*MINIMAL, *SHAPES])
def test_each_deduction_follows_from_what_it_names(name: str) -> None:
    deducing = Deducing(name).run(40)
    assert not deducing.unsound
    if name in MINIMAL:
        assert not deducing.spare


@pytest.mark.parametrize("name", [*MINIMAL, *SHAPES])
def test_nothing_is_left_that_an_instance_entails(name: str) -> None:
    deducing = Deducing(name).run(1_000)
    for instance in deducing.rest:
        for inference in instance.inferences(deducing.marks.trail):
            told = filter(deducing.marks.is_visible, inference.literals)
            assert {*told} <= {*deducing.marks.trail}


def test_lines_of_a_nonogram_overlap() -> None:
    deducing = Deducing("nonogram/rings").run(40)
    assert {each.pattern for each in deducing.deductions} == {Pattern.OVERLAP}


def test_clues_are_asked_with_the_values_of_their_line() -> None:
    deducing = Deducing("skyscrapers/first")
    assert any(isinstance(rule, JoinedRule) for rule in deducing.rules._rules)
    deducing.run(40)
    assert any(len(each.instances) > 1 for each in deducing.deductions)


def test_lines_of_chains_follow() -> None:
    deducing = Deducing("skyscrapers/first").run(40)
    trail = deducing.marks.trail
    lines = 0
    for unknown in deducing.model.goal[:4]:
        for literal in deducing.marks.open_values(unknown):
            extended = {**trail, literal: 0}
            for line in deducing.rules.consequences(extended, [literal]):
                assert {*line.parents} <= {literal}
                instances = [line.source, *line.instances]
                assert deducing.follows(instances, [*trail, literal], line.literals or (-literal,))
                lines += bool(line.parents)
    assert lines
