from typing import TYPE_CHECKING

from puzzlekit.lazy_imports import door

if TYPE_CHECKING:
    from puzzlekit.lowering.cover import (
        PLAIN as PLAIN,
        Cover as Cover,
        colours_to_items as colours_to_items,
        to_cover as to_cover,
    )
    from puzzlekit.lowering.cover_decoder import (
        Ints as Ints,
        SolutionBlocks as SolutionBlocks,
        columns_of as columns_of,
    )
    from puzzlekit.lowering.decomposition import (
        ACCEPTING as ACCEPTING,
        Move as Move,
        row_automaton as row_automaton,
    )
    from puzzlekit.lowering.flattening import (
        NEVER as NEVER,
        TABLE_COMBINATIONS as TABLE_COMBINATIONS,
        flatten as flatten,
    )
    from puzzlekit.lowering.lazy_cuts import (
        Clause as Clause,
        Shape as Shape,
        enumerate_with_restarts as enumerate_with_restarts,
        has_shapes as has_shapes,
        island_cuts as island_cuts,
        separate_shapes as separate_shapes,
        solve_with_cuts as solve_with_cuts,
        violated_clauses as violated_clauses,
        violated_cuts as violated_cuts,
        with_lazy_cuts as with_lazy_cuts,
    )
    from puzzlekit.lowering.planner import (
        FLAT as FLAT,
        PRESOLVED as PRESOLVED,
        Form as Form,
        Supports as Supports,
        chain as chain,
        described as described,
        lower as lower,
    )
else:
    __getattr__ = door(
        __name__,
        {
            "cover": ("Cover", "PLAIN", "colours_to_items", "to_cover"),
            "cover_decoder": ("Ints", "SolutionBlocks", "columns_of"),
            "decomposition": ("ACCEPTING", "Move", "row_automaton"),
            "flattening": ("NEVER", "TABLE_COMBINATIONS", "flatten"),
            "lazy_cuts": (
                "Clause",
                "Shape",
                "enumerate_with_restarts",
                "has_shapes",
                "island_cuts",
                "separate_shapes",
                "solve_with_cuts",
                "violated_clauses",
                "violated_cuts",
                "with_lazy_cuts",
            ),
            "planner": ("FLAT", "Form", "PRESOLVED", "Supports", "chain", "described", "lower"),
        },
    )
