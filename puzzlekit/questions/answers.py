"""The questions of the page: a function for each, which runs in a worker and yields its messages.

The messages are data for the page: `progress` during the work, and at last the `answer` or the
`error`.
"""

from __future__ import annotations

import os
import signal
import site
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from random import SystemRandom
from types import SimpleNamespace
from typing import Any

from puzzlekit.api import (
    Backbone,
    Conflict,
    OverlayShapes,
    Puzzle,
    Query,
    Run,
    check_highlights,
    conflict_highlights,
    example_spec,
    example_type,
    highlights_overlay,
    known_values,
    load,
    progress_facts,
    solution_parts,
)
from puzzlekit.catalogue import (
    example_specs,
    find,
    has_generator,
    header_of,
    headers,
    types,
)
from puzzlekit.clock import ask_to_stop
from puzzlekit.errors import BackendBug, InputError, Problem, Problems, PuzzlekitError, printable
from puzzlekit.lang import spec_schema, type_of_text, type_schema
from puzzlekit.links import addresses, read_one
from puzzlekit.making import (
    Base,
    Generator,
    InterdependentClues,
    RuleGenerator,
    Tools,
    levels,
    load_generator,
)
from puzzlekit.model import Value, Variable
from puzzlekit.options import PaperOptions
from puzzlekit.play import MOST, extra_text, step_data
from puzzlekit.query import Task
from puzzlekit.questions.played import PlayedBoard
from puzzlekit.questions.requests import SPEC, TYPE, Messages, Request, loaded
from puzzlekit.reading import HERE, confine, read_text, shipped
from puzzlekit.render import DocumentItem, chapter_parts, drawing
from puzzlekit.scene import Point
from puzzlekit.sentences import (
    AllSolutions,
    DrawnRight,
    DrawnWrong,
    FirstSolutions,
    FirstSteps,
    NoSolution,
    NotCompared,
    NotFoundOut,
    OnlySolution,
    OnlySolutionOfBoard,
    SearchStopped,
    Sentence,
    SharedValues,
    StuckSteps,
    ThisIsOnlySolution,
    counted,
)

SOLUTIONS = 50  # that the page can display
STEPS = 2_000  # of an explanation
NEW = "my_puzzle"

_folder = "."  # from which the names of types and lexicons lead


def answer(given: Mapping[str, Any]) -> Messages:
    """Answer a question of the page, in a worker."""
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, lambda *_: ask_to_stop())
    request = Request(given)
    try:
        os.chdir(_folder)  # each time: it may have been removed and created again
    except OSError:
        yield {"error": "the folder that is served is gone"}
        return
    try:
        with request.clock.running():
            yield from QUESTIONS[given["question"]](request)
    except Problems as error:
        problems = list(map(_problem, error.problems))
        yield {"error": error.problems[0].message, "problems": problems}
    except BackendBug as error:
        yield {"error": f"this is a bug in puzzlekit, please report it: {error}"}
    except PuzzlekitError as error:
        yield {"error": printable(str(error)), "help": printable(error.help)}
    except MemoryError:
        loaded.clear()
        yield {"error": "the memory is used up"}


def _problem(problem: Problem) -> dict[str, Any]:
    """Return a problem with the text that it is in, `type` or `spec`, and its line from 1."""
    position = problem.position
    where = ""
    line = 0
    column = 0
    if position is not None:
        where = {TYPE: "type", SPEC: "spec"}.get(position.path, position.path)
        line = position.line
        column = position.column
    return {
        "where": where,
        "line": line,
        "column": column,
        "message": problem.message,
        "help": problem.help,
    }


