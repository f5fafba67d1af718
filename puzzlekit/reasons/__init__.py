"""What follows in a puzzle and why: steps to its solution, what is wrong with a board, which rules
conflict, how hard it is.

- `assumption_model` encodes a puzzle: each instance of a rule has a selector literal.
- `literals` numbers what can be known, `patterns` makes clauses of conditions, once for all that
  differ only in names; `instances`, `shapes` and `region_sizes` find what an instance entails, with
  the fewest facts for it.
- `solver_pool` bounds the native solvers that all of these share.
- `steps` finds the steps to the solution, the simplest first, with `failed_literals` for those that
  no instance or pair entails; `fewer_steps` leaves out what some facts can do without.
- `explainer` holds the model and the words of a puzzle, and finds minimal unsatisfiable sets of
  rules. `conflicts` and `checking` answer from these; `difficulty` makes a number of the steps.
- `progress` reads marks on a board in the making; `words` and `places` put facts and rules into
  words, `chains` finds how facts lead to a contradiction, `sentences` chooses the sentence of a
  step from `puzzlekit.sentences`, and `narration` tells only the steps that need a word.
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.reasons.assumption_model import (
        AssumptionModel as AssumptionModel,
        AssumptionSolver as AssumptionSolver,
    )
    from puzzlekit.reasons.checking import Check as Check, check as check
    from puzzlekit.reasons.conflicts import Conflict as Conflict, conflict as conflict
    from puzzlekit.reasons.difficulty import LEVELS as LEVELS, Rating as Rating, rate as rate
    from puzzlekit.reasons.explainer import Explainer as Explainer, explainer_of as explainer_of
    from puzzlekit.reasons.fewer_steps import fewer as fewer
    from puzzlekit.reasons.instances import GroundRule as GroundRule, Step as Step
    from puzzlekit.reasons.literals import TRUE as TRUE, ValueLiteral as ValueLiteral
    from puzzlekit.reasons.narration import ExplainedStep as ExplainedStep, Narrator as Narrator
    from puzzlekit.reasons.places import cells_in as cells_in, place_text as place_text
    from puzzlekit.reasons.progress import read_marks as read_marks
    from puzzlekit.reasons.steps import Steps as Steps, ViolatedInstance as ViolatedInstance
    from puzzlekit.reasons.words import FactText as FactText, RuleInstance as RuleInstance
else:
    __getattr__ = door(
        __name__,
        {
            "assumption_model": ("AssumptionModel", "AssumptionSolver"),
            "checking": ("Check", "check"),
            "conflicts": ("Conflict", "conflict"),
            "difficulty": ("LEVELS", "Rating", "rate"),
            "explainer": ("Explainer", "explainer_of"),
            "fewer_steps": ("fewer",),
            "instances": ("GroundRule", "Step"),
            "literals": ("TRUE", "ValueLiteral"),
            "narration": ("ExplainedStep", "Narrator"),
            "places": ("cells_in", "place_text"),
            "progress": ("read_marks",),
            "steps": ("Steps", "ViolatedInstance"),
            "words": ("FactText", "RuleInstance"),
        },
    )
