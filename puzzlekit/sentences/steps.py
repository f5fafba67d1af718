"""The sentences of explanations: what follows, from which facts, by which rules."""

from __future__ import annotations

from puzzlekit.sentences.sentence import Phrase, Sentence


class GraphReason(Phrase):
    """Why a rule about a graph says more than its name: of one fact, and of several."""

    PART_CUT_OFF = ("a part is cut off",)
    CUT_OFF = "it would be cut off", "they would be cut off"
    PASSED = ("without it a part would be cut off",)
    LEADS_TO_DEAD_END = "it leads to a dead end", "they lead to a dead end"
    WOULD_LEAD_TO_DEAD_END = "it would lead to a dead end", "they would lead to a dead end"
    CLOSES_SMALL_LOOP = "it closes a small loop", "they close a small loop"
    WOULD_CLOSE_SMALL_LOOP = "it would close a small loop", "they would close a small loop"
    LOOP_IS_CLOSED = ("the loop is closed",)
    CLOSE_LOOP = ("they close a loop",)
    WOULD_CLOSE_LOOP = "it would close a loop", "they would close a loop"
    SO_MANY_JOINED = ("so many are joined already",)
    NO_MORE_REACHED = ("too few can be reached",)
    ONE_SIZE = ("a region has one size",)
    GROWS_ONLY_THERE = "it can grow only there", "they can grow only there"
    TOO_LARGE = ("the region would be too large",)
    DIFFERENT_SIZES = ("the regions have different sizes",)
    COMPLETE = ("the region is complete",)
    ROOM = ("there is too little room",)
    NO_ROOM = "it has no room", "they have no room"
    TOO_FAR = "it is too far away", "they are too far away"


class RulePart(Phrase):
    """A part of a rule that is told by itself: that it holds, and that it is broken."""

    AT_A_VERTEX = "the line neither ends nor forks", "the line ends or forks"

    def __init__(self, holding: str, broken: str) -> None:
        super().__init__(holding)
        self.broken = broken


# Rules --------------------------------------------------------------------------------------------


class RuleName(Sentence):
    """A rule, and where it stands."""

    template = "{rule}[ ({where})]"
    rule: str
    where: str = ""


class AndSoOn(Sentence):
    """The last rule that is told of many that differ in their values."""

    template = "{rule} and so on"
    rule: str


class RuleInside(Sentence):
    """A rule, and where it stands, within parentheses."""

    template = "{rule}[: {where}]"
    rule: str
    where: str = ""


class PartAt(Sentence):
    """A part of a rule, and where."""

    template = "{rule_part}[ at {where}]"
    rule_part: str
    where: str = ""


class TheClue(Sentence):
    """A rule that is named by its clue alone, as it was told in full before."""

    template = "{clue}"
    clue: str


class CluesAt(Sentence):
    """Clues, and where they stand."""

    template = "{clues} at {index}"
    clues: str
    index: str


class GroupAt(Sentence):
    """One of several groups of the same name."""

    template = "{name} at {cell}"
    name: str
    cell: str


class NumberIn(Sentence):
    """A number that a rule is about, and the row or the group it is about."""

    template = "{number} in {group}"
    number: str
    group: str


class NumberBeside(Sentence):
    """A number at an end of the line that it is about."""

    template = "{number} {side} {line}"
    number: str
    side: str
    line: str


class NumberAt(Sentence):
    """A number that a rule is about, and the cells it is about."""

    template = "{number} at {cells}"
    number: str
    cells: str


# Steps --------------------------------------------------------------------------------------------


class LastOpenCell(Sentence):
    """The last cell of a group that has no value."""

    template = "{fact}: the last {noun}[ of {group}]"
    capitalized = True
    fact: str
    group: str = ""
    noun: str = "open cell"