def begin(folder: str) -> Messages:
    """Prepare a worker.

    It may read only files of this folder and of what is installed, and loads what most questions
    need.
    """
    global _folder
    _folder = folder
    os.chdir(HERE)  # which exists
    outside = filter(None, os.environ.get("PUZZLEKIT_PATH", "").split(os.pathsep))
    confine(folder, HERE, shipped(), shipped().parent / "specs", *site.getsitepackages(), *outside)
    puzzle = load(
        "puzzle: p\nlet: {b: 'board(2, 2)'}\nvariables: {'x[c]': 'bool for c in b.cells'}\n"
        "rules: {r: sum(x) == 1}\n"
    )
    _ = PlayedBoard(puzzle).data
    puzzle.hint()
    solutions = list(puzzle.run(Query()))
    yield {"answer": len(solutions)}


# Questions about the board ------------------------------------------------------------------------


def board(request: Request) -> Messages:
    """The board, and the texts of the page beside it."""
    puzzle, played = request.puzzle()
    answer = {
        "title": puzzle.title,
        "type": puzzle.type.name,
        "about": _about(puzzle),
        "beside": extra_text(puzzle),
        **played.data,
    }
    yield {"answer": answer}


def _about(puzzle: Puzzle) -> str:
    return puzzle.instance.about if puzzle.type.about else ""


def solutions(request: Request) -> Messages:
    """Whether there is no solution, one or several, then how the page recognises them."""
    puzzle, played = request.puzzle()
    seen = []
    run = puzzle.run(_several(MOST + 1), clock=request.clock)
    for solution in run:
        seen.append(solution)
        if len(seen) == 2:
            yield {"progress": {"verdict": "several"}}
    count = len(seen)
    if run.status != "complete":
        verdict = "several" if count > 1 else "unknown"
        yield {"answer": {"verdict": verdict, "least": count, "reason": str(run.reason)}}
        return
    verdict = ("none", "one", "several")[min(count, 2)]
    if count > MOST:
        yield {"answer": {"verdict": verdict, "count": None}}
        return
    hashes: dict[str, Any] = {}
    if seen:
        with suppress(InputError):  # the solutions cannot be entered
            hashes = played.solution_hashes(seen)
    yield {"answer": {"verdict": verdict, "count": count, **hashes}}


def _several(limit: int) -> Query:
    """Return the query for solutions in any order."""
    return Query(limit=limit, ordered=False, goal="none")


def solve(request: Request) -> Messages:
    """The first solutions, as boards."""
    puzzle, played = request.puzzle()
    run = puzzle.run(_several(SOLUTIONS), clock=request.clock)
    boards: list[Any] = []
    pictures: list[str] = []
    for solution in run:
        if not boards or not played.game.entries:
            pictures.append(drawing(puzzle.title, solution_parts(solution)))
        boards.append(played.game.entered(solution))
        yield {"progress": {"found": len(boards)}}
    if not boards:
        run.raise_reason()
    text = str(_summary(run, len(boards)))
    yield {"answer": {"boards": boards, "pictures": pictures, "text": text}}


def _summary(run: Run, count: int) -> Sentence:
    """Return which of all solutions are on the page."""
    if run.status != "complete":
        return SearchStopped(str(run.reason))
    if count == 0:
        return NoSolution()
    if count == 1:
        return OnlySolution()
    if count == SOLUTIONS:
        return FirstSolutions(count)
    return AllSolutions(count)


def count(request: Request) -> Messages:
    """The exact number of solutions."""
    puzzle, _ = request.puzzle()
    run = puzzle.run(Query(Task.COUNT), clock=request.clock)
    for _ in run:
        pass
    run.raise_reason()
    yield {"answer": {"count": run.count}}


def shared(request: Request) -> Messages:
    """What all solutions share, as a board."""
    puzzle, played = request.puzzle()
    backbone = Backbone(puzzle, Query(limit=1, goal="none"), clock=request.clock)
    values = {}
    for variable in backbone.fixed:
        if backbone.seen[variable]:
            values[variable] = next(iter(backbone.seen[variable]))
    sentence: Sentence = SharedValues(len(values), len(backbone.seen))
    shared_board = None
    if backbone.any:
        shared_board = played.game.partial_boards(values)
    elif backbone.status == "complete":
        sentence = NoSolution()
    else:
        sentence = NotFoundOut(str(backbone.reason))
    yield {"answer": {"text": str(sentence), "board": shared_board}}


