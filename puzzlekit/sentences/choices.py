"""The sentences of explanations about choices: the ways to place a thing that are left."""

from __future__ import annotations

from puzzlekit.sentences.sentence import Sentence


class CoveredByAll(Sentence):
    """Cells that belong to each choice that is left for a thing."""

    template = "{facts}: each {noun} left {group}[ ({options})] covers {them}[, as {given}]"
    capitalized = True
    facts: str
    noun: str
    group: str
    them: str
    given: str = ""
    options: str = ""


class WhicheverIsRight(Sentence):
    """What each choice that is left for a thing implies."""

    template = "{facts}, whichever {noun} is right {group}[ ({options})][, as {given}]"
    capitalized = True
    facts: str
    noun: str
    group: str
    given: str = ""
    options: str = ""


class CoveredByNone(Sentence):
    """Cells that no choice covers any more."""

    template = "{facts}: no {noun} can cover {them} any more[, as {given}]"
    capitalized = True
    facts: str
    noun: str
    them: str
    given: str = ""


class GroupIsComplete(Sentence):
    """Cells that are empty as the thing of their group lies elsewhere."""

    template = "{facts}: {group} has its {noun}"
    capitalized = True
    facts: str
    group: str
    noun: str


class OnlyOneCovers(Sentence):
    """The only thing that can cover a cell."""

    template = "only {thing} can cover {cell}"
    thing: str
    cell: str


class OnlyTheseCover(Sentence):
    """Things each of which is the only one that can cover some cell."""

    template = "{things}"
    capitalized = True
    things: tuple[OnlyOneCovers, ...]


class TakenCovers(Sentence):
    """Cells that a choice covers that is taken."""

    template = "{facts}: {option} covers {them}"
    capitalized = True
    facts: str
    option: str
    them: str


class OnlyOption(Sentence):
    """The last choices for a thing, and what they mean."""

    template = "only {options} {verb} left[ {group}][, as {given}][; so {facts}]"
    capitalized = True
    options: str
    verb: str
    group: str = ""
    given: str = ""
    facts: str = ""


class SoOnlyOption(Sentence):
    """The last choices for a thing, and what they mean, after the reasons why others are out."""

    template = "only {options} {verb} left[ {group}][, as {given}][, and {facts}]"
    options: str
    verb: str
    group: str = ""
    given: str = ""
    facts: str = ""


class NoneCovers(Sentence):
    """Why a cell is empty after an assumption."""

    template = "no {noun} can cover {them} then"
    noun: str
    them: str


class NoneLeft(Sentence):
    """A contradiction: no choice is left for a thing."""

    template = "no {noun} is left {group}"
    noun: str
    group: str


class WithChoices(Sentence):
    """Choices that lead to a contradiction."""

    template = "with {choices}, {conflict}"
    choices: str
    conflict: str


class ThenHolds(Sentence):
    """What follows from a choice, and what would be so else."""

    template = "{facts}[, {because}]"
    facts: str
    because: str | Sentence = ""


class TooFewFor(Sentence):
    """A rule for which too few choices would be left, after positions for which none would be."""

    template = "too few {rule}"
    rule: str


class WouldLeaveNone(Sentence):
    """Choices that would leave none for another thing."""

    template = (
        "{choices} would leave no {noun} {groups}[, as then {facts}][, and {further}][: {because}]"
    )
    separator = ", and "
    choices: str
    noun: str
    groups: str
    facts: str = ""
    further: tuple[Sentence, ...] = ()
    because: tuple[Sentence, ...] = ()


class ChoicesBreak(Sentence):
    """Choices that break a rule."""

    template = "{choices} would break a rule ({rule})"
    choices: str
    rule: str


class AsRejected(Sentence):
    """A step that rests on choices which are rejected for some reasons."""

    template = "{rejections}[ ({rules})]; so {step}"
    capitalized = True
    separator = "; "
    inner = ("step",)
    step: Sentence
    rejections: tuple[Sentence, ...]
    rules: str = ""


class ByRules(Sentence):
    """A step, and the rules by which choices are rejected."""

    template = "{step} ({rules})"
    step: Sentence
    rules: str
