"""What editors make of YAML before they hold it to a schema: two readings of plain scalars."""

import math
import re
from collections.abc import Callable
from typing import Any

import yaml
from yaml.nodes import MappingNode, Node, ScalarNode

CORE = (  # the core schema of YAML 1.2, written down from its specification (10.3.2)
    (r"null|Null|NULL|~|", lambda text: None),
    (r"true|True|TRUE", lambda text: True),
    (r"false|False|FALSE", lambda text: False),
    (r"[-+]?[0-9]+", int),
    (r"0o[0-7]+", lambda text: int(text[2:], 8)),
    (r"0x[0-9a-fA-F]+", lambda text: int(text[2:], 16)),
    (r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", float),
    (r"[-+]?(\.inf|\.Inf|\.INF)", lambda text: -math.inf if text[0] == "-" else math.inf),
    (r"\.nan|\.NaN|\.NAN", lambda text: math.nan),
)


def core(node: ScalarNode) -> Any:
    """A scalar as a reader of YAML 1.2 guesses it."""
    if node.style is None:
        for pattern, make in CORE:
            if re.fullmatch(pattern, node.value):
                return make(node.value)
    return node.value


def old(node: ScalarNode) -> Any:
    """A scalar as a reader of YAML 1.1 guesses it, which also knows `y` and `n`.

    Dates have no form in JSON and stay texts.
    """
    if node.style is None and node.value in ("y", "Y", "n", "N"):
        return node.value in "yY"
    loader = yaml.SafeLoader("")
    tag = loader.resolve(ScalarNode, node.value, (node.style is None, False))
    if tag.rpartition(":")[2] in ("null", "bool", "int", "float"):
        return loader.construct_object(ScalarNode(tag, node.value))
    return node.value


def read(text: str, scalar: Callable[[ScalarNode], Any]) -> Any:
    """A document as an editor reads it; keys are texts in JSON."""

    def value(node: Node) -> Any:
        if isinstance(node, ScalarNode):
            return scalar(node)
        if isinstance(node, MappingNode):
            return {_key(value(key)): value(part) for key, part in node.value}
        return [value(part) for part in node.value]

    node = yaml.compose(text, Loader=yaml.SafeLoader)
    return None if node is None else value(node)


def _key(key: Any) -> str:
    return (
        {True: "true", False: "false", None: "null"}[key]
        if isinstance(key, bool) or key is None
        else str(key)
    )


READINGS = {"1.1": old, "1.2": core}
