"""What a type says without a spec: JSON Schemas (2020-12), with which an editor completes and
checks, and small data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.lang.data.collections import GridOf, ListOf, MapOf, TupleOf
from puzzlekit.lang.data.scalars import NUMBERS, Choice, DataType, OptionalType, Union
from puzzlekit.lang.data.value_schema import (
    ANY_SCALAR,
    Schema,
    either,
    guesses,
    key_forms,
    mapping_schema,
    value_schema,
    whole,
)
from puzzlekit.lang.puzzle_type import Field, PuzzleType
from puzzlekit.lang.show_reader import LAYERS
from puzzlekit.lang.show_reader import OPTIONS as PICTURE_OPTIONS
from puzzlekit.lang.type_reader import OPTIONS, SAY_KEYS, SECTIONS
from puzzlekit.lang.type_sections import section_class, section_names, sections_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NAME = r"[A-Za-z][A-Za-z0-9_-]*"
COUNT = {"type": ["integer", "string"], "pattern": "^[0-9_]+$", "minimum": 0}

# what editors show at the keys that every spec may have
SPEC_TEXTS = {
    "title": "The title of this puzzle.",
    "source": "Where the puzzle comes from.",
    "note": "A remark.",
}
GENERATED_BY = (
    "How the puzzle was generated: its level, score and the like. `draw --pdf` prints the level."
)
PROGRESS = "A partial solution, which `puzzlekit check` judges and `hint` goes on from."
EXPECT = "What `puzzlekit check` compares with the solutions: how many there are, the best values of goals, and values."

# what editors show at the sections of a type, and an example, if one helps
SECTION_TEXTS: Mapping[str, tuple[str, Any]] = {
    "puzzle": ("The name of the type: letters, digits, _ and -, a letter first.", "magic_square"),
    "title": ("The title.", None),
    "aliases": (
        "Other names of the puzzle, by which every command finds it.",
        ["pearls", "where_is_black"],
    ),
    "group": ("The group of types that it belongs to, such as loops.", "shading"),
    "tags": ("Further words by which `puzzlekit list` finds it.", ["connected"]),
    "about": ("What the puzzle is about: the rules, for somebody who does not know it.", None),
    "libraries": (
        "The libraries that the type uses; without it, all that are installed.",
        ["words"],
    ),
    "data": (
        "The fields that a spec gives. `name: type`, `name: type = default`, or options.",
        {"size": "int in 1..", "givens": "grid[int | None]"},
    ),
    "require": (
        "Conditions on the data. One that fails is an error of the spec.",
        {"the board is square": "len(givens.rows) == len(givens.columns)"},
    ),
    "let": ("Values computed from the data, in order.", {"n": "len(givens.rows)"}),
    "info": ("Values of the data that are shown before the solutions.", {"tiles": "len(tiles)"}),
    "define": ("Named expressions of unknowns.", None),
    "variables": (
        "The unknowns and the values that they may take: `name[i]: domain for i in …`.",
        {"digit[c]": "between(1, n) for c in givens.cells"},
    ),
    "auxiliary": ("Unknowns that only help to state the rules.", {"first": "bool"}),
    "rules": (
        "The rules that a solution keeps. Their names are shown to people: write sentences.",
        {"rows differ": "all_different(digit[row]) for row in givens.rows"},
    ),
    "goals": ("`name: minimise(…)` or `name: maximise(…)`.", {"few": "minimise(sum(use))"}),
    "rank": ("The goal that sorts the solutions when no goal is requested.", "few"),
    "show": ("What is drawn, and what is printed beside it.", "digit"),
    "say": (
        "How facts about unknowns are said: a word, one if it holds and one if not, or sentences with indexes in braces."
        " `{one: …, many: …}` gives the text about several places, too.",
        {"sea": ["sea", "land"], "light": {"one": "a lamp", "many": "lamps"}},
    ),
    "make": (
        "How puzzles of the type are made, where its rules alone do not tell it.",
        {"layout": {"walls": "{c: 'x' for c in scattered(walls.cells, 20)}"}},
    ),
}
MAKE_TEXTS = {
    "size": "The rows and columns of a board without --size, such as 8x8.",
    "layout": "Fields that are drawn first: `field: expression`.",
    "places": "Where clues may stand, such as one cell of each region: `field: cells`.",
    "let": "Values that the other parts use, in order. They may be random.",
    "drop_rules": "Rules of the type that a design need not keep, as `fields` sees to them.",
    "variables": "The unknowns of a design. Without them, it has the unknowns and rules of the type.",
    "auxiliary": "Unknowns of a design that only help to state its rules.",
    "define": "Named expressions of the unknowns of a design.",
    "rules": "What the solutions of a design keep.",
    "fields": "The fields of a puzzle, from a solution of the design: `field: expression`.",
    "keep_all": "Fields from which no clue is taken away.",
    "reshape": "Fields of regions that may be changed until there is one solution.",
    "bias": "How many in a hundred unknowns of a name are tried as true first, such as `sea: 60`.",
}
OPTION_TEXTS = {
    "type": "The type: int, grid[int | None] in 1..9, list[word], choice(a, b), ….",
    "default": "The value where a spec gives none.",
    "about": "What the field is.",
    "rule": "A sentence that the field adds to the rules of a puzzle that gives it, or one for each of its values.",
    "like": "The field whose cells or keys this one has.",
    "columns": "The field with the width of a board that is on one line.",
}
SIDE = 4  # of a board, and the length of a list
DOWN = ("rows", "left", "right")  # lists with an item for each row
ACROSS = ("columns", "top", "bottom")
LINE = 3  # cells


def spec_schema(type_: PuzzleType, examples: Mapping[str, Sequence[Any]] | None = None) -> Schema:
    """Return a JSON Schema of the specs of a type. What it refuses, `puzzlekit check` refuses too.

    Args:
        kind: The type.
        examples: Values of fields, as their specs state them.
    """
    given = examples or {}
    properties: Schema = {"puzzle": _puzzle(type_)}
    for name, text in SPEC_TEXTS.items():
        properties[name] = {"description": text, **ANY_SCALAR}
    for entry in type_.fields.values():
        schema = _field(type_, entry, given.get(entry.name, ()))
        properties |= dict.fromkeys(_forms([entry.name]), schema)
    properties["generated_by"] = {
        "description": GENERATED_BY,
        "type": "object",
        "additionalProperties": {"type": ["string", "number"]},
    }
    properties["progress"] = _progress(type_)
    properties["expect"] = _expect(type_)
    required = [
        entry.name
        for entry in type_.required()
        if not _beside(type_, entry) and len(guesses(entry.name)) == 1
    ]
    return {
        "$schema": DIALECT,
        "title": f"A spec of {type_.name}"
        + f" ({type_.title})" * bool(type_.title and type_.title != type_.name),
        **({"description": type_.about} if type_.about else {}),
        **mapping_schema(properties, ["puzzle", *required]),
    }


def _puzzle(kind: PuzzleType) -> Schema:
    """The name of the type, or another one of its names, in upper or lower case."""
    names = (kind.name, *kind.aliases)
    odd = any(len(guesses(name)) > 1 for name in names)
    pattern = "|".join("".join(map(_either_case, name)) for name in names)
    schema = (
        dict(ANY_SCALAR) if odd else {"type": "string", "pattern": whole(rf"\s*({pattern})\s*")}
    )
    return {
        "description": f"The type: {', '.join(names)}.",
        "default": kind.name,
        "examples": [kind.name],
        **schema,
    }


def _either_case(char: str) -> str:
    return "[_-]" if char in "_-" else f"[{char.upper()}{char.lower()}]" if char.isalpha() else char


def _field(kind: PuzzleType, entry: Field, examples: Sequence[Any]) -> Schema:
    """A field, with what the type says about it."""
    about = f"{entry.about}\n\n" * bool(entry.about)
    found: Schema = {"description": f"{about}{entry}"}
    if entry.default is not None:
        found["default"] = plain(entry.default)
    examples = examples or _examples(entry.type)
    if examples:
        found["examples"] = list(examples)
    if isinstance(entry.type, GridOf) and any(
        other.like == entry.name and _both(other) for other in kind.fields.values()
    ):
        schema = either(
            ANY_SCALAR, {"type": "array", "items": ANY_SCALAR}
        )  # in a notation of their own
    else:
        bounds = [
            (bound.steps, *bound.bounds) for bound in kind.within if bound.field == entry.name
        ]
        schema = value_schema(entry.type, (), bounds)
    return {**found, **(either({"type": "null"}, schema) if entry.optional and schema else schema)}


def _both(entry: Field) -> bool:
    """Whether one block of text may have both this board and the one that it is like."""
    item: object = entry.type.item if isinstance(entry.type, GridOf) else None
    return isinstance(item, DataType) and type(item).read_pair is not DataType.read_pair


def _beside(kind: PuzzleType, entry: Field) -> bool:
    """Whether the values of this board may stand in the block of another one, so that it may be
    left out.
    """
    return entry.like is not None and _both(entry)


def _forms(names: Iterable[str]) -> list[str]:
    """Names of properties, with those that an editor may make of them."""
    return list(dict.fromkeys(form for name in names for form in key_forms(name)))


def _expect(kind: PuzzleType) -> Schema:
    """What a spec expects: the keys that `check` knows."""
    names = [unknowns.name for unknowns in kind.unknowns if not unknowns.auxiliary]
    names += [shown.name for shown in kind.show if shown.expression is not None]
    for section in sections_of(kind):
        names += section.sequel_names()
    goals = {form: dict(ANY_SCALAR) for form in _forms(kind.goals)}
    known: Schema = {
        "solutions": {"description": "How many solutions there are.", "examples": [1], **COUNT}
    }
    if goals and "goal" not in names:
        about = "The best values of goals, each proven."
        known["goal"] = {"description": about, **mapping_schema(goals)}
    known["answer"] = {
        "description": f"The values of {names[0]} in a solution."
        if names
        else "The values of a solution."
    }
    known |= {
        form: {"description": f"{name} in a solution."} for name in names for form in _forms([name])
    }
    return {"description": EXPECT, **mapping_schema(known)}


def _progress(kind: PuzzleType) -> Schema:
    """What a player has written on a board."""
    known = {
        unknowns.name: {"description": f"What is known of {unknowns.name}."}
        for unknowns in kind.unknowns
    }
    below: Schema = {
        "answer": {},
        **{form: schema for name, schema in known.items() for form in _forms([name])},
    }
    return {
        "description": PROGRESS,
        **mapping_schema(
            {
                **below,
                "not": {
                    "description": "What is excluded, in the same way.",
                    **mapping_schema(below),
                },
            }
        ),
    }


def plain(node: Node) -> Any:
    """Return a node as lists, mappings and what an editor guesses for its scalars."""
    if isinstance(node, MappingNode):
        return {str(key.value): plain(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [plain(item) for item in node.value]
    assert isinstance(node, ScalarNode)
    text = str(node.value)
    return (
        int(text)
        if re.fullmatch(r"0|-?[1-9][0-9]{0,15}", text)
        else {"true": True, "false": False}.get(text, text)
    )


def _examples(kind: DataType) -> list[Any]:
    """An example of a value, by its type alone."""
    text = str(kind)
    if text in ("int", "digit", "bool", "size", "symbol", "text"):
        return [
            {"int": 3, "digit": 3, "bool": True, "size": "3x4", "symbol": "a", "text": "some text"}[
                text
            ]
        ]
    return []


def _described(text: str, example: Any, schema: Mapping[str, Any]) -> Schema:
    """The schema of a section, with what editors show."""
    examples = {} if example is None else {"examples": [example]}
    return {"description": text, **examples, **schema}


def type_schema() -> Schema:
    """Return a JSON Schema of types. What it refuses, `puzzlekit check` refuses too."""
    name = {
        "type": ["string", "boolean", "null"],
        "pattern": rf"^\s*{NAME}\s*$",
    }  # YAML guesses `no` and `null`
    names = either(name, {"type": "array", "items": name})
    expressions = {"type": "object", "additionalProperties": ANY_SCALAR}
    texts = {
        option: {"description": text} for option, text in OPTION_TEXTS.items() if option in OPTIONS
    }
    options = {
        option: text if option == "default" else {**text, **ANY_SCALAR}
        for option, text in texts.items()
    }
    options["rule"] = {
        **texts["rule"],
        **either(ANY_SCALAR, expressions),
    }  # a sentence, or one for each value
    lists = dict.fromkeys(
        ("drop_rules", "keep_all", "reshape"),
        either(ANY_SCALAR, {"type": "array", "items": ANY_SCALAR}),
    )
    forms = {"size": ANY_SCALAR, **lists}
    made = {
        key: {"description": text, **forms.get(key, expressions)}
        for key, text in MAKE_TEXTS.items()
    }
    saying = either(ANY_SCALAR, mapping_schema(dict.fromkeys(SAY_KEYS, ANY_SCALAR), SAY_KEYS))
    parts: dict[str, Schema] = {
        "puzzle": name,
        "aliases": names,
        "tags": names,
        "group": name,
        "libraries": either(ANY_SCALAR, {"type": "array", "items": ANY_SCALAR}),
        "data": either(
            {"type": "null"},
            {
                **expressions,
                "additionalProperties": either(ANY_SCALAR, mapping_schema(options, ["type"])),
            },
        ),
        "variables": expressions,
        "rules": {
            "type": ["object", "null"],
            "additionalProperties": either(ANY_SCALAR, {"type": "array"}),
        },
        "show": either(ANY_SCALAR, _show()),
        "say": {
            "type": ["object", "null"],
            "additionalProperties": either(saying, {"type": "array", "items": saying}),
        },
        "make": {**mapping_schema(made), "type": ["object", "null"]},
        **dict.fromkeys(("title", "about", "rank"), ANY_SCALAR),
    }
    properties: dict[str, Schema] = {}
    for section in SECTIONS:
        text, example = SECTION_TEXTS[section]
        part = parts.get(section, {**expressions, "type": ["object", "null"]})
        properties[section] = _described(text, example, part)
    for section in section_names():
        owner = section_class(section)
        if isinstance(owner, type):
            properties[section] = _described(owner.about, owner.example, owner.json_schema())
    return {
        "$schema": DIALECT,
        "title": "A puzzle type of puzzlekit",
        **mapping_schema(properties, ["puzzle", "variables"]),
    }


def _show() -> Schema:
    """The section `show`: layers and options of pictures, and values beside them."""
    layers = {name: {"description": f"A layer of the picture: {name}."} for name in LAYERS}
    options = {
        name: {"description": f"An option of the picture: {name}."} for name in PICTURE_OPTIONS
    }
    picture = mapping_schema({**layers, **options})
    return {
        "type": "object",
        "properties": {"picture": either(picture, {"type": "array", "items": picture})},
    }


def schema_line(path: str) -> str:
    """Return the line of a YAML file with which editors find its schema.

    >>> schema_line("latin.schema.json")
    '# yaml-language-server: $schema=latin.schema.json'
    """
    return f"# yaml-language-server: $schema={path}"


def example_data(
    type_: PuzzleType, rows: int = SIDE, columns: int = SIDE, items: int = SIDE, varied: bool = False
) -> dict[str, Any] | None:
    """Return values for the fields that a spec must give, as Python values; None if a type of data
    has no example.

    Args:
        kind: The type.
        rows: The rows of boards, the length of lists with an item for each row, and the least of
            single numbers.
        columns: The columns of boards, and the length of lists with an item for each column.
        items: The length of other lists.
        varied: Whether cells and items differ: all names of a choice, each of several types, empty
            ones. Else boards that may be empty are.
    """
    values: dict[str, Any] = {}
    for field in type_.required():
        lows = [bound.bounds[0] for bound in type_.within if bound.field == field.name]
        least = max((low for low in lows if low is not None), default=1)
        match str(field.type):
            case "int":
                values[field.name] = str(max(rows, least))
            case "size":
                values[field.name] = f"{rows}x{columns}"
            case _:
                length = rows if field.name in DOWN else columns if field.name in ACROSS else items
                values[field.name] = _value(field.type, least, (rows, columns), length, varied)
    return None if None in values.values() else values


def _value(kind: Any, least: int, board: tuple[int, int], items: int, varied: bool) -> Any:
    """Return a value whose numbers are the least that the field may hold."""
    match kind:
        case GridOf(item, empty):
            cells = [] if empty and not varied else _values(item, least, board, varied)
            cells += ["."] * empty
            if not cells:
                return None
            return [
                [cells[(row + column) % len(cells)] for column in range(board[1])]
                for row in range(board[0])
            ]
        case ListOf(ListOf(item)) if str(item) == "cell":  # lines of cells: parts of rows
            across = range(1, min(LINE, board[1]) + 1)
            return [
                [f"r{row}c{column}" for column in across]
                for row in range(1, min(items, board[0]) + 1)
            ]
        case ListOf(item):
            values = _values(item, least, board, varied)
            values += [None] * (varied and isinstance(item, OptionalType) and bool(values))
            return [values[number % len(values)] for number in range(items)] if values else None
        case TupleOf(parts):
            values = [_value(part, least, board, 1, varied) for part in parts]
            return None if None in values else values
        case MapOf(key, item):
            keys, values = _values(key, least, board, varied), _values(item, least, board, varied)
            return (
                {key: values[number % len(values)] for number, key in enumerate(keys)}
                if keys and values
                else None
            )
        case _:
            return next(iter(_values(kind, least, board, varied)), None)


def _values(kind: Any, least: int, board: tuple[int, int], varied: bool) -> list[Any]:
    """Return one value of a cell or an item, or each kind of it; none if there is no example."""
    match kind:
        case OptionalType(item):
            return _values(item, least, board, varied)
        case Union(alternatives):
            values = [
                value for part in alternatives for value in _values(part, least, board, varied)
            ]
            return values if varied else values[:1]
        case Choice(names) if varied:
            return [*names]
        case DataType() if str(kind) == "symbol" and varied:
            return [*"abcd"]
        case GridOf() | ListOf() | TupleOf() | MapOf():
            value = _value(kind, least, board, 1, varied)
            return [] if value is None else [value]
        case DataType():
            return [str(least) if str(kind) in NUMBERS else kind.example]
        case _:
            return []
