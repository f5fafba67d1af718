"""Types, specs and settings as files, as YAML text, and as Python values;
where their mistakes are reported.
"""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import puzzlekit
from puzzlekit import InputError, Problems, load
from tests.shipped import SOME, SPECS

PAIR = """
puzzle: pair
data:
  total: int
  names: list[word] = []
variables:
  x: between(1, 9)
  y: between(1, 9)
rules:
  they make the total: x + y == total
  the first is less: x < y
"""
PAIR_VALUES = {
    "puzzle": "pair",
    "data": {"total": "int", "names": "list[word] = []"},
    "variables": {"x": "between(1, 9)", "y": "between(1, 9)"},
    "rules": {"they make the total": "x + y == total", "the first is less": ["x < y"]},
}
FIELDS = """
puzzle: fields
data:
  board: grid[int | None] | None
  letters: grid[letter] | None
  pairs: grid[tuple[int | None, int | None]] | None
  rows: list[list[int]] | None
  box: size | None
  table: map[word, int] | None
  shapes: map[word, shape] | None
  said: marks | None
  words: lexicon | None
  text: text | None
  sure: bool | None
variables:
  x: bool
"""


def held(**fields: Any) -> puzzlekit.Puzzle:
    return load(FIELDS, fields)


def test_a_type_and_a_spec_are_given_in_each_way(tmp_path: Path) -> None:
    kind, spec = tmp_path / "pair.yaml", tmp_path / "five.yaml"
    kind.write_text(PAIR, encoding="utf-8")
    spec.write_text("total: 5\n", encoding="utf-8")
    for type_ in (PAIR, PAIR_VALUES, kind, str(kind)):
        for data in ("total: 5", "total: 5\n", {"total": 5}, {"total": "5"}, spec, str(spec)):
            puzzle = load(type_, data)
            assert sorted((s["x"], s["y"]) for s in puzzle.solve()) == [(1, 4), (2, 3)], (
                type_,
                data,
            )
        assert (
            load(type_, settings={"total": 3}).count()
            == load(type_, settings={"total": "3"}).count()
            == 1
        )


def test_settings_of_any_value_replace_fields() -> None:
    assert dict(load(PAIR, "total: 5", settings={"names": ["ab", "cd"], "total": 4})) == {
        "total": 4,
        "names": ["ab", "cd"],
    }
    assert dict(load(FIELDS, settings={"table": {"a": 1}, "board": [[1, None]]})) == {
        **dict.fromkeys(load(FIELDS, {}), None),
        "table": {"a": 1},
        "board": [[1, None]],
    }
    with pytest.raises(Problems, match=r"settings\['names'\]\[1\]: 'c d' is not a word"):
        load(PAIR, "total: 5", settings={"names": ["ab", "c d"]})
    with pytest.raises(Problems, match="settings: pair has no field totl"):
        load(PAIR, "total: 5", settings={"totl": 4})


VALUES: list[tuple[str, Any, Any]] = [
    ("board", [[1, None, 12], [3, 4, 5]], [[1, None, 12], [3, 4, 5]]),
    ("board", ((1, 2), (3, 4)), [[1, 2], [3, 4]]),
    ("board", ["12", ".4"], [[1, 2], [None, 4]]),
    ("board", "12\n.4\n", [[1, 2], [None, 4]]),
    ("board", [[12], [3]], [[12], [3]]),
    ("board", [[1, "_"], [3, 4]], [[1, None], [3, 4]]),
    ("board", np.array([[1, 20], [3, 4]]), [[1, 20], [3, 4]]),
    ("board", [np.array([1, 20]), [np.int64(3), 4]], [[1, 20], [3, 4]]),
    ("letters", [["a", "b"], ["c", None]], ["ab", "c."]),
    ("letters", ["ab", "c."], ["ab", "c."]),
    ("pairs", [[(1, None), (2, 30)]], [[[1, None], [2, 30]]]),
    ("rows", [[1, 2], [], [3]], [[1, 2], [], [3]]),
    ("box", (2, 3), [2, 3]),
    ("box", "2x3", [2, 3]),
    ("table", {"a": 1, "b": 2}, {"a": 1, "b": 2}),
    (
        "shapes",
        {"l": ["#.", "##"], "i": "##", "t": "###/.#."},
        {"l": "#./##", "i": "##", "t": "###/.#."},
    ),
    ("said", "gyb", ["g", "y", "b"]),
    ("said", ["g", "y", "b"], ["g", "y", "b"]),
    ("text", 'it\'s a \\ "text"', 'it\'s a \\ "text"'),
    ("text", "two\nlines", "two\nlines"),
    ("sure", True, True),
    ("sure", None, None),
]


