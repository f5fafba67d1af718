"""Random small models over every node, and plain search over the product of the domains:
the referee of the backends.
"""

import itertools
from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np
from hypothesis import strategies as st

from puzzlekit.model import (
    OPERATIONS,
    Acyclic,
    AllDifferent,
    And,
    Apply,
    Automaton,
    Cardinality,
    Circuit,
    Comparison,
    Component,
    Connected,
    Constant,
    Constraint,
    Element,
    Function,
    IfElse,
    Inside,
    Linear,
    Member,
    Model,
    Not,
    Objective,
    Operation,
    Or,
    Origin,
    Regions,
    RegionSizes,
    Sum,
    Table,
    Term,
    Value,
    Values,
    Variable,
    variables_of,
)

NUMBERS = (-2, -1, 0, 1, 2, 3, 5)
TEXTS = ("a", "b", "c", "1")
CELLS = ((1, 1), (1, 2), (2, 1))
POOLS: tuple[tuple[Value, ...], ...] = (
    NUMBERS,
    NUMBERS,
    (False, True),
    (False, True),
    TEXTS,
    CELLS,
    ("a", 1, "1", 2),
)
LARGEST = 400  # combinations of values of one model
NODES = {  # each kind of node: which of the builder's methods makes it, and by what name
    "Comparison": ("condition", "order"),
    "Not": ("condition", "not"),
    "And": ("condition", "and"),
    "Or": ("condition", "or"),
    "Member": ("condition", "member"),
    "AllDifferent": ("condition", "different"),
    "Cardinality": ("condition", "count"),
    "Linear": ("condition", "linear"),
    "Table": ("condition", "table"),
    "Automaton": ("condition", "automaton"),
    "Connected": ("condition", "connected"),
    "Circuit": ("condition", "circuit"),
    "Acyclic": ("condition", "acyclic"),
    "RegionSizes": ("condition", "sizes"),
    "Inside": ("condition", "inside"),
    "Sum": ("number", "sum"),
    **{f"Operation {operator}": ("number", operator) for operator in OPERATIONS},
    "IfElse": ("number", "if"),
    "Element": ("number", "element"),
    "Apply": ("number", "apply"),
    "Component": ("number", "component"),
    "Regions": ("number", "regions"),
}


def has_value(term: Term, values: Values) -> bool:
    """Whether the term has a value: an index that is no key has none, nor has a division by zero,
    if it comes to that.
    """
    match term:
        case And(conditions) | Or(conditions):
            for condition in conditions:
                if not has_value(condition, values):
                    return False
                if bool(condition.value(values)) == isinstance(term, Or):
                    break
            return True
        case IfElse(condition, then, otherwise):
            return has_value(condition, values) and has_value(
                then if condition.value(values) else otherwise, values
            )
        case _:
            return all(has_value(part, values) for part in term.subterms()) and not _fails(
                term, values
            )


def all_have_values(terms: Iterable[Term], values: Values) -> bool:
    """Whether these terms and all within them have a value, also what it does not come to."""
    return all(
        all_have_values(term.subterms(), values) and not _fails(term, values) for term in terms
    )


def _fails(term: Term, values: Values) -> bool:
    try:
        term.value(values)
    except (ValueError, ZeroDivisionError):
        return True
    return False


def combinations(model: Model) -> list[Values]:
    """Every combination of values of the domains."""
    return [
        dict(zip(model.domains, values)) for values in itertools.product(*model.domains.values())
    ]


def whole_solutions(model: Model) -> list[Values]:
    """What satisfies the model, auxiliary values included, by plain search."""
    terms = [constraint.condition for constraint in model.constraints]
    wanted = [*terms, *([model.goal.term] if model.goal else [])]
    return [
        values
        for values in combinations(model)
        if all(has_value(term, values) for term in wanted)
        and all(term.value(values) for term in terms)
    ]


def shown(model: Model, values: Values) -> tuple[Value, ...]:
    """A solution as it is told apart: the values of the visible variables of `model`."""
    return tuple(values[variable] for variable in model.visible())


def visible_solutions(model: Model) -> set[tuple[Value, ...]]:
    """The solutions by plain search."""
    return {shown(model, values) for values in whole_solutions(model)}


def best(model: Model) -> int | None:
    """The optimum by plain search; None where there is no solution."""
    assert model.goal is not None
    reached = [model.goal.term.value(values) for values in whole_solutions(model)]
    return (max if model.goal.maximise else min)(reached, default=None)


