"""What follows in a puzzle and why: steps to its solution, what is wrong with a board, which rules
conflict, how hard it is.

- `assumption_model` encodes a puzzle: each instance of a rule has a selector literal.
- `literals` numbers what can be known, `patterns` makes clauses of conditions, once for all that
  differ only in names; `instances`, `shapes` and `region_sizes` find what an instance entails, with
  the fewest facts for it.
- `areas`, `numbered_regions` and `memberships` say how far areas reach, and to which of them a cell
  may belong; `exclusions` says what leaves it only one.
- `solver_pool` bounds the native solvers that all of these share.
- `cards`, `sums` and `whole_rules` say what rules count; `marks` is what a person sees: values and
  pencil marks. `singles`, `covers`, `differences` and `chains` find patterns, `search` what none of
  these gives; `steps` takes the cheapest one at each moment. `deductions` has what they exchange.
- `choices` and `options` are the ways to place a thing, and what these have in common; `runs`,
  `vertex_counts` and `uniqueness` find what follows from runs of values, from counts at the
  vertices of a loop, and from there being one solution.
- `explainer` holds the model and the words of a puzzle, and finds minimal unsatisfiable sets of
  rules. `conflicts` and `checking` answer from these; `difficulty` names the hardest
  pattern, `frontiers` tells how far the patterns of a level lead.
- `progress` reads marks on a board in the making; `words`, `places`, `side_names` and `card_words`
  put facts, rules and cards into words. `causes` and `arrangements` say why values are excluded,
  and which rows of values are left.
- `step_sentences` makes the sentence of a step: by its pattern, `single_sentences`,
  `rule_sentences`, `sum_sentences`, `cover_sentences` or `chain_sentences` does. These share a
  `step_context`, and the words of `area_words`, `option_words`, `vertex_words` and
  `conflict_words`; `chain_lines` has the lines of chains. `narration` tells only the steps that
  others need.
"""

from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.reasons.assumption_model import (
        AssumptionModel as AssumptionModel,
        AssumptionSolver as AssumptionSolver,
    )
    from puzzlekit.reasons.card_words import merged as merged
    from puzzlekit.reasons.checking import Check as Check, check as check
    from puzzlekit.reasons.conflicts import Conflict as Conflict, conflict as conflict
    from puzzlekit.reasons.deductions import (
        Pattern as Pattern,
        PatternClass as PatternClass,
        names_in as names_in,
        patterns_named as patterns_named,
    )
    from puzzlekit.reasons.difficulty import (
        LEVELS as LEVELS,
        Rating as Rating,
        rate as rate,
    )
    from puzzlekit.reasons.explainer import Explainer as Explainer, explainer_of as explainer_of
    from puzzlekit.reasons.frontiers import (
        Climb as Climb,
        Frontier as Frontier,
        easiest_class as easiest_class,
        frontier as frontier,
        harder_patterns as harder_patterns,
        is_solved_at as is_solved_at,
    )
    from puzzlekit.reasons.instances import GroundRule as GroundRule
    from puzzlekit.reasons.literals import TRUE as TRUE, ValueLiteral as ValueLiteral
    from puzzlekit.reasons.marks import ViolatedInstance as ViolatedInstance
    from puzzlekit.reasons.narration import (
        CardText as CardText,
        ChainLine as ChainLine,
        ExplainedStep as ExplainedStep,
        Narrator as Narrator,
    )
    from puzzlekit.reasons.patterns import PatternCache as PatternCache
    from puzzlekit.reasons.places import cells_in as cells_in, place_text as place_text
    from puzzlekit.reasons.position_names import PositionNames as PositionNames
    from puzzlekit.reasons.progress import read_marks as read_marks
    from puzzlekit.reasons.steps import Step as Step, Steps as Steps
    from puzzlekit.reasons.words import FactText as FactText, RuleInstance as RuleInstance
else:
    __getattr__ = door(
        __name__,
        {
            "assumption_model": ("AssumptionModel", "AssumptionSolver"),
            "card_words": ("merged",),
            "checking": ("Check", "check"),
            "conflicts": ("Conflict", "conflict"),
            "deductions": ("Pattern", "PatternClass", "names_in", "patterns_named"),
            "difficulty": ("LEVELS", "Rating", "rate"),
            "explainer": ("Explainer", "explainer_of"),
            "instances": ("GroundRule",),
            "frontiers": (
                "Climb",
                "Frontier",
                "easiest_class",
                "frontier",
                "harder_patterns",
                "is_solved_at",
            ),
            "literals": ("TRUE", "ValueLiteral"),
            "marks": ("ViolatedInstance",),
            "narration": ("CardText", "ChainLine", "ExplainedStep", "Narrator"),
            "patterns": ("PatternCache",),
            "places": ("cells_in", "place_text"),
            "position_names": ("PositionNames",),
            "progress": ("read_marks",),
            "steps": ("Step", "Steps"),
            "words": ("FactText", "RuleInstance"),
        },
    )