class OnlyPlaceIn(Sentence):
    """The only place for a value in a group: a hidden single."""

    template = "{fact}: the only place for {value}[ in {group}][, as {because}]"
    capitalized = True
    separator = ", "
    fact: str
    value: str
    group: str = ""
    because: tuple[Sentence, ...] = ()


class OthersArePlaced(Sentence):
    """Facts about members of a group all others of which have a value."""

    template = "{facts} and the others are placed"
    facts: str


class OnlyPlaceBetween(Sentence):
    """The only place for a value between two others, or not far from one."""

    template = "{fact}: the only place for {value}[ between {ends}][ within reach of {end}]"
    capitalized = True
    fact: str
    value: str
    ends: str = ""
    end: str = ""


class OneOfTwoPlaces(Sentence):
    """A value of a run with two places, at the other one of which the first would have none."""

    template = (
        "{value} is at {here} or {there}, and with {value} at {there}, no number at {here} would"
        " have the next one beside it; so {facts}"
    )
    capitalized = True
    value: str
    here: str
    there: str
    facts: str


class OnlyOneLeftFor(Sentence):
    """The only member for a value in a group of things that are no cells."""

    template = "{fact}, as {closed}[: {because}]"
    capitalized = True
    separator = ", "
    fact: str
    closed: str
    because: tuple[Sentence, ...] = ()


class OnlyValue(Sentence):
    """The last value of an unknown: a naked single."""

    template = "{fact}: no other value is left"
    capitalized = True
    fact: str


class OnlyValueBeside(Sentence):
    """The last value of an unknown, as a few facts exclude the others."""

    template = "{fact}, as {given}[: {because}]"
    capitalized = True
    separator = ", "
    fact: str
    given: str
    because: tuple[Sentence, ...] = ()


class OnlyPosition(Sentence):
    """A fact about a thing that may be at several positions, all others of which are closed."""

    template = "{fact}, as {closed}"
    capitalized = True
    fact: str
    closed: str


class OnlyCandidates(Sentence):
    """Facts each of which is the only candidate for what a rule needs, from the start."""

    template = "{facts}[: {rules}]"
    capitalized = True
    separator = " and "
    facts: str
    rules: tuple[Sentence, ...]


class NoOtherPlace(Sentence):
    """A group that has just as many places as it needs."""

    template = "{facts}: {group} has no other place for its {needed}"
    capitalized = True
    facts: str
    group: str
    needed: str


class GroupIsFull(Sentence):
    """A group that has all that it may have."""

    template = "{facts}: {group} has its {needed} already"
    capitalized = True
    facts: str
    group: str
    needed: str


class ClueSays(Sentence):
    """Facts that follow from a clue, and from earlier facts if these are few."""

    template = "{clue}: {facts}[, as {given}]"
    capitalized = True
    clue: str
    facts: str
    given: str = ""


class OnlyWayOn(Sentence):
    """A loop that can only go on in one direction."""

    template = "{facts}: the only way on from {vertex}"
    capitalized = True
    facts: str
    vertex: str


class OnlyWaysOn(Sentence):
    """A loop that can only go on in one direction, at several vertices in a row."""

    template = "from {vertex}, there is only one way on: {facts}"
    capitalized = True
    vertex: str
    facts: str


class OnlyPath(Sentence):
    """A loop that can only go on along a path, by the cells at which it turns."""

    template = "from {vertex}, the line can only go {path}"
    capitalized = True
    vertex: str
    path: str


class NoOtherWay(Sentence):
    """Links of a loop at cells that it passes, and that leave no other way."""

    template = "{facts}: there is no other way at {cells}"
    capitalized = True
    facts: str
    cells: str


class WouldEndInTurn(Sentence):
    """Links of a loop that have no way on, one after the other."""

    template = "{facts}: each in turn would end, the first at {vertex}"
    capitalized = True
    facts: str
    vertex: str


class TwoMeet(Sentence):
    """A vertex at which a loop has both of its links."""

    template = "{facts}: two already meet at {vertex}"
    capitalized = True
    facts: str
    vertex: str


