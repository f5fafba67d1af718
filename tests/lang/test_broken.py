"""The section `broken`: what would be so where a rule is broken."""

from __future__ import annotations

import pytest

import puzzlekit
from puzzlekit.errors import Problems
from puzzlekit.lang import type_of_text

TYPE = """\
puzzle: t
data: {{marks: "grid[choice(a) | None]"}}
variables:
  here[c]: bool for c in marks.cells
rules:
  rows differ: here[a] != here[b] for a, b in pairs(marks.rows)
  marks stay: here[c] for c in marks.given
  three in all: sum(here) == 3
broken: {broken}
"""


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("{columns differ: no}", "there is no rule columns differ"),
        ("{rows differ: '{a} and {row} would be the same'}", "rows differ has no loop over row"),
        ("{rows differ: [a]}", "expected text as broken, rows differ, got a list"),
        ("rows differ", "expected broken to be a mapping, got text"),
        ("{rows differ: '{a} and {b would be the same'}", "a brace has no partner"),
    ],
)
def test_a_wrong_text_is_an_error(broken: str, message: str) -> None:
    with pytest.raises(Problems) as raised:
        type_of_text("t.yaml", TYPE.format(broken=broken))
    assert message in str(raised.value)


def test_a_rule_with_a_problem_of_its_own_is_there() -> None:
    broken = "{rows differ: '{a} and {b} would be the same'}"
    text = TYPE.format(broken=broken).replace("here[a] != here[b]", "hre[a] != here[b]")
    with pytest.raises(Problems) as raised:
        type_of_text("t.yaml", text)
    assert "hre" in str(raised.value)
    assert "there is no rule" not in str(raised.value)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("specs/binairo/tiny.yaml", "r4c3–r4c5 would all be 1 (row 4 has its three 0s)"),
        ("specs/binairo/tiny.yaml", "and r3c2–r3c4 would all be 1"),
        ("specs/nurikabe/small.yaml", "and r1c5–r2c6 would all be sea"),
        ("specs/magnets/first.yaml", "else the plate of r1c8 would not have both poles"),
        ("specs/triplets/tiny.yaml", "just two signs of the region of r1c3 would be equal"),
    ],
)
def test_a_breach_is_told_instead_of_the_rule(spec: str, text: str) -> None:
    explanation = puzzlekit.load(None, spec).explain()
    assert any(text in step.text for step in explanation)


def test_columns_of_a_sum_come_before_its_total() -> None:
    texts = [step.text for step in puzzlekit.load(None, "specs/cryptarithm/send.yaml").explain()]
    assert "S is 9: S + 1 + 0 = 10 (column 4 adds up)" in texts
    assert not any("the total is right" in text for text in texts)