@pytest.mark.parametrize(("name", "given", "found"), VALUES)
def test_values_are_read_as_the_fields_say(name: str, given: Any, found: Any) -> None:
    value = held(**{name: given})[name]
    assert value == found and type(value) is type(found)
    if "_" not in str(given):  # a hole, which comes back as a cell that is left empty
        assert held(**{name: value}) == held(**{name: given})


def test_words_of_a_lexicon_are_a_list_or_a_path(tmp_path: Path) -> None:
    assert list(held(words=["to", "be"]).instance.data["words"]) == ["be", "to"]
    (tmp_path / "own.txt").write_text("or\nnot\n", encoding="utf-8")
    assert list(held(words=tmp_path / "own.txt").instance.data["words"]) == ["or", "not"]


@pytest.mark.parametrize("spec", SOME)
def test_a_puzzle_is_loaded_again_from_its_own_values(spec: str) -> None:
    puzzle = load(None, SPECS[spec])
    values = dict(puzzle)
    for name in puzzle.type.fields:
        if (
            any(field.columns == name for field in puzzle.type.fields.values())
            and name not in puzzle.spec.nodes
        ):
            del values[name]  # it was not given: the rows say how wide they are
    again = load(puzzle.type.name, values)
    assert again == puzzle and hash(again) == hash(puzzle)


MISTAKES: list[tuple[Any, str]] = [
    (
        {"board": [[1, 2], [3]]},
        r"spec\['board'\]\[1\]: row 2 has 1 cell|spec\['board'\]\[0\]: row 1 has 2 cells",
    ),
    (
        {"board": [[1, 2], [3, "x"]]},
        r"spec\['board'\]\[1\]: 'x' is not a whole number.*\n +\| 3 x\n +\|   \^",
    ),
    (
        {"board": "12\n3x\n"},
        r"spec\['board'\]:2:2: 'x' is not a whole number.*\n   2 \| 3x\n +\|  \^",
    ),
    (
        {"board": [[1, 2], [3, "a b"]]},
        r"spec\['board'\]\[1\]\[1\]: a cell holds one value without blanks, found 'a b'",
    ),
    (
        {"board": [[1, {}]]},
        r"spec\['board'\]\[0\]\[1\]: expected text, a number or None in a cell, found dict",
    ),
    (
        {"board": [1, 2]},
        r"spec\['board'\]\[0\]: expected a row of a board, text or a list, found int",
    ),
    ({"rows": [[1], [2, "z"]]}, r"spec\['rows'\]\[1\]\[1\]: 'z' is not a whole number"),
    ({"rows": [[1], 2.5]}, r"spec\['rows'\]\[1\]: '2.5' is not a whole number"),
    ({"table": {"a": 1, "b": "c"}}, r"spec\['table'\]\['b'\]: 'c' is not a whole number"),
    ({"table": {"a": 1, "b c": 2}}, r"spec\['table'\]\['b c'\]: 'b c' is not a word"),
    (
        {"table": {"1": 1, 1: 2}},
        r"spec\['table'\]\[1\]: the key `1` is given twice, as '1' and as 1",
    ),
    ({"bord": [[1]]}, r"spec\['bord'\]: fields has no field bord(.|\n)*did you mean board"),
    ({"rows": {1, 2}}, r"spec\['rows'\]: expected text, a number, a list or a mapping, found set"),
    ({"text": "a\x07b"}, r"spec\['text'\]: a control character \(U\+0007\)"),
    ({"text": "x" * 300_001}, "spec: a type or spec has at most 300,000 characters"),
    ({"rows": [[1]] * 20_001}, "there are more than 20,000 values"),
    ({"puzzle": "other"}, r"spec\['puzzle'\]: this spec is for other, not for fields"),
    ("rows: [[1], [x]]", r"<spec>:1:14: 'x' is not a whole number"),
    ("board: |\n  12\n  3x\n", r"<spec>:3:4: 'x' is not a whole number"),
    ("rows: [1\n", r"<spec>:\d:\d: "),
    (5, "expected a spec as a path, YAML text or a mapping, got int"),
    (
        "board",
        (
            r"board: there is no such file\na str is a path unless it has a line break, "
            r"or a colon and a blank"
        ),
    ),
    (Path("a: b"), "a: b: there is no such file$"),
]


