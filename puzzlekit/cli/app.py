"""The commands and their options. Only typer is imported until a command runs."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, cast

import typer
from typer.core import TyperGroup

from puzzlekit import __version__
from puzzlekit.cli import completion
from puzzlekit.clock import Clock
from puzzlekit.errors import BackendBug, InputError, PuzzlekitError, Stopped, Unsupported, closest, printable
from puzzlekit.processes import command

if TYPE_CHECKING:
    from puzzlekit.api import Puzzle


class Commands(TyperGroup):
    """The commands. An unknown option is an error that names a command that has it."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            if type(error).__name__ == "NoSuchOption":  # its module depends on typer's version
                option = getattr(error, "option_name", "")
                having = [
                    name for name, command in self.commands.items() if any(option in known.opts for known in command.params)
                ]
                if having:
                    cast(Any, error).message += f", but {having[0]} {'has' if len(having) == 1 else 'and others have'} it"
                    cast(Any, error).possibilities = None
            raise


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Solve, count, optimise and generate constraint puzzles written in YAML.\n\n"
    "Exit codes: 0 solutions found, 1 no solution, 2 invalid input or a backend that does not support the puzzle, "
    "3 stopped early, 130 interrupted.",
)

Kind = Annotated[
    str,
    typer.Argument(
        metavar="TYPE",
        autocompletion=completion.types,
        help="a type's name or the path of its file; may be omitted if the spec names it",
    ),
]
SpecPath = Annotated[
    str | None, typer.Argument(metavar="SPEC", help="the path of a spec, or a link to a puzzle; - reads standard input")
]
Goal = Annotated[
    str | None, typer.Option("--goal", metavar="NAME|none", autocompletion=completion.goals, help="the goal to optimise")
]
Rank = Annotated[
    str | None,
    typer.Option(
        "--rank", metavar="NAME|none", autocompletion=completion.goals, help="rank solutions by this goal, best first"
    ),
]
Limit = Annotated[int | None, typer.Option("--limit", min=1, metavar="N", help="list at most N solutions")]
Everything = Annotated[bool, typer.Option("--all", help="list every solution; with --goal, every optimal one")]
Counting = Annotated[
    bool, typer.Option("--count", help="print only the exact number of solutions; with --goal, of optimal ones")
]


def a_number(value: float | None) -> float | None:
    """Refuse NaN, which no bound refuses: it is neither less nor greater than any."""
    if value is not None and isnan(value):
        raise typer.BadParameter("nan is not a number of seconds")
    return value


Timeout = Annotated[
    float | None, typer.Option("--timeout", min=0.0, metavar="S", help="stop after S seconds", callback=a_number)
]
Sample = Annotated[int | None, typer.Option("--sample", min=1, metavar="N", help="draw N solutions at random")]
Uniform = Annotated[bool, typer.Option("--uniform", help="with --sample: exactly as likely each, however long it takes")]
Seed = Annotated[int | None, typer.Option("--seed", metavar="N", help="with --sample: repeat the same draws")]
Backbone = Annotated[bool, typer.Option("--backbone", help="show what all solutions share, and what differs most")]
Memory = Annotated[str | None, typer.Option("--memory", metavar="SIZE", help="stop if more memory than this is used: 500M, 2G")]
Steps = Annotated[int | None, typer.Option("--steps", min=1, metavar="N", help="refuse rules that take more than N steps")]
Words = Annotated[
    str | None,
    typer.Option(
        "--words",
        metavar="LEXICON",
        autocompletion=completion.lexicons,
        help="use this lexicon instead of the spec's: a name, a path, a+b, a-b, a:N",
    ),
]
BackendName = Annotated[
    str, typer.Option("--backend", metavar="NAME|auto", autocompletion=completion.backends, help="the backend to use")
]
FoldAccents = Annotated[bool, typer.Option("--fold-accents", help="remove accents from letters in the spec and its words")]
Settings = Annotated[list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="set a field of the spec")]
Json = Annotated[bool, typer.Option("--json", help="print one JSON object and nothing else")]
Level = Annotated[
    str,
    typer.Option(
        "--presolve",
        metavar="none|light|full",
        autocompletion=completion.levels,
        help="how much smaller the model is made before a backend gets it",
    ),
]
Watch = Annotated[bool, typer.Option("--watch", help="run again each time a file is saved, until Ctrl-C")]
NoColor = Annotated[bool, typer.Option("--no-color", help="print without colours, as with the variable NO_COLOR")]


