"""A type bound to data: its model, and its rules as the referee of every solution."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from types import GeneratorType
from typing import Any

from puzzlekit.boards import Grid
from puzzlekit.lang.aliases import Operand
from puzzlekit.lang.data.scalars import Places, Reading
from puzzlekit.lang.data_checks import check_data
from puzzlekit.lang.evaluation import Grounder, in_scope, index_of
from puzzlekit.lang.expressions import RUN_ERRORS, Expression
from puzzlekit.lang.expressions.interpreter import Interpreter
from puzzlekit.lang.expressions.values import (
    ATOMS,
    ExpressionError,
    MissingDataError,
    UndefinedError,
    VariableArray,
    display_text,
)
from puzzlekit.lang.functions.arithmetic import Aim
from puzzlekit.lang.puzzle_type import PuzzleType, Rule, VariableDecl
from puzzlekit.lang.rebinding import Likeness, Watch
from puzzlekit.model import (
    And,
    Constant,
    Constraint,
    Element,
    Model,
    Objective,
    Origin,
    Term,
    Value,
    Variable,
)

MOST_UNKNOWNS = 300_000


class Instance:
    """A type bound to data. `model` states the puzzle; `check` runs its rules on a solution.

    Args:
        puzzle: The type.
        data: The value of each field.
        places: Where the values are written.
        interpreter: The run of expressions; by default a new one.
        checked: Whether the data are checked; a board under construction may lack what `require`
            asks for.
        plan: What watches the fields, or which statements are taken from a board of the same shape.

    Attributes:
        model: The puzzle for backends.
        info: The values that are shown before the solutions.
        goals: The goals by name.
        lacking: Why the data do not allow a goal, by its name.
        starts: The known optimal solution of a goal, by its name.
        scope: The names of the type, with its unknowns as variables.
        families: The unknowns by name.
        definitions: What the names of `define` stand for: terms of unknowns, or families of terms.
        stated: What each definition and rule states, by the identity of that.
        rule_seconds: The name, the place and the processor time in seconds of each definition and
            rule (0 where an earlier board of the same shape is there).

    Raises:
        Problems: All problems of the data and the rules.
    """

    def __init__(
        self,
        puzzle: PuzzleType,
        data: Mapping[str, Any],
        positions: Places | None = None,
        interpreter: Interpreter | None = None,
        checked: bool = True,
        plan: Watch | Likeness | None = None,
    ) -> None:
        self.type = puzzle
        self.data = dict(data)
        self.positions = positions or Places()
        self.interpreter = interpreter or Interpreter()
        self.bound_from: tuple[Any, ...] | None = None  # the arguments of `bind`, to pickle it
        self.explainer: object = None  # what explains it
        self.token: bytes | None = None  # identifies it in its pickles
        self.plan = plan
        self.run = run = Grounder(puzzle, self.data, self.interpreter, plan)
        self.scope, self.families, self.definitions = run.scope, run.families, run.definitions
        self.rule_seconds = run.rule_seconds
        self.info: dict[str, Any] = {}
        self.posted: dict[int, list[Constraint]] = {}
        self.goals: dict[str, Objective] = {}
        self.missing: dict[str, str] = {}
        self.starts: dict[str, Mapping[Variable, Value]] = {}
        self._build(checked)

    @property
    def about(self) -> str:
        """The rules of this puzzle as people read them: those of the type, and what its fields add."""
        source, fields = (
            self.type.source,
            [entry for entry in self.type.fields.values() if entry.rule],
        )
        defaults = {
            e.name: None if e.default is None else e.type.read(e.default, Reading(source))
            for e in fields
        }
        added = (entry.adds(self.data[entry.name], defaults[entry.name]) for entry in fields)
        return " ".join(filter(None, dict.fromkeys((self.type.about, *added))))

    def _build(self, checked: bool) -> None:
        """Run the type, and make the model of what it states."""
        run, puzzle = self.run, self.type
        earlier: Instance | None = (
            self.plan.shape.bound if isinstance(self.plan, Likeness) else None
        )
        if checked:
            check_data(run, self.data, self.positions, beforehand=True)
        for let in puzzle.lets:
            if run.runs(let) or earlier is None:
                run.scope[let.name] = run.value(let.expression, run.scope, let.name)
            else:
                run.scope[let.name] = earlier.scope[let.name]
        if checked:
            check_data(run, self.data, self.positions, beforehand=False)
        for entry in puzzle.info:
            if run.runs(entry) or earlier is None:
                self.info[entry.name] = run.value(entry.expression, run.scope)
            else:
                self.info[entry.name] = earlier.info[entry.name]
        auxiliary = _declare(run) if earlier is None else _declared_before(run, earlier)
        for number, (statement, conditions) in enumerate(
            run.statements(run.scope), -len(puzzle.definitions)
        ):
            if run.runs(statement) or earlier is None:
                self.posted[id(statement)] = [
                    Constraint(holds if isinstance(holds, Term) else Constant(False), origin)
                    for origin, holds in conditions
                ]
            else:
                run.keep(statement, number)
                self.posted[id(statement)] = earlier.posted[id(statement)]
        constraints = chain.from_iterable(self.posted.values())
        self.goals, self.missing, self.starts = (
            _goals(run) if earlier is None else (earlier.goals, earlier.missing, earlier.starts)
        )
        if isinstance(self.plan, Watch):
            self.plan.end(run.scope)
        puzzle.source.raise_problems()
        for name, values in self.starts.items():
            if (broken := run.violated(values)) is not None:
                error = ExpressionError(f"the start value of the goal violates the rule: {broken}")
                run.problem(puzzle.goals[name].expression, error)
        puzzle.source.raise_problems()
        goal = self.goals.get(puzzle.default_goal(self.missing))
        self.model = Model(
            run.interpreter.kinds.domains, tuple(constraints), goal, frozenset(auxiliary)
        )

    def __deepcopy__(self, memo: Any) -> Instance:
        return self

    @property
    def grids(self) -> list[Grid]:
        """The boards in the data, as hexagons or triangles if a `let` makes them so."""
        lets = [self.scope.get(let.name) for let in self.type.lets]
        made = [value for value in lets if isinstance(value, Grid) and value.form != "square"]
        boards = [value for value in self.data.values() if isinstance(value, Grid)]
        return [next((tiled for tiled in made if tiled == board), board) for board in boards]

    def lets_on(self, data: Mapping[str, Any], names: Collection[str]) -> dict[str, Operand]:
        """Return the values that these `let` have on other data; without one that fails."""
        run, needed = Grounder(self.type, data, Interpreter()), set(names)
        for let in reversed(self.type.lets):
            if let.name in needed:
                needed |= let.expression.names
        for let in self.type.lets:
            if let.name in needed:
                run.scope[let.name] = run.value(let.expression, run.scope, let.name)
        self.type.source.forget_problems()
        return {name: run.scope[name] for name in names if name not in run.failed}

    def unmet_checks(self) -> Iterator[tuple[Rule, tuple[Operand, ...]]]:
        """Yield the requirements that the data do not meet, with what their loop variables are
        bound to.
        """
        for rule in self.type.requirements:
            for bindings, holds in self.run.each(rule.expression, self.scope):
                if holds is False:
                    yield rule, tuple(bindings)
        self.type.source.forget_problems()

    def check(self, values: Mapping[Variable, Value], skip_shared: bool = False) -> Origin | None:
        """Run the rules on the values of a solution.

        Args:
            values: The values.
            own: Whether rules that were taken from an earlier board are left out.

        Returns:
            The first rule that the values break; None if all rules hold.

        Raises:
            Problems: All errors in running a rule.
        """
        broken = self.run.violated(values, skip_shared)
        self.type.source.raise_problems()
        return broken

    def reads(self, rule: Rule, origin: Origin) -> tuple[tuple[str, Operand, Operand], ...]:
        """Return the places of the data that a turn of a rule reads.

        Args:
            rule: The rule.
            origin: The origin of a constraint that it made.

        Returns:
            For each place the name of a field, or of what a `let` makes of fields, the index, and
            the value there. What only the loops read is not among them.
        """
        return self.run.reads(rule, origin.values)

    def evaluate(self, expression: Expression, values: Mapping[Variable, Value] | None) -> Operand:
        """Return the value of an expression of the type in a solution; None if it has no value.

        Without a solution, the expression reads only the data.

        Raises:
            Problems: The error in running the expression.
        """
        result = None
        with self.run.evaluating(values is not None), suppress(UndefinedError):
            scope = (
                self.scope if values is None else self.run.solution_scope(values, expression.names)
            )
            result = self.run.value(expression, scope)
            result = tuple(result) if isinstance(result, GeneratorType) else result
        self.type.source.raise_problems()
        return result


def _declare(run: Grounder) -> set[Variable]:
    """Declare the unknowns of the type, and return the auxiliary ones."""
    auxiliary: set[Variable] = set()
    domains = _Domains(run)
    for unknowns in run.puzzle.unknowns:
        run.runs(unknowns)
        family = run.families[unknowns.name] = domains.family(unknowns)
        run.scope[unknowns.name] = in_scope(family)
        if unknowns.auxiliary:
            auxiliary.update(family)
    return auxiliary


def _declared_before(run: Grounder, earlier: Instance) -> frozenset[Variable]:
    """Take the unknowns of an earlier board of the same shape, and return the auxiliary ones."""
    run.families.update(earlier.families)
    run.scope.update({name: in_scope(family) for name, family in earlier.families.items()})
    run.interpreter.kinds.domains = earlier.interpreter.kinds.domains
    return earlier.model.auxiliary


class _Domains:
    """Declares unknowns with their domains. The last domain is kept, as it is most often that of
    the next unknown, too.
    """

    def __init__(self, run: Grounder) -> None:
        self.run = run
        self._last: tuple[Any, tuple[Value, ...]] = (self, ())

    def family(self, unknowns: VariableDecl) -> VariableArray:
        """Declare the unknowns of one name, up to the first problem."""
        run = self.run
        members: dict[Any, Variable] = {}
        domains = run.interpreter.kinds.domains
        loops = unknowns.domain.loops or ()
        places = [loops.index(name) for name in unknowns.indexes]
        for bindings, domain in run.each(unknowns.domain, run.scope, unknowns.name):
            key = index_of(bindings, places)
            try:
                if type(key) not in ATOMS:
                    run.interpreter.known(key, "an index")
                variable = Variable(run.label(unknowns.name, key, len(places)))
                if key in members:
                    raise ExpressionError(f"{variable} is declared twice")
                if len(domains) >= MOST_UNKNOWNS:
                    raise ExpressionError(f"there are more than {MOST_UNKNOWNS:,} unknowns")
                domains[variable] = self._values(domain, variable)
            except RUN_ERRORS as error:
                run.failed.add(unknowns.name)
                run.problem(unknowns.domain, error)
                break
            members[key] = variable
        return VariableArray(unknowns.name, members, len(unknowns.indexes))

    def _values(self, value: Operand, variable: Variable) -> tuple[Value, ...]:
        last, values = self._last
        if value is last or (isinstance(value, range) and value == last):
            return values  # as for every cell of a board
        if value is None or isinstance(value, int):
            raise ExpressionError(
                f"expected a collection of values as the domain of {variable}, got {display_text(value)}"
            )
        values = self.run.interpreter.items(value)
        if self.run.interpreter.symbolic(values):
            raise ExpressionError(f"the domain of {variable} cannot depend on an unknown")
        values = tuple(dict.fromkeys(values))
        if not values:
            raise ExpressionError(f"the domain of {variable} is empty: it can take no value")
        if None in values:
            raise ExpressionError(
                f"the domain of {variable} contains None", help="distinct(…) leaves None out"
            )
        self._last = (value, values)
        return values


def _goals(
    run: Grounder,
) -> tuple[dict[str, Objective], dict[str, str], dict[str, Mapping[Variable, Value]]]:
    """Return the goals by name, why others are lacking, and the known optimal solutions."""
    goals: dict[str, Objective] = {}
    lacking: dict[str, str] = {}
    starts: dict[str, Mapping[Variable, Value]] = {}
    for rule in run.puzzle.goals.values():
        run.runs(rule)
        try:
            for _, aim in run.each(rule.expression, run.scope, "", MissingDataError):
                if isinstance(aim, Aim):
                    demands = tuple(run.interpreter.take_demands())
                    term = Element((True,), (aim.term,), And(demands)) if demands else aim.term
                    goals[rule.name] = Objective(rule.name, term, aim.maximise, bool(demands))
                    if aim.start and (values := _start(run, rule, aim, aim.start)) is not None:
                        starts[rule.name] = values
                else:
                    run.problem(
                        rule.expression,
                        ExpressionError("expected minimise(…) or maximise(…) as the goal"),
                    )
        except MissingDataError as error:
            lacking[rule.name] = str(error)
    return goals, lacking, starts


def _start(
    run: Grounder, rule: Rule, aim: Aim, start: Mapping[Variable, Value]
) -> Mapping[Variable, Value] | None:
    """Return the start of a goal if it reaches the goal's bound, so that no search is needed; else
    None.

    Unknowns that it omits take the first value of their domain.
    """
    domains = run.interpreter.kinds.domains
    values = {variable: start.get(variable, domain[0]) for variable, domain in domains.items()}
    if (
        wrong := next((v for v, value in start.items() if value not in domains[v]), None)
    ) is not None:
        run.problem(
            rule.expression, ExpressionError(f"{wrong} cannot take its start value in the goal")
        )
        return None
    return values if aim.term.value(values) == aim.bound else None
