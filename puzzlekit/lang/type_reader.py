"""Reads types: checks them as far as possible without data, and compiles their expressions."""

from __future__ import annotations

import copyreg
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit import renamed
from puzzlekit.errors import nearest
from puzzlekit.lang.data.collections import GridOf, names_of
from puzzlekit.lang.data.scalars import (
    DataType,
    MissingWordError,
    ReadContext,
    WrongValueError,
    quoted,
)
from puzzlekit.lang.data.type_syntax import In, TypeExpr, parse_field_type
from puzzlekit.lang.discovery import core_language, used_language
from puzzlekit.lang.expressions import GRAMMAR, Expression, compile_expression
from puzzlekit.lang.expressions.code_cache import CodeCache, is_checkable
from puzzlekit.lang.library import DECLARING, Language, NamesOfType
from puzzlekit.lang.puzzle_type import (
    AllowedValues,
    Definition,
    Field,
    PuzzleType,
    Rule,
    VariableDecl,
)
from puzzlekit.lang.show_reader import read_show
from puzzlekit.lang.type_sections import SectionReading, TypeSection, section_class, section_names
from puzzlekit.reading import read_text, ships
from puzzlekit.sentences import Saying
from puzzlekit.source import SourceFile, Text, is_empty, node_type, parse

SECTIONS = (
    "puzzle",
    "title",
    "aliases",
    "group",
    "tags",
    "about",
    "libraries",
    "data",
    "require",
    "let",
    "info",
    "variables",
    "auxiliary",
    "define",
    "rules",
    "goals",
    "rank",
    "show",
    "say",
    "broken",
    "call",
    "make",
)
SPEC_KEYS = ("puzzle", "title", "source", "note", "generated_by", "progress", "expect")
MAKE_KEYS = (
    "size",
    "symmetry",
    "layout",
    "places",
    "values",
    "keep",
    "let",
    "drop_rules",
    "variables",
    "auxiliary",
    "define",
    "rules",
    "fields",
    "statements",
    "keep_all",
    "reshape",
    "bias",
    "prefer",
)
PREFER_KEYS = ("avoid", "want")
SAY_KEYS = ("one", "many")
NUMBER = "number"  # in the name of a group: its number, from 1
OPTIONS = ("type", "default", "about", "rule", "like", "columns", "unknown")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
BRACES = re.compile(r"\{([^{}]*)\}")
INDEXED = re.compile(r"(\w+)\s*(?:\[\s*(\w+(?:\s*,\s*\w+)*)\s*\])?")
FLOW_HELP = (
    "YAML reads a value that begins with [ or { as a list or mapping: quote the whole expression"
)
BLOCK_HELP = (
    "a list holds expressions; names, such as those of signs, stand together in one mapping"
)


def read_type(path: Path) -> PuzzleType:
    """Return the type in a file: the same object as before if the file has not changed.

    Raises:
        Problems: All problems of the type.
        InputError: The file cannot be read.
    """
    return cached_type(str(path), read_text(path))


def cached_type(path: str, text: str) -> PuzzleType:
    """Return the type that the text states: the same object as before if it was read before.

    Raises:
        Problems: All problems of the type.
    """
    type_ = _type_in_cache(path, text)
    is_clean = type_.source.clean  # it may have noted problems since
    return type_ if is_clean else type_of_text(path, text)


@lru_cache(maxsize=256)  # more than ship: a worker of a batch reads each once
def _type_in_cache(path: str, text: str) -> PuzzleType:
    return type_of_text(path, text)


def is_name(name: str) -> bool:
    """Return whether this may be the name of a type."""
    return NAME.fullmatch(name.replace("-", "_")) is not None


def type_of_text(path: str, text: str) -> PuzzleType:
    """Return the type that the text states. Problems call it `path`. Raises Problems."""
    is_cached = ships(Path(path)) and is_checkable()
    cache = CodeCache(Path(path), text) if is_cached else None
    type_ = type_of_node(*parse(path, text), cache=cache)
    if cache is not None:
        cache.write()
    return type_


