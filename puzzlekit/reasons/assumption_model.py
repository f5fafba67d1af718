"""The assumption model: each instance of a rule holds where its selector literal is assumed.

It is built once and called many times. An instance is half-reified: selector → constraint (Feydy,
Somogyi and Stuckey, "Half reification and flattening", 2011).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from puzzlekit.backends.incremental_solver import IncrementalSolver
from puzzlekit.clock import check
from puzzlekit.model import (
    Acyclic,
    Apply,
    Circuit,
    Comparison,
    Connected,
    Constant,
    Constraint,
    Domain,
    Member,
    Model,
    RegionSizes,
    Table,
    Term,
    Variable,
    kinds_in,
    variables_of,
)
from puzzlekit.model.formatting import term_text
from puzzlekit.presolve.circuit_graph import with_degrees
from puzzlekit.presolve.normal_form import literal_of
from puzzlekit.presolve.pipeline import conjuncts
from puzzlekit.reasons.instances import GroundRule, Trail, PatternInstance, TableInstance
from puzzlekit.reasons.literals import FALSE, TRUE, Literals
from puzzlekit.reasons.patterns import WIDE_TABLE, Patterns
from puzzlekit.reasons.region_sizes import SizesInstance
from puzzlekit.reasons.shapes import AcyclicInstance, CircuitInstance, ConnectedInstance
from puzzlekit.sentences.steps import RulePart

Shape = Connected | Circuit | Acyclic | RegionSizes
ROUND = 10  # conflicts that a round of cuts counts as


class AssumptionModel:
    """The instances of the rules of a puzzle, and literals for what can be known of its unknowns.

    Presolve does not run on the whole: it joins and drops constraints and leaves no reasons.

    Attributes:
        model: The model whose constraints the instances are.
        literals: The literals.
        instances: The instances, in the order of the rules.
        by_selector: The instances by the literal that switches them on.
        goal: The unknowns that a solution consists of, but for those with a single value.

    Raises:
        Unsupported: A rule has too many combinations of values.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self._domains: dict[Variable, Domain] = {}
        self._hidden: dict[Term, Variable] = {}
        conditions = self._conditions(conjuncts(model))
        self.literals = Literals(self._domains)
        self._patterns = Patterns(self._domains)
        self.instances: list[GroundRule] = []
        self._add(conditions)
        self.by_selector = {instance.selector: instance for instance in self.instances}
        self.goal = [variable for variable in model.visible() if len(model.domains[variable]) > 1]
        self._clauses: list[list[list[int]]] = []
        self._by_number: dict[int, list[GroundRule]] = {}
        for instance in self.instances:
            for number in instance.scope:
                self._by_number.setdefault(number, []).append(instance)

    def _conditions(self, model: Model) -> list[Constraint]:
        """Return the constraints; terms of shapes that are no literals get names, and conditions
        that bind them.
        """
        self._domains = dict(model.domains)
        found = []
        self._of_circuits = {
            id(each.origin) for each in model.constraints if isinstance(each.condition, Circuit)
        }
        for constraint in model.constraints:
            if isinstance(constraint.condition, Shape):
                found += [
                    Constraint(named, constraint.origin)
                    for named in self._named(constraint.condition)
                ]
            else:
                found.append(constraint)
        return with_degrees(Model(self._domains, tuple(found))).constraints  # type: ignore[return-value]

    def _named(self, shape: Shape) -> Iterator[Term]:
        terms: list[Term] = []
        for term in shape.terms:
            size = isinstance(shape, RegionSizes) and len(terms) >= len(shape.links)
            if isinstance(term, Constant | Variable) or (
                not size and literal_of(term, self._domains)
            ):
                terms.append(term)
                continue
            if term not in self._hidden:
                self._hidden[term] = name = Variable(term_text(term))
                self._domains[name] = (False, True)
                yield Comparison("==", name, term)
            terms.append(self._hidden[term])
        yield type(shape)(
            tuple(terms),
            *(getattr(shape, name) for name in type(shape).__slots__ if name != "terms"),
        )

    def _add(self, constraints: Sequence[Constraint]) -> None:
        """Make the instances. Functions of the unknowns of a wide table become columns of it."""
        tables = {
            constraint: frozenset(variables_of(constraint.condition))
            for constraint in constraints
            if isinstance(constraint.condition, Table)
            and len(constraint.condition.rows) > WIDE_TABLE
        }
        joined: dict[Constraint, list[Constraint]] = {constraint: [] for constraint in tables}
        alone = []
        for constraint in constraints:
            home = None
            if constraint not in tables and tables and Apply in kinds_in([constraint.condition]):
                own = frozenset(variables_of(constraint.condition))
                home = max(tables, key=lambda table: len(tables[table] & own))
                home = home if len(tables[home] & own) > 1 else None
            alone.append(constraint) if home is None else joined[home].append(constraint)
        for constraint in alone:
            self._instance([constraint, *joined.get(constraint, ())])

    def _instance(self, together: Sequence[Constraint]) -> None:
        """Add the instance of constraints that hold together."""
        origins = tuple(
            {id(constraint.origin): constraint.origin for constraint in together}.values()
        )
        number, condition = len(self.instances), together[0].condition
        made: GroundRule
        if isinstance(condition, Shape):
            selector = self.literals.fresh()
            flags = [self._flag(term) for term in condition.terms[: self._flags_in(condition)]]
            match condition:
                case Connected():
                    made = ConnectedInstance(number, origins, selector, flags, condition)
                case Circuit():
                    made = CircuitInstance(number, origins, selector, flags, condition)
                case Acyclic():
                    made = AcyclicInstance(number, origins, selector, flags, condition)
                case RegionSizes(terms, links):
                    choices = [self._choice(term) for term in terms[len(links) :]]
                    made = SizesInstance(number, origins, selector, flags, condition, choices)
        else:
            variables, pattern = self._patterns.of(
                [constraint.condition for constraint in together]
            )
            kind = PatternInstance if pattern.rows is None else TableInstance
            made = kind(number, origins, self.literals, variables, pattern)
        if isinstance(condition, Member) and any(o in self._of_circuits for o in map(id, origins)):
            made.rule_part = RulePart.AT_A_VERTEX
        made.conditions = tuple(constraint.condition for constraint in together)
        self.instances.append(made)

    def _flags_in(self, shape: Shape) -> int:
        return len(shape.links) if isinstance(shape, RegionSizes) else len(shape.terms)

    def _flag(self, term: Term) -> int:
        """Return the literal of a term of a shape."""
        if isinstance(term, Constant):
            return TRUE if term.constant else FALSE
        literal = literal_of(term, self._domains)
        assert literal is not None, "the other terms of shapes have names"
        return self.literals.of(*literal)

    def _choice(self, term: Term) -> list[tuple[int, object]]:
        """Return the values that a size may have, with their literals."""
        if isinstance(term, Variable):
            return [(self.literals.of(term, value), value) for value in self._domains[term]]
        return [(TRUE, term.value({}))]

    @property
    def clauses(self) -> list[list[list[int]]]:
        """What each instance says, as clauses that hold where it is switched on."""
        if not self._clauses:
            self._clauses = [list(instance.clauses()) for instance in self.instances]
        return self._clauses

    def established(self, trail: Trail, reasons: Iterable[int]) -> tuple[int, ...]:
        """Return facts in order, where a known unknown has its value instead of not having another
        one.
        """
        literals, found = self.literals, set[int]()
        for reason in reasons:
            unknown = literals.fact(reason).unknown if literals.denies(reason) else None
            value = None if unknown is None else literals.established_value(unknown, trail)
            found.add(reason if unknown is None or value is None else literals.of(unknown, value))
        return tuple(sorted(found, key=abs))

    def about(self, literal: int) -> Sequence[GroundRule]:
        """Return the instances that a literal is about."""
        return self._by_number.get(abs(literal), ())

    def consequences(self, literals: Iterable[int], trail: Trail) -> dict[int, int] | None:
        """Return these literals, and what they say of other values of their unknowns; None if they
        contradict each other.

        Each is given with the one of `literals` from which it follows.
        """
        found = dict(trail)
        new: dict[int, int] = {}
        waiting = [(literal, literal) for literal in literals]
        for literal, source in waiting:
            if literal in found:
                continue
            if -literal in found:
                return None
            found[literal] = 0
            new[literal] = source
            waiting += [(other, source) for other in self.literals.consequences(literal, found)]
        return new


