"""Answers that differ in little share the rest: an engine that lists thousands copies only what is an answer's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from puzzlekit.model.terms import Value, Values, Variable


class Overlay(Mapping[Variable, Value]):
    """What is `own`, before what is `common` to this and other answers; neither may be changed any more.

    >>> x, y = Variable("x"), Variable("y")
    >>> [value for _, value in Overlay({x: 1, y: 2}, {y: 3}).items()]
    [1, 3]
    """

    __slots__ = ("common", "own")

    def __init__(self, common: Mapping[Variable, Value], own: Mapping[Variable, Value]) -> None:
        self.common = common
        self.own = own

    def over(self, common: Mapping[Variable, Value]) -> Overlay:
        """The same before something else."""
        return Overlay(common, self.own)

    def __getitem__(self, variable: Variable) -> Value:
        return self.own[variable] if variable in self.own else self.common[variable]

    def __iter__(self) -> Iterator[Variable]:
        return iter({**self.common, **self.own})

    def __len__(self) -> int:
        return len({**self.common, **self.own})


def as_dict(values: Values) -> Mapping[Variable, Value]:
    """The same values, for who looks up most of them: a dict is quicker."""
    return {**values.common, **values.own} if isinstance(values, Overlay) else values
