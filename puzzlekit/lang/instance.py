"""A type bound to data: its unknowns and conditions as a model, and its rules as the referee of every answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.boards import Grid
from puzzlekit.errors import InputError, Problem
from puzzlekit.lang.expressions import Expression, ExpressionError, error_in
from puzzlekit.lang.functions import Aim, builtins
from puzzlekit.lang.puzzle_type import SPEC_KEYS, Field, PuzzleType
from puzzlekit.lang.runtime import STEPS, Runtime
from puzzlekit.lang.source import Source, parse
from puzzlekit.lang.types import Reading
from puzzlekit.lang.values import Family, shown
from puzzlekit.model import Constant, Constraint, Goal, Model, Origin, SymbolicError, Term, Value, Variable
from puzzlekit.words import Lexicon

MOST_VARIABLES = 300_000
RUN_ERRORS = (
    ExpressionError,
    InputError,
    SymbolicError,
    TypeError,
    ValueError,
    KeyError,
    IndexError,
    AttributeError,
    ZeroDivisionError,
    RecursionError,
)


@dataclass
class Spec:
    """A spec as its file states it: the nodes of its data, and what it says beside them."""

    source: Source
    nodes: dict[str, tuple[ScalarNode, Node]] = field(default_factory=dict)
    about: dict[str, Node] = field(default_factory=dict)

    def text(self, key: str) -> str:
        """What the spec says under `puzzle`, `title`, `source` or `note`; empty where it says nothing."""
        node = self.about.get(key)
        return str(node.value).strip() if isinstance(node, ScalarNode) else ""


def read_spec(path: str, text: str) -> Spec:
    """The spec that the text states. Raises Problems."""
    source, root = parse(path, text)
    spec = Spec(source)
    for key, place, node in source.entries(root, "a spec"):
        if key in SPEC_KEYS:
            spec.about[key] = node
        else:
            spec.nodes[key] = (place, node)
    source.raise_problems()
    return spec


def bind(
    puzzle: PuzzleType, spec: Spec, settings: Mapping[str, str] | None = None, words: str | None = None, folder: Path | None = None
) -> Instance:
    """The type with the spec's data. `settings` are fields given as text beside it; `words` replaces every lexicon.

    Raises Problems with all that is wrong.
    """
    source = spec.source
    data: dict[str, Any] = {}
    for key, (place, _) in spec.nodes.items():
        if key not in puzzle.fields:
            source.unknown_key(key, place, f"the field of {puzzle.name}", [*puzzle.fields, *SPEC_KEYS])
    if words is not None and not puzzle.lexicon_fields():
        raise InputError(f"{puzzle.name} takes no words: it has no field that is a lexicon")
    problems: list[Problem] = []
    for key, text in (settings or {}).items():
        if key not in puzzle.fields:
            source.unknown_key(key, spec.source.place(0, 0), f"--set: the field of {puzzle.name}", list(puzzle.fields))  # type: ignore[arg-type]
    for name, entry in puzzle.fields.items():
        reading = Reading(source, words, folder)
        if settings and name in settings:
            node, reading = _setting(name, settings[name], words, folder)
        elif name in spec.nodes:
            node = spec.nodes[name][1]
        elif entry.default is not None:
            node, reading = entry.default, Reading(puzzle.source, words, folder)
        elif entry.optional:
            data[name] = None
            continue
        else:
            about = f": {entry.about}" if entry.about else ""
            source.problem(f"the field {name} is missing{about}", source.place(0, 0), f"{puzzle.name} wants {entry}")
            continue
        data[name] = entry.type.read(node, reading)
        if reading.source is not source:
            problems += reading.source.problems
            reading.source.problems = []
        if entry.like and data.get(entry.like) is not None and data[name] is not None:
            _alike(entry, data, source, node)
    if problems:
        source.problems += problems
    source.raise_problems()
    return Instance(puzzle, data)


def _setting(name: str, text: str, words: str | None, folder: Path | None) -> tuple[Node, Reading]:
    """A field given on the command line, as a node of its own."""
    path = f"--set {name}"
    if text[:1] in ("[", "{"):
        source, root = parse(path, f"{name}: {text}")
        return root.value[0][1], Reading(source, words, folder)
    block = f"{name}: |\n" + "\n".join(f"  {line}" for line in text.splitlines())
    source, root = parse(path, block if "\n" in text else f"{name}: ''")
    node: Node = root.value[0][1]
    if "\n" not in text:
        node = ScalarNode(node.tag, text, node.start_mark, node.end_mark)
        source.lines = [f"{name}={text}"]
    return node, Reading(source, words, folder)


def _alike(entry: Field, data: Mapping[str, Any], source: Source, node: Node) -> None:
    """Note where a board has not the cells of the one that it is like."""
    other, own = data[entry.like or ""], data[entry.name]
    if not isinstance(other, Grid) or not isinstance(own, Grid) or set(own.cells) == set(other.cells):
        return
    for what, a, b in (("rows", own.height, other.height), ("columns", own.width, other.width)):
        if a != b:
            source.problem(f"{entry.name} has {a} {what}, {entry.like} has {b}", node, f"{entry.name} has the cells of {entry.like}")
            return
    odd = sorted(set(own.cells) ^ set(other.cells))[0]
    has, lacks = (entry.name, entry.like) if odd in own.values else (entry.like, entry.name)
    source.problem(f"{has} has a cell at {odd}, {lacks} has none", node, f"{entry.name} has the cells of {entry.like}")


class Instance:
    """A type with its data. `model` states it; `check` holds an answer to its rules."""

    def __init__(self, puzzle: PuzzleType, data: Mapping[str, Any]) -> None:
        self.puzzle = puzzle
        self.data = dict(data)
        self.runtime = Runtime()
        self.scope: dict[str, Any] = {**self.runtime.names(), **builtins(self.runtime), **self.data}
        self.families: dict[str, Family] = {}
        self._failed: set[str] = set()
        self._last_domain: tuple[Value, ...] = ()
        self.model = self._build()

    @property
    def lexicons(self) -> list[Lexicon]:
        """The lexicons in the data."""
        return [value for value in self.data.values() if isinstance(value, Lexicon)]

    def _build(self) -> Model:
        puzzle = self.puzzle
        for let in puzzle.lets:
            value = self._run(let.expression, let.name)
            self.scope[let.name] = _settled(value)
        domains: dict[Variable, tuple[Value, ...]] = {}
        auxiliary = set()
        for unknowns in puzzle.unknowns:
            members: dict[Any, Variable] = {}
            for bindings, domain in self._each(unknowns.domain, unknowns.name):
                names = dict(zip(unknowns.domain.loops or (), bindings))
                index = tuple(names[name] for name in unknowns.indexes)
                key = index[0] if len(index) == 1 else index
                label = f"{unknowns.name}[{', '.join(map(str, index))}]" if index else unknowns.name
                variable = Variable(label)
                values = self._domain(domain, unknowns.domain, label)
                if key in members:
                    self._problem(unknowns.domain, f"{label} is declared twice")
                members[key] = variable
                domains[variable] = values
                self.runtime.domains[variable] = values
                if unknowns.auxiliary:
                    auxiliary.add(variable)
            if len(domains) > MOST_VARIABLES:
                self._problem(unknowns.domain, f"there are more than {MOST_VARIABLES:,} unknowns")
                break
            family = Family(unknowns.name, members, len(unknowns.indexes))
            self.families[unknowns.name] = family
            self.scope[unknowns.name] = family if family.arity else members.get(())
        constraints = tuple(
            Constraint(term, origin)
            for origin, holds in self._conditions(self.scope)
            if (term := holds if isinstance(holds, Term) else None if holds else Constant(False)) is not None
        )
        self.goals = {name: goal for name in puzzle.goals if (goal := self._goal(name)) is not None}
        puzzle.source.raise_problems()
        goal = next(iter(self.goals.values()), None)
        return Model(domains, constraints, goal, frozenset(auxiliary))

    def _domain(self, value: Any, expression: Expression, label: str) -> tuple[Value, ...]:
        """The values that a domain expression names."""
        if value is self._last_domain:  # the same domain again, as for every cell of a board
            return self._last_domain
        try:
            values = tuple(dict.fromkeys(self.runtime.iterate(value)))
        except RUN_ERRORS as error:
            self._problem(expression, f"the domain of {label} is a collection of values: {error}")
            return (None,)
        if not values:
            self._problem(expression, f"the domain of {label} is empty: it can take no value")
            return (None,)
        if isinstance(value, tuple) and len(values) == len(value):
            self._last_domain = values = value
        return values

    def _goal(self, name: str) -> Goal | None:
        aim = self._run(self.puzzle.goals[name].expression, name)
        if isinstance(aim, Aim):
            return Goal(name, aim.term, aim.maximise)
        if name not in self._failed:
            self._problem(self.puzzle.goals[name].expression, "a goal is minimise(…) or maximise(…)")
        return None

    def _conditions(self, scope: Mapping[str, Any], label: bool = True) -> Iterator[tuple[Origin, Any]]:
        """Each rule's conditions, with their origin, in a scope where the unknowns are variables or values."""
        for rule in self.puzzle.rules:
            place = rule.expression.text.source.start(rule.expression.text.node)
            for bindings, holds in self._each(rule.expression, "", scope):
                if not isinstance(holds, bool | Term):
                    self._problem(rule.expression, f"the rule is no condition: it gives {shown(holds)}")
                    break
                named = tuple(zip(rule.expression.loops or (), bindings))
                yield Origin(_named(rule.name, named), () if "{" in rule.name else named, place), holds

    def _each(
        self, expression: Expression, name: str, scope: Mapping[str, Any] | None = None
    ) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """The values of an expression, with those of its loop variables."""
        if expression.names & self._failed:
            self._failed.add(name)
            return
        try:
            value = expression.run(self.scope if scope is None else scope)
            if expression.loops is None:
                yield (), value
            else:
                yield from value
        except RUN_ERRORS as error:
            self._failed.add(name)
            error_in(expression, error)

    def _run(self, expression: Expression, name: str, scope: Mapping[str, Any] | None = None) -> Any:
        return next((value for _, value in self._each(expression, name, scope)), None)

    def _problem(self, expression: Expression, message: str) -> None:
        source = expression.text.source
        source.problem(message, source.start(expression.text.node))

    def answer_scope(self, values: Mapping[Variable, Value]) -> dict[str, Any]:
        """The names of the type with an answer's values in place of its unknowns."""
        filled = {name: family.filled(values) for name, family in self.families.items()}
        return {**self.scope, **{name: f if f.arity else f.members.get(()) for name, f in filled.items()}}

    def check(self, values: Mapping[Variable, Value]) -> Origin | None:
        """The first rule that these values break, by running the rules on them; None where all hold."""
        self.runtime.left = STEPS
        for origin, holds in self._conditions(self.answer_scope(values)):
            if holds is not True:
                return origin
        self.puzzle.source.raise_problems()
        return None

    def evaluate(self, expression: Expression, values: Mapping[Variable, Value]) -> Any:
        """The value of an expression of the type in an answer. Raises Problems."""
        self.runtime.left = STEPS
        result = _settled(self._run(expression, "", self.answer_scope(values)))
        self.puzzle.source.raise_problems()
        return result


def _settled(value: Any) -> Any:
    """A value that can be read again: a stream becomes a tuple."""
    return tuple(value) if isinstance(value, Iterator) else value


def _named(rule: str, bindings: tuple[tuple[str, Any], ...]) -> str:
    for name, value in bindings:
        rule = rule.replace("{" + name + "}", str(value))
    return rule


def is_mapping(node: Node) -> bool:
    """Whether the node is a mapping."""
    return isinstance(node, MappingNode)