def _finish(work: Callable[[], int | None]) -> NoReturn:
    """Run a command; every error becomes a message and an exit code before typer sees it."""
    try:
        code = _run(work)
        sys.stdout.flush()
    except OSError as error:
        code = _unwritten(error)
    raise typer.Exit(code)


def _finish_watching(work: Callable[[], int | None], files: list[Path]) -> NoReturn:
    """Run a command now and after each change of its files."""

    def watching() -> int:
        from puzzlekit.cli.commands.watch import watch

        return watch(lambda: _run(work), files)

    try:
        code = watching()
    except InputError as error:
        _report(str(error))
        code = 2
    except KeyboardInterrupt:
        code = 130
    except OSError as error:
        code = _unwritten(error)
    raise typer.Exit(code)


def _unwritten(error: OSError) -> int:
    """Report a failed write, discard the rest of the buffer, and return the exit code."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):  # the reader stopped reading
        return 141
    if error.filename is not None:
        _report(f"{error.filename}: {error.strerror or error}")
    else:
        _report(f"cannot write to standard output: {error.strerror or error}\n     = the rest of the output is lost")
    return 2


def _run(work: Callable[[], int | None]) -> int:
    try:
        with command.interrupts.at_work():
            return work() or 0
    except InputError as error:
        _report(str(error))
        return 2
    except Unsupported as error:
        if error.everywhere:
            _report(f"no installed backend supports the puzzle: {error}")
        else:
            _report(f"this backend does not support the puzzle: {error}\n     = use --backend auto to select one that does")
        return 2
    except BackendBug as error:
        _report(f"this is a bug in puzzlekit, please report it: {error}")
        return 70
    except PuzzlekitError as error:
        _report(str(error))
        return 3
    except KeyboardInterrupt:
        _report("interrupted")
        return 130
    except MemoryError:
        _report("not enough memory")
        return 3


def _report(message: str) -> None:
    with contextlib.suppress(OSError):
        try:
            print(printable(message), file=sys.stderr)
        except MemoryError:  # the bound of --memory is met, so that not even this can be printed
            os.write(2, b"not enough memory\n")


def _load(
    kind: str,
    spec: str | None,
    words: str | None,
    settings: list[str] | None,
    clock: Clock,
    steps: int | None = None,
    fold_accents: bool = False,
) -> Puzzle:
    from puzzlekit.api import load
    from puzzlekit.api.sources import is_yaml
    from puzzlekit.catalogue import find, types
    from puzzlekit.lang import is_type
    from puzzlekit.links import is_written

    pairs = _settings(settings)
    if is_written(spec or kind):
        return load(None if spec is None else find(kind), spec or kind, words, pairs, fold_accents, clock=clock, steps=steps)
    if spec is not None and Path(kind).is_file() and not is_type(Path(kind)):
        hint = "write TYPE SPEC, or a single SPEC that names its type"
        raise InputError(f"expected a puzzle type, got the spec {kind}\n     = {hint}")
    if spec is None and not _names_type(kind, bool(pairs)):
        kind, spec = "", kind
        if spec == Path(spec).stem != "-" and not Path(spec).exists() and not Path(f"{spec}.yaml").exists():
            meant = closest(spec, [*types()]) or "puzzlekit list names the types"
            raise InputError(f"{spec}: there is no such file\n     = there is no such type, either; {meant}")
    # An argument is always a path, even if the API would read it as YAML text.
    type_ = find(kind) if is_yaml(kind) else kind or None
    path = spec if spec in (None, "-") else Path(spec)
    return load(type_, path, words, pairs, fold_accents, clock=clock, steps=steps)


def _load_several(
    files: list[str],
    words: str | None,
    settings: list[str] | None,
    clock: Clock,
    steps: int | None,
    fold_accents: bool = False,
) -> list[Puzzle]:
    """Load specs of one type, which comes first, or specs that name their types."""
    if files.count("-") > 1:
        raise InputError("standard input can be read only once, but - is given more than once")
    first, *rest = files
    if rest and not _is_spec(first):
        return [_load(first, spec, words, settings, clock, steps, fold_accents) for spec in rest]
    return [_load(file, None, words, settings, clock, steps, fold_accents) for file in files]


def _settings(given: list[str] | None) -> dict[str, str]:
    """The fields that --set gives."""
    pairs = {}
    for setting in given or []:
        name, equals, value = setting.partition("=")
        if not equals:
            raise InputError(f"--set {setting}: expected FIELD=VALUE")
        pairs[name.strip()] = value
    return pairs


def _is_spec(file: str) -> bool:
    """Whether it is a spec, and not a type."""
    from puzzlekit.lang import is_type
    from puzzlekit.links import is_written

    return file == "-" or is_written(file) or (Path(file).is_file() and not is_type(Path(file)))


def _names_type(kind: str, given: bool) -> bool:
    """Whether the only argument is a type, not a spec. Raises InputError if it requires fields."""
    from puzzlekit.catalogue import find, is_known
    from puzzlekit.lang import is_type, read_type

    if kind == "-" or not (is_type(Path(kind)) if Path(kind).is_file() else is_known(kind)):
        return False
    if not given and (required := read_type(find(kind)).required()):
        raise InputError(
            f"expected a spec, got only the type {kind}\n     = write {kind} SPEC, or --set {required[0].name}=…;"
            f" puzzlekit show {kind} lists the fields of a spec"
        )
    return True


Svg = Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="write the solutions as a picture")]
Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="write the solutions as an HTML page")]


@app.command()
def solve(
    kind: Kind,
    spec: SpecPath = None,
    backend: BackendName = "auto",
    goal: Goal = None,
    rank: Rank = None,
    limit: Limit = None,
    everything: Everything = False,
    counting: Counting = False,
    sample: Sample = None,
    seed: Seed = None,
    uniform: Uniform = False,
    backbone: Backbone = False,
    timeout: Timeout = None,
    steps: Steps = None,
    memory: Memory = None,
    words: Words = None,
    fold_accents: FoldAccents = False,
    settings: Settings = None,
    presolve: Level = "full",
    svg: Svg = None,
    html: Html = None,
    watch: Watch = False,
    as_json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Print a solution and whether it is unique; with a goal, a solution that is proven optimal."""

    def work() -> int:
        from puzzlekit.api import Means, Query
        from puzzlekit.cli.commands.solve import solve as run
        from puzzlekit.cli.commands.solve import stopped_loading
        from puzzlekit.cli.whole_files import Pictures

        clock = Clock(timeout, None if watch else command.began())
        query = Query.of_options(goal, limit, everything, counting, sample, seed, rank, presolve, uniform)
        command.end_after(timeout, anew=watch)
        if as_json:
            from puzzlekit.cli.screen import of_backbone, of_solve

            command.report_if_ended(of_backbone(backend) if backbone else of_solve(backend))
        if memory is not None:
            command.limit_memory(memory)
        if backbone:
            from puzzlekit.cli.commands.backbone import backbone as run_backbone

            if svg is not None or html is not None:
                raise InputError("--svg and --html cannot be combined with --backbone")
            query.require_about_all()
        means: Means = {"backend": backend, "clock": clock, "isolated": memory is not None}
        try:
            puzzle = _load(kind, spec, words, settings, clock, steps, fold_accents)
        except Stopped as reason:
            return stopped_loading(reason, backend, clock, as_json, backbone)
        if backbone:
            return run_backbone(puzzle, query, as_json, no_color, **means)
        return run(puzzle, query, as_json, no_color, Pictures(svg, html), limit is not None, **means)

    if watch:
        from puzzlekit.links import is_written

        named = [file for file in (kind, spec) if file is not None and not is_written(file)]
        files = [Path(file) for file in named if file == spec or Path(file).is_file()]
        _watched(files, as_json)
        _finish_watching(work, files)
    _finish(work)


