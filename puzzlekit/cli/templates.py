"""Types and specs to begin with, with comments."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

import yaml
from yaml.nodes import ScalarNode

from puzzlekit.api import load
from puzzlekit.api.scaffold import new_type
from puzzlekit.catalogue import example_specs, find, is_known
from puzzlekit.cli.files import writable, write
from puzzlekit.errors import InputError, Problems, Stopped
from puzzlekit.lang import PuzzleType, read_spec, read_text, read_type
from puzzlekit.lang.data.collections import GridOf, ListOf
from puzzlekit.lang.schema import example_data, plain, schema_line, spec_schema, type_schema
from puzzlekit.lang.type_reader import SPEC_KEYS, is_name
from puzzlekit.lang.unused import unused_values
from puzzlekit.render.build import scenes_of
from puzzlekit.source import parse

COLUMNS = 80
SIZES = ((9, 9), (8, 8), (6, 6), (5, 5), (4, 4), (3, 3))  # tried in turn if no size is given
SECONDS = 20.0  # for the rules of an attempt
MOST = 200  # rows or columns
EXAMPLES = 2  # of a field
LONGEST = 300  # characters of an example


def give_type(name: str, out: Path | None) -> None:
    """Print or write a type to begin with."""
    if not is_name(name):
        raise InputError(
            f"{name[:40]!r} is not a name: use letters, digits, _ and -, beginning with a letter"
        )
    if is_known(name):
        raise InputError(
            f"there is a puzzle type {name}",
            help=f"puzzlekit show {name} describes it; choose another name",
        )
    file = f"{name}.yaml" if out is None else str(out)
    _give(
        f"{schema_line('type.schema.json')}\n{new_type(name, file)}", out, "type.schema.json", None
    )


def give_spec(name: str, size: str | None, out: Path | None) -> None:
    """Print or write a spec of a type to begin with, which `check` accepts."""
    kind = read_type(find(name))
    schema = f"{kind.name}.schema.json"
    _give(f"{schema_line(schema)}\n{spec_text(kind, size)}", out, schema, kind)


def _give(text: str, out: Path | None, schema: str, kind: PuzzleType | None) -> None:
    """Print the text, or write it and its schema beside it."""
    if out is None:
        print(text, end="")
        return
    if out.exists():
        raise InputError(f"--out {out}: there is such a file; choose another name")
    beside = out.parent / schema
    for path in (out, beside):
        writable("--out", path)
    write(beside, schema_text(kind))
    write(out, text)
    print(out)
    print(beside)


def spec_text(type_: PuzzleType, size: str | None) -> str:
    """Return a spec with empty boards; if no board of the type can be empty, with the data of an
    example.

    Raises:
        InputError: No empty spec of this size is valid, and no example has the size.
    """
    wanted = None if size is None else _size(size)
    failed: InputError | None = None
    for rows, columns in SIZES if wanted is None else [wanted]:
        for fields in _fields(type_, rows, columns):
            text = _written(type_, fields)
            try:
                _check(type_, text)
            except InputError as error:
                failed = failed or error
            else:
                return (
                    text if "." in "".join(fields.values()) else _example(type_, wanted)[0] or text
                )
    text, sizes = _example(type_, wanted)
    if text:
        return text
    which = "" if size is None else f" of size {size}"
    why = failed.problems[0].message if isinstance(failed, Problems) else failed
    known = ", ".join(f"{rows}x{columns}" for rows, columns in sorted(sizes))
    help = f"there are examples of {known}" if known else ""
    raise InputError(f"no empty spec of {type_.name}{which} is valid: {why}", help=help)


def unchecked_text(type_: PuzzleType, size: str) -> str:
    """Return a spec with empty boards of a size, which need not meet the checks of the type."""
    rows, columns = _size(size)
    return "\n".join(next(_fields(type_, rows, columns), {}).values() or ["{}"]) + "\n"


def example_text(type_: PuzzleType, size: str | None) -> str:
    """Return a spec with the data of the smallest example, of that size if it is given; empty if
    there is none.
    """
    return _example(type_, None if size is None else _size(size))[0]


def _example(kind: PuzzleType, wanted: tuple[int, int] | None) -> tuple[str, set[tuple[int, int]]]:
    """A spec with the data of the smallest example, of that size if it is given; and the sizes of
    examples seen.
    """
    sizes: set[tuple[int, int]] = set()
    for path in example_specs(kind.name):
        sections = {key: body for key, body in _sections(path).items() if key not in SPEC_KEYS}
        own = _board_sizes(kind, sections)
        sizes |= own
        if wanted is None or wanted in own:
            fields = {key: f"{key}:{body.rstrip()}" for key, body in sections.items()}
            text = _written(kind, fields, "The values are those of an example: replace them.")
            _check(kind, text)
            return text, sizes
    return "", sizes


def _sections(path: Path) -> dict[str, str]:
    """The text after the colon of each key of a spec."""
    source, root = parse(str(path), read_text(path))
    ends = [*(key.start_mark.index for key, _ in root.value[1:]), len(source.text)]
    return {
        key.value: source.text[key.end_mark.index + 1 : end]
        for (key, _), end in zip(root.value, ends)
    }


def _board_sizes(kind: PuzzleType, sections: Mapping[str, str]) -> set[tuple[int, int]]:
    """The rows and columns of the boards that are written as blocks of text."""
    found: set[tuple[int, int]] = set()
    for key, body in sections.items():
        if key in kind.fields and isinstance(kind.fields[key].type, GridOf):
            text = yaml.safe_load(f"{key}:{body}")[key]
            rows = text.split("\n")[:-1] if isinstance(text, str) else []
            if rows:
                found.add(
                    (
                        len(rows),
                        max(len(row.split() if " " in row.strip() else row) for row in rows),
                    )
                )
    return found


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,3})(?:[x×]([0-9]{1,3}))?", text)
    rows, columns = (0, 0) if found is None else (int(found[1]), int(found[2] or found[1]))
    if not (1 <= rows <= MOST and 1 <= columns <= MOST):
        raise InputError(
            f"--size {text}: expected rows x columns, as in 9x9, at most {MOST} of each"
        )
    return rows, columns


def _check(kind: PuzzleType, text: str) -> None:
    """Raise InputError unless `check` accepts the spec."""
    try:
        puzzle = load(Path(kind.source.path), text, timeout=SECONDS)
    except Stopped:
        raise InputError(
            f"the rules of {kind.name} take more than {SECONDS:g} s with these values"
        ) from None
    if unused := unused_values(puzzle.instance):
        raise Problems(unused)
    scenes_of(puzzle.instance, None)


def _fields(kind: PuzzleType, rows: int, columns: int) -> Iterator[dict[str, str]]:
    """The lines of the fields that must be given, and of sizes whose default does not fit; several
    attempts.
    """
    for items in (1, 0):
        values = example_data(kind, rows, columns, items)
        if values is None:
            return
        given = {name: _line(name, kind.fields[name].type, value) for name, value in values.items()}
        sizes = [
            entry.name
            for entry in kind.fields.values()
            if str(entry.type) == "size" and entry.default is not None
        ]
        parts = [(high, rows // high) for high in range(int(rows**0.5), 1, -1) if rows % high == 0]
        for choice in product(*([None, *parts] for _ in sizes)):
            yield given | {
                name: f"{name}: {part[0]}x{part[1]}" for name, part in zip(sizes, choice) if part
            }


def _line(name: str, kind: Any, value: Any) -> str:
    """A field with its value: boards, shapes, mappings to shapes and lists of single values as
    blocks, others on one line.
    """
    if isinstance(kind, GridOf):
        texts = [
            ["\\".join(cell) if isinstance(cell, list) else cell for cell in row] for row in value
        ]
        joint = "" if len(texts[0][0]) == 1 else " "
        return f"{name}: |\n" + "\n".join(f"  {joint.join(row)}" for row in texts)
    if isinstance(kind, ListOf) and value:
        lines = [[part] if isinstance(part, str) else part for part in value]
        if all(isinstance(word, str) and "\n" not in word for line in lines for word in line):
            return f"{name}: |\n" + "\n".join(f"  {' '.join(line)}" for line in lines)
    if isinstance(value, dict) and any(
        isinstance(part, str) and "\n" in part for part in value.values()
    ):
        parts = (
            _line(yaml.safe_dump(key).split("\n")[0], None, part) for key, part in value.items()
        )
        return f"{name}:\n" + textwrap.indent("\n".join(parts), "  ")
    if isinstance(value, str):
        return (
            f"{name}: |\n" + textwrap.indent(value.rstrip(), "  ")
            if "\n" in value
            else f"{name}: {value}"
        )
    return f"{name}: {yaml.safe_dump(value, default_flow_style=True, width=10_000).strip()}"


def _written(kind: PuzzleType, fields: dict[str, str], note: str = "") -> str:
    """The spec: each field below a comment that says what it is; those that are not given are
    comments.
    """
    named = kind.name if is_known(kind.name) else kind.source.path
    lines = [
        f"# {kind.title or kind.name}. puzzlekit show {named} describes the type.",
        *([f"# {note}"] if note else []),
    ]
    lines += [f"puzzle: {kind.name}", "title: A new puzzle"]
    for entry in kind.fields.values():
        about = f" – {entry.about.strip()}" if entry.about else ""
        lines += [
            "",
            *textwrap.wrap(
                f"{entry}{about}", COLUMNS - 2, initial_indent="# ", subsequent_indent="#   "
            ),
        ]
        if entry.name in fields:
            lines.append(fields[entry.name])
        elif isinstance(entry.default, ScalarNode) and len(entry.default.value) < COLUMNS // 2:
            lines.append(f"# {entry.name}: {entry.default.value}")
    lines += [
        "",
        "# What puzzlekit check compares with the solutions:",
        "# expect:",
        "#   solutions: 1",
        "",
    ]
    return "\n".join(lines)


def schema_text(type_: PuzzleType | None) -> str:
    """The schema of a type's specs, or of types, as JSON."""
    made = type_schema() if type_ is None else spec_schema(type_, examples_of(type_))
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def examples_of(type_: PuzzleType) -> dict[str, list[Any]]:
    """Values of each field in the example specs that ship for the type, short ones."""
    found: dict[str, list[Any]] = {}
    for path in example_specs(type_.name):
        for name, (_, node) in read_spec(str(path), read_text(path)).nodes.items():
            value, own = plain(node), found.setdefault(name, [])
            if len(own) < EXAMPLES and value not in own and len(str(value)) <= LONGEST:
                own.append(value)
    return found
