"""The questions of the page: a function for each, which runs in a worker and yields what it finds.

What is yielded is data for the page: `progress` on the way, and at last the `answer` or the
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
from itertools import islice
from pathlib import Path
from random import SystemRandom
from types import SimpleNamespace
from typing import Any

from puzzlekit.api import Query, load
from puzzlekit.api.answers import Conflict
from puzzlekit.api.backbone import Backbone
from puzzlekit.api.boards import (
    check_highlights,
    conflict_highlights,
    known_values,
    step_highlights,
)
from puzzlekit.api.pictures import solution_parts
from puzzlekit.api.run import Run
from puzzlekit.api.scaffold import new_spec, new_type
from puzzlekit.api.spec_progress import marks_of
from puzzlekit.catalogue import (
    HERE,
    example_specs,
    find,
    has_generator,
    header_of,
    headers,
    shipped,
    types,
)
from puzzlekit.clock import ask_to_stop
from puzzlekit.errors import BackendBug, InputError, Problem, Problems, PuzzlekitError, printable
from puzzlekit.links import addresses, read_one
from puzzlekit.making.by_rules import ByRules, levels
from puzzlekit.making.clues import NotOneByOne
from puzzlekit.making.fields import Base
from puzzlekit.making.generators import Generator, Tools, load_generator
from puzzlekit.model import Value, Variable
from puzzlekit.options import PaperOptions
from puzzlekit.play.page import MOST, beside
from puzzlekit.query import Task
from puzzlekit.reading import confine, read_text
from puzzlekit.render.html_page import DocumentItem, chapter_parts
from puzzlekit.render.svg import drawing
from puzzlekit.scene import Point
from puzzlekit.sentences.formatting import counted
from puzzlekit.sentences.sentence import Sentence
from puzzlekit.sentences.steps import FullStop
from puzzlekit.sentences.verdicts import (
    AllSolutions,
    DrawnRight,
    DrawnWrong,
    FirstSolutions,
    FirstSteps,
    NoSolution,
    NotCompared,
    NotFoundOut,
    OnlySolution,
    SearchStopped,
    SharedValues,
    StuckSteps,
    ThisIsOnlySolution,
)
from puzzlekit.serve.played import PlayedBoard
from puzzlekit.serve.requests import SPEC, TYPE, Found, Request, loaded

SOLUTIONS = 50  # that are shown one after the other
STEPS = 2_000  # of an explanation
NEW = "my_puzzle"

_folder = "."  # where names of types and lexicons lead from


def answer(given: Mapping[str, Any]) -> Found:
    """Answer a question of the page, in a worker."""
    if hasattr(signal, "SIGUSR1"):
        signal.signal(signal.SIGUSR1, lambda *_: ask_to_stop())
    asked = Request(given)
    try:
        os.chdir(_folder)  # anew: it may have been removed and made again
    except OSError:
        yield {"error": "the folder that is served is gone"}
        return
    try:
        with asked.clock.running():
            yield from QUESTIONS[given["question"]](asked)
    except Problems as error:
        yield {
            "error": error.problems[0].message,
            "problems": [_problem(one) for one in error.problems],
        }
    except BackendBug as error:
        yield {"error": f"this is a bug in puzzlekit, please report it: {error}"}
    except PuzzlekitError as error:
        yield {"error": printable(str(error)), "help": printable(error.help)}
    except MemoryError:
        loaded.clear()
        yield {"error": "the memory is used up"}


def _problem(problem: Problem) -> dict[str, Any]:
    """Return a problem with the text that it is in, `type` or `spec`, and its line from 1."""
    place = problem.position
    where = "" if place is None else {TYPE: "type", SPEC: "spec"}.get(place.path, place.path)
    line, column = (0, 0) if place is None else (place.line, place.column)
    return {
        "where": where,
        "line": line,
        "column": column,
        "message": problem.message,
        "help": problem.help,
    }


def begin(folder: str) -> Found:
    """Make a worker ready: it reads only files of this folder and of what is installed, and loads
    what most questions need.
    """
    global _folder
    _folder = folder
    os.chdir(HERE)  # which is there
    outside = filter(None, os.environ.get("PUZZLEKIT_PATH", "").split(os.pathsep))
    confine(folder, HERE, shipped(), shipped().parent / "specs", *site.getsitepackages(), *outside)
    puzzle = load(
        "puzzle: p\nlet: {b: 'board(2, 2)'}\nvariables: {'x[c]': 'bool for c in b.cells'}\nrules: {r: sum(x) == 1}\n"
    )
    _ = PlayedBoard(puzzle).data
    puzzle.hint()
    yield {"answer": len(list(puzzle.run(Query())))}


# Questions about the board ------------------------------------------------------------------------


def board(asked: Request) -> Found:
    """The board, and what the page says beside it."""
    puzzle, played = asked.puzzle()
    about = {
        "title": puzzle.title,
        "type": puzzle.type.name,
        "about": puzzle.instance.about if puzzle.type.about else "",
    }
    about["beside"] = beside(puzzle)
    yield {"answer": {**about, **played.data}}


def solutions(asked: Request) -> Found:
    """Whether there is no solution, one or several, then how the page recognises them."""
    puzzle, played = asked.puzzle()
    found = []
    run = puzzle.run(Query(limit=MOST + 1, ordered=False, goal="none"), clock=asked.clock)
    for solution in run:
        found.append(solution)
        if len(found) == 2:
            yield {"progress": {"verdict": "several"}}
    if run.status != "complete":
        verdict = "several" if len(found) > 1 else "unknown"
        yield {"answer": {"verdict": verdict, "least": len(found), "reason": str(run.reason)}}
        return
    verdict = "none" if not found else "one" if len(found) == 1 else "several"
    known: dict[str, Any] = {
        "verdict": verdict,
        "count": len(found) if len(found) <= MOST else None,
    }
    if found and len(found) <= MOST:
        with suppress(InputError):  # it cannot be entered
            known |= played.known(found)
    yield {"answer": known}


def solve(asked: Request) -> Found:
    """The first solutions, as boards."""
    puzzle, played = asked.puzzle()
    run = puzzle.run(Query(limit=SOLUTIONS, ordered=False, goal="none"), clock=asked.clock)
    boards: list[Any] = []
    pictures: list[str] = []
    for solution in run:
        if len(boards) == 0 or not played.game.entries:
            pictures.append(drawing(puzzle.title, solution_parts(solution)))
        boards.append(played.game.entered(solution))
        yield {"progress": {"found": len(boards)}}
    if not boards:
        run.raise_reason()
    text = str(_shown(run, len(boards)))
    yield {"answer": {"boards": boards, "pictures": pictures, "text": text}}


def _shown(run: Run, number: int) -> Sentence:
    """Which of all solutions are shown."""
    if run.status != "complete":
        return SearchStopped(str(run.reason))
    if number < 2:
        return OnlySolution() if number else NoSolution()
    return FirstSolutions(number) if number == SOLUTIONS else AllSolutions(number)


def count(asked: Request) -> Found:
    """The exact number of solutions."""
    puzzle, _ = asked.puzzle()
    run = puzzle.run(Query(Task.COUNT), clock=asked.clock)
    for _ in run:
        pass
    run.raise_reason()
    yield {"answer": {"count": run.count}}


def shared(asked: Request) -> Found:
    """What all solutions share, as a board."""
    puzzle, played = asked.puzzle()
    found = Backbone(puzzle, Query(limit=1, goal="none"), clock=asked.clock)
    values = {
        variable: next(iter(found.seen[variable]))
        for variable in found.fixed
        if found.seen[variable]
    }
    sentence: Sentence = SharedValues(len(values), len(found.seen))
    if not found.any and found.status == "complete":
        sentence = NoSolution()
    elif not found.any:
        sentence = NotFoundOut(str(found.reason))
    yield {
        "answer": {
            "text": str(sentence),
            "board": played.game.standing(values) if found.any else None,
        }
    }


# What is known of the board -----------------------------------------------------------------------


def check(asked: Request) -> Found:
    """Whether the marks on the board are right so far."""
    puzzle, played, marks = asked.marked()
    found = puzzle.check(marks, clock=asked.clock)
    text, lit = found.text, {**check_highlights(found)}
    if found and played.unread(asked.given.get("board")):
        text, lit = _compared(asked)
    yield {"answer": {"text": text, "lit": played.lit(lit)}}


def _compared(asked: Request) -> tuple[str, dict[Point, str]]:
    """Compare the board with all solutions; return what is to be said, and the places where the
    only solution differs.
    """
    puzzle, played = asked.puzzle()
    run = puzzle.run(Query(limit=MOST + 1, ordered=False, goal="none"), clock=asked.clock)
    found: list[list[Point]] = []
    for solution in run:
        found.append(played.differ(asked.given.get("board"), solution))
        if not found[-1]:
            return str(DrawnRight()), {}
    if run.status != "complete":
        return str(NotCompared(str(run.reason))), {}
    places = found[0] if len(found) == 1 else []
    return str(DrawnWrong()), dict.fromkeys(places, "reason")


def hint(asked: Request) -> Found:
    """The easiest next step from the marks."""
    puzzle, played, marks = asked.marked()
    found = puzzle.hint(marks, clock=asked.clock)
    lit = step_highlights(found.step) if found.step else check_highlights(found.check)
    before, _ = known_values(puzzle.model, marks_of(puzzle, marks))
    moves = played.moves(played.told(found.step.facts), before) if found.step else []
    yield {
        "answer": {"text": str(found), "where": found.where, "lit": played.lit(lit), "moves": moves}
    }


def explain(asked: Request) -> Found:
    """The steps to the solution, one after the other."""
    puzzle, played, marks = asked.marked()
    steps = puzzle.explain(marks, clock=asked.clock)
    known, _ = known_values(puzzle.model, marks_of(puzzle, marks))

    def moves(
        now: Mapping[Variable, Value],
    ) -> list[list[Any]]:  # some of what is known is too plain to be told
        new = {variable: value for variable, value in now.items() if variable not in known}
        found = played.moves(new, known)
        known.update(new)
        return found

    for step in islice(steps, STEPS):
        lit, own = (
            played.lit(step_highlights(step)),
            moves(steps.values(step) | played.told(step.facts)),
        )
        yield {
            "progress": {
                "step": {
                    "text": str(FullStop(step.sentence)),
                    "tier": step.tier,
                    "lit": lit,
                    "moves": own,
                }
            }
        }
    rest = moves(steps.values()) if steps.status in ("solved", "stuck") else []
    ends: dict[str, Sentence] = {
        "solved": ThisIsOnlySolution(),
        "stuck": StuckSteps(),
        "unsatisfiable": NoSolution(str(steps.problem or "")),
        "running": FirstSteps(counted(STEPS, "step")),
    }
    yield {"answer": {"text": str(ends[steps.status]), "moves": rest}}


def why(asked: Request) -> Found:
    """Why there is no solution, or where several differ and which clue would decide."""
    puzzle, played = asked.puzzle()
    found: Conflict = puzzle.conflict(clock=asked.clock)
    moves = [] if found.decides is None else played.moves(played.told([found.decides]))
    yield {
        "answer": {
            "text": found.text,
            "lit": played.lit(conflict_highlights(found)),
            "moves": moves,
        }
    }


def rate(asked: Request) -> Found:
    """How hard the puzzle is."""
    puzzle, _ = asked.puzzle()
    yield {"answer": puzzle.rate(clock=asked.clock).json()}


# Making and giving away ---------------------------------------------------------------------------


def generate(asked: Request) -> Found:
    """Another puzzle of the type, as a spec: with the fields of this one, or by the generator of
    the type.
    """
    puzzle, _ = asked.puzzle()
    messages: list[str] = []
    tools = Tools(puzzle.type, SystemRandom().randrange(1_000_000), messages.append)
    wished = asked.text("level")
    options = SimpleNamespace(
        size=None, like=None, set=[], symmetry=None, density=None, minimal=False, count=1
    )
    options.level = levels(wished) if wished else None
    base = Base(puzzle.type, puzzle.spec, puzzle.instance.data, fixed=True)
    try:
        made = next(ByRules(base).generate(options, tools), None)
    except NotOneByOne as error:
        if not has_generator(puzzle.type.name):
            raise InputError(
                f"puzzles of this type cannot be made: {error}", help=error.help
            ) from None
        generator, kind = load_generator(puzzle.type.name)
        made = next(
            generator.generate(_defaults(generator), Tools(kind, tools.seed, messages.append)), None
        )
    if made is None:
        raise InputError("; ".join(messages[-1:]) or "none was found: try again")
    yield {
        "answer": {"spec": made.text.partition("expect:\n")[0]}
    }  # who plays does not want to read the solution


def _defaults(generator: Generator) -> SimpleNamespace:
    """Return the options of a generator where none is given."""
    values: dict[str, Any] = {"count": 1}
    for option in generator.OPTIONS:
        default: Any = [] if option.repeated else False if option.type is bool else option.default
        values[option.name.replace("-", "_")] = (
            option.type(default) if isinstance(default, str) else default
        )
    return SimpleNamespace(**values)


def picture(asked: Request) -> Found:
    """A picture or a document, perhaps with the solution, as a file in base 64."""
    form = asked.text("form")
    if form not in ("svg", "png", "pdf"):
        raise InputError("expected svg, png or pdf")
    puzzle, _ = asked.puzzle()
    chapter = DocumentItem(
        puzzle.title, puzzle.instance.about if puzzle.type.about else "", puzzle.parts()
    )
    if asked.given.get("solved"):
        run = puzzle.run(Query(limit=1, ordered=False, goal="none"), clock=asked.clock)
        parts = [part for solution in run for part in solution_parts(solution)]
        chapter = replace(chapter, remark=run.outcome(), solution=parts)
    if form == "svg":
        data = drawing(puzzle.title, chapter_parts([chapter])).encode()
    else:
        from puzzlekit.render.paper_document import pdf
        from puzzlekit.render.typeset import png, require_typst

        require_typst(form)
        if form == "pdf":
            data = pdf(puzzle.title, [chapter], PaperOptions(), {}).content
        else:
            data = png(puzzle.title, chapter_parts([chapter]))
    yield {"answer": {"data": b64encode(data).decode(), "name": f"{puzzle.type.name}.{form}"}}


def link(asked: Request) -> Found:
    """The pages of others that can open the puzzle."""
    puzzle, _ = asked.puzzle()
    yield {"answer": {"links": addresses(puzzle.instance)}}


# Types and examples -------------------------------------------------------------------------------


def catalogue(asked: Request) -> Found:
    """All types: what they are found by, and the names of their examples."""
    found = []
    for name, header in headers(types()).items():
        if header is not None and header.is_type:
            words = " ".join(
                (name, header.title, *header.aliases, header.group, *header.tags, header.about)
            ).lower()
            specs = [path.stem for path in example_specs(name)]
            found.append(
                {
                    "name": name,
                    "title": header.title or name,
                    "group": header.group,
                    "words": words,
                    "specs": specs,
                }
            )
    yield {"answer": {"types": found}}


def pictures(asked: Request) -> Found:
    """The pictures of the smallest examples of types, one after the other."""
    names = asked.given.get("names")
    for name in names[:50] if isinstance(names, list) else ():
        with suppress(PuzzlekitError):
            for path in example_specs(str(name))[:1]:
                puzzle = load(find(str(name)), path, clock=asked.clock)
                yield {"progress": {"name": name, "picture": drawing(puzzle.title, puzzle.parts())}}
    yield {"answer": {}}


def example(asked: Request) -> Found:
    """The texts of a type that ships and of one of its examples."""
    name = asked.text("name")
    if name not in types():
        raise InputError("there is no such type")
    specs = {path.stem: path for path in example_specs(name)}
    path = specs.get(asked.text("example"), next(iter(specs.values()), None))
    yield {
        "answer": {
            "type": read_text(types()[name]),
            "spec": read_text(path) if path else f"puzzle: {name}\n",
        }
    }


def new(asked: Request) -> Found:
    """The texts of a small type and a spec, to begin with."""
    yield {"answer": {"type": new_type(NEW, f"{NEW}.yaml"), "spec": new_spec(NEW)}}


def opened(asked: Request) -> Found:
    """A spec from a link or the text of a file, with the type that it names, or a type."""
    text = asked.text("text").strip()
    if text.startswith(("http://", "https://")) or "\n" not in text:
        made = read_one(text)
        yield {"answer": {"type": read_text(find(made.type)), "spec": made.text}}
        return
    header = header_of(Path("text"), f"{text}\n")
    if header.is_type:
        yield {"answer": {"type": f"{text}\n", "spec": ""}}
        return
    kind = file = None
    with suppress(InputError):
        path = find(header.name, Path(asked.text("name")).parent)
        kind, file = read_text(path), None if path.is_absolute() else path.as_posix()
    yield {"answer": {"type": kind, "file": file, "spec": f"{text}\n"}}


QUESTIONS: Mapping[str, Callable[[Request], Found]] = {
    function.__name__: function
    for function in (
        *(board, solutions, solve, count, shared, check, hint, explain, why, rate),
        *(generate, picture, link, catalogue, pictures, example, new, opened),
    )
}