def _watched(files: list[Path], as_json: bool) -> None:
    """Report what --watch cannot be combined with, and exit."""

    def check() -> None:
        if as_json:
            raise InputError("--watch cannot be combined with --json")
        if not files or Path("-") in files:
            raise InputError("--watch requires a file, not standard input or only the name of a type")

    if code := _run(check):
        raise typer.Exit(code)


@app.command()
def draw(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="[TYPE] SPEC…",
            autocompletion=completion.types,
            help="a type's name or path, and specs of it; or only specs",
        ),
    ],
    words: Words = None,
    fold_accents: FoldAccents = False,
    settings: Settings = None,
    timeout: Timeout = None,
    steps: Steps = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="write one picture")] = None,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help="write one picture of pixels")] = None,
    html: Annotated[Path | None, typer.Option("--html", metavar="FILE", help="write an HTML page to read or print")] = None,
    pdf: Annotated[Path | None, typer.Option("--pdf", metavar="FILE", help="write a document to print")] = None,
    solutions: Annotated[bool, typer.Option("--solutions", help="solve each puzzle and add its solution at the end")] = False,
    backend: Annotated[
        str | None,
        typer.Option(
            "--backend", metavar="NAME|auto", autocompletion=completion.backends, help="with --solutions: the backend to use"
        ),
    ] = None,
    no_color: NoColor = False,
) -> None:
    """Draw puzzles; with --solutions, their solutions follow at the end."""

    def work() -> int:
        from puzzlekit.cli.commands.draw import check_files
        from puzzlekit.cli.commands.draw import draw as run

        if backend is not None and not solutions:
            raise InputError("--backend requires --solutions")
        pictures = {"--svg": svg, "--png": png, "--html": html, "--pdf": pdf}
        check_files(pictures)
        command.end_after(timeout)
        clock = Clock(timeout, command.began())
        puzzles = _load_several(files, words, settings, clock, steps, fold_accents)
        return run(puzzles, pictures, (backend or "auto") if solutions else None, timeout, no_color)

    _finish(work)


