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
        return (
            self._best(model, budget)
            if query.task is Task.OPTIMISE
            else self._solutions(model, budget)
        )

    def _solutions(self, model: Model, budget: Budget) -> Iterator[Values]:
        control, rules = _stated(model, budget, LISTING)
        visible = [variable for variable in model.visible() if len(model.domains[variable]) > 1]
        with control.backend() as backend:
            backend.add_project(
                [abs(literal) for variable in visible for literal in rules.literals[variable]]
            )
        control.configuration.solve.project = "project"
        control.configuration.solve.models = 0
        return _models(control, rules, budget)

    def _best(self, model: Model, budget: Budget) -> Iterator[Values]:
        """Find the best solution by unsatisfiable cores."""
        control, rules = _stated(model, budget)
        costs = rules.costs()
        if sum(weight for _, weight in costs) > LARGEST:
            raise Unsupported(f"clingo cannot hold a sum of weights beyond {LARGEST}")
        with control.backend() as backend:
            backend.add_minimize(0, costs)
        control.configuration.solve.opt_mode = "opt"
        control.configuration.solver.opt_strategy = "usc"
        control.configuration.solve.models = 0
        return _models(control, rules, budget)


def _stated(model: Model, budget: Budget, *options: str) -> tuple[clingo.Control, Rules]:
    with budget.building():
        control = clingo.Control(["--warn=none", *options], logger=lambda *_: None)
        rules = Rules(model, budget.check)
        with control.backend() as backend:
            rules.state_in(backend)
        if rules.sizes:
            control.register_propagator(_SizeCuts(rules))
    return control, rules


def _models(control: clingo.Control, rules: Rules, budget: Budget) -> Iterator[Values]:
    """Yield the solver's models; it runs in a thread, so that the clock and Ctrl-C can stop it."""
    try:
        yield from _found(control, rules, budget)
    finally:
        if budget.statistics is not None:
            _note(control.statistics, budget.statistics)


def _note(reported: Any, statistics: Statistics) -> None:
    if "solving" not in reported:  # stopped before it began
        return
    problem, solver = reported["problem"]["generator"], reported["solving"]["solvers"]
    clauses = sum(
        problem[kind] for kind in ("constraints", "constraints_binary", "constraints_ternary")
    )
    statistics.note_sizes(variables=problem["vars"], clauses=clauses)
    statistics.took(
        decisions=solver["choices"], conflicts=solver["conflicts"], restarts=solver["restarts"]
    )


def _found(control: clingo.Control, rules: Rules, budget: Budget) -> Iterator[Values]:
    with control.solve(yield_=True, async_=True) as handle:
        while True:
            budget.step()
            handle.resume()
            while not handle.wait(
                0.1 if budget.remaining() is None else min(0.1, (budget.remaining() or 0.0) + 0.001)
            ):
                budget.check()
            found = handle.model()
            if found is None:
                break
            yield rules.read(found)
        if not handle.get().exhausted and not handle.get().unsatisfiable:
            raise Undecided("clingo gives up")


