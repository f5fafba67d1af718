"""The Python API: load a puzzle, list, count, sample and rank its solutions, find the best one."""

from typing import TYPE_CHECKING

from puzzlekit.api.loading import load
from puzzlekit.api.puzzle import Puzzle
from puzzlekit.api.solution import Sequel, Solution
from puzzlekit.api.values import plain
from puzzlekit.lazy_imports import door
from puzzlekit.options import LoadOptions, RunOptions
from puzzlekit.query import Presolve, Query, QueryOptions, Task

__all__ = [
    "LoadOptions",
    "Presolve",
    "Puzzle",
    "Query",
    "QueryOptions",
    "Run",
    "RunOptions",
    "Sequel",
    "Solution",
    "Task",
    "load",
    "plain",
]

if TYPE_CHECKING:
    from puzzlekit.api.answers import (
        Check as Check,
        Conflict as Conflict,
        ExplainedStep as ExplainedStep,
        Explanation as Explanation,
        FactText as FactText,
        Hint as Hint,
        Rating as Rating,
        RuleInstance as RuleInstance,
    )
    from puzzlekit.api.backbone import Backbone as Backbone, Difference as Difference
    from puzzlekit.api.boards import (
        check_highlights as check_highlights,
        check_parts as check_parts,
        conflict_highlights as conflict_highlights,
        conflict_parts as conflict_parts,
        hint_parts as hint_parts,
        known_values as known_values,
        step_highlights as step_highlights,
    )
    from puzzlekit.api.checks import (
        NAMED_VALUES as NAMED_VALUES,
        check_spec as check_spec,
        check_type as check_type,
        expected as expected,
    )
    from puzzlekit.api.comparison import (
        ABSENT as ABSENT,
        ALL as ALL,
        COMPILING_SECONDS as COMPILING_SECONDS,
        FIRST as FIRST,
        PROCESSOR as PROCESSOR,
        STAGES as STAGES,
        Comparison as Comparison,
        Result as Result,
        Results as Results,
        Score as Score,
        ratios as ratios,
        scores as scores,
    )
    from puzzlekit.api.fetching import (
        Web as Web,
        fetch as fetch,
        letter_rows as letter_rows,
        nested as nested,
        read_date as read_date,
        seen as seen,
    )
    from puzzlekit.api.model_file import (
        ReadBack as ReadBack,
        export as export,
        read_solution as read_solution,
    )
    from puzzlekit.api.pictures import (
        Section as Section,
        common_parts as common_parts,
        drawable as drawable,
        picture as picture,
        puzzle_parts as puzzle_parts,
        sections as sections,
        solution_parts as solution_parts,
        together as together,
    )
    from puzzlekit.api.plugin_modules import load_module as load_module, type_of as type_of
    from puzzlekit.api.run import Run as Run
    from puzzlekit.api.scaffold import new_spec as new_spec, new_type as new_type
    from puzzlekit.api.sources import FileText as FileText, is_yaml as is_yaml
    from puzzlekit.api.spec_progress import progress_facts as progress_facts
    from puzzlekit.api.upgrade import (
        files_in as files_in,
        old_keys as old_keys,
        with_new_keys as with_new_keys,
    )
else:
    __getattr__ = door(
        __name__,
        {
            "answers": (
                "Check",
                "Conflict",
                "ExplainedStep",
                "Explanation",
                "FactText",
                "Hint",
                "Rating",
                "RuleInstance",
            ),
            "backbone": ("Backbone", "Difference"),
            "boards": (
                "check_highlights",
                "check_parts",
                "conflict_highlights",
                "conflict_parts",
                "hint_parts",
                "known_values",
                "step_highlights",
            ),
            "checks": ("NAMED_VALUES", "check_spec", "check_type", "expected"),
            "comparison": (
                "ABSENT",
                "ALL",
                "COMPILING_SECONDS",
                "Comparison",
                "FIRST",
                "PROCESSOR",
                "Result",
                "Results",
                "STAGES",
                "Score",
                "ratios",
                "scores",
            ),
            "fetching": ("Web", "fetch", "letter_rows", "nested", "read_date", "seen"),
            "model_file": ("ReadBack", "export", "read_solution"),
            "pictures": (
                "Section",
                "common_parts",
                "drawable",
                "picture",
                "puzzle_parts",
                "sections",
                "solution_parts",
                "together",
            ),
            "plugin_modules": ("load_module", "type_of"),
            "run": ("Run",),
            "scaffold": ("new_spec", "new_type"),
            "sources": ("FileText", "is_yaml"),
            "spec_progress": ("progress_facts",),
            "upgrade": ("files_in", "old_keys", "with_new_keys"),
        },
    )
