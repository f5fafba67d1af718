"""YAML text as a tree of nodes that know where they stand. Nothing is guessed about a scalar: it is text until its type is known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

from puzzlekit.errors import InputError, Place, Problem, Problems, nearest

LARGEST = 300_000  # characters in a type or spec
DEEPEST = 40  # nesting of a type or spec



class Source:
    """A text and where it came from; the problems found in it are gathered here and told together."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.lines = text.splitlines()
        self.problems: list[Problem] = []

    @property
    def folder(self) -> Path:
        """Where relative paths in the text begin."""
        return Path(self.path).parent

    def place(self, line: int, column: int) -> Place:
        """The place at a line and column that count from 0."""
        return Place(self.path, line + 1, column + 1, self.lines[line] if line < len(self.lines) else "")

    def start(self, node: Node) -> Place:
        """Where the node begins."""
        return self.place(node.start_mark.line, node.start_mark.column)

    def problem(self, message: str, at: Node | Place | None, hint: str = "") -> None:
        """Note a problem; `raise_problems` tells it."""
        place = self.start(at) if isinstance(at, Node) else at
        problem = Problem(message, place, hint)
        if problem not in self.problems:
            self.problems.append(problem)

    def raise_problems(self) -> None:
        """Raise all that was noted, in the order of the file."""
        if self.problems:
            key = lambda p: (p.place.line, p.place.column) if p.place else (0, 0)  # noqa: E731
            raise Problems(sorted(self.problems, key=key))

    def entries(self, node: Node | None, what: str) -> Iterator[tuple[str, ScalarNode, Node]]:
        """The keys of a mapping with their values; a key that is no text or stands twice is a problem."""
        if node is None or is_empty(node):
            return
        if not isinstance(node, MappingNode):
            self.problem(f"{what} is a mapping: name: value, one a line", node)
            return
        seen: dict[str, ScalarNode] = {}
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                self.problem(f"a key of {what} is plain text", key)
            elif key.value in seen:
                first = seen[key.value].start_mark.line + 1
                self.problem(f"{key.value} stands here twice; the first is in line {first}", key, "keep one of them")
            else:
                seen[key.value] = key
                yield key.value, key, value

    def text_of(self, node: Node, what: str) -> str | None:
        """The text of a scalar; anything else is a problem."""
        if isinstance(node, ScalarNode):
            return str(node.value)
        self.problem(f"{what} is text, and this is {kind_of(node)}", node)
        return None

    def unknown_key(self, key: str, node: Node, what: str, known: list[str]) -> None:
        """Note that a key is none that is known here."""
        self.problem(f"{what} {key} is not known here", node, nearest(key, known))


def is_empty(node: Node) -> bool:
    """Whether nothing is written there."""
    return isinstance(node, ScalarNode) and node.value == "" and node.style is None


def kind_of(node: Node) -> str:
    """What a person calls this kind of node."""
    return "text" if isinstance(node, ScalarNode) else "a mapping" if isinstance(node, MappingNode) else "a list"


class _Loader(yaml.SafeLoader):
    """The safe loader's composer, without tags, anchors and aliases: they compute, and a spec is data."""

    depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        refusal = None
        if isinstance(event, yaml.AliasEvent):
            refusal = "an alias (*name) is not part of the language"
        elif getattr(event, "anchor", None) is not None:
            refusal = "an anchor (&name) is not part of the language"
        elif getattr(event, "tag", None) not in (None, "!"):
            refusal = "a tag (!name) is not part of the language"
        elif self.depth >= DEEPEST:
            refusal = f"nested more than {DEEPEST} deep"
        if refusal:
            raise yaml.MarkedYAMLError(problem=refusal, problem_mark=event.start_mark)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node


def read_text(path: Path) -> str:
    """The text of a type or spec file; InputError where it cannot be read."""
    try:
        if not path.is_file():
            raise InputError(f"{path}: {'is not a file' if path.exists() else 'there is no such file'}")
        if path.stat().st_size > 4 * LARGEST:
            raise InputError(f"{path}: is larger than a type or spec may be ({LARGEST} characters)")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text (byte {error.start})") from error


def parse(path: str, text: str) -> tuple[Source, MappingNode]:
    """The text as a mapping node. Raises Problems where it is no YAML, no mapping, or asks for what a spec may not."""
    source = Source(path, text)
    if len(text) > LARGEST:
        raise InputError(f"{path}: is larger than a type or spec may be ({LARGEST} characters)")
    loader = None
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = source.place(mark.line, mark.column) if mark else None
        hint = _plain(error.context or "")
        if "flow" in hint:
            hint = "in YAML a value that begins with [ or { is a list or mapping: put an expression that does in quotes"
        raise Problems([Problem(_plain(error.problem or "this is not YAML"), place, hint)]) from error
    except yaml.YAMLError as error:
        raise Problems([Problem(f"this is not YAML: {_plain(str(error))}", source.place(0, 0))]) from error
    except RecursionError as error:
        raise Problems([Problem("this is nested too deep", source.place(0, 0))]) from error
    finally:
        if loader is not None:
            loader.dispose()
    if not isinstance(node, MappingNode):
        found = "is empty" if node is None else f"is {kind_of(node)}"
        raise Problems([Problem(f"a type or spec is a mapping of keys to values, and this {found}", source.place(0, 0))])
    return source, node


def _plain(message: str) -> str:
    return message.replace("\n", " ").replace("\x00", " ").strip()


class Text:
    """A scalar that holds an expression: its text, and the place in the file of each of its characters."""

    def __init__(self, source: Source, node: ScalarNode) -> None:
        self.source = source
        self.node = node
        self.text = " ".join(str(node.value).split("\n")).rstrip()

    def place(self, offset: int) -> Place:
        """Where the character at this offset stands in the file.

        The value and the raw text are walked side by side: white space of any length matches white space, and what YAML
        takes away (quotes, escapes, indentation) is passed over.
        """
        raw, at = self.source.text, self.node.start_mark.index
        end = self.node.end_mark.index
        if self.node.style in ("|", ">"):
            at = raw.find("\n", at) + 1
        for char in self.text[:offset]:
            if char == " ":
                while at < end and raw[at].isspace():
                    at += 1
            else:
                while at < end and raw[at] != char:
                    at += 1
                at += 1
        while at < end and raw[at].isspace():
            at += 1
        before = raw[:at]
        return self.source.place(before.count("\n"), at - (before.rfind("\n") + 1))
