"""The YAML of types and specs as a tree of nodes with their positions: plain data, within limits.

libyaml parses it where PyYAML was built with it, which takes a twentieth of the time of PyYAML's
own parser. What libyaml refuses, or may read in another way, goes to the latter: both installations
give the same trees, positions and messages. `spec_text` writes YAML.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.errors import printable

LEVELS = 40  # of nesting
NODES = 20_000  # keys and values
LIBYAML: Any = getattr(yaml, "CSafeLoader", None)
# what libyaml may read although PyYAML refuses it, or with other positions: tabs, rare line breaks,
# `|#`
OTHERWISE = re.compile("[\t\r\x85\u2028\u2029\ufeff\ud800-\udfff]|[|>][-+0-9]*#")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
ENDED = "the value ended before this"
COLON = "write a colon and a blank after a key"
UNKEYED = "could not find expected ':'"
QUOTES = "quote the whole value"
BELOW = "quote the whole value, or write it on the lines below |"

# text in a message of PyYAML, the message shown instead (None retains it), the help
REPHRASED = (
    ("cannot start any token", None, f"a value cannot begin with this character: {QUOTES}"),
    ("mapping keys are not allowed", "a value begins with ? and a blank", BELOW),
    ("sequence entries are not allowed", "a value begins with - and a blank", BELOW),
    (
        "expected alphabetic or numeric character, but found ' '",
        "a value begins with * or & and a blank",
        BELOW,
    ),
    ("mapping values are not allowed", "a value contains a colon and a blank", QUOTES),
    ("expected <block end>", ENDED, f"if a value begins with a quote, [ or {{: {QUOTES}"),
    (UNKEYED, None, COLON),
    ("another document", "a second document begins here", "a type or spec is a single document"),
)
BLOCK = re.compile(r"^ *[^\s#].*: +[|>][-+\d]* *(?:#.*)?$")  # the line above the rows of a block
KEYED = re.compile(r"\s*[^\s:#][^:#]*:(?:\s|$)")
INDENTED = re.compile(r" +[\w-]+")  # what stands before a colon, if that is all of the line
AFTER_KEY = re.compile(r"[^#\n]*:[ ]+")  # what stands before a value on the line of its key
REFUSED_VALUES = 20  # values that must be quoted, reported per run
REFUSED_TEXT = 50_000  # characters of a text that is read again after each of them
KEYED_VALUE = re.compile(r"([^#:\n]*:[ ]+)([^\s|>#].*)")  # a line with a key and a value
QUESTIONS = 100  # values that begin with ? and a blank
UNCLOSED = re.compile(r"expected ',' or '([\]}])', but got '(.*)'")


def compose(text: str, keys: Collection[str] | None = None) -> Node | None:
    """Return the only document of the text; None if it is empty.

    Args:
        text: The text.
        keys: The only keys of the outermost mapping to return; what follows the last of them is not
            read.

    Raises:
        yaml.YAMLError: The text is refused. A MarkedYAMLError has the help in its `note`.
    """
    questions: set[int] = set()
    while True:
        if LIBYAML is not None and not OTHERWISE.search(text):
            try:
                return _Composer(text, LIBYAML, keys, questions).document()
            except yaml.YAMLError:
                pass  # PyYAML says why
        try:
            return _Composer(text, yaml.SafeLoader, keys, questions).document()
        except yaml.MarkedYAMLError as error:
            index = _question(error, text)
            if index is None or len(questions) == QUESTIONS:
                if error.note is None:
                    _rephrase(error, text)
                raise
        questions.add(index)
        text = f"{text[:index]}_{text[index + 1 :]}"


def _question(error: yaml.MarkedYAMLError, text: str) -> int | None:
    """Return the index of the ? that begins a value, if that is why PyYAML refused the text.

    It means something to YAML only where a key may stand.
    """
    mark = error.problem_mark
    if mark is None or "mapping keys are not allowed" not in (error.problem or ""):
        return None
    index = int(mark.index)
    follows_key = AFTER_KEY.fullmatch(text, _line_start(mark), index)
    return index if follows_key else None


def _line_start(mark: yaml.Mark) -> int:
    """Return the index at which the line of a mark begins."""
    return int(mark.index - mark.column)


def refusals(text: str, error: yaml.MarkedYAMLError) -> Iterator[yaml.MarkedYAMLError]:
    """Yield the error of a text, and those of further values that must be quoted."""
    for _ in range(REFUSED_VALUES if len(text) < REFUSED_TEXT else 1):
        yield error
        repaired = _without_value(text, error)
        if repaired is None:
            return
        text = repaired
        try:
            compose(text)
        except yaml.MarkedYAMLError as next_error:
            error = next_error
        except yaml.YAMLError:
            return
        else:
            return


def _without_value(text: str, error: yaml.MarkedYAMLError) -> str | None:
    """Return the text with another value in place of one that must be quoted.

    For other errors, None is returned.
    """
    mark = error.problem_mark
    if mark is None or QUOTES not in (error.note or ""):
        return None
    line = KEYED_VALUE.match(text, _line_start(mark))
    if line is None or mark.index < line.start(2):
        return None
    replacement = "x" * len(line[2])
    return text[: line.start(2)] + replacement + text[line.end() :]


def _rephrase(error: yaml.MarkedYAMLError, text: str) -> None:
    """Replace the message of PyYAML with a plainer one, if there is one."""
    unclosed = UNCLOSED.match(error.problem or "")
    if unclosed:
        _rephrase_unclosed(error, *unclosed.groups())
    for excerpt, message, help in REPHRASED:
        if excerpt in (error.problem or ""):
            error.problem = message or error.problem
            error.note = help
            break
    _rephrase_layout(error, text)
    if "\\t" in (error.problem or ""):
        error.note = "indent with spaces, not with tabs"


def _rephrase_layout(error: yaml.MarkedYAMLError, text: str) -> None:
    """Say what is wrong with keys and rows that begin in a wrong column, or lack their colon."""
    mark = error.problem_mark
    if mark is None:
        return
    lines = text.splitlines()
    if error.note == QUOTES:
        _rephrase_key(error, text, mark)
    elif error.problem == UNKEYED and error.context_mark is not None:
        error.problem_mark = error.context_mark
        if BLOCK.match(_key_above(lines[: error.context_mark.line], 1)):
            error.problem = "this line is not part of the block above, and has no colon"
            error.note = "indent the rows below | by blanks; after a key, write a colon and a blank"
    elif error.problem == ENDED and BLOCK.match(_key_above(lines[: mark.line], mark.column)):
        error.problem = "this line begins further left than the one above it"
        error.note = "begin all rows below | in the same column"


def _rephrase_key(error: yaml.MarkedYAMLError, text: str, mark: yaml.Mark) -> None:
    """Say that a key is indented too far, or that the line above lacks its colon."""
    if INDENTED.fullmatch(text, _line_start(mark), mark.index):
        error.problem = "this key is indented further than the one above"
        error.note = "remove the blanks before it; if the value above goes on here, quote it"
        return
    above = _unkeyed_above(text, mark)
    if above is not None:
        error.problem = UNKEYED
        error.note = COLON
        error.problem_mark = above


def _key_above(lines: Sequence[str], column: int) -> str:
    """Return the last of the lines that begins left of a column."""
    for line in reversed(lines):
        if 0 <= _indent(line) < column:
            return line
    return ""


def _indent(line: str) -> int:
    """Return the number of blanks before a line; -1 if it has nothing else, or is a comment."""
    text = line.lstrip(" ")
    if not text or text.startswith("#"):
        return -1
    return len(line) - len(text)


def _unkeyed_above(text: str, mark: yaml.Mark) -> yaml.Mark | None:
    """Return the mark of the line above a key, if it should be a key but has no colon and blank."""
    lines = text.splitlines()
    number = mark.line - 1
    while number >= 0 and _indent(lines[number]) < 0:
        number -= 1
    if number < 0 or KEYED.match(lines[number]) or not KEYED.match(lines[mark.line]):
        return None
    indent = _indent(lines[number])
    if indent != _indent(lines[mark.line]):
        return None
    before = text.splitlines(keepends=True)[:number]
    index = sum(map(len, before)) + indent
    return yaml.Mark(mark.name, index, number, indent, None, 0)


def _rephrase_unclosed(error: yaml.MarkedYAMLError, close: str, token: str) -> None:
    """Point at the list or mapping that is not closed."""
    noun = "list" if close == "]" else "mapping"
    mark = error.problem_mark
    if token == "<stream end>" or mark is None:
        error.problem = f"expected {close} to close this {noun}, got the end of the file"
    else:
        got = "text" if token == "<scalar>" else token
        where = f"line {mark.line + 1}, column {mark.column + 1}"
        error.problem = f"expected , or {close} in this {noun}, got {got} in {where}"
    error.note = f"close it with {close}; if it is an expression, quote the whole value"
    error.problem_mark = error.context_mark or mark


class _Composer:
    """Makes nodes of the events of a parser, without tags, anchors and aliases: a spec is data.

    Args:
        text: The text.
        loader: The class of PyYAML whose parser reads it.
        keys: The only keys of the outermost mapping to return; None for all.
        questions: The indexes where the text has _ in place of the ? that begins a value.
    """

    def __init__(
        self, text: str, loader: Any, keys: Collection[str] | None, questions: Collection[int]
    ) -> None:
        self.events: Iterator[Event] = yaml.parse(text, Loader=loader)
        self.keys = keys
        self.nodes = 0
        self.text = text
        self.questions = questions
        self.end: yaml.Mark | None = None
        if loader is LIBYAML:
            # at the end of a last line without a line break, libyaml is on another line
            column = len(text) - text.rfind("\n") - 1
            self.end = yaml.Mark("", len(text), text.count("\n"), column, None, 0)

    def document(self) -> Node | None:
        """Return the only document. Raises YAMLError."""
        next(self.events)  # the stream starts
        start: Any = next(self.events)
        if isinstance(start, StreamEndEvent):
            return None
        first = next(self.events)
        if self.keys is not None and isinstance(first, MappingStartEvent):
            return self._with_keys(first, self.keys)
        node = self._node(first, 0)
        next(self.events)  # the document ends
        after: Any = next(self.events)
        if not isinstance(after, StreamEndEvent):
            raise yaml.MarkedYAMLError(
                None, start.start_mark, "but found another document", after.start_mark
            )
        return node

    def _with_keys(self, event: Any, keys: Collection[str]) -> MappingNode:
        """Return a mapping with the first of each of these keys, as far as they are there."""
        missing = set(keys)
        pairs = []
        while missing:
            key_event = next(self.events)
            if isinstance(key_event, MappingEndEvent):
                break
            key = self._node(key_event, 1)
            if isinstance(key, ScalarNode) and key.value in missing:
                missing.remove(key.value)
                pairs.append((key, self._node(next(self.events), 1)))
            else:
                self._skip()
        return MappingNode("", pairs, event.start_mark, event.end_mark)

    def _skip(self) -> None:
        """Take the events of a node."""
        depth = 0
        for event in self.events:
            if isinstance(event, CollectionStartEvent):
                depth += 1
            elif isinstance(event, CollectionEndEvent):
                depth -= 1
            if not depth:
                return

    def _node(self, event: Any, depth: int, flow: bool = False) -> Node:
        """Return the node that begins with an event, and take its other events."""
        self.nodes += 1
        self._require_plain(event, depth)
        start = self._mark(event.start_mark)
        if isinstance(event, ScalarEvent):
            return self._scalar(event, start, flow)
        members: list[Any] = []
        flow = bool(event.flow_style)
        depth += 1
        events = self.events
        if isinstance(event, MappingStartEvent):
            while not isinstance(member := next(events), MappingEndEvent):
                key = self._node(member, depth, flow)
                members.append((key, self._node(next(events), depth, flow)))
            end = self._mark(member.end_mark)
            return MappingNode("", members, start, end, flow_style=flow)
        while not isinstance(member := next(events), SequenceEndEvent):
            members.append(self._node(member, depth, flow))
        end = self._mark(member.end_mark)
        return SequenceNode("", members, start, end, flow_style=flow)

    def _require_plain(self, event: Any, depth: int) -> None:
        """Raise MarkedYAMLError if the language does not have the node of an event."""
        sign = ""
        if isinstance(event, AliasEvent):
            sign = "*"
            message = "an alias (*name) is not part of the language"
        elif event.anchor is not None:
            sign = "&"
            message = "an anchor (&name) is not part of the language"
        elif event.tag not in (None, "!"):
            sign = "!"
            message = "a tag (!name) is not part of the language"
        elif depth >= LEVELS:
            message = f"this is nested more than {LEVELS} levels deep"
        elif self.nodes > NODES:
            message = f"there are more than {NODES:,} keys and values"
        else:
            return
        help = f"if a value begins with {sign}: {QUOTES}" if sign else ""
        raise yaml.MarkedYAMLError(problem=message, problem_mark=event.start_mark, note=help)

    def _scalar(self, event: Any, start: yaml.Mark, flow: bool) -> ScalarNode:
        """Return the node of a scalar. `flow` says whether it is in a flow collection."""
        if self.end is not None and not event.style and self._differs(event, flow):
            raise yaml.YAMLError("PyYAML reads this in another way")
        text = event.value
        if start.index in self.questions:
            text = "?" + text[1:]
        control = CONTROL.search(text)
        if control:
            code = ord(control[0])
            message = f"a control character (U+{code:04X}) is not part of the language"
            raise yaml.MarkedYAMLError(problem=message, problem_mark=start, note="")
        end = self._mark(event.end_mark)
        return ScalarNode("", text, start, end, style=event.style or None)

    def _differs(self, event: Any, flow: bool) -> bool:
        """Return whether PyYAML reads a plain scalar in another way.

        It does so for a ? in a flow collection, and for nothing after blanks.
        """
        if event.value:
            return flow and "?" in event.value
        before = event.start_mark.index - 1
        return self.text[before : before + 1].isspace()

    def _mark(self, mark: Any) -> Any:
        """Return a mark; at the end of the text, as PyYAML gives it."""
        if self.end is None or mark.index < self.end.index:
            return mark
        return self.end


# Writing ------------------------------------------------------------------------------------------


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, and lists on one line."""


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", printable(text), style=style)