class LinesAtVertex(Sentence):
    """How many of the lines of a count are at a vertex."""

    template = "{group} has {number} at {vertex}[, {reason}]"
    group: str
    number: str
    vertex: str
    reason: str = ""


class CountsAtVertices(Sentence):
    """What counts and vertices say of the lines that they share."""

    template = "{shares}; so {facts}"
    capitalized = True
    separator = "; so "
    shares: tuple[Sentence, ...]
    facts: str


class WouldEnd(Sentence):
    """A link of a loop that has no way on."""

    template = "{facts}: it would end at {vertex}"
    capitalized = True
    facts: str
    vertex: str


class FollowsByRule(Sentence):
    """Facts that follow from a rule, and from earlier facts if these are few."""

    template = "{facts}[, as {given}][: {rules}]"
    capitalized = True
    separator = " and "
    facts: str
    rules: tuple[Sentence, ...]
    given: str = ""


class FollowsFromGraph(Sentence):
    """Facts that follow from a rule about a graph, with the reason why."""

    template = "{facts}, since {reason}[: {rules}]"
    capitalized = True
    separator = " and "
    facts: str
    reason: str | Sentence
    rules: tuple[Sentence, ...]


class SumOfCell(Sentence):
    """The only open cell of a sum."""

    template = "{fact}: the rest of {sum}[ is {remaining}]"
    capitalized = True
    fact: str
    sum: str
    remaining: str = ""


class SumCanOnlyBe(Sentence):
    """The sets of values by which the open cells of a sum reach it."""

    template = "{sum}[: {remaining}] can only be {alternatives}; so {facts}"
    capitalized = True
    sum: str
    alternatives: str
    facts: str
    remaining: str = ""


class SumLeaves(Sentence):
    """What a sum leaves to its cells, where the sets of values are too many to be told."""

    template = "{sum}: by {remaining}, {facts}"
    capitalized = True
    sum: str
    remaining: str
    facts: str


class RemainingSum(Sentence):
    """What is left of a sum, and for how many cells."""

    template = "{remaining} in {cells}"
    remaining: str
    cells: str


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


class CoveredByAll(Sentence):
    """Cells that belong to each choice that is left for a thing."""

    template = "{facts}: each {noun} left {group} covers {them}[, as {given}]"
    capitalized = True
    facts: str
    noun: str
    group: str
    them: str
    given: str = ""


class WhicheverIsRight(Sentence):
    """What each choice that is left for a thing implies."""

    template = "{facts} with each {noun} left {group}[, as {given}]"
    capitalized = True
    facts: str
    noun: str
    group: str
    given: str = ""


class CoveredByNone(Sentence):
    """Cells that no choice covers any more."""

    template = "{facts}: no {noun} can cover {them} any more[, as {given}]"
    capitalized = True
    facts: str
    noun: str
    them: str
    given: str = ""


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

    template = "only {options} {verb} left[ {group}][; so {facts}]"
    capitalized = True
    options: str
    verb: str
    group: str = ""
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


class WouldLeaveNone(Sentence):
    """Choices that would leave none for another thing."""

    template = "{choices} would leave no {noun} {groups}[, as {facts} then]"
    choices: str
    noun: str
    groups: str
    facts: str = ""


class ChoicesBreak(Sentence):
    """Choices that break a rule."""

    template = "{choices} would break a rule ({rule})"
    choices: str
    rule: str


class AsRejected(Sentence):
    """A step that rests on choices which are rejected for some reasons."""

    template = "{step}; {rejections}"
    separator = " and "
    step: Sentence
    rejections: tuple[Sentence, ...]


class ByRules(Sentence):
    """A step, and the rules by which choices are rejected."""

    template = "{step} ({rules})"
    step: Sentence
    rules: str


