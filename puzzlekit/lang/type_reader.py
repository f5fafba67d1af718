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
from puzzlekit.lang.data.scalars import DataType, MissingWordError, ReadContext, WrongValueError, quoted
from puzzlekit.lang.data.type_syntax import In, parse_field_type
from puzzlekit.lang.discovery import used_language
from puzzlekit.lang.expressions import GRAMMAR, Expression, compile_expression
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
from puzzlekit.reading import read_text
from puzzlekit.sentences.clauses import Saying
from puzzlekit.source import SourceFile, Text, is_empty, node_type, parse

SECTIONS = (
    *(
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
    ),
    *(
        "variables",
        "auxiliary",
        "define",
        "rules",
        "goals",
        "rank",
        "show",
        "say",
        "make",
    ),
)
SPEC_KEYS = ("puzzle", "title", "source", "note", "generated_by", "progress", "expect")
MAKE_KEYS = (
    *(
        "size",
        "layout",
        "places",
        "let",
        "drop_rules",
        "variables",
        "auxiliary",
        "define",
        "rules",
        "fields",
        "keep_all",
        "reshape",
    ),
    "bias",
)
SAY_KEYS = ("one", "many")
OPTIONS = ("type", "default", "about", "rule", "like", "columns")
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
INDEXED = re.compile(r"(\w+)\s*(?:\[\s*(\w+(?:\s*,\s*\w+)*)\s*\])?")


def read_type(path: Path) -> PuzzleType:
    """Return the type in a file: the same object as before if the file has not changed.

    Raises:
        Problems: All problems of the type.
        InputError: The file cannot be read.
    """
    return _type_again(str(path), read_text(path))


def _type_again(path: str, text: str) -> PuzzleType:
    """Return the type read from this text before; read it again if it noted problems since."""
    made = _made(path, text)
    return made if made.source.clean else type_of_text(path, text)


@lru_cache(maxsize=256)  # more than ship: a worker of a batch reads each once
def _made(path: str, text: str) -> PuzzleType:
    return type_of_text(path, text)


def is_name(name: str) -> bool:
    """Return whether this may be the name of a type."""
    return NAME.fullmatch(name.replace("-", "_")) is not None


def type_of_text(path: str, text: str) -> PuzzleType:
    """Return the type that the text states. Problems call it `path`. Raises Problems."""
    return type_of_node(*parse(path, text))


def type_of_node(
    source: SourceFile,
    root: MappingNode,
    language: Language | None = None,
    sections: Mapping[str, type[TypeSection]] = MappingProxyType({}),
) -> PuzzleType:
    """Return the type that a mapping of its sections states.

    Args:
        source: The text of the type.
        root: The mapping.
        language: The language of its expressions; None for the one that the type uses.
        sections: Sections that it may have beside those of the language and of plugins.

    Raises:
        Problems: All problems of the type.
    """
    made = _TypeReader(source, root, language, sections).read()
    source.raise_problems()
    return made


def _reduced(made: PuzzleType) -> tuple[Callable[..., PuzzleType], tuple[Any, ...]]:
    """Pickle a type as its text or node: compiled code cannot be pickled."""
    if type(made.source) is SourceFile:
        return _type_again, (made.source.path, made.source.text)
    return type_of_node, (made.source, made.root)


copyreg.pickle(PuzzleType, _reduced)