def _once(numeric: bool) -> Callable[..., Value]:
    def mixed(*arguments: Value) -> Value:
        flat = [part for a in arguments for part in (a if isinstance(a, tuple) else (a,))]
        number = (
            sum(len(str(part)) if isinstance(part, str) else 2 * int(part) + 1 for part in flat) % 3
        )
        return number if numeric else "abc"[number]

    return mixed


def _pair(*arguments: Value) -> tuple[Value, ...]:
    return _once(True)(*arguments), _once(False)(*arguments[:1])


def _number_of(column: Any, count: int) -> Any:
    if not isinstance(column, np.ndarray):
        column = np.array([column] * count)
    if column.ndim == 2:
        return sum(
            (_number_of(column[:, i], count) for i in range(column.shape[1])),
            np.zeros(count, dtype=np.int64),
        )
    if column.dtype.kind == "U":
        return np.char.str_len(column)
    if column.dtype.kind == "O":
        return np.array([len(v) if isinstance(v, str) else 2 * int(v) + 1 for v in column])
    return 2 * column.astype(np.int64) + 1


def _many(*arguments: Any) -> Any:
    count = max(len(a) for a in arguments if isinstance(a, np.ndarray))
    return sum(_number_of(a, count) for a in arguments) % 3


NUMBER = Function("number", _once(True))
NUMBERS_MANY = Function("numbers", _once(True), _many)
TEXT = Function("text", _once(False))
PAIR = Function("pair", _pair)
EVEN = Function("even", lambda *arguments: _once(True)(*arguments) % 2 == 0)


