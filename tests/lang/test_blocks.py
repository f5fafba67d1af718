"""Blocks of rows are read at once, and are what PyYAML reads letter by letter."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import yaml

from puzzlekit.lang import yaml_loader

LINES = ("", "  a b", "   c", "  ", " d", "e: 1", "  \tf", "  # h", "  i\r", "  j\u2028k")
HEADS = ("|", "|-", "|2", ">", "| # a")


def tree(text: str) -> Any:
    """The tree of a text with the places of its values, or the error."""

    def of(node: yaml.Node) -> Any:
        places = [(mark.index, mark.line, mark.column) for mark in (node.start_mark, node.end_mark)]
        inside = node.value
        if isinstance(node, yaml.MappingNode):
            inside = [(of(key), of(value)) for key, value in inside]
        elif isinstance(node, yaml.SequenceNode):
            inside = [of(part) for part in inside]
        return node.tag, places, inside

    try:
        node = yaml_loader.compose(text)
        return None if node is None else of(node)
    except yaml.YAMLError as error:
        return str(error)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("below", ["", "b:\n  "])
def test_a_block_is_what_pyyaml_reads(head: str, below: str) -> None:
    blocks = [
        "\n".join([f"a: {head}", *lines])
        for number in range(4 if head == "|" else 3)
        for lines in product(LINES, repeat=number)
    ]
    texts = [below + block.replace("\n", "\n  " if below else "\n") + end for block in blocks for end in ("", "\n")]
    found = [*map(tree, texts)]
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(yaml_loader._Loader, "scan_block_scalar")
        assert found == [*map(tree, texts)]
