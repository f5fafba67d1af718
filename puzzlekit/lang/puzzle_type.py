"""A puzzle type as its YAML file states it: read, checked as far as that goes without data, and ready to be bound."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.lang.expressions import Expression, compile_expression
from puzzlekit.lang.functions import BUILTINS
from puzzlekit.lang.source import Source, Text, is_empty, kind_of, parse, read_text
from puzzlekit.lang.types import DataType, LexiconType, WrongValueError, parse_type

SECTIONS = ("puzzle", "title", "about", "data", "let", "variables", "auxiliary", "rules", "goals", "show", "then")
SPEC_KEYS = ("puzzle", "title", "source", "note", "expect")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
INDEXED = re.compile(r"([A-Za-z]\w*)\s*(?:\[\s*([A-Za-z]\w*(?:\s*,\s*[A-Za-z]\w*)*)\s*\])?")


@dataclass(frozen=True)
class Field:
    """A field of data that a spec gives."""

    name: str
    type: DataType
    place: ScalarNode
    default: Node | None = None
    optional: bool = False
    about: str = ""
    like: str | None = None  # the field whose cells this one has

    def __str__(self) -> str:
        default = f" = {self.default.value}" if isinstance(self.default, ScalarNode) else ""
        return f"{self.name}: {self.type}{' | None' if self.optional else ''}{default}"


@dataclass(frozen=True)
class Unknowns:
    """A declaration of unknowns: `name[i, j]: domain for i in … for j in …`."""

    name: str
    indexes: tuple[str, ...]
    domain: Expression
    auxiliary: bool


@dataclass(frozen=True)
class Rule:
    """A rule, a goal or a let: a name and an expression."""

    name: str
    expression: Expression


@dataclass(frozen=True)
class Shown:
    """What `show` draws: an unknown, perhaps coloured by another value, or the value of an expression."""

    name: str
    expression: Expression | None = None
    colour: Expression | None = None


@dataclass(frozen=True)
class Then:
    """A second type, and the expressions that give its data from an answer."""

    name: str
    place: ScalarNode
    data: tuple[Rule, ...]


@dataclass
class PuzzleType:
    """A type, whole."""

    source: Source
    name: str = ""
    title: str = ""
    about: str = ""
    fields: dict[str, Field] = field(default_factory=dict)
    lets: list[Rule] = field(default_factory=list)
    unknowns: list[Unknowns] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    goals: dict[str, Rule] = field(default_factory=dict)
    show: list[Shown] = field(default_factory=list)
    then: list[Then] = field(default_factory=list)

    def lexicon_fields(self) -> list[Field]:
        """The fields that hold lexicons."""
        return [f for f in self.fields.values() if isinstance(f.type, LexiconType)]


def read_type(path: Path) -> PuzzleType:
    """The type in a file. Raises Problems with all that is wrong in it, InputError where it cannot be read."""
    return type_of_text(str(path), read_text(path))


def type_of_text(path: str, text: str) -> PuzzleType:
    """The type that the text states; `path` is what its problems call it."""
    source, root = parse(path, text)
    made = _TypeReader(source, root).read()
    source.raise_problems()
    return made


class _TypeReader:
    def __init__(self, source: Source, root: MappingNode) -> None:
        self.source = source
        self.sections: dict[str, Node] = {}
        for key, place, node in source.entries(root, "a type"):
            if key in SECTIONS:
                self.sections[key] = node
            else:
                source.unknown_key(key, place, "the section", list(SECTIONS))
        self.root = root
        self.made = PuzzleType(source)
        self.known: set[str] = set(BUILTINS)
        self.declared: dict[str, ScalarNode] = {}

    def read(self) -> PuzzleType:
        for name in ("puzzle", "title", "about"):
            if name in self.sections:
                setattr(self.made, "name" if name == "puzzle" else name, self._line(name))
        if not NAME.fullmatch(self.made.name.replace("-", "_")):
            at = self.sections.get("puzzle", self.root)
            self.source.problem("a type begins with its name: puzzle: a_name, in letters, digits and _", at)
        for key, place, node in self._entries("data"):
            self._field(key, place, node)
        for key, place, node in self._entries("let"):
            expression = self._expression(node, f"let {key}")
            self._declare(key, place)
            if expression:
                self.made.lets.append(Rule(key, expression))
        data = set(self.known)
        for section in ("variables", "auxiliary"):
            for key, place, node in self._entries(section):
                self._unknowns(key, place, node, data, section == "auxiliary")
        if not self.sections.get("variables"):
            self.source.problem("a type has variables: what is unknown, and the values it may take", self.root)
        for key, _, node in self._entries("rules"):
            for part in node.value if isinstance(node, SequenceNode) else [node]:
                expression = self._expression(part, f"the rule {key}", split_loops=True)
                if expression:
                    self.made.rules.append(Rule(key, expression))
        for key, _, node in self._entries("goals"):
            expression = self._expression(node, f"the goal {key}")
            if expression:
                self.made.goals[key] = Rule(key, expression)
        self._show()
        for key, place, node in self._entries("then"):
            rules = [(k, self._expression(n, f"{key}'s {k}")) for k, _, n in self.source.entries(node, f"then {key}")]
            self.made.then.append(Then(key, place, tuple(Rule(k, e) for k, e in rules if e)))
        return self.made

    def _line(self, section: str) -> str:
        return " ".join((self.source.text_of(self.sections[section], section) or "").split())

    def _entries(self, section: str) -> Iterator[tuple[str, ScalarNode, Node]]:
        return self.source.entries(self.sections.get(section), section)

    def _declare(self, name: str, place: ScalarNode) -> None:
        """Note a name that expressions may use from here on."""
        if name in self.declared:
            line = self.declared[name].start_mark.line + 1
            self.source.problem(f"the name {name} is taken: line {line} has it", place)
        elif not NAME.fullmatch(name):
            self.source.problem(f"{name!r} is not a name: letters, digits and _, a letter first", place)
        self.declared.setdefault(name, place)
        self.known.add(name)

    def _expression(self, node: Node, what: str, split_loops: bool = False, known: Iterable[str] = ()) -> Expression | None:
        if not isinstance(node, ScalarNode):
            self.source.problem(f"{what} is an expression, and this is {kind_of(node)}", node, "put it in quotes")
            return None
        return compile_expression(Text(self.source, node), known or self.known, split_loops)

    def _field(self, name: str, place: ScalarNode, node: Node) -> None:
        self._declare(name, place)
        if name in SPEC_KEYS:
            self.source.problem(f"a field cannot be called {name}: specs have a key of that name", place)
        options: dict[str, Node] = {"type": node}
        if isinstance(node, MappingNode):
            options = {}
            for key, at, value in self.source.entries(node, f"the field {name}"):
                if key in ("type", "default", "about", "like"):
                    options[key] = value
                else:
                    self.source.unknown_key(key, at, "the option", ["type", "default", "about", "like"])
        text = self.source.text_of(options.get("type", node), "a type")
        if text is None:
            return
        spelled, equals, default = text.partition("=")
        if equals and "default" not in options:
            options["default"] = _scalar_at(options["type"], default.strip())
        spelled = spelled.strip()
        optional = bool(re.search(r"\]\s*\|\s*None$|^\w+(\(.*\))?\s*\|\s*None$", spelled))
        try:
            kind = parse_type(re.sub(r"\s*\|\s*None$", "", spelled) if optional else spelled)
        except WrongValueError as error:
            self.source.problem(str(error), options.get("type", node))
            return
        about = self.source.text_of(options["about"], "about") if "about" in options else ""
        like = self.source.text_of(options["like"], "like") if "like" in options else None
        if like is not None and like not in self.made.fields:
            self.source.unknown_key(like, options["like"], "the field", list(self.made.fields))
            like = None
        self.made.fields[name] = Field(name, kind, place, options.get("default"), optional, about or "", like)

    def _unknowns(self, key: str, place: ScalarNode, node: Node, data: set[str], auxiliary: bool) -> None:
        found = INDEXED.fullmatch(key)
        if not found:
            self.source.problem(f"{key!r} declares no unknown: write name, name[i] or name[i, j]", place)
            return
        name, indexes = found[1], tuple(part.strip() for part in (found[2] or "").split(",") if part.strip())
        expression = self._expression(node, f"the domain of {name}", split_loops=True, known=data)
        self._declare(name, place)
        if expression is None:
            return
        loops = expression.loops or ()
        if missing := [index for index in indexes if index not in loops]:
            self.source.problem(f"no loop runs over {', '.join(missing)}", node, f"add: for {missing[0]} in …")
        elif loops and not indexes:
            self.source.problem(f"{name} has no index, and its domain runs over {', '.join(loops)}", place)
        else:
            self.made.unknowns.append(Unknowns(name, indexes, expression, auxiliary))

    def _show(self) -> None:
        node = self.sections.get("show")
        families = [unknowns.name for unknowns in self.made.unknowns]
        if node is None or is_empty(node):
            self.made.show = [Shown(u.name) for u in self.made.unknowns if not u.auxiliary]
        elif isinstance(node, ScalarNode):
            if node.value in families:
                self.made.show = [Shown(node.value)]
            elif not self.source.problems:
                self.source.unknown_key(str(node.value), node, "the unknown", families)
        else:
            for key, place, value in self.source.entries(node, "show"):
                if key not in families:
                    expression = self._expression(value, f"show {key}")
                    if expression:
                        self.made.show.append(Shown(key, expression))
                    continue
                colour = None
                for option, at, part in () if is_empty(value) else self.source.entries(value, f"show {key}"):
                    if option == "colour":
                        colour = self._expression(part, f"the colours of {key}")
                    else:
                        self.source.unknown_key(option, at, "the option", ["colour"])
                self.made.show.append(Shown(key, None, colour))
                del place


def _scalar_at(node: Node, text: str) -> ScalarNode:
    mark = yaml.Mark("", 0, node.start_mark.line, node.start_mark.column, None, 0)
    return ScalarNode("tag:yaml.org,2002:str", text, mark, mark)