class LineCanOnlyBe(Sentence):
    """The rows of values that a rule leaves to a line, if they are few."""

    template = "[{clue}: ]{line} can only be {alternatives}[, as {given}][: {rules}][; so {facts}]"
    capitalized = True
    separator = " and "
    line: str
    alternatives: str
    clue: str = ""
    given: str = ""
    rules: tuple[Sentence, ...] = ()
    facts: str = ""


class OneOfMany(Sentence):
    """Alternatives that are too many to be told."""

    template = "one of {number} {noun}"
    number: int
    noun: str


class Packed(Sentence):
    """A group that needs several things, which exclusions keep apart."""

    template = "{group} still needs {needed}: {positions} ({rules}); so {conclusion}"
    capitalized = True
    group: str
    needed: str
    positions: str
    rules: str
    conclusion: str


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

    template = "[in {group}, ]only {cells} can be {values} ({pattern}); so {conclusion}"
    capitalized = True
    group: str
    cells: str
    values: str
    pattern: str
    conclusion: str


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


class OtherwiseBroken(Sentence):
    """Facts whose opposite breaks a rule at once."""

    template = "{facts}: otherwise {conflict}[, as {rules}]"
    capitalized = True
    facts: str
    conflict: str | Sentence
    rules: str = ""


class OtherwiseChain(Sentence):
    """A chain from the opposite of its conclusion to a contradiction."""

    template = "{facts}[ ({pattern})]: otherwise {lines}, {conjunction} {conflict}"
    capitalized = True
    separator = ", then "
    facts: str
    lines: tuple[Sentence, ...]
    conflict: str | Sentence
    conjunction: str = "and"
    pattern: str = ""


class OtherwiseLong(Sentence):
    """A chain from the opposite of its conclusion, whose lines are told one by one below."""

    template = "{facts}[ ({pattern})]: otherwise, after {count}, {conflict}"
    capitalized = True
    facts: str
    count: str
    conflict: str | Sentence
    pattern: str = ""


class LineOfChain(Sentence):
    """A line of a chain: what follows, and why."""

    template = "{facts}[ ({because})]"
    facts: str
    because: str | Sentence = ""


class SupposeChain(Sentence):
    """A chain from an assumption to a contradiction."""

    template = "suppose {assumed}. Then {lines}. But then {conflict}. So {facts}"
    capitalized = True
    separator = "; then "
    assumed: str
    lines: tuple[Sentence, ...]
    conflict: str | Sentence
    facts: str


class LongChain(Sentence):
    """A chain whose lines are told one by one below."""

    template = "suppose {assumed}: after {count}, {conflict}. So {facts}"
    capitalized = True
    assumed: str
    count: str
    conflict: str | Sentence
    facts: str


class LongTrial(Sentence):
    """A trial of many lines, which are told one by one below."""

    template = "try {assumed}: {count} lead to a contradiction[, as {conflict}]. So {facts}"
    capitalized = True
    assumed: str
    count: str
    conflict: str | Sentence
    facts: str


class EitherWay(Sentence):
    """What follows from each of a few choices."""

    template = "either {choices}[ ({rule})]. {branches}. Either way, {facts}"
    capitalized = True
    separator = ". "
    choices: str
    rule: str
    branches: tuple[Sentence, ...]
    facts: str


class BranchLeads(Sentence):
    """What follows from one of the choices."""

    template = "if {assumed}, then {lines}"
    capitalized = True
    separator = "; then "
    assumed: str
    lines: tuple[Sentence, ...]


class Supposed(Sentence):
    """The assumption of a chain."""

    template = "suppose {assumed}"
    capitalized = True
    assumed: str


class SearchRefutes(Sentence):
    """Facts whose opposite a search refutes."""

    template = "{facts}: a search shows that the opposite always breaks a rule[ ({rules})]"
    capitalized = True
    facts: str
    rules: str


class AndSo(Sentence):
    """A step, and the last values that it leaves."""

    template = "{step}; so {facts}[ ({was})]"
    step: Sentence
    facts: str
    was: Sentence | None = None


