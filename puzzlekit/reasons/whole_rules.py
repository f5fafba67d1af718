"""Deductions from rules that are no cards: each instance is asked as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from puzzlekit.clock import check
from puzzlekit.model import Automaton, Comparison, Linear, Or, Sum, Term, Variable
from puzzlekit.presolve import linear_form, literal_of, numeric
from puzzlekit.reasons.assumption_model import AssumptionModel
from puzzlekit.reasons.deductions import Card, ClosingEdge, Deduction, Line, Pattern
from puzzlekit.reasons.instances import GroundRule, Trail, grouped, shrink
from puzzlekit.reasons.joined_rules import MOST_RESTRICTED, WholeRule, joined_rules
from puzzlekit.reasons.joined_sums import JoinedSum, joined_sums
from puzzlekit.reasons.literals import FALSE
from puzzlekit.reasons.marks import Marks, SilentCause, ViolatedInstance
from puzzlekit.reasons.runs import cells_beside, run_links
from puzzlekit.reasons.shape_rules import ShapeRule
from puzzlekit.reasons.shapes import ShapeInstance
from puzzlekit.sentences import GraphReason, RulePart

MANY_FACTS = 60  # about two unknowns, of which nobody sees at once what one of them says
FEW_UNKNOWNS = 4  # of a rule that is seen with one look
# the costs of patterns, and of a fact that is placed
COMPARED, SMALL_RULE, WIDE_RULE, TWO_SUMS, LONG_SUM, FACT = 1.3, 1.7, 2.1, 2.3, 3.5, 0.02
DIGIT_AND_CARRY = 2  # weights of a sum that is seen with one look
DEAD_END = 1.25
RUN = 0.1  # for each further vertex along a loop


class WholeRules:
    """The instances without cards, each of which is asked as a whole, and the shapes."""

    def __init__(
        self,
        model: AssumptionModel,
        rest: Sequence[GroundRule],
        cards: Sequence[Card],
        unknowns: Collection[Variable],
    ) -> None:
        """Prepare the rules.

        Args:
            model: The assumption model.
            rest: The instances that are no cards.
            cards: The cards.
            unknowns: The unknowns of the type; others name parts of rules.
        """
        self._literals = model.literals
        self._unknowns = unknowns
        rules = [instance for instance in rest if not instance.shape]
        self.runs = run_links(rules, cards)
        self.cells_beside = cells_beside(rules, self.runs, model.literals)
        derived = list(joined_sums(model, rules))
        self._rules = joined_rules([*rules, *derived], cards, model.literals)
        # the positions of sums that follow from others, which are only looked at for steps
        self._derived = set(range(len(rules), len(self._rules)))
        self._totals = self._looked_at_last()
        self._shapes = [
            ShapeRule(model, instance, cards)
            for instance in rest
            if isinstance(instance, ShapeInstance)
        ]
        self._shapes.sort(key=lambda shape: len(shape.numbers))  # a look at a small one is cheap
        # by the number of a literal, the positions of the rules about it
        self._about: dict[int, list[int]] = {}
        for position, rule in enumerate(self._rules):
            for number in rule.numbers:
                self._about.setdefault(number, []).append(position)
        # the numbers of the literals of lines of a loop
        self._links: set[int] = set()
        for rule in self._rules:
            if rule.instance.rule_part is RulePart.AT_A_VERTEX:
                self._links.update(rule.numbers)
        self._marks: Marks | None = None
        self._looked_at = 0  # literals of the marks
        self._not_silent: dict[int, None] = {}  # rules that `silent` has to look at
        self._changed: dict[int, None] = {}  # rules that `deductions` has to look at
        self._deductions: dict[int, list[Deduction]] = {}
        self._of_shapes: list[Deduction] = []
        self._shapes_looked_at = 0

    def _note_changes(self, marks: Marks) -> None:
        """Note the rules that the literals since the last call are about."""
        if marks is not self._marks:
            self._marks, self._looked_at, self._shapes_looked_at = marks, 0, 0
            self._changed = dict.fromkeys(range(len(self._rules)))
            self._not_silent = dict.fromkeys(self._changed.keys() - self._derived)
            self._deductions.clear()
        for literal in islice(marks.trail, self._looked_at, None):
            positions = dict.fromkeys(self._about.get(abs(literal), ()))
            self._not_silent.update(dict.fromkeys(positions.keys() - self._derived))
            self._changed.update(positions)
        self._looked_at = len(marks.trail)

    def _entailed(self, rule: WholeRule, trail: Mapping[int, int]) -> list[int]:
        """Return what a rule says. Raises ViolatedInstance."""
        check()
        literals = rule.entailed(trail)
        if literals is None:
            raise ViolatedInstance(rule.instance)
        return literals

    def _looked_at_last(self) -> set[int]:
        """Return the positions of sums of numbers with several digits, if small rules are about
        the same unknowns, such as the columns of an addition.
        """
        small: set[Variable] = set()
        for rule in self._rules:
            if len(rule.unknowns) <= MOST_RESTRICTED and not _is_long_sum(rule):
                small.update(rule.unknowns)
        return {
            position
            for position, rule in enumerate(self._rules)
            if position not in self._derived
            if _is_long_sum(rule) and small.issuperset(rule.unknowns)
        }

    @property
    def has_totals(self) -> bool:
        """Whether there are sums of numbers with several digits, which are looked at last."""
        return bool(self._totals)

    # Silently -------------------------------------------------------------------------------------

    def silent(self, marks: Marks) -> Iterator[int]:
        """Yield the denials that a rule about two unknowns gives from one fact at most, and the
        places of values beside which the next one has none.

        Raises:
            ViolatedInstance: The marks contradict a rule.
            Stopped: The time is up.
        """
        self._note_changes(marks)
        for position in sorted(self._not_silent):
            rule = self._rules[position]
            candidate = self.runs.get(rule.instance.number)
            for literal in self._entailed(rule, marks.trail):
                if candidate is not None and literal == -candidate:
                    yield from self._without_next(rule, literal, marks)
                    continue
                facts = None
                if not self._is_hidden(literal):
                    facts = self._facts_of_strike(rule, literal, marks)
                if facts is not None:
                    marks.silent_causes.setdefault(literal, (rule.instance, facts))
                    yield literal
            del self._not_silent[position]

    def _without_next(self, rule: WholeRule, literal: int, marks: Marks) -> Iterator[int]:
        """Yield that a place is out because the next value has none beside it, and note why."""
        facts = rule.facts(marks.trail)
        if rule.entails(facts, (literal,)):
            order = self._literals.denials_first(facts)
            reasons = shrink(order, lambda premises: rule.entails(premises, (literal,)))
            marks.hidden_causes.setdefault(literal, ((rule.instance,), tuple(reasons)))
            yield literal

    def _is_hidden(self, literal: int) -> bool:
        """Return whether a literal is about an unknown that the type does not name."""
        is_value = self._literals.is_value_literal(literal)
        return not is_value or self._literals.fact(literal).unknown not in self._unknowns

    def _facts_of_strike(
        self, rule: WholeRule, literal: int, marks: Marks
    ) -> tuple[int, ...] | None:
        """Return the fact because of which a rule about two unknowns denies something, or none
        where it needs none; of a vertex, the two links that meet there; None if it takes more.
        """
        if not marks.is_denial(literal):
            return None
        if rule.instance.rule_part is RulePart.AT_A_VERTEX:
            links = [each for each in rule.facts(marks.trail) if not marks.is_denial(each)]
            if len(links) == 2 and rule.entails(links, (literal,)):
                return tuple(links)
        if len(rule.unknowns) > 2:
            return None
        if rule.entails((), (literal,)):
            return ()
        check()
        facts = rule.facts(marks.trail)
        if len(facts) > MANY_FACTS:
            return None
        for fact in facts:
            if rule.entails((fact,), (literal,)):
                return None if self._is_placed_by(rule, fact, literal, marks) else (fact,)
        return None

    def strikes(self, literal: int, marks: Marks) -> Iterator[tuple[int, SilentCause]]:
        """Yield what rules about a literal and a second unknown deny because of one fact of some
        marks, or of none, each with its rule and this fact.
        """
        for position in self._about.get(abs(literal), ()):
            rule = self._rules[position]
            if position in self._derived or len(rule.unknowns) != 2:
                continue
            for denial in rule.entailed(marks.trail) or ():
                if not self._literals.denies(denial) or self._is_hidden(denial):
                    continue
                facts = self._facts_of_strike(rule, denial, marks)
                if facts is not None:
                    yield denial, (rule.instance, facts)

    def _is_placed_by(self, rule: WholeRule, fact: int, denial: int, marks: Marks) -> bool:
        """Return whether a denial leaves the unknown of another one its last value by a rule, which
        is a step.
        """
        if not marks.is_denial(fact) or not self._literals.denies(denial):
            return False
        values = self._literals.of_all(self._literals.fact(denial).unknown)
        return any(rule.entails((fact,), (each,)) for each in values if each != -denial)

    # Steps ----------------------------------------------------------------------------------------

    def deductions_of_rules(self, marks: Marks) -> Iterator[Deduction]:
        """Yield what each instance says that is no shape, but for sums of long numbers.

        Only instances about which something new is known are looked at again.

        Raises:
            ViolatedInstance: The marks contradict a rule.
            Stopped: The time is up.
        """
        self._note_changes(marks)
        for position in sorted(self._changed):
            deductions = list(self._deductions_of_rule(self._rules[position], marks))
            self._deductions.pop(position, None)
            if deductions:
                self._deductions[position] = deductions
            del self._changed[position]  # only now: a run that was stopped may go on
        for position in sorted(self._deductions.keys() - self._totals):
            yield from self._deductions[position]

    def deductions_of_totals(self) -> Iterator[Deduction]:
        """Yield what sums of long numbers said when `deductions_of_rules` looked at them."""
        for position in sorted(self._deductions.keys() & self._totals):
            yield from self._deductions[position]

    def _deductions_of_rule(self, rule: WholeRule, marks: Marks) -> Iterator[Deduction]:
        facts = rule.facts(marks.trail)
        entailed = self._entailed(rule, marks.trail)
        is_tight = bool(entailed) and self._is_tight(rule, marks.trail)
        yield from self._of_facts(rule, facts, entailed, marks, is_tight)
        if entailed and self._is_about_values(rule):
            # what needs no marks is easier, but not told while all can be told
            placed = [fact for fact in facts if not self._literals.denies(fact)]
            at_a_look = self._entailed(rule, dict.fromkeys(placed, 0))
            new = [literal for literal in at_a_look if literal not in marks.trail]
            for deduction in self._of_facts(rule, placed, new, marks, True):
                yield replace(deduction, cost=deduction.cost + WIDE_RULE)

    def _of_facts(
        self,
        rule: WholeRule,
        facts: Sequence[int],
        entailed: Sequence[int],
        marks: Marks,
        is_seen: bool,
    ) -> Iterator[Deduction]:
        """Yield the deductions of what a rule says.

        Args:
            rule: The rule.
            facts: What is known.
            entailed: What follows from it.
            marks: The state.
            is_seen: Whether that is seen at one look, though the rule is about many cells.
        """
        hidden = [literal for literal in entailed if self._is_hidden(literal)]
        if hidden:
            yield self._of_hidden(rule, facts, hidden)
        literals = [literal for literal in entailed if literal not in hidden]
        literals = [literal for literal in literals if not self._is_last_value(literal, marks)]
        literals = _not_struck_by_others(literals, marks)
        if not literals:
            return
        alone = [literal for literal in literals if rule.entails(facts, (literal,))]
        further = [literal for literal in literals if literal not in alone]
        together = [each for each in further if not rule.entailed_by_cards(facts, each)]
        if together:
            all_literals = [*alone, *together]

            def enough(subset: list[GroundRule]) -> bool:
                return rule.entails(facts, all_literals, subset)

            joined = shrink(rule.joined, enough)
            yield from self._told(rule, facts, all_literals, joined, is_seen)
        if not together or len(rule.unknowns) <= FEW_UNKNOWNS or _is_long_sum(rule):
            yield from self._told(rule, facts, alone, (), is_seen)

    def _is_about_values(self, rule: WholeRule) -> bool:
        """Return whether a rule is about many cells with more than two values each."""
        domains = self._literals.domains
        is_wide = _pattern_of(rule, False)[0] is Pattern.WIDE_RULE
        if not is_wide or _is_long_sum(rule):
            return False
        smallest = min(len(domains[unknown]) for unknown in rule.unknowns)
        return smallest > 2

    def _is_tight(self, rule: WholeRule, trail: Mapping[int, int]) -> bool:
        """Return whether a rule counts conditions, such as cells with a line, of which there are
        enough by now, or all that are left are needed.
        """
        condition = rule.instance.conditions[0]
        if not isinstance(condition, Comparison):
            return False
        left, right = condition.left, condition.right
        domains = self._literals.domains
        if not numeric(left, domains) or not numeric(right, domains):
            return False
        weights, constant = linear_form(Sum(((1, left), (-1, right))))
        if condition.operator != "==" or set(weights.values()) != {1}:
            return False
        truths = [self._truth(term, trail) for term in weights]
        true = truths.count(True)
        possible = len(truths) - truths.count(False)
        return -constant in (true, possible)

    def _truth(self, term: Term, trail: Mapping[int, int]) -> bool | None:
        """Return whether a condition holds, as far as that is known."""
        if isinstance(term, Or):
            truths = {self._truth(each, trail) for each in term.conditions}
            if True in truths:
                return True
            return None if None in truths else False
        literal = literal_of(term, self._literals.domains)
        if literal is None:
            return None
        number = self._literals.of(*literal)
        if number in trail:
            return True
        return False if -number in trail else None

    def _is_last_value(self, literal: int, marks: Marks) -> bool:
        """Return whether a literal is the last value of its unknown, which needs no rule."""
        fact = self._literals.fact(literal)
        return fact.positive and marks.open_values(fact.unknown) == [literal]

    def _of_hidden(
        self, rule: WholeRule, facts: Sequence[int], literals: Sequence[int]
    ) -> Deduction:
        """Return the deduction of literals that the type does not name. Nobody has to be told."""
        joined = rule.joined
        if rule.entails(facts, literals):
            joined = ()
        order = self._literals.denials_first(facts)
        reasons = shrink(order, lambda premises: rule.entails(premises, literals, joined))
        instances = (*rule.sources, *joined)
        return Deduction(
            Pattern.ONE_RULE, 0.0, tuple(literals), instances=instances, reasons=tuple(reasons)
        )

    def _told(
        self,
        rule: WholeRule,
        facts: Sequence[int],
        literals: Sequence[int],
        joined: Sequence[GroundRule],
        is_seen: bool,
    ) -> Iterator[Deduction]:
        """Yield deductions of literals: one of all of them, or of a small rule one for those with
        the same reasons.
        """
        if not literals:
            return
        order = self._literals.denials_first(facts)
        if self._marks is not None:  # what was told is named rather than what was struck silently
            struck = self._marks.silent_causes
            order.sort(key=lambda fact: fact not in struck)

        def reasons(subset: Sequence[int]) -> list[int]:
            return shrink(order, lambda premises: rule.entails(premises, subset, joined))

        if len(rule.unknowns) > FEW_UNKNOWNS:
            groups: Iterable[tuple[Sequence[int], Sequence[int]]] = [(literals, reasons(literals))]
        else:
            explained = ((literal, reasons((literal,))) for literal in literals)
            groups = [(each.literals, each.reasons) for each in grouped(explained)]
        for group, premises in groups:
            yield self._deduction(rule, group, premises, joined, is_seen)

    def _deduction(
        self,
        rule: WholeRule,
        literals: Sequence[int],
        reasons: Sequence[int],
        joined: Sequence[GroundRule],
        is_seen: bool,
    ) -> Deduction:
        pattern, cost = _pattern_of(rule, bool(joined))
        if is_seen and pattern is Pattern.WIDE_RULE:
            pattern, cost = Pattern.ONE_RULE, SMALL_RULE
        joined_sum = rule.instance if isinstance(rule.instance, JoinedSum) else None
        if joined_sum is not None:
            pattern, cost = Pattern.SUMS_TOGETHER, TWO_SUMS
        if not self._links.isdisjoint(map(abs, reasons)) and self._is_dead_end(literals, reasons):
            cost = min(cost, DEAD_END)
        placed = [reason for reason in reasons if not self._literals.denies(reason)]
        cost += FACT * len(placed)
        instances = (*rule.sources, *joined)
        premises = tuple(sorted(reasons, key=abs))
        return Deduction(
            pattern,
            cost,
            tuple(literals),
            instances=instances,
            reasons=premises,
            joined_sum=joined_sum,
        )

    def _is_dead_end(self, literals: Sequence[int], reasons: Sequence[int]) -> bool:
        """Return whether a cell is off the loop, as lines do not go there: that comes before what
        the loop does instead.
        """
        if not self._links.isdisjoint(map(abs, literals)):
            return False
        if not all(map(self._literals.is_value_literal, reasons)):
            return False
        return all(fact.value is False for fact in map(self._literals.fact, reasons))

    def with_run(self, deduction: Deduction, marks: Marks) -> Deduction:
        """Return a deduction at a vertex of a loop with what follows from it in the same way at the
        next vertices: how the line goes on, or what would end one after the other.
        """
        if deduction.pattern is not Pattern.VERTEX or len(deduction.literals) > 1:
            return deduction
        trail = dict(marks.trail)
        literals = list(deduction.literals)
        instances = list(deduction.instances)
        reasons = dict.fromkeys(deduction.reasons)
        is_denial = marks.is_denial(literals[0])
        if is_denial and not all(map(marks.is_denial, reasons)):
            return deduction
        for literal in literals:
            trail[literal] = 0
            for rule in self._next_vertices(literal, instances):
                following = rule.entailed(trail) or []
                if len(following) != 1 or marks.is_denial(following[0]) != is_denial:
                    continue
                premises = self._premises(rule, trail, following)
                if is_denial and not all(map(marks.is_denial, premises)):
                    continue
                literals += following
                instances.append(rule.instance)
                reasons.update(dict.fromkeys(each for each in premises if each not in literals))
        cost = deduction.cost + RUN * (len(literals) - 1)
        premises = sorted(reasons, key=abs)
        return replace(
            deduction,
            cost=cost,
            literals=tuple(literals),
            instances=tuple(instances),
            reasons=tuple(premises),
        )

    def _next_vertices(self, link: int, seen: Collection[GroundRule]) -> Iterator[WholeRule]:
        """Yield the rules of the vertices that a link of a loop joins, without those seen so
        far.
        """
        for position in self._about.get(abs(link), ()):
            rule = self._rules[position]
            is_at_vertex = rule.instance.rule_part is RulePart.AT_A_VERTEX
            if is_at_vertex and rule.instance not in seen:
                yield rule

    def _premises(self, rule: WholeRule, trail: Trail, literals: Sequence[int]) -> list[int]:
        """Return the fewest facts from which literals follow by a rule."""
        order = self._literals.denials_first(rule.facts(trail))
        return shrink(order, lambda premises: rule.entails(premises, literals))

    def deductions_of_shapes(self, marks: Marks) -> Iterator[Deduction]:
        """Yield what the shapes say. Raises ViolatedInstance, and Stopped."""
        if marks is not self._marks or self._shapes_looked_at != len(marks.trail):
            self._note_changes(marks)
            self._of_shapes = []
            for shape in self._shapes:
                self._of_shapes += shape.deductions(marks.trail)
            self._shapes_looked_at = len(marks.trail)
        yield from self._of_shapes

    def without_room(self, literals: Collection[int], trail: Trail) -> Deduction | None:
        """Return that there is no room for values of a region, some of these literals among
        them; None if what is known does not say so.
        """
        numbers = set(map(abs, literals))
        for shape in self._shapes:
            if numbers.isdisjoint(shape.numbers):
                continue
            for deduction in shape.deductions(trail):
                if deduction.graph_reason is not GraphReason.NO_ROOM:
                    continue
                struck = map(abs, deduction.literals)
                if not numbers.isdisjoint(struck):
                    return deduction
        return None

    def closing_edges(self, marks: Marks) -> Iterator[ClosingEdge]:
        """Yield the open edges that would close a loop of all lines so far."""
        for shape in self._shapes:
            yield from shape.closing_edges(marks.trail)

    def broken(self, trail: Trail, newest: Iterable[int]) -> GroundRule | None:
        """Return a rule that facts break, by some of the newest of them."""
        positions: dict[int, None] = {}
        for literal in newest:
            positions.update(dict.fromkeys(self._about.get(abs(literal), ())))
        for position in sorted(positions.keys() - self._derived):
            check()
            rule = self._rules[position]
            if rule.entailed(trail) is None:
                return rule.instance
        return None

    # Chains ---------------------------------------------------------------------------------------

    def consequences(
        self,
        trail: Mapping[int, int],
        extension: Collection[int],
        newest: Iterable[int] = (),
        with_slow_rules: bool = False,
    ) -> Iterator[Line]:
        """Yield what rules say where the known literals are extended by others.

        Args:
            trail: The known literals and the extension.
            extension: What was assumed, and what follows from it so far.
            newest: The literals of the extension whose rules are looked at; all, if there are none.
            with_slow_rules: Whether shapes and sums of long numbers are looked at, too.

        Yields:
            Lines with literals that are not on the trail yet, or a line without literals for a
            contradiction. The parents are literals of the extension, none of which can be left out.
        """
        positions: dict[int, None] = {}
        for literal in newest or extension:
            positions.update(dict.fromkeys(self._about.get(abs(literal), ())))
        omitted = self._derived if with_slow_rules else self._derived | self._totals
        for position in sorted(positions.keys() - omitted):
            check()
            yield from self._lines(self._rules[position], trail, extension)
        if with_slow_rules:
            touched = set(map(abs, newest or extension))
            for shape in self._shapes:
                if not touched.isdisjoint(shape.numbers):
                    yield from shape.consequences(trail, extension, touched)

    def struck(self, deduction: Deduction, trail: Mapping[int, int]) -> list[int]:
        """Return the values that the first rule of a deduction strikes from its unknowns on a
        board; none if it places one.
        """
        if deduction.pattern not in (Pattern.ONE_RULE, Pattern.WIDE_RULE):
            return []
        if not all(map(self._literals.denies, deduction.literals)):
            return []
        fact = self._literals.fact
        unknowns = {fact(each).unknown for each in deduction.literals}
        for rule in self._rules:
            if rule.instance is deduction.instances[0]:
                entailed = rule.entailed(trail) or ()
                struck = filter(self._literals.denies, entailed)
                return [each for each in struck if fact(each).unknown in unknowns]
        return []

    def missing_facts(
        self, line: Line, displayed: Collection[int], trail: Collection[int]
    ) -> list[int]:
        """Return the known literals that a line of a chain needs from a rule besides those that are
        displayed.
        """
        rules = (rule for rule in self._rules if rule.instance is line.source)
        rule = next(rules, None)
        if rule is None or line.graph_reason is not None:  # a shape, perhaps with rules at vertices
            return []
        literals = line.literals or (FALSE,)
        premises = rule.facts({*displayed, *line.parents})

        def enough(subset: Sequence[int]) -> bool:
            return rule.entails((*premises, *subset), literals, rule.joined)

        if enough(()):
            return []
        hidden = [fact for fact in rule.facts(trail) if fact not in premises]
        return shrink(self._literals.denials_first(hidden), enough)

    def _lines(
        self, rule: WholeRule, trail: Mapping[int, int], extension: Collection[int]
    ) -> Iterator[Line]:
        """Yield what a rule says of an extended trail."""
        literals = rule.entailed(trail)
        if literals == []:
            return
        facts = rule.facts(trail)
        premises = [fact for fact in facts if fact not in extension]
        new = self._literals.denials_first(fact for fact in facts if fact in extension)

        def parents(subset: Sequence[int]) -> list[int]:
            def enough(facts: Sequence[int]) -> bool:
                if literals is None:
                    return rule.refuted((*premises, *facts))
                return rule.entails((*premises, *facts), subset, rule.joined)

            return shrink(new, enough)

        if literals is None:
            yield Line((), rule.instance, tuple(parents(())), instances=rule.joined)
            return
        explained = ((literal, parents((literal,))) for literal in literals)
        for inference in grouped(explained):
            yield Line(inference.literals, rule.instance, inference.reasons, instances=rule.joined)


def _not_struck_by_others(literals: Sequence[int], marks: Marks) -> list[int]:
    """Return literals without those that others of them strike silently."""
    placed = [literal for literal in literals if not marks.is_denial(literal)]
    struck = marks.consequences(placed).difference(placed)
    return [literal for literal in literals if literal not in struck]


def _is_long_sum(rule: WholeRule) -> bool:
    """Return whether a rule is a sum of many unknowns with several weights, such as one of numbers
    with several digits, which nobody sees at a look; a column of digits with its carry is none.
    """
    condition = rule.instance.conditions[0]
    if not isinstance(condition, Linear) or len(rule.unknowns) <= FEW_UNKNOWNS:
        return False
    return len({abs(weight) for weight, _ in condition.weighted}) > DIGIT_AND_CARRY


def _pattern_of(rule: WholeRule, is_joined: bool) -> tuple[Pattern, float]:
    """Return the pattern of a rule, and its cost without facts."""
    if rule.instance.rule_part is RulePart.AT_A_VERTEX:
        return Pattern.VERTEX, COMPARED
    if len(rule.unknowns) <= 2:
        return Pattern.COMPARED, COMPARED
    if isinstance(rule.instance.conditions[0], Automaton) and len(rule.unknowns) > FEW_UNKNOWNS:
        return Pattern.OVERLAP, WIDE_RULE
    if _is_long_sum(rule):
        return Pattern.WIDE_RULE, LONG_SUM
    is_small = len(rule.unknowns) <= FEW_UNKNOWNS
    if is_small and is_joined:
        return Pattern.WIDE_RULE, SMALL_RULE - FACT / 2  # before what the rule says alone
    return (Pattern.ONE_RULE, SMALL_RULE) if is_small else (Pattern.WIDE_RULE, WIDE_RULE)
