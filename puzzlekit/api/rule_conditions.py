"""What the rules of a type become for a puzzle."""

from __future__ import annotations

from collections.abc import Iterator

from puzzlekit.api.solution import LoadedPuzzle
from puzzlekit.dataclass import dataclass
from puzzlekit.errors import SourcePos
from puzzlekit.lang import display_text
from puzzlekit.model import Constraint, term_text


@dataclass(frozen=True)
class RuleConditions:
    """What a rule of the type becomes for a puzzle.

    Attributes:
        name: The rule, as the type states it.
        constraints: Its constraints.
        seconds: How long it took to run it.
    """

    name: str
    constraints: tuple[Constraint, ...]
    seconds: float

    @property
    def number(self) -> int:
        """The number of its conditions."""
        return len(self.constraints)

    def texts(self) -> Iterator[str]:
        """Yield each condition in words: with the loop variables, what must hold."""
        for constraint in self.constraints:
            origin = constraint.origin
            text = term_text(constraint.condition, display_text)
            bindings = [f"{name} = {display_text(value)}" for name, value in origin.bindings]
            if bindings or origin.rule != self.name:  # a name with loop variables shows them
                text = f"{', '.join(bindings) or origin.rule}: {text}"
            yield text


def rule_conditions(puzzle: LoadedPuzzle) -> list[RuleConditions]:
    """Return what each rule becomes, in the order of the type."""
    by_position: dict[SourcePos, list[Constraint]] = {}
    for constraint in puzzle.model.constraints:
        position = constraint.origin.position
        if position is not None:
            by_position.setdefault(position, []).append(constraint)
    seconds_of = {
        position: (name, seconds) for name, position, seconds in puzzle.instance.rule_seconds
    }
    # rules that an equal puzzle ran before did not run again
    names = {rule.expression.start: rule.name for rule in puzzle.type.rules}
    for position, constraints in by_position.items():
        name = names.get(position, constraints[0].origin.rule)
        seconds_of.setdefault(position, (name, 0.0))
    in_order = sorted(seconds_of.items(), key=_line_and_column)
    return [
        RuleConditions(name, tuple(by_position.get(position, ())), seconds)
        for position, (name, seconds) in in_order
    ]


def _line_and_column(entry: tuple[SourcePos, object]) -> tuple[int, int]:
    """Return where a rule stands in its type."""
    position, _ = entry
    return position.line, position.column
