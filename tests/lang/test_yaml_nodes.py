"""libyaml and PyYAML give the same trees, places, refusals and messages,
which are those of PyYAML's composer.
"""

from collections.abc import Iterable
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml

from puzzlekit import yaml_nodes
from puzzlekit.errors import Problems
from puzzlekit.source import parse
from tests.lang.fuzz_files import mutated

ROOT = Path(__file__).resolve().parents[2]
SHIPPED = sorted((*(ROOT / "puzzles").glob("*.yaml"), *(ROOT / "specs").glob("*/*.yaml")))
LIBYAML = yaml_nodes.LIBYAML
PARTS = (
    *(
        "a",
        "b: ",
        "c:",
        "- ",
        "? ",
        "?",
        "\n",
        "\n",
        "\n  ",
        " ",
        "[",
        "]",
        "{",
        "}",
        ",",
        ":",
        "x: |\n  ",
        "|",
        "|2\n",
    ),
    *(
        "|-\n",
        ">-\n",
        "'",
        '"',
        "#",
        " #",
        "!",
        "!!int ",
        "&x ",
        "*",
        "\n...\n",
        "\n---\n",
        "%",
        "\\",
        "@",
        "`",
        "-",
    ),
    *("\t", "\r", "\x85", "\u2028", "\ufeff", "\x00", "\ud800", "\ufffe", "é🟩"),
)
ODD = [
    *(
        "a: [?, b]",
        "a: [?b, c?]",
        "a: b\t# c",
        "a:\tb",
        "a: [\tb]",
        "a: b\n \tc",
        "a: |#\n b",
        "a: |-#\n b",
        "a: |\t#\n b",
    ),
    *(
        'a: "\\ud800"',
        "a: \ufeffb",
        "a: b\ufeffc",
        "a: b\u2028  c",
        "[b: ]",
        "{b: }",
        "[? ]",
        "? x",
        "---",
        "a: b\n---\nc: d",
    ),
    *(
        "a: |\n  with\ufeffmark 12\n  \u00a0wide\nb: 2\n",
        "a: |\n  line\x85  next line\u2028  and more\nb: 2\n",
    ),
    *(
        "a: |2-\n    b\n  c\n\n\n",
        "a: b\r\nc: |\r\n  d\r\n",
        "a: &b c",
        "*a",
        "a: !x b",
        "a: {" * 50,
        "a: 'b",
        "a: %b",
        "",
    ),
    *(
        "a: ä🟩👩‍👩‍👧 ü\nb: >\n  folded 🟩\n  text\n",
        'a: "escaped \\u00e4 and \\n"\nb: x\n',
        "a:\n  b: c\n d: e",
        "a\nb: c",
    ),
    *("a: " + "[" * 45 + "]" * 45, "[" + "a," * 30_000 + "]"),
]


def tree(node: yaml.Node | None) -> Any:
    """A tree with the places of its nodes and the styles of its texts."""
    if node is None:
        return None
    places = [(mark.index, mark.line, mark.column) for mark in (node.start_mark, node.end_mark)]
    if isinstance(node, yaml.ScalarNode):
        return node.value, places, node.style
    parts = [
        tree(part)
        for part in (sum(node.value, ()) if isinstance(node, yaml.MappingNode) else node.value)
    ]
    return type(node), places, bool(node.flow_style), parts


def read(text: str) -> Any:
    """The tree of a text, or the problems with it, by one of the parsers."""
    try:
        return tree(parse("a.yaml", text)[1])
    except Problems as problems:
        return [*problems.problems]


def differing(texts: Iterable[str]) -> list[str]:
    """The texts of which the two parsers give different trees or problems."""
    read_by_both = [(text, read(text)) for text in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_nodes, "LIBYAML", None)
        return [text for text, found in read_by_both if read(text) != found]


def test_shipped_files_are_what_pyyaml_composes(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [path.read_text(encoding="utf-8") for path in SHIPPED]
    found = [read(text) for text in texts]
    assert found == [tree(yaml.compose(text, Loader=yaml.SafeLoader)) for text in texts]
    monkeypatch.setattr(yaml_nodes, "LIBYAML", None)
    assert found[::8] == [read(text) for text in texts[::8]]


@pytest.mark.skipif(LIBYAML is None, reason="PyYAML was built without libyaml")
def test_shipped_files_are_read_by_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "SafeLoader", None)
    slow = [
        path.name
        for path in SHIPPED
        if "?" not in (text := path.read_text(encoding="utf-8")) and not read(text)
    ]
    assert not slow


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_texts_that_they_read_in_other_ways(text: str) -> None:
    assert not differing([text])


def test_all_small_texts() -> None:
    assert not differing(
        "".join(parts) for number in (1, 2) for parts in product(PARTS, repeat=number)
    )


@pytest.mark.parametrize("number", [1_000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_texts_of_random_parts(number: int) -> None:
    random = Random(number)
    assert not differing(
        "".join(random.choices(PARTS, k=random.randrange(3, 14))) for _ in range(number)
    )


@pytest.mark.parametrize("number", [150, pytest.param(5_000, marks=pytest.mark.slow)])
def test_changed_files(number: int) -> None:
    random = Random(number)
    texts = [text for path in SHIPPED if len(text := path.read_text(encoding="utf-8")) < 1_500]
    assert not differing(mutated(random.choice(texts), random) for _ in range(number))


def test_only_some_keys() -> None:
    text = "a: 1\nb: {c: [1, {d: 2}]}\ne:\n- f\ng: 3\na: 4\nh: [\n"
    node = yaml_nodes.compose(text, ("a", "e"))
    assert node is not None
    assert [(key.value, type(value)) for key, value in node.value] == [
        ("a", yaml.ScalarNode),
        ("e", yaml.SequenceNode),
    ]
    with pytest.raises(yaml.YAMLError):
        yaml_nodes.compose(text, ("a", "z"))