# What is known of the board -----------------------------------------------------------------------


def check(request: Request) -> Messages:
    """Whether the marks on the board are right so far."""
    puzzle, played, marks = request.marked()
    checked = puzzle.check(marks, clock=request.clock)
    text = checked.text
    roles = dict(check_highlights(checked))
    if checked and played.unread(request.given.get("board")):
        text, roles = _compared(request)
    yield {"answer": {"text": text, "drawn": _drawn(played, roles)}}


def _drawn(played: PlayedBoard, roles: Mapping[Point, str]) -> OverlayShapes:
    """Return the shapes over each board that let points stand out."""
    return highlights_overlay(played.game.scenes, roles)


def _compared(request: Request) -> tuple[str, dict[Point, str]]:
    """Compare the board with all solutions.

    Returns:
        The text for the player, and the points where the only solution differs.
    """
    puzzle, played = request.puzzle()
    run = puzzle.run(_several(MOST + 1), clock=request.clock)
    differences: list[list[Point]] = []
    for solution in run:
        points = played.differ(request.given.get("board"), solution)
        if not points:
            return str(DrawnRight()), {}
        differences.append(points)
    if run.status != "complete":
        return str(NotCompared(str(run.reason))), {}
    roles: dict[Point, str] = {}
    if len(differences) == 1:
        roles = dict.fromkeys(differences[0], "reason")
    return str(DrawnWrong()), roles


def hint(request: Request) -> Messages:
    """The easiest next step from the marks."""
    puzzle, played, marks = request.marked()
    next_hint = puzzle.hint(marks, clock=request.clock)
    step = next_hint.step
    before, _ = known_values(puzzle.model, progress_facts(puzzle, marks))
    moves: list[list[Any]] = []
    if step and next_hint.explanation:
        explained = step_data(played.moves, next_hint.explanation, step)
        moves = played.moves.moves(played.moves.fact_values(step.facts), before)
    else:
        drawn = _drawn(played, check_highlights(next_hint.check))
        explained = {"text": str(next_hint), "phrases": [], "drawn": drawn, "notes": []}
    degrees = {"where": next_hint.where, "pattern": next_hint.pattern}
    yield {"answer": {**explained, **degrees, "moves": moves}}


def explain(request: Request) -> Messages:
    """The steps to the solution, one after the other; of a wrong board, which marks are wrong.

    They begin with the board as it is, or, if a solution is on it, with an empty one.
    """
    puzzle, played, marks = request.marked()
    is_begun = played.is_begun(request.given.get("board"))
    if is_begun and (request.given.get("solved") is True or _is_complete(request)):
        yield {"progress": {"start": played.game.partial_boards({})}}
        is_begun = False
        marks = {}
    checked = puzzle.check(marks, clock=request.clock) if is_begun else None
    if checked is not None and checked.facts:  # marks to blame
        yield {"answer": {"text": checked.text, "moves": []}}
        return
    steps = puzzle.explain(marks, clock=request.clock)
    fixed, _ = known_values(puzzle.model, progress_facts(puzzle, marks))

    def moves(values: Mapping[Variable, Value]) -> list[list[Any]]:
        """Return the moves to values, of which some are too plain to be explained."""
        new = {variable: value for variable, value in values.items() if variable not in fixed}
        new_moves = played.moves.moves(new, fixed)
        fixed.update(new)
        return new_moves

    for step in islice(steps, STEPS):
        values = steps.values(step) | played.moves.fact_values(step.facts)
        explained = step_data(played.moves, steps, step)
        message = {**explained, "pattern": step.pattern.text, "moves": moves(values)}
        yield {"progress": {"step": message}}
    last_moves = moves(steps.values()) if steps.status in ("solved", "stuck") else []
    ends: dict[str, Sentence] = {
        "solved": OnlySolutionOfBoard() if is_begun else ThisIsOnlySolution(),
        "stuck": StuckSteps(),
        "unsatisfiable": NoSolution(str(steps.problem or "")),
        "running": FirstSteps(counted(STEPS, "step")),
    }
    yield {"answer": {"text": str(ends[steps.status]), "moves": last_moves}}


