"""Types and specs as text, and its YAML as a tree of nodes that know their positions.

A scalar stays text until its type is known: nothing is guessed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.errors import (
    InputError,
    Problem,
    Problems,
    SourcePos,
    merge_repeated,
    nearest,
    one_line,
)
from puzzlekit.renamed import UPGRADE_HINT, renaming
from puzzlekit.yaml_nodes import compose, refusals

FILE_CHARACTERS = 300_000

LINK = "<link>"
MOST_PROBLEMS = 100  # reported per run
STRINGS = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""  # texts in an expression
ESCAPED = {"x": 4, "u": 6, "U": 10}  # the lengths of escapes in double quotes that are not 2
BREAKS = "\r\n\x85\u2028\u2029"
SPACE = re.compile(r"\s")
BREAK = re.compile(rf"\r\n|[{BREAKS}]")
ESCAPED_BREAK = re.compile(rf"\\[{BREAKS}]")
RETAINED_BREAK = re.compile("(?<=[\n\u2028\u2029])")  # after a line break, in a value


class SourceFile:
    """A text with its path, and the problems found in it, which are reported together.

    Attributes:
        path: What problems call the text.
        text: The text, without a byte order mark.
        lines: Its lines.
    """

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text.removeprefix("\ufeff")
        self.lines = self.text.splitlines()
        self._problems: dict[Problem, None] = {}
        self._omitted = Counter[str]()  # how many more problems there are with each message

    @property
    def problems(self) -> list[Problem]:
        """The problems noted so far."""
        return list(self._problems)

    @property
    def folder(self) -> Path:
        """The folder of relative paths in the text."""
        return Path(self.path).parent

    def position(self, line: int, column: int) -> SourcePos:
        """Return the position at a line and column, both counted from 0."""
        text = self.lines[line] if line < len(self.lines) else ""
        return SourcePos(self.path, line + 1, column + 1, text)

    @cached_property
    def _starts(self) -> list[int]:
        """The index at which each line begins, and the length of the text."""
        starts = [0]
        for line in self.text.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def line_and_column(self, index: int) -> tuple[int, int]:
        """Return the line and column, counted from 0, of the character at this index."""
        line = max(bisect_right(self._starts, index) - 1, 0)
        return line, index - self._starts[line]

    def position_at(self, index: int) -> SourcePos:
        """Return the position of the character at this index."""
        return self.position(*self.line_and_column(index))

    def start(self, node: Node) -> SourcePos:
        """Return the position where the node begins."""
        return self.position(node.start_mark.line, node.start_mark.column)

    def whereabouts(self, node: Node) -> str:
        """Return where the node begins, for a message about another position of this source."""
        return f"line {self.start(node).line}"

    @property
    def full(self) -> bool:
        """Whether the limit of problems is reached: further ones are only counted."""
        return len(self._problems) >= MOST_PROBLEMS

    @property
    def clean(self) -> bool:
        """Whether no problem is noted."""
        return not self._problems

    def problem(self, message: str, position: Node | SourcePos | None, help: str = "") -> None:
        """Note a problem for `raise_problems`."""
        if self.full:
            self._omitted[one_line(message)] += 1
            return
        if isinstance(position, Node):
            position = self.start(position)
        problem = Problem(one_line(message), position, one_line(help))
        self._problems[problem] = None

    def raise_problems(self) -> None:
        """Raise the noted problems in the order of the file, and clear them."""
        if not self._problems:
            return
        ordered = sorted(self._problems, key=self._order)
        problems = merge_repeated(ordered, self._omitted)
        self.forget_problems()
        raise Problems(problems)

    def forget_problems(self) -> None:
        """Forget the noted problems."""
        self._problems = {}
        self._omitted = Counter()

    def take_problems(self, source: SourceFile) -> None:
        """Move the problems of another source to this one."""
        for problem in source._problems:
            self.problem(problem.message, problem.position, problem.help)
        source.forget_problems()

    def _order(self, problem: Problem) -> tuple[bool, int, int]:
        position = problem.position
        if position is None:
            return False, 0, 0
        return position.path != self.path, position.line, position.column

    def entries(self, node: Node | None, subject: str) -> Iterator[tuple[str, ScalarNode, Node]]:
        """Yield the keys of a mapping with their nodes and values.

        A key that is not text or is given twice is noted as a problem and skipped. `subject` names
        the mapping in messages.
        """
        if node is None or is_empty(node):
            return
        if not isinstance(node, MappingNode):
            message = f"expected {subject} to be a mapping, got {node_type(node)}"
            self.problem(message, node, "write name: value, each on a line")
            return
        seen: dict[str, ScalarNode] = {}
        for key, value in node.value:
            if not isinstance(key, ScalarNode):
                message = f"expected plain text as a key of {subject}, got {node_type(key)}"
                self.problem(message, key, "quote a key that begins with { or [")
            elif key.value in seen:
                first = self.whereabouts(seen[key.value])
                message = f"the key `{key.value}` is given twice; the first is in {first}"
                self.problem(message, key, "keep one of them")
            else:
                seen[key.value] = key
                yield key.value, key, value

    def text_of(self, node: Node, subject: str) -> str | None:
        """Return the text of a scalar. For any other node, note a problem and return None."""
        if isinstance(node, ScalarNode):
            return str(node.value)
        self.problem(f"expected text as {subject}, got {node_type(node)}", node)
        return None

    def unknown_key(
        self,
        key: str,
        position: Node | SourcePos | None,
        message: str,
        keys: list[str],
        renamed: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Note an unknown key, with the nearest valid one as help.

        Args:
            key: The key.
            position: Where it stands.
            message: What begins the message: `there is no section`.
            keys: The keys that are valid there.
            renamed: The old keys there, each with the new one, which the message then names.
        """
        if key in renamed:
            self.problem(renaming(key, renamed[key]), position, UPGRADE_HINT)
        else:
            help = "" if self.full else nearest(key[:100], keys)
            self.problem(f"{message} {key}", position, help)