class AssumptionSolver:
    """Decides whether an assumption model has a solution with given instances and literals.

    Cuts that a call needs are kept for the next ones.
    """

    def __init__(self, assumption_model: AssumptionModel) -> None:
        self.assumption_model = assumption_model
        self._solver = IncrementalSolver(assumption_model.literals.clauses)
        for instance, clauses in zip(assumption_model.instances, assumption_model.clauses):
            self._solver.add([*clause, -instance.selector] for clause in clauses)
        self._shapes = [instance for instance in assumption_model.instances if instance.shape]
        self.all_selectors = [instance.selector for instance in assumption_model.instances]

    def limit_conflicts(self, conflicts: int) -> None:
        """Let all further questions take about so many conflicts together.

        Beyond, they raise ConflictBudgetExceeded.
        """
        self._solver.left = conflicts

    def add(self, clause: Sequence[int]) -> None:
        """State one more clause."""
        self._solver.add([clause])

    def prefer(self, literals: Sequence[int]) -> None:
        """Let a search try these literals first."""
        self._solver.prefer(literals)

    def model(self, assumed: Sequence[int], repair: bool = False) -> list[int] | None:
        """Return a model in which these literals are true, as a literal for each number; None if
        there is none.

        With `near`, what cuts exclude is repaired where it stands, rather than by what a search
        prefers.
        """
        on = {*assumed}
        while self._solver.holds(assumed):
            check()
            found = self._solver.model
            held = np.zeros(self.assumption_model.literals.top + 1, dtype=bool)
            true = np.array(found, dtype=np.int64)
            held[true[true > 0]] = True
            cuts = [
                [*cut, -instance.selector]
                for instance in self._shapes
                if instance.selector in on
                for cut in instance.cuts(held)
            ]
            if not cuts:
                return found
            self._solver.add(cuts)
            self._solver.spend(ROUND)
            if repair:
                self._solver.prefer(found)
        return None

    def possible(self, assumed: Sequence[int]) -> bool:
        """Return whether there is a model in which these literals are true."""
        return self.model(assumed) is not None

    def core(self, assumed: Sequence[int]) -> list[int] | None:
        """Return some of these literals that cannot all be true, in the given order; None if all
        can.
        """
        if self.possible(assumed):
            return None
        while True:  # each answer leaves out more, as a rule
            core = self._solver.core
            kept = [one for one in assumed if one in core]
            if len(kept) == len(assumed) or not self.refuted(kept):
                return kept
            assumed = kept

    def refuted(self, assumed: Sequence[int]) -> bool:
        """Return whether the cuts so far are enough to show that these literals cannot all be true."""
        return not self._solver.holds(assumed)

    def fails(self, assumed: Sequence[int]) -> bool:
        """Return whether unit propagation alone shows that these literals cannot all be true."""
        return self._solver.propagate(assumed) is None