@pytest.mark.parametrize(("spec", "said"), MISTAKES)
def test_mistakes_are_reported_where_they_are(spec: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        load(FIELDS, spec)


def test_an_error_has_its_help_apart_from_its_message(tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text("puzzle: pair\n")
    missing = tmp_path / "frist.yaml"
    with pytest.raises(InputError) as raised:
        load(None, missing)
    for error in (raised.value, pickle.loads(pickle.dumps(raised.value))):
        assert str(error) == f"{missing}: there is no such file"
        assert error.help == "did you mean first.yaml?" and error.__notes__ == [error.help]


def test_a_spec_may_name_its_type_by_path(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(
        'puzzle: other\nvariables: {x: "between(1, 2)"}\nrules: {r: x == 2}\n'
    )
    spec = tmp_path / "spec.yaml"
    spec.write_text("puzzle: ./mine.yaml\n")
    for type_ in (None, tmp_path / "mine.yaml"):
        assert next(load(type_, spec).solve())["x"] == 2


def test_values_that_hold_themselves_are_refused() -> None:
    rows: list[Any] = [1]
    rows.append(rows)
    for field in ("rows", "board"):
        with pytest.raises(Problems, match=r"nested more than 40 levels deep|found list"):
            held(**{field: rows, "table": {"a": 1}})
        with pytest.raises(Problems, match=r"nested more than 40 levels deep|found list"):
            held(**{field: [rows, rows]})


TYPES: list[tuple[Any, str]] = [
    (
        {**PAIR_VALUES, "rules": {"r": ["x < y", "x <"]}},
        r"type\['rules'\]\['r'\]\[1\]: this is not an expression",
    ),
    (
        {**PAIR_VALUES, "rules": {"r": "x < z"}},
        r"type\['rules'\]\['r'\]: z is not known here.*\n +\| x < z\n +\|     \^",
    ),
    ({**PAIR_VALUES, "rule": {}}, r"type\['rule'\]: there is no section rule"),
    ({**PAIR_VALUES, "let": {"x": "1"}}, r"the name x is already used in type\['let'\]\['x'\]"),
    ({}, "type: a type requires a name"),
    (PAIR.replace("x < y", "x < z"), r"<type>:11:26: z is not known here"),
    (7, "expected a type as a name, a path, YAML text or a mapping, got int"),
    (Path("sudoku"), "sudoku: there is no such file"),
    ("sudok", "there is no puzzle type sudok; did you mean sudoku"),
]


@pytest.mark.parametrize(("type_", "said"), TYPES)
def test_mistakes_in_a_type_are_reported_where_they_are(type_: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        load(type_, {"total": 5})


def test_a_type_or_a_spec_is_required() -> None:
    with pytest.raises(InputError, match="a type or a spec is required"):
        load()
    with pytest.raises(Problems, match="spec: this spec does not name its type"):
        load(spec={"total": 5})


def test_a_spec_in_place_of_a_type_is_called_one() -> None:
    with pytest.raises(InputError, match=r"n4\.yaml is a spec, not a type\nload\(None, spec\)"):
        load(SPECS["queens/n4"])


def test_a_spec_names_its_type_in_each_way() -> None:
    for spec in ({"puzzle": "queens", "size": 5}, "puzzle: queens\nsize: 5\n"):
        assert load(None, spec).count() == 10
    with pytest.raises(Problems, match=r"spec\['puzzle'\]: there is no puzzle type quens"):
        load(None, {"puzzle": "quens", "size": 5})


def test_what_was_given_may_be_changed_afterwards() -> None:
    rows = [[1, 2], [3]]
    puzzle = load(FIELDS, {"rows": rows}, settings={"table": (table := {"a": 1})})
    rows.clear()
    table["b"] = 2
    again = pickle.loads(pickle.dumps(puzzle))
    assert puzzle["rows"] == again["rows"] == [[1, 2], [3]] and again["table"] == {"a": 1}


def test_problems_cross_processes() -> None:
    with pytest.raises(Problems) as caught:
        load(FIELDS, {"rows": ["x", "y"]})
    again = pickle.loads(pickle.dumps(caught.value))
    assert (
        str(again) == str(caught.value)
        and again.problems == caught.value.problems
        and len(again.problems) == 2
    )


def test_types_beside_a_spec_are_proposed(tmp_path: Path) -> None:
    text = (
        "puzzle: skyline\ndata: {n: int}\nvariables:\n  x: between(1, n)\nrules:\n  small: x == 1\n"
    )
    (tmp_path / "skyline.yaml").write_text(text, encoding="utf-8")
    spec = tmp_path / "spec.yaml"
    spec.write_text("puzzle: skylines\nn: 3\n", encoding="utf-8")
    with pytest.raises(Problems, match=r"there is no puzzle type skylines; did you mean skyline\?"):
        load(None, spec)
    spec.write_text("puzzle: skyline\nn: 3\n", encoding="utf-8")
    assert load(None, spec).count() == 1
    (tmp_path / "skyline.yaml").rename(tmp_path / "sky.yaml")
    with pytest.raises(
        Problems,
        match=(
            r"no puzzle type skyline; sky\.yaml declares it, but .* in skyline\.yaml: "
            r"rename the file"
        ),
    ):
        load(None, spec)


def test_a_type_as_text_is_read_once() -> None:
    text = "puzzle: pair\nvariables:\n  x: between(1, 2)\n"
    assert load(text, "puzzle: pair").type is load(text, "puzzle: pair").type
