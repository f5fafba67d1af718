"""A puzzle that is loaded: its data, its model and its goals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from puzzlekit.api.equality import puzzle_hash, same_puzzle
from puzzlekit.api.pictures import puzzle_html
from puzzlekit.api.solution import python_value
from puzzlekit.errors import InputError, nearest
from puzzlekit.lang import BoundPuzzle, PuzzleType, Spec
from puzzlekit.model import Goal, Model
from puzzlekit.query import Kind, Query


class LoadedPuzzle(Mapping[str, Any]):
    """A type bound to a spec, as a mapping from its fields to their values; `Puzzle` adds the queries."""

    def __init__(self, kind: PuzzleType, spec: Spec, instance: BoundPuzzle, seconds: float = 0.0) -> None:
        self.type = kind
        self.spec = spec
        self.instance = instance
        self.seconds = seconds

    def __getitem__(self, name: str) -> Any:
        return python_value(self.instance.data[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.instance.data)

    def __len__(self) -> int:
        return len(self.instance.data)

    def __contains__(self, name: object) -> bool:
        return name in self.instance.data

    def __eq__(self, other: object) -> bool:
        return same_puzzle(self.instance, other.instance) if isinstance(other, LoadedPuzzle) else NotImplemented

    def __hash__(self) -> int:
        return puzzle_hash(self.instance)

    def __repr__(self) -> str:
        own = self.spec.text("title")
        size = f"{len(self.model.visible()):,} unknowns, {len(self.model.constraints):,} constraints"
        return f"<Puzzle {self.type.name}: {f'{own[:60]}, ' if own else ''}{size}>"

    def _repr_html_(self) -> str:
        return puzzle_html(self.title, self.instance)

    @property
    def title(self) -> str:
        """The title of the type, with the title of the spec if it has one."""
        own = self.spec.text("title")
        return f"{self.type.title or self.type.name}{f': {own}' if own else ''}"

    @property
    def model(self) -> Model:
        """The puzzle as a model, before presolve."""
        return self.instance.model

    def goal(self, name: str | None) -> Goal | None:
        """Look up a goal by name.

        Args:
            name: A goal of the type; "none" for no goal; None for the type's default goal.

        Returns:
            The goal, or None if there is none.

        Raises:
            InputError: The type has no goal of this name, or the goal requires a lexicon with
                ranks.

        Examples:
            >>> import puzzlekit
            >>> puzzle = puzzlekit.load("puzzle: p\\nvariables: {x: 'between(1, 9)'}\\ngoals: {low: minimise(x)}")
            >>> puzzle.goal(None).name, puzzle.goal("none")
            ('low', None)
        """
        goals = self.instance.goals
        if name is None:
            return goals.get(self.type.default_goal(self.instance.lacking))
        if name == "none":
            return None
        if name in self.instance.lacking:
            raise InputError(f"{self.type.name} has no goal {name} with these words: {self.instance.lacking[name]}")
        if name not in goals:
            known = nearest(name, [*goals, "none"]) if goals else "it has no goals"
            raise InputError(f"{self.type.name} has no goal {name}; {known}")
        return goals[name]

    def ranking(self, query: Query) -> Goal | None:
        """The goal that orders the solutions of a query, or None.

        Raises:
            InputError: The type has no goal of the query's name.
        """
        if query.kind is Kind.RANK:
            return self.goal(query.goal)
        return self.instance.goals.get(self.type.rank) if self._has_order(query) else None

    def unordered(self, query: Query) -> str:
        """Why the type's ranking cannot be applied to a query; empty if it can, or need not."""
        return self.instance.lacking.get(self.type.rank, "") if self._has_order(query) else ""

    def _has_order(self, query: Query) -> bool:
        return query.kind is Kind.ENUMERATE and query.goal is None and query.ordered
