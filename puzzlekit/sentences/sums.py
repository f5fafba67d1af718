"""The sentences of explanations about sums."""

from __future__ import annotations

from puzzlekit.sentences.sentence import Sentence


class SumOfCell(Sentence):
    """The only open cell of a sum."""

    template = "{fact}: the rest of {sum}[ is {remaining}]"
    capitalized = True
    fact: str
    sum: str
    remaining: str = ""


class SumCanOnlyBe(Sentence):
    """The sets of values by which the open cells of a sum reach it."""

    template = "{sum}[: {remaining}] can only be {alternatives}[, as {given}]; so {facts}"
    capitalized = True
    sum: str
    alternatives: str
    facts: str
    remaining: str = ""
    given: str = ""


class SumLeaves(Sentence):
    """What a sum leaves to its cells, where the sets of values are too many to be told."""

    template = "{sum}: by {remaining}, {facts}"
    capitalized = True
    sum: str
    remaining: str
    facts: str


class EquationOf(Sentence):
    """A sum with the values that are known, and its rule."""

    template = "{equation}[ ({rule})]"
    equation: str
    rule: str | Sentence = ""


class SumsGive(Sentence):
    """Two sums, and the one that follows from them."""

    template = "{first} and {second} give {equation}"
    first: EquationOf
    second: EquationOf
    equation: str


class RemainingSum(Sentence):
    """What is left of a sum, and for how many cells."""

    template = "{remaining}[ in {cells}]"
    remaining: str
    cells: str = ""


class RestOfSum(Sentence):
    """A sum, and what is left of it."""

    template = "{sum}: {remaining}"
    sum: str
    remaining: RemainingSum


class RestOfSums(Sentence):
    """Groups with a known sum, of which the sums inside or across leave a rest."""

    template = "{groups} {add} up to {total}, the sums {relation} to {sums}; so {conclusion}"
    capitalized = True
    groups: str
    add: str
    total: str
    relation: str
    sums: str
    conclusion: str | Sentence


class CellOfSum(Sentence):
    """The last open cell of cells with a known sum."""

    template = "{facts}, as {cells} add up to {total}"
    facts: str
    cells: str
    total: str


class CellsAddUp(Sentence):
    """Cells with a known sum."""

    template = "{cells} add up to {total}[, which can only be {alternatives}][: {facts}]"
    cells: str
    total: str
    alternatives: str = ""
    facts: str = ""


class SumOf(Sentence):
    """The sum of cells."""

    template = "the sum of {cells}"
    cells: str


class CannotAddUp(Sentence):
    """A sum that cannot be reached, and what can where that is all less or all more."""

    template = "{sum}[ would be {numbers}][ could not come to {total}][, as {facts}]"
    sum: str
    numbers: str = ""
    total: str = ""
    facts: str = ""
