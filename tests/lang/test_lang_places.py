"""The loader passes plain characters of a line at once; each place stays that of PyYAML."""

from __future__ import annotations

import pytest
import yaml
from yaml.nodes import Node, ScalarNode

from puzzlekit.lang.yaml_loader import compose

ROWS = "board: |\n" + "  1 2 3 4 5 6 7 8\n" * 3


def places(node: Node | None) -> list[tuple[object, ...]]:
    if node is None:
        return []
    marks = [(mark.index, mark.line, mark.column) for mark in (node.start_mark, node.end_mark)]
    if isinstance(node, ScalarNode):
        return [(node.value, *marks)]
    return [tuple(marks)] + [
        place for part in node.value for one in (part if isinstance(part, tuple) else (part,)) for place in places(one)
    ]


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        ROWS + "title: after the board\n",
        "a: 'long text, quoted'   # and a comment\nb: [1, 22, 333]\n",
        'a: "escaped \\u00e4 and \\n"\nb: x\n',
        "a: ä🟩👩‍👩‍👧 ü\nb: >\n  folded 🟩\n  text\n",
        "a: |\n  with\ufeffmark 12\n  \u00a0wide\nb: 2\n",
        "a: |\n  line\x85  next line\u2028  and more\nb: 2\n",
        "a: |2-\n    indented\n  less\n\n\nb: [\n  c,\n  d]",
    ],
)
def test_places_are_those_of_pyyaml(text: str) -> None:
    assert places(compose(text)) == places(yaml.compose(text, Loader=yaml.SafeLoader))
