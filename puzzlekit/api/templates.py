"""Commented types and specs to begin with."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from yaml.nodes import ScalarNode

from puzzlekit.api.loading import load
from puzzlekit.api.scaffold import example_type
from puzzlekit.api.sources import Given, open_type
from puzzlekit.catalogue import example_specs, is_known
from puzzlekit.errors import InputError, Problems, Stopped, option
from puzzlekit.lang import (
    SPEC_KEYS,
    Field,
    GridOf,
    ListOf,
    PuzzleType,
    example_data,
    is_name,
    plain,
    read_spec,
    read_text,
    schema_line,
    spec_schema,
    type_schema,
    unused_values,
)
from puzzlekit.render import scenes_of
from puzzlekit.source import parse

COLUMNS = 80
SIZES = ((9, 9), (8, 8), (6, 6), (5, 5), (4, 4), (3, 3))  # tried in turn if no size is given
SECONDS = 20.0  # for running the rules on a spec
MOST = 200  # rows or columns of a board
NUMBER = re.compile(r"\d+")  # in names of cells, too
MORE_PROBLEMS = re.compile(r"and \d+ more problem")  # instead of the last of many
EXAMPLES = 2  # values of a field in a schema
LONGEST = 300  # characters of such a value


def new_type(name: str, file: str = "") -> str:
    """Return a small type that works, with comments, to change into another one.

    Args:
        name: The name of the type.
        file: The name of the file that it will be in, for its comments.

    Raises:
        InputError: It is not a name, or there is a type of this name.

    Examples:
        >>> import puzzlekit
        >>> text = puzzlekit.new_type("my_squares")
        >>> puzzlekit.load(text, {"givens": ["12", ".."]}).count()
        1
    """
    if not is_name(name):
        raise InputError(
            f"{name[:40]!r} is not a name: use letters, digits, _ and -, beginning with a letter"
        )
    if is_known(name):
        help = f"puzzlekit show {name} describes it; choose another name"
        raise InputError(f"there is a puzzle type {name}", help=help)
    schema = schema_line("type.schema.json")
    return f"{schema}\n{example_type(name, file or f'{name}.yaml')}"


def new_spec(type: Given, size: str | None = None) -> str:  # noqa: A002
    """Return a spec of a type to begin with, which `check` accepts, with a comment on each field.

    Args:
        type: The type: its name, the path of its file, its YAML text, or a mapping of its sections.
        size: The rows and columns of its boards, as in "9x9".

    Raises:
        InputError: There is no such type, or no empty spec of this size is valid.

    Examples:
        >>> import puzzlekit
        >>> type_ = "examples/magic_square.yaml"
        >>> puzzlekit.load(type_, puzzlekit.new_spec(type_))["size"]
        9
    """
    type_ = open_type(type, None)
    return f"{schema_line(f'{type_.name}.schema.json')}\n{spec_text(type_, size)}"


def schema(type: Given | None = None) -> str:  # noqa: A002
    """Return a JSON Schema of a type's specs, or of types, with which editors check them.

    Args:
        type: The type, as for `new_spec`; None for the schema of types.

    Raises:
        InputError: There is no such type.

    Examples:
        >>> import json, puzzlekit
        >>> list(json.loads(puzzlekit.schema("examples/magic_square.yaml"))["properties"])[-1]
        'expect'
    """
    return schema_text(None if type is None else open_type(type, None))


def spec_text(type_: PuzzleType, size: str | None) -> str:
    """Return a spec with empty boards.

    If no board of the type can be empty, it has the data of an example.

    Raises:
        InputError: No empty spec of this size is valid, and no example has the size.
    """
    required_size = None if size is None else _size(size)
    first_error: InputError | None = None
    for rows, columns in SIZES if required_size is None else [required_size]:
        for fields in _fields(type_, rows, columns):
            text = _spec_with(type_, fields)
            try:
                _check(type_, text)
            except InputError as error:
                first_error = first_error or error
                continue
            if "." in "".join(fields.values()):
                return text
            return _example(type_, required_size)[0] or text
    text, sizes = _example(type_, required_size)
    if text:
        return text
    of_size = "" if size is None else f" of size {size}"
    reason: object = first_error
    if isinstance(first_error, Problems):
        reason = first_error.problems[0].message
    example_sizes = ", ".join(f"{rows}x{columns}" for rows, columns in sorted(sizes))
    help = f"there are examples of {example_sizes}" if example_sizes else ""
    raise InputError(f"no empty spec of {type_.name}{of_size} is valid: {reason}", help=help)


def unchecked_text(type_: PuzzleType, size: str) -> str:
    """Return a spec with empty boards of a size, which need not meet the checks of the type.

    Of sizes whose default does not fit, it has those with the fewest problems; the rules are run
    for that.
    """
    rows, columns = _size(size)
    attempts = map(dict.values, _fields(type_, rows, columns))
    drafts = ("\n".join(lines or ["{}"]) + "\n" for lines in attempts)
    texts = list(dict.fromkeys(drafts))
    if len(texts) < 2:
        return texts[0] if texts else "{}\n"
    return min(texts, key=lambda text: len(_messages(type_, text)))


def refusal_of_size(type_: PuzzleType, size: str, usual: str) -> str:
    """Return why no board of a size is valid, where those of the usual size are; empty if that
    cannot be said of empty boards.
    """
    usual_messages = _messages(type_, unchecked_text(type_, usual))
    without_numbers = {NUMBER.sub("", message) for message in usual_messages}
    for message in _messages(type_, unchecked_text(type_, size)):
        is_new = NUMBER.sub("", message) not in without_numbers
        if is_new and not MORE_PROBLEMS.match(message):
            return message
    return ""


def _messages(type_: PuzzleType, text: str) -> list[str]:
    """Return what is wrong with a spec."""
    try:
        _check(type_, text)
    except Problems as problems:
        type_.source.forget_problems()
        return [problem.message for problem in problems.problems]
    except InputError:  # the time is up
        pass
    return []


def example_text(type_: PuzzleType, size: str | None) -> str:
    """Return a spec with the data of the smallest example, of this size if it is given.

    It is empty if there is no example.
    """
    return _example(type_, None if size is None else _size(size))[0]


def _example(type_: PuzzleType, size: tuple[int, int] | None) -> tuple[str, set[tuple[int, int]]]:
    """Return a spec with the data of the smallest example, of this size if it is given.

    The sizes of the examples up to this one are returned as well.
    """
    sizes: set[tuple[int, int]] = set()
    for path in example_specs(type_.name):
        sections = {key: body for key, body in _sections(path).items() if key not in SPEC_KEYS}
        example_sizes = _board_sizes(type_, sections)
        sizes |= example_sizes
        if size is None or size in example_sizes:
            fields = {key: f"{key}:{body.rstrip()}" for key, body in sections.items()}
            text = _spec_with(type_, fields, "The values are those of an example: replace them.")
            _check(type_, text)
            return text, sizes
    return "", sizes


def _sections(path: Path) -> dict[str, str]:
    """Return the text after the colon of each key of a spec."""
    source, root = parse(str(path), read_text(path))
    keys = [key for key, _ in root.value]
    ends = [key.start_mark.index for key in keys[1:]]
    ends.append(len(source.text))
    sections = {}
    for key, end in zip(keys, ends):
        start = key.end_mark.index + 1
        sections[key.value] = source.text[start:end]
    return sections


def _board_sizes(type_: PuzzleType, sections: Mapping[str, str]) -> set[tuple[int, int]]:
    """Return the rows and columns of the boards that are written as blocks of text."""
    sizes: set[tuple[int, int]] = set()
    for key, body in sections.items():
        if key not in type_.fields or not isinstance(type_.fields[key].type, GridOf):
            continue
        text = yaml.safe_load(f"{key}:{body}")[key]
        rows = text.split("\n")[:-1] if isinstance(text, str) else []
        if rows:
            sizes.add((len(rows), max(map(_row_length, rows))))
    return sizes


def _row_length(row: str) -> int:
    """Return the number of cells in a row of a board, which blanks may separate."""
    return len(row.split()) if " " in row.strip() else len(row)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([0-9]{1,3})(?:[x×]([0-9]{1,3}))?", text)
    rows, columns = 0, 0
    if match is not None:
        rows = int(match[1])
        columns = int(match[2] or match[1])
    if not (1 <= rows <= MOST and 1 <= columns <= MOST):
        raise InputError(
            f"{option('size')} {text}: expected rows x columns, as in 9x9, at most {MOST} of each"
        )
    return rows, columns


def _check(type_: PuzzleType, text: str) -> None:
    """Raise InputError unless `check` accepts the spec."""
    try:
        puzzle = load(Path(type_.source.path), text, timeout=SECONDS)
    except Stopped:
        raise InputError(
            f"the rules of {type_.name} take more than {SECONDS:g} s with these values"
        ) from None
    if unused := unused_values(puzzle.instance):
        raise Problems(unused)
    scenes_of(puzzle.instance, None)


def _fields(type_: PuzzleType, rows: int, columns: int) -> Iterator[dict[str, str]]:
    """Yield attempts at the lines of the fields.

    They are of the fields that a spec must have, and of sizes whose default does not fit.
    """
    for length in (1, 0):
        values = example_data(type_, rows, columns, length)
        if values is None:
            return
        lines = {
            name: _field_text(name, type_.fields[name].type, value)
            for name, value in values.items()
        }
        sizes = [field.name for field in type_.fields.values() if _is_optional_size(field)]
        blocks = [f"{height}x{rows // height}" for height in _divisors(rows)]
        for choice in product([None, *blocks], repeat=len(sizes)):
            pairs = zip(sizes, choice)
            sized = {name: f"{name}: {block}" for name, block in pairs if block is not None}
            yield lines | sized


def _is_optional_size(field: Field) -> bool:
    return str(field.type) == "size" and field.default is not None


def _divisors(number: int) -> list[int]:
    """Return the divisors of a number up to its root, except 1, the largest first."""
    numbers = range(int(number**0.5), 1, -1)
    return [divisor for divisor in numbers if number % divisor == 0]


def _field_text(name: str, field_type: Any, value: Any) -> str:
    """Return a field with its value.

    Boards, shapes, mappings to shapes and lists of single values are blocks, other values are on
    one line.
    """
    if isinstance(field_type, GridOf):
        return _block(name, _board_lines(value))
    if isinstance(field_type, ListOf) and value:
        rows = [[entry] if isinstance(entry, str) else entry for entry in value]
        if all(map(_is_row_of_words, rows)):
            return _block(name, [" ".join(row) for row in rows])
    if isinstance(value, dict) and any(map(_is_block, value.values())):
        entries = []
        for key, member in value.items():
            key_text = yaml.safe_dump(key).split("\n")[0]
            entries.append(_field_text(key_text, None, member))
        return f"{name}:\n" + textwrap.indent("\n".join(entries), "  ")
    if _is_block(value):
        return f"{name}: |\n" + textwrap.indent(value.rstrip(), "  ")
    if isinstance(value, str):
        return f"{name}: {value}"
    return f"{name}: {yaml.safe_dump(value, default_flow_style=True, width=10_000).strip()}"


def _block(name: str, lines: Sequence[str]) -> str:
    return f"{name}: |\n" + "\n".join(f"  {line}" for line in lines)


def _board_lines(board: Sequence[Sequence[Any]]) -> list[str]:
    """Return the rows of a board; blanks separate cells of several characters."""
    rows = [[_cell_text(cell) for cell in row] for row in board]
    separator = "" if len(rows[0][0]) == 1 else " "
    return [separator.join(row) for row in rows]


def _cell_text(cell: str | Sequence[str]) -> str:
    return cell if isinstance(cell, str) else "\\".join(cell)


def _is_row_of_words(row: Sequence[Any]) -> bool:
    return all(isinstance(word, str) and not _is_block(word) for word in row)


def _is_block(value: object) -> bool:
    """Whether a value is a text of several lines."""
    return isinstance(value, str) and "\n" in value


def _spec_with(type_: PuzzleType, fields: dict[str, str], note: str = "") -> str:
    """Return the spec: each field below a comment on it.

    A field that has no value here is itself a comment, with its default.
    """
    shown_by = type_.name if is_known(type_.name) else type_.source.path
    title = type_.title or type_.name
    lines = [f"# {title}. puzzlekit show {shown_by} describes the type."]
    if note:
        lines.append(f"# {note}")
    lines += [f"puzzle: {type_.name}", "title: A new puzzle"]
    comment = textwrap.TextWrapper(COLUMNS - 2, initial_indent="# ", subsequent_indent="#   ")
    for field in type_.fields.values():
        about = f" – {field.about.strip()}" if field.about else ""
        lines.append("")
        lines += comment.wrap(f"{field}{about}")
        default = field.default
        if field.name in fields:
            lines.append(fields[field.name])
        elif isinstance(default, ScalarNode) and len(default.value) < COLUMNS // 2:
            lines.append(f"# {field.name}: {default.value}")
    lines += [
        "",
        "# What puzzlekit check compares with the solutions:",
        "# expect:",
        "#   solutions: 1",
        "",
    ]
    return "\n".join(lines)


def schema_text(type_: PuzzleType | None) -> str:
    """Return the schema of a type's specs, or of types, as JSON."""
    schema = type_schema() if type_ is None else spec_schema(type_, examples_of(type_))
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def examples_of(type_: PuzzleType) -> dict[str, list[Any]]:
    """Return short values of each field in the example specs that ship for the type."""
    examples: dict[str, list[Any]] = {}
    for path in example_specs(type_.name):
        spec = read_spec(str(path), read_text(path))
        for name, (_, node) in spec.nodes.items():
            value = plain(node)
            of_field = examples.setdefault(name, [])
            is_short = len(str(value)) <= LONGEST
            if len(of_field) < EXAMPLES and value not in of_field and is_short:
                of_field.append(value)
    return examples
