"""Golden files: the sentences of explanations, commands and pages as they are.

There is one file for each of `TEXTS`, and `python -m tests.update` writes them anew. A test holds
each file to what is printed now, so other tests need not quote sentences: they look at facts,
rules and statuses.
"""

import shlex
import tempfile
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import puzzlekit
from puzzlekit.questions.answers import answer
from puzzlekit.sentences.__main__ import listing
from tests.commands import called
from tests.shipped import ROOT, SPECS

GOLDEN = ROOT / "tests" / "golden"

# Steps --------------------------------------------------------------------------------------------

STEPS: Mapping[str, Mapping[int, str]] = {  # by spec, what steps show
    "sudoku/first": {1: "the only place in a box", 4: "the last open cell"},
    "nurikabe/6x6": {
        1: "words of the type, and what a fact means for other unknowns of its place",
        2: "a group that has all",
    },
    "slitherlink/5x5": {
        1: "what would leave a clue no place",
        2: "two lines at a vertex",
        4: "a chain",
        8: "a clue with just the places that it needs",
    },
    "kakuro/4x4": {1: "the only combination", 4: "two combinations", 3: "a naked single"},
    "star_battle/tiny": {1: "a region without a place"},
    "hitori/tiny": {1: "a rule without a group", 5: "a fact from one other fact"},
    "skyscrapers/tiny": {1: "a clue beside the board", 2: "values that are left"},
    "nonogram/unknown": {2: "cells that all placements share"},
    "hashi/three": {1: "a noun of which there are several", 2: "a noun of which there is one"},
    "zebra/tiny": {1: "values that are words"},
    "waffle/pasted": {1: "colours", 4: "letters as the board shows them"},
    "stitches/tiny": {1: "things between cells"},
    "killer/6x6": {1: "the rule of 45"},
}


def steps() -> Iterator[str]:
    """Yield steps of shipped specs."""
    for name, shown in STEPS.items():
        explanation = puzzlekit.load(None, SPECS[name]).explain()
        for step in islice(explanation, max(shown)):
            if step.number in shown:
                yield f"{name}, step {step.number}: {shown[step.number]}\n{step.text}.\n"


# Commands -----------------------------------------------------------------------------------------

PAIR = "puzzle: pair\nvariables: {x: 'between(1, 3)', y: 'between(1, 3)'}\n"
FILES = {
    "first.yaml": SPECS["sudoku/first"].read_text(encoding="utf-8"),
    "six.yaml": SPECS["sudoku/six"].read_text(encoding="utf-8"),
    "loop.yaml": SPECS["slitherlink/tiny"].read_text(encoding="utf-8"),
    "right.yaml": "digit: {r1c3: 4, r1c4: 6}\n",
    "breaks.yaml": "digit: {r1c3: 4, r1c4: 4}\n",
    "wrong.yaml": "digit: {r1c3: 2}\n",
    "none.yaml": PAIR
    + "rules: {x is greater: x > y, y is 3: y == 3, x is 2: x == 2, y is no 1: y != 1}\n",
    "several.yaml": PAIR + "rules: {x is greater: x > y}\n",
    "best.yaml": PAIR + "rules: {x is greater: x > y}\ngoals: {most: maximise(x + y)}\n",
}
COMMANDS = (
    "check first.yaml --progress right.yaml",
    "check first.yaml --progress breaks.yaml",
    "check first.yaml --progress wrong.yaml",
    "hint first.yaml",
    "hint first.yaml --where",
    "hint first.yaml --progress wrong.yaml",
    "explain six.yaml --until r1c4",
    "explain loop.yaml --until 'top of r1c3'",
    "explain several.yaml",
    "explain none.yaml",
    "conflict first.yaml",
    "conflict none.yaml",
    "conflict none.yaml --most 9",
    "conflict several.yaml",
    "conflict best.yaml",
)


def commands() -> Iterator[str]:
    """Yield what commands about puzzles print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file, text in FILES.items():
            (folder / file).write_text(text, encoding="utf-8")
        for command in COMMANDS:
            done = called(*shlex.split(command), cwd=folder)
            yield f"$ puzzlekit {command}\n{done.stdout}{done.stderr}"


# Questions of the page ----------------------------------------------------------------------------

ONE = "puzzle: one\nvariables: {x: 'between(1, 3)'}\nrules: {r: x == 1}\n"


def questions() -> Iterator[str]:
    """Yield what the page of `serve` says of boards."""
    six = {
        "type": (ROOT / "puzzles" / "sudoku.yaml").read_text(encoding="utf-8"),
        "spec": SPECS["sudoku/six"].read_text(encoding="utf-8"),
    }
    one = {"type": ONE, "spec": ""}
    several = {"type": FILES["several.yaml"], "spec": ""}
    none = {"type": FILES["none.yaml"], "spec": ""}
    empty: list[Any] = []
    yield _answered("the only solution", "solve", **six)
    yield _answered("all solutions", "solve", **several)
    yield _answered("no solution", "solve", **none)
    yield _answered("what all solutions share", "shared", **six)
    yield _answered("a mark that is wrong", "check", board=_first_mark(1, 36), **six)
    yield _answered("a solution", "check", board=_first_mark(1, 1), **one)
    yield _answered("a rule that is broken", "check", board=_first_mark(2, 1), **one)
    yield _answered("an empty board", "check", board=_first_mark(0, 1), **one)
    yield _answered("a hint", "hint", board=empty, **six)
    yield _answered("the end of the steps", "explain", board=empty, **six)
    yield _answered("the end where there are several solutions", "explain", board=empty, **several)
    yield _answered("the end where there is none", "explain", board=empty, **none)


def _first_mark(token: int, places: int) -> list[dict[str, list[int]]]:
    """Return a board with a mark at its first place."""
    return [{"held": [token] + [0] * (places - 1), "crossed": []}]


def _answered(title: str, question: str, **asked: Any) -> str:
    *_, last = answer({"question": question, "seconds": 20, **asked})
    return f"{question}: {title}\n{last['answer']['text']}\n"


TEXTS = {
    "sentences.txt": listing,
    "steps.txt": steps,
    "commands.txt": commands,
    "questions.txt": questions,
}


def golden_text(name: str) -> str:
    """Return what a golden file should hold."""
    return "\n".join(TEXTS[name]())
