"""What steps consist of: cards, which count true literals, and deductions from them.

A *card* is a cardinality constraint over literals. A deduction from cards is a set of truths (the
*base*, cards that need literals) inside a set of links (the *cover*, cards that allow literals), in
the words of the theory that `covers.py` cites; with equal sums nothing else of the cover can be
true. Hall's theorem and the counting arguments of cutting planes (Cook, Coullard and Turán, 1987)
are of this form.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from enum import Enum

from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError, nearest, option
from puzzlekit.model import Value, Variable
from puzzlekit.reasons.instances import Area, GroundRule
from puzzlekit.reasons.literals import TRUE
from puzzlekit.sentences import GraphReason


class CardType(Enum):
    """What a card counts."""

    CELL = "cell"  # the values of an unknown
    VALUE = "value"  # the unknowns of a group that have one value
    COUNT = "count"  # the true literals of a group
    CLAUSE = "clause"  # the literals of a condition, of which one is true
    PAIR = "pair"  # literals that exclude each other
    IMPLIED = "implied"  # a clause of a rule that is no card; only chains look at it


@dataclass(eq=False)
class Card:
    """Between `low` and `high` of these literals are true.

    Attributes:
        number: Its index among the cards.
        literals: The literals; none of them is a constant.
        low: The fewest that are true.
        high: The most that are true.
        card_type: What it counts.
        instances: The instances of rules that state it; none for the values of an unknown, several
            for a card that was derived.
        value: The value that it counts, if it is a single one.
        unknown: The unknown of a card of card_type CELL.
        family: What the card has in common with others, such as all rows with the value 7. The
            cards of a family are sorted out by `covers`.
        guard: A literal; the card says something only where this is true.
        derivation: How it was derived from other cards; None for a card that rules state.
        cost: What its derivation costs more than a card that rules state.
    """

    number: int
    literals: tuple[int, ...]
    low: int
    high: int
    card_type: CardType
    instances: tuple[GroundRule, ...] = ()
    value: Value | None = None
    unknown: Variable | None = None
    family: Hashable = None
    guard: int = TRUE
    derivation: Derivation | None = None
    cost: float = 0.0

    @property
    def group_card(self) -> Card:
        """The card of the group whose room it is about; itself, if rules state it."""
        outer = () if self.derivation is None else self.derivation.outer
        return outer[0] if len(outer) == 1 and isinstance(outer[0], Card) else self


@dataclass(frozen=True)
class Derivation:
    """A sum of cards, minus a sum of cards inside of it.

    Attributes:
        outer: The cards that are added, such as three columns.
        inner: The cards that are subtracted, such as the regions inside of them.
        is_cover: Whether the inner cards cover the outer ones, rather than lie inside them; then
            the outer ones are subtracted.
        is_seen: Whether chains may use it, as the outer card has few open places, and the inner
            ones are exclusions inside of it.
    """

    outer: tuple[Card | SumGroup, ...]
    inner: tuple[Card | SumGroup, ...]
    is_cover: bool = False
    is_seen: bool = False


@dataclass(eq=False)
class SumGroup:
    """Values of unknowns that add up to a number.

    Attributes:
        unknowns: The unknowns.
        total: The number.
        instances: The instances of rules that state it, and that the values differ.
        distinct: Whether the values differ.
        derivation: How it was derived from other groups; None for a group that rules state.
        weights: The weight of each unknown; none if all are 1.
        is_sum: Whether the values add up to the total; else they satisfy another condition that
            does not depend on their order, such as a product, and the total means nothing.
        is_house: Whether it has all values that its unknowns may have, so that no rule states the
            total.
    """

    unknowns: tuple[Variable, ...]
    total: int
    instances: tuple[GroundRule, ...]
    distinct: bool = True
    derivation: Derivation | None = None
    weights: tuple[int, ...] = ()
    is_sum: bool = True
    is_house: bool = False


@dataclass(frozen=True)
class Share:
    """Literals that a count and a vertex of a loop have in common, or the rest of either.

    Attributes:
        literals: The literals.
        numbers: How many of them may be true.
        source: The count or the vertex that says so.
        origin: The literals from whose numbers it follows.
        arriving: How many links come in elsewhere at the vertex, if that is why; None if something
            else is why.
    """

    literals: tuple[int, ...]
    numbers: frozenset[int]
    source: Card | GroundRule
    origin: tuple[int, ...]
    arriving: int | None = None


class PatternClass(Enum):
    """A class of patterns, with the level of a puzzle that needs one."""

    SINGLE = "single", "easy"
    LOCKED = "locked", "medium"
    SET = "set", "hard"
    CHAIN = "chain", "expert"
    TRIAL = "trial", "extreme"

    def __init__(self, text: str, level: str) -> None:
        self.text = text
        self.level = level


PLURALS = {
    "swordfish": "swordfish",
    "jellyfish": "jellyfish",
    "turbot fish": "turbot fish",
    "search": "searches",
    "combinations": "combinations",
    "locked": "locked candidates",
    "reach": "reaches",
    "no place left": "no place left",
    "full": "full groups",
    "compared": "comparisons",
    "pointing": "pointing candidates",
    "claiming": "claiming candidates",
    "every option": "options in common",
    "sums together": "sums together",
    "n in n": "n in n",
    "packed": "packed groups",
    "vertex": "vertices",
    "one cell of a sum": "single cells of sums",
    "rest of a group": "rests of groups",
    "last chance": "last chances",
    "look ahead": "looks ahead",
    "last way out": "last ways out",
    "no place nearby": "no place nearby",
    "one rule": "single rules",
    "one rule of many cells": "rules of many cells",
    "count at a vertex": "counts at vertices",
    "count along vertices": "counts along vertices",
    "either way": "either ways",
}


class Pattern(Enum):
    """A pattern, by the name that the field has for it."""

    ONLY_CANDIDATE = "only candidate", PatternClass.SINGLE
    LAST_PLACE = "last place", PatternClass.SINGLE
    HIDDEN_SINGLE = "hidden single", PatternClass.SINGLE
    NAKED_SINGLE = "naked single", PatternClass.SINGLE
    NO_OTHER_PLACE = "no other place", PatternClass.SINGLE
    FULL = "full", PatternClass.SINGLE
    LAST_CHANCE = "last chance", PatternClass.SINGLE
    COMPARED = "compared", PatternClass.SINGLE
    ONE_CELL_OF_SUM = "one cell of a sum", PatternClass.SINGLE
    ONE_RULE = "one rule", PatternClass.SINGLE
    VERTEX = "vertex", PatternClass.SINGLE
    SMALL_LOOP = "small loop", PatternClass.SINGLE
    SMALL_SUM = "small sum", PatternClass.SINGLE
    LAST_WAY_OUT = "last way out", PatternClass.SINGLE
    NO_PLACE_NEARBY = "no place nearby", PatternClass.SINGLE
    INCOMING_LINE = "incoming line", PatternClass.SINGLE
    ONLY_COMBINATION = "only combination", PatternClass.LOCKED
    COMBINATIONS = "combinations", PatternClass.LOCKED
    OVERLAP = "overlap", PatternClass.LOCKED
    EVERY_OPTION = "every option", PatternClass.LOCKED
    WIDE_RULE = "one rule of many cells", PatternClass.LOCKED
    REACH = "reach", PatternClass.LOCKED
    POINTING = "pointing", PatternClass.LOCKED
    CLAIMING = "claiming", PatternClass.LOCKED
    LOCKED = "locked", PatternClass.LOCKED
    NO_PLACE_LEFT = "no place left", PatternClass.LOCKED
    PACKED = "packed", PatternClass.LOCKED
    VERTEX_COUNT = "count at a vertex", PatternClass.LOCKED
    LOOK_AHEAD = "look ahead", PatternClass.LOCKED
    REST_OF_GROUP = "rest of a group", PatternClass.SET
    DIFFERENCE = "difference", PatternClass.SET
    SUMS_TOGETHER = "sums together", PatternClass.SET
    NAKED_PAIR = "naked pair", PatternClass.SET
    NAKED_TRIPLE = "naked triple", PatternClass.SET
    NAKED_QUAD = "naked quad", PatternClass.SET
    HIDDEN_PAIR = "hidden pair", PatternClass.SET
    HIDDEN_TRIPLE = "hidden triple", PatternClass.SET
    HIDDEN_QUAD = "hidden quad", PatternClass.SET
    GROUPS_IN_GROUPS = "n in n", PatternClass.SET
    UNIQUE_RECTANGLE = "unique rectangle", PatternClass.SET
    VERTEX_COUNTS = "count along vertices", PatternClass.SET
    CUT = "cut", PatternClass.SET
    SHORT_CHAIN = "short chain", PatternClass.SET
    X_WING = "X-wing", PatternClass.CHAIN
    SWORDFISH = "swordfish", PatternClass.CHAIN
    JELLYFISH = "jellyfish", PatternClass.CHAIN
    TURBOT_FISH = "turbot fish", PatternClass.CHAIN
    X_CHAIN = "X-chain", PatternClass.CHAIN
    XY_WING = "XY-wing", PatternClass.CHAIN
    XY_CHAIN = "XY-chain", PatternClass.CHAIN
    CHAIN = "chain", PatternClass.CHAIN
    EITHER_WAY = "either way", PatternClass.CHAIN
    TRIAL = "trial", PatternClass.TRIAL
    SEARCH = "search", PatternClass.TRIAL

    def __init__(self, text: str, pattern_class: PatternClass) -> None:
        self.text = text
        self.pattern_class = pattern_class

    @property
    def plural(self) -> str:
        """The name of several."""
        return PLURALS.get(self.text, f"{self.text}s")


# the names of several patterns, besides those of their classes
FAMILIES = {
    "fish": (Pattern.X_WING, Pattern.SWORDFISH, Pattern.JELLYFISH),
    "naked sets": (Pattern.NAKED_PAIR, Pattern.NAKED_TRIPLE, Pattern.NAKED_QUAD),
    "hidden sets": (Pattern.HIDDEN_PAIR, Pattern.HIDDEN_TRIPLE, Pattern.HIDDEN_QUAD),
}


def patterns_named(names: str | Iterable[str], parameter: str = "without") -> frozenset[Pattern]:
    """Return the patterns with these names, which may be those of classes and families.

    A name of a class and of a pattern is that of the class.

    Args:
        names: The names, or a text with commas between them.
        parameter: The option that messages name; empty for none.

    Raises:
        InputError: A name is unknown, or a text has no name.

    Examples:
        >>> sorted(pattern.text for pattern in patterns_named("Fish, naked pair"))
        ['X-wing', 'jellyfish', 'naked pair', 'swordfish']
    """
    by_name: dict[str, tuple[Pattern, ...]] = {each.text: (each,) for each in Pattern}
    by_name |= FAMILIES
    for pattern_class in PatternClass:
        members = (each for each in Pattern if each.pattern_class is pattern_class)
        by_name[pattern_class.text] = tuple(members)
    by_lower_name = {name.lower(): members for name, members in by_name.items()}
    patterns: set[Pattern] = set()
    subject = f"{option(parameter)}: " if parameter else ""
    if isinstance(names, str) and not names_in(names):
        raise InputError(f"{subject}expected names of patterns, separated by commas")
    for name in names_in(names):
        if name.lower() not in by_lower_name:
            help = nearest(name, by_name)
            raise InputError(f"{subject}unknown pattern {name}; {help}")
        patterns.update(by_lower_name[name.lower()])
    return frozenset(patterns)


def names_in(names: str | Iterable[str]) -> list[str]:
    """Return names of patterns, which a text has between commas.

    Raises:
        InputError: A name is no text.
    """
    separate = names.split(",") if isinstance(names, str) else list(names)
    for name in separate:
        if not isinstance(name, str):
            raise InputError(f"{option('without')} requires names of patterns, got {name!r}")
    return [name.strip() for name in separate if name.strip()]


@dataclass(frozen=True)
class ClosingEdge:
    """An edge that would close a loop of all lines so far.

    Attributes:
        literal: The edge.
        outside: That all other open edges have no line.
        loop: The lines so far.
        shape: The loop.
        vertices: What holds at the vertices of the lines.
    """

    literal: int
    outside: tuple[int, ...]
    loop: tuple[int, ...]
    shape: GroundRule
    vertices: tuple[GroundRule, ...]


@dataclass(frozen=True)
class OpenCard:
    """A card as it is at a step.

    Attributes:
        card: The card.
        needed: How many of the open literals are true at least.
        allowed: How many of them are true at most.
        literals: The open literals.
    """

    card: Card
    needed: int
    allowed: int
    literals: tuple[int, ...]


@dataclass(frozen=True)
class Line:
    """A line of a chain: literals that follow by one look.

    Attributes:
        literals: What follows; nothing if it is the contradiction at the end.
        source: The card, the sum or the instance from which it follows.
        parents: The literals of earlier lines that it needs; of a rule without cards, the known
            ones that it needs may be among them.
        graph_reason: Why, if the source is an instance of a shape.
        packed: The card that leaves no room for a card that needs two or more.
        instances: Further instances that it needs besides the source.
        strikers: The counts that strike without a word what it needs besides earlier lines.
        area: The cells that the reason of a shape is about.
        further_areas: The areas that do not reach the cells of the literals, either.
    """

    literals: tuple[int, ...]
    source: Card | SumGroup | GroundRule
    parents: tuple[int, ...]
    graph_reason: GraphReason | None = None
    packed: Card | None = None
    instances: tuple[GroundRule, ...] = ()
    strikers: tuple[Card, ...] = ()
    area: Area | None = None
    further_areas: tuple[Area, ...] = ()


@dataclass(frozen=True)
class ForcingChain:
    """What follows from an assumption, line by line.

    Attributes:
        assumed: The literal that is assumed.
        lines: What follows, in order.
        contradiction: The last line if there is no way on; None if there is one.
        split: The card one of whose open literals is true; each is assumed in one of the branches.
        branches: The chains of these literals.
        alternatives: Further literals that lead to the same lines.
    """

    assumed: int
    lines: tuple[Line, ...] = ()
    contradiction: Line | None = None
    split: OpenCard | None = None
    branches: tuple[ForcingChain, ...] = ()
    alternatives: tuple[int, ...] = ()

    @property
    def assumptions(self) -> tuple[int, ...]:
        """All literals that lead to the lines, each by itself."""
        return (self.assumed, *self.alternatives)

    @property
    def length(self) -> int:
        """How many lines it has, with those of its branches."""
        return len(self.lines) + sum(branch.length + 1 for branch in self.branches)


@dataclass(frozen=True)
class Exclusion:
    """What excludes all but one of the things to which a cell may belong.

    Attributes:
        areas: The areas that cannot have the cell, and why.
        facts: The facts that exclude the others.
    """

    areas: tuple[tuple[GraphReason, Area], ...]
    facts: tuple[int, ...]


@dataclass(frozen=True)
class Deduction:
    """Literals that follow by a pattern.

    Attributes:
        pattern: The pattern.
        cost: What must be looked at; the cheapest deduction is the next step.
        literals: What follows.
        base: The cards that need open literals.
        cover: The cards that allow no more than these.
        instances: Further instances of rules from which it follows.
        reasons: Known literals from which it follows, besides those of the cards.
        graph_reason: Why, if an instance of a shape says more than its name.
        area: The cells that this is about.
        sums: The sum from which it follows.
        combinations: The sets of values that are left for the open unknowns of the sum; empty where
            they are too many to be told.
        chains: The chains of a deduction by assumptions; several if they lead to the same literals
            either way.
        shares: Of counts and vertices, one after the other, what lines they share.
        exclusion: What excludes all else, where it says to what a cell belongs.
        is_minimal: Whether `instances` are all rules that are needed, also those of the cards.
        rectangle: The unknowns and the values of a unique rectangle, which assumes that the puzzle
            has one solution; else None.
        joined_sum: The sum that follows from the first two of `instances`, if it is that which
            says so.
    """

    pattern: Pattern
    cost: float
    literals: tuple[int, ...]
    base: tuple[OpenCard, ...] = ()
    cover: tuple[OpenCard, ...] = ()
    instances: tuple[GroundRule, ...] = ()
    reasons: tuple[int, ...] = ()
    graph_reason: GraphReason | None = None
    area: Area | None = None
    sums: SumGroup | None = None
    combinations: tuple[tuple[Value, ...], ...] = ()
    chains: tuple[ForcingChain, ...] = ()
    shares: tuple[Share, ...] = ()
    exclusion: Exclusion | None = None
    is_minimal: bool = False
    rectangle: tuple[tuple[Variable, ...], tuple[Value, ...]] | None = None
    joined_sum: GroundRule | None = None


def instances_of(deduction: Deduction) -> list[GroundRule]:
    """Return all instances of rules of a deduction."""
    if deduction.is_minimal:
        return list(deduction.instances)
    instances: dict[GroundRule, None] = {}
    for opened in (*deduction.base, *deduction.cover):
        instances.update(dict.fromkeys(opened.card.instances))
    instances.update(dict.fromkeys(deduction.instances))
    return list(instances)


def is_about_areas(deduction: Deduction) -> bool:
    """Return whether a deduction, or the end of its chain, is a look at an area."""
    ends = [chain.contradiction for chain in deduction.chains]
    areas = [deduction.area, *(end.area for end in ends if end is not None)]
    return any(area is not None for area in areas)
