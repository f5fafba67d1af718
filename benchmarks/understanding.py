"""How far and how fast puzzles are understood, on the smallest unique spec of each type.

    python benchmarks/understanding.py [TYPE…]

Seconds are of the processor, after loading. `explained` is whole if the steps reach the solution in
10 seconds.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any

import puzzlekit
from puzzlekit import ExplainedStep
from puzzlekit.api import Puzzle, Query, Solution
from puzzlekit.boards import Grid
from puzzlekit.clock import Clock
from puzzlekit.errors import PuzzlekitError, Stopped
from puzzlekit.lang import Instance
from puzzlekit.reasons import Explainer, ValueLiteral, check, conflict

ROOT = Path(__file__).resolve().parents[1]
TRIED = 8  # specs of a type, the smallest first
SECONDS = 10.0  # for an explanation
CHANGES = 12  # of a given that are tried, until there is no solution
WRONG = 2  # changed givens of each spec


def unique_specs(only: list[str]) -> Iterator[tuple[str, Puzzle, Solution]]:
    """The smallest spec of each type that has one solution, with that."""
    for folder in sorted((ROOT / "specs").iterdir()):
        if only and folder.name not in only:
            continue
        for path in sorted(folder.glob("*.yaml"), key=lambda path: path.stat().st_size)[:TRIED]:
            with suppress(PuzzlekitError):
                puzzle = puzzlekit.load(None, path)
                found = list(
                    puzzle.run(Query(limit=2, goal="none", ordered=False), timeout=SECONDS)
                )
                if len(found) == 1:
                    yield path.stem, puzzle, found[0]
                    break


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The seconds of some work, and its result."""
    began = time.process_time()
    found = work()
    return time.process_time() - began, found


def changed(puzzle: Puzzle, seed: int) -> Instance | None:
    """The puzzle with one given changed so that it has no solution."""
    rng = random.Random(seed)
    boards = {
        n: v
        for n, v in puzzle.instance.data.items()
        if isinstance(v, Grid) and any(type(x) is int for x in v)
    }
    for _ in range(CHANGES if boards else 0):
        name = rng.choice(sorted(boards))
        cells = [cell for cell, value in boards[name].values.items() if type(value) is int]
        values = sorted({boards[name].values[cell] for cell in cells})
        cell = rng.choice(cells)
        other = [value for value in (*values, values[-1] + 1) if value != boards[name].values[cell]]
        data = {
            **puzzle.instance.data,
            name: Grid({**boards[name].values, cell: rng.choice(other)}),
        }
        with suppress(PuzzlekitError):
            bound = Instance(puzzle.type, data)
            run = Puzzle(puzzle.type, puzzle.spec, bound).run(
                Query(limit=1, goal="none", ordered=False), timeout=SECONDS
            )
            if not list(run) and run.status == "complete":
                return bound
    return None


class OfTheProcessor(Clock):
    """A clock that asks for seconds of the processor,
    so that a busy machine does not shorten an explanation.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self.end = time.process_time() + seconds

    def check(self) -> None:
        if time.process_time() > self.end:
            raise Stopped("the time is up")


def first_step(puzzle: Puzzle) -> ExplainedStep | None:
    """The first step, without what earlier questions left to reuse."""
    puzzle.instance.explainer = None
    return next(iter(puzzle.explain({})), None)


def explained(puzzle: Puzzle) -> tuple[bool, Counter[int]]:
    """Whether an explanation is whole, and its steps by class of patterns."""
    explanation = puzzle.explain({}, clock=OfTheProcessor(SECONDS))
    with suppress(Stopped):
        for _ in explanation:
            pass
    return explanation.status == "solved", Counter(
        step.pattern.pattern_class.text for step in explanation.steps
    )


def main(only: list[str]) -> None:
    whole, seconds = 0, {name: list[float]() for name in ("explained", "hint", "check", "conflict")}
    for name, puzzle, solution in unique_specs(only):
        try:
            took, (solved, tiers) = timed(lambda: explained(puzzle))  # noqa: B023
            seconds["explained"].append(took)
            whole += solved
            with OfTheProcessor(6 * SECONDS).running():
                seconds["hint"].append(timed(lambda: first_step(puzzle))[0])  # noqa: B023
                understood = Explainer(puzzle.instance)
                half = understood.assumption_model.goal[::2]
                facts = [ValueLiteral(variable, solution.assignment[variable]) for variable in half]
                check(understood, [])  # it is warm from here on
                seconds["check"].append(timed(lambda: check(understood, facts))[0])  # noqa: B023
                for seed in range(WRONG):
                    if (wrong := changed(puzzle, seed)) is not None:
                        seconds["conflict"].append(timed(lambda: conflict(Explainer(wrong)))[0])
        except PuzzlekitError as error:
            print(
                f"{puzzle.type.name:24} {name:16} {type(error).__name__}: {str(error)[:60]}",
                flush=True,
            )
            continue
        steps = " ".join(f"{count}×{tier}" for tier, count in sorted(tiers.items()))
        print(
            (
                f"{puzzle.type.name:24} {name:16} {'whole' if solved else 'part ':6} {took:6.2f} "
                f"s  {steps}"
            ),
            flush=True,
        )
    print(f"whole: {whole} of {len(seconds['explained'])}")
    for what, own in seconds.items():
        if own:
            print(f"{what}: median {median(own):.3f} s, largest {max(own):.2f} s, of {len(own)}")


if __name__ == "__main__":
    main(sys.argv[1:])
