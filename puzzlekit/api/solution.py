"""A loaded puzzle and its solutions, both mappings to plain Python values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from reprlib import Repr
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from puzzlekit.api.values import plain, puzzle_hash, python_value, same_puzzle
from puzzlekit.errors import InputError, nearest
from puzzlekit.lang import Instance, PuzzleType, Spec, VariableArray
from puzzlekit.model import Model, Objective, Value, Variable, as_dict
from puzzlekit.options import LoadOptions
from puzzlekit.query import Query, Task

if TYPE_CHECKING:
    from puzzlekit.api.picture_formats import Picture

BRIEF = Repr()
BRIEF.maxlist = BRIEF.maxdict = 3
BRIEF.maxlevel = 2


class LoadedPuzzle(Mapping[str, Any]):
    """A type bound to a spec, as a mapping from its fields to their values; `Puzzle` adds what can
    be asked.
    """

    def __init__(
        self,
        type_: PuzzleType,
        spec: Spec,
        instance: Instance,
        seconds: float = 0.0,
        options: LoadOptions = LoadOptions(),
    ) -> None:
        self.type = type_
        self.spec = spec
        self.instance = instance
        self.seconds = seconds
        self.options = options

    def __getitem__(self, name: str) -> Any:
        return python_value(self.instance.data[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self.instance.data)

    def __len__(self) -> int:
        return len(self.instance.data)

    def __contains__(self, name: object) -> bool:
        return name in self.instance.data

    def __eq__(self, peer: object) -> bool:
        if not isinstance(peer, LoadedPuzzle):
            return NotImplemented
        return same_puzzle(self.instance, peer.instance)

    def __hash__(self) -> int:
        return puzzle_hash(self.instance)

    def __repr__(self) -> str:
        unknowns = f"{len(self.model.visible()):,} unknowns"
        constraints = f"{len(self.model.constraints):,} constraints"
        title = self.spec.text("title")[:60]
        texts = [title, unknowns, constraints] if title else [unknowns, constraints]
        return f"<Puzzle {self.type.name}: {', '.join(texts)}>"

    @property
    def title(self) -> str:
        """The title of the type, with the title of the spec if it has one."""
        type_title = self.type.title or self.type.name
        spec_title = self.spec.text("title")
        return f"{type_title}: {spec_title}" if spec_title else type_title

    @property
    def model(self) -> Model:
        """The puzzle as a model, before presolve."""
        return self.instance.model

    def goal(self, name: str | None) -> Objective | None:
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
            >>> type_ = "puzzle: p\\nvariables: {x: 'between(1, 9)'}\\ngoals: {low: minimise(x)}"
            >>> puzzle = puzzlekit.load(type_)
            >>> puzzle.goal(None).name, puzzle.goal("none")
            ('low', None)
        """
        goals = self.instance.goals
        missing = self.instance.missing
        if name is None:
            return goals.get(self.type.default_goal(missing))
        if name == "none":
            return None
        if name in missing:
            raise InputError(
                f"{self.type.name} has no goal {name} with these words: {missing[name]}"
            )
        if name not in goals:
            suggestion = nearest(name, [*goals, "none"]) if goals else "it has no goals"
            raise InputError(f"{self.type.name} has no goal {name}; {suggestion}")
        return goals[name]

    def ranking(self, query: Query) -> Objective | None:
        """Return the goal that orders the solutions of a query, or None.

        Raises:
            InputError: The type has no goal of the query's name.
        """
        if query.task is Task.RANK:
            return self.goal(query.goal)
        return self.instance.goals.get(self.type.rank) if self._has_order(query) else None

    def unordered(self, query: Query) -> str:
        """Say why the type's ranking cannot be applied to a query; empty if it can, or need not."""
        return self.instance.missing.get(self.type.rank, "") if self._has_order(query) else ""

    def _has_order(self, query: Query) -> bool:
        return query.task is Task.ENUMERATE and query.goal is None and query.ordered