class Builder:
    """Draws one model; `depth` bounds how deep a term nests."""

    def __init__(self, draw: Callable[[Any], Any], depth: int) -> None:
        self.draw = draw
        self.depth = depth
        self.domains: dict[Variable, tuple[Value, ...]] = {}
        self.made: list[Term] = []
        total = 1
        for number in range(draw(st.sampled_from((2, 3, 4, 5, 1, 0)))):
            pool = draw(st.sampled_from(POOLS if number else POOLS[:4]))
            domain = tuple(
                draw(st.lists(st.sampled_from(pool), min_size=1, max_size=4, unique=True))
            )
            if total * len(domain) > LARGEST:
                break
            total *= len(domain)
            self.domains[Variable(f"x{number}")] = domain
        self.numeric = [
            v
            for v, domain in self.domains.items()
            if all(isinstance(value, int) for value in domain)
        ]
        self.scalar = [
            v
            for v, domain in self.domains.items()
            if not any(isinstance(value, tuple) for value in domain)
        ]

    def pick(self, *options: Any) -> Any:
        return self.draw(st.sampled_from(options))

    def integer(self, low: int, high: int) -> int:
        return int(self.draw(st.integers(low, high)))

    def some(self, make: Callable[[], Any], low: int, high: int) -> tuple[Any, ...]:
        return tuple(make() for _ in range(self.integer(low, high)))

    def number(self, depth: int, kind: str | None = None) -> Term:
        """A term whose value is an int or bool; of this kind, if one is named."""
        kinds = ["variable"] * 3 + ["constant"]
        if depth:
            kinds += [
                "sum",
                "sum",
                self.pick(*OPERATIONS),
                "if",
                "element",
                "condition",
                "apply",
                "component",
                "again",
                "regions",
            ]
        match kind or self.pick(*kinds):
            case "variable" if self.numeric:
                return self.pick(*self.numeric)
            case "sum":
                weighted = self.some(lambda: (self.integer(-2, 3), self.number(depth - 1)), 0, 3)
                return Sum(weighted, self.integer(-2, 2))
            case "*" | "//" | "%" | "abs" | "min" | "max" as operator:
                return self.operation(operator, depth)
            case "if":
                return IfElse(
                    self.condition(depth - 1), self.number(depth - 1), self.number(depth - 1)
                )
            case "element":
                return self.element(depth, self.number)
            case "condition":
                return self.condition(depth - 1)
            case "apply":
                return Apply(self.pick(NUMBER, NUMBERS_MANY), self.arguments())
            case "component":
                return Component(Apply(PAIR, self.arguments()), 0)
            case "regions":
                joins, links = self.joins(depth)
                return Component(Regions(joins, links, 5), self.integer(0, 4))
            case "again" if self.made:
                return self.pick(*self.made)
            case _:
                return Constant(self.pick(*NUMBERS, True, False))

    def operation(self, operator: Literal["*", "//", "%", "abs", "min", "max"], depth: int) -> Term:
        low, high = {"abs": (1, 1), "min": (1, 3), "max": (1, 3)}.get(operator, (2, 2))
        term = Operation(operator, self.some(lambda: self.number(depth - 1), low, high))
        self.made.append(term)
        return term

    def element(self, depth: int, make: Callable[[int], Term]) -> Term:
        index = self.pick(self.number, self.anything)(depth - 1)
        keys = (
            {value for v in variables_of(index) for value in self.domains[v]}
            if self.integer(0, 3)
            else set()
        )
        wanted = [
            *keys,
            *self.draw(st.lists(st.sampled_from((*NUMBERS, *TEXTS)), min_size=1, max_size=4)),
        ]
        wanted = list(dict.fromkeys(wanted))
        return Element(tuple(wanted), tuple(make(depth - 1) for _ in wanted), index)

    def arguments(self) -> tuple[Any, ...]:
        def argument() -> Any:
            shape = self.pick("one", "one", "many", "constant", "constants", "sum")
            if not self.scalar or "constant" in shape:
                return Constant("ab") if shape == "constant" else (Constant("a"), Constant("b"))
            if shape == "sum":
                return Sum(((1, self.number(0)),), 1)
            return (
                self.pick(*self.scalar)
                if shape == "one"
                else tuple(self.pick(*self.scalar) for _ in range(2))
            )

        found = self.some(argument, 1, 2)
        if (
            not any(variables_of(*(a if isinstance(a, tuple) else (a,))) for a in found)
            and self.scalar
        ):
            return (*found, self.scalar[0])
        return found

    def anything(self, depth: int) -> Term:
        """A term of any value."""
        kinds = ["variable"] * 3 + ["number", "constant"]
        if depth:
            kinds += ["if", "element", "apply", "component"]
        match self.pick(*kinds):
            case "variable" if self.domains:
                return self.pick(*self.domains)
            case "number":
                return self.number(depth)
            case "if":
                return IfElse(
                    self.condition(depth - 1), self.anything(depth - 1), self.anything(depth - 1)
                )
            case "element":
                return self.element(depth, self.anything)
            case "apply":
                return Apply(self.pick(TEXT, NUMBER), self.arguments())
            case "component":
                return Component(Apply(PAIR, self.arguments()), 1)
            case _:
                return Constant(self.pick(*NUMBERS, *TEXTS, *CELLS))

    def condition(self, depth: int, kind: str | None = None) -> Term:
        """A term whose value is a bool; of this kind, if one is named."""
        kinds = [
            "comparison",
            "comparison",
            "literal",
            "literal",
            "member",
            "count",
            "linear",
            "bool",
        ]
        if depth:
            kinds += [
                "not",
                "not",
                "and",
                "or",
                "or",
                "different",
                "different",
                "table",
                "if",
                "even",
                "order",
                "again",
            ]
            kinds += ["automaton", "connected", "circuit", "acyclic", "sizes", "inside"]
        match kind or self.pick(*kinds):
            case "comparison":
                return Comparison(self.pick("==", "!="), self.anything(depth), self.anything(depth))
            case "order":
                make = self.pick(self.number, self.number, self.anything)
                return Comparison(self.pick("<", "<="), make(depth), make(depth))
            case "literal" if self.domains:
                variable, value = self.literal()
                sides = [variable, Constant(value)]
                return Comparison(
                    self.pick("==", "==", "!="), *(sides if self.integer(0, 2) else reversed(sides))
                )
            case "member":
                members = self.draw(
                    st.frozensets(st.sampled_from((*NUMBERS, *TEXTS, *CELLS)), max_size=4)
                )
                return Member(self.anything(depth), members)
            case "count" if self.domains:
                low, high = self.integer(-1, 3), self.integer(-1, 4)
                return Cardinality(self.some(self.literal, 0, 4), low, high)
            case "linear" if self.numeric:
                bounds = [self.draw(st.none() | st.integers(-4, 6)) for _ in range(2)]
                return Linear(
                    self.some(lambda: (self.integer(-2, 3), self.pick(*self.numeric)), 0, 4),
                    *bounds,
                )
            case "not":
                return Not(self.condition(depth - 1))
            case "and":
                return And(self.some(lambda: self.condition(depth - 1), 0, 3))
            case "or":
                made = Or(self.some(lambda: self.condition(depth - 1), 0, 3))
                self.made.append(made)
                return made
            case "different":
                make = self.pick(self.number, self.anything)
                return AllDifferent(self.some(lambda: make(self.pick(0, 0, depth - 1)), 0, 4))
            case "table":
                return self.table(depth)
            case "automaton":
                make = self.pick(self.anything, self.number)
                return self.automaton(self.some(lambda: make(self.pick(0, 0, depth - 1)), 0, 4))
            case "connected" | "circuit" | "acyclic" as shape:
                return self.shape(
                    shape, self.some(lambda: self.condition(self.pick(0, 0, depth - 1)), 0, 6)
                )
            case "sizes":
                joins, links = self.joins(depth)
                vertices = tuple(self.integer(0, 4) for _ in range(self.integer(0, 3)))
                sizes = tuple(
                    self.pick(self.number, self.number, self.anything)(self.pick(0, 0, depth - 1))
                    for _ in vertices
                )
                return RegionSizes((*joins, *sizes), links, vertices)
            case "inside":
                joins, links = self.joins(depth)
                steps = [
                    (self.integer(0, face), face + 1, self.integer(-1, len(links) - 1))
                    for face in range(3)
                ]
                return Component(Inside(joins, links, tuple(steps), 4), self.integer(0, 3))
            case "if":
                return IfElse(
                    self.condition(depth - 1), self.condition(depth - 1), self.condition(depth - 1)
                )
            case "even":
                return Apply(EVEN, self.arguments())
            case "again" if self.made:
                return Comparison("==", self.pick(*self.made), self.number(0))
            case _:
                bools = [
                    v
                    for v in self.numeric
                    if all(isinstance(value, bool) for value in self.domains[v])
                ]
                return self.pick(*bools) if bools else Constant(self.pick(True, False))

    def joins(self, depth: int) -> tuple[tuple[Term, ...], tuple[tuple[int, int], ...]]:
        """Conditions of a few edges between the vertices 0 to 4."""
        terms = self.some(lambda: self.condition(self.pick(0, 0, depth - 1)), 0, 5)
        return terms, tuple((self.integer(0, 4), self.integer(0, 4)) for _ in terms)

    def literal(self) -> tuple[Variable, Value]:
        variable = self.pick(*self.domains)
        return variable, self.pick(*self.domains[variable], 1, "a")

    def table(self, depth: int) -> Term:
        terms = self.some(lambda: self.anything(self.pick(0, 0, depth - 1)), 1, 3)
        books = []
        for term in terms:
            inside = {value for v in variables_of(term) for value in self.domains[v]}
            inside |= {term.constant} if isinstance(term, Constant) else set()
            more = self.draw(st.lists(st.sampled_from((*NUMBERS, *TEXTS)), min_size=1, max_size=3))
            books.append(tuple(dict.fromkeys([*sorted(inside, key=str), *more])))
        codes = st.tuples(*(st.integers(0, len(book) - 1) for book in books))
        rows = self.draw(st.lists(codes, max_size=12, unique=True))
        return Table(
            terms, np.array(rows, dtype=np.uint8).reshape(len(rows), len(terms)), tuple(books)
        )

    def featured(self, node: str | None) -> Term:
        """A condition with this node (or one that is drawn),
        as the rule itself or inside another condition.
        """
        gives, kind = NODES[node or self.pick(*NODES)]
        term = (
            self.condition(self.depth, kind)
            if gives == "condition"
            else self.compared(self.number(self.depth, kind))
        )
        match self.pick(
            "top", "top", "top", "top", "top", "not", "or", "and", "if", "sum", "same", "different"
        ):
            case "not":
                return Not(term)
            case "or":
                return Or((term, self.condition(1)))
            case "and":
                return Not(And((term, self.condition(1))))
            case "if":
                return IfElse(self.condition(0), term, self.condition(0))
            case "sum":
                return self.compared(
                    Sum(((self.pick(1, 2, -1), term), (1, self.number(0))), self.integer(-1, 1))
                )
            case "same":
                return Comparison(self.pick("==", "!="), term, self.condition(0))
            case "different":
                return AllDifferent((term, self.number(0)))
            case _:
                return term

    def compared(self, number: Term) -> Term:
        sides = (number, self.number(self.pick(0, 0, 1)))
        return Comparison(
            self.pick("==", "!=", "<", "<="), *(sides if self.integer(0, 1) else reversed(sides))
        )

    def automaton(self, terms: tuple[Term, ...]) -> Automaton:
        """Mostly total on what the terms may be."""
        alphabet = [
            *{value: None for v in variables_of(*terms) for value in self.domains[v]},
            *self.some(lambda: self.pick(0, 1, "a"), 1, 2),
        ]
        states = self.integer(1, 3)
        steps = tuple(
            {value: self.integer(0, states - 1) for value in alphabet if self.integer(0, 5)}
            for _ in range(states)
        )
        return Automaton(
            terms, steps, self.draw(st.frozensets(st.integers(0, states - 1), min_size=1))
        )

    def shape(self, kind: str, terms: tuple[Term, ...]) -> Term:
        """Connected over the terms as vertices, or Circuit or Acyclic over them as edges of a small
        graph.
        """
        if kind == "connected":
            pairs = [(a, b) for a in range(len(terms)) for b in range(a)]
            return Connected(
                terms,
                tuple(self.draw(st.lists(st.sampled_from(pairs), max_size=8)) if pairs else ()),
            )
        vertices = self.integer(1, 5)
        edges = tuple((self.integer(0, vertices), self.integer(0, vertices)) for _ in terms)
        return Circuit(terms, edges) if kind == "circuit" else Acyclic(terms, edges)

    def drawing(self) -> Model:
        """A model of flags with one or two shapes over all of them."""
        flags = tuple(Variable(f"x{number}") for number in range(self.integer(3, 8)))
        self.domains = dict.fromkeys(flags, (False, True))
        shapes = self.some(
            lambda: self.shape(self.pick("connected", "circuit", "circuit", "acyclic"), flags), 1, 2
        )
        shapes += self.some(
            lambda: Cardinality(
                self.some(self.literal, 1, 8), self.integer(0, 2), self.integer(2, 6)
            ),
            0,
            1,
        )
        constraints = tuple(
            Constraint(shape, Origin(f"rule {i}")) for i, shape in enumerate(shapes)
        )
        return Model(
            self.domains,
            constraints,
            None,
            frozenset(flag for flag in flags if self.integer(0, 6) == 0),
        )

    def model(self, goal: bool, node: str | None) -> Model:
        conditions = (
            (self.featured(node), *self.some(lambda: self.condition(self.depth), 0, 3))
            if self.integer(0, 9)
            else ()
        )
        constraints = tuple(Constraint(c, Origin(f"rule {i}")) for i, c in enumerate(conditions))
        auxiliary = frozenset(v for v in self.domains if self.integer(0, 3) == 0)
        if goal:
            aim = Objective("aim", self.number(self.pick(1, 2, self.depth)), self.pick(True, False))
            if self.integer(0, 1):
                aim = Objective(
                    "aim",
                    Sum(tuple((self.integer(-3, 3), v) for v in self.numeric), 1),
                    aim.maximise,
                )
            return Model(self.domains, constraints, aim, auxiliary)
        return Model(self.domains, constraints, None, auxiliary)


