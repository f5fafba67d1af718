"""Generate puzzles of a type, with options by their names."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import SystemRandom
from types import SimpleNamespace
from typing import Any

from puzzlekit.api import Puzzle, example_text, spec_text, unchecked_text
from puzzlekit.catalogue import find, has_generator, is_path, same_name
from puzzlekit.errors import InputError, nearest, option
from puzzlekit.lang import (
    GridOf,
    PuzzleType,
    Spec,
    making_of,
    read_spec,
    read_text,
    read_type,
)
from puzzlekit.making.by_rules import RuleGenerator, command_of
from puzzlekit.making.fields import Base, base_of
from puzzlekit.making.generators import (
    COMMON,
    Generator,
    Parameter,
    Tools,
    load_generator,
)
from puzzlekit.making.leveller import levels_text
from puzzlekit.making.rows import Order
from puzzlekit.reading import assigned_settings

SEEDS = 1_000_000  # from which one is drawn if none is given


def generate(
    type: str | Path,  # noqa: A002
    count: int = 1,
    seed: int | None = None,
    number: int | str | None = None,
    size: str | None = None,
    like: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    symmetry: str | None = None,
    density: int | None = None,
    minimal: bool = False,
    level: str | None = None,
    require: str | None = None,
    clues: int | str | None = None,
    options: Mapping[str, Any] | None = None,
    report: Callable[[str], None] | None = None,
) -> Iterator[Puzzle]:
    """Generate puzzles of a type, each with one solution.

    Args:
        type: The type: its name, or the path of its file.
        count: The number of puzzles.
        seed: A number that makes the puzzles reproducible; None draws one.
        number: The first puzzle of the seed to make; "7.3" is the seventh in its third attempt,
            as the `source` of a spec names it.
        size: The rows and columns of the board, as in "6x6".
        like: A spec whose fields other than clues all puzzles have.
        settings: Fields of all puzzles, with values as in a mapping of the spec.
        symmetry: Which cells lose clues together, as `puzzlekit generate TYPE --help` lists them.
        density: How many of a hundred cells are scattered, such as walls.
        minimal: Whether each clue that is not needed is taken away, also where a type leaves all.
        level: How hard they are: "easy", "medium", "hard", or scores such as "20..50"; several in
            turn, as in "easy,hard", or six of each, as in "easy:6,hard:6".
        require: A pattern that the steps to the solution need, such as "X-wing"; of several, as in
            "naked pair,naked triple", they need one. It cannot be combined with `level`.
        clues: How many clues a puzzle has: 24, or "24..28".
        options: Options of a type that has a generator of its own, by their names.
        report: Called with each message, as when no puzzle is found.

    Returns:
        The puzzles, one at a time. `puzzle.spec.source.text` is the text of the spec.

    Raises:
        InputError: There is no such type, it has no generator, or an option is not valid.

    Examples:
        >>> import puzzlekit
        >>> squares = puzzlekit.generate("examples/latin.yaml", 2, seed=1, size="3x3")
        >>> [puzzle.count() for puzzle in squares]
        [1, 1]
    """
    given = {
        "count": count,
        "seed": seed,
        "number": number,
        "size": size,
        "like": like,
        "set": settings,
        "symmetry": symmetry,
        "density": density,
        "minimal": minimal,
        "level": level,
        "require": require,
        "clues": clues,
        **(options or {}),
    }
    name = str(type)
    tell = report or _ignore
    if has_generator(name):
        generator, type_ = load_generator(name)
        values = _values(name, (*COMMON, *generator.OPTIONS), given)
    else:
        type_ = read_type(find(name))
        values = _values(name, (*COMMON, *RuleGenerator.OPTIONS), given)
        generator = RuleGenerator(base_puzzle(type_, values))
    tools = Tools(type_, values.seed, tell)
    return _puzzles(generator, values, tools)


def _puzzles(generator: Generator, values: SimpleNamespace, tools: Tools) -> Iterator[Puzzle]:
    for generated in generator.generate(values, tools):
        yield tools.puzzle(generated.text)


def _ignore(message: str) -> None:
    """Report nothing."""


def _values(
    name: str, parameters: Sequence[Parameter], given: Mapping[str, Any]
) -> SimpleNamespace:
    """Return the values of the options of a type, as a generator takes them.

    Raises:
        InputError: The type has no such option, or a setting is not valid.
    """
    by_name = {parameter.name.replace("-", "_"): parameter for parameter in parameters}
    values = SimpleNamespace()
    for key, parameter in by_name.items():
        setting = given.get(key)
        if setting is None or setting is False:
            setting = False if parameter.type is bool else parameter.default
        setattr(values, key, _value(parameter, setting))
    for key, setting in given.items():
        if key not in by_name and setting not in (None, False):
            help = nearest(key, by_name)
            raise InputError(f"puzzles of {name} are generated without {option(key)}", help=help)
    for parameter in parameters:
        rival = parameter.rival.replace("-", "_")
        if rival and getattr(values, rival, None) and getattr(values, parameter.name, None):
            raise InputError(f"{option(parameter.name)} cannot be combined with {option(rival)}")
    if values.seed is None:
        values.seed = SystemRandom().randrange(SEEDS)
    return values


def _value(parameter: Parameter, setting: Any) -> Any:
    """Return the setting of an option, read from its text. Raises InputError."""
    if parameter.repeated:
        pairs = setting.items() if isinstance(setting, Mapping) else ()
        return [f"{name}={_text(member)}" for name, member in pairs]
    if setting is None or parameter.type is bool:
        return setting
    if parameter.choices and setting not in parameter.choices:
        choices = ", ".join(parameter.choices)
        raise InputError(f"{option(parameter.name)} requires one of {choices}, got {setting!r}")
    try:
        return parameter.type(str(setting))
    except InputError as error:
        raise InputError(f"{option(parameter.name)}: {error}", help=error.help) from None


def _text(setting: Any) -> str:
    """Return a setting of a field as a spec has it on one line."""
    return setting if isinstance(setting, str) else json.dumps(setting)


def order(type_: PuzzleType, options: SimpleNamespace) -> Order:
    """Return the order of rows of a type."""
    base = base_puzzle(type_, options).spec.source.text
    names = ("like", "symmetry", "density", "minimal", "size")
    recorded: dict[str, object] = {name: getattr(options, name) for name in names}
    recorded["set"] = tuple(options.set)
    recorded["level"] = None
    for name in ("require", "clues"):
        wish = getattr(options, name, None)
        recorded[name] = None if wish is None else wish.text
    if options.level:
        recorded["level"] = levels_text(options.level)
    path = str(Path(type_.source.path).resolve())
    command = command_of(type_, options, options.seed)
    return Order(path, base, tuple(recorded.items()), options.seed, command)


def base_puzzle(type_: PuzzleType, options: SimpleNamespace) -> Base:
    """Return the data that all puzzles have in common.

    It is the spec of --like, or a spec with empty boards of --size, with the fields of --set.
    Boards that hold no clues, as of regions, are those of the smallest spec that ships.
    """
    text = _base_text(type_, options)
    spec = read_spec(str(options.like or "<made>"), text)
    _require_same_type(type_, spec, options.like)
    assigned = assigned_settings(options.set)
    for name in assigned:
        if name not in type_.fields:
            help = nearest(name, type_.fields)
            raise InputError(f"{option('settings')}: {type_.name} has no field {name}", help=help)
    fields = ["title: base"]
    for name, (key, node) in spec.nodes.items():
        if name not in assigned:
            field = text[key.start_mark.index : node.end_mark.index]
            fields.append(field.rstrip())
    for name, setting in assigned.items():
        fields.append(f"{name}: {setting}".rstrip())
    lines = "\n".join(fields)
    return base_of(type_, f"{lines}\n", bool(options.like), assigned)


def _require_same_type(type_: PuzzleType, spec: Spec, path: Path | None) -> None:
    """Raise InputError if the spec of --like names another type."""
    name = spec.text("puzzle")
    names = (type_.name, Path(type_.source.path).stem, *type_.aliases)
    if not path or not name or is_path(name):
        return
    if not any(same_name(name, alias) for alias in names):
        raise InputError(f"{option('like')} {path}: a spec of {name}, not of {type_.name}")


def _base_text(type_: PuzzleType, options: SimpleNamespace) -> str:
    """Return the text of the spec of --like, or of a spec with empty boards."""
    if options.like:
        return read_text(options.like)
    making = making_of(type_)
    size = options.size or making.size
    if making.layout or making.design:
        return unchecked_text(type_, size or "8x8")
    required = [field.type for field in type_.required()]
    if any(isinstance(board, GridOf) and not board.empty for board in required):
        text = example_text(type_, size or None)
        if text:
            return text
    return spec_text(type_, size or None)
