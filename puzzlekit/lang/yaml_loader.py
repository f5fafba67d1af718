"""PyYAML's own composer, held to what is plain data: no tags, anchors or aliases, and within bounds."""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.nodes import Node, ScalarNode

from puzzlekit.limits import limits

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
QUOTES = "put the whole value in quotes"

# What PyYAML says, by a part of it; what people understand; how to mend it.
SAYINGS = (
    ("cannot start any token", None, f"no value begins with this character: {QUOTES}"),
    ("mapping values are not allowed", "a colon and a blank stand inside a value", QUOTES),
    ("expected <block end>", "the value ended before this", f"where a value begins with a quote, [ or {{: {QUOTES}"),
    ("expected ',' or", None, f"a value that begins with [ or {{ is a list or mapping of YAML: {QUOTES}"),
    ("could not find expected ':'", None, "a key is followed by a colon and a blank"),
    ("another document", "a second document begins here", "a type or spec is one document"),
)


def compose(text: str) -> Node | None:
    """The text's one document. Raises yaml.YAMLError; a MarkedYAMLError has the hint in its `note`."""
    loader = _Loader(text)
    try:
        node: Node | None = loader.get_single_node()
        return node
    except yaml.MarkedYAMLError as error:
        if error.note is None:
            _say(error)
        raise
    finally:
        loader.dispose()


def _say(error: yaml.MarkedYAMLError) -> None:
    """Put PyYAML's message in plain words, as far as they are known."""
    for part, message, hint in SAYINGS:
        if part in (error.problem or ""):
            error.problem, error.note = message or error.problem, hint
            break
    if "\\t" in (error.problem or ""):
        error.note = "indent with spaces, not with tabs"


class _Loader(yaml.SafeLoader):
    """The safe loader's composer, without tags, anchors and aliases: they compute, and a spec is data."""

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
            hint = f"a value that begins with {refusal[refusal.index('(') + 1]}: {QUOTES}" if "(" in refusal else ""
            raise yaml.MarkedYAMLError(problem=refusal, problem_mark=event.start_mark, note=hint)
        self.depth += 1
        node = super().compose_node(parent, index)
        self.depth -= 1
        if isinstance(node, ScalarNode) and (found := CONTROL.search(node.value)):
            refusal = f"a control character (U+{ord(found[0]):04X}) is not part of the language"
            raise yaml.MarkedYAMLError(problem=refusal, problem_mark=node.start_mark, note="")
        return node
