"""What a type says without a spec: JSON Schemas (2020-12) for editors, and small example data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle
from typing import Any

from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from puzzlekit.boards import SYMMETRIES
from puzzlekit.lang.data.collections import GridOf, ListOf, MapOf, TupleOf
from puzzlekit.lang.data.scalars import NUMBERS, Choice, DataType, OptionalType, Union
from puzzlekit.lang.data.value_schema import (
    ANY_SCALAR,
    Schema,
    anchored,
    any_of,
    guesses,
    key_forms,
    mapping_schema,
    value_schema,
)
from puzzlekit.lang.puzzle_type import Field, PuzzleType
from puzzlekit.lang.show_reader import LAYERS, OPTIONS as PICTURE_OPTIONS
from puzzlekit.lang.type_reader import OPTIONS, SAY_KEYS, SECTIONS
from puzzlekit.lang.type_sections import section_class, section_names, sections_of

DIALECT = "https://json-schema.org/draft/2020-12/schema"
NAME = r"[A-Za-z][A-Za-z0-9_-]*"
INTEGER = re.compile(r"0|-?[1-9][0-9]{0,15}")  # as an editor reads it
COUNT = {"type": ["integer", "string"], "pattern": "^[0-9_]+$", "minimum": 0}
EXPRESSIONS: Schema = {"type": "object", "additionalProperties": ANY_SCALAR}  # by their names
NAME_LIST = any_of(ANY_SCALAR, {"type": "array", "items": ANY_SCALAR})
EXAMPLES = {"int": 3, "digit": 3, "bool": True, "size": "3x4", "symbol": "a", "text": "some text"}

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
EXPECT = (
    "What `puzzlekit check` compares with the solutions: how many there are, the best values of "
    "goals, and values."
)

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
        "How facts about unknowns are said: a word, one if it holds and one if not, or sentences "
        "with indexes in braces. `{one: …, many: …}` gives the text about several places, too.",
        {"sea": ["sea", "land"], "light": {"one": "a lamp", "many": "lamps"}},
    ),
    "broken": (
        "What would be so where a rule is broken, by the name of the rule: a clause with its loop "
        "variables in braces.",
        {"no two rows are equal": "{a} and {b} would be the same"},
    ),
    "call": (
        "What groups of cells are called in explanations: a name with loop variables in braces, "
        "or with `{number}`, and an expression for each group.",
        {"the cage of {total}": "cage for cage in cages.regions for total in [sums[cage[0]]]"},
    ),
    "make": (
        "How puzzles of the type are made, where its rules alone do not tell it.",
        {"layout": {"walls": "{c: 'x' for c in scattered(walls.cells, 20)}"}},
    ),
}
MAKE_TEXTS = {
    "size": "The rows and columns of a board without --size, such as 8x8.",
    "symmetry": "Which places have clues together without --symmetry, such as rotate.",
    "layout": "Fields that are drawn first: `field: expression`.",
    "places": "Where clues may stand, such as one cell of each region: `field: cells`.",
    "let": "Values that the other parts use, in order. They may be random.",
    "drop_rules": "Rules of the type that a design need not keep, as `fields` sees to them.",
    "variables": (
        "The unknowns of a design. Without them, it has the unknowns and rules of the type."
    ),
    "auxiliary": "Unknowns of a design that only help to state its rules.",
    "define": "Named expressions of the unknowns of a design.",
    "rules": "What the solutions of a design keep.",
    "fields": "The fields of a puzzle, from a solution of the design: `field: expression`.",
    "values": "The values that clues may have, where the type of the field does not tell.",
    "statements": "Lists and mappings each of whose entries is a clue.",
    "keep": "The cells whose clues are not taken away: `field: cells`.",
    "keep_all": "Fields from which no clue is taken away.",
    "reshape": "Fields of regions that may be changed until there is one solution.",
    "bias": "How many in a hundred unknowns of a name are tried as true first, such as `sea: 60`.",
    "prefer": "What puzzles had better not have, and had better have: `avoid` and `want`.",
}
PREFER_TEXTS = {
    "avoid": "Flaws: `name: condition for …`, each turn of which that holds is a flaw.",
    "want": "Merits: `name: condition for …`, each turn of which that holds is a merit.",
}
OPTION_TEXTS = {
    "type": "The type: int, grid[int | None] in 1..9, list[word], choice(a, b), ….",
    "default": "The value where a spec gives none.",
    "about": "What the field is.",
    "rule": (
        "A sentence that the field adds to the rules of a puzzle that gives it, or one for each "
        "of its values."
    ),
    "like": "The field whose cells or keys this one has.",
    "columns": "The field with the width of a board that is on one line.",
    "unknown": "What ? in a cell of a board, a clue that is not told, is read as.",
}
SIDE = 4  # of a board, and the length of a list
DOWN = ("rows", "left", "right")  # lists with an item for each row
ACROSS = ("columns", "top", "bottom")
LINE = 3  # cells


def spec_schema(type_: PuzzleType, examples: Mapping[str, Sequence[Any]] | None = None) -> Schema:
    """Return a JSON Schema of the specs of a type. What it refuses, `puzzlekit check` refuses too.

    Args:
        type_: The type.
        examples: Values of fields, as their specs state them.
    """
    examples_by_field = examples or {}
    properties: Schema = {"puzzle": _puzzle(type_)}
    for name, text in SPEC_TEXTS.items():
        properties[name] = {"description": text, **ANY_SCALAR}
    for field in type_.fields.values():
        schema = _field(type_, field, examples_by_field.get(field.name, ()))
        properties |= dict.fromkeys(_forms([field.name]), schema)
    properties["generated_by"] = {
        "description": GENERATED_BY,
        "type": "object",
        "additionalProperties": {"type": ["string", "number"]},
    }
    properties["progress"] = _progress(type_)
    properties["expect"] = _expect(type_)
    schema = {"$schema": DIALECT, "title": _schema_title(type_)}
    if type_.about:
        schema["description"] = type_.about
    return schema | mapping_schema(properties, ["puzzle", *_required_keys(type_)])


def _schema_title(type_: PuzzleType) -> str:
    title = f"A spec of {type_.name}"
    if type_.title and type_.title != type_.name:
        title += f" ({type_.title})"
    return title


def _required_keys(type_: PuzzleType) -> list[str]:
    """Return the keys that every spec has, and that all editors read alike."""
    names = [field.name for field in type_.required() if not _may_share_block(field)]
    return [name for name in names if len(guesses(name)) == 1]


def _puzzle(type_: PuzzleType) -> Schema:
    """Return the schema of the name of the type: any of its names, in upper or lower case."""
    names = (type_.name, *type_.aliases)
    schema: Schema = {
        "description": f"The type: {', '.join(names)}.",
        "default": type_.name,
        "examples": [type_.name],
    }
    if any(len(guesses(name)) > 1 for name in names):
        return schema | ANY_SCALAR
    pattern = "|".join("".join(map(_either_case, name)) for name in names)
    return schema | {"type": "string", "pattern": anchored(rf"\s*({pattern})\s*")}


def _either_case(char: str) -> str:
    """Return a regular expression for a character of a name: `_` and `-` are equal."""
    if char in "_-":
        return "[_-]"
    if char.isalpha():
        return f"[{char.upper()}{char.lower()}]"
    return char


def _field(type_: PuzzleType, field: Field, examples: Sequence[Any]) -> Schema:
    """Return the schema of a field, with what the type says about it."""
    description = f"{field.about}\n\n{field}" if field.about else str(field)
    schema: Schema = {"description": description}
    if field.default is not None:
        schema["default"] = plain(field.default)
    if not examples:
        examples = _examples(field.type)
    if examples:
        schema["examples"] = list(examples)
    return schema | _field_values(type_, field)


def _field_values(type_: PuzzleType, field: Field) -> Schema:
    """Return the schema of the values of a field."""
    if _shares_block(type_, field):  # in a notation of their own
        schema = any_of(ANY_SCALAR, {"type": "array", "items": ANY_SCALAR})
    else:
        limits = [limit for limit in type_.within if limit.field == field.name]
        bounds = [(limit.steps, *limit.bounds) for limit in limits]
        schema = value_schema(field.type, (), bounds)
    if field.optional and schema:
        return any_of({"type": "null"}, schema)
    return schema


def _shares_block(type_: PuzzleType, board: Field) -> bool:
    """Return whether the block of this board may have the values of another board, too."""
    if not isinstance(board.type, GridOf):
        return False
    alike = [field for field in type_.fields.values() if field.like == board.name]
    return any(map(_is_second_of_pair, alike))


def _is_second_of_pair(field: Field) -> bool:
    """Return whether one block of text may have both this board and the one that it is like."""
    cell_type: object = field.type.item if isinstance(field.type, GridOf) else None
    if not isinstance(cell_type, DataType):
        return False
    return type(cell_type).read_pair is not DataType.read_pair


def _may_share_block(field: Field) -> bool:
    """Return whether the values of this board may stand in the block of another one.

    The spec may then leave the field out.
    """
    return field.like is not None and _is_second_of_pair(field)


def _forms(names: Iterable[str]) -> list[str]:
    """Return names of properties, with those that an editor may make of them."""
    return list(dict.fromkeys(form for name in names for form in key_forms(name)))


def _expect(type_: PuzzleType) -> Schema:
    """Return the schema of what a spec expects: the keys that `check` accepts."""
    names = _names_in_solutions(type_)
    properties: Schema = {
        "solutions": {"description": "How many solutions there are.", "examples": [1], **COUNT}
    }
    goals = {form: dict(ANY_SCALAR) for form in _forms(type_.goals)}
    if goals and "goal" not in names:
        about = "The best values of goals, each proven."
        properties["goal"] = {"description": about, **mapping_schema(goals)}
    subject = names[0] if names else ""
    answer = f"The values of {subject} in a solution." if subject else "The values of a solution."
    properties["answer"] = {"description": answer}
    for name in names:
        for form in _forms([name]):
            properties[form] = {"description": f"{name} in a solution."}
    return {"description": EXPECT, **mapping_schema(properties)}


def _names_in_solutions(type_: PuzzleType) -> list[str]:
    """Return the names whose values a spec may expect."""
    names = [variables.name for variables in type_.unknowns if not variables.auxiliary]
    names += [name for name, _ in type_.output_expressions]
    for section in sections_of(type_):
        names += section.sequel_names()
    return names


def _progress(type_: PuzzleType) -> Schema:
    """Return the schema of what a player has written on a board."""
    entries: Schema = {"answer": {}}
    for variables in type_.unknowns:
        schema = {"description": f"What is known of {variables.name}."}
        entries |= dict.fromkeys(_forms([variables.name]), schema)
    excluded = {
        "description": "What is excluded, in the same way.",
        **mapping_schema(entries),
    }
    return {"description": PROGRESS, **mapping_schema({**entries, "not": excluded})}


def plain(node: Node) -> Any:
    """Return a node as lists, mappings and what an editor guesses for its scalars."""
    if isinstance(node, MappingNode):
        return {str(key.value): plain(value) for key, value in node.value}
    if isinstance(node, SequenceNode):
        return [plain(member) for member in node.value]
    assert isinstance(node, ScalarNode)
    text = str(node.value)
    if INTEGER.fullmatch(text):
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    return text


def _examples(data_type: DataType) -> list[Any]:
    """Return an example of a value, by its type alone; none for most types."""
    name = str(data_type)
    return [EXAMPLES[name]] if name in EXAMPLES else []


def _described(text: str, example: Any, schema: Mapping[str, Any]) -> Schema:
    """Return the schema of a section, with what editors show."""
    examples = {} if example is None else {"examples": [example]}
    return {"description": text, **examples, **schema}


def type_schema() -> Schema:
    """Return a JSON Schema of types. What it refuses, `puzzlekit check` refuses too."""
    schemas = _section_schemas()
    usual = {**EXPRESSIONS, "type": ["object", "null"]}
    properties: dict[str, Schema] = {}
    for section in SECTIONS:
        text, example = SECTION_TEXTS[section]
        properties[section] = _described(text, example, schemas.get(section, usual))
    for section in section_names():
        owner = section_class(section)
        if isinstance(owner, type):
            properties[section] = _described(owner.about, owner.example, owner.json_schema())
    return {
        "$schema": DIALECT,
        "title": "A puzzle type of puzzlekit",
        **mapping_schema(properties, ["puzzle", "variables"]),
    }


def _section_schemas() -> dict[str, Schema]:
    """Return the schemas of sections that are not mappings of names to expressions."""
    # YAML guesses `no` and `null`
    name = {"type": ["string", "boolean", "null"], "pattern": rf"^\s*{NAME}\s*$"}
    names = any_of(name, {"type": "array", "items": name})
    rules = {
        "type": ["object", "null"],
        "additionalProperties": any_of(ANY_SCALAR, {"type": "array"}),
    }
    return {
        "puzzle": name,
        "aliases": names,
        "tags": names,
        "group": name,
        "libraries": NAME_LIST,
        "data": any_of({"type": "null"}, _data()),
        "variables": EXPRESSIONS,
        "rules": rules,
        "show": any_of(ANY_SCALAR, _show()),
        "say": _say(),
        "make": _make(),
        **dict.fromkeys(("title", "about", "rank"), ANY_SCALAR),
    }


def _data() -> Schema:
    """Return the schema of the section `data`: a type of each field, or its options."""
    options = {
        option: {"description": OPTION_TEXTS[option], **ANY_SCALAR}
        for option in OPTION_TEXTS
        if option in OPTIONS
    }
    options["default"] = {"description": OPTION_TEXTS["default"]}
    # a sentence, or one for each value
    options["rule"] = {"description": OPTION_TEXTS["rule"], **any_of(ANY_SCALAR, EXPRESSIONS)}
    field = any_of(ANY_SCALAR, mapping_schema(options, ["type"]))
    return {**EXPRESSIONS, "additionalProperties": field}


def _make() -> Schema:
    """Return the schema of the section `make`."""
    lists = dict.fromkeys(("drop_rules", "statements", "keep_all", "reshape"), NAME_LIST)
    symmetry: Schema = {"enum": list(SYMMETRIES)}
    preferences = {key: {"description": text, **EXPRESSIONS} for key, text in PREFER_TEXTS.items()}
    prefer = mapping_schema(preferences)
    schemas = {"size": ANY_SCALAR, "symmetry": symmetry, "prefer": prefer, **lists}
    properties = {
        key: {"description": text, **schemas.get(key, EXPRESSIONS)}
        for key, text in MAKE_TEXTS.items()
    }
    return {**mapping_schema(properties), "type": ["object", "null"]}


def _say() -> Schema:
    """Return the schema of the section `say`: one text about an unknown, or two."""
    saying = any_of(ANY_SCALAR, mapping_schema(dict.fromkeys(SAY_KEYS, ANY_SCALAR), SAY_KEYS))
    return {
        "type": ["object", "null"],
        "additionalProperties": any_of(saying, {"type": "array", "items": saying}),
    }


def _show() -> Schema:
    """Return the schema of the section `show`: layers and options of pictures, and values."""
    layers = {name: {"description": f"A layer of the picture: {name}."} for name in LAYERS}
    options = {
        name: {"description": f"An option of the picture: {name}."} for name in PICTURE_OPTIONS
    }
    picture = mapping_schema({**layers, **options})
    return {
        "type": "object",
        "properties": {"picture": any_of(picture, {"type": "array", "items": picture})},
    }


def schema_line(path: str) -> str:
    """Return the line of a YAML file with which editors find its schema.

    >>> schema_line("latin.schema.json")
    '# yaml-language-server: $schema=latin.schema.json'
    """
    return f"# yaml-language-server: $schema={path}"


def example_data(
    type_: PuzzleType,
    rows: int = SIDE,
    columns: int = SIDE,
    items: int = SIDE,
    varied: bool = False,
) -> dict[str, Any] | None:
    """Return values for the fields that a spec must give, as Python values.

    Args:
        type_: The type.
        rows: The rows of boards, the length of lists with an item for each row, and the least of
            single numbers.
        columns: The columns of boards, and the length of lists with an item for each column.
        items: The length of other lists.
        varied: Whether cells and items differ: all names of a choice, each of several types, empty
            ones. Otherwise boards that may be empty are.

    Returns:
        The values by field; None if a type of data has no example.
    """
    values: dict[str, Any] = {}
    for field in type_.required():
        lows = [limit.bounds[0] for limit in type_.within if limit.field == field.name]
        least = max((low for low in lows if low is not None), default=1)
        length = items
        if field.name in DOWN:
            length = rows
        elif field.name in ACROSS:
            length = columns
        match str(field.type):
            case "int":
                values[field.name] = str(max(rows, least))
            case "size":
                values[field.name] = f"{rows}x{columns}"
            case _:
                values[field.name] = _value(field.type, least, (rows, columns), length, varied)
    return None if None in values.values() else values


def _value(data_type: Any, least: int, size: tuple[int, int], items: int, varied: bool) -> Any:
    """Return a value whose numbers are the least that the field may hold.

    Args:
        data_type: The type of the value.
        least: The least number.
        size: The rows and columns of boards.
        items: The length of lists.
        varied: Whether cells and items differ.
    """
    match data_type:
        case GridOf(item_type, empty):
            cells = [] if empty and not varied else _values(item_type, least, size, varied)
            cells += ["."] * empty
            return _board(cells, size)
        case ListOf(ListOf(item_type)) if str(item_type) == "cell":
            return _lines_of_cells(size, items)
        case ListOf(item_type):
            values = _values(item_type, least, size, varied)
            if varied and values and isinstance(item_type, OptionalType):
                values.append(None)
            return _repeated(values, items)
        case TupleOf(item_types):
            values = [_value(item_type, least, size, 1, varied) for item_type in item_types]
            return None if None in values else values
        case MapOf(key_type, value_type):
            keys = _values(key_type, least, size, varied)
            values = _values(value_type, least, size, varied)
            if not keys or not values:
                return None
            return dict(zip(keys, cycle(values)))
        case _:
            return next(iter(_values(data_type, least, size, varied)), None)


def _board(cells: Sequence[Any], size: tuple[int, int]) -> list[list[Any]] | None:
    """Return a board on whose diagonals these cells repeat; None without cells."""
    if not cells:
        return None
    height, width = size
    endless = [*cells] * (height + width)
    return [endless[row : row + width] for row in range(height)]


def _lines_of_cells(size: tuple[int, int], items: int) -> list[list[str]]:
    """Return lines of cells: the beginnings of rows."""
    height, width = size
    columns = range(1, min(LINE, width) + 1)
    rows = range(1, min(items, height) + 1)
    return [[f"r{row}c{column}" for column in columns] for row in rows]


def _repeated(values: Sequence[Any], length: int) -> list[Any] | None:
    """Return a list of this length in which the values repeat; None without values."""
    if not values:
        return None
    return [values[number % len(values)] for number in range(length)]


def _values(data_type: Any, least: int, size: tuple[int, int], varied: bool) -> list[Any]:
    """Return one value of a cell or an item; if they vary, one of each form.

    The list is empty if there is no example.
    """
    match data_type:
        case OptionalType(item_type):
            return _values(item_type, least, size, varied)
        case Union(alternatives):
            values = []
            for alternative in alternatives:
                values += _values(alternative, least, size, varied)
            return values if varied else values[:1]
        case Choice(names) if varied:
            return [*names]
        case DataType() if str(data_type) == "symbol" and varied:
            return [*"abcd"]
        case GridOf() | ListOf() | TupleOf() | MapOf():
            value = _value(data_type, least, size, 1, varied)
            return [] if value is None else [value]
        case DataType():
            return [str(least) if str(data_type) in NUMBERS else data_type.example]
        case _:
            return []