def type_of_node(
    source: SourceFile,
    root: MappingNode,
    language: Language | None = None,
    sections: Mapping[str, type[TypeSection]] = MappingProxyType({}),
    cache: CodeCache | None = None,
) -> PuzzleType:
    """Return the type that a mapping of its sections states.

    Args:
        source: The text of the type.
        root: The mapping.
        language: The language of its expressions; None for the one that the type uses.
        sections: Sections that it may have besides those of the language and of plugins.
        cache: Its compiled expressions; None for a type that has no cache.

    Raises:
        Problems: All problems of the type.
    """
    if language is not None:
        type_ = _TypeReader(source, root, language, sections, is_part_of_another=True).read()
    else:
        names = _member(root, "libraries")
        core_type = _read_in_core(source, root, sections, cache) if names is None else None
        if core_type is not None:
            return core_type
        language = used_language(source, names)
        type_ = _TypeReader(source, root, language, sections, cache).read()
    source.raise_problems()
    return type_


def _read_in_core(
    source: SourceFile,
    root: MappingNode,
    sections: Mapping[str, type[TypeSection]],
    cache: CodeCache | None,
) -> PuzzleType | None:
    """Return the type; None if it has problems without the libraries."""
    type_ = _TypeReader(source, root, core_language(), sections, cache).read()
    if source.clean:
        return type_
    source.forget_problems()
    return None


def _member(root: MappingNode, name: str) -> Node | None:
    """Return the value of a key; None without it."""
    return next((node for key, node in root.value if key.value == name), None)


def _reduced(type_: PuzzleType) -> tuple[Callable[..., PuzzleType], tuple[Any, ...]]:
    """Pickle a type as its text or node: compiled code cannot be pickled."""
    if type(type_.source) is SourceFile:
        return cached_type, (type_.source.path, type_.source.text)
    return type_of_node, (type_.source, type_.root)


copyreg.pickle(PuzzleType, _reduced)


