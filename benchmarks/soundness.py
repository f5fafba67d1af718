"""Whether the facts of explanations follow from their own instances and reasons, by another backend.

    python benchmarks/soundness.py [FACTS] [TYPE…]

Specs of all types are explained, the smallest of each type first, until so many facts were tried (1,000 by default).
A fact is sound if the conditions of its step, its reasons and its opposite have no solution.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path

import puzzlekit
from puzzlekit.backends import Budget
from puzzlekit.clock import Clock
from puzzlekit.errors import PuzzlekitError, Stopped
from puzzlekit.model import Constraint, Model, Origin, Term, variables_of
from puzzlekit.query import Query
from puzzlekit.reasons.guarded import GuardedModel
from puzzlekit.reasons.literals import TRUE, Fact
from puzzlekit.reasons.steps import Contradicted, Steps
from puzzlekit.solve.search import Search
from puzzlekit.solve.solver import solver

ROOT = Path(__file__).resolve().parents[1]
ANOTHER = "asp"
SECONDS = 20.0  # for the steps of a spec, those so far are tried, too; and for each fact
LARGEST = 4_000  # bytes of a spec


def unsound(guarded: GuardedModel, steps: Steps) -> list[str]:
    """Return the facts that do not follow from the conditions of their step and its reasons."""
    literals = guarded.literals
    return [
        f"{literals.fact(literal)} by {step.tier}: {', '.join(str(instance.origin) for instance in step.instances)}"
        for step in steps.steps
        for literal in step.literals
        if allowed(
            guarded,
            [condition for instance in step.instances for condition in instance.conditions],
            [literals.fact(one) for one in (*step.reasons, -literal) if one != TRUE],
        )
    ]


def allowed(guarded: GuardedModel, conditions: Sequence[Term], facts: Sequence[Fact] = ()) -> bool:
    """Return whether conditions and facts have a solution, as another backend finds."""
    domains = dict(guarded.literals.domains)
    for fact in facts:
        domains[fact.unknown] = tuple(value for value in domains[fact.unknown] if (value == fact.value) == fact.holds)
    used = {variable for condition in conditions for variable in variables_of(condition)}
    constraints = tuple(Constraint(condition, Origin("step")) for condition in conditions)
    model = Model({variable: domain for variable, domain in domains.items() if variable in used}, constraints)
    if not all(model.domains.values()):
        return False
    search = Search(model, solver(ANOTHER, False), Budget.of(SECONDS))
    return next(search.run(Query(limit=1)), None) is not None


def by_rounds(only: list[str]) -> Iterator[Path]:
    """Yield specs: the smallest of each type, then the next of each type, and so on."""
    folders = [folder for folder in sorted((ROOT / "specs").iterdir()) if not only or folder.name in only]
    specs = [sorted(folder.glob("*.yaml"), key=lambda path: path.stat().st_size) for folder in folders]
    for some in zip_longest(*specs):
        yield from (path for path in some if path is not None and path.stat().st_size <= LARGEST)


def main(most: int, only: list[str]) -> None:
    tried, specs, wrong = 0, 0, list[str]()
    for path in by_rounds(only):
        if tried >= most:
            break
        try:
            guarded = GuardedModel(puzzlekit.load(None, path).model)
            steps = Steps(guarded)
            with suppress(Stopped, Contradicted), Clock(SECONDS).running():
                for _ in steps.run():
                    pass
            wrong += [f"{path.parent.name}/{path.stem}: {fact}" for fact in unsound(guarded, steps)]
        except PuzzlekitError as error:
            print(f"{path.parent.name}/{path.stem}: {type(error).__name__}: {str(error)[:60]}", flush=True)
            continue
        specs += 1
        tried += sum(len(step.literals) for step in steps.steps)
        print(f"{path.parent.name}/{path.stem}: {tried:,} facts so far, {len(wrong)} unsound", flush=True)
    print(f"{tried:,} facts of {specs} specs, {len(wrong)} unsound", *wrong, sep="\n")


if __name__ == "__main__":
    numbers = [int(one) for one in sys.argv[1:] if one.isdecimal()]
    main(numbers[0] if numbers else 1_000, [one for one in sys.argv[1:] if not one.isdecimal()])
