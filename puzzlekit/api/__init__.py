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
        step_degrees as step_degrees,
    )
    from puzzlekit.api.backbone import (
        Backbone as Backbone,
        Difference as Difference,
    )
    from puzzlekit.api.boards import (
        check_highlights as check_highlights,
        check_parts as check_parts,
        conflict_highlights as conflict_highlights,
        conflict_parts as conflict_parts,
        known_values as known_values,
        struck_values as struck_values,
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
        backends_named as backends_named,
        compare as compare,
        ratios as ratios,
        scores as scores,
    )
    from puzzlekit.api.drawings import (
        chapter_of as chapter_of,
        chapters_picture as chapters_picture,
        draw as draw,
        with_solution as with_solution,
    )
    from puzzlekit.api.explanation import rating_of_steps as rating_of_steps
    from puzzlekit.api.exporting import (
        Exported as Exported,
        export as export,
        format_named as format_named,
        formats as formats,
    )
    from puzzlekit.api.fetching import (
        Web as Web,
        fetch as fetch,
        letter_rows as letter_rows,
        nested as nested,
        read_date as read_date,
        seen as seen,
    )
    from puzzlekit.api.file_checks import (
        FileCheck as FileCheck,
        check as check,
    )
    from puzzlekit.api.link_texts import (
        read_link as read_link,
    )
    from puzzlekit.api.listing import (
        examples as examples,
        lexicons as lexicons,
        list_backends as list_backends,
        load_type as load_type,
        types as types,
        words as words,
    )
    from puzzlekit.api.model_file import (
        ReadBack as ReadBack,
        read_solution as read_solution,
    )
    from puzzlekit.api.overlays import (
        OverlayShapes as OverlayShapes,
        highlights_overlay as highlights_overlay,
        step_overlay as step_overlay,
    )
    from puzzlekit.api.phrases import phrases_of as phrases_of, step_text as step_text
    from puzzlekit.api.picture_formats import (
        Picture as Picture,
        check_titles as check_titles,
        for_paper_only as for_paper_only,
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
    from puzzlekit.api.plugin_modules import (
        load_module as load_module,
        type_of as type_of,
    )
    from puzzlekit.api.records import (
        to_records as to_records,
    )
    from puzzlekit.api.renaming import (
        Upgrade as Upgrade,
        files_in as files_in,
        upgrade as upgrade,
    )
    from puzzlekit.api.rule_conditions import (
        RuleConditions as RuleConditions,
    )
    from puzzlekit.api.run import (
        Run as Run,
    )
    from puzzlekit.api.scaffold import (
        example_spec as example_spec,
        example_type as example_type,
    )
    from puzzlekit.api.sources import (
        FileText as FileText,
        is_yaml as is_yaml,
    )
    from puzzlekit.api.spec_progress import (
        progress_facts as progress_facts,
    )
    from puzzlekit.api.templates import (
        example_text as example_text,
        new_spec as new_spec,
        new_type as new_type,
        refusal_of_size as refusal_of_size,
        schema as schema,
        spec_text as spec_text,
        unchecked_text as unchecked_text,
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
                "step_degrees",
            ),
            "backbone": (
                "Backbone",
                "Difference",
            ),
            "boards": (
                "check_highlights",
                "check_parts",
                "conflict_highlights",
                "conflict_parts",
                "known_values",
                "struck_values",
            ),
            "checks": (
                "NAMED_VALUES",
                "check_spec",
                "check_type",
                "expected",
            ),
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
                "backends_named",
                "compare",
                "ratios",
                "scores",
            ),
            "drawings": ("chapter_of", "chapters_picture", "draw", "with_solution"),
            "overlays": ("OverlayShapes", "highlights_overlay", "step_overlay"),
            "phrases": ("phrases_of", "step_text"),
            "picture_formats": ("Picture", "check_titles", "for_paper_only"),
            "explanation": ("rating_of_steps",),
            "exporting": (
                "Exported",
                "export",
                "format_named",
                "formats",
            ),
            "fetching": (
                "Web",
                "fetch",
                "letter_rows",
                "nested",
                "read_date",
                "seen",
            ),
            "file_checks": (
                "FileCheck",
                "check",
            ),
            "link_texts": ("read_link",),
            "listing": (
                "list_backends",
                "examples",
                "lexicons",
                "load_type",
                "types",
                "words",
            ),
            "model_file": (
                "ReadBack",
                "read_solution",
            ),
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
            "plugin_modules": (
                "load_module",
                "type_of",
            ),
            "records": ("to_records",),
            "renaming": (
                "Upgrade",
                "files_in",
                "upgrade",
            ),
            "rule_conditions": ("RuleConditions",),
            "run": ("Run",),
            "scaffold": (
                "example_spec",
                "example_type",
            ),
            "sources": (
                "FileText",
                "is_yaml",
            ),
            "spec_progress": ("progress_facts",),
            "templates": (
                "example_text",
                "new_spec",
                "new_type",
                "refusal_of_size",
                "schema",
                "spec_text",
                "unchecked_text",
            ),
        },
    )