class SoFacts(Sentence):
    """What follows from the sentence before."""

    template = "so {facts}"
    capitalized = True
    facts: str


class BecauseOf(Sentence):
    """A step that rests on sums of groups."""

    template = "{note}. {step}"
    note: Sentence
    step: Sentence


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


# Reasons of lines, and contradictions -------------------------------------------------------------


class NothingElseThere(Sentence):
    """Why a cell has its last value, where it had many before the chain."""

    template = "no other value is left"


class WasOneOf(Sentence):
    """Why a cell has its last value, where it had few before the chain."""

    template = "it was {values}[, and {excluding}]"
    values: str
    excluding: str = ""


class OnlyPlaceOf(Sentence):
    """Why a value is at the only place of a group."""

    template = "the only place in {group}"
    group: str


class OnlyOneLeft(Sentence):
    """Why a value belongs to the only member of a group of things that are no cells."""

    template = "the only one left for {value}"
    value: str


class OnlyPlaceForValue(Sentence):
    """Why a value is at its only place."""

    template = "the only place for {value}"
    value: str


class GroupNeeds(Sentence):
    """Why the last places of a group are taken."""

    template = "{group} needs {needed}"
    group: str
    needed: str


class GroupHasAll(Sentence):
    """Why nothing more is in a group."""

    template = "{group} has its {needed}"
    group: str
    needed: str


class WithStrikers(Sentence):
    """A reason or a contradiction, and the clues that have all that they need by then."""

    template = "{reason}, since {strikers}"
    reason: str | Sentence
    strikers: str


class OnlyWayFrom(Sentence):
    """Why a loop goes on in a line of a chain."""

    template = "the only way on from {vertex}"
    vertex: str


class OnlyWaysFrom(Sentence):
    """Why a loop goes on in a line of a chain, at several vertices in a row."""

    template = "from {vertex}, there is only one way on"
    vertex: str


class NoOtherWayAt(Sentence):
    """Why a loop goes along the last links at a cell in a line of a chain."""

    template = "there is no other way at {cell}"
    cell: str


class EndInTurn(Sentence):
    """Why a loop does not go along several links in a line of a chain."""

    template = "each in turn would end, the first at {vertex}"
    vertex: str


class TwoMeetAt(Sentence):
    """Why a loop goes nowhere else in a line of a chain."""

    template = "two already meet at {vertex}"
    vertex: str


class WouldEndAt(Sentence):
    """Why a loop does not go somewhere in a line of a chain."""

    template = "it would end at {vertex}"
    vertex: str


class CannotGoOn(Sentence):
    """A loop that has no way on."""

    template = "the line cannot go on from {vertex}"
    vertex: str


class WaysOut(Sentence):
    """A cell that a loop passes, and how many ways it has out of there."""

    template = "{cell} {count} out"
    cell: str
    count: str


class CannotPass(Sentence):
    """A cell that a loop has to pass, without a way in and out."""

    template = "the line cannot pass {cell}"
    cell: str


class CannotComeBack(Sentence):
    """An area in which a loop would come to a dead end."""

    template = "the line could not come back from {cells}"
    cells: str


class ThreeMeetAt(Sentence):
    """A loop that forks."""

    template = "three lines meet at {vertex}"
    vertex: str


class SumOf(Sentence):
    """The sum of cells."""

    template = "the sum of {cells}"
    cells: str


class NoValueLeft(Sentence):
    """A cell without a value."""

    template = "{cell} has no value left"
    cell: str


class TwoValues(Sentence):
    """A cell with two values."""

    template = "{cell} has two values"
    cell: str


class NoPlaceFor(Sentence):
    """A group without a place for what it needs."""

    template = "{group} has no place for {needed}"
    group: str
    needed: str


class NoneHolds(Sentence):
    """What does not hold of any of several things."""

    template = "{facts}"
    facts: str


