"""Puzzles as variables, terms, constraints and goals, without files, boards and backends."""

from typing import TYPE_CHECKING, TypeAlias

from puzzlekit.lazy_imports import door
from puzzlekit.model.graphs import connected_components
from puzzlekit.model.model import (
    Constraint,
    Layered,
    Model,
    Objective,
    Origin,
    as_dict,
    classes_in,
    distinct_solutions,
    has_variables,
    size_of,
    variables_in,
    variables_of,
)
from puzzlekit.model.structures import (
    Acyclic,
    Automaton,
    Circuit,
    Component,
    Connected,
    EvaluationCache,
    Inside,
    Regions,
    RegionSizes,
    Structure,
    TupleFunction,
    cached_per_structure,
)
from puzzlekit.model.term_keys import key_of
from puzzlekit.model.term_patterns import TermPattern, pattern_of
from puzzlekit.model.terms import (
    COMPARISONS,
    OPERATIONS,
    AllDifferent,
    And,
    Apply,
    Cardinality,
    Comparison,
    Constant,
    Domain,
    Element,
    Function,
    IfElse,
    Linear,
    Member,
    Not,
    Operation,
    Or,
    Sum,
    SymbolicError,
    Table,
    Term,
    Value,
    Values,
    Variable,
    compare,
)

Node: TypeAlias = (
    Variable
    | Constant
    | Sum
    | Operation
    | IfElse
    | Element
    | Apply
    | Component
    | Comparison
    | Not
    | And
    | Or
    | Member
    | AllDifferent
    | Cardinality
    | Linear
    | Table
    | Automaton
    | Connected
    | Circuit
    | Acyclic
    | RegionSizes
    | Regions
    | Inside
)
"""Every class of node. The type checker rejects a `match` over it that misses one."""

__all__ = [
    "COMPARISONS",
    "OPERATIONS",
    "Acyclic",
    "AllDifferent",
    "And",
    "Apply",
    "Automaton",
    "Cardinality",
    "Circuit",
    "Comparison",
    "Component",
    "Connected",
    "Constant",
    "Constraint",
    "Domain",
    "Element",
    "EvaluationCache",
    "Function",
    "IfElse",
    "Inside",
    "Layered",
    "Linear",
    "Member",
    "Model",
    "Node",
    "Not",
    "Objective",
    "Operation",
    "Or",
    "Origin",
    "RegionSizes",
    "Regions",
    "Structure",
    "Sum",
    "SymbolicError",
    "Table",
    "Term",
    "TermPattern",
    "TupleFunction",
    "Value",
    "Values",
    "Variable",
    "as_dict",
    "cached_per_structure",
    "classes_in",
    "compare",
    "connected_components",
    "distinct_solutions",
    "has_variables",
    "key_of",
    "pattern_of",
    "size_of",
    "variables_in",
    "variables_of",
]

if TYPE_CHECKING:
    from puzzlekit.model.formatting import term_text as term_text
    from puzzlekit.model.graphs import (
        Arcs as Arcs,
        DepthFirstTree as DepthFirstTree,
        DisjointSets as DisjointSets,
        reachable as reachable,
        shortest_path as shortest_path,
    )
else:
    __getattr__ = door(
        __name__,
        {
            "formatting": ("term_text",),
            "graphs": ("Arcs", "DepthFirstTree", "DisjointSets", "reachable", "shortest_path"),
        },
    )
