"""Whether the conflicts that are named are real and minimal, by another backend,
and how long they take.

    python benchmarks/conflicts.py [SPECS] [TYPE…]

In so many specs (200 by default), the smallest of each type first, one given is changed so that
there is no solution. The rules that the conflict names may have none together, and must have one if
any of them is left out. Where there is no conflict in time, or the other backend gives no answer,
the spec is named and not counted.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from statistics import median

from soundness import allowed, by_rounds, named
from understanding import SECONDS, OfTheProcessor, changed, timed

import puzzlekit
from puzzlekit.errors import PuzzlekitError
from puzzlekit.reasons import Conflict, Explainer, conflict

SEEDS = range(3)  # each for other givens


def faults(understood: Explainer, found: Conflict) -> Iterator[str]:
    """Yield what is wrong with the first conflict, as it is named."""
    by_name = named(understood)
    groups = {str(rule): by_name[str(rule)] for rule in found.conflicts[0]}

    def possible(without: str = "") -> bool:
        instances = chain.from_iterable(own for name, own in groups.items() if name != without)
        return allowed(
            understood.assumption_model,
            [one for instance in instances for one in instance.conditions],
        )

    if possible():
        yield "it has a solution"
    yield from (f"without {name} there is none, too" for name in groups if not possible(name))


def main(most: int, only: list[str]) -> None:
    seconds, smallest, wrong = list[float](), 0, list[str]()
    for path in by_rounds(only):
        if len(seconds) >= most:
            break
        name = f"{path.parent.name}/{path.stem}"
        try:
            puzzle = puzzlekit.load(None, path)
            bound = next(
                (made for seed in SEEDS if (made := changed(puzzle, seed)) is not None), None
            )
            if bound is None:
                continue
            understood = Explainer(bound)
            with OfTheProcessor(SECONDS).running():
                took, found = timed(lambda: conflict(understood))  # noqa: B023
            own = [f"{name}: {fault}" for fault in faults(understood, found)]
        except PuzzlekitError as error:
            print(f"{name}: {type(error).__name__}: {str(error)[:60]}", flush=True)
            continue
        seconds, smallest, wrong = [*seconds, took], smallest + found.smallest, [*wrong, *own]
        print(
            (
                f"{name}: {len(found.conflicts[0])} rules, {took:.3f} s; {len(seconds)} specs, "
                f"{len(wrong)} faults"
            ),
            flush=True,
        )
    print(
        (
            f"{len(seconds)} specs, {smallest} of them with a smallest conflict "
            f"for certain, {len(wrong)} faults"
        ),
        *wrong,
        sep="\n",
    )
    if seconds:
        print(f"median {median(seconds):.3f} s, largest {max(seconds):.2f} s of the processor")


if __name__ == "__main__":
    numbers = [int(one) for one in sys.argv[1:] if one.isdecimal()]
    main(numbers[0] if numbers else 200, [one for one in sys.argv[1:] if not one.isdecimal()])
