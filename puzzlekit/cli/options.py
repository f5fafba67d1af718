"""The options and arguments of commands for typer, and the puzzles that arguments name.

Commands state options that the API shares as `Option`, in groups that are dataclasses. `flat`
translates these for typer; all other annotations are typer's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, signature
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import typer

from puzzlekit.cli import completion
from puzzlekit.clock import Clock
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import InputError
from puzzlekit.options import LoadOptions, Option
from puzzlekit.processes import command_start, end_command_after

if TYPE_CHECKING:
    from puzzlekit.api import Puzzle

TypeName = Annotated[
    str,
    typer.Argument(metavar="TYPE", autocompletion=completion.types, help="a type's name or path"),
]
TypeOrSpec = Annotated[
    str,
    typer.Argument(
        metavar="TYPE",
        autocompletion=completion.types,
        help="a type's name or the path of its file; may be omitted if the spec names it",
    ),
]
SpecPath = Annotated[
    str | None,
    typer.Argument(
        metavar="SPEC", help="the path of a spec, or a link to a puzzle; - reads standard input"
    ),
]
Specs = Annotated[
    list[str],
    typer.Argument(
        metavar="[TYPE] SPEC…",
        autocompletion=completion.types,
        help="a type's name or path, and specs of it; or only specs;"
        " a folder stands for all specs in it",
    ),
]
Svg = Annotated[Path | None, Option("write the solutions as a picture", "FILE")]
Html = Annotated[Path | None, Option("write the solutions as an HTML page", "FILE")]
Watch = Annotated[bool, Option("run again each time a file is saved, until Ctrl-C")]
Candidates = Annotated[bool, Option("draw the values that remain for each cell")]
Without = Annotated[
    str | None,
    Option("do not look for these patterns or classes of patterns, such as fish,XY-wing", "NAMES"),
]
Json = Annotated[bool, Option("print one JSON object and nothing else", name="--json")]
NoColor = Annotated[bool, Option("print without colours, as with the variable NO_COLOR")]


@dataclass(frozen=True)
class ComparisonOutput:
    """How a comparison is shown."""

    svg: Annotated[
        Path | None, Option("draw a chart of the seconds; requires an extra", "FILE")
    ] = None
    verbose: Annotated[
        bool, Option("show what each was given and did, what presolve took away, and the passes")
    ] = False
    as_json: Json = False
    as_csv: Annotated[
        bool, Option("print one line for each backend on each puzzle", name="--csv")
    ] = False
    no_color: NoColor = False


class HiddenOptions(dict[str, Any]):
    """Fields of a group that a command does not offer, with their values.

    They are metadata of the group's annotation.
    """


def flat(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """Translate a command for typer, which knows no groups of options.

    The returned function has a parameter for each field of the command's groups, each annotated as
    typer reads it. It builds the groups and calls the command.
    """
    groups: dict[str, _Group] = {}
    parameters: list[Parameter] = []
    for parameter in signature(command, eval_str=True).parameters.values():
        class_, metadata = _split(parameter.annotation)
        if is_dataclass(class_):
            group = _group(class_, metadata)
            groups[parameter.name] = group
            parameters += group.parameters
        else:
            parameters.append(_parameter(parameter.name, parameter.annotation, parameter.default))

    def run(**arguments: Any) -> int | None:
        for name, group in groups.items():
            arguments[name] = group.take_from(arguments)
        return command(**arguments)

    run.__doc__ = command.__doc__
    run.__name__ = command.__name__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return run


class _Group(NamedTuple):
    """A dataclass whose fields are options of a command.

    Attributes:
        create: The dataclass.
        hidden: The values of the fields that the command does not offer.
        parameters: A parameter for each field that it offers.
    """

    create: Callable[..., Any]
    hidden: HiddenOptions
    parameters: list[Parameter]

    def take_from(self, arguments: dict[str, Any]) -> Any:
        """Remove the fields from the arguments, and return the group that has their values."""
        values = {parameter.name: arguments.pop(parameter.name) for parameter in self.parameters}
        if "settings" in values:
            from puzzlekit.reading import assigned_settings  # which imports the YAML reader

            values["settings"] = assigned_settings(values["settings"])
        return self.create(**self.hidden, **values)


def _group(class_: Any, metadata: Sequence[Any]) -> _Group:
    """Return the group of a dataclass, with the metadata of its annotation."""
    hidden = HiddenOptions()
    for entry in metadata:
        if isinstance(entry, HiddenOptions):
            hidden = entry
    annotations = get_type_hints(class_, include_extras=True)
    parameters = []
    for field in fields(class_):
        annotation = annotations[field.name]
        if _is_annotated(annotation) and field.name not in hidden:
            parameters.append(_parameter(field.name, annotation, field.default))
    return _Group(class_, hidden, parameters)


def _is_annotated(annotation: Any) -> bool:
    return get_origin(annotation) is Annotated


def _split(annotation: Any) -> tuple[Any, Sequence[Any]]:
    """Return the plain type of an annotation, and its metadata."""
    if not _is_annotated(annotation):
        return annotation, ()
    plain, *metadata = get_args(annotation)
    return plain, metadata


def _parameter(name: str, annotation: Any, default: Any) -> Parameter:
    """Return the parameter for typer: an `Option` becomes one of typer's."""
    if _is_annotated(annotation):
        plain, metadata = _split(annotation)
        if get_origin(plain) is Mapping:  # on the command line, NAME=VALUE any number of times
            plain = list[str] | None
            default = None
        translated = [
            _typer_option(name, entry) if isinstance(entry, Option) else entry for entry in metadata
        ]
        annotation = Annotated[plain, *translated]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _typer_option(name: str, option: Option) -> Any:
    declaration = option.name or f"--{name.replace('_', '-')}"
    completes = None
    if option.completes:
        completes = getattr(completion, option.completes)
    callback = None
    if isinstance(option.least, float):
        callback = a_number
    return typer.Option(
        declaration,
        help=option.help,
        metavar=option.metavar or None,
        min=option.least,
        autocompletion=completes,
        callback=callback,
    )


