"""The YAML of types and specs as a tree of nodes with their places: plain data, within limits.

libyaml parses it where PyYAML was built with it, which takes a twentieth of the time of PyYAML's
own parser. What libyaml refuses, or may read in another way, goes to the latter: both installations
give the same trees, places and messages. `spec_text` writes YAML.
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
# what libyaml may read although PyYAML refuses it, or with other places: tabs, rare line breaks,
# `|#`
OTHERWISE = re.compile("[\t\r\x85\u2028\u2029\ufeff\ud800-\udfff]|[|>][-+0-9]*#")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
ENDED = "the value ended before this"
COLON = "write a colon and a blank after a key"
UNKEYED = "could not find expected ':'"
QUOTES = "quote the whole value"
BELOW = "quote the whole value, or write it on the lines below |"

# a part of a message of PyYAML, the message shown instead (None keeps it), the help
SAYINGS = (
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
    questions = set[int]()
    while True:
        if LIBYAML is not None and not OTHERWISE.search(text):
            try:
                return _Composer(text, LIBYAML, keys, questions).document()
            except yaml.YAMLError:
                pass  # refused in the words of PyYAML
        try:
            return _Composer(text, yaml.SafeLoader, keys, questions).document()
        except yaml.MarkedYAMLError as error:
            at = _question(error, text)
            if at is None or len(questions) == QUESTIONS:
                if error.note is None:
                    _rephrase(error, text)
                raise
        questions.add(at)
        text = f"{text[:at]}_{text[at + 1 :]}"


def _question(error: yaml.MarkedYAMLError, text: str) -> int | None:
    """Return the index of the ? that begins a value, if that is why PyYAML refused the text.

    It means something to YAML only where a key may stand.
    """
    at = error.problem_mark
    if at is None or "mapping keys are not allowed" not in (error.problem or ""):
        return None
    return int(at.index) if AFTER_KEY.fullmatch(text, at.index - at.column, at.index) else None


def refusals(text: str, error: yaml.MarkedYAMLError) -> Iterator[yaml.MarkedYAMLError]:
    """Yield the error of a text, and those of further values that must be quoted."""
    for _ in range(REFUSED_VALUES if len(text) < REFUSED_TEXT else 1):
        yield error
        left = _without_value(text, error)
        if left is None:
            return
        try:
            compose(text := left)
        except yaml.MarkedYAMLError as another:
            error = another
        except yaml.YAMLError:
            return
        else:
            return


def _without_value(text: str, error: yaml.MarkedYAMLError) -> str | None:
    """Return the text with another value in place of one that must be quoted; None for other
    errors.
    """
    at = error.problem_mark
    if at is None or QUOTES not in (error.note or ""):
        return None
    found = KEYED_VALUE.match(text, at.index - at.column)
    if found is None or at.index < found.start(2):
        return None
    return text[: found.start(2)] + "x" * len(found[2]) + text[found.end() :]


def _rephrase(error: yaml.MarkedYAMLError, text: str) -> None:
    """Replace the message of PyYAML with a plainer one, if there is one."""
    if unclosed := UNCLOSED.match(error.problem or ""):
        _rephrase_unclosed(error, *unclosed.groups())
    for part, message, help in SAYINGS:
        if part in (error.problem or ""):
            error.problem, error.note = message or error.problem, help
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
    number = next(
        (number for number in range(at.line - 1, -1, -1) if _indent(lines[number]) >= 0), None
    )
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


class _Composer:
    """Makes nodes of the events of a parser, without tags, anchors and aliases: a spec is data."""

    def __init__(
        self, text: str, loader: Any, keys: Collection[str] | None, questions: Collection[int]
    ) -> None:
        self.events: Iterator[Event] = yaml.parse(text, Loader=loader)
        self.keys = keys
        self.nodes = 0
        self.text = text
        self.questions = questions  # where the text has _ in place of the ? that begins a value
        # at the end of a last line without a line break, libyaml is on another line
        end = len(text), text.count("\n"), len(text) - text.rfind("\n") - 1
        self.end = yaml.Mark("", *end, None, 0) if loader is LIBYAML else None

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
        left, pairs = set(keys), []
        while left and not isinstance(part := next(self.events), MappingEndEvent):
            key = self._node(part, 1)
            if isinstance(key, ScalarNode) and key.value in left:
                left.remove(key.value)
                pairs.append((key, self._node(next(self.events), 1)))
            else:
                self._skip()
        return MappingNode("", pairs, event.start_mark, event.end_mark)

    def _skip(self) -> None:
        """Take the events of a node."""
        depth = 0
        for event in self.events:
            depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
            if not depth:
                return

    def _node(self, event: Any, depth: int, flow: bool = False) -> Node:
        """Return the node that begins with an event, and take its other events."""
        refusal = None
        self.nodes += 1
        if isinstance(event, AliasEvent):
            refusal = "an alias (*name) is not part of the language"
        elif event.anchor is not None:
            refusal = "an anchor (&name) is not part of the language"
        elif event.tag not in (None, "!"):
            refusal = "a tag (!name) is not part of the language"
        elif depth >= LEVELS:
            refusal = f"this is nested more than {LEVELS} levels deep"
        elif self.nodes > NODES:
            refusal = f"there are more than {NODES:,} keys and values"
        if refusal:
            help = (
                f"if a value begins with {refusal[refusal.index('(') + 1]}: {QUOTES}"
                if "(" in refusal
                else ""
            )
            raise yaml.MarkedYAMLError(problem=refusal, problem_mark=event.start_mark, note=help)
        start = self._mark(event.start_mark)
        if isinstance(event, ScalarEvent):
            if self.end is not None and not event.style and self._differs(event, flow):
                raise yaml.YAMLError("PyYAML reads this in another way")
            value = "?" + event.value[1:] if start.index in self.questions else event.value
            node = ScalarNode(
                "", value, start, self._mark(event.end_mark), style=event.style or None
            )
            if found := CONTROL.search(node.value):
                refusal = f"a control character (U+{ord(found[0]):04X}) is not part of the language"
                raise yaml.MarkedYAMLError(problem=refusal, problem_mark=start, note="")
            return node
        items: list[Any] = []
        flow, depth = bool(event.flow_style), depth + 1
        if isinstance(event, MappingStartEvent):
            while not isinstance(end := next(self.events), MappingEndEvent):
                items.append(
                    (self._node(end, depth, flow), self._node(next(self.events), depth, flow))
                )
            return MappingNode("", items, start, self._mark(end.end_mark), flow_style=flow)
        while not isinstance(end := next(self.events), SequenceEndEvent):
            items.append(self._node(end, depth, flow))
        return SequenceNode("", items, start, self._mark(end.end_mark), flow_style=flow)

    def _differs(self, event: Any, flow: bool) -> bool:
        """Whether PyYAML reads a plain scalar in another way: a ? in a flow collection, nothing
        after blanks.
        """
        before = event.start_mark.index - 1
        return (
            "?" in event.value
            if event.value and flow
            else not event.value and self.text[before : before + 1].isspace()
        )

    def _mark(self, mark: Any) -> Any:
        return mark if self.end is None or mark.index < self.end.index else self.end


# Writing ------------------------------------------------------------------------------------------


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, and lists on one line."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar(
        "tag:yaml.org,2002:str", printable(text), style="|" if "\n" in text else None
    )


_Dumper.add_representer(str, _text)
_Dumper.add_representer(
    type(None), lambda dumper, _: dumper.represent_scalar("tag:yaml.org,2002:null", "")
)
_Dumper.add_representer(
    list,
    lambda dumper, items: dumper.represent_sequence(
        "tag:yaml.org,2002:seq", items, flow_style=True
    ),
)


def plain_node(node: Node) -> Any:
    """Return a node as dicts, lists and text."""
    if isinstance(node, MappingNode):
        return {str(key.value): plain_node(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [plain_node(item) for item in node.value]
    return str(node.value)


def spec_text(fields: Mapping[str, Any]) -> str:
    """Return the text of a spec with these fields; a list of texts is a board, one row per line. A
    tuple stays a list.

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
    return yaml.dump(
        _with_blocks(fields), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=10**6
    )


def _with_blocks(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _with_blocks(value) for key, value in data.items()}
    flat = isinstance(data, list) and not any(isinstance(row, list) for row in data)
    return "".join(f"{row}\n" for row in data) if flat else data