class Text:
    """The value of a scalar, and the positions of its characters."""

    def __init__(self, source: SourceFile, node: ScalarNode) -> None:
        self.source = source
        self.node = node
        self.value = str(node.value)

    @cached_property
    def text(self) -> str:
        """The value on one line: white space becomes blanks, so that offsets stay the same."""
        return SPACE.sub(" ", self.value).rstrip()

    @cached_property
    def indexes(self) -> list[int]:
        """The index in the source of each character of the value.

        Value and source are read side by side. White space matches white space of any length,
        because YAML folds lines. What YAML removes (quotes, escapes, indentation) is skipped. In
        a block below `|`, only the indentation of lines is removed.
        """
        raw = self.source.text
        style = self.node.style
        index = self.node.start_mark.index
        end = min(self.node.end_mark.index, len(raw))
        if style in ("|", ">"):
            # skip the rest of the line of the sign, which a node at the beginning of the text lacks
            while index and index < end and raw[index] not in BREAKS:
                index += 1
            if style == "|":
                return self._literal_indexes(raw, index, end)
        elif style:
            index += 1
        indexes = []
        for char in self.value:
            if style == '"':
                index = _after_escaped_breaks(raw, index, end)
            if style == '"' and raw[index : index + 1] == "\\":
                indexes.append(index)
                index += ESCAPED.get(raw[index + 1 : index + 2], 2)
            elif char.isspace():
                indexes.append(index)
                index = _after_space(raw, index, end)
            else:
                index = _after_space(raw, index, end)
                indexes.append(index)
                is_doubled = style == "'" and char == "'"
                index += 2 if is_doubled else 1
        return indexes

    def _literal_indexes(self, raw: str, start: int, end: int) -> list[int]:
        """Return the indexes for a block below `|`.

        Args:
            raw: The text of the source.
            start: The index of the line break before the block; 0 if there is none.
            end: The index of the end of the block.
        """
        indexes: list[int] = []
        line_ends = [line_break.start() for line_break in BREAK.finditer(raw, start, end)]
        if start:
            del line_ends[:1]
        line_ends.append(end)
        for line, line_end in zip(RETAINED_BREAK.split(self.value), line_ends):
            text = line.rstrip("\n\u2028\u2029")
            line_start = line_end - len(text)
            indexes += range(line_start, line_start + len(line))
        return indexes

    def index(self, offset: int) -> int:
        """Return the index in the source of the character nearest to this offset of the value."""
        if not self.indexes:
            return int(self.node.start_mark.index)
        return self.indexes[min(max(offset, 0), len(self.indexes) - 1)]

    def position(self, offset: int) -> SourcePos:
        """Return the position of the character at this offset of the value."""
        return self.source.position_at(self.index(offset))

    def segment(self, offset: int, text: str) -> ScalarNode:
        """Return a text inside the value, which begins at the offset, as a scalar."""
        index = self.index(offset)
        line, column = self.source.line_and_column(index)
        start = yaml.Mark("", index, line, column, None, 0)
        end = yaml.Mark("", index + len(text), line, column + len(text), None, 0)
        return ScalarNode("", text, start, end)


def _after_space(raw: str, index: int, end: int) -> int:
    """Return the index after white space."""
    while index < end and raw[index].isspace():
        index += 1
    return index


def _after_escaped_breaks(raw: str, index: int, end: int) -> int:
    r"""Return the index after line breaks behind a \, which YAML removes with the indentation."""
    while ESCAPED_BREAK.match(raw, index, end):
        index = _after_space(raw, index + 1, end)
    return index


def is_empty(node: Node) -> bool:
    """Return whether nothing is written at the node."""
    return isinstance(node, ScalarNode) and node.value == "" and node.style is None


def node_type(node: Node) -> str:
    """Return what messages call a node of this class."""
    if isinstance(node, ScalarNode):
        return "nothing" if is_empty(node) else "text"
    return "a mapping" if isinstance(node, MappingNode) else "a list"


def several(node: Node | None) -> list[Node]:
    """Return the items of a list, or the only item; none without a node."""
    if isinstance(node, SequenceNode):
        return list(node.value)
    return [] if node is None else [node]


def parse(
    path: str, text: str, keys: Collection[str] | None = None
) -> tuple[SourceFile, MappingNode]:
    """Return the text as a source and the node of its mapping.

    Args:
        path: What problems call the text.
        text: The text.
        keys: The only keys of the mapping to return; what follows the last of them is not read.

    Raises:
        Problems: The text is not YAML, not a mapping, or uses YAML that is refused.
        InputError: The text is too long.
    """
    source = SourceFile(path, text)
    if len(text) > FILE_CHARACTERS:
        raise InputError(f"{path}: a type or spec has at most {FILE_CHARACTERS:,} characters")
    try:
        node = compose(source.text, keys)
    except yaml.MarkedYAMLError as first:
        for error in refusals(source.text, first):
            mark = error.problem_mark or error.context_mark
            position = source.position(mark.line, mark.column) if mark else source.position(0, 0)
            source.problem(error.problem or "this is not YAML", position, error.note or "")
    except yaml.reader.ReaderError as error:
        message = f"this is not text: {error.reason} (U+{error.character:04X})"
        source.problem(message, source.position_at(error.position))
    else:
        if isinstance(node, MappingNode):
            return source, node
        content = "an empty file" if node is None or is_empty(node) else node_type(node)
        message = f"expected a mapping of keys to values, got {content}"
        source.problem(message, source.position(0, 0))
    source.raise_problems()
    raise AssertionError("a problem was noted")
