"""The union of all node classes."""

from typing import TypeAlias

from puzzlekit.model.structures import Acyclic, Automaton, Circuit, Connected, Inside, Regions, RegionSizes
from puzzlekit.model.terms import (
    AllDifferent,
    And,
    Apply,
    Cardinality,
    Comparison,
    Component,
    Constant,
    Element,
    IfElse,
    Linear,
    Member,
    Not,
    Operation,
    Or,
    Sum,
    Table,
    Variable,
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