class _TypeReader:
    """Reads one type, section by section."""

    def __init__(
        self,
        source: SourceFile,
        root: MappingNode,
        language: Language | None = None,
        sections: Mapping[str, type[TypeSection]] = MappingProxyType({}),
    ) -> None:
        self.source = source
        self.root = root
        self.sections: dict[str, Node] = {}
        self.by_plugins: dict[str, type[TypeSection]] = dict(sections)
        for key, place, node in source.entries(root, "a type"):
            self._section(key, place, node)
        self.own_language = (
            language is not None
        )  # then the data are those of another type, and bounded there
        self.language = language or used_language(source, self.sections.get("libraries"))
        self.made = PuzzleType(source, root, self.language)
        self.known: set[str] = set(self.language.names)
        self.declared: dict[str, ScalarNode] = {}
        self.bounds: list[tuple[str, Text, In]] = []  # compiled when all names are known
        self.behind: dict[str, frozenset[str]] = {}  # the names that each definition reads
        self.places = self._places()
        self.names = NamesOfType(self.language, self.places, self.declared)

    def read(self) -> PuzzleType:
        made = self.made
        made.name, made.title, made.about = (
            self._line(section) for section in ("puzzle", "title", "about")
        )
        if not is_name(made.name):
            at = self.sections.get("puzzle", self.root)
            self.source.problem(
                "a type requires a name: write puzzle: a_name, in letters, digits and _", at
            )
        made.aliases, made.tags = self._names("aliases"), self._names("tags")
        made.group = next(iter(self._names("group", several=False)), "")
        for key, place, node in self._entries("data"):
            self._field(key, place, node)
        for key, place, node in self._entries("let"):
            expression = self._expression(node, f"let {key}")
            self._declare(key, place)
            if expression:
                made.lets.append(Rule(key, expression))
        data = set(self.known)
        for name, text, bounds in () if self.own_language else self.bounds:
            self._within(name, text, bounds)
        for key, place, node in self._entries("require"):
            self._rule(key, place, node, made.requirements, "requirement")
        made.info += self._named(self._entries("info"), "the info {}")
        if "variables" not in self.sections or is_empty(self.sections["variables"]):
            at = self.sections.get("variables", self.root)
            self.source.problem(
                "a type requires variables: the unknowns and the values they may take", at
            )
        for section in ("variables", "auxiliary"):
            for key, place, node in self._entries(section):
                self._unknowns(key, place, node, data, section == "auxiliary")
        for key, place, node in self._entries("define"):
            self._definition(key, place, node)
        for key, place, node in self._entries("rules"):
            self._rule(key, place, node, made.rules)
        made.goals |= {
            rule.name: rule for rule in self._named(self._entries("goals"), "the goal {}")
        }
        made.rank = self._line("rank")
        if made.rank and made.rank not in made.goals:
            self.source.unknown_key(
                made.rank, self.sections["rank"], "there is no goal", list(made.goals)
            )
        read_show(made, self.sections.get("show"), self.declared, self._expression)
        for key, place, node in self._entries("say"):
            self._say(key, place, node)
        for key, place, _ in self._entries("make"):
            if key not in MAKE_KEYS:
                self.source.unknown_key(
                    key, place, "make has no key", list(MAKE_KEYS), renamed.MAKE_KEYS
                )
        for key, owner in self.by_plugins.items():
            if key in self.sections:
                reading = SectionReading(key, self.sections[key], made, self._expression)
                made.sections[key] = owner(reading)
        return made

    def _section(self, key: str, place: ScalarNode, node: Node) -> None:
        """Note a section: of the language, or one that a package or a plugin owns."""
        if key not in SECTIONS and key not in self.by_plugins:
            section = section_class(key)
            if not isinstance(section, type):
                names = [*SECTIONS, *section_names()]
                if section is None:
                    self.source.unknown_key(
                        key, place, "there is no section", names, renamed.TYPE_SECTIONS
                    )
                else:
                    self.source.problem(f"the section {key} is not loaded: {section}", place)
                return
            self.by_plugins[key] = section
        self.sections[key] = node

    def _places(self) -> dict[str, tuple[str, str]]:
        """Return where the type declares each of its names: the line and the section."""
        places: dict[str, tuple[str, str]] = {}
        for section in DECLARING:
            node = self.sections.get(section)
            for key, _ in node.value if isinstance(node, MappingNode) else ():
                if isinstance(key, ScalarNode) and (found := INDEXED.fullmatch(key.value)):
                    places.setdefault(found[1], (self.source.whereabouts(key), section))
        return places

    def _line(self, section: str) -> str:
        node = self.sections.get(section)
        return " ".join((self.source.text_of(node, section) or "").split()) if node else ""

    def _names(self, section: str, several: bool = True) -> tuple[str, ...]:
        """The names in a list of a section, or the only one."""
        node = self.sections.get(section)
        names: dict[str, None] = {}
        for part in (
            ()
            if node is None
            else node.value
            if several and isinstance(node, SequenceNode)
            else (node,)
        ):
            name = self.source.text_of(part, section)
            if name is not None and not is_name(name):
                words = name.replace(",", " ").split()
                better = f"[{', '.join(words)}]" if several else "_".join(words)
                help = (
                    f"write {section}: {better}"
                    if len(words) > 1 and all(map(is_name, words))
                    else ""
                )
                self.source.problem(
                    f"{name[:40]!r} is not a name: use letters, digits, _ and -", part, help
                )
            elif name is not None and name in names:
                self.source.problem(f"{name} is given twice in {section}", part, "keep one of them")
            elif name is not None:
                names[name] = None
        return tuple(names)

    def _entries(self, section: str) -> Iterator[tuple[str, ScalarNode, Node]]:
        return self.source.entries(self.sections.get(section), section)

    def _named(self, entries: Iterable[tuple[str, ScalarNode, Node]], what: str) -> Iterator[Rule]:
        """Yield the named expressions of a mapping; `what` is what messages call one, with {} for
        its name.
        """
        for key, _, node in entries:
            if expression := self._expression(node, what.replace("{}", key)):
                yield Rule(key, expression)

    def _declare(self, name: str, place: ScalarNode) -> None:
        """Declare a name for later expressions. It may hide a function, but no name of the type."""
        if name in self.declared:
            taken = self.source.whereabouts(self.declared[name])
            self.source.problem(f"the name {name} is already used in {taken}", place)
        elif name in GRAMMAR:
            self.source.problem(
                f"{name} cannot be a name: it is a word of the expression language", place
            )
        elif not NAME.fullmatch(name):
            self.source.problem(
                f"{name[:40]!r} is not a name: use letters, digits and _, beginning with a letter",
                place,
            )
        self.declared.setdefault(name, place)
        self.known.add(name)

    def _expression(
        self, node: Node, what: str, split_loops: bool = False, known: Iterable[str] = ()
    ) -> Expression | None:
        if not isinstance(node, ScalarNode):
            help = "YAML reads a value that begins with [ or { as a list or mapping: quote the whole expression"
            if isinstance(node, MappingNode | SequenceNode) and not node.flow_style:
                help = "a list holds expressions; names, such as those of signs, stand together in one mapping"
            self.source.problem(
                f"expected an expression as {what}, got {node_type(node)}", node, help
            )
            return None
        made = compile_expression(
            Text(self.source, node), known or self.known, split_loops, self.names
        )
        for name, indexed, text, place in made.texts if made else ():
            names = (
                names_of(self.made.fields[name].type, indexed) if name in self.made.fields else None
            )
            if (
                names
                and text not in names
                and not (indexed and all(letter in names for letter in text))
            ):  # a row of letters
                self.source.problem(
                    f"{name}{'[…]' if indexed else ''} is never {quoted(text)}",
                    place,
                    nearest(text[:100], names),
                )
        if made is None or made.names.isdisjoint(self.behind):
            return made
        return replace(
            made, names=self._with_behind(made.names), loop_names=self._with_behind(made.loop_names)
        )

    def _with_behind(self, names: frozenset[str]) -> frozenset[str]:
        """Return the names and those that the definitions among them read."""
        return names.union(*(self.behind.get(name, ()) for name in names))

    def _field(self, name: str, place: ScalarNode, node: Node) -> None:
        self._declare(name, place)
        if name in SPEC_KEYS:
            self.source.problem(f"a field cannot be called {name}: every spec has that key", place)
        elif name in SECTIONS or name in section_names():
            self.source.problem(
                f"a field cannot be called {name}: a type has a section of that name", place
            )
        options = self._options(name, node)
        text = self.source.text_of(options["type"], "a type") if "type" in options else None
        if text is None:
            if "type" not in options:
                self.source.problem(f"the field {name} has no type", node, "add: type: …")
            return
        spelled, equals, default = text.partition("=")
        whole = Text(self.source, _scalar(options["type"]))
        if equals and "default" not in options:
            options["default"] = whole.segment(len(text) - len(default.lstrip()), default.strip())
        try:
            declared = parse_field_type(
                spelled, self.language.data_types, self.language.unknown_type
            )
        except WrongValueError as error:
            if not self.language.incomplete:
                after = (
                    self.source.text[options["type"].end_mark.index :].split("\n", 1)[0].lstrip()
                )
                cut = after.startswith("#") and isinstance(error, MissingWordError)
                self.source.problem(
                    str(error),
                    options["type"],
                    "# begins a comment: quote the whole type" if cut else "",
                )
            return
        kind = declared.type
        self.bounds += [(name, whole, bounds) for bounds in declared.within]
        about = self.source.text_of(options["about"], "about") if "about" in options else ""
        like = self.source.text_of(options["like"], "like") if "like" in options else None
        if like is not None and like not in self.made.fields:
            if self.places.get(like, ("", ""))[1] == "data":
                self.source.problem(
                    f"the field {like} is declared below",
                    options["like"],
                    f"declare {like} before {name}",
                )
            else:
                self.source.unknown_key(
                    like, options["like"], "there is no field", list(self.made.fields)
                )
            like = None
        rule = self._rule_of_field(options.get("rule"))
        columns = self._columns(kind, options["columns"]) if "columns" in options else None
        if "default" in options and not kind.costly:
            kind.read(options["default"], ReadContext(self.source))
        spelled = " ".join(spelled.split())
        given = options.get("default")
        self.made.fields[name] = Field(
            name, kind, spelled, place, given, declared.optional, about or "", rule, like, columns
        )

    def _rule_of_field(self, node: Node | None) -> dict[str, str]:
        """Return what a field adds to the rules, by its value; of any value by the empty text."""
        parts = (
            self.source.entries(node, "rule")
            if isinstance(node, MappingNode)
            else [("", node, node)]
            if node
            else ()
        )
        texts = {key: self.source.text_of(part, "rule") for key, _, part in parts}
        return {key: " ".join(text.split()) for key, text in texts.items() if text is not None}

    def _within(self, field: str, text: Text, bounds: In) -> None:
        """Compile what a part of a field may hold."""
        ends: list[Expression | None] = []
        for end in bounds.ends:
            part = None if end is None else Text(self.source, text.segment(*end))
            ends.append(
                None if part is None else compile_expression(part, self.known, False, self.names)
            )
            if part is not None and ends[-1] is None:
                return
        self.made.within.append(
            AllowedValues(field, bounds.steps, tuple(ends), bounds.text, bounds.numbers)
        )

    def _columns(self, kind: DataType, node: Node) -> str | None:
        """Return the field with the width of a board on one line; None after noting a problem."""
        name = self.source.text_of(node, "columns") or ""
        if not isinstance(kind, GridOf):
            self.source.problem(f"only a board has columns, and this field is a {kind}", node)
        elif name not in self.made.fields:
            self.source.unknown_key(name, node, "there is no field", list(self.made.fields))
        elif str(self.made.fields[name].type) != "int":
            self.source.problem(
                f"columns must name a field of type int, but {name} is a {self.made.fields[name].type}",
                node,
            )
        else:
            return name
        return None

    def _options(self, name: str, node: Node) -> dict[str, Node]:
        if not isinstance(node, MappingNode):
            return {"type": node}
        options = {}
        for key, at, value in self.source.entries(node, f"the field {name}"):
            if key in OPTIONS:
                options[key] = value
            else:
                self.source.unknown_key(key, at, "there is no option", list(OPTIONS))
        return options

    def _unknowns(
        self, key: str, place: ScalarNode, node: Node, data: set[str], auxiliary: bool
    ) -> None:
        found = self._indexed(key, place, node, ("an unknown", "domain"), data)
        if found is not None:
            self.made.unknowns.append(VariableDecl(*found, auxiliary))

    def _definition(self, key: str, place: ScalarNode, node: Node) -> None:
        found = self._indexed(key, place, node, ("a name", "definition"))
        if found is not None:
            name, _, expression = found
            self.behind[name] = expression.names
            self.made.definitions.append(Definition(*found))

    def _indexed(
        self,
        key: str,
        place: ScalarNode,
        node: Node,
        what: tuple[str, str],
        known: Iterable[str] = (),
    ) -> tuple[str, tuple[str, ...], Expression] | None:
        """Declare `name[i, j]: expression for i in … for j in …`; return None after noting a
        problem.

        Args:
            key: The name with its indexes.
            place: Where the key stands.
            node: The expression.
            what: What messages call the name, and its expression.
            known: The names that the expression may use; by default all.
        """
        found = INDEXED.fullmatch(key)
        if not found:
            self.source.problem(
                f"{key[:60]!r} does not declare {what[0]}: write name, name[i] or name[i, j]", place
            )
            return None
        name, indexes = (
            found[1],
            tuple(part.strip() for part in (found[2] or "").split(",") if part.strip()),
        )
        expression = self._expression(
            node, f"the {what[1]} of {name}", split_loops=True, known=known
        )
        self._declare(name, place)
        if expression is None:
            return None
        loops = expression.loops or ()
        if missing := [index for index in indexes if index not in loops]:
            self.source.problem(
                f"there is no loop over {', '.join(missing)}", node, f"add: for {missing[0]} in …"
            )
        elif len(set(indexes)) < len(indexes):
            self.source.problem(f"{key} has the same index twice", place)
        elif loops and not indexes:
            help = f"write {name}[{', '.join(loops)}]"
            self.source.problem(
                f"{name} has no index, but its {what[1]} loops over {', '.join(loops)}", place, help
            )
        else:
            return name, indexes, expression
        return None

    def _say(self, name: str, place: ScalarNode, node: Node) -> None:
        """Read how facts about an unknown are said: a text, or two of them, if it holds and if not."""
        unknowns = next((one for one in self.made.unknowns if one.name == name), None)
        if unknowns is None:
            self.source.unknown_key(
                name, place, "there is no unknown", [one.name for one in self.made.unknowns]
            )
            return
        parts = node.value if isinstance(node, SequenceNode) else [node]
        sayings = [self._saying(unknowns, part) for part in parts]
        if len(sayings) not in (1, 2):
            self.source.problem(
                f"expected a text as say {name}, or two: if it holds, and if not", node
            )
        self.made.say[name] = tuple(sayings)

    def _saying(self, unknowns: VariableDecl, node: Node) -> Saying:
        """Read a text about an unknown, or the texts about one place and about several.

        A text is a word or a sentence with the indexes of the unknown in braces.
        """
        what = f"say {unknowns.name}"
        if not isinstance(node, MappingNode):
            text = self.source.text_of(node, what) or ""
            self._indexes_in(text, unknowns, node)
            return Saying(text)
        texts: dict[str, str] = {}
        for key, place, part in self.source.entries(node, what):
            if key in SAY_KEYS:
                texts[key] = self.source.text_of(part, f"{what}, {key}") or ""
            else:
                self.source.unknown_key(key, place, f"{what} has no key", list(SAY_KEYS))
        if missing := [key for key in SAY_KEYS if not texts.get(key)]:
            self.source.problem(
                f"{what} has no text for {' and '.join(missing)}",
                node,
                "write {one: a lamp, many: lamps}",
            )
            return Saying(texts.get("one", ""))
        saying = Saying(texts["one"], texts["many"])
        if self._indexes_in(saying.singular, unknowns, node) != self._indexes_in(
            saying.plural, unknowns, node
        ):
            self.source.problem(f"{what}: one and many do not show the same indexes", node)
        return saying

    def _indexes_in(self, text: str, unknowns: VariableDecl, node: Node) -> set[str]:
        """Return the names in braces, after noting those that are no indexes of the unknown."""
        shown, known = set(re.findall(r"\{([^{}]*)\}", text)), [*unknowns.indexes, "value"]
        for name in shown.difference(known):
            self.source.unknown_key(name, node, f"{unknowns.name} has no index", known)
        return shown

    def _rule(
        self, key: str, place: ScalarNode, node: Node, rules: list[Rule], what: str = "rule"
    ) -> None:
        several = isinstance(node, SequenceNode) and not node.flow_style
        for part in node.value if several else [node]:
            expression = self._expression(part, f"the {what} {key}", split_loops=True)
            if expression is None:
                continue
            rules.append(Rule(key, expression))
            for name in re.findall(r"\{([^{}]+)\}", key):
                if name not in (expression.loops or ()):
                    self.source.problem(
                        f"the name of the {what} shows {name}, but the {what} has no loop over it",
                        place,
                    )


def _scalar(node: Node) -> ScalarNode:
    assert isinstance(node, ScalarNode)
    return node
