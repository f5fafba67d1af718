"""A type bound to data: its model, and its rules as the referee of every solution."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from time import thread_time
from typing import Any, NoReturn

from puzzlekit.boards import Grid
from puzzlekit.errors import Place
from puzzlekit.lang.data.locations import Places, path_of
from puzzlekit.lang.data.membership import breaches
from puzzlekit.lang.expressions.compiler import RUN_ERRORS, Expression, error_in, message_of, sides_of
from puzzlekit.lang.expressions.conditions import PLAIN_CONDITIONS
from puzzlekit.lang.expressions.runtime import Runtime
from puzzlekit.lang.expressions.values import ATOMS, ExpressionError, Family, LackingError, NoValueError, shown
from puzzlekit.lang.functions.arithmetic import Aim
from puzzlekit.lang.long_definitions import LongDefinitions
from puzzlekit.lang.puzzle_type import PuzzleType, Rule, Unknowns, Within
from puzzlekit.model import And, Comparison, Constant, Constraint, Element, Goal, Model, Origin, Term, Value, Variable

MOST_UNKNOWNS = 300_000
KEPT_VALUES = 100_000  # of the loops of a rule, kept for checks of solutions


class BoundPuzzle:
    """A type bound to data. `model` states the puzzle; `check` runs its rules on a solution.

    Args:
        puzzle: The type.
        data: The value of each field.
        places: Where the values are written.
        runtime: The run of expressions; by default a new one.

    Attributes:
        facts: The values that are shown before the solutions.
        families: The unknowns by name.
        definitions: What the names of `define` stand for: terms of unknowns, or families of terms.
        goals: The goals by name.
        lacking: Why the data do not allow a goal, by its name.
        starts: The known optimal solution of a goal, by its name.
        rule_seconds: Each expression of definitions and rules: its name, its place, and the processor
            time in seconds in which it was made.
        model: The puzzle for backends.

    Raises:
        Problems: All problems of the data and the rules.
    """

    def __init__(
        self,
        puzzle: PuzzleType,
        data: Mapping[str, Any],
        places: Places | None = None,
        runtime: Runtime | None = None,
    ) -> None:
        self.puzzle = puzzle
        self.data = dict(data)
        self.places = places or Places()
        self.runtime = runtime or Runtime()
        self.scope: dict[str, Any] = {**self.runtime.names(), **puzzle.language.bound(self.runtime), **self.data}
        self.facts: dict[str, Any] = {}
        self.families: dict[str, Family] = {}
        self.definitions: dict[str, Any] = {}
        self.goals: dict[str, Goal] = {}
        self.lacking: dict[str, str] = {}
        self.starts: dict[str, Mapping[Variable, Value]] = {}
        self.bound_from: tuple[Any, ...] | None = None  # the arguments of `bind`, to pickle it
        self.token: bytes | None = None  # identifies it in its pickles
        self.rule_seconds: list[tuple[str, Place, float]] = []
        self._failed: set[str] = set()
        self._long = LongDefinitions(self.runtime.kinds)
        # known values of loops, by the number of the rule or the name of the definition
        self._kept: dict[int | str, tuple[tuple[Any, ...], ...]] = {}
        self._last_domain: tuple[Any, tuple[Value, ...]] = (self, ())
        self.model = self._build()

    def __deepcopy__(self, memo: Any) -> BoundPuzzle:
        return self

    @property
    def grids(self) -> list[Grid]:
        """The boards in the data, as hexagons or triangles if a `let` makes them so."""
        lets = [self.scope.get(let.name) for let in self.puzzle.lets]
        made = [value for value in lets if isinstance(value, Grid) and value.form != "square"]
        boards = [value for value in self.data.values() if isinstance(value, Grid)]
        return [next((tiled for tiled in made if tiled == board), board) for board in boards]

    def check(self, values: Mapping[Variable, Value]) -> Origin | None:
        """Run the rules on the values of a solution.

        Returns:
            The first rule that the values break; None if all rules hold.

        Raises:
            Problems: All errors in running a rule.
        """
        with self._settled():
            scope = self._filled(values, self.families)
            broken = next((origin for origin, _ in chain(self._define(scope), self._conditions(scope))), None)
        self.puzzle.source.raise_problems()
        return broken

    def evaluate(self, expression: Expression, values: Mapping[Variable, Value] | None) -> Any:
        """Return the value of an expression of the type in a solution; None if it has no value.

        Without a solution, the expression reads only the data.

        Raises:
            Problems: The error in running the expression.
        """
        result = None
        with self._settled(), suppress(NoValueError):
            result = self._value(expression, self.scope if values is None else self.solution_scope(values, expression.names))
        self.puzzle.source.raise_problems()
        return result

    @contextmanager
    def _settled(self) -> Iterator[None]:
        """Let expressions run on the values of a solution.

        An index without a value is then not an error of the type.
        """
        self.runtime.begin()
        self.runtime.settled = True
        try:
            yield
        finally:
            self.runtime.settled = False

    def solution_scope(self, values: Mapping[Variable, Value], names: Collection[str] | None = None) -> dict[str, Any]:
        """Return the names of the type with the values of a solution instead of its unknowns.

        With `names`, only unknowns and definitions of these names have values.
        """
        scope = self._filled(values, self.families.keys() if names is None else self.families.keys() & names)
        for _ in self._define(scope, names):
            raise NoValueError("a definition has no value")
        return scope

    def _filled(self, values: Mapping[Variable, Value], names: Iterable[str]) -> dict[str, Any]:
        return {**self.scope, **{name: _in_scope(self.families[name].filled(values)) for name in names}}

    def _build(self) -> Model:
        puzzle = self.puzzle
        self._check_data(beforehand=True)
        for let in puzzle.lets:
            self.scope[let.name] = self._value(let.expression, self.scope, let.name)
        self._check_data(beforehand=False)
        for fact in puzzle.facts:
            self.facts[fact.name] = self._value(fact.expression, self.scope)
        auxiliary: set[Variable] = set()
        for unknowns in puzzle.unknowns:
            family = self._family(unknowns)
            self.families[unknowns.name] = family
            self.scope[unknowns.name] = _in_scope(family)
            if unknowns.auxiliary:
                auxiliary.update(family)
        constraints = []
        for origin, holds in chain(self._define(self.scope), self._conditions(self.scope)):
            constraints.append(Constraint(holds if isinstance(holds, Term) else Constant(False), origin))
        for rule in puzzle.goals.values():
            self._goal(rule)
        puzzle.source.raise_problems()
        for name, values in self.starts.items():
            if (broken := self.check(values)) is not None:
                error = ExpressionError(f"the start value of the goal violates the rule: {broken}")
                self._problem(puzzle.goals[name].expression, error)
        puzzle.source.raise_problems()
        goal = self.goals.get(puzzle.default_goal(self.lacking))
        auxiliary.update(self._long.equal)
        return Model(self.runtime.kinds.domains, tuple(constraints), goal, frozenset(auxiliary))

    def _check_data(self, beforehand: bool) -> None:
        """Raise Problems with all values that fields may not hold and all checks that fail.

        Conditions that use only fields are checked `beforehand`, the others after `let`.
        """
        lets, known = {let.name for let in self.puzzle.lets}, len(self.puzzle.source.problems)
        for within in self.puzzle.within:
            if within.names.isdisjoint(lets) is beforehand:
                self._hold(within)
        for rule in self.puzzle.checks:
            if rule.expression.names.isdisjoint(lets) is beforehand:
                self._check(rule)
        if len(self.puzzle.source.problems) > known:
            self.puzzle.source.raise_problems()

    def _hold(self, within: Within) -> None:
        """Note the values of a field that it may not hold, each at its place."""
        source, value, ends = self.puzzle.source, self.data[within.field], list[Any]()
        if value is None or within.names & self._failed or self.runtime.exceeded:
            return
        at = next(end for end in within.ends if end is not None)
        declared = f"{self.puzzle.name} declares {self.puzzle.fields[within.field]}"
        try:
            for end in within.ends:
                at = end or at
                ends.append(None if end is None else end.run(self.scope))
            for path, wrong, hint in breaches(within, ends, value, self.runtime):
                source.problem(wrong, None if source.full else self.places(path), "" if source.full else hint() or declared)
        except RUN_ERRORS as error:
            error_in(at, error)

    def _check(self, rule: Rule) -> None:
        """Note a check that fails at what its loop variable is bound to, or else at a field."""
        read = [name for name in rule.expression.read if name in self.puzzle.fields]
        named = list(dict.fromkeys([*read, *self.puzzle.fields_behind(rule.expression.names)]))
        for bindings, holds in self._each(rule.expression, self.scope):
            if not isinstance(holds, bool):
                self._problem(rule.expression, ExpressionError(f"expected a condition as the check, got {shown(holds)}"))
                break
            if not holds:
                bound, full = tuple(zip(rule.expression.loops or (), bindings)), self.puzzle.source.full
                place = None if full else self._place_of(named, bindings)
                hint = ""
                with suppress(*RUN_ERRORS):  # no steps may be left
                    hint = "" if full else sides_of(rule.expression, {**self.scope, **dict(bound)})
                self.puzzle.source.problem(f"this does not hold: {_named(rule.name, bound)}", place, hint)

    def _place_of(self, fields: Sequence[str], bindings: Sequence[Any]) -> Place | None:
        """Return the place of what a loop variable is bound to in these fields.

        Without one, it is the place of the first field that is not a default.
        """
        path = next((path for name in fields if (path := path_of(bindings, self.data[name], (name,)))), None)
        if path is not None:
            return self.places(path)
        places = [place for name in fields if (place := self.places((name,)))]
        return next((place for place in places if place.path != self.puzzle.source.path), places[0] if places else None)

    def _family(self, unknowns: Unknowns) -> Family:
        """Declare the unknowns of one name with their domains, up to the first problem."""
        members: dict[Any, Variable] = {}
        domains = self.runtime.kinds.domains
        loops = unknowns.domain.loops or ()
        places = [loops.index(name) for name in unknowns.indexes]
        with_domains = self._each(unknowns.domain, self.scope, unknowns.name)
        for bindings, domain in with_domains:
            key = _key(bindings, places)
            try:
                if type(key) not in ATOMS:
                    self.runtime.known(key, "an index")
                variable = Variable(self._label(unknowns.name, key, len(places)))
                if key in members:
                    raise ExpressionError(f"{variable} is declared twice")
                if len(domains) >= MOST_UNKNOWNS:
                    raise ExpressionError(f"there are more than {MOST_UNKNOWNS:,} unknowns")
                domains[variable] = self._domain(domain, variable)
            except RUN_ERRORS as error:
                self._failed.add(unknowns.name)
                self._problem(unknowns.domain, error)
                break
            members[key] = variable
        return Family(unknowns.name, members, len(unknowns.indexes))

    def _label(self, name: str, key: Any, indexes: int) -> str:
        label = f"{name}[{', '.join(map(str, key)) if indexes > 1 else key}]" if indexes else name
        self.runtime.spend(len(label) >> 6)
        return label

    def _domain(self, value: Any, variable: Variable) -> tuple[Value, ...]:
        """Return the values of a domain expression."""
        last, values = self._last_domain
        if value is last or (isinstance(value, range) and value == last):
            return values  # as for every cell of a board
        if value is None or isinstance(value, int):
            raise ExpressionError(f"expected a collection of values as the domain of {variable}, got {shown(value)}")
        values = self.runtime.items(value)
        if self.runtime.symbolic(values):
            raise ExpressionError(f"the domain of {variable} cannot depend on an unknown")
        values = tuple(dict.fromkeys(values))
        if not values:
            raise ExpressionError(f"the domain of {variable} is empty: it can take no value")
        if None in values:
            raise ExpressionError(f"the domain of {variable} contains None", "distinct(…) leaves None out")
        self._last_domain = (value, values)
        return values

    def _define(self, scope: dict[str, Any], names: Collection[str] | None = None) -> Iterator[tuple[Origin, Any]]:
        """Add what definitions stand for to the scope; with `names`, only those of these names.

        Yields what must hold for them to have a value. Only `self.scope` has unknowns.
        """
        raised = NoValueError if self.runtime.settled else ()
        for made in self.puzzle.definitions:
            if names is not None and made.name not in names:
                continue
            text, loops = made.expression.text, made.expression.loops or ()
            place, members = text.source.start(text.node), dict[Any, Any]()
            whole = Origin(f"definition of {made.name}", place=place)
            places = [loops.index(name) for name in made.indexes]
            within = {**scope, "_expand": partial(self._expand, made.name, made.expression)}
            began = thread_time()
            try:
                for bindings, value in self._each(made.expression, within, made.name, raised):
                    try:
                        key = self.runtime.known(_key(bindings, places), "an index")
                        self.runtime.symbolic(value)  # later uses cost steps, too
                        if key in members:
                            raise ExpressionError(f"{made.name}[{shown(key)}] is defined twice")
                        named = len(self._long.equal)
                        value = self._long.short(value, self._label(made.name, key, len(places)))
                    except RUN_ERRORS as error:
                        self._failed.add(made.name)
                        self._problem(made.expression, error)
                        break
                    origin = Origin(whole.rule, loops, bindings, place)
                    yield from ((origin, demand) for demand in self.runtime.take_demands())
                    yield from ((origin, Comparison("==", *pair)) for pair in islice(self._long.equal.items(), named, None))
                    members[key] = value
                yield from ((whole, demand) for demand in self.runtime.take_demands())
            except NoValueError:
                yield whole, False
                return
            family = Family(made.name, members, len(made.indexes))
            scope[made.name] = _in_scope(family)
            if scope is self.scope:
                self.definitions[made.name] = scope[made.name]
                self.rule_seconds.append((f"definition of {made.name}", place, thread_time() - began))

    def _goal(self, rule: Rule) -> None:
        try:
            for _, aim in self._each(rule.expression, self.scope, "", LackingError):
                if isinstance(aim, Aim):
                    demands = tuple(self.runtime.take_demands())
                    term = Element((True,), (aim.term,), And(demands)) if demands else aim.term
                    self.goals[rule.name] = Goal(rule.name, term, aim.maximise, bool(demands))
                    self._start(rule, aim)
                else:
                    self._problem(rule.expression, ExpressionError("expected minimise(…) or maximise(…) as the goal"))
        except LackingError as error:
            self.lacking[rule.name] = str(error)

    def _start(self, rule: Rule, aim: Aim) -> None:
        """Keep the start of a goal if it reaches the goal's bound, so that no search is needed.

        Unknowns that it omits take the first value of their domain.
        """
        if not aim.start:
            return
        domains = self.runtime.kinds.domains
        values = {variable: aim.start.get(variable, domain[0]) for variable, domain in domains.items()}
        if (named := next((v for v in aim.start if v in self._long.equal), None)) is not None:
            self._problem(
                rule.expression, ExpressionError(f"{named} is a definition, so the start in the goal cannot give its value")
            )
            return
        with suppress(*RUN_ERRORS):  # where a definition has no value, the start violates it, which `check` finds
            for variable, term in self._long.equal.items():
                values[variable] = term.value(values)
        if (wrong := next((v for v, value in aim.start.items() if value not in domains[v]), None)) is not None:
            self._problem(rule.expression, ExpressionError(f"{wrong} cannot take its start value in the goal"))
        elif aim.term.value(values) == aim.bound:
            self.starts[rule.name] = values

    def _conditions(self, scope: Mapping[str, Any]) -> Iterator[tuple[Origin, Any]]:
        """Yield the conditions of each rule, except those that hold already, with their origins.

        The scope has the unknowns as variables or as values. Demands, which ensure that every index
        has a value, come before the condition that needs them. On values, a rule that evaluates an
        index without a value does not hold.
        """
        for number, rule in enumerate(self.puzzle.rules):
            scope = {**scope, "_expand": partial(self._expand, number, rule.expression)}
            text, loops, in_name = rule.expression.text, rule.expression.loops or (), "{" in rule.name
            place = text.source.start(text.node)
            whole = Origin(rule.name, place=place)
            began = thread_time()
            try:
                for bindings, holds in self._each(rule.expression, scope, raised=NoValueError if self.runtime.settled else ()):
                    if holds is True and not self.runtime.demands:
                        continue
                    try:
                        if in_name:
                            self.runtime.symbolic(bindings)  # spends the steps to write them
                        if type(holds) not in PLAIN_CONDITIONS:
                            holds = self.runtime.condition(holds)
                    except ExpressionError as error:
                        hint = "use all(…) to join the conditions of a loop" if isinstance(holds, tuple) else ""
                        wrong = ExpressionError(f"expected a condition as the rule, got {shown(holds)}", error.hint or hint)
                        self._problem(rule.expression, error if self.runtime.exceeded else wrong)
                        break
                    origin = Origin(rule.name, loops, bindings, place)
                    if in_name:
                        origin = Origin(_named(rule.name, tuple(origin.bindings)), place=place)
                    if self.runtime.demands:
                        yield from ((origin, demand) for demand in self.runtime.take_demands())
                    if holds is not True:
                        yield origin, holds
                # loops without a turn may have demands, too
                yield from ((whole, demand) for demand in self.runtime.take_demands())
            except NoValueError:
                yield whole, False
            if not self.runtime.settled:
                self.rule_seconds.append((rule.name, place, thread_time() - began))

    def _expand(
        self, rule: int | str, expression: Expression, loops: Callable[[], Iterable[tuple[Any, ...]]]
    ) -> Iterable[tuple[Any, ...]]:
        """Return the values of the loop variables of a rule or a definition.

        They are kept for checks of solutions if the loops do not use unknowns.
        """
        if rule in self._kept:
            self.runtime.spend(len(self._kept[rule]))
            return self._kept[rule]
        known = expression.loop_names.isdisjoint(self.families) and not self.runtime.settled
        return self._keep(rule, loops()) if known else loops()

    def _keep(self, rule: int | str, values: Iterable[tuple[Any, ...]]) -> Iterable[tuple[Any, ...]]:
        turns, kept = iter(values), list[tuple[Any, ...]]()
        try:
            kept += islice(turns, KEPT_VALUES + 1)
        except RUN_ERRORS as error:  # after the turns before it, as these may have errors of their own
            caught = error

            def again() -> NoReturn:
                raise caught

            return chain(kept, iter(again, None))
        if len(kept) > KEPT_VALUES:
            return chain(kept, turns)
        self._kept[rule] = tuple(kept)
        return kept

    def _each(
        self, expression: Expression, scope: Mapping[str, Any], name: str = "", raised: type[Exception] | tuple[()] = ()
    ) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """Yield the values of an expression with those of its loop variables.

        An error is noted as a problem, and `name` counts as failed: expressions that use it are not
        run. Exceptions in `raised` are left to the caller.
        """
        if expression.names & self._failed or self.runtime.exceeded:  # both are reported already
            self._failed.add(name)
            return
        self.runtime.take_demands()
        try:
            value = expression.run(scope)
            if expression.loops is None:
                yield (), value
            else:
                yield from value
        except raised:
            raise
        except RUN_ERRORS as error:
            self._failed.add(name)
            error_in(expression, error)

    def _value(self, expression: Expression, scope: Mapping[str, Any], name: str = "") -> Any:
        """Return the value of an expression that is not repeated; None if it has none or fails."""
        with suppress(NoValueError):
            for _, value in self._each(expression, scope, name, NoValueError if self.runtime.settled else ()):
                try:
                    self.runtime.symbolic(value)  # later uses cost steps, too
                except RUN_ERRORS as error:
                    self._problem(expression, error)
                else:
                    return value
        return None

    def _problem(self, expression: Expression, error: BaseException) -> None:
        source = expression.text.source
        message, hint = message_of(error)
        source.problem(message, source.start(expression.text.node), hint)


def _key(bindings: tuple[Any, ...], places: Sequence[int]) -> Any:
    """Return the index of a member from the values of all loop variables."""
    return bindings[places[0]] if len(places) == 1 else tuple(bindings[place] for place in places)


def _in_scope(family: Family) -> Any:
    """Return what the family's name means in expressions: the family, or its only member."""
    return family if family.arity else family.members.get(())


def _named(rule: str, bindings: tuple[tuple[str, Any], ...]) -> str:
    for name, value in bindings:
        rule = rule.replace("{" + name + "}", str(value))
    return rule