class NoPlaceLeftFor(Sentence):
    """A value that has no place at all."""

    template = "{value} has no place left"
    value: str


class TooFewPlaces(Sentence):
    """A group with too few places for what it needs."""

    template = "{group} {statement} for {needed}"
    group: str
    needed: str
    statement: str = "lacks places"


class WouldRuleOut(Sentence):
    """Facts whose opposite would rule out all places for what a group needs."""

    template = (
        "{facts}: {subject} would rule out {positions}, the only {noun} {group}[, as {rules}]"
    )
    capitalized = True
    facts: str
    subject: str
    positions: str
    group: str
    rules: str = ""
    noun: str = "places"


class TooFewValues(Sentence):
    """Cells with fewer values than they are."""

    template = "{cells} have only {values} left"
    cells: str
    values: str


class HasTwice(Sentence):
    """A group that has a value twice."""

    template = "{group} has {value} twice"
    group: str
    value: str


class HasTooMany(Sentence):
    """A group with more than it may have."""

    template = "{group} has more than {needed}"
    group: str
    needed: str


class NoRoomFor(Sentence):
    """A group whose last places are too few, or lie where a rule or a clue allows fewer."""

    template = (
        "{group} has only {positions} left for its {needed}[ ({rule})]"
        "[, of which {clue} allows {allowed}]"
    )
    group: str
    positions: str
    needed: str
    rule: str = ""
    clue: str = ""
    allowed: str = ""


class CannotAddUp(Sentence):
    """A sum that cannot be reached, and what can."""

    template = "{sum} would be {numbers}"
    sum: str
    numbers: str


class RuleBroken(Sentence):
    """A rule, and the facts that break it."""

    template = "{facts}, but {rule}"
    facts: str
    rule: str | Sentence


class ClueBroken(Sentence):
    """A clue that cannot be right."""

    template = "{clue} cannot be right[: {rule}]"
    clue: str
    rule: str = ""


class ClueMissed(Sentence):
    """A clue that cannot be right, and the numbers that could stand there."""

    template = "{clue} would be {numbers}[: {rule}]"
    clue: str
    numbers: str
    rule: str = ""


class GraphBroken(Sentence):
    """How a rule about a graph is broken."""

    template = "{reason}[ ({rule})]"
    reason: str
    rule: str | Sentence


class LookAt(Sentence):
    """Where to look for a step, and no more."""

    template = "Look at {location}."
    location: str


class NumberedStep(Sentence):
    """A step in a list."""

    template = "{number}. {step}."
    number: int
    step: str | Sentence


class FullStop(Sentence):
    """A step that stands alone."""

    template = "{step}."
    step: str | Sentence


class NothingFollows(Sentence):
    """There is no further step."""

    template = "Nothing follows any more."


class StepsSolve(Sentence):
    """The end of an explanation that reaches the solution."""

    template = "{steps}; this is the only solution[ {continuing}]."
    steps: str
    continuing: str = ""


class StepsStuck(Sentence):
    """The end of an explanation where nothing more follows."""

    template = "{steps}; nothing more follows: {solutions}.[ {aside}]"
    steps: str
    solutions: str
    aside: str | Sentence = ""


class StuckWithout(Sentence):
    """Nothing more follows by the patterns that are allowed."""

    template = "[{steps}; ]nothing more follows without {patterns}"
    steps: str
    patterns: str


class LookFor(Sentence):
    """Where to look, and for which pattern."""

    template = "Look at {location}: {pattern}."
    location: str
    pattern: str


class StepsContradicted(Sentence):
    """The end of an explanation of a puzzle without a solution."""

    template = "{steps}; there is no solution[ {continuing}][: {rule} cannot hold]."
    steps: str
    continuing: str = ""
    rule: str = ""


class StepsStopped(Sentence):
    """An explanation that was stopped."""

    template = "{steps}; stopped: {reason}."
    steps: str
    reason: str