def _is_complete(request: Request) -> bool:
    """Return whether the marks on the board leave nothing to enter."""
    puzzle, played, marks = request.marked()
    steps = puzzle.explain(marks, clock=request.clock)
    if next(iter(steps), None) is not None or steps.status != "solved":
        return False
    entered, _ = known_values(puzzle.model, progress_facts(puzzle, marks))
    values = steps.values().items()
    new = {variable: value for variable, value in values if variable not in entered}
    return not played.moves.moves(new, entered)


def conflict(request: Request) -> Messages:
    """Why there is no solution, or where several differ and which clue would decide."""
    puzzle, played = request.puzzle()
    reason: Conflict = puzzle.conflict(clock=request.clock)
    moves: list[list[Any]] = []
    if reason.decides:
        moves = played.moves.moves(played.moves.fact_values(reason.decides))
    drawn = _drawn(played, conflict_highlights(reason))
    yield {"answer": {"text": reason.text, "drawn": drawn, "moves": moves}}


def rate(request: Request) -> Messages:
    """How hard the puzzle is."""
    puzzle, _ = request.puzzle()
    rating = puzzle.rate(clock=request.clock)
    yield {"answer": rating.json()}


# Making and giving away ---------------------------------------------------------------------------


def generate(request: Request) -> Messages:
    """Another puzzle of the type, as a spec: with the fields of this one, or by the generator of
    the type.
    """
    puzzle, _ = request.puzzle()
    messages: list[str] = []
    tools = Tools(puzzle.type, SystemRandom().randrange(1_000_000), messages.append)
    wished = request.text("level")
    options = SimpleNamespace(
        size=None,
        like=None,
        set=[],
        symmetry=None,
        density=None,
        minimal=False,
        count=1,
        number=None,
    )
    options.level = levels(wished) if wished else None
    base = Base(puzzle.type, puzzle.spec, puzzle.instance.data, fixed=True)
    try:
        spec = next(RuleGenerator(base).generate(options, tools), None)
    except InterdependentClues as error:
        name = puzzle.type.name
        if not has_generator(name):
            message = f"puzzles of this type cannot be made: {error}"
            raise InputError(message, help=error.help) from None
        generator, puzzle_type = load_generator(name)
        tools = Tools(puzzle_type, tools.seed, messages.append)
        spec = next(generator.generate(_defaults(generator), tools), None)
    if spec is None:
        raise InputError("; ".join(messages[-1:]) or "none was found: try again")
    text, _, _ = spec.text.partition("expect:\n")  # the player must not read the solution
    yield {"answer": {"spec": text}}


def _defaults(generator: Generator) -> SimpleNamespace:
    """Return the options of a generator if none is given."""
    values: dict[str, Any] = {"count": 1}
    for option in generator.OPTIONS:
        default: Any = option.default
        if option.repeated:
            default = []
        elif option.type is bool:
            default = False
        if isinstance(default, str):
            default = option.type(default)
        values[option.name.replace("-", "_")] = default
    return SimpleNamespace(**values)


def picture(request: Request) -> Messages:
    """A picture or a document, perhaps with the solution, as a file in base 64."""
    form = request.text("form")
    if form not in ("svg", "png", "pdf"):
        raise InputError("expected svg, png or pdf")
    puzzle, _ = request.puzzle()
    chapter = DocumentItem(puzzle.title, _about(puzzle), puzzle.parts())
    if request.given.get("solved"):
        run = puzzle.run(_several(1), clock=request.clock)
        parts = list(chain.from_iterable(map(solution_parts, run)))
        chapter = replace(chapter, remark=run.outcome(), solution=parts)
    content = b64encode(_file(puzzle.title, chapter, form)).decode()
    yield {"answer": {"data": content, "name": f"{puzzle.type.name}.{form}"}}


