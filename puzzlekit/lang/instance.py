"""A type bound to data: its model, and its rules as the checker of every solution."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from itertools import chain
from types import GeneratorType
from typing import Any

from puzzlekit.boards import Cell, Grid
from puzzlekit.lang.aliases import Operand
from puzzlekit.lang.data.scalars import ReadContext, ValuePositions
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
        type_: The type.
        data: The value of each field.
        positions: Where the values are written.
        interpreter: The run of expressions; by default a new one.
        checked: Whether the data are checked; a board under construction may lack what `require`
            asks for.
        plan: What watches the fields, or which statements are taken from a board of the same shape.

    Attributes:
        type: The type.
        data: The value of each field.
        positions: Where the values are written.
        model: The puzzle for backends.
        info: The values that are shown before the solutions.
        goals: The goals by name.
        missing: Why the data do not allow a goal, by its name.
        starts: The optimal solution that a goal states, by its name.
        scope: The names of the type, with its unknowns as variables.
        families: The unknowns by name.
        definitions: What the names of `define` stand for: terms of unknowns, or families of terms.
        posted: The constraints of each definition and rule, by the identity of that.
        rule_seconds: The name, the position and the processor time in seconds of each definition
            and rule (0 where an earlier board of the same shape is there).
        bound_from: The arguments of `bind` that made it, to pickle it; None if `bind` did not.
        token: What identifies it in its pickles, once it is pickled.
        explainer: What explains it, once something has asked for that.

    Raises:
        Problems: All problems of the data and the rules.
    """

    def __init__(
        self,
        type_: PuzzleType,
        data: Mapping[str, Any],
        positions: ValuePositions | None = None,
        interpreter: Interpreter | None = None,
        checked: bool = True,
        plan: Watch | Likeness | None = None,
    ) -> None:
        self.type = type_
        self.data = dict(data)
        self.positions = positions or ValuePositions()
        self.interpreter = interpreter or Interpreter()
        self.bound_from: tuple[Any, ...] | None = None
        self.explainer: object = None
        self.token: bytes | None = None
        self.plan = plan
        self.run = Grounder(type_, self.data, self.interpreter, plan)
        self.scope = self.run.scope
        self.families = self.run.families
        self.definitions = self.run.definitions
        self.rule_seconds = self.run.rule_seconds
        self.info: dict[str, Any] = {}
        self.posted: dict[int, list[Constraint]] = {}
        self.goals: dict[str, Objective] = {}
        self.missing: dict[str, str] = {}
        self.starts: dict[str, Mapping[Variable, Value]] = {}
        self._build(checked)

    @property
    def about(self) -> str:
        """The rules of this puzzle as people read them: those of the type and of its fields."""
        texts = {self.type.about: None}
        for name, field in self.type.fields.items():
            if field.rule:
                default = None
                if field.default is not None:
                    default = field.type.read(field.default, ReadContext(self.type.source))
                texts[field.adds(self.data[name], default)] = None
        return " ".join(filter(None, texts))

    def _build(self, checked: bool) -> None:
        """Run the type, and make the model of what it states."""
        run = self.run
        source = self.type.source
        earlier = self.plan.shape.bound if isinstance(self.plan, Likeness) else None
        self._read_data(checked, earlier)
        auxiliary = _declare(run) if earlier is None else _reuse_variables(run, earlier)
        self._post(earlier)
        if earlier is None:
            self._read_goals()
        else:
            self.goals = earlier.goals
            self.missing = earlier.missing
            self.starts = earlier.starts
        if isinstance(self.plan, Watch):
            self.plan.end(run.scope)
        source.raise_problems()
        self._check_starts()
        source.raise_problems()
        goal = self.goals.get(self.type.default_goal(self.missing))
        constraints = tuple(chain.from_iterable(self.posted.values()))
        domains = run.interpreter.kinds.domains
        self.model = Model(domains, constraints, goal, frozenset(auxiliary))

    def _read_data(self, checked: bool, earlier: Instance | None) -> None:
        """Check the data, and compute the values of `let` and `info`."""
        run = self.run
        if checked:
            check_data(run, self.data, self.positions, beforehand=True)
        for let in self.type.lets:
            if run.runs(let) or earlier is None:
                run.scope[let.name] = run.value(let.expression, run.scope, let.name)
            else:
                run.scope[let.name] = earlier.scope[let.name]
        if checked:
            check_data(run, self.data, self.positions, beforehand=False)
        for entry in self.type.info:
            if run.runs(entry) or earlier is None:
                self.info[entry.name] = run.value(entry.expression, run.scope)
            else:
                self.info[entry.name] = earlier.info[entry.name]

    def _post(self, earlier: Instance | None) -> None:
        """Post the constraints of definitions and rules."""
        run = self.run
        for number, statement in self.type.statements:
            if run.runs(statement) or earlier is None:
                conditions = run.conditions(number, statement, run.scope)
                self.posted[id(statement)] = [
                    Constraint(_term(condition), origin) for origin, condition in conditions
                ]
            else:
                run.reuse(statement, number)
                self.posted[id(statement)] = earlier.posted[id(statement)]

    def _read_goals(self) -> None:
        """Read the goals, the reasons why others are missing, and the optimal solutions."""
        run = self.run
        for rule in self.type.goals.values():
            run.runs(rule)
            try:
                for _, aim in run.each(rule.expression, run.scope, "", MissingDataError):
                    self._read_goal(rule, aim)
            except MissingDataError as error:
                self.missing[rule.name] = str(error)

    def _read_goal(self, rule: Rule, aim: Operand) -> None:
        run = self.run
        if not isinstance(aim, Aim):
            error = ExpressionError("expected minimise(…) or maximise(…) as the goal")
            run.problem(rule.expression, error)
            return
        demands = tuple(run.interpreter.take_demands())
        term = Element((True,), (aim.term,), And(demands)) if demands else aim.term
        self.goals[rule.name] = Objective(rule.name, term, aim.maximise, bool(demands))
        if aim.start:
            values = _start(run, rule, aim, aim.start)
            if values is not None:
                self.starts[rule.name] = values

    def _check_starts(self) -> None:
        """Note start values of goals that violate a rule."""
        for name, values in self.starts.items():
            violated = self.run.violated(values)
            if violated is not None:
                message = f"the start value of the goal violates the rule: {violated}"
                self.run.problem(self.type.goals[name].expression, ExpressionError(message))

    def __deepcopy__(self, memo: Any) -> Instance:
        return self

    @property
    def grids(self) -> list[Grid]:
        """The boards in the data, as hexagons or triangles if a `let` makes them so."""
        tiled: list[Grid] = []
        for let in self.type.lets:
            value = self.scope.get(let.name)
            if isinstance(value, Grid) and value.form != "square":
                tiled.append(value)
        boards = [value for value in self.data.values() if isinstance(value, Grid)]
        return [next((grid for grid in tiled if grid == board), board) for board in boards]

    def lets_on(self, data: Mapping[str, Any], names: Collection[str]) -> dict[str, Operand]:
        """Return the values that these `let` have on other data, except those that fail."""
        run = Grounder(self.type, data, Interpreter())
        needed = set(names)
        for let in reversed(self.type.lets):
            if let.name in needed:
                needed |= let.expression.names
        for let in self.type.lets:
            if let.name in needed:
                run.scope[let.name] = run.value(let.expression, run.scope, let.name)
        self.type.source.forget_problems()
        return {name: run.scope[name] for name in names if name not in run.failed}

    def unmet_checks(self) -> Iterator[tuple[Rule, tuple[Operand, ...]]]:
        """Yield the requirements that the data do not meet, with the values of loop variables."""
        for rule in self.type.requirements:
            for bindings, is_met in self.run.each(rule.expression, self.scope):
                if is_met is False:
                    yield rule, tuple(bindings)
        self.type.source.forget_problems()

    def turns(self, expression: Expression) -> Iterator[tuple[tuple[Operand, ...], Operand]]:
        """Yield the values of an expression that reads only the data, with those of its loop
        variables. An error is noted as a problem.
        """
        for bindings, value in self.run.each(expression, self.scope):
            yield tuple(bindings), value

    def check(self, values: Mapping[Variable, Value], skip_shared: bool = False) -> Origin | None:
        """Run the rules on the values of a solution.

        Args:
            values: The values.
            skip_shared: Whether rules that were taken from an earlier board are skipped.

        Returns:
            The first rule that the values violate; None if they satisfy all rules.

        Raises:
            Problems: All errors in running a rule.
        """
        violated = self.run.violated(values, skip_shared)
        self.type.source.raise_problems()
        return violated

    def reads(self, rule: Rule, origin: Origin) -> tuple[tuple[str, Operand, Operand], ...]:
        """Return what a rule reads of the data for some values of its loop variables.

        Args:
            rule: The rule.
            origin: The origin of a constraint that it made.

        Returns:
            For each value that it reads the name of a field, or of what a `let` makes of fields,
            the index, and the value there. What only the loops read is not among them.
        """
        reads = self.run.reads(rule, origin.values)
        self.type.source.forget_problems()  # where the data lack what the constraint reads
        return reads

    def named_groups(self) -> Iterator[tuple[str, dict[str, Operand], tuple[Cell, ...]]]:
        """Yield the groups of cells that the type names under `call`.

        Yields:
            The name, with braces; what the braces may show, by name: loop variables, and `number`,
            which counts the groups of a name; the cells.

        Raises:
            Problems: The errors in running an expression.
        """
        self.interpreter.start_run()
        for entry in self.type.group_names:
            values = self.run.each(entry.expression, self.scope, entry.name)
            for number, (bindings, group) in enumerate(values, 1):
                cells = tuple(group) if isinstance(group, tuple | list | frozenset) else ()
                if not cells or not all(isinstance(cell, Cell) for cell in cells):
                    message = f"expected a group of cells to call {entry.name}, "
                    error = ExpressionError(message + f"got {display_text(group)}")
                    self.run.problem(entry.expression, error)
                    break
                loop_values = dict(zip(entry.expression.loops or (), bindings))
                yield entry.name, {"number": number, **loop_values}, cells
        self.type.source.raise_problems()

    def evaluate(self, expression: Expression, values: Mapping[Variable, Value] | None) -> Operand:
        """Return the value of an expression of the type in a solution; None if it has no value.

        Without a solution, the expression reads only the data.

        Raises:
            Problems: The error in running the expression.
        """
        operand = None
        with self.run.evaluating(values is not None), suppress(UndefinedError):
            scope = self.scope
            if values is not None:
                scope = self.run.solution_scope(values, expression.names)
            operand = self.run.value(expression, scope)
            if isinstance(operand, GeneratorType):
                operand = tuple(operand)
        self.type.source.raise_problems()
        return operand


