"""Answer set programming, by clingo: models as ground rules, connectedness as reachability."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import clingo

from puzzlekit.backends.base import Backend, Budget
from puzzlekit.backends.clauses import CNF_SUPPORTS, FALSE, TRUE, Choice, CnfBuilder
from puzzlekit.backends.pb_encodings import binary
from puzzlekit.backends.statistics import Statistics
from puzzlekit.errors import Undecided, Unsupported
from puzzlekit.model import Acyclic, Circuit, Connected, Model, Values
from puzzlekit.query import Query, Task

LISTING = "--configuration=jumpy"
LARGEST = 2**31 - 1  # the largest sum of weights that clingo can hold


class Asp(Backend):
    """Answer set programming, by clingo."""

    name = "asp"
    about = "answer set programming by clingo; every kind of rule, reachability by rules of its own"

    supports = replace(
        CNF_SUPPORTS,
        product="ground rules",
        reports=frozenset({"variables", "clauses", "decisions", "conflicts", "restarts"}),
    )

    def run(self, model: Model, query: Query, budget: Budget) -> Iterator[Any]:
        if query.task is Task.OPTIMISE:
            return self._best(model, budget)
        return self._solutions(model, budget)

    def _solutions(self, model: Model, budget: Budget) -> Iterator[Values]:
        control, program = _posted(model, budget, LISTING)
        visible = [variable for variable in model.visible() if len(model.domains[variable]) > 1]
        atoms = [abs(literal) for variable in visible for literal in program.literals[variable]]
        with control.backend() as backend:
            backend.add_project(atoms)
        control.configuration.solve.project = "project"
        control.configuration.solve.models = 0
        return _models(control, program, budget)

    def _best(self, model: Model, budget: Budget) -> Iterator[Values]:
        """Find the best solution by unsatisfiable cores."""
        control, program = _posted(model, budget)
        costs = program.costs()
        if sum([weight for _, weight in costs]) > LARGEST:
            raise Unsupported(f"clingo cannot hold a sum of weights beyond {LARGEST}")
        with control.backend() as backend:
            backend.add_minimize(0, costs)
        control.configuration.solve.opt_mode = "opt"
        control.configuration.solver.opt_strategy = "usc"
        control.configuration.solve.models = 0
        return _models(control, program, budget)


def _posted(model: Model, budget: Budget, *options: str) -> tuple[clingo.Control, GroundProgram]:
    """Return clingo's control with the program of a model."""
    with budget.building():
        control = clingo.Control(["--warn=none", *options], logger=lambda *_: None)
        program = GroundProgram(model, budget.check)
        with control.backend() as backend:
            program.post(backend)
        if program.sizes:
            control.register_propagator(_SizeCuts(program))
    return control, program


def _models(control: clingo.Control, program: GroundProgram, budget: Budget) -> Iterator[Values]:
    """Yield the solver's models, and note its statistics."""
    try:
        yield from _solved(control, program, budget)
    finally:
        if budget.statistics is not None:
            _note(control.statistics, budget.statistics)


def _note(reported: Any, statistics: Statistics) -> None:
    if "solving" not in reported:  # stopped before it began
        return
    problem = reported["problem"]["generator"]
    solver = reported["solving"]["solvers"]
    lengths = ("constraints", "constraints_binary", "constraints_ternary")
    clauses = sum([problem[length] for length in lengths])
    statistics.note_sizes(variables=problem["vars"], clauses=clauses)
    statistics.add_efforts(decisions=solver["choices"], conflicts=solver["conflicts"])
    statistics.add_efforts(restarts=solver["restarts"])


def _solved(control: clingo.Control, program: GroundProgram, budget: Budget) -> Iterator[Values]:
    """Yield the solver's models; it runs in a thread, so that the clock and Ctrl-C can stop it."""
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            budget.step()
            handle.resume()
            while not handle.wait(_seconds_to_wait(budget)):
                budget.check()
            answer_set = handle.model()
            if answer_set is None:
                break
            yield program.read(answer_set)
        ended = handle.get()
        if not ended.exhausted and not ended.unsatisfiable:
            raise Undecided("clingo gives up")


def _seconds_to_wait(budget: Budget) -> float:
    remaining = budget.remaining()
    return 0.1 if remaining is None else min(0.1, remaining + 0.001)


