"""A search is told as a trial of cases, each line of which follows from those before it."""

import puzzlekit
from puzzlekit.reasons.deductions import ForcingChain, Pattern
from puzzlekit.reasons.explainer import Explainer
from puzzlekit.reasons.steps import Steps
from tests.commands import ROOT


def deepest(chain: ForcingChain) -> int:
    """How many assumptions stand inside of each other below a chain."""
    return max((1 + deepest(branch) for branch in chain.branches), default=0)


def leaves(chain: ForcingChain) -> list[ForcingChain]:
    if not chain.branches:
        return [chain]
    return [leaf for branch in chain.branches for leaf in leaves(branch)]


def test_a_search_is_told_by_cases_that_all_fail() -> None:
    puzzle = puzzlekit.load(None, ROOT / "specs/star_battle/nine.yaml")
    steps = Steps(Explainer(puzzle.instance))
    trials = [step for step in steps.run() if step.deduction.pattern is Pattern.TRIAL]
    nested = [step for step in trials if deepest(step.deduction.chains[0]) > 1]
    assert nested
    for step in nested:
        (chain,) = step.deduction.chains
        assert step.deduction.literals == (-chain.assumed,)
        assert all(leaf.contradiction is not None for leaf in leaves(chain))
        search = steps.search
        premises = search.shrink_premises(
            step.deduction.instances, step.deduction.reasons, step.deduction.literals, ()
        )
        assert {*premises[0]} <= {*step.deduction.instances}