@app.command()
def compare(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="[TYPE] SPEC…",
            autocompletion=completion.types,
            help="a type's name or path, and specs of it; or only specs",
        ),
    ],
    backends: Annotated[
        str | None,
        typer.Option(
            "--backends", metavar="a,b,…", autocompletion=completion.several_backends, help="the backends; all by default"
        ),
    ] = None,
    goal: Goal = None,
    limit: Limit = None,
    everything: Everything = False,
    counting: Counting = False,
    presolve: Level = "full",
    repeat: Annotated[int, typer.Option("--repeat", min=1, metavar="N", help="run each N times; show medians")] = 1,
    timeout: Timeout = None,
    steps: Steps = None,
    memory: Memory = None,
    words: Words = None,
    settings: Settings = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="write a chart of the seconds")] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="show what each was given and did, what presolve took away, and the passes")
    ] = False,
    as_json: Json = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="print one line for each backend on each puzzle")] = False,
    no_color: NoColor = False,
) -> None:
    """Run the same query on several backends: times, what each did, and whether they agree."""

    def work() -> int:
        from puzzlekit.api import Query
        from puzzlekit.cli.commands.compare import Output
        from puzzlekit.cli.commands.compare import compare as run

        if as_json and as_csv:
            raise InputError("--json cannot be combined with --csv")
        loading = None if timeout is None else timeout * len(files)
        command.end_after(loading)
        if as_json:
            from puzzlekit.cli.screen import of_compare

            command.report_if_ended(of_compare())
        if memory is not None:
            command.limit_memory(memory)
        query = Query.of_options(goal, limit, everything, counting, rank="none", presolve=presolve)
        chosen = [name.strip() for name in backends.split(",") if name.strip()] if backends is not None else None
        try:
            puzzles = _load_several(files, words, settings, Clock(loading, command.began()), steps)
        except Stopped:
            if as_json:
                from puzzlekit.cli.screen import of_compare

                print(json.dumps(of_compare()))
            raise
        return run(puzzles, query, chosen, Output(as_json, as_csv, svg, verbose, no_color), timeout, repeat)

    _finish(work)