class _TypeReader:
    """Reads one type, section by section.

    Attributes:
        sections: The node of each section.
        section_classes: The classes of sections that packages and plugins own.
        cache: The compiled expressions of the type; None for a type that has no cache.
        is_part_of_another: Whether the data are those of another type, which also bounds them.
        visible: The names that the next expression may use.
        declared: The keys that have declared names so far.
        declarations: Where the type declares each of its names: the line and the section.
        bounds: What values inside fields may be; compiled when all names are declared.
        behind: The names that each definition reads.
    """

    def __init__(
        self,
        source: SourceFile,
        root: MappingNode,
        language: Language,
        sections: Mapping[str, type[TypeSection]],
        cache: CodeCache | None = None,
        is_part_of_another: bool = False,
    ) -> None:
        self.source = source
        self.root = root
        self.sections: dict[str, Node] = {}
        self.section_classes: dict[str, type[TypeSection]] = dict(sections)
        for name, key, node in source.entries(root, "a type"):
            self._section(name, key, node)
        self.cache = cache
        self.is_part_of_another = is_part_of_another
        self.language = language
        self.type_ = PuzzleType(source, root, self.language)
        self.visible: set[str] = set(self.language.names)
        self.declared: dict[str, ScalarNode] = {}
        self.rule_names: dict[str, None] = {}  # also of those that have a problem
        self.bounds: list[tuple[str, Text, In]] = []
        self.behind: dict[str, frozenset[str]] = {}
        self.declarations = self._declarations()
        self.names = NamesOfType(self.language, self.declarations, self.declared)

    def read(self) -> PuzzleType:
        self._read_header()
        self._read_data()
        names_of_data = set(self.visible)
        self._require_variables()
        for section in ("variables", "auxiliary"):
            for name, key, node in self._entries(section):
                self._variables(name, key, node, names_of_data, section == "auxiliary")
        for name, key, node in self._entries("define"):
            self._definition(name, key, node)
        for name, key, node in self._entries("rules"):
            self.rule_names[name] = None
            self._rule(name, key, node, self.type_.rules)
        self._read_goals()
        read_show(self.type_, self.sections.get("show"), self.declared, self._expression)
        for name, key, node in self._entries("say"):
            self._say(name, key, node)
        for name, key, node in self._entries("broken"):
            self._breach(name, key, node)
        for name, key, _ in self._entries("make"):
            if name not in MAKE_KEYS:
                keys = list(MAKE_KEYS)
                self.source.unknown_key(name, key, "make has no key", keys, renamed.MAKE_KEYS)
        for name, owner in self.section_classes.items():
            if name in self.sections:
                node = self.sections[name]
                reading = SectionReading(name, node, self.type_, self._expression)
                self.type_.sections[name] = owner(reading)
        return self.type_

    def _read_header(self) -> None:
        """Read the name of the type and what people read about it."""
        type_ = self.type_
        type_.name = self._line("puzzle")
        type_.title = self._line("title")
        type_.about = self._line("about")
        if not is_name(type_.name):
            node = self.sections.get("puzzle", self.root)
            self.source.problem(
                "a type requires a name: write puzzle: a_name, in letters, digits and _", node
            )
        type_.aliases = self._names("aliases")
        type_.tags = self._names("tags")
        groups = self._names("group", several=False)
        type_.group = groups[0] if groups else ""

    def _read_data(self) -> None:
        """Read the fields, and the expressions of data alone."""
        type_ = self.type_
        for name, key, node in self._entries("data"):
            self._field(name, key, node)
        for name, key, node in self._entries("let"):
            expression = self._expression(node, f"let {name}")
            self._declare(name, key)
            if expression:
                type_.lets.append(Rule(name, expression))
        if not self.is_part_of_another:
            for field, text, bounds in self.bounds:
                self._allowed_values(field, text, bounds)
        for name, key, node in self._entries("require"):
            self._rule(name, key, node, type_.requirements, "requirement")
        type_.info += self._named(self._entries("info"), "the info {}")
        for name, key, node in self._entries("call"):
            self._group_name(name, key, node)

    def _require_variables(self) -> None:
        """Note a type without unknowns."""
        node = self.sections.get("variables")
        if node is None or is_empty(node):
            self.source.problem(
                "a type requires variables: the unknowns and the values they may take",
                self.root if node is None else node,
            )

    def _read_goals(self) -> None:
        type_ = self.type_
        for rule in self._named(self._entries("goals"), "the goal {}"):
            type_.goals[rule.name] = rule
        type_.rank = self._line("rank")
        if type_.rank and type_.rank not in type_.goals:
            node = self.sections["rank"]
            self.source.unknown_key(type_.rank, node, "there is no goal", list(type_.goals))

    def _section(self, name: str, key: ScalarNode, node: Node) -> None:
        """Note a section: of the language, or one that a package or a plugin owns."""
        if name not in SECTIONS and name not in self.section_classes:
            owner = section_class(name)
            if owner is None:
                names = [*SECTIONS, *section_names()]
                message = "there is no section"
                self.source.unknown_key(name, key, message, names, renamed.TYPE_SECTIONS)
                return
            if isinstance(owner, str):
                self.source.problem(f"the section {name} is not loaded: {owner}", key)
                return
            self.section_classes[name] = owner
        self.sections[name] = node

    def _declarations(self) -> dict[str, tuple[str, str]]:
        """Return where the type declares each of its names: the line and the section."""
        declarations: dict[str, tuple[str, str]] = {}
        for section in DECLARING:
            node = self.sections.get(section)
            if not isinstance(node, MappingNode):
                continue
            for key, _ in node.value:
                match = INDEXED.fullmatch(key.value) if isinstance(key, ScalarNode) else None
                if match:
                    line = self.source.whereabouts(key)
                    declarations.setdefault(match[1], (line, section))
        return declarations

    def _line(self, section: str) -> str:
        """Return the text of a section on one line; empty without the section."""
        node = self.sections.get(section)
        text = self.source.text_of(node, section) if node else None
        return " ".join((text or "").split())

    def _names(self, section: str, several: bool = True) -> tuple[str, ...]:
        """Return the names in a list of a section, or the only one."""
        node = self.sections.get(section)
        nodes = [] if node is None else [node]
        if several and isinstance(node, SequenceNode):
            nodes = node.value
        names: dict[str, None] = {}
        for name_node in nodes:
            name = self.source.text_of(name_node, section)
            if name is None:
                continue
            if not is_name(name):
                message = f"{name[:40]!r} is not a name: use letters, digits, _ and -"
                self.source.problem(message, name_node, _help_with_name(name, section, several))
            elif name in names:
                message = f"{name} is given twice in {section}"
                self.source.problem(message, name_node, "keep one of them")
            else:
                names[name] = None
        return tuple(names)

    def _entries(self, section: str) -> Iterator[tuple[str, ScalarNode, Node]]:
        return self.source.entries(self.sections.get(section), section)

    def _named(
        self, entries: Iterable[tuple[str, ScalarNode, Node]], subject: str
    ) -> Iterator[Rule]:
        """Yield the named expressions of a mapping.

        Args:
            entries: The entries of the mapping.
            subject: What messages call an expression, with {} for its name.
        """
        for name, _, node in entries:
            if expression := self._expression(node, subject.replace("{}", name)):
                yield Rule(name, expression)

    def _declare(self, name: str, key: ScalarNode) -> None:
        """Declare a name for later expressions. It may hide a function, but no name of the type."""
        if name in self.declared:
            line = self.source.whereabouts(self.declared[name])
            self.source.problem(f"the name {name} is already used in {line}", key)
        elif name in GRAMMAR:
            self.source.problem(
                f"{name} cannot be a name: it is a word of the expression language", key
            )
        elif not NAME.fullmatch(name):
            self.source.problem(
                f"{name[:40]!r} is not a name: use letters, digits and _, beginning with a letter",
                key,
            )
        self.declared.setdefault(name, key)
        self.visible.add(name)

    def _expression(
        self,
        node: Node,
        subject: str,
        split_loops: bool = False,
        visible: Iterable[str] = (),
    ) -> Expression | None:
        """Compile an expression; return None after noting a problem.

        Args:
            node: The expression.
            subject: What messages call it.
            split_loops: Whether the loops after it give one value each time.
            visible: The names that it may use; by default all that are declared.
        """
        if not isinstance(node, ScalarNode):
            is_block = isinstance(node, MappingNode | SequenceNode) and not node.flow_style
            message = f"expected an expression as {subject}, got {node_type(node)}"
            self.source.problem(message, node, BLOCK_HELP if is_block else FLOW_HELP)
            return None
        text = Text(self.source, node)
        names = visible or self.visible
        expression = compile_expression(text, names, split_loops, self.names, self.cache)
        if expression is None:
            return None
        self._check_texts(expression)
        if expression.names.isdisjoint(self.behind):
            return expression
        return replace(
            expression,
            names=self._with_behind(expression.names),
            loop_names=self._with_behind(expression.loop_names),
        )

    def _check_texts(self, expression: Expression) -> None:
        """Note texts with which a field is compared that it never has as a value."""
        for field, indexed, text, column in expression.texts:
            if field not in self.type_.fields:
                continue
            names = names_of(self.type_.fields[field].type, indexed)
            if not names or text in names:
                continue
            if indexed and all(letter in names for letter in text):  # a row of letters
                continue
            subject = f"{field}[…]" if indexed else field
            message = f"{subject} is never {quoted(text)}"
            position = expression.position_at(column)
            self.source.problem(message, position, nearest(text[:100], names))

    def _with_behind(self, names: frozenset[str]) -> frozenset[str]:
        """Return the names and those that the definitions among them read."""
        return names.union(*(self.behind.get(name, ()) for name in names))

    def _field(self, name: str, key: ScalarNode, node: Node) -> None:
        """Read the declaration of a field."""
        self._declare(name, key)
        if name in SPEC_KEYS:
            self.source.problem(f"a field cannot be called {name}: every spec has that key", key)
        elif name in SECTIONS or name in section_names():
            message = f"a field cannot be called {name}: a type has a section of that name"
            self.source.problem(message, key)
        options = self._options(name, node)
        if "type" not in options:
            self.source.problem(f"the field {name} has no type", node, "add: type: …")
            return
        text = self.source.text_of(options["type"], "a type")
        if text is None:
            return
        type_node = _scalar(options["type"])
        type_text, equals, default = text.partition("=")
        if equals and "default" not in options:
            offset = len(text) - len(default.lstrip())
            segment = Text(self.source, type_node).segment(offset, default.strip())
            options["default"] = segment
        declared = self._field_type(type_text, type_node)
        if declared is None:
            return
        for bounds in declared.within:
            self.bounds.append((name, Text(self.source, type_node), bounds))
        about = self.source.text_of(options["about"], "about") if "about" in options else ""
        like = self._like(name, options["like"]) if "like" in options else None
        rule = self._rule_of_field(options.get("rule"))
        columns = None
        if "columns" in options:
            columns = self._columns(declared.type, options["columns"])
        unknown = ""
        if "unknown" in options:
            unknown = self._unknown_clue(declared.type, options["unknown"])
        if "default" in options and not declared.type.costly:
            declared.type.read(options["default"], ReadContext(self.source))  # notes its problems
        type_text = " ".join(type_text.split())
        self.type_.fields[name] = Field(
            name,
            declared.type,
            type_text=type_text,
            node=key,
            default=options.get("default"),
            optional=declared.optional,
            about=about or "",
            rule=rule,
            like=like,
            columns=columns,
            unknown=unknown,
        )

    def _field_type(self, text: str, node: ScalarNode) -> TypeExpr | None:
        """Return the type of a field; None after noting a problem."""
        try:
            return parse_field_type(text, self.language.data_types, self.language.unknown_type)
        except WrongValueError as error:
            if not self.language.incomplete:
                following = self.source.text[node.end_mark.index :].split("\n", 1)[0]
                is_cut = following.lstrip().startswith("#") and isinstance(error, MissingWordError)
                help = "# begins a comment: quote the whole type" if is_cut else ""
                self.source.problem(str(error), node, help)
            return None

    def _like(self, field: str, node: Node) -> str | None:
        """Return the field that another one is like; None after noting a problem."""
        name = self.source.text_of(node, "like")
        if name is None or name in self.type_.fields:
            return name
        _, section = self.declarations.get(name, ("", ""))
        if section == "data":
            message = f"the field {name} is declared below"
            self.source.problem(message, node, f"declare {name} before {field}")
        else:
            fields = list(self.type_.fields)
            self.source.unknown_key(name, node, "there is no field", fields)
        return None

    def _unknown_clue(self, field_type: DataType, node: Node) -> str:
        """Return what `?` in a cell of a board is read as; empty after noting a problem."""
        text = self.source.text_of(node, "unknown") or ""
        if not isinstance(field_type, GridOf):
            self.source.problem(f"only a board has cells with ?, not a {field_type}", node)
            return ""
        if text == "." and field_type.empty:
            return text
        try:
            field_type.item.value(text, ReadContext(self.source))
        except WrongValueError as error:
            self.source.problem(str(error), node, "unknown: says what ? in a cell is read as")
            return ""
        return text

    def _rule_of_field(self, node: Node | None) -> dict[str, str]:
        """Return what a field adds to the rules, by its value; of any value by the empty text."""
        nodes: list[tuple[str, Node]] = []
        if isinstance(node, MappingNode):
            entries = self.source.entries(node, "rule")
            nodes += [(value, text_node) for value, _, text_node in entries]
        elif node is not None:
            nodes.append(("", node))
        rules: dict[str, str] = {}
        for value, text_node in nodes:
            text = self.source.text_of(text_node, "rule")
            if text is not None:
                rules[value] = " ".join(text.split())
        return rules

    def _allowed_values(self, field: str, text: Text, bounds: In) -> None:
        """Compile what values inside a field may be."""
        ends: list[Expression | None] = []
        for end in bounds.ends:
            if end is None:
                ends.append(None)
                continue
            segment = Text(self.source, text.segment(*end))
            expression = compile_expression(segment, self.visible, False, self.names, self.cache)
            if expression is None:
                return
            ends.append(expression)
        allowed = AllowedValues(field, bounds.steps, tuple(ends), bounds.text, bounds.numbers)
        self.type_.within.append(allowed)

    def _columns(self, data_type: DataType, node: Node) -> str | None:
        """Return the field with the width of a board on one line; None after noting a problem."""
        fields = self.type_.fields
        name = self.source.text_of(node, "columns") or ""
        if not isinstance(data_type, GridOf):
            self.source.problem(f"only a board has columns, and this field is a {data_type}", node)
        elif name not in fields:
            self.source.unknown_key(name, node, "there is no field", list(fields))
        elif str(fields[name].type) != "int":
            message = f"columns must name a field of type int, but {name} is a {fields[name].type}"
            self.source.problem(message, node)
        else:
            return name
        return None

    def _options(self, name: str, node: Node) -> dict[str, Node]:
        """Return the options of a field; its type may stand alone."""
        if not isinstance(node, MappingNode):
            return {"type": node}
        options = {}
        for option, key, value in self.source.entries(node, f"the field {name}"):
            if option in OPTIONS:
                options[option] = value
            else:
                self.source.unknown_key(option, key, "there is no option", list(OPTIONS))
        return options

    def _variables(
        self, text: str, key: ScalarNode, node: Node, names_of_data: set[str], auxiliary: bool
    ) -> None:
        """Read a declaration of unknowns, whose domain uses only data."""
        declaration = self._indexed(text, key, node, ("an unknown", "domain"), names_of_data)
        if declaration is not None:
            self.type_.unknowns.append(VariableDecl(*declaration, auxiliary))

    def _definition(self, text: str, key: ScalarNode, node: Node) -> None:
        declaration = self._indexed(text, key, node, ("a name", "definition"))
        if declaration is not None:
            name, _, expression = declaration
            self.behind[name] = expression.names
            self.type_.definitions.append(Definition(*declaration))

    def _indexed(
        self,
        text: str,
        key: ScalarNode,
        node: Node,
        nouns: tuple[str, str],
        visible: Iterable[str] = (),
    ) -> tuple[str, tuple[str, ...], Expression] | None:
        """Declare `name[i, j]: expression for i in … for j in …`.

        Args:
            text: The name with its indexes.
            key: The key that states them.
            node: The expression.
            nouns: What messages call the name, and its expression.
            visible: The names that the expression may use; by default all.

        Returns:
            The name, the indexes and the expression; None after noting a problem.
        """
        noun, noun_of_expression = nouns
        match = INDEXED.fullmatch(text)
        if not match:
            message = f"{text[:60]!r} does not declare {noun}: write name, name[i] or name[i, j]"
            self.source.problem(message, key)
            return None
        name = match[1]
        segments = (match[2] or "").split(",")
        indexes = tuple(index.strip() for index in segments if index.strip())
        subject = f"the {noun_of_expression} of {name}"
        expression = self._expression(node, subject, split_loops=True, visible=visible)
        self._declare(name, key)
        if expression is None:
            return None
        loops = expression.loops or ()
        missing = [index for index in indexes if index not in loops]
        if missing:
            message = f"there is no loop over {', '.join(missing)}"
            self.source.problem(message, node, f"add: for {missing[0]} in …")
        elif len(set(indexes)) < len(indexes):
            self.source.problem(f"{text} has the same index twice", key)
        elif loops and not indexes:
            variables = ", ".join(loops)
            message = f"{name} has no index, but its {noun_of_expression} loops over {variables}"
            self.source.problem(message, key, f"write {name}[{variables}]")
        else:
            return name, indexes, expression
        return None

    def _say(self, name: str, key: ScalarNode, node: Node) -> None:
        """Read the texts of facts about an unknown: of a true fact, and perhaps of a false one."""
        by_name: dict[str, VariableDecl] = {}
        for variables in self.type_.unknowns:
            by_name.setdefault(variables.name, variables)
        if name not in by_name:
            names = [variables.name for variables in self.type_.unknowns]
            self.source.unknown_key(name, key, "there is no unknown", names)
            return
        nodes = node.value if isinstance(node, SequenceNode) else [node]
        sayings = [self._saying(by_name[name], text_node) for text_node in nodes]
        if len(sayings) not in (1, 2):
            message = f"expected a text as say {name}, or two: if it holds, and if not"
            self.source.problem(message, node)
        self.type_.say[name] = tuple(sayings)

    def _saying(self, variables: VariableDecl, node: Node) -> Saying:
        """Read a text about an unknown, or the texts about one place and about several.

        A text is a word or a sentence with the indexes of the unknown in braces.
        """
        subject = f"say {variables.name}"
        if not isinstance(node, MappingNode):
            text = self.source.text_of(node, subject) or ""
            self._indexes_in(text, variables, node)
            return Saying(text)
        texts = dict.fromkeys(SAY_KEYS, "")
        for name, key, text_node in self.source.entries(node, subject):
            if name in SAY_KEYS:
                texts[name] = self.source.text_of(text_node, f"{subject}, {name}") or ""
            else:
                self.source.unknown_key(name, key, f"{subject} has no key", list(SAY_KEYS))
        missing = [name for name in SAY_KEYS if not texts[name]]
        if missing:
            message = f"{subject} has no text for {' and '.join(missing)}"
            self.source.problem(message, node, "write {one: a lamp, many: lamps}")
            return Saying(texts["one"])
        saying = Saying(texts["one"], texts["many"])
        in_singular = self._indexes_in(saying.singular, variables, node)
        in_plural = self._indexes_in(saying.plural, variables, node)
        if in_singular != in_plural:
            self.source.problem(f"{subject}: one and many do not show the same indexes", node)
        return saying

    def _indexes_in(self, text: str, variables: VariableDecl, node: Node) -> set[str]:
        """Return the names in braces, after noting those that are no indexes of the unknown."""
        names = set(BRACES.findall(text))
        allowed = [*variables.indexes, "value"]
        for name in names.difference(allowed):
            self.source.unknown_key(name, node, f"{variables.name} has no index", allowed)
        return names

    def _breach(self, name: str, key: ScalarNode, node: Node) -> None:
        """Read what would be so where a rule is broken, a clause with its loop variables."""
        if name not in self.rule_names:
            self.source.unknown_key(name, key, "there is no rule", list(self.rule_names))
            return
        text = self.source.text_of(node, f"broken, {name}") or ""
        self.type_.breaches[name] = text
        if re.search("[{}]", BRACES.sub("", text)):
            self.source.problem(f"broken, {name}: a brace has no partner", node)
        for rule in (rule for rule in self.type_.rules if rule.name == name):
            loops = list(rule.expression.loops or ())
            for displayed in BRACES.findall(text):
                if displayed not in loops:
                    message = f"the rule {name} has no loop over"
                    self.source.unknown_key(displayed, node, message, loops)

    def _group_name(self, name: str, key: ScalarNode, node: Node) -> None:
        """Read a name of groups of cells, which shows loop variables or the number of a group."""
        expression = self._expression(node, f"the groups {name}", split_loops=True)
        if expression is None:
            return
        self.type_.group_names.append(Rule(name, expression))
        allowed = [*(expression.loops or ()), NUMBER]
        for displayed in BRACES.findall(name):
            if displayed not in allowed:
                message = f"the groups {name} have no loop over"
                self.source.unknown_key(displayed, key, message, allowed)

    def _rule(
        self, name: str, key: ScalarNode, node: Node, rules: list[Rule], noun: str = "rule"
    ) -> None:
        """Read a rule, or a list of rules of the same name, which messages call `noun`."""
        is_list = isinstance(node, SequenceNode) and not node.flow_style
        for expression_node in node.value if is_list else [node]:
            expression = self._expression(expression_node, f"the {noun} {name}", split_loops=True)
            if expression is None:
                continue
            rules.append(Rule(name, expression))
            for index in re.findall(r"\{([^{}]+)\}", name):
                if index not in (expression.loops or ()):
                    message = f"the name of the {noun} shows {index}"
                    message += f", but the {noun} has no loop over it"
                    self.source.problem(message, key)


def _scalar(node: Node) -> ScalarNode:
    assert isinstance(node, ScalarNode)
    return node


def _help_with_name(text: str, section: str, several: bool) -> str:
    """Return what to write instead of words that are no name; empty if that is not clear."""
    words = text.replace(",", " ").split()
    if len(words) < 2 or not all(map(is_name, words)):
        return ""
    names = f"[{', '.join(words)}]" if several else "_".join(words)
    return f"write {section}: {names}"
