"""The section `say`: texts about one place and about several."""

from __future__ import annotations

import pytest

import puzzlekit
from puzzlekit.errors import Problems
from puzzlekit.lang import type_of_text
from puzzlekit.lang.puzzle_type import Saying
from puzzlekit.reasons.literals import ValueLiteral
from puzzlekit.reasons.words import Words

TYPE = """\
puzzle: t
data: {{size: int}}
variables:
  fox[c]: bool for c in board(1, size).cells
  near[c, k]: bool for c in board(1, size).cells for k in range(2)
say: {{{say}}}
"""


def said(say: str, name: str, truth: bool = True) -> tuple[str, str]:
    """Return what is said of one member of an unknown, and of two."""
    bound = puzzlekit.load(TYPE.format(say=say), {"size": 3}).instance
    facts = [ValueLiteral(variable, truth) for variable in bound.families[name].members.values()]
    words = Words(bound)
    return words.facts(facts[:1]), words.facts([facts[0], facts[2]])


@pytest.mark.parametrize(
    ("say", "truth", "texts"),
    [
        ("fox: sly", True, ("r1c1 is sly", "r1c1 and r1c3 are sly")),
        (
            "fox: {one: a fox, many: foxes}",
            True,
            ("r1c1 is a fox", "r1c1 and r1c3 are foxes"),
        ),
        (
            "fox: {one: a fox, many: foxes}",
            False,
            ("r1c1 is not a fox", "r1c1 and r1c3 are not foxes"),
        ),
        (
            "fox: [{one: a fox, many: foxes}, {one: a hare, many: hares}]",
            False,
            ("r1c1 is a hare", "r1c1 and r1c3 are hares"),
        ),
        (
            "fox: [{one: a fox, many: foxes}, empty]",
            False,
            ("r1c1 is empty", "r1c1 and r1c3 are empty"),
        ),
        (
            "fox: {one: '{c} hides a fox', many: '{c} hide foxes'}",
            True,
            ("r1c1 hides a fox", "r1c1 and r1c3 hide foxes"),
        ),
        (
            "fox: {one: '{c} has a fox', many: '{c} have foxes'}",
            False,
            ("r1c1 does not have a fox", "r1c1 and r1c3 do not have foxes"),
        ),
    ],
)
def test_the_text_about_several_places_is_that_of_the_type(
    say: str, truth: bool, texts: tuple[str, str]
) -> None:
    assert said(say, "fox", truth) == texts


def test_a_text_with_two_indexes() -> None:
    say = "near: {one: '{c} lies near {k}', many: '{c} lie near {k}'}"
    bound = puzzlekit.load(TYPE.format(say=say), {"size": 2}).instance
    members = bound.families["near"].members
    facts = [ValueLiteral(variable, True) for (_, k), variable in members.items() if k == 1]
    assert Words(bound).facts(facts) == "r1c1 and r1c2 lie near 1"


@pytest.mark.parametrize(
    ("say", "message"),
    [
        ("fox: {one: a fox}", "say fox has no text for many"),
        ("fox: {one: a fox, two: foxes, many: foxes}", "say fox has no key two"),
        ("fox: {one: a fox, many: [foxes]}", "expected text as say fox, many, got a list"),
        ("fox: {one: '{c} is a fox', many: foxes}", "one and many do not show the same indexes"),
        ("fox: {one: '{d} is a fox', many: '{d} are foxes'}", "fox has no index d"),
        ("fox: [a, b, c]", "expected a text as say fox, or two"),
    ],
)
def test_a_wrong_text_is_an_error(say: str, message: str) -> None:
    with pytest.raises(Problems) as raised:
        type_of_text("t.yaml", TYPE.format(say=say))
    assert message in str(raised.value)


def test_a_type_holds_both_texts() -> None:
    type_ = type_of_text("t.yaml", TYPE.format(say="fox: [{one: a fox, many: foxes}, empty]"))
    assert type_.say == {"fox": (Saying("a fox", "foxes"), Saying("empty"))}
