"""The assumption model: each instance of a rule holds where its selector literal is assumed.

It is built once and called many times. An instance is half-reified: selector → constraint (Feydy,
Somogyi and Stuckey, "Half reification and flattening", 2011).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy

import numpy as np

from puzzlekit.backends import IncrementalSolver
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
    Origin,
    RegionSizes,
    Table,
    Term,
    Variable,
    classes_in,
    term_text,
    variables_of,
)
from puzzlekit.presolve import conjuncts, literal_of, with_degrees
from puzzlekit.reasons.instances import GroundRule, PatternInstance, TableInstance, Trail
from puzzlekit.reasons.literals import FALSE, TRUE, Literals
from puzzlekit.reasons.patterns import WIDE_TABLE, Pattern, PatternCache, Patterns
from puzzlekit.reasons.region_sizes import SizesInstance
from puzzlekit.reasons.shapes import (
    AcyclicInstance,
    CircuitInstance,
    ConnectedInstance,
    ShapeInstance,
)
from puzzlekit.reasons.solver_pool import POOL
from puzzlekit.sentences import RulePart

Shape = Connected | Circuit | Acyclic | RegionSizes
ROUND = 10  # conflicts that a round of cuts counts as


class AssumptionModel:
    """The instances of the rules of a puzzle, and literals for what can be known of its unknowns.

    Presolve does not run on the entire model: it joins and drops constraints and leaves no reasons.

    Attributes:
        model: The model whose constraints the instances are.
        literals: The literals.
        instances: The instances, in the order of the rules.
        by_selector: The instances by the literal that switches them on.
        goal: The unknowns that a solution consists of, but for those with a single value.
        counts: By the number of an instance, what cards say of it, once that is known.
        without_relation: The numbers of instances that state no sum or function of numbers, as far
            as that is known.

    Args:
        model: The model.
        shared: Patterns of conditions that are those of other models, too.

    Raises:
        Unsupported: A rule has too many combinations of values.
    """

    def __init__(self, model: Model, shared: PatternCache | None = None) -> None:
        self.model = model
        self.domains: dict[Variable, Domain] = {}
        self._hidden: dict[Term, Variable] = {}
        conditions = self._conditions(conjuncts(model))
        self.literals = Literals(self.domains)
        self._patterns = Patterns(self.domains, shared)
        self.instances: list[GroundRule] = []
        self._add(conditions)
        self.by_selector = {instance.selector: instance for instance in self.instances}
        self.goal = [variable for variable in model.visible() if len(model.domains[variable]) > 1]
        self._clauses: list[list[list[int]]] = []
        self.counts: dict[int, object] = {}
        self.without_relation: set[int] = set()
        self._by_number = _by_number(self.instances)

    def pattern_of(self, condition: Term) -> tuple[tuple[Variable, ...], Pattern]:
        """Return the unknowns of a condition that follows from rules, and its pattern. Raises
        Unsupported.
        """
        return self._patterns.of((condition,))

    def restricted(self, numbers: Collection[int]) -> AssumptionModel:
        """Return the model of some of the instances, by their numbers, with the same literals."""
        model = copy(self)
        model._clauses = self.clauses
        model.instances = [each for each in self.instances if each.number in numbers]
        model.by_selector = {instance.selector: instance for instance in model.instances}
        model._by_number = _by_number(model.instances)
        return model

    def _conditions(self, model: Model) -> list[Constraint]:
        """Return the constraints; terms of shapes that are no literals get names, and conditions
        that bind them.
        """
        self.domains = dict(model.domains)
        circuits = [each for each in model.constraints if isinstance(each.condition, Circuit)]
        self._origins_of_circuits = {id(constraint.origin) for constraint in circuits}
        constraints = []
        for constraint in model.constraints:
            if isinstance(constraint.condition, Shape):
                conditions = self._over_literals(constraint.condition)
                constraints += [Constraint(each, constraint.origin) for each in conditions]
            else:
                constraints.append(constraint)
        named = Model(self.domains, tuple(constraints))
        return with_degrees(named).constraints  # type: ignore[return-value]

    def _over_literals(self, shape: Shape) -> Iterator[Term]:
        """Yield conditions that bind the names of terms, and the shape with these names."""
        terms: list[Term] = []
        for index, term in enumerate(shape.terms):
            if self._is_literal(shape, index):
                terms.append(term)
                continue
            if term not in self._hidden:
                name = Variable(term_text(term))
                self._hidden[term] = name
                self.domains[name] = (False, True)
                yield Comparison("==", name, term)
            terms.append(self._hidden[term])
        attributes = [name for name in type(shape).__slots__ if name != "terms"]
        yield type(shape)(tuple(terms), *(getattr(shape, name) for name in attributes))

    def _is_literal(self, shape: Shape, index: int) -> bool:
        """Return whether a term of a shape needs no name."""
        term = shape.terms[index]
        if isinstance(term, Constant | Variable):
            return True
        is_size = index >= _number_of_flags(shape)
        return not is_size and literal_of(term, self.domains) is not None

    def _add(self, constraints: Sequence[Constraint]) -> None:
        """Make the instances. Functions of the unknowns of a wide table become columns of it."""
        scopes: dict[Constraint, frozenset[Variable]] = {}
        for constraint in constraints:
            if _is_wide_table(constraint):
                scopes[constraint] = frozenset(variables_of(constraint.condition))
        joined: dict[Constraint, list[Constraint]] = {table: [] for table in scopes}
        separate = []
        for constraint in constraints:
            table = None if constraint in scopes else _table_for(constraint, scopes)
            if table is None:
                separate.append(constraint)
            else:
                joined[table].append(constraint)
        for constraint in separate:
            self._add_instance([constraint, *joined.get(constraint, ())])

    def _add_instance(self, constraints: Sequence[Constraint]) -> None:
        """Add the instance of constraints that hold together."""
        by_identity = {id(constraint.origin): constraint.origin for constraint in constraints}
        origins = tuple(by_identity.values())
        number = len(self.instances)
        conditions = tuple(constraint.condition for constraint in constraints)
        instance: GroundRule
        if isinstance(conditions[0], Shape):
            instance = self._shape_instance(number, origins, conditions[0])
        else:
            variables, pattern = self._patterns.of(conditions)
            instance_type = PatternInstance if pattern.rows is None else TableInstance
            instance = instance_type(number, origins, self.literals, variables, pattern)
        of_circuit = not self._origins_of_circuits.isdisjoint(by_identity)
        if isinstance(conditions[0], Member) and of_circuit:
            instance.rule_part = RulePart.AT_A_VERTEX
        instance.conditions = conditions
        self.instances.append(instance)

    def _shape_instance(
        self, number: int, origins: tuple[Origin, ...], shape: Shape
    ) -> ShapeInstance:
        """Return the instance of a shape."""
        selector = self.literals.fresh()
        flags = list(map(self._flag, shape.terms[: _number_of_flags(shape)]))
        match shape:
            case Connected():
                return ConnectedInstance(number, origins, selector, flags, shape)
            case Circuit():
                return CircuitInstance(number, origins, selector, flags, shape)
            case Acyclic():
                return AcyclicInstance(number, origins, selector, flags, shape)
            case RegionSizes(terms, links):
                choices = list(map(self._choice, terms[len(links) :]))
                return SizesInstance(number, origins, selector, flags, shape, choices)

    def _flag(self, term: Term) -> int:
        """Return the literal of a term of a shape."""
        if isinstance(term, Constant):
            return TRUE if term.constant else FALSE
        literal = literal_of(term, self.domains)
        assert literal is not None, "the other terms of shapes have names"
        return self.literals.of(*literal)

    def _choice(self, term: Term) -> list[tuple[int, object]]:
        """Return the values that a size may have, with their literals."""
        if isinstance(term, Variable):
            return [(self.literals.of(term, value), value) for value in self.domains[term]]
        return [(TRUE, term.value({}))]

    @property
    def clauses(self) -> list[list[list[int]]]:
        """What each instance says, by its number, as clauses that hold where it is switched on."""
        if not self._clauses:
            self._clauses = [list(instance.clauses()) for instance in self.instances]
        return self._clauses

    def established(self, trail: Trail, reasons: Iterable[int]) -> tuple[int, ...]:
        """Return facts in order, where a known unknown has its value instead of not having another
        one.
        """
        facts = set[int]()
        for reason in reasons:
            fact = reason
            if self.literals.denies(reason):
                unknown = self.literals.fact(reason).unknown
                value = self.literals.established_value(unknown, trail)
                if value is not None:
                    fact = self.literals.of(unknown, value)
            facts.add(fact)
        return tuple(sorted(facts, key=abs))

    def about(self, literal: int) -> Sequence[GroundRule]:
        """Return the instances that a literal is about."""
        return self._by_number.get(abs(literal), ())

    def consequences(self, literals: Iterable[int], trail: Trail) -> dict[int, int] | None:
        """Return these literals, and what they say of other values of their unknowns; None if they
        contradict each other.

        Each is given with the one of `literals` from which it follows.
        """
        extended = dict(trail)
        new: dict[int, int] = {}
        pending = [(literal, literal) for literal in literals]
        for literal, source in pending:
            if literal in extended:
                continue
            if -literal in extended:
                return None
            extended[literal] = 0
            new[literal] = source
            consequences = self.literals.consequences(literal, extended)
            pending += [(consequence, source) for consequence in consequences]
        return new


def _by_number(instances: Iterable[GroundRule]) -> dict[int, list[GroundRule]]:
    """Return the instances by the numbers of literals that they are about."""
    by_number: dict[int, list[GroundRule]] = {}
    for instance in instances:
        for number in instance.scope:
            by_number.setdefault(number, []).append(instance)
    return by_number


def _number_of_flags(shape: Shape) -> int:
    """Return how many terms of a shape are flags; the terms after them are sizes."""
    return len(shape.links) if isinstance(shape, RegionSizes) else len(shape.terms)


def _is_wide_table(constraint: Constraint) -> bool:
    condition = constraint.condition
    return isinstance(condition, Table) and len(condition.rows) > WIDE_TABLE


def _table_for(
    constraint: Constraint, scopes: Mapping[Constraint, frozenset[Variable]]
) -> Constraint | None:
    """Return the wide table that a function of its unknowns belongs to, or None."""
    if not scopes or Apply not in classes_in([constraint.condition]):
        return None
    variables = frozenset(variables_of(constraint.condition))
    table = max(scopes, key=lambda table: len(scopes[table] & variables))
    return table if len(scopes[table] & variables) > 1 else None


class AssumptionSolver:
    """Decides whether an assumption model has a solution with given instances and literals.

    Cuts that a call needs are retained for the next ones.

    Args:
        assumption_model: The model.
        pooled: Whether its native solver may be freed between calls, and built anew. Then models
            and cores also depend on when that happens.
    """

    def __init__(self, assumption_model: AssumptionModel, pooled: bool = False) -> None:
        self.assumption_model = assumption_model
        self._added: list[Sequence[int]] = []  # cuts and further clauses
        self._unpooled = None if pooled else self._built()
        self._shapes = [instance for instance in assumption_model.instances if instance.shape]
        self.all_selectors = [instance.selector for instance in assumption_model.instances]

    def _built(self) -> IncrementalSolver:
        """Return a native solver with all clauses so far."""
        assumption_model = self.assumption_model
        solver = IncrementalSolver(assumption_model.literals.clauses)
        for instance in assumption_model.instances:
            clauses = assumption_model.clauses[instance.number]
            solver.add([*clause, -instance.selector] for clause in clauses)
        solver.add(self._added)
        return solver

    @property
    def _solver(self) -> IncrementalSolver:
        return self._unpooled or POOL.solver(self, self._built)

    def limit_conflicts(self, conflicts: int) -> None:
        """Let all further questions take about so many conflicts together.

        Beyond, they raise ConflictBudgetExceeded.
        """
        self._solver.remaining_conflicts = conflicts

    def add(self, clause: Sequence[int]) -> None:
        """Add one more clause."""
        self._add([clause])

    def _add(self, clauses: Sequence[Sequence[int]]) -> None:
        solver = self._solver  # without these clauses, if it is built now
        self._added += clauses
        solver.add(clauses)

    def prefer(self, literals: Sequence[int]) -> None:
        """Let a search try these literals first."""
        self._solver.prefer(literals)

    def model(self, assumed: Sequence[int], repair: bool = False) -> list[int] | None:
        """Return a model in which these literals are true, as a literal for each number; None if
        there is none.

        With `repair`, what cuts exclude is repaired where it stands, rather than by what a search
        prefers.
        """
        return self._model(self._solver, assumed, repair)

    def _model(
        self, solver: IncrementalSolver, assumed: Sequence[int], repair: bool = False
    ) -> list[int] | None:
        """Return a model of this native solver, as `model` does."""
        while solver.is_satisfiable(assumed):
            check()
            model = solver.model
            cuts = self._cuts(model, {*assumed})
            if not cuts:
                return model
            self._added += cuts
            solver.add(cuts)
            solver.spend(ROUND)
            if repair:
                solver.prefer(model)
        return None

    def _cuts(self, model: Sequence[int], assumed: Collection[int]) -> list[list[int]]:
        """Return clauses of assumed shapes that a model violates."""
        literals = np.array(model, dtype=np.int64)
        truth = np.zeros(self.assumption_model.literals.top + 1, dtype=bool)
        truth[literals[literals > 0]] = True
        cuts = []
        for instance in self._shapes:
            if instance.selector in assumed:
                cuts += [[*cut, -instance.selector] for cut in instance.cuts(truth)]
        return cuts

    def possible(self, assumed: Sequence[int]) -> bool:
        """Return whether there is a model in which these literals are true."""
        return self.model(assumed) is not None

    def truth(
        self, assumed: Sequence[int], preferred: Sequence[int] = ()
    ) -> Callable[[int], bool] | None:
        """Return which literals are true in a model in which these are true; None if there is no
        such model.
        """
        model = self.model(assumed)
        return None if model is None else {*model}.__contains__

    @property
    def last_core(self) -> set[int]:
        """Some literals of the last question, which had no model, that cannot all be
        true.
        """
        return self._solver.core

    def core(self, assumed: Sequence[int]) -> list[int] | None:
        """Return some of these literals that cannot all be true, in the given order; None if all
        can.
        """
        solver = self._solver
        if self._model(solver, assumed) is not None:
            return None
        while True:  # each answer leaves out more, as a rule
            unordered = solver.core
            core = [literal for literal in assumed if literal in unordered]
            if len(core) == len(assumed) or solver.is_satisfiable(core):
                return core
            assumed = core

    def refuted(self, assumed: Sequence[int]) -> bool:
        """Return whether the cuts so far show that these literals cannot all be true."""
        return not self._solver.is_satisfiable(assumed)

    def fails(self, assumed: Sequence[int]) -> bool:
        """Return whether unit propagation alone shows that these literals cannot all be true."""
        return self._solver.propagate(assumed) is None
