"""Constraint puzzles written in YAML, solved, counted and optimised by interchangeable backends.

`load` returns a `Puzzle`, which lists, counts and samples its solutions, or finds the best one.

Examples:
    >>> import puzzlekit
    >>> puzzle = puzzlekit.load("examples/magic_square.yaml", "examples/magic_square_4.yaml")
    >>> for solution in puzzle.solve(backend="z3"):
    ...     print(solution["number"][0])
    [16, 3, 2, 13]
"""

# Nothing is imported here, not even `typing`, before __main__ has cleaned the module path. Type
# checkers assume that this name is true: they see the imports, and report unknown names.
TYPE_CHECKING = False

__version__ = "0.1.0"

__all__ = [
    "Backbone",
    "BackendBug",
    "Batch",
    "Check",
    "Clock",
    "Comparison",
    "Conflict",
    "ExplainedStep",
    "Explanation",
    "Exported",
    "FactText",
    "FileCheck",
    "FunctionError",
    "Header",
    "Hint",
    "InputError",
    "Instance",
    "Lexicon",
    "LexiconError",
    "MissingExtra",
    "Model",
    "Objective",
    "PaperOptions",
    "ParsedPuzzle",
    "Picture",
    "Problem",
    "Problems",
    "Puzzle",
    "PuzzleType",
    "PuzzlekitError",
    "Query",
    "Rating",
    "ReadBack",
    "Result",
    "RuleConditions",
    "RuleInstance",
    "Run",
    "Score",
    "Sequel",
    "Solution",
    "SourcePos",
    "Spec",
    "Stopped",
    "Task",
    "Undecided",
    "Unreachable",
    "Unsupported",
    "Upgrade",
    "Variable",
    "Web",
    "batch",
    "check",
    "compare",
    "draw",
    "errors",
    "examples",
    "fetch",
    "formats",
    "generate",
    "lexicons",
    "list_backends",
    "load",
    "load_type",
    "new_spec",
    "new_type",
    "play_page",
    "read_link",
    "read_solution",
    "schema",
    "scores",
    "to_records",
    "types",
    "upgrade",
    "words",
]

if TYPE_CHECKING:
    from puzzlekit import errors
    from puzzlekit.api import (
        Backbone,
        Check,
        Comparison,
        Conflict,
        ExplainedStep,
        Explanation,
        Exported,
        FactText,
        FileCheck,
        Hint,
        Picture,
        Puzzle,
        Query,
        Rating,
        ReadBack,
        Result,
        RuleConditions,
        RuleInstance,
        Run,
        Score,
        Sequel,
        Solution,
        Task,
        Upgrade,
        Web,
        check,
        compare,
        draw,
        examples,
        fetch,
        formats,
        lexicons,
        list_backends,
        load,
        load_type,
        new_spec,
        new_type,
        read_link,
        read_solution,
        schema,
        scores,
        to_records,
        types,
        upgrade,
        words,
    )
    from puzzlekit.batches import (
        Batch,
        batch,
    )
    from puzzlekit.catalogue import (
        Header,
    )
    from puzzlekit.clock import (
        Clock,
    )
    from puzzlekit.errors import (
        BackendBug,
        FunctionError,
        InputError,
        LexiconError,
        MissingExtra,
        Problem,
        Problems,
        PuzzlekitError,
        SourcePos,
        Stopped,
        Undecided,
        Unreachable,
        Unsupported,
    )
    from puzzlekit.lang import (
        Instance,
        PuzzleType,
        Spec,
    )
    from puzzlekit.libraries.words import (
        Lexicon,
    )
    from puzzlekit.links import (
        ParsedPuzzle,
    )
    from puzzlekit.making import (
        generate,
    )
    from puzzlekit.model import (
        Model,
        Objective,
        Variable,
    )
    from puzzlekit.options import (
        PaperOptions,
    )
    from puzzlekit.play import (
        play_page,
    )
else:
    # The names that are exported, by the package that defines them
    _NAMES = {
        "puzzlekit.api": (
            "Backbone",
            "Check",
            "Comparison",
            "Conflict",
            "ExplainedStep",
            "Explanation",
            "Exported",
            "FactText",
            "FileCheck",
            "Hint",
            "Picture",
            "Puzzle",
            "Query",
            "Rating",
            "ReadBack",
            "Result",
            "RuleConditions",
            "RuleInstance",
            "Run",
            "Score",
            "Sequel",
            "Solution",
            "Task",
            "Upgrade",
            "Web",
            "list_backends",
            "check",
            "compare",
            "draw",
            "examples",
            "fetch",
            "formats",
            "lexicons",
            "load",
            "load_type",
            "new_spec",
            "new_type",
            "read_link",
            "read_solution",
            "schema",
            "scores",
            "to_records",
            "types",
            "upgrade",
            "words",
        ),
        "puzzlekit.batches": (
            "Batch",
            "batch",
        ),
        "puzzlekit.catalogue": ("Header",),
        "puzzlekit.clock": ("Clock",),
        "puzzlekit.errors": (
            "BackendBug",
            "FunctionError",
            "InputError",
            "LexiconError",
            "MissingExtra",
            "Problem",
            "Problems",
            "PuzzlekitError",
            "SourcePos",
            "Stopped",
            "Undecided",
            "Unreachable",
            "Unsupported",
        ),
        "puzzlekit.lang": (
            "Instance",
            "PuzzleType",
            "Spec",
        ),
        "puzzlekit.libraries.words": ("Lexicon",),
        "puzzlekit.links": ("ParsedPuzzle",),
        "puzzlekit.making": ("generate",),
        "puzzlekit.model": (
            "Model",
            "Objective",
            "Variable",
        ),
        "puzzlekit.options": ("PaperOptions",),
        "puzzlekit.play": ("play_page",),
    }

    def __getattr__(name):
        """Import a name of the API when it is first used, so that `--help` stays fast."""
        from importlib import import_module

        if name == "errors":
            return import_module("puzzlekit.errors")
        for package, names in _NAMES.items():
            if name in names:
                exported = getattr(import_module(package), name)
                globals()[name] = exported
                return exported
        raise AttributeError(f"module 'puzzlekit' has no attribute {name!r}")


def __dir__() -> list[str]:
    special = [name for name in globals() if name.startswith("__")]
    return sorted([*__all__, *special])