@st.composite
def models(
    draw: Callable[[Any], Any], goal: bool = False, depth: int = 2, node: str | None = None
) -> Model:
    """A random small model; with `goal`, one that has a goal; with the name of a node,
    mostly one that holds it.
    """
    return Builder(draw, depth).model(goal, node)


@st.composite
def drawings(draw: Callable[[Any], Any]) -> Model:
    """A random model of shapes over up to eight flags."""
    return Builder(draw, 0).drawing()


def written(term: Any) -> str:
    """A term as it would be built, for the message of a failing test."""
    if isinstance(term, Variable):
        return term.name
    if isinstance(term, Table):
        books = [
            [book[code] for code, book in zip(row, term.dictionaries)] for row in term.rows.tolist()
        ]
        return f"Table({', '.join(map(written, term.terms))} in {books})"
    if isinstance(term, Function):
        return term.name
    if isinstance(term, Term):
        import dataclasses

        inside = [written(getattr(term, field.name)) for field in dataclasses.fields(term)]  # type: ignore[arg-type]
        return f"{type(term).__name__}({', '.join(inside)})"
    if isinstance(term, tuple):
        return f"({', '.join(map(written, term))})"
    return repr(term)


def story(model: Model) -> str:
    """A model in words."""
    lines = [
        f"{v.name} in {domain}{' auxiliary' if v in model.auxiliary else ''}"
        for v, domain in model.domains.items()
    ]
    lines += [written(constraint.condition) for constraint in model.constraints]
    if model.goal:
        lines.append(
            f"{'maximise' if model.goal.maximise else 'minimise'} {written(model.goal.term)}"
        )
    return "\n".join(lines)
