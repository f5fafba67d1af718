"""PyYAML's composer, restricted to plain data within limits, and the places in its scalars."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import yaml
from yaml.nodes import Node, ScalarNode

from puzzlekit.errors import Place
from puzzlekit.limits import limits

if TYPE_CHECKING:
    from puzzlekit.lang.source import Source

ESCAPED = {"x": 4, "u": 6, "U": 10}  # the lengths of escapes in double quotes that are not 2
BREAKS = "\r\n\x85\u2028\u2029"
BREAK = re.compile(rf"\r\n|[{BREAKS}]")
KEPT_BREAK = re.compile("(?<=[\n\u2028\u2029])")  # after one, in a value


class Text:
    """The value of a scalar, and the places of its characters."""

    def __init__(self, source: Source, node: ScalarNode) -> None:
        self.source = source
        self.node = node
        self.value = str(node.value)

    @cached_property
    def text(self) -> str:
        """The value on one line: white space becomes blanks, so that offsets stay the same."""
        return "".join(" " if char.isspace() else char for char in self.value).rstrip()

    @cached_property
    def indexes(self) -> list[int]:
        """The index in the source of each character of the value.

        Value and source are read side by side. White space matches white space of any length,
        because YAML folds lines. What YAML removes (quotes, escapes, indentation) is skipped. In
        a block below `|`, all but the indentation of lines is kept.
        """
        raw, style = self.source.text, self.node.style
        at, end = self.node.start_mark.index, min(self.node.end_mark.index, len(self.source.text))
        if style in ("|", ">"):
            # skip the rest of the line of the sign, which a node at the beginning of the text lacks
            while at and at < end and raw[at] not in BREAKS:
                at += 1
            if style == "|":
                return self._literal_indexes(raw, at, end)
        elif style:
            at += 1
        found = []
        for char in self.value:
            while style == '"' and raw[at : at + 1] == "\\" and raw[at + 1 : at + 2] in BREAKS and at + 1 < end:
                at = _after_space(raw, at + 1, end)
            if style == '"' and raw[at : at + 1] == "\\":
                found.append(at)
                at += ESCAPED.get(raw[at + 1 : at + 2], 2)
            elif char.isspace():
                found.append(at)
                at = _after_space(raw, at, end)
            else:
                at = _after_space(raw, at, end)
                found.append(at)
                at += 2 if style == "'" and char == "'" else 1
        return found

    def _literal_indexes(self, raw: str, at: int, end: int) -> list[int]:
        """Return the indexes for a block below `|`, whose first line follows the line break at `at`."""
        found: list[int] = []
        ends = [broken.start() for broken in BREAK.finditer(raw, at, end)]
        ends = [*(ends[1:] if at else ends), end]
        for line, stop in zip(KEPT_BREAK.split(self.value), ends):
            text = line.rstrip("\n\u2028\u2029")
            found += range(stop - len(text), stop + len(line) - len(text))
        return found

    def index(self, offset: int) -> int:
        """Return the index in the source of the character nearest to this offset of the value."""
        if not self.indexes:
            return int(self.node.start_mark.index)
        return self.indexes[min(max(offset, 0), len(self.indexes) - 1)]

    def place(self, offset: int) -> Place:
        """Return the place of the character at this offset of the value."""
        return self.source.place_at(self.index(offset))

    def part(self, offset: int, text: str) -> ScalarNode:
        """Return a part of the value, which begins at the offset, as a scalar with its place."""
        at = self.index(offset)
        line, column = self.source.position(at)
        start = yaml.Mark("", at, line, column, None, 0)
        end = yaml.Mark("", at + len(text), line, column + len(text), None, 0)
        return ScalarNode(self.node.tag, text, start, end)


def _after_space(raw: str, at: int, end: int) -> int:
    while at < end and raw[at].isspace():
        at += 1
    return at


CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
# `|` and lines with the same indentation, or more; each has more than blanks, and no blank line follows
ROWS = re.compile(rf"\|\n(?=(?P<indent> +))(?:(?P=indent) *[^ {BREAKS}\0][^{BREAKS}\0]*\n)+(?!(?P=indent)| *[{BREAKS}])")
ENDED = "the value ended before this"
COLON = "write a colon and a blank after a key"
UNKEYED = "could not find expected ':'"
QUOTES = "quote the whole value"
BELOW = "quote the whole value, or write it on the lines below |"

# a part of a message of PyYAML, the message shown instead (None keeps it), the hint
SAYINGS = (
    ("cannot start any token", None, f"a value cannot begin with this character: {QUOTES}"),
    ("mapping keys are not allowed", "a value begins with ? and a blank", BELOW),
    ("sequence entries are not allowed", "a value begins with - and a blank", BELOW),
    ("expected alphabetic or numeric character, but found ' '", "a value begins with * or & and a blank", BELOW),
    ("mapping values are not allowed", "a value contains a colon and a blank", QUOTES),
    ("expected <block end>", ENDED, f"if a value begins with a quote, [ or {{: {QUOTES}"),
    (UNKEYED, None, COLON),
    ("another document", "a second document begins here", "a type or spec is a single document"),
)
BLOCK = re.compile(r"^ *[^\s#].*: +[|>][-+\d]* *(?:#.*)?$")  # the line above the rows of a block
KEYED = re.compile(r"\s*[^\s:#][^:#]*:(?:\s|$)")
INDENTED = re.compile(r" +[\w-]+")  # what stands before a colon, if that is all of the line
UNCLOSED = re.compile(r"expected ',' or '([\]}])', but got '(.*)'")


def compose(text: str) -> Node | None:
    """Return the only document of the text.

    Raises:
        yaml.YAMLError: The text is refused. A MarkedYAMLError has the hint in its `note`.
    """
    loader = _Loader(text)
    try:
        node: Node | None = loader.get_single_node()
        return node
    except yaml.MarkedYAMLError as error:
        if error.note is None:
            _rephrase(error, text)
        raise
    finally:
        loader.dispose()


def _rephrase(error: yaml.MarkedYAMLError, text: str) -> None:
    """Replace the message of PyYAML with a plainer one, if there is one."""
    if unclosed := UNCLOSED.match(error.problem or ""):
        _rephrase_unclosed(error, *unclosed.groups())
    for part, message, hint in SAYINGS:
        if part in (error.problem or ""):
            error.problem, error.note = message or error.problem, hint
            break
    _rephrase_layout(error, text)
    if "\\t" in (error.problem or ""):
        error.note = "indent with spaces, not with tabs"


def _rephrase_layout(error: yaml.MarkedYAMLError, text: str) -> None:
    """Say what is wrong with keys and rows that begin in a wrong column, or lack their colon."""
    at, lines = error.problem_mark, text.splitlines()
    if at is None:
        return
    if error.note == QUOTES and INDENTED.fullmatch(text, at.index - at.column, at.index):
        error.problem = "this key is indented further than the one above"
        error.note = "remove the blanks before it; if the value above goes on here, quote it"
    elif error.note == QUOTES and (above := _unkeyed_above(text, at)) is not None:
        error.problem, error.note, error.problem_mark = UNKEYED, COLON, above
    elif error.problem == UNKEYED and error.context_mark is not None:
        error.problem_mark = error.context_mark
        if BLOCK.match(_key_above(lines[: error.context_mark.line], 1)):
            error.problem = "this line is not part of the block above, and has no colon"
            error.note = "indent the rows below | by blanks; after a key, write a colon and a blank"
    elif error.problem == ENDED and BLOCK.match(_key_above(lines[: at.line], at.column)):
        error.problem = "this line begins further left than the one above it"
        error.note = "begin all rows below | in the same column"


def _key_above(lines: Sequence[str], column: int) -> str:
    """Return the last of the lines that begins left of a column."""
    return next((line for line in reversed(lines) if 0 <= _indent(line) < column), "")


def _indent(line: str) -> int:
    """Return the number of blanks before a line; -1 if it has nothing else, or is a comment."""
    text = line.lstrip(" ")
    return -1 if not text or text.startswith("#") else len(line) - len(text)


def _unkeyed_above(text: str, at: yaml.Mark) -> yaml.Mark | None:
    """Return the place of the line above a key, if it should be a key but has no colon and blank."""
    lines = text.splitlines()
    number = next((number for number in range(at.line - 1, -1, -1) if _indent(lines[number]) >= 0), None)
    if number is None or KEYED.match(lines[number]) or not KEYED.match(lines[at.line]):
        return None
    indent = _indent(lines[number])
    if indent != _indent(lines[at.line]):
        return None
    index = sum(len(line) for line in text.splitlines(keepends=True)[:number]) + indent
    return yaml.Mark(at.name, index, number, indent, None, 0)


def _rephrase_unclosed(error: yaml.MarkedYAMLError, close: str, found: str) -> None:
    """Point at the list or mapping that is not closed."""
    what, at = ("list" if close == "]" else "mapping"), error.problem_mark
    if found == "<stream end>" or at is None:
        error.problem = f"expected {close} to close this {what}, got the end of the file"
    else:
        got = "text" if found == "<scalar>" else found
        error.problem = f"expected , or {close} in this {what}, got {got} in line {at.line + 1}, column {at.column + 1}"
    error.note = f"close it with {close}; if it is an expression, quote the whole value"
    error.problem_mark = error.context_mark or at


class _Loader(yaml.SafeLoader):
    """The composer of the safe loader without tags, anchors and aliases: a spec is data."""

    depth = 0
    nodes = 0

    def forward(self, length: int = 1) -> None:
        """Go on by so many characters. Those that neither end a line nor lack a width are passed at once."""
        start = self.pointer
        if length > 1 and start + length + 1 < len(self.buffer) and self.buffer[start : start + length].isprintable():
            self.pointer += length
            self.index += length
            self.column += length
        else:
            super().forward(length)

    def scan_block_scalar(self, style: str) -> yaml.ScalarToken:
        """Read a block below `|` that has no blank lines at once; the base class reads letter by letter."""
        block = ROWS.match(self.buffer, self.pointer)
        if block is None or len(block["indent"]) <= self.indent:
            token: yaml.ScalarToken = super().scan_block_scalar(style)
            return token
        start = self.get_mark()
        self.pointer, self.index = block.end(), self.index + len(block[0])
        self.line, self.column = self.line + block[0].count("\n"), 0
        end = self.get_mark()
        while self.column < len(block["indent"]) and self.peek() == " ":
            self.forward()
        rows = block[0].replace("\n" + block["indent"], "\n").removeprefix("|\n")
        return yaml.ScalarToken(rows, False, start, end, style)

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        refusal = None
        most = limits().reading
        self.nodes += 1
        if isinstance(event, yaml.AliasEvent):
            refusal = "an alias (*name) is not part of the language"
        elif getattr(event, "anchor", None) is not None:
            refusal = "an anchor (&name) is not part of the language"
        elif getattr(event, "tag", None) not in (None, "!"):
            refusal = "a tag (!name) is not part of the language"
        elif self.depth >= most.file_levels:
            refusal = f"this is nested more than {most.file_levels} levels deep"
        elif self.nodes > most.file_nodes:
            refusal = f"there are more than {most.file_nodes:,} keys and values"
        if refusal:
            hint = f"if a value begins with {refusal[refusal.index('(') + 1]}: {QUOTES}" if "(" in refusal else ""
            raise yaml.MarkedYAMLError(problem=refusal, problem_mark=event.start_mark, note=hint)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(node, ScalarNode) and (found := CONTROL.search(node.value)):
            refusal = f"a control character (U+{ord(found[0]):04X}) is not part of the language"
            raise yaml.MarkedYAMLError(problem=refusal, problem_mark=node.start_mark, note="")
        return node