def a_number(value: float | None) -> float | None:
    """Refuse NaN, which passes every bound, as it is neither less nor greater than any number."""
    if value is not None and isnan(value):
        raise typer.BadParameter("nan is not a number of seconds")
    return value


# Puzzles as arguments name them: a type and specs, specs that name their type, or links -----------


def argument_type(argument: str) -> Path:
    """Return the file of a type that an argument names. Raises InputError."""
    from puzzlekit.catalogue import find

    return find(argument)


def clock_for(timeout: float | None, anew: bool = False) -> Clock:
    """Return the clock of a command, and have the command end when the time is up.

    The time counts from the start of the command, or with `anew` from now.
    """
    end_command_after(timeout, anew)
    return Clock(timeout, None if anew else command_start())


def load_puzzle(
    type_or_spec: str, spec: str | None, clock: Clock, loading: LoadOptions = LoadOptions()
) -> Puzzle:
    """Load a type and a spec of it, or what the only argument names.

    Raises:
        InputError: There is no such type or spec, or one has errors.
        Stopped: The time is up.
    """
    from puzzlekit.api import is_yaml, load
    from puzzlekit.catalogue import find, read_header, require_file
    from puzzlekit.links import is_written, read

    options = {**vars(loading), "clock": clock}
    last = spec or type_or_spec
    if is_written(last):
        return load(None if spec is None else find(type_or_spec), last, **options)
    if "://" in last:
        read(last)  # raises that this is a link of no known notation
    if spec is None:
        if not _names_type(type_or_spec, bool(loading.settings)):
            require_file(type_or_spec)
            type_or_spec, spec = "", type_or_spec
    elif Path(type_or_spec).is_file() and not read_header(Path(type_or_spec)).is_type:
        help = "write TYPE SPEC, or a single SPEC that names its type"
        raise InputError(f"expected a puzzle type, got the spec {type_or_spec}", help=help)
    # An argument is always a path, even if the API would read it as YAML text.
    type_ = find(type_or_spec) if is_yaml(type_or_spec) else type_or_spec or None
    return load(type_, spec if spec in (None, "-") else Path(spec), **options)


def named_puzzles(files: Sequence[str]) -> list[tuple[str, str | None]]:
    """Return the arguments of `load_puzzle` for each spec.

    The specs are of one type, which comes first, or of the type that each of them names. A folder
    stands for its specs, unless it has the name of a type.
    """
    from puzzlekit.catalogue import is_known, specs_in

    if files.count("-") > 1:
        raise InputError("standard input can be read only once, but - is given more than once")
    is_folder = [Path(file).is_dir() and not is_known(file) for file in files]
    type_first = len(files) > 1 and not is_folder[0] and not _is_spec(files[0])
    specs: list[str] = []
    for file, folder in [*zip(files, is_folder)][type_first:]:
        specs += map(str, specs_in(Path(file))) if folder else [file]
    if type_first:
        return [(files[0], spec) for spec in specs]
    return [(spec, None) for spec in specs]


def _is_spec(file: str) -> bool:
    """Whether it is a spec, and not a type."""
    from puzzlekit.catalogue import read_header
    from puzzlekit.links import is_written

    if file == "-" or is_written(file):
        return True
    return Path(file).is_file() and not read_header(Path(file)).is_type


def _names_type(argument: str, has_settings: bool) -> bool:
    """Whether the only argument is a type, not a spec.

    Raises:
        InputError: It is a type that requires fields, and none is set.
    """
    from puzzlekit.catalogue import find, is_type
    from puzzlekit.lang import read_type

    if not is_type(argument):
        return False
    if has_settings:
        return True
    required = read_type(find(argument)).required()
    if required:
        help = (
            f"write {argument} SPEC, or --set {required[0].name}=…;"
            f" puzzlekit show {argument} lists the fields of a spec"
        )
        raise InputError(f"expected a spec, got only the type {argument}", help=help)
    return True
