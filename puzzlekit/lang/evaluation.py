"""Runs the expressions of a type, on its unknowns or on the values of a solution."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from typing import Any, NoReturn

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.clock import thread_seconds
from puzzlekit.errors import SourcePos
from puzzlekit.lang.aliases import DataValue, Operand
from puzzlekit.lang.expressions import RUN_ERRORS, Expression, error_in, message_of
from puzzlekit.lang.expressions.conditions import PLAIN_CONDITIONS
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import (
    ATOMS,
    ExpressionError,
    UndefinedError,
    VariableArray,
    display_text,
)
from puzzlekit.lang.expressions.whitelist import EXPRESSION_LEVELS
from puzzlekit.lang.puzzle_type import Definition, PuzzleType, Rule
from puzzlekit.lang.rebinding import Likeness, TypeStatement, Watch
from puzzlekit.model import Origin, Term, Value, Variable, size_of

MOST_OPERANDS = 100_000  # of a definition, written out: presolve looks at each in turn
CACHED_BINDINGS = 100_000  # of the loops of a rule, cached for checks of solutions
Bindings = tuple[Operand, ...]  # the values of the loop variables


class Grounder:
    """Runs the expressions of a type bound to data, and notes their errors as problems of the type.

    Attributes:
        type_: The type.
        interpreter: The run of expressions.
        plan: What watches the fields, or which statements are taken from a board of the same shape.
        earlier: The grounder of that board; None without one.
        scope: The names of the type, with its unknowns as variables once they are declared.
        families: The unknowns by name.
        definitions: What the names of `define` stand for: terms of unknowns, or families of terms.
        failed: The names whose expressions failed. Expressions that use them are not run.
        rule_seconds: Each expression of definitions and rules: its name, its position, and the
            processor time in seconds in which it was run.
    """

    def __init__(
        self,
        type_: PuzzleType,
        data: Mapping[str, Any],
        interpreter: Interpreter,
        plan: Watch | Likeness | None = None,
    ) -> None:
        self.type_ = type_
        self.interpreter = interpreter
        self.plan = plan
        self.earlier = plan.shape.bound.run if isinstance(plan, Likeness) else None
        self.scope: dict[str, Any] = {
            **interpreter.names(),
            **type_.language.bound(interpreter),
            **data,
        }
        self.families: dict[str, VariableArray] = {}
        self.definitions: dict[str, Any] = {}
        self.failed: set[str] = set()
        self.rule_seconds: list[tuple[str, SourcePos, float]] = []
        self._sizes: dict[Term, tuple[int, int]] = {}  # of definitions
        # definitions that only give unknowns another name or index
        self._aliases: dict[str, VariableArray] = {}
        # of loops over data, by the number of the rule or the name of the definition
        self._bindings: dict[int | str, tuple[Bindings, ...]] = {}

    def runs(self, statement: TypeStatement) -> bool:
        """Return whether a statement is run.

        Otherwise it is taken from an earlier board of the same shape.
        """
        return self.plan is None or self.plan.runs(statement, self.scope)

    def conditions(
        self,
        number: int,
        statement: Definition | Rule,
        scope: dict[str, Any],
        values: Mapping[Variable, Value] | None = None,
    ) -> Iterator[tuple[Origin, Operand]]:
        """Yield the conditions that a definition or a rule states.

        Args:
            number: The number of the rule.
            statement: The definition or the rule.
            scope: The values of names, to which a definition adds its name.
            values: The values of the unknowns in the scope; None if they have none.
        """
        if isinstance(statement, Definition):
            return self._definition(statement, scope, values)
        return self._conditions(number, statement, scope)

    def violated(
        self, values: Mapping[Variable, Value], skip_shared: bool = False
    ) -> Origin | None:
        """Return the first definition or rule that the values of a solution violate.

        Args:
            values: The values.
            skip_shared: Whether rules that were taken from an earlier board are skipped.

        Returns:
            The origin of the condition that is false; None if all conditions are true.
        """
        with self.evaluating():
            scope = self._with_values(values, self.families)
            checked = self._not_shared() if skip_shared else None
            for number, statement in self.type_.statements:
                if checked is not None and id(statement) not in checked:
                    continue
                for origin, _ in self.conditions(number, statement, scope, values):
                    return origin
        return None

    def _not_shared(self) -> frozenset[int]:
        """Return the rules that are not from an earlier board, and the definitions that they read.

        They are given by their identities.
        """
        if isinstance(self.plan, Likeness):
            checked = self.plan.shape.checked
            if self.plan.changed not in checked:
                checked[self.plan.changed] = self._run_for_checks()
            return checked[self.plan.changed]
        return self._run_for_checks()

    def _run_for_checks(self) -> frozenset[int]:
        rules = [rule for rule in self.type_.rules if self.runs(rule)]
        names = frozenset[str]().union(*(rule.expression.names for rule in rules))
        identities = {id(rule) for rule in rules}
        for definition in reversed(self.type_.definitions):
            if definition.name in names:
                identities.add(id(definition))
                names |= definition.expression.names
        return frozenset(identities)

    def reuse(self, statement: Definition | Rule, number: int) -> None:
        """Take a definition or a rule from an earlier board, with the values of its loops.

        Args:
            statement: The definition or the rule.
            number: The number of the rule.
        """
        earlier = self.earlier
        assert earlier is not None, "it is bound like an earlier board"
        name = statement.name
        key = name if isinstance(statement, Definition) else number
        if key in earlier._bindings:
            self._bindings[key] = earlier._bindings[key]
        if isinstance(statement, Definition) and name in earlier.definitions:
            self.definitions[name] = earlier.definitions[name]
            self.scope[name] = earlier.definitions[name]
            if name in earlier._aliases:
                self._aliases[name] = earlier._aliases[name]

    @contextmanager
    def evaluating(self, solved: bool = True) -> Iterator[None]:
        """Let expressions run on the values of a solution, or else on the data alone.

        An index without a value is then not an error of the type.
        """
        self.interpreter.start_run()
        self.interpreter.settled = True
        self.interpreter.solved = solved
        try:
            yield
        finally:
            self.interpreter.settled = False
            self.interpreter.solved = False

    def solution_scope(
        self, values: Mapping[Variable, Value], names: Collection[str]
    ) -> dict[str, Operand]:
        """Return the names of the type, some of them with the values of a solution.

        Args:
            values: The values.
            names: The unknowns and definitions that have these values.
        """
        scope = self._with_values(values, self.families.keys() & names)
        for definition in self.type_.definitions:
            if definition.name in names:
                for _ in self._definition(definition, scope, values):
                    raise UndefinedError("a definition has no value")
        return scope

    def _with_values(
        self, values: Mapping[Variable, Value], names: Iterable[str]
    ) -> dict[str, Operand]:
        """Return the scope in which unknowns of these names have the values of a solution."""
        scope = dict(self.scope)
        for name in names:
            scope[name] = in_scope(self.families[name].filled(values))
        return scope

    def _definition(
        self,
        definition: Definition,
        scope: dict[str, Any],
        values: Mapping[Variable, Value] | None,
    ) -> Iterator[tuple[Origin, Operand]]:
        """Add what a definition stands for to the scope.

        Yields the conditions under which it has a value. Only `self.scope` has unknowns; any other
        scope is that of a solution, which has these `values`.
        """
        name = definition.name
        if values is not None and name in self._aliases:
            scope[name] = in_scope(_alias_in_solution(self._aliases[name], values))
            return
        expression = definition.expression
        position = expression.start
        loops = expression.loops or ()
        index_positions = [loops.index(index) for index in definition.indexes]
        general_origin = Origin(f"definition of {name}", position=position)
        with_loops = {**scope, "_expand": partial(self._expand, name, expression)}
        interpreter = self.interpreter
        members: dict[Any, Any] = {}
        demanded = False
        began = self._now()
        try:
            for bindings, value in self.each(expression, with_loops, name):
                try:
                    key = interpreter.require_fixed(index_of(bindings, index_positions), "an index")
                    interpreter.symbolic(value)  # later uses cost steps, too
                    if key in members:
                        raise ExpressionError(f"{name}[{display_text(key)}] is defined twice")
                    self._check_size(value)
                except RUN_ERRORS as error:
                    self.failed.add(name)
                    self.problem(expression, error)
                    break
                origin = Origin(general_origin.rule, loops, bindings, position)
                demanded |= bool(interpreter.demands)
                yield from ((origin, demand) for demand in interpreter.take_demands())
                members[key] = value
            demanded |= bool(interpreter.demands)
            yield from ((general_origin, demand) for demand in interpreter.take_demands())
        except UndefinedError:
            yield general_origin, False
            return
        family = VariableArray(name, members, len(definition.indexes))
        scope[name] = in_scope(family)
        if scope is self.scope:
            if not demanded and all(map(_is_alias, members.values())):
                self._aliases[name] = family
            self.definitions[name] = scope[name]
            self.rule_seconds.append((general_origin.rule, position, self._now() - began))

    def _now(self) -> float:
        """Return the processor time, if the time of a rule may be asked for.

        To look at the clock takes longer than a short rule.
        """
        if self.interpreter.settled or self.earlier is not None:
            return 0.0
        return thread_seconds()

    def _check_size(self, value: Operand) -> None:
        """Raise ExpressionError for a definition that is too long written out.

        Later work visits each of its operands.
        """
        for member in value if type(value) is tuple else (value,):
            if type(member) is Variable:  # the most frequent case
                continue
            if type(member) is tuple:
                self._check_size(member)
            elif isinstance(member, Term):
                size, levels = size_of(member, self._sizes)
                if size > MOST_OPERANDS:
                    message = f"this has more than {MOST_OPERANDS:,} parts, written out"
                elif levels > EXPRESSION_LEVELS:
                    message = "this is nested too deeply"
                else:
                    continue
                help = "declare an auxiliary unknown that equals a part of it"
                raise ExpressionError(message, help=help)

    def _conditions(
        self, number: int, rule: Rule, scope: Mapping[str, Any]
    ) -> Iterator[tuple[Origin, Operand]]:
        """Yield the conditions of a rule, except those that are true already, with their origins.

        The scope has the unknowns as variables or as values. Demands, which ensure that every index
        has a value, come before the condition that needs them. On values, a rule that evaluates an
        index without a value is violated.
        """
        expression = rule.expression
        interpreter = self.interpreter
        scope = {**scope, "_expand": partial(self._expand, number, expression)}
        loops = expression.loops or ()
        values_in_name = "{" in rule.name
        position = expression.start
        general_origin = Origin(rule.name, position=position)
        began = self._now()
        try:
            for bindings, condition in self.each(expression, scope):
                if condition is True and not interpreter.demands:
                    continue
                try:
                    if values_in_name:
                        interpreter.symbolic(bindings)  # spends the steps to write them
                    if type(condition) not in PLAIN_CONDITIONS:
                        condition = interpreter.condition(condition)
                except ExpressionError as error:
                    self._no_condition(rule, condition, error)
                    break
                origin = Origin(rule.name, loops, bindings, position)
                if values_in_name:
                    name = named(rule.name, tuple(origin.bindings))
                    origin = Origin(name, loops, bindings, position, values_in_name=True)
                if interpreter.demands:
                    yield from ((origin, demand) for demand in interpreter.take_demands())
                if condition is not True:
                    yield origin, condition
            # loops without a turn may have demands, too
            yield from ((general_origin, demand) for demand in interpreter.take_demands())
        except UndefinedError:
            yield general_origin, False
        if not interpreter.settled:
            self.rule_seconds.append((rule.name, position, self._now() - began))

    def _no_condition(self, rule: Rule, operand: Operand, error: ExpressionError) -> None:
        """Note that a rule states something that is no condition."""
        if not self.interpreter.exceeded:
            help = error.help
            if not help and isinstance(operand, tuple):
                help = "use all(…) to join the conditions of a loop"
            message = f"expected a condition as the rule, got {display_text(operand)}"
            error = ExpressionError(message, help=help)
        self.problem(rule.expression, error)

    def reads(self, rule: Rule, values: Bindings) -> tuple[tuple[str, Operand, Operand], ...]:
        """Return what a rule reads of the data when its loop variables have these values.

        Returns:
            The name of a field or a `let`, the index, and the value there.
        """
        names: dict[int, str] = {}
        for name, operand in self.scope.items():
            if isinstance(operand, Grid | Mapping):
                names[id(operand)] = name
        members: dict[tuple[str, Any], Any] = {}

        def index(group: Operand, key: DataValue) -> Operand:
            member = self.interpreter.index(group, key)
            is_recorded = id(group) in names and not self.interpreter.symbolic(key)
            if is_recorded and isinstance(key, Hashable):
                name = names[id(group)]
                if isinstance(group, Grid) and isinstance(key, Cells) and key:
                    members.update({(name, cell): content for cell, content in zip(key, member)})
                else:
                    members[name, key] = member
            return member

        scope = {**self.scope, "_index": index, "_expand": lambda loops: (values,)}
        with self.evaluating(solved=False), suppress(UndefinedError):
            for _ in self.each(rule.expression, scope):
                pass
        return tuple((name, key, member) for (name, key), member in members.items())

    def _expand(
        self,
        statement: int | str,
        expression: Expression,
        loops: Callable[[], Iterable[Bindings]],
    ) -> Iterable[Bindings]:
        """Return the values of the loop variables of a rule or a definition.

        They are cached for checks of solutions if the loops do not use unknowns.

        Args:
            statement: The number of the rule, or the name of the definition.
            expression: Its expression.
            loops: Runs the loops.
        """
        if statement in self._bindings:
            self.interpreter.spend(len(self._bindings[statement]))
            return self._bindings[statement]
        over_data = expression.loop_names.isdisjoint(self.families)
        if over_data and not self.interpreter.settled:
            return self._cache_bindings(statement, loops())
        return loops()

    def _cache_bindings(
        self, statement: int | str, values: Iterable[Bindings]
    ) -> Iterable[Bindings]:
        turns = iter(values)
        bindings: list[Bindings] = []
        try:
            bindings += islice(turns, CACHED_BINDINGS + 1)
        except RUN_ERRORS as error:
            # raise it only after the turns before it, as these may have other errors
            caught = error

            def raise_again() -> NoReturn:
                raise caught

            return chain(bindings, iter(raise_again, None))
        if len(bindings) > CACHED_BINDINGS:
            return chain(bindings, turns)
        self._bindings[statement] = tuple(bindings)
        return bindings

    def each(
        self,
        expression: Expression,
        scope: Mapping[str, Any],
        name: str = "",
        raised: type[Exception] | tuple[()] = (),
    ) -> Iterator[tuple[Bindings, Operand]]:
        """Yield the values of an expression with those of its loop variables. Each costs a step.

        An error is noted as a problem, and `name` counts as failed: expressions that use it are not
        run. The caller handles `raised`, and on values an index without one (UndefinedError).
        """
        if expression.names & self.failed or self.interpreter.exceeded:  # both are reported already
            self.failed.add(name)
            return
        self.interpreter.take_demands()
        if expression.has_no_turns(scope):
            return
        try:
            value = expression.run(scope)
            if expression.loops is None:
                yield (), value
            else:
                interpreter = self.interpreter
                for bindings_and_value in value:
                    interpreter.remaining -= 1
                    if interpreter.remaining < 0:
                        interpreter.check_bounds(1)
                    yield bindings_and_value
        except RUN_ERRORS as error:
            is_undefined = self.interpreter.settled and isinstance(error, UndefinedError)
            if is_undefined or isinstance(error, raised):
                raise
            self.failed.add(name)
            error_in(expression, error)

    def value(self, expression: Expression, scope: Mapping[str, Any], name: str = "") -> Operand:
        """Return the value of an expression that is not repeated; None if it has none or fails."""
        with suppress(UndefinedError):
            for _, value in self.each(expression, scope, name):
                try:
                    self.interpreter.symbolic(value)  # later uses cost steps, too
                except RUN_ERRORS as error:
                    self.problem(expression, error)
                else:
                    return value
        return None

    def label(self, name: str, key: DataValue, indexes: int) -> str:
        """Return what an unknown or a definition at an index is called: `d[r1c2]`."""
        label = name
        if indexes:
            label += f"[{', '.join(map(str, key)) if indexes > 1 else key}]"
        self.interpreter.spend(len(label) >> 6)
        return label

    def problem(self, expression: Expression, error: BaseException) -> None:
        """Note an error as a problem where the expression begins."""
        message, help = message_of(error)
        expression.text.source.problem(message, expression.start, help)


def index_of(bindings: tuple[DataValue, ...], positions: Sequence[int]) -> DataValue:
    """Return the index of a member from the values of all loop variables."""
    if len(positions) == 1:
        return bindings[positions[0]]
    return tuple([bindings[position] for position in positions])


def _is_alias(value: Operand) -> bool:
    """Return whether a value is an unknown or data, or a row of such values.

    Nothing is then computed from unknowns.
    """
    type_ = type(value)
    if type_ is tuple:
        return all(map(_is_alias, value))
    return type_ in ATOMS or type_ in (Variable, str, Cells)


def _alias_in_solution(family: VariableArray, values: Mapping[Variable, Value]) -> VariableArray:
    """Return a definition that `_is_alias` accepts with the values of a solution."""
    members = {key: _in_solution(member, values) for key, member in family.members.items()}
    return VariableArray(family.name, members, family.arity)


def _in_solution(value: Operand, values: Mapping[Variable, Value]) -> DataValue:
    if type(value) is Variable:
        return values[value]
    if type(value) is tuple:
        return tuple(_in_solution(member, values) for member in value)
    return value


def in_scope(family: VariableArray) -> Operand:
    """Return what the family's name means in expressions: the family, or its only member."""
    return family if family.arity else family.members.get(())


def named(rule: str, bindings: tuple[tuple[str, Operand], ...]) -> str:
    """Return the name of a rule with the values of its loop variables.

    Each value replaces the name of its variable in braces.
    """
    for variable, value in bindings:
        if type(value) is tuple and value and all(isinstance(member, Cell) for member in value):
            value = Cells(value)
        rule = rule.replace("{" + variable + "}", str(value))
    return rule
