"""The sentences of chains: what is assumed, what follows, and why each line follows."""

from __future__ import annotations

from puzzlekit.sentences.sentence import Sentence

# what stands above the lines of a chain, and what below them; nothing, if they say it
AroundLines = tuple[Sentence, Sentence | None]


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

    template = "{facts}[ ({pattern})]: otherwise, in the end, {conflict}"
    capitalized = True
    facts: str
    conflict: str | Sentence
    pattern: str = ""

    def around_lines(self) -> AroundLines:
        """Return it as it stands above and below its lines."""
        return OtherwiseAbove(self.facts, self.pattern), AtTheEnd(self.conflict)


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

    template = "suppose {assumed}. In the end, {conflict}. So {facts}"
    capitalized = True
    assumed: str
    conflict: str | Sentence
    facts: str

    def around_lines(self) -> AroundLines:
        """Return it as it stands above and below its lines."""
        return Supposed(self.assumed), ChainProves(self.conflict, self.facts)


class LongTrial(Sentence):
    """A trial of many lines, which are told one by one below."""

    template = "{facts}, as a trial shows: suppose {assumed}. [In the end, {conflict}]{cases}"
    capitalized = True
    assumed: str
    conflict: str | Sentence
    facts: str
    cases: str = ""

    def around_lines(self) -> AroundLines:
        """Return it as it stands above and below its lines."""
        below = ChainProves(self.conflict, self.facts) if self.conflict else None
        return TrialOf(self.facts, self.assumed), below


class OtherwiseAbove(Sentence):
    """What a chain proves, above its lines."""

    template = "{facts}[ ({pattern})], as otherwise"
    capitalized = True
    facts: str
    pattern: str = ""


class TrialOf(Sentence):
    """What a trial shows, and its assumption, above its lines."""

    template = "{facts}, as a trial shows: suppose {assumed}"
    capitalized = True
    facts: str
    assumed: str


class AtTheEnd(Sentence):
    """The contradiction below the lines of a chain."""

    template = "and {conflict}"
    conflict: str | Sentence


class ChainProves(Sentence):
    """The contradiction, and what it proves, below the lines of a chain."""

    template = "{conflict}. So {facts}"
    capitalized = True
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


class BothWays(Sentence):
    """Cases of which all say the same."""

    template = "either {choices}[ ({rule})]; either way:"
    choices: str
    rule: str = ""


class CaseFails(Sentence):
    """The contradiction at the end of a branch, and what follows as the branch fails."""

    template = "{conflict}: {opening} {facts}"
    conflict: str | Sentence
    facts: str
    opening: str = "so"


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


class LinesAgain(Sentence):
    """Lines of a chain that an earlier step has, too."""

    template = "as in lines {lines} of step {step}"
    lines: str
    step: int


class NothingElseThere(Sentence):
    """Why a cell has its last value, where it had many before the chain."""

    template = "no other value is left"


class WasOneOf(Sentence):
    """Why a cell has its last value, where it had few before the chain."""

    template = "it was {values}"
    values: str


class OthersAreAt(Sentence):
    """Why a cell has its last value: the others of the few that it had are placed beside it."""

    template = "{values}, and {placed}"
    values: str
    placed: str


class OnlyPlaceOf(Sentence):
    """Why a value is at the only place of a group."""

    template = "only place in {group}"
    group: str


class OnlyOneLeft(Sentence):
    """Why a value belongs to the only member of a group of things that are no cells."""

    template = "the only one left for {value}"
    value: str


class OnlyPlaceForValue(Sentence):
    """Why a value is at its only place."""

    template = "only place for {value}"
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


class AllAreThere(Sentence):
    """Why there is no more of something anywhere."""

    template = "that makes all {number}"
    number: str


class ElseBroken(Sentence):
    """Why a line follows: what would be so otherwise, which a rule forbids."""

    template = "else {breach}"
    breach: str


class WithStrikers(Sentence):
    """A reason or a contradiction, and the clues that have all that they need by then."""

    template = "{reason}, since {strikers}"
    reason: str | Sentence
    strikers: str
