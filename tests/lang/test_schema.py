"""Schemas for editors: what a schema refuses, `check` refuses too,
however the editor reads scalars.
"""

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from hypothesis import given, settings, strategies as st

from puzzlekit.api import load
from puzzlekit.api.file_checks import check
from puzzlekit.api.templates import schema_text
from puzzlekit.errors import InputError
from puzzlekit.lang import bind, read_spec, read_type, type_of_text
from puzzlekit.lang.data.value_schema import guesses
from puzzlekit.lang.schema import spec_schema, type_schema
from tests.schemas import READINGS, read

ROOT = Path(__file__).resolve().parents[2]
TYPES = sorted((ROOT / "puzzles").glob("*.yaml"))
OWN_TYPES = [
    path
    for path in (ROOT / "examples").glob("*.yaml")
    if re.search("^variables:", path.read_text(), re.MULTILINE)
]
SPECS = sorted((ROOT / "specs").glob("*/*.yaml"))
BROKEN, AT_ONCE = 500, 20


@cache
def validator(name: str | None) -> Any:
    """The validator of a type's specs, or of types."""
    schema = json.loads(
        schema_text(None if name is None else read_type(ROOT / "puzzles" / f"{name}.yaml"))
    )
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def refused(schema: Any, text: str) -> list[str]:
    """What the schema says against a text under either reading of scalars."""
    found = (
        (name, error)
        for name, scalar in READINGS.items()
        for error in schema.iter_errors(read(text, scalar))
    )
    return [f"{name}: {error.json_path}: {error.message[:200]}" for name, error in found]


def test_a_schema_describes_every_field_of_each_type(subtests: pytest.Subtests) -> None:
    for path in TYPES:
        with subtests.test(path.stem):
            schema_describes_every_field(path)


def schema_describes_every_field(path: Path) -> None:
    kind, schema = read_type(path), validator(path.stem).schema
    for entry in kind.fields.values():
        assert str(entry) in schema["properties"][entry.name]["description"]
        assert entry.about and entry.about in schema["properties"][entry.name]["description"]
        assert ("default" in schema["properties"][entry.name]) == (entry.default is not None)
    assert any("examples" in field for field in schema["properties"].values())
    for name, field in schema["properties"].items():
        for value in field.get("examples", []) + ([field["default"]] if "default" in field else []):
            assert not list(validator(path.stem).evolve(schema=field).iter_errors(value)), name