def _file(title: str, chapter: DocumentItem, form: str) -> bytes:
    """Return a file with a puzzle, as svg, png or pdf."""
    if form == "svg":
        return drawing(title, chapter_parts([chapter])).encode()
    from puzzlekit.render import pdf, png, require_typst

    require_typst(form)
    if form == "pdf":
        return pdf(title, [chapter], PaperOptions(), {}).content
    return png(title, chapter_parts([chapter]))


def link(request: Request) -> Messages:
    """The pages of others that can open the puzzle."""
    puzzle, _ = request.puzzle()
    yield {"answer": {"links": addresses(puzzle.instance)}}


# Types and examples -------------------------------------------------------------------------------


def catalogue(request: Request) -> Messages:
    """All types: the words by which they are searched, and the names of their examples."""
    entries = []
    for name, header in headers(types()).items():
        if header is not None and header.is_type:
            words = [name, header.title, *header.aliases, header.group, *header.tags, header.about]
            specs = [path.stem for path in example_specs(name)]
            entry = {
                "name": name,
                "title": header.title or name,
                "group": header.group,
                "words": " ".join(words).lower(),
                "specs": specs,
            }
            entries.append(entry)
    yield {"answer": {"types": entries}}


def pictures(request: Request) -> Messages:
    """The pictures of the smallest examples of types, one after the other."""
    names = request.given.get("names")
    if not isinstance(names, list):
        names = []
    for name in names[:50]:
        with suppress(PuzzlekitError):
            for path in example_specs(str(name))[:1]:
                puzzle = load(find(str(name)), path, clock=request.clock)
                svg = drawing(puzzle.title, puzzle.parts())
                yield {"progress": {"name": name, "picture": svg}}
    yield {"answer": {}}


def example(request: Request) -> Messages:
    """The texts of a type that ships and of one of its examples."""
    name = request.text("name")
    if name not in types():
        raise InputError("there is no such type")
    specs = {path.stem: path for path in example_specs(name)}
    path = specs.get(request.text("example"), next(iter(specs.values()), None))
    spec = read_text(path) if path else f"puzzle: {name}\n"
    yield {"answer": {"type": read_text(types()[name]), "spec": spec}}


def new(request: Request) -> Messages:
    """The texts of a small type and a spec, to begin with."""
    yield {"answer": {"type": example_type(NEW, f"{NEW}.yaml"), "spec": example_spec(NEW)}}


def schema(request: Request) -> Messages:
    """The JSON Schemas of types and of the specs of a type; without the second if it is wrong."""
    schemas = {"type": type_schema()}
    with suppress(PuzzlekitError):
        schemas["spec"] = spec_schema(type_of_text(TYPE, request.text("type") + "\n"))
    yield {"answer": schemas}


def opened(request: Request) -> Messages:
    """A spec from a link or the text of a file, with the type that it names, or a type."""
    text = request.text("text").strip()
    if text.startswith(("http://", "https://")) or "\n" not in text:
        spec = read_one(text)
        yield {"answer": {"type": read_text(find(spec.type)), "spec": spec.text}}
        return
    file_text = f"{text}\n"
    header = header_of(Path("text"), file_text)
    if header.is_type:
        yield {"answer": {"type": file_text, "spec": ""}}
        return
    type_text = None
    type_file = None
    with suppress(InputError):
        path = find(header.name, Path(request.text("name")).parent)
        type_text = read_text(path)
        type_file = None if path.is_absolute() else path.as_posix()
    yield {"answer": {"type": type_text, "file": type_file, "spec": file_text}}


QUESTIONS: Mapping[str, Callable[[Request], Messages]] = {
    "why": conflict,
    **{
        function.__name__: function
        for function in (
            *(board, solutions, solve, count, shared, check, hint, explain, rate),
            *(generate, picture, link, catalogue, pictures, example, new, opened, schema),
        )
    },
}
