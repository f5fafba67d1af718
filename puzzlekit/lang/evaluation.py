"""Runs the expressions of a type, on its unknowns or on the values of a solution."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, islice
from time import thread_time
from typing import Any, NoReturn

from puzzlekit.boards import Cell, Cells, Grid
from puzzlekit.errors import SourcePos
from puzzlekit.lang.aliases import DataValue, Operand
from puzzlekit.lang.expressions import RUN_ERRORS, Expression, error_in, message_of
from puzzlekit.lang.expressions.interpreter import PLAIN_CONDITIONS, Interpreter
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

MOST_PARTS = 100_000  # of a definition, written out: presolve looks at each in turn
KEPT_VALUES = 100_000  # of the loops of a rule, kept for checks of solutions


class Grounder:
    """Runs the expressions of a type bound to data, and notes their errors as problems of the type.

    Attributes:
        puzzle: The type.
        interpreter: The run of expressions.
        scope: The names of the type, with its unknowns as variables once they are declared.
        families: The unknowns by name.
        definitions: What the names of `define` stand for: terms of unknowns, or families of terms.
        failed: The names whose expressions failed. Expressions that use them are not run.
        rule_seconds: Each expression of definitions and rules: its name, its place, and the
            processor time in seconds in which it was made.
    """

    def __init__(
        self,
        puzzle: PuzzleType,
        data: Mapping[str, Any],
        interpreter: Interpreter,
        plan: Watch | Likeness | None = None,
    ) -> None:
        self.puzzle = puzzle
        self.interpreter = interpreter
        self.plan = plan
        self.earlier = plan.shape.bound.run if isinstance(plan, Likeness) else None
        self.scope: dict[str, Any] = {
            **interpreter.names(),
            **puzzle.language.bound(interpreter),
            **data,
        }
        self.families: dict[str, VariableArray] = {}
        self.definitions: dict[str, Any] = {}
        self.failed: set[str] = set()
        self.rule_seconds: list[tuple[str, SourcePos, float]] = []
        self._sizes: dict[Term, tuple[int, int]] = {}  # of definitions
        self._naming: dict[
            str, VariableArray
        ] = {}  # definitions that only give unknowns another name or index
        # known values of loops, by the number of the rule or the name of the definition
        self._kept: dict[int | str, tuple[tuple[Any, ...], ...]] = {}

    def runs(self, statement: TypeStatement) -> bool:
        """Return whether a statement is run, rather than taken from an earlier board of the same
        shape.
        """
        return self.plan is None or self.plan.runs(statement, self.scope)

    def statements(
        self, scope: dict[str, Any], values: Mapping[Variable, Value] | None = None
    ) -> Iterator[tuple[Definition | Rule, Iterator[tuple[Origin, Operand]]]]:
        """Yield the definitions and the rules, each with the conditions that it states."""
        yield from (
            (made, self._definition(made, scope, values)) for made in self.puzzle.definitions
        )
        yield from (
            (rule, self._conditions(number, rule, scope))
            for number, rule in enumerate(self.puzzle.rules)
        )

    def violated(self, values: Mapping[Variable, Value], skip_shared: bool = False) -> Origin | None:
        """Return the first definition or rule that the values of a solution break; None if all
        hold.

        With `own`, rules that were taken from an earlier board are left out.
        """
        with self.evaluating():
            scope = self._filled(values, self.families)
            left = self._read_by_own() if skip_shared else None
            for statement, stated in self.statements(scope, values):
                if left is not None and id(statement) not in left:
                    continue
                for origin, _ in stated:
                    return origin
        return None

    def _read_by_own(self) -> set[int]:
        """Return the rules that are not from an earlier board, and the definitions that they read,
        by their identities.
        """
        rules = [rule for rule in self.puzzle.rules if self.runs(rule)]
        names = frozenset[str]().union(*(rule.expression.names for rule in rules))
        found = {id(rule) for rule in rules}
        for made in reversed(self.puzzle.definitions):
            if made.name in names:
                found.add(id(made))
                names |= made.expression.names
        return found

    def keep(self, statement: Definition | Rule, number: int) -> None:
        """Take a definition or a rule, which has this number, from an earlier board, with the
        values of its loops.
        """
        earlier, name = self.earlier, statement.name
        assert earlier is not None, "it is bound like an earlier board"
        key = name if isinstance(statement, Definition) else number
        if key in earlier._kept:
            self._kept[key] = earlier._kept[key]
        if isinstance(statement, Definition) and name in earlier.definitions:
            self.scope[name] = self.definitions[name] = earlier.definitions[name]
            if name in earlier._naming:
                self._naming[name] = earlier._naming[name]

    @contextmanager
    def evaluating(self, solved: bool = True) -> Iterator[None]:
        """Let expressions run on the values of a solution, or else on the data alone.

        An index without a value is then not an error of the type.
        """
        self.interpreter.begin()
        self.interpreter.settled, self.interpreter.solved = True, solved
        try:
            yield
        finally:
            self.interpreter.settled = self.interpreter.solved = False

    def solution_scope(
        self, values: Mapping[Variable, Value], names: Collection[str]
    ) -> dict[str, Operand]:
        """Return the names of the type, where unknowns and definitions of these names have the
        values of a solution.
        """
        scope = self._filled(values, self.families.keys() & names)
        for _ in self.define(scope, names, values):
            raise UndefinedError("a definition has no value")
        return scope

    def _filled(self, values: Mapping[Variable, Value], names: Iterable[str]) -> dict[str, Operand]:
        return {
            **self.scope,
            **{name: in_scope(self.families[name].filled(values)) for name in names},
        }

    def define(
        self, scope: dict[str, Any], names: Collection[str], values: Mapping[Variable, Value]
    ) -> Iterator[tuple[Origin, Operand]]:
        """Add what the definitions of these names stand for to the scope of a solution.

        Yields what must hold for them to have a value.
        """
        for made in self.puzzle.definitions:
            if made.name in names:
                yield from self._definition(made, scope, values)

    def _definition(
        self, made: Definition, scope: dict[str, Any], values: Mapping[Variable, Value] | None
    ) -> Iterator[tuple[Origin, Operand]]:
        """Add what a definition stands for to the scope.

        Yields what must hold for it to have a value. Only `self.scope` has unknowns; any other one
        is that of a solution, which has these `values`.
        """
        if values is not None and made.name in self._naming:
            named = self._naming[made.name]
            known = {key: _in_solution(member, values) for key, member in named.members.items()}
            scope[made.name] = in_scope(VariableArray(made.name, known, named.arity))
            return
        text, loops = made.expression.text, made.expression.loops or ()
        place, members = text.source.start(text.node), dict[Any, Any]()
        whole = Origin(f"definition of {made.name}", position=place)
        places = [loops.index(name) for name in made.indexes]
        within = {**scope, "_expand": partial(self._turns, made.name, made.expression)}
        began, demanded = self._now(), False
        try:
            for bindings, value in self.each(made.expression, within, made.name):
                try:
                    key = self.interpreter.known(index_of(bindings, places), "an index")
                    self.interpreter.symbolic(value)  # later uses cost steps, too
                    if key in members:
                        raise ExpressionError(f"{made.name}[{display_text(key)}] is defined twice")
                    self._check_size(value)
                except RUN_ERRORS as error:
                    self.failed.add(made.name)
                    self.problem(made.expression, error)
                    break
                origin = Origin(whole.rule, loops, bindings, place)
                demanded |= bool(self.interpreter.demands)
                yield from ((origin, demand) for demand in self.interpreter.take_demands())
                members[key] = value
            demanded |= bool(self.interpreter.demands)
            yield from ((whole, demand) for demand in self.interpreter.take_demands())
        except UndefinedError:
            yield whole, False
            return
        family = VariableArray(made.name, members, len(made.indexes))
        scope[made.name] = in_scope(family)
        if scope is self.scope:
            if not demanded and all(map(_is_name, members.values())):
                self._naming[made.name] = family
            self.definitions[made.name] = scope[made.name]
            self.rule_seconds.append((f"definition of {made.name}", place, self._now() - began))

    def _now(self) -> float:
        """Return the processor time, where somebody may ask for that of a rule: to look takes
        longer than a short rule.
        """
        return 0.0 if self.interpreter.settled or self.earlier is not None else thread_time()

    def _check_size(self, value: Operand) -> None:
        """Raise ExpressionError for a definition that is too long written out, since later work
        visits each of its parts.
        """
        for part in value if type(value) is tuple else (value,):
            if type(part) is tuple:
                self._check_size(part)
            elif isinstance(part, Term):
                size, levels = size_of(part, self._sizes)
                if size > MOST_PARTS or levels > EXPRESSION_LEVELS:
                    wrong = (
                        f"has more than {MOST_PARTS:,} parts, written out"
                        if size > MOST_PARTS
                        else "is nested too deeply"
                    )
                    raise ExpressionError(
                        f"this {wrong}",
                        help="declare an auxiliary unknown that equals a part of it",
                    )

    def _conditions(
        self, number: int, rule: Rule, scope: Mapping[str, Any]
    ) -> Iterator[tuple[Origin, Operand]]:
        """Yield the conditions of a rule, except those that hold already, with their origins.

        The scope has the unknowns as variables or as values. Demands, which ensure that every index
        has a value, come before the condition that needs them. On values, a rule that evaluates an
        index without a value does not hold.
        """
        scope = {**scope, "_expand": partial(self._turns, number, rule.expression)}
        text, loops, in_name = rule.expression.text, rule.expression.loops or (), "{" in rule.name
        place = text.source.start(text.node)
        whole = Origin(rule.name, position=place)
        began = self._now()
        try:
            for bindings, holds in self.each(rule.expression, scope):
                if holds is True and not self.interpreter.demands:
                    continue
                try:
                    if in_name:
                        self.interpreter.symbolic(bindings)  # spends the steps to write them
                    if type(holds) not in PLAIN_CONDITIONS:
                        holds = self.interpreter.condition(holds)
                except ExpressionError as error:
                    help = (
                        "use all(…) to join the conditions of a loop"
                        if isinstance(holds, tuple)
                        else ""
                    )
                    wrong = ExpressionError(
                        f"expected a condition as the rule, got {display_text(holds)}",
                        help=error.help or help,
                    )
                    self.problem(rule.expression, error if self.interpreter.exceeded else wrong)
                    break
                origin = Origin(rule.name, loops, bindings, place)
                if in_name:
                    origin = Origin(
                        named(rule.name, tuple(origin.bindings)),
                        loops,
                        bindings,
                        place,
                        values_in_name=True,
                    )
                if self.interpreter.demands:
                    yield from ((origin, demand) for demand in self.interpreter.take_demands())
                if holds is not True:
                    yield origin, holds
            # loops without a turn may have demands, too
            yield from ((whole, demand) for demand in self.interpreter.take_demands())
        except UndefinedError:
            yield whole, False
        if not self.interpreter.settled:
            self.rule_seconds.append((rule.name, place, self._now() - began))

    def reads(
        self, rule: Rule, values: tuple[Operand, ...]
    ) -> tuple[tuple[str, Operand, Operand], ...]:
        """Return what a turn of a rule reads of the data: the name of a field or a `let`, the
        index, and the value there.
        """
        named = {
            id(part): name for name, part in self.scope.items() if isinstance(part, Grid | Mapping)
        }
        found: dict[tuple[str, Any], Any] = {}

        def index(group: Operand, key: DataValue) -> Operand:
            part = self.interpreter.index(group, key)
            if (
                id(group) in named
                and not self.interpreter.symbolic(key)
                and isinstance(key, Hashable)
            ):
                cells: Iterable[Any] = (
                    key if isinstance(group, Grid) and isinstance(key, Cells) else ()
                )
                read = zip(cells, part) if cells else [(key, part)]
                found.update({(named[id(group)], one): value for one, value in read})
            return part

        scope = {**self.scope, "_index": index, "_expand": lambda loops: (values,)}
        with self.evaluating(solved=False), suppress(UndefinedError):
            for _ in self.each(rule.expression, scope):
                pass
        return tuple((name, key, value) for (name, key), value in found.items())

    def _turns(
        self,
        rule: int | str,
        expression: Expression,
        loops: Callable[[], Iterable[tuple[Operand, ...]]],
    ) -> Iterable[tuple[Operand, ...]]:
        """Return the values of the loop variables of a rule or a definition.

        They are kept for checks of solutions if the loops do not use unknowns.
        """
        if rule in self._kept:
            self.interpreter.spend(len(self._kept[rule]))
            return self._kept[rule]
        known = expression.loop_names.isdisjoint(self.families) and not self.interpreter.settled
        return self._keep(rule, loops()) if known else loops()

    def _keep(
        self, rule: int | str, values: Iterable[tuple[Operand, ...]]
    ) -> Iterable[tuple[Operand, ...]]:
        turns, kept = iter(values), list[tuple[Any, ...]]()
        try:
            kept += islice(turns, KEPT_VALUES + 1)
        except (
            RUN_ERRORS
        ) as error:  # after the turns before it, as these may have errors of their own
            caught = error

            def again() -> NoReturn:
                raise caught

            return chain(kept, iter(again, None))
        if len(kept) > KEPT_VALUES:
            return chain(kept, turns)
        self._kept[rule] = tuple(kept)
        return kept

    def each(
        self,
        expression: Expression,
        scope: Mapping[str, Any],
        name: str = "",
        raised: type[Exception] | tuple[()] = (),
    ) -> Iterator[tuple[tuple[Operand, ...], Operand]]:
        """Yield the values of an expression with those of its loop variables. Each costs a step.

        An error is noted as a problem, and `name` counts as failed: expressions that use it are not
        run. Left to the caller are `raised`, and on values an index without one (NoValueError).
        """
        if expression.names & self.failed or self.interpreter.exceeded:  # both are reported already
            self.failed.add(name)
            return
        self.interpreter.take_demands()
        try:
            value = expression.run(scope)
            if expression.loops is None:
                yield (), value
            else:
                interpreter = self.interpreter
                for found in value:
                    interpreter.left -= 1
                    if interpreter.left < 0:
                        interpreter.look(1)
                    yield found
        except RUN_ERRORS as error:
            if isinstance(error, raised) or (
                self.interpreter.settled and isinstance(error, UndefinedError)
            ):
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
        label = f"{name}[{', '.join(map(str, key)) if indexes > 1 else key}]" if indexes else name
        self.interpreter.spend(len(label) >> 6)
        return label

    def problem(self, expression: Expression, error: BaseException) -> None:
        """Note an error as a problem where the expression begins."""
        source = expression.text.source
        message, help = message_of(error)
        source.problem(message, source.start(expression.text.node), help)


def index_of(bindings: tuple[DataValue, ...], positions: Sequence[int]) -> DataValue:
    """Return the index of a member from the values of all loop variables."""
    return bindings[positions[0]] if len(positions) == 1 else tuple(bindings[place] for place in positions)


def _is_name(value: Operand) -> bool:
    """Return whether a value is an unknown or known, or a row of such values: nothing is computed
    from unknowns.
    """
    kind = type(value)
    return (
        kind in ATOMS
        or kind in (Variable, str, Cells)
        or (kind is tuple and all(map(_is_name, value)))
    )


def _in_solution(value: Operand, values: Mapping[Variable, Value]) -> DataValue:
    """Return what `_is_name` accepts with the values of a solution instead of unknowns."""
    if type(value) is Variable:
        return values[value]
    return tuple(_in_solution(part, values) for part in value) if type(value) is tuple else value


def in_scope(family: VariableArray) -> Operand:
    """Return what the family's name means in expressions: the family, or its only member."""
    return family if family.arity else family.members.get(())


def named(rule: str, bindings: tuple[tuple[str, Operand], ...]) -> str:
    """Return the name of a rule with the values of its loop variables where it has their names in
    braces.
    """
    for name, value in bindings:
        cells = type(value) is tuple and value and all(isinstance(part, Cell) for part in value)
        rule = rule.replace("{" + name + "}", str(Cells(value) if cells else value))
    return rule