@app.command()
def batch(
    inputs: Annotated[
        list[str],
        typer.Argument(metavar="INPUT…", help="specs, folders, globs, files of JSON lines (.jsonl, .jsonl.gz), - for these"),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="append a JSON line for each puzzle to this file")],
    unique: Annotated[
        bool, typer.Option("--unique", help="ask whether there is one solution; ignore the type's goals")
    ] = False,
    expected: Annotated[bool, typer.Option("--check", help="check the solutions against `expect`")] = False,
    backend: BackendName = "auto",
    goal: Goal = None,
    rank: Rank = None,
    limit: Limit = None,
    everything: Everything = False,
    counting: Counting = False,
    sample: Sample = None,
    seed: Seed = None,
    uniform: Uniform = False,
    timeout: Annotated[
        float | None,
        typer.Option("--timeout", min=0.0, metavar="S", help="stop each puzzle after S seconds (60)", callback=a_number),
    ] = None,
    steps: Steps = None,
    memory: Annotated[str | None, typer.Option("--memory", metavar="SIZE", help="the memory of each worker: 500M, 2G")] = None,
    words: Words = None,
    fold_accents: FoldAccents = False,
    settings: Settings = None,
    presolve: Level = "full",
    workers: Annotated[
        int | None, typer.Option("--workers", min=1, metavar="N", help="puzzles at the same time; one a processor by default")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option("--cluster", metavar="tcp://…|local", help="use the workers of a Dask cluster")
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", metavar="FILE", help="at the end, write the results as a table, too")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the table at the end as one JSON object")] = False,
    no_color: NoColor = False,
) -> None:
    """Solve many puzzles, each with a line in a file; the same command again goes on where it was."""

    def work() -> int:
        from puzzlekit.api import Query
        from puzzlekit.batch.jobs import Request
        from puzzlekit.cli.commands.batch import batch as run
        from puzzlekit.limits import limits
        from puzzlekit.processes.system import bytes_of

        given = Query.of_options(goal, limit, everything, counting, sample, seed, rank, presolve, uniform)
        level = given.presolve
        if (unique or expected) and (given != Query(limit=1, presolve=level) or (unique and expected)):
            raise InputError("--unique and --check cannot be combined with each other or with what else is asked")
        query = None if expected else Query(limit=1, goal="none", ordered=False, presolve=level) if unique else given
        if expected and (words is not None or settings):
            raise InputError("--check cannot be combined with --words or --set")
        if cluster not in (None, "local") and workers is not None:
            raise InputError("--workers cannot be combined with the address of a cluster, which has its own workers")
        pairs = tuple(_settings(settings).items())
        seconds = limits().batches.puzzle_seconds if timeout is None else timeout
        bound = None if memory is None else bytes_of(memory)
        request = Request(query, backend, words, fold_accents, pairs, steps, seconds, bound)
        return run(inputs, out, request, workers, cluster, parquet, as_json, no_color)

    _finish(work)


@app.command(
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
    add_help_option=False,
    options_metavar="",
)
def generate(
    context: typer.Context,
    kind: Annotated[str, typer.Argument(metavar="TYPE", autocompletion=completion.types, help="a type with a generator")],
) -> None:
    """Generate puzzles of a type; `generate TYPE --help` lists the options."""

    def work() -> int:
        from puzzlekit.cli.commands.generate import generate as run

        return run(kind, context.args)

    _finish(work)


@app.command()
def fetch(
    kind: Annotated[str, typer.Argument(metavar="TYPE", autocompletion=completion.types, help="a type with a fetcher")],
    which: Annotated[str, typer.Argument(metavar="WHICH", help="which puzzle: a day, a file, an address")],
    base: Annotated[str | None, typer.Option("--base", metavar="URL", help="use another address of the service")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="write the spec to this file")] = None,
    timeout: Annotated[
        float, typer.Option("--timeout", min=0.1, metavar="S", help="seconds to wait for the service", callback=a_number)
    ] = 10.0,
    refresh: Annotated[bool, typer.Option("--refresh", help="download again what is in the cache")] = False,
) -> None:
    """Fetch a published puzzle as a spec, by day (2024-04-18 or 18.4.2024), file or address."""

    def work() -> int:
        from puzzlekit.cli.commands.generate import fetch as run

        return run(kind, which, base, out, timeout, refresh)

    _finish(work)


