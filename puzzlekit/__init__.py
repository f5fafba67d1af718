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
    "BackendBug",
    "Check",
    "Clock",
    "Conflict",
    "ExplainedStep",
    "Explanation",
    "FactText",
    "FunctionError",
    "Hint",
    "InputError",
    "Instance",
    "LexiconError",
    "MissingExtra",
    "Model",
    "Objective",
    "Problem",
    "Problems",
    "Puzzle",
    "PuzzleType",
    "PuzzlekitError",
    "Query",
    "Rating",
    "RuleInstance",
    "Run",
    "Sequel",
    "Solution",
    "SourcePos",
    "Spec",
    "Stopped",
    "Task",
    "Undecided",
    "Unreachable",
    "Unsupported",
    "Variable",
    "errors",
    "load",
]

if TYPE_CHECKING:
    from puzzlekit import errors
    from puzzlekit.api import (
        Check,
        Conflict,
        ExplainedStep,
        Explanation,
        FactText,
        Hint,
        Puzzle,
        Query,
        Rating,
        RuleInstance,
        Run,
        Sequel,
        Solution,
        Task,
        load,
    )
    from puzzlekit.clock import Clock
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
    from puzzlekit.lang import Instance, PuzzleType, Spec
    from puzzlekit.model import Model, Objective, Variable
else:

    def __getattr__(name):
        """Import a name of the API when it is first used, so that `--help` stays fast."""
        if name not in __all__:
            raise AttributeError(f"module 'puzzlekit' has no attribute {name!r}")
        from importlib import import_module

        errors = import_module("puzzlekit.errors")
        if name == "errors":
            return errors
        for module_name in (
            "puzzlekit.errors",
            "puzzlekit.api",
            "puzzlekit.clock",
            "puzzlekit.lang",
            "puzzlekit.model",
            "puzzlekit.api.answers",
        ):
            module = import_module(module_name)
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(f"no module of puzzlekit defines {name!r}")


def __dir__() -> list[str]:
    special = [name for name in globals() if name.startswith("__")]
    return sorted([*__all__, *special])
