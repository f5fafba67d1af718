"""Whether a step of an explanation names a rule or a fact that it could do without.

    python benchmarks/minimality.py [STEPS [SEED]] [SPEC…]

Of all steps of the specs, by default the smallest of each type, so many are drawn (2,000 by
default). Without any one of its rules or reasons, no step may follow.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from soundness import by_rounds, explained, named, numbers_and_words

from puzzlekit import ExplainedStep
from puzzlekit.clock import Clock
from puzzlekit.errors import Stopped
from puzzlekit.reasons import Explainer, FactText, ValueLiteral, explainer_of
from puzzlekit.reasons.literals import TRUE

SECONDS = 30.0  # for the steps of a spec, and for the questions about them


def literals_of(explainer: Explainer, facts: Iterable[FactText]) -> list[int]:
    """Return the literals of facts, but for the only values of unknowns."""
    families = explainer.words.puzzle.families
    literals = []
    for fact in facts:
        unknown = families[fact.name].members[fact.index]
        known = ValueLiteral(unknown, fact.value, fact.positive)
        literals.append(explainer.assumption_model.literals.of_fact(known))
    return [literal for literal in literals if literal != TRUE]


class Premises:
    """Asks what follows from the rules and the reasons of steps of a puzzle."""

    def __init__(self, explainer: Explainer) -> None:
        self.explainer = explainer
        self.instances = named(explainer)

    def follow(
        self,
        rules: Sequence[str],
        reasons: Sequence[int],
        facts: Sequence[int],
        dropped: str = "",
    ) -> bool:
        """Return whether all facts follow from rules and reasons, without a dropped rule."""
        instances = {instance for rule in rules for instance in self.instances[rule]}
        instances.difference_update(self.instances.get(dropped, ()))
        selectors = [instance.selector for instance in instances]
        solver = self.explainer.solver
        return not any(solver.possible([*selectors, *reasons, -fact]) for fact in facts)

    def needless(self, step: ExplainedStep) -> list[str]:
        """Return the rules and reasons of a step that it could do without; *too few* if it does not
        follow from all of them.
        """
        rules = list(map(str, step.rules))
        reasons = literals_of(self.explainer, step.reasons)
        facts = literals_of(self.explainer, step.facts)
        if not self.follow(rules, reasons, facts):
            return ["too few"]
        if not facts:
            return []
        needless = []
        for rule in rules:
            needless += [rule] * self.follow(rules, reasons, facts, rule)
        for reason in reasons:
            fewer = [each for each in reasons if each != reason]
            fact = self.explainer.assumption_model.literals.fact(reason)
            needless += [str(fact)] * self.follow(rules, fewer, facts)
        return needless


def main(most: int, seed: int, paths: Sequence[Path]) -> None:
    rng = random.Random(seed)
    share = -(-2 * most // len(paths))  # of each spec; many have fewer steps
    tried, wrong = 0, list[str]()
    for name, explanation in explained(rng.sample(paths, len(paths)), SECONDS):
        premises = Premises(explainer_of(explanation.puzzle.instance))
        sample = rng.sample(explanation.steps, min(len(explanation.steps), share))
        with suppress(Stopped), Clock(SECONDS).running():
            for step in sample:
                needless = premises.needless(step)
                tried += 1
                if needless:
                    wrong.append(f"{name} {step.number}: {needless}")
        print(f"{name}: {tried:,} steps, {len(wrong)} wrong", flush=True)
        if tried >= most:
            break
    print(f"{tried:,} steps, {len(wrong)} with more than they need", *wrong, sep="\n")


if __name__ == "__main__":
    numbers, specs = numbers_and_words(sys.argv[1:])
    paths = list(map(Path, specs)) or list(by_rounds([]))
    main(numbers[0] if numbers else 2_000, numbers[1] if len(numbers) > 1 else 0, paths)