class Solution(Mapping[str, Any]):
    """The values of all unknowns of a puzzle, checked against its rules.

    A solution is a mapping from the names of unknowns and shown values to plain Python values. A
    board of numbers is a list of rows of numbers (None for a hole); a board of letters is a list of
    strings, one per row (`.` for a hole). A family of Boolean unknowns that are not the cells of a
    board is the list of the indices that are true.

    Two solutions are equal if they belong to equal puzzles and their visible unknowns have the same
    values. Solutions can be hashed, copied and pickled. A notebook draws them.

    Attributes:
        value: The value of the goal that ranks the solutions; None if they are not ranked.
        sequels: The solutions of the puzzles that follow from this one, by their names.
        assignment: The value of each variable of the model.

    Examples:
        >>> import puzzlekit
        >>> puzzle = puzzlekit.load("examples/magic_square.yaml", "examples/magic_square_4.yaml")
        >>> (solution,) = puzzle.solve()
        >>> solution
        <Solution of magic_square: number=[[16, 3, 2, ...], [5, 10, 11, ...], [9, 6, 7, ...], ...]>
        >>> list(solution), solution["number"][0]
        (['number'], [16, 3, 2, 13])
    """

    value: int | None = None
    sequels: Mapping[str, Sequel] = MappingProxyType({})

    def __init__(self, instance: Instance, assignment: Mapping[Variable, Value]) -> None:
        self.instance = instance
        self.assignment = assignment

    def evaluate_outputs(self) -> None:
        """Evaluate the shown values now, so that Problems are raised here."""
        self.outputs  # noqa: B018  it is cached

    @cached_property
    def outputs(self) -> dict[str, Any]:
        """The values that the type shows besides unknowns. Raises Problems."""
        expressions = self.instance.type.output_expressions
        return {
            name: self.instance.evaluate(expression, self.assignment)
            for name, expression in expressions
        }

    @cached_property
    def arrays(self) -> dict[str, VariableArray]:
        """The families of visible unknowns, with their values."""
        values = as_dict(self.assignment)
        families = self.instance.families
        declarations = self.instance.type.unknowns
        visible = [unknowns.name for unknowns in declarations if not unknowns.auxiliary]
        return {name: families[name].filled(values) for name in visible}

    def __getitem__(self, name: str) -> Any:
        return python_value(self.output_or_array(name))

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys((*self.arrays, *self.outputs)))

    def __len__(self) -> int:
        return len(self.arrays.keys() | self.outputs.keys())

    def __contains__(self, name: object) -> bool:
        return name in self.arrays or name in self.outputs

    def __eq__(self, peer: object) -> bool:
        if not isinstance(peer, Solution):
            return NotImplemented
        if self is peer:
            return True
        return same_puzzle(self.instance, peer.instance) and self._texts == peer._texts

    def __hash__(self) -> int:
        return hash((self.instance.type.name, self._texts))

    def __repr__(self) -> str:
        arrays = {name: python_value(array) for name, array in self.arrays.items()}
        texts = (f"{name}={BRIEF.repr(values)}" for name, values in arrays.items())
        text = ", ".join(texts)
        if len(text) > 100:
            text = f"{text[:99]}…"
        return f"<Solution of {self.instance.type.name}: {text}>"

    def __reduce__(self) -> tuple[Callable[..., Solution], tuple[Any, ...]]:
        domains = self.instance.model.domains
        chosen = []
        for variable, value in self._by_variable():
            chosen.append((domains[variable].index(value), str(value)))
        return _restored, (self.instance, chosen, self.value, dict(self.sequels))

    def __copy__(self) -> Solution:
        return self

    def __deepcopy__(self, memo: Any) -> Solution:
        return self

    def _repr_html_(self) -> str:
        return self.draw()._repr_html_()

    def draw(self) -> Picture:
        """Draw the solution into its puzzle, and what follows from it.

        Examples:
            >>> import puzzlekit
            >>> (solution,) = puzzlekit.load("examples/magic_square.yaml", {"size": 1}).solve()
            >>> print(solution.draw().text())
            Solution of Magic square
               1
        """
        from puzzlekit.api.picture_formats import picture_of
        from puzzlekit.api.pictures import common_parts, solution_parts

        type_ = self.instance.type
        parts = [*common_parts(self.instance), *solution_parts(self)]
        return picture_of(f"Solution of {type_.title or type_.name}", parts)

    def _by_variable(self) -> Iterator[tuple[Variable, Value]]:
        values = as_dict(self.assignment)
        return ((variable, values[variable]) for variable in self.instance.model.domains)

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        """The visible values as text: values of equal puzzles may differ by identity."""
        values = as_dict(self.assignment)
        return tuple(str(values[variable]) for variable in self.instance.model.visible())

    def output_or_array(self, name: str) -> Any:
        """Return an unknown with its values, or an output."""
        return self.arrays[name] if name in self.arrays else self.outputs[name]

    def json(self) -> dict[str, Any]:
        """Return the solution as `puzzlekit solve --json` prints it.

        Returns:
            The unknowns and shown values as JSON data, with what follows from it under
            the section that states it. Unlike in the mapping, a board whose values have one
            character each is a list of strings, one per row.

        Examples:
            >>> import puzzlekit
            >>> spec = {"size": 3, "givens": ["2 . 6", ". . .", ". . ."]}
            >>> (solution,) = puzzlekit.load("examples/magic_square.yaml", spec).solve()
            >>> solution.json(), solution["number"]
            ({'number': ['276', '951', '438']}, [[2, 7, 6], [9, 5, 1], [4, 3, 8]])
        """
        named = {**self.arrays, **self.outputs}
        values = {name: plain(value) for name, value in named.items()}
        return {**values, **_by_section(self.sequels)}

    def key(self) -> tuple[Any, ...]:
        """Return a key that identifies a solution of one loaded puzzle.

        It has the visible values by name.
        """
        visible = self.instance.model.visible()
        return tuple((variable.name, self.assignment[variable]) for variable in visible)


