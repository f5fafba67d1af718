"""The sentences of explanations about groups that need places, and groups that allow them."""

from __future__ import annotations

from puzzlekit.sentences.sentence import Sentence


class AllInOneGroup(Sentence):
    """The places for a value in a group, which all lie in another group: locked candidates."""

    template = (
        "in {group}, only {positions} can be {value}, {number} in {other_group}; so {conclusion}"
    )
    capitalized = True
    group: str
    positions: str
    value: str
    number: str
    other_group: str
    conclusion: str


class NowhereElse(Sentence):
    """What is struck in groups: all that was not named."""

    template = "nowhere else in {groups}"
    groups: str


class RoomInOneGroup(Sentence):
    """The places for a thing in a group, which all lie in another group: locked candidates."""

    template = (
        "{group} has room for {needed} only at {positions}, {number} in {other_group};"
        " so {conclusion}"
    )
    capitalized = True
    group: str
    needed: str
    positions: str
    number: str
    other_group: str
    conclusion: str


class OneOfThese(Sentence):
    """Facts one of which holds, each of which excludes the same."""

    template = "{choices}[ ({rule})]; either way {conclusion}[ ({excluding})]"
    capitalized = True
    choices: str
    rule: str
    conclusion: str
    excluding: str = ""


class AllExclude(Sentence):
    """Facts that each of many alternatives excludes."""

    template = "{conclusion}, whichever of {number} ways is right: {rule}"
    capitalized = True
    conclusion: str
    number: int
    rule: str


class Packed(Sentence):
    """A group that needs several things, which exclusions keep apart."""

    template = "{group} still {verb} {needed}: {positions}[ ({rules})]; so {conclusion}"
    capitalized = True
    group: str
    needed: str
    positions: str
    rules: str
    conclusion: str
    verb: str = "needs"


class NeedsOneInEach(Sentence):
    """A group that has one of what it needs in each of some parts, which exclusions state."""

    template = "{group} needs {needed}: {positions} ({rules})"
    capitalized = True
    group: str
    needed: str
    positions: str
    rules: str


class NakedSet(Sentence):
    """Cells of a group that have only as many values together as they are."""

    template = "{cells} can only be {values} ({pattern}); so[ in {group}] {conclusion}"
    capitalized = True
    cells: str
    values: str
    pattern: str
    group: str
    conclusion: str


class HiddenSet(Sentence):
    """Values of a group that have only as many places as they are."""

    template = (
        "[in {group}, ][beside {next_to}, ]only {cells} can be {values} ({pattern}[: {rules}]);"
        " so {conclusion}"
    )
    capitalized = True
    separator = ", "
    group: str
    cells: str
    values: str
    pattern: str
    conclusion: str
    rules: tuple[Sentence, ...] = ()
    next_to: str = ""


class UniqueRectangle(Sentence):
    """Four places where two values could be exchanged, if there were a second solution."""

    template = (
        "{facts}: otherwise {values} could be exchanged in {cells}, "
        "and there would be a second solution (unique rectangle)"
    )
    capitalized = True
    facts: str
    values: str
    cells: str


class Fish(Sentence):
    """Lines whose places for a value lie in as many crossing lines."""

    template = "in {groups}, {value} can only be in {other_groups}[ ({pattern})]; so {conclusion}"
    capitalized = True
    groups: str
    value: str
    other_groups: str
    pattern: str
    conclusion: str


class NeedAllLeft(Sentence):
    """Groups that need all that is left of a total."""

    template = "{groups} still need {count}, all that are left; so {facts}"
    capitalized = True
    groups: str
    count: str
    facts: str


class NeedAllIn(Sentence):
    """Groups that need as many things as other groups, in which they all are, can hold."""

    template = (
        "{groups} {still}need {needed}, all of them in {other_groups}, which can hold no more;"
        " so {conclusion}"
    )
    capitalized = True
    groups: str
    needed: str
    other_groups: str
    conclusion: str
    still: str = ""


class GroupsContain(Sentence):
    """What some groups need beside the groups inside of them."""

    template = (
        "{groups} {need} {needed}, {inside} of them in {other_groups}; so {positions} {hold} {rest}"
    )
    capitalized = True
    groups: str
    need: str
    needed: str
    inside: str
    other_groups: str
    positions: str
    hold: str
    rest: str


class GroupsAreCovered(Sentence):
    """What groups that cover some groups need beside these."""

    template = (
        "{groups} {lie} in {other_groups}, which need {needed}, {inside} of them there;"
        " so {positions} {hold} {rest}"
    )
    capitalized = True
    groups: str
    lie: str
    needed: str
    inside: str
    other_groups: str
    positions: str
    hold: str
    rest: str
