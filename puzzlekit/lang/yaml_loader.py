"""PyYAML's composer, restricted to plain data within bounds: no tags, anchors or aliases."""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.nodes import Node, ScalarNode

from puzzlekit.limits import limits

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
QUOTES = "quote the whole value"

# Part of a message of PyYAML, the message shown instead (None keeps it), the hint.
SAYINGS = (
    ("cannot start any token", None, f"a value cannot begin with this character: {QUOTES}"),
    ("mapping values are not allowed", "a value contains a colon and a blank", QUOTES),
    ("expected <block end>", "the value ended before this", f"if a value begins with a quote, [ or {{: {QUOTES}"),
    ("could not find expected ':'", None, "write a colon and a blank after a key"),
    ("another document", "a second document begins here", "a type or spec is a single document"),
)
UNCLOSED = re.compile(r"expected ',' or '([\]}])', but got '(.*)'")


def compose(text: str) -> Node | None:
    """The text's one document. Raises yaml.YAMLError; a MarkedYAMLError has the hint in its `note`."""
    loader = _Loader(text)
    try:
        node: Node | None = loader.get_single_node()
        return node
    except yaml.MarkedYAMLError as error:
        if error.note is None:
            _rephrase(error)
        raise
    finally:
        loader.dispose()


def _rephrase(error: yaml.MarkedYAMLError) -> None:
    """Replace the message of PyYAML with a plainer one, where there is one."""
    if unclosed := UNCLOSED.match(error.problem or ""):
        _rephrase_unclosed(error, *unclosed.groups())
    for part, message, hint in SAYINGS:
        if part in (error.problem or ""):
            error.problem, error.note = message or error.problem, hint
            break
    if "\\t" in (error.problem or ""):
        error.note = "indent with spaces, not with tabs"


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
    """The composer of the safe loader, without tags, anchors and aliases: a spec is data."""

    depth = 0
    nodes = 0

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
            refusal = f"this is nested more than {most.file_levels} deep"
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