def _term(condition: Operand) -> Term:
    """Return a condition as a term: one that is no term is false."""
    return condition if isinstance(condition, Term) else Constant(False)


def _declare(run: Grounder) -> set[Variable]:
    """Declare the unknowns of the type, and return the auxiliary ones."""
    auxiliary: set[Variable] = set()
    declarer = _Declarer(run)
    for declaration in run.type_.unknowns:
        run.runs(declaration)
        family = declarer.declare(declaration)
        run.families[declaration.name] = family
        run.scope[declaration.name] = in_scope(family)
        if declaration.auxiliary:
            auxiliary.update(family)
    return auxiliary


def _reuse_variables(run: Grounder, earlier: Instance) -> frozenset[Variable]:
    """Take the unknowns of an earlier board of the same shape, and return the auxiliary ones."""
    run.families.update(earlier.families)
    run.scope.update({name: in_scope(family) for name, family in earlier.families.items()})
    run.interpreter.kinds.domains = earlier.interpreter.kinds.domains
    run.interpreter.kinds.truths = earlier.interpreter.kinds.truths
    return earlier.model.auxiliary


class _Declarer:
    """Declares unknowns with their domains.

    The last domain is cached, as it is most often that of the next unknown, too.
    """

    def __init__(self, run: Grounder) -> None:
        self.run = run
        self._last: tuple[Any, tuple[Value, ...]] = (self, ())

    def declare(self, declaration: VariableDecl) -> VariableArray:
        """Declare the unknowns of one name, up to the first problem."""
        run = self.run
        name, expression = declaration.name, declaration.domain
        members: dict[Any, Variable] = {}
        domains = run.interpreter.kinds.domains
        loops = expression.loops or ()
        positions = [loops.index(index) for index in declaration.indexes]
        for bindings, domain in run.each(expression, run.scope, name):
            key = index_of(bindings, positions)
            try:
                if type(key) not in ATOMS:
                    run.interpreter.require_fixed(key, "an index")
                variable = Variable(run.label(name, key, len(positions)))
                if key in members:
                    raise ExpressionError(f"{variable} is declared twice")
                if len(domains) >= MOST_UNKNOWNS:
                    raise ExpressionError(f"there are more than {MOST_UNKNOWNS:,} unknowns")
                domains[variable] = values = self._values(domain, variable)
            except RUN_ERRORS as error:
                run.failed.add(name)
                run.problem(expression, error)
                break
            members[key] = variable
            if run.interpreter.kinds.is_truth(values):
                run.interpreter.kinds.truths.add(variable)
        return VariableArray(name, members, len(declaration.indexes))

    def _values(self, domain: Operand, variable: Variable) -> tuple[Value, ...]:
        """Return the values of a domain."""
        last_domain, last_values = self._last
        if domain is last_domain or (isinstance(domain, range) and domain == last_domain):
            return last_values  # as for every cell of a board
        if domain is None or isinstance(domain, int):
            raise ExpressionError(
                f"expected a collection of values as the domain of {variable}, "
                f"got {display_text(domain)}"
            )
        members = self.run.interpreter.items(domain)
        if self.run.interpreter.symbolic(members):
            raise ExpressionError(f"the domain of {variable} cannot depend on an unknown")
        values = tuple(dict.fromkeys(members))
        if not values:
            raise ExpressionError(f"the domain of {variable} is empty: it can take no value")
        if None in values:
            message = f"the domain of {variable} contains None"
            raise ExpressionError(message, help="distinct(…) leaves None out")
        self._last = (domain, values)
        return values


def _start(
    run: Grounder, rule: Rule, aim: Aim, start: Mapping[Variable, Value]
) -> Mapping[Variable, Value] | None:
    """Return the start of a goal if it reaches the goal's bound, so that no search is needed.

    Unknowns that it omits take the first value of their domain. Otherwise None is returned.
    """
    domains = run.interpreter.kinds.domains
    for variable, value in start.items():
        if value not in domains[variable]:
            message = f"{variable} cannot take its start value in the goal"
            run.problem(rule.expression, ExpressionError(message))
            return None
    values = {variable: start.get(variable, domain[0]) for variable, domain in domains.items()}
    return values if aim.term.value(values) == aim.bound else None
