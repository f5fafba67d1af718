from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.solve.auto import PLANS as PLANS, classify as classify, solver as solver
    from puzzlekit.solve.compiled import (
        UniqueSolution as UniqueSolution,
        obstacle as obstacle,
        only_solution as only_solution,
    )
    from puzzlekit.solve.search import ModelSearch as ModelSearch, with_goal as with_goal
    from puzzlekit.solve.solution_checker import checked_solutions as checked_solutions
    from puzzlekit.solve.solvers import Solver as Solver
else:
    __getattr__ = door(
        __name__,
        {
            "auto": (
                "classify",
                "PLANS",
                "solver",
            ),
            "compiled": ("UniqueSolution", "obstacle", "only_solution"),
            "search": ("ModelSearch", "with_goal"),
            "solution_checker": ("checked_solutions",),
            "solvers": ("Solver",),
        },
    )
