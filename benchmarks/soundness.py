"""Whether the facts of explanations follow from their own instances and reasons,
by another backend.

    python benchmarks/soundness.py [FACTS [SEED]] [TYPE…]

Specs of all types are explained, the smallest of each type first, until so many facts were tried
(1,000 by default); with a seed, in a random order. A fact is sound if the rules that its step
names, its reasons and its opposite have no solution. Of two instances that are named by the same
words, both count.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import puzzlekit
from puzzlekit import Explanation
from puzzlekit.backends import Budget
from puzzlekit.errors import PuzzlekitError, Stopped
from puzzlekit.model import Constraint, Model, Origin, Term, variables_of
from puzzlekit.query import Query
from puzzlekit.reasons import (
    AssumptionModel,
    Explainer,
    FactText,
    GroundRule,
    ValueLiteral,
    explainer_of,
)
from puzzlekit.reasons.literals import TRUE
from puzzlekit.solve import ModelSearch, solver

ROOT = Path(__file__).resolve().parents[1]
ANOTHER = "asp"
SECONDS = 20.0  # for the steps of a spec, those so far are tried, too; and for each fact
LARGEST = 4_000  # bytes of a spec


class Claim(NamedTuple):
    """A fact, and from what it is said to follow."""

    where: str
    literal: int
    instances: Sequence[GroundRule]
    reasons: Sequence[int]


def unsound(understood: Explainer, explanation: Explanation) -> tuple[int, list[str]]:
    """Return how many facts of an explanation were tried, and those that do not follow."""
    guarded, wrong = understood.assumption_model, list[str]()
    claims = [*told(explanation, understood)]
    for claim in claims:
        conditions = [
            condition for instance in claim.instances for condition in instance.conditions
        ]
        if allowed(
            guarded,
            conditions,
            [guarded.literals.fact(literal) for literal in (*claim.reasons, -claim.literal)],
        ):
            rules = ", ".join(str(instance.origin) for instance in claim.instances)
            wrong.append(f"{guarded.literals.fact(claim.literal)} by {claim.where}: {rules}")
    return len(claims), wrong


def told(explanation: Explanation, understood: Explainer) -> Iterator[Claim]:
    """Yield the facts of the steps as they are told,
    with the instances and reasons that these name.
    """
    guarded, words, by_name = understood.assumption_model, understood.words, named(understood)

    def literals(statements: Iterable[FactText]) -> list[int]:
        unknowns = (
            (words.puzzle.families[fact.name].members[fact.index], fact) for fact in statements
        )
        return [
            guarded.literals.of_fact(ValueLiteral(unknown, fact.value, fact.positive))
            for unknown, fact in unknowns
        ]

    for step in explanation.steps:
        instances = dict.fromkeys(
            instance for rule in step.rules for instance in by_name[str(rule)]
        )
        for literal in literals(step.facts):
            if literal == TRUE:  # the only value that the type allows
                continue
            yield Claim(f"step {step.number}", literal, [*instances], literals(step.reasons))


def named(understood: Explainer) -> dict[str, list[GroundRule]]:
    """Return the instances by the words that name them."""
    instances: dict[str, list[GroundRule]] = {}
    for instance in understood.assumption_model.instances:
        for rule in understood.rules([instance]):
            instances.setdefault(str(rule), []).append(instance)
    return instances


def allowed(
    guarded: AssumptionModel, conditions: Sequence[Term], facts: Sequence[ValueLiteral] = ()
) -> bool:
    """Return whether conditions and facts have a solution, as another backend finds."""
    domains = dict(guarded.literals.domains)
    for fact in facts:
        domains[fact.unknown] = tuple(
            value for value in domains[fact.unknown] if (value == fact.value) == fact.positive
        )
    used = {variable for condition in conditions for variable in variables_of(condition)}
    used |= {fact.unknown for fact in facts}
    constraints = tuple(Constraint(condition, Origin("step")) for condition in conditions)
    model = Model(
        {variable: domain for variable, domain in domains.items() if variable in used}, constraints
    )
    if not all(model.domains.values()):
        return False
    search = ModelSearch(model, solver(ANOTHER, False), Budget.of(SECONDS))
    return next(search.run(Query(limit=1)), None) is not None


def by_rounds(only: list[str]) -> Iterator[Path]:
    """Yield specs: the smallest of each type, then the next of each type, and so on."""
    folders = [
        folder for folder in sorted((ROOT / "specs").iterdir()) if not only or folder.name in only
    ]
    specs = [
        sorted(folder.glob("*.yaml"), key=lambda path: path.stat().st_size) for folder in folders
    ]
    for of_each_type in zip_longest(*specs):
        for path in of_each_type:
            if path is not None and path.stat().st_size <= LARGEST:
                yield path


def explained(paths: Iterable[Path], seconds: float) -> Iterator[tuple[str, Explanation]]:
    """Yield the name of each spec and its explanation, as far as it gets within the seconds.

    A spec that cannot be explained is reported.
    """
    for path in paths:
        name = f"{path.parent.name}/{path.stem}"
        try:
            explanation = puzzlekit.load(None, path).explain({}, timeout=seconds)
            with suppress(Stopped):
                for _ in explanation:
                    pass
        except PuzzlekitError as error:
            print(f"{name}: {type(error).__name__}: {str(error)[:60]}", flush=True)
            continue
        yield name, explanation


def numbers_and_words(arguments: Iterable[str]) -> tuple[list[int], list[str]]:
    """Return the numbers among the arguments of a command, and the rest."""
    numbers, words = list[int](), list[str]()
    for argument in arguments:
        if argument.isdecimal():
            numbers.append(int(argument))
        else:
            words.append(argument)
    return numbers, words


def main(most: int, seed: int | None, only: list[str]) -> None:
    tried, specs, wrong = 0, 0, list[str]()
    paths = [*by_rounds(only)]
    if seed is not None:
        random.Random(seed).shuffle(paths)
    for name, explanation in explained(paths, SECONDS):
        try:
            facts, unsound_facts = unsound(explainer_of(explanation.puzzle.instance), explanation)
        except PuzzlekitError as error:
            print(f"{name}: {type(error).__name__}: {str(error)[:60]}", flush=True)
            continue
        tried += facts
        specs += 1
        wrong += [f"{name}: {fact}" for fact in unsound_facts]
        print(f"{name}: {tried:,} facts so far, {len(wrong)} unsound", flush=True)
        if tried >= most:
            break
    print(f"{tried:,} facts of {specs} specs, {len(wrong)} unsound", *wrong, sep="\n")


if __name__ == "__main__":
    numbers, types = numbers_and_words(sys.argv[1:])
    main(numbers[0] if numbers else 1_000, numbers[1] if len(numbers) > 1 else None, types)