class Rules(CnfBuilder):
    """A model as ground rules; a literal is an atom of the program or its negation."""

    def __init__(self, model: Model, pause: Callable[[], None]) -> None:
        super().__init__(model, pause)
        self.backend: Any = None
        self._names: dict[clingo.Symbol, int] = {}

    def state_in(self, backend: Any) -> None:
        """Add the model to the program through an open clingo backend."""
        self.backend = backend
        assert backend.add_atom() == TRUE, "a new program numbers its atoms from one"
        backend.add_rule([TRUE])
        self.state()

    def fresh(self) -> int:
        """Return a new atom that may be true or false."""
        self.top = self.backend.add_atom()
        self.backend.add_rule([self.top], choice=True)
        return self.top

    def named(self) -> int:
        """Return a new atom with a name: clingo lists the names of true atoms fastest."""
        name = clingo.Function("v", [clingo.Number(len(self._names))])
        self.top = self._names[name] = self.backend.add_atom(name)
        self.backend.add_rule([self.top], choice=True)
        return self.top

    def read(self, found: clingo.Model) -> Values:
        """Return the values of a model that the solver found."""
        return self.values(map(self._names.__getitem__, found.symbols(atoms=True)))

    def derived(self) -> int:
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
        whole = sum(weight for _, weight in weighted)
        if whole > LARGEST:
            binary(self, choices, low, high)
            return
        if high < sum(max(weight for _, weight in choice) for choice in choices):
            self.backend.add_weight_rule([], high + 1, weighted)
        if low > 0:
            self.backend.add_weight_rule(
                [], whole - low + 1, [(-literal, weight) for literal, weight in weighted]
            )

    def shape(self, shape: Connected | Circuit | Acyclic, flags: Sequence[int]) -> None:
        match shape:
            case Connected(_, links):
                reached = [self.derived() for _ in flags]
                self._rooted(flags, reached)
                for one, other in links:
                    self.backend.add_rule([reached[other]], [reached[one], flags[other]])
                    self.backend.add_rule([reached[one]], [reached[other], flags[one]])
                for flag, there in zip(flags, reached):
                    self.clause((-flag, there))
            case Circuit(_, edges):
                vertices = {vertex: self.derived() for edge in edges for vertex in edge}
                self._rooted(flags, [vertices[tail] for tail, _ in edges])
                for flag, (tail, head) in zip(flags, edges):
                    self.backend.add_rule([vertices[head]], [vertices[tail], flag])
                    self.backend.add_rule([vertices[tail]], [vertices[head], flag])
                    self.clause((-flag, vertices[tail]))
                self.clause(flags)
            case Acyclic(_, edges):
                self._forest(flags, edges)

    def _rooted(self, flags: Sequence[int], reached: Sequence[int]) -> None:
        """Reachability starts at the first true flag, or at one that is always true."""
        if TRUE in flags:
            self.backend.add_rule([reached[flags.index(TRUE)]])
            return
        before = FALSE
        for flag, there in zip(flags, reached):
            self.backend.add_rule([there], [flag, -before])
            after = self.derived()
            self.backend.add_rule([after], [flag])
            self.backend.add_rule([after], [before])
            before = after

    def _forest(self, flags: Sequence[int], edges: Sequence[tuple[int, int]]) -> None:
        """Direct the true edges from the roots of trees: no cycle, at most one into a vertex."""
        into: dict[int, list[int]] = {}
        for flag, (one, other) in zip(flags, edges):
            if one == other:
                self.clause((-flag,))
                continue
            there, back = self.derived(), self.derived()
            self.backend.add_rule([there], [flag, -back])
            self.backend.add_rule([back], [flag, -there])
            self.backend.add_acyc_edge(one, other, [there])
            self.backend.add_acyc_edge(other, one, [back])
            into.setdefault(other, []).append(there)
            into.setdefault(one, []).append(back)
        for arcs in into.values():
            self.at_most_one(arcs)


class _SizeCuts(clingo.Propagator):  # type: ignore[misc]
    """Lazy cuts on the sizes of regions, which clingo asks for at each full assignment."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._solver: dict[int, int] = {}  # the solver's literals

    def init(self, init: clingo.PropagateInit) -> None:
        init.check_mode = clingo.PropagatorCheckMode.Total
        for literal in range(1, self.rules.top + 1):
            self._solver[literal] = init.solver_literal(literal)
            self._solver[-literal] = -self._solver[literal]

    def check(self, control: clingo.PropagateControl) -> None:
        holds = lambda literal: bool(control.assignment.is_true(self._solver[literal]))  # noqa: E731
        for shape, links in self.rules.sizes:
            for cut in [*self.rules.size_cuts(shape, links, holds)]:
                if not control.add_clause([self._solver[literal] for literal in cut]):
                    return