@pytest.mark.sampled(60)
@pytest.mark.parametrize("path", SPECS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_schema_accepts_the_shipped_specs(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    try:
        named = read(text, READINGS["1.2"])["puzzle"]
    except yaml.YAMLError:
        pytest.skip("a result that people share, and no YAML")
    assert refused(validator(named), text) == []


def test_the_schema_of_types_accepts_the_shipped_types(subtests: pytest.Subtests) -> None:
    for path in (*TYPES, *OWN_TYPES):
        with subtests.test(path.stem):
            assert refused(validator(None), path.read_text(encoding="utf-8")) == []


ODD = (
    *(
        "no",
        "010",
        "-010",
        "1e3",
        "~",
        "null",
        "12:30",
        "0x1F",
        "+5",
        "3",
        "-3",
        "99999999999999999",
        "y",
        "True",
        ".5",
    ),
    *(
        "''",
        "'3'",
        "3x4",
        "zz",
        "[]",
        "[1, 2]",
        "[[1], [2]]",
        "{a: 1}",
        "{1: a, no: 2}",
        "",
        ". .",
        "a b",
        "1, 2",
    ),
    *("2024-04-18", ".inf", "'[]'"),
)


def broken(text: str, chance: random.Random) -> str:
    """A spec or type with one to three changes of lines, values, keys or characters."""
    lines = text.splitlines()
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(lines))
        line = lines[at]
        match chance.randrange(8):
            case 0 if len(lines) > 2:
                del lines[at]
            case 1:
                lines.insert(at, line)
            case 2 | 3 if ":" in line:
                lines[at] = f"{line.partition(':')[0]}: {chance.choice(ODD)}"
            case 4 if ":" in line:
                lines[at] = line.replace(":", chance.choice("sx_1") + ":", 1)
            case 5 if line:
                place = chance.randrange(len(line))
                lines[at] = line[:place] + chance.choice("a0.9_-: #x|[,") + line[place + 1 :]
            case 6:
                lines[at] = re.sub(r"[\w.]+(?=\W*$)", lambda _: chance.choice(ODD), line, count=1)
            case _:
                lines.insert(
                    at, f"{chance.choice(('extra', 'title', 'expect', 'no'))}: {chance.choice(ODD)}"
                )
    return "\n".join(lines) + "\n"


def broken_ones(paths: list[Path], number: int, seed: int) -> Iterator[tuple[str, str]]:
    """So many broken texts that are mappings, each with the name of its type;
    the same in every run.
    """
    chance = random.Random(seed)
    while number:
        path = chance.choice(paths)
        text = broken(path.read_text(encoding="utf-8"), chance)
        try:
            number -= isinstance(read(text, READINGS["1.2"]), dict)
        except (yaml.YAMLError, TypeError):
            continue
        yield path.parent.name, text


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(BROKEN // AT_ONCE))
def test_what_the_schema_refuses_of_broken_specs_check_refuses_too(
    seed: int, tmp_path: Path
) -> None:
    path, seen = tmp_path / "spec.yaml", 0
    small = [path for path in SPECS if path.stat().st_size < 800]
    for name, text in broken_ones(small, AT_ONCE, seed):
        if found := refused(validator(name), text):
            seen += 1
            path.write_text(text, encoding="utf-8")
            done = check(path, timeout=20.0)
            assert done.status == "invalid", (done.message, found, text)
    assert seen > AT_ONCE // 5  # the schema finds much of what is wrong


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(10))
def test_what_the_schema_refuses_of_broken_types_check_refuses_too(
    seed: int, tmp_path: Path
) -> None:
    path, seen = tmp_path / "type.yaml", 0
    for _, text in broken_ones([*TYPES, *OWN_TYPES], AT_ONCE, seed):
        if found := refused(validator(None), text):
            seen += 1
            path.write_text(text, encoding="utf-8")
            done = check(path, timeout=20.0)
            assert done.status == "invalid", (done.message, found, text)
    assert seen > AT_ONCE // 20


SCALARS = st.one_of(
    st.sampled_from([text for text in ODD if text and text[0] not in "[{'"]),
    st.from_regex(r"[-+]?0?[0-9]{1,3}", fullmatch=True),
    st.text(alphabet="abgyns01. _#x-~é🟩", min_size=1, max_size=4),
)
FIELD_TYPES = (
    *("cell", "int | choice(~, b)", "int | symbol in 1..", "list[int | choice(n) | None] in 0..4"),
    *(
        "grid[int | choice(#, -) | None]",
        "grid[tuple[int | choice(y), bool | cell]]",
        "map[int | choice(a), cell]",
    ),
    *(
        "int",
        "int in 9..",
        "int in ..-9",
        "int in 8..10",
        "bool",
        "text",
        "symbol",
        "size",
        "letter",
        "word",
        "mark",
    ),
    *(
        "marks",
        "choice(no, 010, a)",
        "list[int in 8..]",
        "list[int | None]",
        "list[symbol]",
        "list[text]",
    ),
    *(
        "list[marks]",
        "list[list[int]]",
        "list[tuple[symbol, int]]",
        "tuple[int, bool]",
        "map[symbol, int]",
    ),
    *(
        "map[int, text]",
        "map[choice(no, 1e3), int in 9..]",
        "grid[int | None]",
        "grid[choice(n, o, #)]",
        "grid[symbol]",
    ),
    *("grid[letter]", "grid[tuple[int | None, int | None]]", "shape"),
)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("spelled", FIELD_TYPES)
@settings(max_examples=25, deadline=None)
@given(
    scalars=st.lists(SCALARS, min_size=1, max_size=3),
    form=st.integers(0, 6),
    optional=st.booleans(),
)
def test_a_schema_accepts_every_value_that_is_read(
    spelled: str, scalars: list[str], form: int, optional: bool
) -> None:
    value = [
        scalars[0],
        f"[{', '.join(scalars)}]",
        "|\n" + "".join(f"  {scalar}\n" for scalar in scalars),
        "\n" + "".join(f"  - {scalar}\n" for scalar in scalars),
        "\n" + "".join(f"  {scalar}: {other}\n" for scalar, other in zip(scalars, scalars[::-1])),
        " ".join(scalars),
        "\n"
        + "".join(f"  - [{scalar}, {other}]\n" for scalar, other in zip(scalars, scalars[::-1])),
    ][form]
    text = f"puzzle: t\na: {value}\n"
    kind = type_of_text(
        "t.yaml",
        f"puzzle: t\ndata:\n  a: '{spelled}{' | None' * optional}'\nvariables:\n  x: bool\n",
    )
    try:
        bind(kind, read_spec("s.yaml", text))
    except InputError:
        return
    assert refused(jsonschema.Draft202012Validator(spec_schema(kind)), text) == []


@pytest.mark.parametrize(
    ("data", "value", "what"),
    [
        ("int in 0..4", "5", "maximum"),
        ("int in 0..", "-1", "minimum"),
        ("list[int in 0..4]", "[1, 7]", "maximum"),
        ("map[symbol, int in 3..]", "{a: 2}", "minimum"),
        ("int", "x", "pattern"),
        ("int", "[1]", "type"),
        ("size", "3 by 4", "pattern"),
        ("grid[int | None]", "|\n  1a", "pattern"),
        ("grid[choice(#)]", "|\n  #.\n  #b", "pattern"),
        ("choice(a, b)", "c", "pattern"),
        ("list[word]", "[a1]", "pattern"),
        ("map[symbol, int]", "3", "type"),
        ("tuple[int, int]", "[1]", "minItems"),
        ("map[choice(a, b), int]", "{c: 1}", "pattern"),
    ],
)
def test_a_schema_refuses_what_it_can(data: str, value: str, what: str) -> None:
    kind = type_of_text("t.yaml", f"puzzle: t\ndata:\n  a: '{data}'\nvariables:\n  x: bool\n")
    errors = list(
        jsonschema.Draft202012Validator(spec_schema(kind)).iter_errors(
            read(f"puzzle: t\na: {value}\n", READINGS["1.2"])
        )
    )
    leaves = [leaf for error in errors for leaf in (error.context or [error])]
    assert what in {leaf.validator for leaf in leaves}
    with pytest.raises(InputError):
        load(kind_values(data), f"puzzle: t\na: {value}\n")


def kind_values(data: str) -> dict[str, Any]:
    return {
        "puzzle": "t",
        "data": {"a": data},
        "variables": {"x": "bool"},
        "rules": {"it is used": "x == (a != a)"},
    }


def test_a_number_of_solutions_that_is_none_is_refused_without_a_search(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    text = (ROOT / "specs" / "pentominoes" / "6x10.yaml").read_text(encoding="utf-8")
    path.write_text(re.sub("solutions: .*", "solutions: -3", text), encoding="utf-8")
    assert "solutions: -3" in path.read_text(encoding="utf-8")
    done = check(path, timeout=60.0)
    assert done.status == "invalid" and "expected the number of solutions\n" in done.message


def test_guesses_are_those_of_both_readings() -> None:
    for text in (*ODD, "0o17", "08", "1_000", "0b11", "1.", "NaN", "on", "Off", "N"):
        if text and text[0] not in "[{'" and ": " not in text:
            node = yaml.ScalarNode("", text)
            assert {repr(scalar(node)) for scalar in READINGS.values()} <= {
                repr(value) for value in guesses(text)
            }, text


def test_every_section_of_a_type_has_a_description() -> None:
    properties = type_schema()["properties"]
    assert [name for name, section in properties.items() if "description" not in section] == []
