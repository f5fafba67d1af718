"""What backends report of their work: the size of a problem, and the effort of the search."""

from __future__ import annotations

from dataclasses import asdict

from puzzlekit.dataclass import dataclass

SIZES = ("variables", "clauses", "constraints", "items", "options")
EFFORTS = ("nodes", "decisions", "conflicts", "propagations", "restarts", "cuts")


@dataclass
class Statistics:
    """The statistics of the queries that one backend answered; None for what it does not report.

    Sizes are those of the largest problem that it was given, efforts are summed over all problems.

    Attributes:
        problems: How many problems it was given: components, restarts, steps to an optimum.
        variables: Its own variables, with those that express the rules.
        clauses: Its clauses, and for `sat` the bounds on counts that its solver knows; for answer
            sets, the nogoods that the rules become.
        constraints: Its constraints of other forms.
        items: The items of an exact cover.
        options: The options of an exact cover.
        nodes: The nodes of the search tree.
        decisions: Guesses, undone ones included.
        conflicts: Dead ends from which something was learnt.
        propagations: Values that followed from others.
        restarts: How often the search began anew with what it had learnt.
        cuts: Clauses that forbid a wrong shape of a candidate.
        memory: The bytes by which the backend's own process grew, if it has one.
    """

    problems: int = 0
    variables: int | None = None
    clauses: int | None = None
    constraints: int | None = None
    items: int | None = None
    options: int | None = None
    nodes: int | None = None
    decisions: int | None = None
    conflicts: int | None = None
    propagations: int | None = None
    restarts: int | None = None
    cuts: int | None = None
    memory: int | None = None

    def note_sizes(self, **sizes: int) -> None:
        """Note the size of one more problem."""
        self.problems += 1
        self.raise_sizes(**sizes)

    def raise_sizes(self, **sizes: int) -> None:
        """Note more about the size of a problem."""
        for name, size in sizes.items():
            largest = getattr(self, name) or 0
            setattr(self, name, max(largest, int(size)))

    def add_efforts(self, **efforts: int) -> None:
        """Note the effort of a search."""
        for name, effort in efforts.items():
            total = getattr(self, name) or 0
            setattr(self, name, total + int(effort))

    def add(self, statistics: Statistics) -> None:
        """Add the statistics of other problems."""
        self.problems += statistics.problems
        reported = statistics.reported()
        sizes = {name: reported[name] for name in (*SIZES, "memory") if name in reported}
        efforts = {name: reported[name] for name in EFFORTS if name in reported}
        self.raise_sizes(**sizes)
        self.add_efforts(**efforts)

    def reported(self) -> dict[str, int]:
        """Return what was reported, by name."""
        return {name: number for name, number in asdict(self).items() if number is not None}
