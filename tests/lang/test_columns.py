"""Boards on one line, facts, and types without a spec."""

import pytest

from puzzlekit.errors import Problems
from puzzlekit.lang import Instance, bind, no_spec, read_spec, type_of_text

TYPE = """\
puzzle: small
data:
  wide: int = 3
  letters: {type: "grid[letter]", columns: wide}
  note2: text | None
let:
  n: len(letters.cells)
info:
  cells: n
  rows: len(letters.rows)
variables:
  x: between(0, 1)
"""


def made(spec: str | None = None, **settings: str) -> Instance:
    return bind(
        type_of_text("type.yaml", TYPE),
        no_spec() if spec is None else read_spec("spec.yaml", spec),
        settings,
    )


def rows(instance: Instance) -> list[str]:
    grid = instance.data["letters"]
    return ["".join(grid[cell] for cell in row) for row in grid.rows]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("letters: abcdef", ["abc", "def"]),
        ("letters: a b c d e f", ["abc", "def"]),
        ("letters: |\n  abcdef\n", ["abc", "def"]),
        ("letters: abcdef\nwide: 2", ["ab", "cd", "ef"]),
        ("letters: ab_def", ["ab", "def"]),
        ("letters: ab", ["ab"]),
        ("letters: [abcdef]", ["abcdef"]),
        ("letters: |\n  abcd\n  efgh\n", ["abcd", "efgh"]),
    ],
)
def test_one_line_is_folded(spec: str, expected: list[str]) -> None:
    assert rows(made(spec)) == expected


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            "letters: abcd",
            (
                "4 cells cannot be split into rows of 3\n   1 | letters: abcd\n     |          ^\n"
                "     = give columns, such as 2"
            ),
        ),
        ("letters: abcde", "5 cells cannot be split into rows of 3"),
        ("letters: abcd\nwide: 0", "a row cannot have 0 cells: columns must be 1 or more"),
        ("letters: abcdef\nwide: x", "'x' is not a whole number"),
        ("letters: abc4ef", "spec.yaml:1:13: '4'"),
    ],
)
def test_what_does_not_fold_is_told(spec: str, said: str) -> None:
    with pytest.raises(Problems) as told:
        made(spec)
    assert said in str(told.value)


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("{type: text, columns: wide}", "only a board has columns, and this field is a text"),
        ('{type: "grid[letter]", columns: wid}', "did you mean wide?"),
        (
            '{type: "grid[letter]", columns: name}',
            "columns must name a field of type int, but name is a word",
        ),
    ],
)
def test_columns_name_a_number(field: str, said: str) -> None:
    with pytest.raises(Problems) as told:
        type_of_text(
            "type.yaml",
            TYPE.replace('{type: "grid[letter]", columns: wide}', field).replace(
                "data:\n", "data:\n  name: word = a\n"
            ),
        )
    assert said in str(told.value)


def test_without_a_spec_all_comes_from_settings_and_defaults() -> None:
    assert rows(made(letters="abcdef", wide="2")) == ["ab", "cd", "ef"]
    with pytest.raises(Problems) as told:
        made(wide="2")
    assert (
        str(told.value)
        == "the field letters is missing\n     = small requires letters: grid[letter]"
    )


def test_facts_are_worked_out_of_the_data() -> None:
    assert made("letters: abcdef").info == {"cells": 6, "rows": 2}
    with pytest.raises(Problems, match="x is not known here"):
        type_of_text("type.yaml", TYPE.replace("cells: n", "cells: x"))
    with pytest.raises(Problems, match=r"type\.yaml:9"):
        bind(
            type_of_text("type.yaml", TYPE.replace("cells: n", "cells: n // 0")),
            read_spec("spec.yaml", "letters: abc"),
        )
