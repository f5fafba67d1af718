"""Blocks of rows are read at once, and are what PyYAML reads letter by letter."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from puzzlekit.lang import yaml_loader

LINES = st.sampled_from(["", "  a b", "  .", "   c", "  ", " d", "e: 1", "\t", "  \tf", "- g", "  # h", "  i\r", "  j\u2028k"])
HEADS = st.sampled_from(["|", "|-", "|2", ">", "| # a", ""])


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


@given(head=HEADS, lines=st.lists(LINES, max_size=6), end=st.sampled_from(["", "\n"]), deep=st.booleans())
def test_a_block_is_what_pyyaml_reads(head: str, lines: list[str], end: str, deep: bool) -> None:
    rows = "\n".join([f"a: {head}", *lines])
    text = ("b:\n  " + rows.replace("\n", "\n  ") if deep else rows) + end
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr(yaml_loader._Loader, "scan_block_scalar")
        letter_by_letter = tree(text)
    assert tree(text) == letter_by_letter