class GroundProgram(CnfBuilder):
    """A model as ground rules; a literal is an atom of the program or its negation."""

    def __init__(self, model: Model, pause: Callable[[], None]) -> None:
        super().__init__(model, pause)
        self.backend: Any = None
        self._names: dict[clingo.Symbol, int] = {}

    def post(self, backend: Any) -> None:
        """Add the model to the program through an open clingo backend."""
        self.backend = backend
        assert backend.add_atom() == TRUE, "a new program numbers its atoms from one"
        backend.add_rule([TRUE])
        self.post_model()

    def new_literal(self) -> int:
        """Return a new atom that may be true or false."""
        self.top = self.backend.add_atom()
        self.backend.add_rule([self.top], choice=True)
        return self.top

    def new_value_literal(self) -> int:
        """Return a new atom with a name: clingo lists the names of true atoms fastest."""
        name = clingo.Function("v", [clingo.Number(len(self._names))])
        self.top = self._names[name] = self.backend.add_atom(name)
        self.backend.add_rule([self.top], choice=True)
        return self.top

    def read(self, answer_set: clingo.Model) -> Values:
        """Return the values of a model that the solver found."""
        atoms = map(self._names.__getitem__, answer_set.symbols(atoms=True))
        return self.values(atoms)

    def new_derived_atom(self) -> int:
        """Return a new atom that is true only if a rule derives it."""
        self.top = self.backend.add_atom()
        return self.top

    def clause(self, literals: Iterable[int]) -> None:
        self.backend.add_rule([], [-literal for literal in literals])

    def at_most_one(self, literals: Sequence[int]) -> None:
        if len(literals) > 1:
            self.backend.add_weight_rule([], 2, [(literal, 1) for literal in literals])

    def total(self, choices: Sequence[Choice], low: int, high: int) -> None:
        weighted = [(literal, weight) for choice in choices for literal, weight in choice if weight]
        sum_of_weights = sum([weight for _, weight in weighted])
        if sum_of_weights > LARGEST:
            binary(self, choices, low, high)
            return
        largest_total = sum([max([weight for _, weight in choice]) for choice in choices])
        if high < largest_total:
            self.backend.add_weight_rule([], high + 1, weighted)
        if low > 0:
            negated = [(-literal, weight) for literal, weight in weighted]
            self.backend.add_weight_rule([], sum_of_weights - low + 1, negated)

    def shape(self, shape: Connected | Circuit | Acyclic, flags: Sequence[int]) -> None:
        match shape:
            case Connected(_, links):
                reached = [self.new_derived_atom() for _ in flags]
                self._rooted(flags, reached)
                for first, second in links:
                    self.backend.add_rule([reached[second]], [reached[first], flags[second]])
                    self.backend.add_rule([reached[first]], [reached[second], flags[first]])
                for flag, is_reached in zip(flags, reached):
                    self.clause((-flag, is_reached))
            case Circuit(_, edges):
                vertices = {vertex: self.new_derived_atom() for edge in edges for vertex in edge}
                self._rooted(flags, [vertices[tail] for tail, _ in edges])
                for flag, (tail, head) in zip(flags, edges):
                    self.backend.add_rule([vertices[head]], [vertices[tail], flag])
                    self.backend.add_rule([vertices[tail]], [vertices[head], flag])
                    self.clause((-flag, vertices[tail]))
                self.clause(flags)
            case Acyclic(_, edges):
                self._forest(flags, edges)

    def _rooted(self, flags: Sequence[int], reached: Sequence[int]) -> None:
        """Start reachability at the first true flag, or at one that is always true."""
        if TRUE in flags:
            self.backend.add_rule([reached[flags.index(TRUE)]])
            return
        before = FALSE
        for flag, is_reached in zip(flags, reached):
            self.backend.add_rule([is_reached], [flag, -before])
            after = self.new_derived_atom()
            self.backend.add_rule([after], [flag])
            self.backend.add_rule([after], [before])
            before = after

    def _forest(self, flags: Sequence[int], edges: Sequence[tuple[int, int]]) -> None:
        """Direct the true edges from the roots of trees: no cycle, at most one into a vertex."""
        arcs_into: dict[int, list[int]] = {}
        for flag, (tail, head) in zip(flags, edges):
            if tail == head:
                self.clause((-flag,))
                continue
            forward, back = self.new_derived_atom(), self.new_derived_atom()
            self.backend.add_rule([forward], [flag, -back])
            self.backend.add_rule([back], [flag, -forward])
            self.backend.add_acyc_edge(tail, head, [forward])
            self.backend.add_acyc_edge(head, tail, [back])
            arcs_into.setdefault(head, []).append(forward)
            arcs_into.setdefault(tail, []).append(back)
        for arcs in arcs_into.values():
            self.at_most_one(arcs)


class _SizeCuts(clingo.Propagator):  # type: ignore[misc]
    """Lazy cuts on the sizes of regions, which clingo asks for at each full assignment."""

    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        self._solver_literals: dict[int, int] = {}

    def init(self, init: clingo.PropagateInit) -> None:
        init.check_mode = clingo.PropagatorCheckMode.Total
        for atom in range(1, self.program.top + 1):
            literal = init.solver_literal(atom)
            self._solver_literals[atom] = literal
            self._solver_literals[-atom] = -literal

    def check(self, control: clingo.PropagateControl) -> None:
        literals, assignment = self._solver_literals, control.assignment
        is_true = lambda literal: bool(assignment.is_true(literals[literal]))  # noqa: E731
        for shape, links in self.program.sizes:
            cuts = list(self.program.size_cuts(shape, links, is_true))
            for cut in cuts:
                if not control.add_clause([literals[literal] for literal in cut]):
                    return