@app.command("import")
def import_puzzles(
    given: Annotated[
        list[str],
        typer.Argument(
            metavar="[TYPE] LINK|FILE…",
            help="links, and files with one on each line (- is standard input); before them the type, which some notations"
            " do not name",
        ),
    ],
    out: Annotated[Path | None, typer.Option("--out", metavar="DIR", help="write a file for each puzzle")] = None,
) -> None:
    """Print the specs of puzzles that links or notations of other programs state."""

    def work() -> int:
        from puzzlekit.cli.commands.notations import import_puzzles as run

        return run(given, out)

    _finish(work)


@app.command()
def export(
    kind: Kind,
    spec: SpecPath = None,
    form: Annotated[
        str,
        typer.Option("--format", metavar="NAME", autocompletion=completion.formats, help="the notation or format to write"),
    ] = "puzzlink",
    goal: Goal = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="write it to this file")] = None,
    timeout: Timeout = None,
    steps: Steps = None,
    memory: Memory = None,
    words: Words = None,
    fold_accents: FoldAccents = False,
    settings: Settings = None,
) -> None:
    """Write a puzzle in the notation of another program, or for another solver.

    For programs that draw puzzles: puzzlink, penpa, fpuzzles, line, ipuz, puz. For solvers: dimacs, wcnf, opb, lp, smt2,
    asp, xcc, mzn.
    """

    def work() -> int:
        from puzzlekit.cli.commands.export import check_format
        from puzzlekit.cli.commands.export import export as run

        check_format(form, out)
        command.end_after(timeout)
        if memory is not None:
            command.limit_memory(memory)
        clock = Clock(timeout, command.began())
        puzzle = _load(kind, spec, words, settings, clock, steps, fold_accents)
        loaded = {"words": words, "fold_accents": fold_accents, "settings": _settings(settings)}
        return run(puzzle, form, goal, out, clock, loaded)

    _finish(work)


@app.command("read-solution")
def read_solution(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="a file of puzzlekit export")],
    printed: Annotated[str, typer.Argument(metavar="OUTPUT", help="what a solver printed for it; - reads standard input")],
    kind: Annotated[
        str | None,
        typer.Argument(metavar="TYPE", autocompletion=completion.types, help="the type, if it is in another place by now"),
    ] = None,
    spec: SpecPath = None,
    timeout: Timeout = None,
    svg: Svg = None,
    html: Html = None,
    as_json: Json = False,
    no_color: NoColor = False,
) -> None:
    """Check what another solver printed for an exported puzzle against the rules, and draw it."""

    def work() -> int:
        from puzzlekit.cli.commands.read_solution import read_solution as run
        from puzzlekit.cli.whole_files import Pictures

        if "-" in (spec, kind) and printed == "-":
            raise InputError("standard input can be read only once, but - is given more than once")
        command.end_after(timeout)
        clock = Clock(timeout, command.began())
        puzzle = None if kind is None else _load(kind, spec, None, None, clock)
        return run(model, printed, puzzle, as_json, no_color, Pictures(svg, html), clock)

    _finish(work)


@app.command("list")
def list_types(
    asked: Annotated[
        list[str] | None, typer.Argument(metavar="WORD…", help="a group, a name, or words about the puzzle")
    ] = None,
) -> None:
    """List the puzzle types by groups, and the backends; with words, only the types that all of them fit."""

    def work() -> int:
        from puzzlekit.cli.commands.list import list_all, list_found

        return list_found(asked) if asked else list_all()

    _finish(work)


@app.command()
def show(
    kind: Annotated[str, typer.Argument(metavar="TYPE", autocompletion=completion.types, help="a type's name or path")],
    spec: SpecPath = None,
    rules: Annotated[bool, typer.Option("--rules", help="show what each rule becomes for the spec")] = False,
) -> None:
    """Show what a type is about and which fields its specs have; with --rules, what its rules become."""

    def work() -> int:
        if rules:
            from puzzlekit.cli.commands.show_rules import show_rules

            return show_rules(_load(kind, spec, None, None, Clock(None, command.began()), None))
        if spec is not None:
            raise InputError("show TYPE takes a spec only with --rules\n     = puzzlekit draw TYPE SPEC draws its puzzle")
        from puzzlekit.cli.commands.show import show_type

        show_type(kind)
        return 0

    _finish(work)


