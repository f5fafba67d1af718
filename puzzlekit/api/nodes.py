"""Nodes of YAML as plain data."""

from __future__ import annotations

from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode


def plain_node(node: Node) -> Any:
    """A node as dicts, lists and text."""
    if isinstance(node, MappingNode):
        return {str(key.value): plain_node(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [plain_node(item) for item in node.value]
    assert isinstance(node, ScalarNode)
    return str(node.value)