def _represent_none(dumper: yaml.SafeDumper, _: None) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:null", "")


def _represent_list(dumper: yaml.SafeDumper, members: list[Any]) -> yaml.SequenceNode:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", members, flow_style=True)


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(type(None), _represent_none)
_Dumper.add_representer(list, _represent_list)


def plain_node(node: Node) -> Any:
    """Return a node as dicts, lists and text."""
    if isinstance(node, MappingNode):
        return {str(key.value): plain_node(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [plain_node(member) for member in node.value]
    return str(node.value)


def spec_text(fields: Mapping[str, Any]) -> str:
    """Return the text of a spec with these fields.

    A list of texts is a board, one row per line. A tuple stays a list.

    Examples:
        >>> fields = {"title": "a: b", "rows": ["ab", "c\\x1b"], "expect": {"solutions": 1}}
        >>> print(spec_text(fields), end="")
        title: 'a: b'
        rows: |
          ab
          c·
        expect:
          solutions: 1
    """
    content = _with_blocks(fields)
    return yaml.dump(content, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**6)


def _with_blocks(content: Any) -> Any:
    """Return the content of a spec with boards as texts."""
    if isinstance(content, Mapping):
        return {key: _with_blocks(value) for key, value in content.items()}
    if not isinstance(content, list) or any(isinstance(row, list) for row in content):
        return content
    return "".join(f"{row}\n" for row in content)