def _restored(
    instance: Instance,
    chosen: list[tuple[int, str]],
    value: int | None,
    sequels: Mapping[str, Sequel],
) -> Solution:
    """Unpickle a solution.

    Args:
        instance: The puzzle.
        chosen: For each unknown the index of its value in the domain, and the value as text.
        value: The value of the goal.
        sequels: What follows from the solution.
    """
    domains = instance.model.domains
    if len(domains) != len(chosen):
        raise InputError(
            f"the pickled solution of {instance.type.name} is from another version of the puzzle"
        )
    assignment = {}
    for (variable, domain), (index, text) in zip(domains.items(), chosen):
        assignment[variable] = _chosen(domain, index, text)
    solution = Solution(instance, assignment)
    solution.value = value
    if sequels:
        solution.sequels = sequels
    return solution


def _chosen(domain: Sequence[Value], index: int, text: str) -> Value:
    """Return the value at an index, or the one with this text if the domain was reordered."""
    if index < len(domain) and str(domain[index]) == text:
        return domain[index]
    for value in domain:
        if str(value) == text:
            return value
    raise InputError(
        f"the pickled solution has the value {text[:60]}, which is not in the domain of its unknown"
    )


class Sequel(dict[str, Any]):
    """The solution of a puzzle that follows from another: a dict of the values that it shows, by
    name.

    Attributes:
        section: The section of the type that states what follows.
        title: The title of the type of the puzzle.
        outcome: What is known of its solution: proven optimal, the only one, one of several, none.
        optimal: Whether the solution is proven optimal; None if its type has no goal.
        solution: The solution of the puzzle; None if there is none.
    """

    def __init__(
        self,
        section: str,
        title: str,
        outcome: str,
        optimal: bool | None,
        solution: Solution | None,
    ) -> None:
        super().__init__()
        self.section = section
        self.title = title
        self.outcome = outcome
        self.optimal = optimal
        self.solution = solution
        if solution is not None:
            for entry in solution.instance.type.show:
                self[entry.name] = solution.output_or_array(entry.name)
        if optimal is not None:
            self["optimal"] = optimal

    def json(self) -> dict[str, Any]:
        """Return the solution as plain data, with what follows from it under its section."""
        values = {name: plain(value) for name, value in self.items()}
        following = {} if self.solution is None else _by_section(self.solution.sequels)
        return {**values, **following, "outcome": self.outcome}


def _by_section(sequels: Mapping[str, Sequel]) -> dict[str, dict[str, Any]]:
    """Return sequels as plain data, by the section that states them and by name."""
    sections: dict[str, dict[str, Any]] = {}
    for name, sequel in sequels.items():
        sections.setdefault(sequel.section, {})[name] = sequel.json()
    return sections