@app.command()
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="types and specs, or links to puzzles")],
    backend: BackendName = "auto",
    timeout: Timeout = None,
    steps: Steps = None,
    watch: Watch = False,
    as_json: Json = False,
) -> None:
    """Check types and specs for errors, and the solutions of a spec against its `expect`."""

    def work() -> int:
        from puzzlekit.cli.commands.check import check_files

        return check_files(files, backend, timeout, as_json, steps, drawn=watch)

    if watch:
        paths = list(map(Path, files))
        _watched(paths, as_json)
        _finish_watching(work, paths)
    _finish(work)


@app.command()
def words(
    lexicon: Annotated[
        str | None, typer.Argument(metavar="LEXICON", autocompletion=completion.lexicons, help="a name, a path, a+b, a-b, a:N")
    ] = None,
    asked: Annotated[list[str] | None, typer.Argument(metavar="WORD…", help="words to look up")] = None,
    length: Annotated[int | None, typer.Option("--length", min=1, metavar="N", help="list only words of N letters")] = None,
    fold_accents: Annotated[bool, typer.Option("--fold-accents", help="remove accents")] = False,
) -> None:
    """List the lexicons, or the words of one, or look words up in it."""

    def work() -> int:
        from puzzlekit.cli.commands.words import list_lexicons, list_words, look_up

        if asked and length is not None:
            raise InputError("--length cannot be combined with words to look up")
        if lexicon is not None and asked:
            return look_up(lexicon, asked, fold_accents)
        list_lexicons() if lexicon is None else list_words(lexicon, length, fold_accents)
        return 0

    _finish(work)


@app.command()
def schema(
    kind: Annotated[
        str | None,
        typer.Argument(
            metavar="TYPE", autocompletion=completion.types, help="a type's name or path; omit it for types themselves"
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="write the schema to this file")] = None,
) -> None:
    """Print a JSON Schema of a type's specs, or of types, with which editors complete and check them."""
    from puzzlekit.cli.commands.schema import schema as run

    _finish(lambda: run(kind, out))


@app.command()
def examples(
    kind: Annotated[
        str | None, typer.Argument(metavar="TYPE", autocompletion=completion.types, help="a type's name; without it, all types")
    ] = None,
    to: Annotated[Path | None, typer.Option("--to", metavar="DIR", help="copy them into this folder, below specs/TYPE")] = None,
) -> None:
    """List the example specs that ship with a type, or copy them."""

    def work() -> int:
        from puzzlekit.cli.commands.examples import examples as run

        return run(kind, to)

    _finish(work)


new = typer.Typer(no_args_is_help=True, help="Make a type or a spec to begin with.")
app.add_typer(new, name="new")
Out = Annotated[Path | None, typer.Option("--out", metavar="FILE", help="write it to this file, and its schema beside it")]


@new.command("type")
def new_type(name: Annotated[str, typer.Argument(metavar="NAME", help="the name of the type")], out: Out = None) -> None:
    """Print a small type that works, with comments, to change into another one."""

    def work() -> int:
        from puzzlekit.cli.commands.new import new_type as run

        return run(name, out)

    _finish(work)


@new.command("spec")
def new_spec(
    kind: Annotated[str, typer.Argument(metavar="TYPE", autocompletion=completion.types, help="a type's name or path")],
    size: Annotated[str | None, typer.Option("--size", metavar="RxC", help="the rows and columns of its boards")] = None,
    out: Out = None,
) -> None:
    """Print a spec of a type, with a comment on each field."""

    def work() -> int:
        from puzzlekit.cli.commands.new import new_spec as run

        return run(kind, size, out)

    _finish(work)


def _version(requested: bool) -> None:
    if requested:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="print the version")] = False,
) -> None: ...


def main() -> None:
    """Run the command line in this process."""
    os.environ["PYTHONSAFEPATH"] = "1"  # children do not import from the working folder
    sys.stdout = sys.stdout or Path(os.devnull).open("w")  # noqa: SIM115 (None if closed at start)
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115
    if completion.VARIABLE in os.environ:
        sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        try:
            app()
        except Exception:
            if completion.VARIABLE not in os.environ:  # a shell shows no error while somebody types
                raise
        finally:
            sys.stdout.flush()  # of --help, too
    except OSError as error:
        sys.exit(_unwritten(error))
