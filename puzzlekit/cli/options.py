"""The options and arguments of commands as typer reads them, and the puzzles that arguments name.

Groups of options and what `Option` states are translated; all else is typer's own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from inspect import Parameter, Signature, signature
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

import typer

from puzzlekit.cli import completion
from puzzlekit.clock import Clock
from puzzlekit.errors import InputError, closest
from puzzlekit.options import LoadOptions, Option
from puzzlekit.processes.command import began, end_after

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
        help="a type's name or path, and specs of it; or only specs; a folder stands for all specs in it",
    ),
]
Svg = Annotated[Path | None, Option("write the solutions as a picture", "FILE")]
Html = Annotated[Path | None, Option("write the solutions as an HTML page", "FILE")]
Watch = Annotated[bool, Option("run again each time a file is saved, until Ctrl-C")]
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
    """Fields of a group that a command does not offer, with their values, as metadata of an
    `Annotated` group.
    """


def flat(command: Callable[..., int | None]) -> Callable[..., int | None]:
    """Return the command with a parameter for each field of its groups, each as typer reads it."""
    groups: dict[str, tuple[Any, HiddenOptions, list[str]]] = {}
    parameters: list[Parameter] = []
    for parameter in signature(command, eval_str=True).parameters.values():
        kind, *more = (
            get_args(parameter.annotation)
            if _is_annotated(parameter.annotation)
            else (parameter.annotation,)
        )
        if not is_dataclass(kind):
            parameters.append(_parameter(parameter.name, parameter.annotation, parameter.default))
            continue
        hints = get_type_hints(kind, include_extras=True)
        fixed = next((one for one in more if isinstance(one, HiddenOptions)), HiddenOptions())
        own = [
            field
            for field in fields(kind)
            if _is_annotated(hints[field.name]) and field.name not in fixed
        ]
        groups[parameter.name] = kind, fixed, [field.name for field in own]
        parameters += (_parameter(field.name, hints[field.name], field.default) for field in own)

    def run(**given: Any) -> int | None:
        for name, (group, fixed, own) in groups.items():
            values = {field: given.pop(field) for field in own}
            if "settings" in own:
                values["settings"] = settings(values["settings"])
            given[name] = group(**fixed, **values)
        return command(**given)

    run.__doc__, run.__name__ = command.__doc__, command.__name__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return run


def _is_annotated(kind: Any) -> bool:
    return get_origin(kind) is Annotated


def _parameter(name: str, kind: Any, default: Any) -> Parameter:
    """Return the parameter for typer: an `Option` becomes one of typer's."""
    if _is_annotated(kind):
        plain, *more = get_args(kind)
        if get_origin(plain) is Mapping:  # one NAME=VALUE after the other
            plain, default = list[str] | None, None
        kind = Annotated[
            plain, *(_typers(name, one) if isinstance(one, Option) else one for one in more)
        ]
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _typers(name: str, option: Option) -> Any:
    return typer.Option(
        option.name or f"--{name.replace('_', '-')}",
        help=option.help,
        metavar=option.metavar or None,
        min=option.least,
        autocompletion=getattr(completion, option.completes) if option.completes else None,
        callback=a_number if isinstance(option.least, float) else None,
    )


def a_number(value: float | None) -> float | None:
    """Refuse NaN, which no bound refuses: it is neither less nor greater than any."""
    if value is not None and isnan(value):
        raise typer.BadParameter("nan is not a number of seconds")
    return value


def settings(given: Sequence[str] | None) -> dict[str, str]:
    """Return the fields that --set gives."""
    pairs = {}
    for setting in given or ():
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"--set {setting}: expected FIELD=VALUE")
        pairs[name.strip()] = value
    return pairs


# Puzzles as arguments name them: a type and specs, specs that name their type, or links -----------


def clock_for(timeout: float | None, anew: bool = False) -> Clock:
    """Return the clock of a command, which ends after so many seconds: from its start, or with
    `anew` from now.
    """
    end_after(timeout, anew)
    return Clock(timeout, None if anew else began())


def load_puzzle(
    type_or_spec: str, spec: str | None, clock: Clock, loading: LoadOptions = LoadOptions()
) -> Puzzle:
    """Load a type and a spec of it, or what the only argument names. Raises InputError, and
    Stopped.
    """
    from puzzlekit.api import load
    from puzzlekit.api.sources import is_yaml
    from puzzlekit.catalogue import find, read_header, types
    from puzzlekit.links import is_written, read

    given = {**vars(loading), "clock": clock}
    if is_written(spec or type_or_spec):
        return load(None if spec is None else find(type_or_spec), spec or type_or_spec, **given)
    if "://" in (spec or type_or_spec):
        read(spec or type_or_spec)  # no notation does
    if spec is not None and Path(type_or_spec).is_file() and not read_header(Path(type_or_spec)).is_type:
        help = "write TYPE SPEC, or a single SPEC that names its type"
        raise InputError(f"expected a puzzle type, got the spec {type_or_spec}", help=help)
    if spec is None and not _names_type(type_or_spec, bool(loading.settings)):
        type_or_spec, spec = "", type_or_spec
        if (
            spec == Path(spec).stem != "-"
            and not Path(spec).exists()
            and not Path(f"{spec}.yaml").exists()
        ):
            meant = closest(spec, [*types()]) or "puzzlekit list names the types"
            raise InputError(
                f"{spec}: there is no such file", help=f"there is no such type, either; {meant}"
            )
    # An argument is always a path, even if the API would read it as YAML text.
    type_ = find(type_or_spec) if is_yaml(type_or_spec) else type_or_spec or None
    return load(type_, spec if spec in (None, "-") else Path(spec), **given)


def named_puzzles(files: Sequence[str]) -> list[tuple[str, str | None]]:
    """Return what to give to `load_puzzle` for each spec: of one type, which comes first, or of the
    type that it names.

    A folder stands for its specs, unless it has the name of a type.
    """
    from puzzlekit.catalogue import is_known, specs_in

    if files.count("-") > 1:
        raise InputError("standard input can be read only once, but - is given more than once")
    is_folder = [Path(file).is_dir() and not is_known(file) for file in files]
    type_first = len(files) > 1 and not is_folder[0] and not _is_spec(files[0])
    specs: list[str] = []
    for file, folder in [*zip(files, is_folder)][type_first:]:
        specs += map(str, specs_in(Path(file))) if folder else [file]
    return [(files[0], spec) if type_first else (spec, None) for spec in specs]


def _is_spec(file: str) -> bool:
    """Whether it is a spec, and not a type."""
    from puzzlekit.catalogue import read_header
    from puzzlekit.links import is_written

    return (
        file == "-"
        or is_written(file)
        or (Path(file).is_file() and not read_header(Path(file)).is_type)
    )


def is_type(argument: str) -> bool:
    """Whether an argument is a type, by the path of its file or by name. Raises InputError if a
    file cannot be read.
    """
    from puzzlekit.catalogue import is_known, read_header

    if argument == "-":
        return False
    return read_header(Path(argument)).is_type if Path(argument).is_file() else is_known(argument)


def _names_type(kind: str, given: bool) -> bool:
    """Whether the only argument is a type, not a spec. Raises InputError if it requires fields."""
    from puzzlekit.catalogue import find
    from puzzlekit.lang import read_type

    if not is_type(kind):
        return False
    if not given and (required := read_type(find(kind)).required()):
        raise InputError(
            f"expected a spec, got only the type {kind}",
            help=f"write {kind} SPEC, or --set {required[0].name}=…;"
            f" puzzlekit show {kind} lists the fields of a spec",
        )
    return True
